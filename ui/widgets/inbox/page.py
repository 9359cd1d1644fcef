"""Needs you: all that waits for the person, oldest first; one list and one detail (design 7.7).

Owns which ask is shown and what follows an answer: the next oldest. Nothing here is answered by a timer. Ends with the
window.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, hairline
from ui.theme.theme import theme
from ui.viewmodels.inbox import KINDS, InboxModel
from ui.viewmodels.states import State
from ui.viewmodels.transcript import Transcripts
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import Batch, World
from ui.widgets.controls import Chip, KeyCap, Label
from ui.widgets.inbox.ask_list import AskList
from ui.widgets.inbox.detail import Detail
from ui.widgets.page_head import PageHead
from ui.wording import tr

BOTH = metrics.NARROW - metrics.SIDEBAR_STRIP
"""A page this wide or less shows the list or the detail."""
ROOMY = metrics.MIDDLE - metrics.SIDEBAR_NARROW
"""Up to this width the list is narrow."""


class _Ground(QWidget):
    """The canvas below the header; what it says while nobody waits."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.line = 0
        self.nobody, self.busy = False, ""
        theme().changed.connect(self.update)

    def say(self, *, nobody: bool, busy: str) -> None:
        """Nobody waits; what runs."""
        self.nobody, self.busy = nobody, busy
        self.setAccessibleName(f"{tr('Nobody is waiting for you')}. {busy}" if nobody else "")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Canvas, the line between list and detail, or the empty state."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        if self.nobody:
            self._paint_nobody(painter)
        elif self.line:
            x = self.width() - self.line if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else self.line
            hairline(painter, x, 0, x, self.height(), theme().color("border.subtle"))
        painter.end()

    def _paint_nobody(self, painter: QPainter) -> None:
        side, left, top = metrics.CHECK_DISC, metrics.SPACE_24, metrics.SPACE_24
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        mark = QRectF(self.width() - left - side if rtl else left, top, side, side)
        draw_mark(painter, mark, State.COMPLETED, theme().color("bg.canvas"))
        start = left + side + metrics.SPACE_12
        room = QRectF(left if rtl else start, top, self.width() - start - left, side)
        words, font = tr("Nobody is waiting for you"), theme().font("title")
        draw_text(painter, room, words, font, theme().color("text.primary"))
        below = room.translated(0, side + metrics.SPACE_4)
        below.setHeight(theme().line("ui"))
        draw_text(painter, below, self.busy, theme().font("ui"), theme().color("text.muted"))


