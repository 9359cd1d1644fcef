"""The feed: a transcript of any length, of which only what is seen has views.

Owns scrolling, following the end, the current row and its keys, what is marked by a search. Rows come from a
`Transcript`; views from the registry. It never asks the host for anything. Ends with its page or card.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.rows import DelegationRow
from ui.viewmodels.transcript import Transcript
from ui.widgets.feed import keys
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.ground import Ground
from ui.widgets.feed.layout import FeedLayout, Spot
from ui.widgets.feed.ring import Ring
from ui.widgets.feed.row_view import RowView
from ui.widgets.feed.told import Told
from ui.wording import tr

_STEP = 24
_PAGE_REST = 40
_ALL = 1 << 24


class Feed(QAbstractScrollArea):
    """`visible_changed`: other rows are seen; `content_resized`: a nested feed wants another height.

    `leave_asked`: Left in a nested feed where nothing is left to fold.
    """

    at_end_changed = Signal(bool)
    unseen_changed = Signal(int)
    visible_changed = Signal()
    current_changed = Signal(str)
    content_resized = Signal()
    leave_asked = Signal()

    def __init__(self, ctx: FeedContext, nested: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ctx, self._nested = ctx, nested
        self._model: Transcript | None = None
        self._told = Told(self)
        self._told.at_end_changed.connect(self.at_end_changed)
        self._told.unseen_changed.connect(self.unseen_changed)
        self._told.visible_changed.connect(self.visible_changed)
        self._told.total_changed.connect(self.content_resized)
        self._current = ""
        self._moving = self._by_keyboard = False
        self._waiting_anchor: tuple[str, int] | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Transcript of the sub-agent") if nested else tr("Conversation"))
        self.viewport().setAutoFillBackground(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # its room is the margin: nothing reflows
        self.verticalScrollBar().setSingleStep(_STEP)
        self.verticalScrollBar().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, False)  # the ground shows
        self._layout = FeedLayout(self.viewport(), ctx, self._greet)
        self._ground = Ground(ctx, nested)
        self._ring = Ring(self.viewport())
        self._ring.released.connect(self._place_ring)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._lay_out)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(metrics.LOADING_MS)
        self._slow.timeout.connect(self.viewport().update)
        self._sizes = (theme().ui_size, theme().language)
        self.setBackgroundRole(QPalette.ColorRole.Window)  # else that of the ground around it
        self.setAutoFillBackground(True)
        self._set_ground()
        theme().changed.connect(self._retheme)

    # ---- what it shows

    @property
    def transcript(self) -> Transcript | None:
        """What is shown."""
        return self._model

    def set_transcript(self, transcript: Transcript | None) -> None:
        """Show another conversation, where it was left, else at its end."""
        self._remember()
        self._disconnect()
        self._model = transcript
        self._told.forget()
        self._current = ""
        self._ring.hide()
        self._layout.set_model(transcript)
        self._waiting_anchor = None if self._nested else self._ctx.view.anchor(self._ctx.session_id)
        if transcript is not None:
            self._connect(transcript)
            if transcript.loading:
                self._slow.start()
        self._lay_out()

    def _connect(self, model: Transcript) -> None:
        model.rowsInserted.connect(self._inserted)
        model.rowsRemoved.connect(self._removed)
        model.dataChanged.connect(self._changed)
        model.modelReset.connect(self._reset)
        model.loaded.connect(self._loaded)

    def _disconnect(self) -> None:
        if self._model is not None:
            self._model.rowsInserted.disconnect(self._inserted)
            self._model.rowsRemoved.disconnect(self._removed)
            self._model.dataChanged.disconnect(self._changed)
            self._model.modelReset.disconnect(self._reset)
            self._model.loaded.disconnect(self._loaded)

    def visible_keys(self) -> tuple[str, ...]:
        """Keys of the rows that are seen, from the top."""
        return tuple(spot.key for spot in self._layout.spots)

    def visible_tasks(self) -> frozenset[str]:
        """Tasks whose card is seen."""
        rows = (spot.view.row for spot in self._layout.spots)
        return frozenset(row.task_id for row in rows if isinstance(row, DelegationRow) and row.task_id is not None)

    def view_of(self, key: str) -> RowView | None:
        """The view of a row that is seen."""
        return next((spot.view for spot in self._layout.spots if spot.key == key), None)

    def content_height(self, width: int, most: int = _ALL) -> int:
        """For nested use: height of everything at this width, or `most` if that is more."""
        self._layout.set_width(width)
        return self._layout.measured(most)

    def column(self) -> tuple[int, int]:
        """Left edge and width of the text, from the feed's left edge."""
        return self._layout.place.left, self._layout.place.width

    # ---- following

    def at_end(self) -> bool:
        """Whether the newest row is seen whole; then the feed follows."""
        return self._layout.pinned

    def follow(self) -> None:
        """Go to the newest row and stay there."""
        self._waiting_anchor = None
        self._layout.follow()
        self._lay_out()

    @property
    def unseen(self) -> int:
        """Rows that came while the feed was not at its end, and were not seen yet."""
        return self._told.unseen

    def jump_to(self, key: str) -> None:
        """Show a row and mark it for a moment."""
        number = self._model.index_of(key) if self._model is not None else None
        if number is None:
            return
        self._waiting_anchor = None
        self.set_current(key, reveal=False)
        spot = self._spot(key)
        if spot is None or spot.view_top < 0 or spot.view_top + spot.view_height > self._window():
            self._layout.move_row(number, metrics.SPACE_24)
            self._lay_out()
        self._ring.hold(key)
        self._place_ring()

    def highlight(self, keys: Sequence[str], current: str | None) -> None:
        """Mark rows that a search found."""
        self._ground.found, self._ground.found_current = frozenset(keys), current
        self.viewport().update()

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
        self._place_ring()

    def _reveal(self, key: str) -> None:
        number = self._model.index_of(key) if self._model is not None else None
        if number is None:
            return
        spot, window = self._spot(key), self._window()
        if spot is not None and spot.view_top >= 0 and spot.view_top + spot.view_height <= window:
            return
        if (
            spot is not None
            and spot.view_height > window
            and spot.view_top < window - _STEP
            and spot.top > -spot.height
        ):
            return
        height = self._layout.heights[number]
        above = spot.top < 0 if spot is not None else number < self._first_number()
        self._layout.move_row(number, 0 if above or height > window else window - height - metrics.SPACE_8)
        self._lay_out()

    def _first_number(self) -> int:
        return self._layout.spots[0].number if self._layout.spots else 0

    def _spot(self, key: str) -> Spot | None:
        return next((spot for spot in self._layout.spots if spot.key == key), None)

    # ---- rows change

    def _inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        at_end = last == len(self._layout) + (last - first)
        self._layout.inserted(first, last - first + 1)
        if at_end and not self._layout.pinned and self._model is not None and not self._model.loading:
            self._told.came(self._model.row_at(number).key for number in range(first, last + 1))
        self._later()

    def _removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        self._layout.removed(first, last - first + 1)
        if self._model is not None:
            model = self._model
            self._told.went(lambda key: model.index_of(key) is None)
        self._later()

    def _changed(self, first: QModelIndex, last: QModelIndex) -> None:
        self._layout.changed(first.row(), last.row())
        self._later()

    def _reset(self) -> None:
        self._layout.set_model(self._model)
        self._told.forget()
        self._later()

    def _loaded(self) -> None:
        self._slow.stop()
        self._later()

    def _later(self) -> None:
        """All that changes in one turn of the event loop is laid out once."""
        if not self._soon.isActive():
            self._soon.start()

    def _greet(self, view: RowView) -> None:
        view.resized.connect(lambda: self._view_resized(view))
        view.unfolded.connect(lambda: self._layout.hold(view))
        view.touched.connect(lambda: self._touched(view))

    def _view_resized(self, view: RowView) -> None:
        self._layout.forget_height(view)
        self._later()

    def _touched(self, view: RowView) -> None:
        if view.row is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.set_current(view.row.key, reveal=False)

    # ---- laying out

    def _window(self) -> int:
        return self.viewport().height()

    def _lay_out(self) -> None:
        self._soon.stop()
        if self._model is None or (self._model.loading and not self._nested):
            self._layout.release()
            self.viewport().update()
            return
        self._take_anchor()
        self._layout.set_width(self.width())
        if self.isVisible() or not self._nested:
            self._layout.lay_out(self._window())
        self._tell()

    def _take_anchor(self) -> None:
        """Once everything is there: back to where the conversation was left."""
        anchor, self._waiting_anchor = self._waiting_anchor, None
        if anchor is None or self._model is None:
            return
        number = self._model.index_of(anchor[0])
        if number is not None:
            self._layout.move_row(number, anchor[1])

    def _tell(self) -> None:
        layout, window, bar = self._layout, self._window(), self.verticalScrollBar()
        self._moving = True
        bar.setPageStep(max(1, window - _PAGE_REST))
        bar.setRange(0, max(0, layout.total - window))
        bar.setValue(layout.offset)
        self._moving = False
        self._place_ring()
        self.viewport().update()
        self._told.laid_out(self.visible_keys(), at_end=layout.pinned, total=layout.total)

    def scrollContentsBy(self, _dx: int, dy: int) -> None:
        """The person scrolled."""
        if self._moving:
            return
        self._layout.move_to(self._layout.offset - dy, self._window())
        self.viewport().scroll(0, dy)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The same row stays in place."""
        super().resizeEvent(event)
        self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        """Lay out what changed while nobody looked."""
        super().showEvent(event)
        self._lay_out()

    def hideEvent(self, event: QHideEvent) -> None:
        """Remember where it is scrolled to."""
        super().hideEvent(event)
        self._remember()

    def _remember(self) -> None:
        if self._model is not None and not self._nested and not self._model.loading:
            self._ctx.view.set_anchor(self._ctx.session_id, self._layout.anchor)

    # ---- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """What lies under and beside the rows."""
        loading = self._model is not None and self._model.loading and not self._slow.isActive()
        count = self._model.rowCount() if loading and self._model is not None else None
        self._ground.paint(self.viewport(), event.rect(), self._layout, count)

    def _place_ring(self) -> None:
        wanted = self._ring.key or (self._current if self._shows_current else "")
        spot = self._spot(wanted) if wanted else None
        self._ring.put(spot.view.geometry() if spot is not None else None)

    @property
    def _shows_current(self) -> bool:
        return self.hasFocus() and self._by_keyboard

    def _set_ground(self) -> None:
        """Under the scroll bar, too."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme().color("bg.sunken" if self._nested else "bg.canvas"))
        self.setPalette(palette)

    def _retheme(self) -> None:
        self._set_ground()
        sizes = (theme().ui_size, theme().language)
        if sizes != self._sizes:
            self._sizes = sizes
            self._layout.set_width(self.width(), again=True)
            self._later()
        self.viewport().update()

    # ---- hands

    def wheelEvent(self, event: QWheelEvent) -> None:
        """At an end a nested feed lets the outer one scroll."""
        bar, step = self.verticalScrollBar(), event.angleDelta().y() or event.pixelDelta().y()
        ends = bar.value() == (bar.minimum() if step > 0 else bar.maximum())
        if self._nested and ends:
            event.ignore()
            return
        super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press beside the rows only takes the focus."""
        self._by_keyboard = False
        super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """By keyboard the current row shows its ring."""
        super().focusInEvent(event)
        if event.reason() not in _RETURNS:
            self._by_keyboard = event.reason() != Qt.FocusReason.MouseFocusReason
        if self._by_keyboard and self._spot(self._current) is None and self._layout.spots:
            last = self._layout.spots[-1]
            self.set_current(last.key, reveal=False)
        self._place_ring()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes with the focus."""
        super().focusOutEvent(event)
        self._place_ring()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See `keys`; what means nothing here goes to the page."""
        if not keys.take(self, event, rtl=self.layoutDirection() == Qt.LayoutDirection.RightToLeft):
            event.ignore()
            return
        self._by_keyboard = True
        self._place_ring()
        event.accept()

    # ---- what keys do

    def step(self, by: int) -> None:
        """The next or previous row becomes the current one; the first step takes one that is seen."""
        if self._model is None or not len(self._layout):
            return
        number = self._model.index_of(self._current) if self._current else None
        if number is None or self._spot(self._current) is None:
            spots = [spot for spot in self._layout.spots if spot.view_top + spot.view_height > 0]
            number = (spots[0].number if by > 0 else spots[-1].number) if spots else 0
        else:
            number = max(0, min(len(self._layout) - 1, number + by))
        self.set_current(self._model.row_at(number).key)

    def go_to_start(self) -> None:
        """The first row."""
        if self._model is not None and len(self._layout):
            self.set_current(self._model.row_at(0).key, reveal=False)
            self._layout.move_row(0, 0)
            self._lay_out()

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

    def minimumSizeHint(self) -> QSize:
        """As small as needed."""
        return QSize(0, 0)


_RETURNS = frozenset({
    Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason, Qt.FocusReason.MenuBarFocusReason,
})  # fmt: skip
