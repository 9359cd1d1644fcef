"""The feed: a transcript under the person's hands.

Owns the current row and its ring, the keys, jumps. Laying out and following are `RowArea`'s. It never asks the host for
anything. Ends with its page or card.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.widgets.feed import keys
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.ring import Ring
from ui.widgets.feed.row_area import RowArea
from ui.widgets.feed.row_view import RowView

_PEEP = metrics.SPACE_24  # so much of a high row is enough to stand on it
_RETURNS = frozenset({
    Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason, Qt.FocusReason.MenuBarFocusReason,
})  # fmt: skip


class Feed(RowArea):
    """`leave_asked`: Left in a nested feed where nothing is left to fold. Other signals: see `RowArea`."""

    current_changed = Signal(str)
    leave_asked = Signal()

    def __init__(self, ctx: FeedContext, nested: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(ctx, nested, parent)
        self._current = ""
        self._by_keyboard = False
        self._ring = Ring(self.viewport())
        self._ring.released.connect(self.placed)

    def jump_to(self, key: str) -> None:
        """Show a row and mark it for a moment."""
        number = self._model.index_of(key) if self._model is not None else None
        if number is None:
            return
        self.set_current(key, reveal=False)
        spot = self.spot(key)
        if spot is None or spot.view_top < 0 or spot.view_top + spot.view_height > self.window_height():
            self.show_row_at(number, metrics.SPACE_24)
        self._ring.hold(key)
        self.placed()

    # ---- the current row

    @property
    def current(self) -> str:
        """Key of the current row, "" = none."""
        return self._current

    def set_current(self, key: str, reveal: bool = True) -> None:
        """Make a row the current one and, with `reveal`, scroll it into sight."""
        if key != self._current:
            self._current = key
            self._ctx.view.set_selected(self._ctx.session_id, key)
            self.current_changed.emit(key)
        if reveal:
            self._reveal(key)
        self.placed()

    def _reveal(self, key: str) -> None:
        number = self._model.index_of(key) if self._model is not None else None
        if number is None:
            return
        spot, window = self.spot(key), self.window_height()
        if spot is not None and spot.view_top >= 0 and spot.view_top + spot.view_height <= window:
            return
        if spot is not None and spot.view_height > window and -spot.height < spot.top < window - _PEEP:
            return
        height = self._layout.heights[number]
        above = spot.top < 0 if spot is not None else number < self.first_number()
        self.show_row_at(number, 0 if above or height > window else window - height - metrics.SPACE_8)

    # ---- for the area

    def new_transcript(self) -> None:
        """Another conversation: no row is the current one."""
        self._current = ""
        self._ring.hide()

    def touched_view(self, view: RowView) -> None:
        """The row becomes the current one."""
        if view.row is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.set_current(view.row.key, reveal=False)

    def placed(self) -> None:
        """The ring follows its row."""
        wanted = self._ring.key or (self._current if self._shows_current else "")
        spot = self.spot(wanted) if wanted else None
        self._ring.put(spot.view.geometry() if spot is not None else None)

    @property
    def _shows_current(self) -> bool:
        return self.hasFocus() and self._by_keyboard

    # ---- hands

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press beside the rows only takes the focus."""
        self._by_keyboard = False
        super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """By keyboard the current row shows its ring."""
        super().focusInEvent(event)
        if event.reason() not in _RETURNS:
            self._by_keyboard = event.reason() != Qt.FocusReason.MouseFocusReason
        if self._by_keyboard and self.spot(self._current) is None and self._layout.spots:
            last = self._layout.spots[-1]
            self.set_current(last.key, reveal=False)
        self.placed()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes with the focus."""
        super().focusOutEvent(event)
        self.placed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See `keys`; what means nothing here goes to the page."""
        if not keys.take(self, event, rtl=self.layoutDirection() == Qt.LayoutDirection.RightToLeft):
            event.ignore()
            return
        self._by_keyboard = True
        self.placed()
        event.accept()

    # ---- what keys do

    def step(self, by: int) -> None:
        """The next or previous row becomes the current one; the first step takes one that is seen."""
        if self._model is None or not len(self._layout):
            return
        number = self._model.index_of(self._current) if self._current else None
        if number is None or self.spot(self._current) is None:
            spots = [spot for spot in self._layout.spots if spot.view_top + spot.view_height > 0]
            number = (spots[0].number if by > 0 else spots[-1].number) if spots else 0
        else:
            number = max(0, min(len(self._layout) - 1, number + by))
        self.set_current(self._model.row_at(number).key)

    def go_to_start(self) -> None:
        """The first row."""
        if self._model is not None and len(self._layout):
            self.set_current(self._model.row_at(0).key, reveal=False)
            self.show_row_at(0, 0)

    def go_to_end(self) -> None:
        """The newest row, and follow again."""
        if self._model is not None and len(self._layout):
            self.set_current(self._model.row_at(len(self._layout) - 1).key, reveal=False)
            self.follow()

    def page(self, by: int) -> None:
        """Scroll by windows."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + by * bar.pageStep())

    def go_out(self) -> bool:
        """Ask the card to take the focus back; returns whether this feed is in one."""
        self.leave_asked.emit()
        return self._nested

    def current_view(self) -> RowView | None:
        """The current row, if it is seen."""
        return self.view_of(self._current) if self._current else None
