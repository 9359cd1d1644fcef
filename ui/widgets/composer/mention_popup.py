"""The @ popup: agents, files and sessions that match what is typed, in tabs with counts (design 7.8).

Owns the tabs and rows. The text keeps the focus: keys come from there by `take_key`. What is chosen is told by
`chosen`. It stands over the composer and closes with the query.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.badges import letters_of
from ui.theme.painting import draw_text, hairline, text_width
from ui.theme.theme import theme
from ui.viewmodels.mentions import TABS, Found, Match, Mentionable, Tab
from ui.widgets.composer.chips import ICONS
from ui.widgets.controls import Label, Popup
from ui.widgets.palette.pick_list import PickList, PickRow
from ui.wording import clean_line, number, tr

_UNDERLINE = 2


class Tabs(QWidget):
    """Names with counts; the chosen one is bold and has a line under it. A press chooses."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tab: Tab = "all"
        self._counts: dict[Tab, int] = dict.fromkeys(TABS, 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)
        theme().changed.connect(self.update)

    @property
    def tab(self) -> Tab:
        """The chosen one."""
        return self._tab

    def show_tabs(self, tab: Tab, counts: "dict[Tab, int]") -> None:
        """Choose one and show how many each has."""
        self._tab, self._counts = tab, counts
        names = [f"{_name(each)} {number(counts.get(each, 0))}" for each in TABS]
        self.setAccessibleName(tr("{tab} of {tabs}", tab=_name(tab), tabs=", ".join(names)))
        self.update()

    def sizeHint(self) -> QSize:
        """32 high at the default font size."""
        return QSize(metrics.MENTION_POPUP, theme().row(metrics.POPUP_TABS, "small"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """All tabs."""
        painter = QPainter(self)
        hairline(painter, 0, self.height(), self.width(), self.height(), theme().color("border.subtle"))
        for tab, place in self._places():
            chosen = tab == self._tab
            font = theme().font("small", 600 if chosen else 500)
            ink = theme().color("text.primary" if chosen else "text.secondary")
            draw_text(painter, place, _name(tab), font, ink, None)
            muted = theme().color("text.secondary" if chosen else "text.muted")
            end = Qt.AlignmentFlag.AlignTrailing
            draw_text(painter, place, self._count(tab), theme().numbers("small"), muted, None, end)
            if chosen:
                line = QRectF(place.left(), self.height() - _UNDERLINE, place.width(), _UNDERLINE)
                painter.fillRect(line, theme().color("accent.fill"))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press chooses."""
        for tab, place in self._places():
            if place.adjusted(-metrics.SPACE_8, 0, metrics.SPACE_8, 0).contains(event.position()):
                self.chosen.emit(tab)
                return

    def _count(self, tab: Tab) -> str:
        return number(self._counts.get(tab, 0))

    def _places(self) -> "list[tuple[Tab, QRectF]]":
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        at = float(metrics.SPACE_12)
        places: list[tuple[Tab, QRectF]] = []
        for tab in TABS:
            name = text_width(_name(tab), theme().font("small", 600))
            width = round(name + metrics.SPACE_4 + text_width(self._count(tab), theme().numbers("small")) + 1)
            left = self.width() - at - width if rtl else at
            places.append((tab, QRectF(left, 0, width, self.height())))
            at += width + metrics.SPACE_16
        return places


class MentionPopup(Popup):
    """`show_query` finds and shows; `take_key` is asked for every key of the text while it is open."""

    chosen = Signal(object)
    dismissed = Signal()

    def __init__(self, held: Mentionable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._held = held
        self._query = ""
        self._anchor: QWidget | None = None
        self._found = Found((), dict.fromkeys(TABS, 0))
        self.tabs = Tabs()
        self.list = PickList(metrics.MENTION_ROWS, metrics.BADGE_ROW)
        self.nothing = Label("", "ui", "text.muted", wrap=True)
        pad = metrics.SPACE_12
        self.nothing.setContentsMargins(pad, metrics.SPACE_8, pad, metrics.SPACE_8)
        self.setAccessibleName(tr("Agents, files and sessions"))
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, metrics.SPACE_4)
        column.setSpacing(0)
        for part in (self.tabs, self.list, self.nothing):
            column.addWidget(part)
        self.tabs.chosen.connect(self._choose_tab)
        self.list.picked.connect(self._pick)

    def show_query(self, query: str, anchor: QWidget) -> None:
        """Open it over `anchor`, or show what another query finds."""
        self._query, self._anchor = query, anchor
        tab: Tab = self.tabs.tab if self.isVisible() else "all"
        self._show(tab)
        if not self.isVisible():
            self.open_at(anchor, above=True)
        self._settle()

    def refresh(self) -> None:
        """What can be mentioned is another: the same query again."""
        if self.isVisible():
            self._show(self.tabs.tab, keep=True)
            self._settle()

    def _show(self, tab: Tab, *, keep: bool = False) -> None:
        self._found = self._held.find(self._query, tab)
        self.tabs.show_tabs(tab, self._found.counts)
        self.list.show_rows([_row_of(match) for match in self._found.rows], keep=keep)
        self.list.setVisible(bool(self._found.rows))
        self.nothing.setVisible(not self._found.rows)
        if not self._found.rows:
            self.nothing.setText(_nothing(tab, self._query))

    def _settle(self) -> None:
        anchor = self._anchor
        window = anchor.window() if anchor is not None else None
        if anchor is None or window is None:
            return
        self.setFixedWidth(min(theme().px(metrics.MENTION_POPUP), window.width() - 2 * metrics.SPACE_8))
        self.adjustSize()
        self.move(self._place(anchor, anchor.rect(), window, above=True))

    # ---- keys and choices

    def take_key(self, event: QKeyEvent) -> bool:
        """Whether the key was for the popup."""
        if not self.isVisible():
            return False
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if held == Qt.KeyboardModifier.AltModifier and key in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            self._step_tab(1 if key == Qt.Key.Key_Right else -1)
            return True
        if held:
            return False
        if key in {Qt.Key.Key_Down, Qt.Key.Key_Up} and self._found.rows:
            self.list.step(1 if key == Qt.Key.Key_Down else -1)
            return True
        if key in {Qt.Key.Key_PageDown, Qt.Key.Key_PageUp} and self._found.rows:
            self.list.step(self.list.page() if key == Qt.Key.Key_PageDown else -self.list.page())
            return True
        if key in {Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._found.rows:
            self._pick(self.list.current())
            return True
        if key == Qt.Key.Key_Escape:
            self.hide()
            self.dismissed.emit()
            return True
        return False

    def _choose_tab(self, tab: Tab) -> None:
        self._show(tab)
        self._settle()

    def _step_tab(self, by: int) -> None:
        self._choose_tab(TABS[(TABS.index(self.tabs.tab) + by) % len(TABS)])

    def _pick(self, at: int) -> None:
        if 0 <= at < len(self._found.rows):
            candidate = self._found.rows[at].candidate
            if candidate.enabled:
                self.hide()
                self.chosen.emit(candidate.mention)


def _row_of(match: Match) -> PickRow:
    candidate = match.candidate
    agent = candidate.mention.kind == "agent"
    return PickRow(
        candidate.text,
        match.hits,
        candidate.detail,
        icon="" if agent else ICONS[candidate.mention.kind],
        letters=letters_of(candidate.mention.value, candidate.text) if agent else "",
        enabled=candidate.enabled,
        weight=500 if candidate.enabled else 400,
        middle=candidate.mention.kind == "file",
    )


def _name(tab: Tab) -> str:
    return {"all": tr("All"), "agent": tr("Agents"), "file": tr("Files"), "session": tr("Sessions")}[tab]


def _nothing(tab: Tab, query: str) -> str:
    name = clean_line(query, 60)
    if not name:
        return tr("Nothing to name yet")
    match tab:
        case "agent":
            return tr("No agent called “{name}”", name=name)
        case "file":
            return tr("No file called “{name}”", name=name)
        case "session":
            return tr("No session called “{name}”", name=name)
        case "all":
            return tr("No agent, file or session called “{name}”", name=name)
