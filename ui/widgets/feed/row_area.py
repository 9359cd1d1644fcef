"""A transcript of any length as a virtual list: only the rows that are seen have views.

Owns scrolling, following the end, keeping the place, painting what lies under the rows. Rows come from a `Transcript`,
views from the registry. What the person does to rows is `Feed`'s, which is built on this.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QHideEvent,
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
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.ground import Ground
from ui.widgets.feed.layout import FeedLayout, Spot
from ui.widgets.feed.row_view import RowView
from ui.widgets.feed.told import Told
from ui.wording import tr

_STEP = 24
_PAGE_REST = 40
_ALL = 1 << 24


class RowArea(QAbstractScrollArea):
    """`visible_changed`: other rows are seen; `content_resized`: a nested feed wants another height."""

    at_end_changed = Signal(bool)
    unseen_changed = Signal(int)
    visible_changed = Signal()
    content_resized = Signal()

    def __init__(self, ctx: FeedContext, nested: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ctx, self._nested = ctx, nested
        self._model: Transcript | None = None
        self._told = Told(self)
        self._moving = False
        self._waiting_anchor: tuple[str, int] | None = None
        self._layout = FeedLayout(self.viewport(), ctx, self._greet)
        self._ground = Ground(ctx, nested)
        self._soon = _timer(self, 0, self._lay_out)
        self._slow = _timer(self, metrics.LOADING_MS, self.viewport().update)
        self._sizes = (theme().ui_size, theme().language)
        self._dress()
        self._set_ground()
        self._connect_told()
        theme().changed.connect(self._retheme)

    def _dress(self) -> None:
        bar = self.verticalScrollBar()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Transcript of the sub-agent") if self._nested else tr("Conversation"))
        self.viewport().setAutoFillBackground(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # its room is the margin: nothing reflows
        bar.setSingleStep(_STEP)
        bar.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        bar.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, False)  # the ground shows
        self.setBackgroundRole(QPalette.ColorRole.Window)  # else that of the ground around it
        self.setAutoFillBackground(True)

    def _connect_told(self) -> None:
        self._told.at_end_changed.connect(self.at_end_changed)
        self._told.unseen_changed.connect(self.unseen_changed)
        self._told.visible_changed.connect(self.visible_changed)
        self._told.total_changed.connect(self.content_resized)

    # ---- for the feed

    def new_transcript(self) -> None:
        """Another conversation is shown."""

    def placed(self) -> None:
        """The rows lie where they belong."""

    def touched_view(self, view: RowView) -> None:
        """The person pressed on a row."""

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
        self.new_transcript()
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

    def highlight(self, keys: Sequence[str], current: str | None) -> None:
        """Mark rows that a search found."""
        self._ground.found, self._ground.found_current = frozenset(keys), current
        self.viewport().update()

    def first_number(self) -> int:
        """Number of the first row that is seen."""
        return self._layout.spots[0].number if self._layout.spots else 0

    def spot(self, key: str) -> Spot | None:
        """Where a row lies, if it is seen."""
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
        view.touched.connect(lambda: self.touched_view(view))

    def _view_resized(self, view: RowView) -> None:
        self._layout.forget_height(view)
        self._later()

    # ---- laying out

    def window_height(self) -> int:
        """What is seen of the rows, in px."""
        return self.viewport().height()

    def _lay_out(self) -> None:
        self._soon.stop()
        if self._model is None or (self._model.loading and not self._nested):
            self._layout.release()
            self.viewport().update()
            return
        if not self.isVisible() and not self._nested:
            return  # laid out when it is shown
        self._take_anchor()
        self._layout.set_width(self.width())
        if self.isVisible():
            self._layout.lay_out(self.window_height())
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
        layout, window, bar = self._layout, self.window_height(), self.verticalScrollBar()
        self._moving = True
        bar.setPageStep(max(1, window - _PAGE_REST))
        bar.setRange(0, max(0, layout.total - window))
        bar.setValue(layout.offset)
        self._moving = False
        self.placed()
        self.viewport().update()
        self._told.laid_out(self.visible_keys(), at_end=layout.pinned, total=layout.total)

    def scrollContentsBy(self, _dx: int, dy: int) -> None:
        """The person scrolled."""
        if self._moving:
            return
        self._layout.move_to(self._layout.offset - dy, self.window_height())
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

    def show_row_at(self, number: int, top: int) -> None:
        """Scroll so that a row lies at `top` of the window; it does not follow its end any more."""
        self._waiting_anchor = None
        self._layout.move_row(number, top)
        self._lay_out()

    def minimumSizeHint(self) -> QSize:
        """As small as needed."""
        return QSize(0, 0)


def _timer(owner: QObject, interval: int, tick: Callable[[], object]) -> QTimer:
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(interval)
    timer.timeout.connect(tick)
    return timer
