"""The feed: only the rows that are seen have a widget, taken from a pool.

Owns heights, the pool, where it stands and whether it follows the end; the model owns the rows, the views their look.
Costs of a change do not depend on the number of rows. Ends with its page or card.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QPalette, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.rows import DelegationRow, Row
from ui.viewmodels.transcript import Transcript
from ui.widgets.feed.context import FeedContext, geometry_of
from ui.widgets.feed.heights import Heights
from ui.widgets.feed.keys import FeedKeys
from ui.widgets.feed.registry import view_for
from ui.widgets.feed.spacing import estimate, gap_before
from ui.widgets.feed.view import RowView
from ui.wording import tr

POOLED = 8
"""Views of one type that wait for their next row."""
_ROUNDS = 6


class Feed(FeedKeys, QAbstractScrollArea):
    """`nested`: inside a card, no more than 480 high, and the wheel passes on at its ends."""

    at_end_changed = Signal(bool)
    unseen_changed = Signal(int)
    visible_changed = Signal()
    height_changed = Signal()

    def __init__(self, context: FeedContext, nested: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._nested = context, nested
        self._model: Transcript | None = None
        self._heights = Heights()
        self._views: dict[str, RowView] = {}
        self._pool: dict[type, list[RowView]] = {}
        self._follows, self._unseen = True, 0
        self._anchor: tuple[str, int] | None = None
        self._busy = False
        self._seen: set[str] = set()
        self._jumped: str | None = None
        self._hits: frozenset[str] = frozenset()
        self._hit: str | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._lay)
        self._unhold = QTimer(self)
        self._unhold.setSingleShot(True)
        self._unhold.setInterval(metrics.JUMP_HOLD_MS)
        self._unhold.timeout.connect(self._end_jump)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Conversation"))
        self.verticalScrollBar().setSingleStep(40)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        context.view.folded.connect(self._folded)
        theme().changed.connect(self._retheme)
        self._retheme()

    # ---- what it shows

    def set_transcript(self, transcript: Transcript | None) -> None:
        """Show this conversation, from its end."""
        if self._model is not None:
            self._model.rowsInserted.disconnect(self._inserted)
            self._model.rowsRemoved.disconnect(self._removed)
            self._model.dataChanged.disconnect(self._data_changed)
            self._model.modelReset.disconnect(self._reset)
        self._model = transcript
        if transcript is not None:
            transcript.rowsInserted.connect(self._inserted)
            transcript.rowsRemoved.connect(self._removed)
            transcript.dataChanged.connect(self._data_changed)
            transcript.modelReset.connect(self._reset)
        self._reset()

    @property
    def transcript(self) -> Transcript | None:
        """What it shows."""
        return self._model

    def row(self, number: int) -> Row:
        """A row of the model."""
        assert self._model is not None, "there are rows"
        return self._model.row_at(number)

    def count(self) -> int:
        """Number of rows."""
        return len(self._heights)

    def at_end(self) -> bool:
        """It shows the end and follows it."""
        return self._follows

    def follow(self) -> None:
        """Go to the end and stay there."""
        self._follows = True
        self._set_unseen(0)
        self._lay()
        self.at_end_changed.emit(True)

    def visible_keys(self) -> frozenset[str]:
        """Keys of the rows that are seen."""
        top, bottom = self.verticalScrollBar().value(), self.verticalScrollBar().value() + self.viewport().height()
        return frozenset(
            key for key, view in self._views.items() if view.y() + top < bottom and view.y() + view.height() > 0
        )

    def visible_tasks(self) -> frozenset[str]:
        """Tasks whose card is seen."""
        return frozenset(
            view.row.task_id
            for key, view in self._views.items()
            if isinstance(view.row, DelegationRow) and view.row.task_id and key in self.visible_keys()
        )

    def view_of(self, key: str) -> RowView | None:
        """The view of a row that is laid out."""
        return self._views.get(key)

    def content_height(self, width: int) -> int:
        """Height of all rows at this width, for a feed inside a card; laid out rows are exact."""
        if self.viewport().width() != width:
            self.resize(width, max(1, self.height()))
            self._lay()
        return self._heights.total + metrics.SPACE_8

    # ---- going somewhere

    def jump_to(self, key: str) -> None:
        """Show a row, outlined for a moment."""
        number = self._model.index_of(key) if self._model is not None else None
        if number is None:
            return
        self._follows = False
        self._anchor = (key, -24)
        self._jumped = key
        self._lay()
        self._unhold.start()
        self.at_end_changed.emit(self._is_at_end())

    def _end_jump(self) -> None:
        self._jumped = None
        self.mark_views()

    def highlight(self, keys: "list[str]", current: str | None) -> None:
        """Rows that a search found."""
        self._hits, self._hit = frozenset(keys), current
        self.mark_views()

    def reveal(self, number: int) -> None:
        """Scroll as little as it takes to show a row whole."""
        top, height = self._heights.before(number), self._heights[number]
        bar, room = self.verticalScrollBar(), self.viewport().height()
        if top < bar.value():
            self._stand(number, 0)
        elif top + height > bar.value() + room:
            self._stand(number, min(0, height - room) if height > room else height - room)

    def _stand(self, number: int, offset: int) -> None:
        self._follows = False
        self._anchor = (self.row(number).key, offset)
        self._lay()

    # ---- the model changes

    def _reset(self) -> None:
        for view in self._views.values():
            self._rest(view)
        self._views = {}
        width = geometry_of(self.viewport().width(), self._context.depth).width
        rows = range(self._model.rowCount()) if self._model is not None else range(0)
        self._heights = Heights(estimate(self.row(number), width) for number in rows)
        self._follows, self._anchor = True, None
        self._later()

    def _inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        width = geometry_of(self.viewport().width(), self._context.depth).width
        self._heights.insert(first, [estimate(self.row(number), width) for number in range(first, last + 1)])
        if not self._follows and first >= len(self._heights) - (last - first + 1):
            self._set_unseen(self._unseen + last - first + 1)
        self._later()

    def _removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        self._heights.remove(first, last - first + 1)
        self._later()

    def _data_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        width = geometry_of(self.viewport().width(), self._context.depth).width
        for number in range(first.row(), last.row() + 1):
            row = self.row(number)
            view = self._views.get(row.key)
            if view is not None:
                view.show_row(row, self._context)
            else:
                self._heights.set(number, estimate(row, width))
        self._later()

    def _folded(self, session_id: str, key: str) -> None:
        view = self._views.get(key) if session_id == self._context.session_id else None
        if view is not None and view.row is not None:
            view.show_row(view.row, self._context)
            self._later()

    def _later(self) -> None:
        """Lay out once for all changes of this turn of the loop."""
        if not self._soon.isActive():
            self._soon.start(0)

    # ---- layout

    def _lay(self) -> None:
        """Place the rows that are seen; their true heights may bring others into sight."""
        if self._busy or self._model is None:
            return
        self._busy = True
        self._soon.stop()
        before = self._heights.total
        try:
            for _ in range(_ROUNDS):
                if not self._lay_once():
                    break
        finally:
            self._busy = False
        self._drop_unseen()
        self.mark_views()
        if before != self._heights.total:
            self.height_changed.emit()
        self.visible_changed.emit()

    def _lay_once(self) -> bool:
        """One pass; whether a height was corrected, so that another is needed."""
        room = self.viewport().height()
        top = self._top(room)
        self._set_bar(top, room)
        changed = False
        number, y = self._first(top)
        self._seen = set()
        while number < len(self._heights) and y < room:
            height = self._place(number, y)
            changed = self._heights.set(number, height) != 0 or changed
            y += height
            number += 1
        return changed

    def _top(self, room: int) -> int:
        most = max(0, self._heights.total + metrics.SPACE_8 - room)
        if self._follows:
            return most
        number = self._model.index_of(self._anchor[0]) if self._anchor and self._model else None
        if number is None or self._anchor is None:
            return min(self.verticalScrollBar().value(), most)
        return max(0, min(self._heights.before(number) + self._anchor[1], most))

    def _first(self, top: int) -> tuple[int, int]:
        if not len(self._heights):
            return 0, 0
        number = self._heights.at(top)
        return number, self._heights.before(number) - top

    def _place(self, number: int, y: int) -> int:
        row = self.row(number)
        gap = gap_before(self.row(number - 1) if number else None, row)
        view = self._views.get(row.key)
        if view is not None and type(view.row) is not type(row):
            self._rest(self._views.pop(row.key))
            view = None
        if view is None:
            view = self._taken(row)
            self._views[row.key] = view
        self._seen.add(row.key)
        width = self.viewport().width()
        height = view.height_for(width)
        view.setGeometry(QRect(0, y + gap, width, height))
        if not view.isVisible():
            view.show()
        return height + gap

    def _set_bar(self, top: int, room: int) -> None:
        bar = self.verticalScrollBar()
        blocked = bar.blockSignals(True)
        bar.setPageStep(room)
        bar.setRange(0, max(0, self._heights.total + metrics.SPACE_8 - room))
        bar.setValue(top)
        bar.blockSignals(blocked)

    def _scrolled(self, value: int) -> None:
        if self._busy:
            return
        was = self._follows
        self._follows = value >= self.verticalScrollBar().maximum()
        if len(self._heights):
            number = self._heights.at(value)
            self._anchor = (self.row(number).key, value - self._heights.before(number))
        if self._follows:
            self._set_unseen(0)
        self._lay()
        if was != self._follows:
            self.at_end_changed.emit(self._follows)

    def _is_at_end(self) -> bool:
        return self.verticalScrollBar().value() >= self.verticalScrollBar().maximum()

    def _set_unseen(self, count: int) -> None:
        if count != self._unseen:
            self._unseen = count
            self.unseen_changed.emit(count)

    # ---- views

    def _taken(self, row: Row) -> RowView:
        waiting = self._pool.get(type(row))
        view = waiting.pop() if waiting else self._made(row)
        view.show_row(row, self._context)
        return view

    def _made(self, row: Row) -> RowView:
        view = view_for(row, self.viewport())
        view.resized.connect(self._resized)
        return view

    def _resized(self) -> None:
        """A view changed its height: its head stays where the pointer is."""
        view = self.sender()
        if isinstance(view, RowView) and view.row is not None and not self._busy:
            number = self._model.index_of(view.row.key) if self._model is not None else None
            if number is not None and not (self._follows and self._is_last(number)):
                self._keep_place(number, view)
        self._later()

    def _is_last(self, number: int) -> bool:
        return number == len(self._heights) - 1

    def _keep_place(self, number: int, view: RowView) -> None:
        gap = gap_before(self.row(number - 1) if number else None, self.row(number))
        self._follows = False
        self._anchor = (self.row(number).key, gap - view.y())

    def _drop_unseen(self) -> None:
        focus = self._focus_inside()
        for key in [key for key in self._views if key not in self._seen]:
            view = self._views[key]
            if focus is not None and view.isAncestorOf(focus):
                view.move(0, -10_000)  # the focus stays with its row
                continue
            self._rest(self._views.pop(key))

    def _focus_inside(self) -> QWidget | None:
        return self.focusWidget()

    def _rest(self, view: RowView) -> None:
        kind = type(view.row) if view.row is not None else type(None)
        view.hide()
        view.rest()
        waiting = self._pool.setdefault(kind, [])
        if len(waiting) < POOLED:
            waiting.append(view)
        else:
            view.setParent(None)
            view.deleteLater()

    def mark_views(self) -> None:
        """Show rings and outlines where they belong now."""
        current = self.current_key if self.hasFocus() else None
        for key, view in self._views.items():
            state = (key == current, key in {self._jumped, self._hit}, key in self._hits)
            if state != (view.current, view.jumped, view.found):
                view.current, view.jumped, view.found = state
                view.update()

    def views(self) -> Iterator[RowView]:
        """Those that are laid out."""
        yield from self._views.values()

    # ---- Qt

    def _retheme(self) -> None:
        palette = self.viewport().palette()
        ground = "bg.sunken" if self._nested else "bg.canvas"
        palette.setColor(QPalette.ColorRole.Window, theme().color(ground))
        self.viewport().setPalette(palette)
        self.viewport().setAutoFillBackground(True)
        self._later()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Widths change heights; what is seen first stays."""
        super().resizeEvent(event)
        self._lay()

    def showEvent(self, event: QShowEvent) -> None:
        """Laid out when it is seen."""
        super().showEvent(event)
        self._lay()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        """The layout moves the views."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A nested feed passes the wheel on at its ends."""
        bar = self.verticalScrollBar()
        down = event.angleDelta().y() < 0
        if self._nested and (bar.maximum() == 0 or bar.value() == (bar.maximum() if down else 0)):
            event.ignore()
            return
        super().wheelEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The current row shows its ring."""
        super().focusInEvent(event)
        self.ensure_current()
        self.mark_views()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """And hides it."""
        super().focusOutEvent(event)
        self.mark_views()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The row under the pointer becomes the current one."""
        view = self._view_at(event.pos())
        if view is not None and view.row is not None:
            self.current_key = view.row.key
            self.mark_views()
        super().contextMenuEvent(event)

    def _view_at(self, point: QPoint) -> RowView | None:
        return next((view for view in self._views.values() if view.geometry().contains(point)), None)

    def viewportEvent(self, event: QEvent) -> bool:
        """A press on a row makes it the current one."""
        if event.type() is QEvent.Type.MouseButtonPress:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        return super().viewportEvent(event)