class _Foot(QWidget):
    """Under the list: that nothing is answered by itself, and the keys."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.SPACE_24, metrics.SPACE_12, metrics.SPACE_12, metrics.SPACE_20)
        column.setSpacing(metrics.SPACE_8)
        column.addWidget(Label(tr("Nothing here is ever answered by a timer."), "small", "text.muted", elide=True))
        row = QHBoxLayout()
        row.setSpacing(metrics.SPACE_4)
        for keys, word in ((("J", "K"), tr("move")), (("1–9",), tr("choose")), (("O",), tr("open"))):
            for key in keys:
                row.addWidget(KeyCap(key))
            row.addSpacing(2)
            row.addWidget(Label(word, "small", "text.muted"))
            row.addSpacing(metrics.SPACE_4)
        row.addStretch(1)
        column.addLayout(row)


class InboxPage(QWidget):
    """`select(request_id)` shows an ask."""

    open_session = Signal(str)

    def __init__(
        self, world: World, orders: Orders, transcripts: Transcripts, view: ViewState, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._world, self._view = world, view
        self._in_detail = False
        self.asks = InboxModel(world, orders, self)
        self.head = PageHead(tr("Needs you"))
        self.chips: dict[str, Chip] = {}
        self.body = _Ground(self)
        self.list = AskList(self.asks, self.body)
        self.foot = _Foot(self.body)
        self.detail = Detail(self.asks, world, orders, transcripts, self.body)
        self._make_chips()
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.body, 1)
        self._connect()
        self._refresh()
        self.list.choose(0 if self.asks.rowCount() else -1)

    def _make_chips(self) -> None:
        group = QButtonGroup(self)
        for kind in KINDS:
            chip = Chip("", checkable=True)
            chip.clicked.connect(lambda _checked=False, chosen=kind: self.show_only(chosen))
            group.addButton(chip)
            self.chips[kind] = chip
            self.head.trailing.addWidget(chip)
        self.chips[""].setChecked(True)

    def _connect(self) -> None:
        self.list.chosen.connect(self._chosen)
        self.list.opened.connect(self._open)
        self.list.digit.connect(self.detail.press)
        self.list.entered.connect(self._enter)
        self.list.clicked.connect(self._clicked)
        self.detail.open_session.connect(self.open_session)
        self.detail.back_asked.connect(self._back)
        self._world.changed.connect(self._changed)

    # ---- which ask

    def select(self, request_id: str) -> None:
        """Show an ask; a filter that hides it is taken off."""
        if self.asks.row_of(request_id) < 0:
            self.show_only("")
        row = self.asks.row_of(request_id)
        if row >= 0:
            self.list.choose(row)
            self._in_detail = True
            self._place()
            if self.isVisible():
                self._take_focus()

    def show_only(self, kind: str) -> None:
        """Only asks of a kind, "" = all."""
        self.asks.set_kind(kind)
        self.chips[self.asks.kind()].setChecked(True)
        if self.asks.rowCount() and not self.list.current_id():
            self.list.choose(0)
        self._refresh()

    def _chosen(self, request_id: str) -> None:
        self.detail.show_ask(self._world.ask(request_id) if request_id else None)

    def _changed(self, batch: Batch) -> None:
        if not batch.asks:
            if batch.tasks or batch.sessions:
                self._refresh()
            return
        if not self.list.current_id() and self.asks.rowCount():
            self.list.choose(0)  # after an answer the next oldest
        shown = self._world.ask(self.list.current_id())
        self.detail.show_ask(shown)
        self._refresh()

    def _enter(self, *, focus: bool = True) -> None:
        self._in_detail = True
        self._place()
        if focus:
            self.detail.enter()

    def _clicked(self) -> None:
        self._enter(focus=False)

    def _take_focus(self) -> None:
        """The list, or the ask where it stands alone."""
        if self.list.isVisible():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.detail.isVisible():
            self.detail.enter()

    def _back(self) -> None:
        self._in_detail = False
        self._place()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self) -> None:
        ask = self._world.ask(self.list.current_id())
        if ask is not None:
            self.open_session.emit(ask.session_id)

    # ---- what it says

    def _refresh(self) -> None:
        counts = self.asks.counts()
        words = {
            "": tr("All {count}", count=str(counts[""])),
            "permission": tr("Permissions {count}", count=str(counts["permission"])),
            "question": tr("Questions {count}", count=str(counts["question"])),
            "plan_approval": tr("Plans {count}", count=str(counts["plan_approval"])),
        }
        for kind, chip in self.chips.items():
            chip.setText(words[kind])
            chip.setVisible(bool(counts[""]))
        self.head.say(self.asks.summary())
        self.body.say(nobody=not counts[""], busy=self.asks.busy())
        self._place()

    # ---- where things lie

    def _place(self) -> None:
        some = bool(self.asks.counts()[""])
        width, height = self.body.width(), self.body.height()
        single = width <= BOTH
        wide = width if single else metrics.INBOX_LIST if width > ROOMY else metrics.INBOX_LIST_NARROW
        listed, detailed = some and not (single and self._in_detail), some and (self._in_detail or not single)
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        start = width - wide if rtl else 0
        foot, pad = self.foot.sizeHint().height(), metrics.SPACE_12
        self.list.setGeometry(start + pad, pad, wide - 2 * pad, max(0, height - foot - pad))
        self.foot.setGeometry(start, height - foot, wide, foot)
        if single:
            self.detail.setGeometry(0, 0, width, height)
        else:
            self.detail.setGeometry(0 if rtl else wide + 1, 0, max(0, width - wide - 1), height)
        self.list.setVisible(listed)
        self.foot.setVisible(listed)
        self.detail.setVisible(detailed)
        self.detail.show_back(single)
        self.body.line = 0 if single else wide
        self.body.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The page was opened."""
        super().focusInEvent(event)
        self._take_focus()

    def changeEvent(self, event: QEvent) -> None:
        """Mirrored with the layout."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """List and detail, or one of them."""
        super().resizeEvent(event)
        self._column.activate()
        self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Out of the ask: J, K and O go on as in the list; Left goes back to it."""
        if event.key() in {Qt.Key.Key_J, Qt.Key.Key_K, Qt.Key.Key_O} and self.asks.rowCount():
            self.list.keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Left and not self.list.hasFocus():
            self._back()
        else:
            super().keyPressEvent(event)
