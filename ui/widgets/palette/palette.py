"""The command palette: one field that finds every action, session, child and ask (design 7.12).

Owns the field, the rows and what was used last. It runs what is picked, or tells `open_session` and `open_ask`. Closes
on Esc, on a press outside and when the focus goes; the focus returns to where it was.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from shiboken6 import isValid

from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.theme import theme
from ui.viewmodels.commands import Command
from ui.viewmodels.palette import MOST_RECENT, Line, lines_for, places_of, split
from ui.viewmodels.world import World
from ui.widgets.controls import Divider, Label, Popup
from ui.widgets.palette.pick_list import PickList, PickRow
from ui.wording import clean_line, tr

_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: metrics.PALETTE_ROWS,
    Qt.Key.Key_PageUp: -metrics.PALETTE_ROWS,
}


class PaletteField(QLineEdit):
    """The field: 44 high, without a frame."""

    lost = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrame(False)
        self.setPlaceholderText(tr("Find an action. @ sessions, > actions, # what needs you"))
        self.setAccessibleName(tr("Find an action, a session or an ask"))
        theme().changed.connect(self._retheme)
        self._retheme()

    def sizeHint(self) -> QSize:
        """44 high at the default font size."""
        return QSize(metrics.PALETTE, theme().row(metrics.PALETTE_FIELD, "prose"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The glass before the text."""
        super().paintEvent(event)
        painter = QPainter(self)
        side = metrics.ICON
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = self.width() - metrics.SPACE_12 - side if rtl else metrics.SPACE_12
        place = QRectF(left, (self.height() - side) / 2, side, side)
        draw_icon(painter, place, "search", theme().color("text.secondary"))
        painter.end()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Its own menu keeps the palette open."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.lost.emit()

    def changeEvent(self, event: QEvent) -> None:
        """The layout turned round."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._place_text()

    def _place_text(self) -> None:
        """After the glass, at the leading edge of the layout, whatever the direction of the text."""
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        side = Qt.AlignmentFlag.AlignRight if rtl else Qt.AlignmentFlag.AlignLeft
        self.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)
        lead, end = metrics.SPACE_12 + metrics.ICON + metrics.INNER_10 - 2, metrics.SPACE_12
        self.setTextMargins(end if rtl else lead, 0, lead if rtl else end, 0)

    def _retheme(self) -> None:
        self._place_text()
        self.setFont(theme().font("prose"))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, theme().color("text.primary"))
        palette.setColor(QPalette.ColorRole.PlaceholderText, theme().color("text.muted"))
        self.setPalette(palette)
        self.setFixedHeight(theme().row(metrics.PALETTE_FIELD, "prose"))


class CommandPalette(Popup):
    """`commands` and the world are asked anew each time it opens."""

    open_session = Signal(str)
    open_ask = Signal(str)
    recent_changed = Signal()

    def __init__(self, commands: Callable[[], list[Command]], world: World, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._commands_now, self._world = commands, world
        self._host = parent
        self._commands: dict[str, Command] = {}
        self._places: list[Line] = []
        self._lines: list[Line] = []
        self._before: QWidget | None = None
        self.recent: list[str] = []
        self.field = PaletteField()
        self.list = PickList(metrics.PALETTE_ROWS)
        self.nothing = Label("", "ui", "text.muted", wrap=True)
        self.nothing.setContentsMargins(metrics.SPACE_12, metrics.SPACE_8, metrics.SPACE_12, metrics.SPACE_8)
        self.setAccessibleName(tr("Commands"))
        self._arrange()
        self.field.textChanged.connect(self._search)
        self.field.lost.connect(self.hide)
        self.list.picked.connect(self._pick)
        self.closed.connect(self._return_focus)

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self.field)
        column.addWidget(Divider())
        column.addSpacing(metrics.SPACE_4)
        column.addWidget(self.list)
        column.addWidget(self.nothing)
        column.addSpacing(metrics.SPACE_4)

    def open(self, query: str = "") -> None:
        """Show it with everything as it is now; a second call closes it."""
        if self.isVisible():
            self.hide()
            return
        self._before = QApplication.focusWidget()
        self._commands = {command.id: command for command in self._commands_now() if command.id != "palette"}
        self._places = places_of(self._world)
        self.field.setText(query)
        self._search(query)
        if self._host is not None:
            self.open_at(self._host)
            self._settle()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- finding

    def _search(self, query: str) -> None:
        self._lines = lines_for(query, tuple(self._commands.values()), self._places, self.recent)
        self.list.show_rows([_row_of(line) for line in self._lines])
        self.list.setVisible(bool(self._lines))
        self.nothing.setVisible(not self._lines)
        if not self._lines:
            self.nothing.setText(_nothing_found(query))
        self._settle()

    def _settle(self) -> None:
        """Its place: centred, 96 from the top; as high as its rows ask."""
        host = self.parentWidget()
        if host is None or not self.isVisible():
            return
        width = min(metrics.PALETTE, host.width() - 2 * metrics.SPACE_16)
        self.setFixedWidth(width)
        self.adjustSize()
        top = min(metrics.PALETTE_TOP, max(metrics.SPACE_8, host.height() - self.height() - metrics.SPACE_8))
        self.move((host.width() - width) // 2, top)

    # ---- choosing

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, Enter takes, Esc closes; everything else is the field's."""
        if event.key() in _STEPS:
            self.list.step(_STEPS[Qt.Key(event.key())])
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._pick(self.list.current())
        elif event.key() in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}:
            event.accept()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002  # Qt's name
        """Tab moves in the list: nothing else takes the focus."""
        if not self.isVisible():
            return super().focusNextPrevChild(next)
        self.list.step(1 if next else -1)
        return True

    def _pick(self, at: int) -> None:
        if not 0 <= at < len(self._lines):
            return
        line = self._lines[at]
        if not line.enabled:
            return
        self.recent = [line.value, *(value for value in self.recent if value != line.value)][:MOST_RECENT]
        self.recent_changed.emit()
        self.hide()
        if line.kind == "session":
            self.open_session.emit(line.value)
        elif line.kind == "ask":
            self.open_ask.emit(line.value)
        else:
            self._commands[line.value].run()

    def _return_focus(self) -> None:
        """The focus goes back to where it was, unless it went elsewhere by itself."""
        before, self._before = self._before, None
        if self.field.hasFocus() and before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)


def _row_of(line: Line) -> PickRow:
    return PickRow(
        line.text,
        line.hits,
        line.section if line.enabled else line.reason or line.section,
        line.key if line.enabled else "",
        line.icon,
        "",
        line.state,
        line.enabled,
    )


def _nothing_found(query: str) -> str:
    kind, wanted = split(query)
    if not wanted:
        return {"ask": tr("Nobody is waiting for you"), "session": tr("No session yet")}.get(kind, tr("Nothing here"))
    name = clean_line(wanted, 60)
    match kind:
        case "command":
            return tr("No action called “{name}”", name=name)
        case "session":
            return tr("No session or child called “{name}”", name=name)
        case "ask":
            return tr("No ask called “{name}”", name=name)
        case _:
            return tr("No action, session or ask called “{name}”", name=name)
