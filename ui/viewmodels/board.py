"""The board: all delegated tasks by column, and the filters (design 7.9).

Owns the columns' order and what is left out; the models tell exact inserts, moves and removes. What a card says is
`board_faces`. Fed by the world, a batch at a time; never resets. Ends with the page.
"""
# ruff: noqa: N802  # Qt overrides

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from codeg.api import TaskView
from ui.orders import Orders
from ui.viewmodels.ask_desk import desk_of
from ui.viewmodels.board_faces import Face, face_of
from ui.viewmodels.cards import own_block, shown_state
from ui.viewmodels.inbox import folder_name
from ui.viewmodels.settle import settle
from ui.viewmodels.states import State
from ui.viewmodels.world import Batch, World
from ui.wording import clean_line, tr

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
DAY_MS = 86_400_000
PAGE = 200
"""Cards of a column that are there at once; more on request."""
MORE = ""
"""The key of the row that offers the rest."""
_BULK = 100
Key = tuple[int, int, str]


class Column(StrEnum):
    """A column; its value is its name in `board:running`."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


STATE_OF = {
    Column.QUEUED: State.QUEUED,
    Column.RUNNING: State.RUNNING,
    Column.WAITING: State.WAITING,
    Column.DONE: State.COMPLETED,
    Column.FAILED: State.FAILED,
}
"""Whose mark stands in the column's head."""
_COLUMN_OF = {
    State.QUEUED: Column.QUEUED,
    State.STARTING: Column.RUNNING,
    State.RUNNING: Column.RUNNING,
    State.WAITING: Column.WAITING,
    State.COMPLETED: Column.DONE,
}
SPANS = {"1d": DAY_MS, "7d": 7 * DAY_MS, "30d": 30 * DAY_MS, "all": 0}
"""Ages by which ended tasks are left out; 0 = none is."""


@dataclass(frozen=True, slots=True)
class BoardFilter:
    """What is left out. "" = everything; `span`: a key of `SPANS`; `only`: one column."""

    folder: str = ""
    agent: str = ""
    span: str = "7d"
    only: str = ""


def column_name(column: Column) -> str:
    """What a column is called."""
    return {
        Column.QUEUED: tr("Queued"),
        Column.RUNNING: tr("Running"),
        Column.WAITING: tr("Needs you"),
        Column.DONE: tr("Done"),
        Column.FAILED: tr("Failed or canceled"),
    }[column]


def span_name(span: str) -> str:
    """What an age filter is called."""
    return {
        "1d": tr("Last 24 hours"),
        "7d": tr("Last 7 days"),
        "30d": tr("Last 30 days"),
    }.get(span, tr("Any age"))


def column_of(view: TaskView) -> Column:
    """Where a task stands."""
    return _COLUMN_OF.get(shown_state(view), Column.FAILED)


class ColumnModel(QAbstractListModel):
    """UserRole gives the task's id, `MORE` for the row that offers the rest."""

    def __init__(self, column: Column, world: World, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.column, self._world = column, world
        self._order: list[Key] = []
        self._ids: list[str] = []
        self._extra = self._recent = 0

    # ---- Qt's view of it

    def rowCount(self, parent: Index = _TOP) -> int:
        """Cards, and the row that offers the rest."""
        return 0 if parent.isValid() else len(self._ids)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See the class."""
        if not index.isValid() or not 0 <= index.row() < len(self._ids):
            return None
        task_id = self._ids[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return task_id
        if task_id == MORE:
            return (
                self.more_text() if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole} else None
            )
        face = self.face(task_id)
        if face is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return face.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return face.spoken
            case Qt.ItemDataRole.ToolTipRole:
                return "\n".join(part for part in (face.title, f"{face.agent} · {face.word}", face.line) if part)
            case _:
                return None

    # ---- what it holds

    @property
    def total(self) -> int:
        """All that stand here, shown or not."""
        return len(self._order)

    @property
    def hidden(self) -> int:
        """Those that are not shown yet."""
        return len(self._order) - self._limit()

    def ids(self) -> tuple[str, ...]:
        """Tasks that are shown, in order."""
        return tuple(task_id for task_id in self._ids if task_id != MORE)

    def row_of(self, task_id: str) -> int:
        """Its row, -1 when it is not shown."""
        return self._ids.index(task_id) if task_id in self._ids else -1

    def face(self, task_id: str) -> Face | None:
        """What the card of a task says; None where it was just deleted."""
        view = self._world.task(task_id)
        return face_of(view, self._world) if view is not None else None

    def more_text(self) -> str:
        """`Show 6 older`."""
        count = min(self.hidden, PAGE)
        return tr("Show %n older", n=count) if self.column is Column.DONE else tr("Show %n more", n=count)

    def show_more(self) -> None:
        """Show the next ones."""
        self._extra += PAGE
        self.settle()

    # ---- for the board

    def put(self, key: Key) -> None:
        """A task came or moved here; `settle` shows it."""
        insort(self._order, key)

    def take(self, key: Key) -> None:
        """A task went from its place."""
        at = bisect_left(self._order, key)
        if at < len(self._order) and self._order[at] == key:
            del self._order[at]

    def fill(self, keys: Iterable[Key]) -> None:
        """All that stand here."""
        self._order = sorted(keys)

    def settle(self) -> None:
        """Show what belongs here, by exact changes."""
        if self.column is Column.DONE:
            since = self._world.now_ms() - DAY_MS
            self._recent = bisect_left(self._order, (-since, 0, ""))
        limit, before = self._limit(), self.hidden
        wanted = [key[2] for key in self._order[:limit]]
        if len(self._order) > limit:
            wanted.append(MORE)
        settle(self, self._ids, wanted)
        if before and self._ids and self._ids[-1] == MORE:
            self.tell(MORE)

    def tell(self, task_id: str) -> None:
        """What its card says is different."""
        row = self.row_of(task_id)
        if row >= 0:
            self.dataChanged.emit(self.index(row), self.index(row))

    def _limit(self) -> int:
        first = min(PAGE, self._recent) if self.column is Column.DONE else PAGE
        return min(len(self._order), first + self._extra)


class Board(QObject):
    """`changed`: counts may differ; `touched`: ids of tasks that came, went or say something else."""

    changed = Signal()
    touched = Signal(object)

    def __init__(self, world: World, orders: Orders, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.world, self._orders = world, orders
        desk_of(world, orders).changed.connect(self._ask_told)
        self.columns = {column: ColumnModel(column, world, self) for column in Column}
        self._filter = BoardFilter()
        self._where: dict[str, tuple[Column, Key]] = {}
        self._reading = False
        self._read_from: str = ""
        world.changed.connect(self._changed)
        self._fill()

    # ---- what it holds

    @property
    def total(self) -> int:
        """All tasks that no filter leaves out."""
        return len(self._where)

    def ids(self) -> Sequence[str]:
        """All of them, in no order."""
        return tuple(self._where)

    def has(self, task_id: str) -> bool:
        """No filter leaves it out."""
        return task_id in self._where

    def summary(self) -> str:
        """`21 delegated tasks`."""
        return tr("%n delegated tasks", n=self.total) if self.total else ""

    def folders(self) -> list[tuple[str, str]]:
        """Folders of all tasks: path and name, the whole path where two have one name."""
        paths = sorted({view.record.working_dir for view in self.world.tasks()})
        names = [folder_name(path) for path in paths]
        shown = [name if names.count(name) == 1 else path for path, name in zip(paths, names, strict=True)]
        return sorted(zip(paths, (clean_line(name, 80) for name in shown), strict=True), key=lambda one: one[1])

    def agents(self) -> list[tuple[str, str]]:
        """Agents of all tasks: slug and name."""
        slugs = {view.record.agent_type for view in self.world.tasks()}
        return sorted(((slug, clean_line(self.world.label_of(slug), 60)) for slug in slugs), key=lambda one: one[1])

    # ---- filters

    def filter(self) -> BoardFilter:
        """What is left out."""
        return self._filter

    def set_filter(self, wanted: BoardFilter) -> None:
        """Leave out other tasks."""
        if wanted == self._filter:
            return
        self._filter = wanted
        self._fill()
        self.read_older()

    def refresh(self) -> None:
        """Time went on: what is too old goes, yesterday's results fold."""
        self._fill()

    def _is_shown(self, view: TaskView) -> bool:
        wanted, record = self._filter, view.record
        if wanted.folder and record.working_dir != wanted.folder:
            return False
        if wanted.agent and record.agent_type != wanted.agent:
            return False
        if wanted.only and column_of(view).value != wanted.only:
            return False
        span = SPANS.get(wanted.span, 0)
        return not span or record.ended_ms is None or record.ended_ms >= self.world.now_ms() - span

    def read_older(self) -> None:
        """Tasks of the chosen age that the window has not read yet join the world, a page at a time."""
        views = self.world.tasks()
        if self._reading or not views:
            return
        oldest = min(views, key=lambda view: (view.record.created_ms, view.record.task_id)).record
        span = SPANS.get(self._filter.span, 0)
        if span and oldest.created_ms < self.world.now_ms() - span:
            return
        if oldest.task_id == self._read_from:  # there are none before it
            return
        self._reading, self._read_from = True, oldest.task_id
        self._orders.older_tasks(oldest.task_id, self._read)

    def _read(self, views: tuple[TaskView, ...]) -> None:
        self._reading = False
        if views:
            self.read_older()

    # ---- order

    def _key(self, view: TaskView, column: Column) -> Key:
        record = view.record
        match column:
            case Column.QUEUED:
                return view.queue_position or 1_000_000, record.created_ms, record.task_id
            case Column.RUNNING:
                return record.created_ms, 0, record.task_id
            case Column.WAITING:
                block = own_block(view, self.world)
                return block.since_ms if block is not None else record.created_ms, 0, record.task_id
            case _:
                return -(record.ended_ms or self.world.now_ms()), 0, record.task_id

    def _place(self, task_id: str) -> set[Column]:
        """Put a task where it belongs; the columns that this changes."""
        view, before = self.world.task(task_id), self._where.get(task_id)
        after = None
        if view is not None and self._is_shown(view):
            column = column_of(view)
            after = (column, self._key(view, column))
        if after == before:
            return set()
        if before is not None:
            self.columns[before[0]].take(before[1])
            del self._where[task_id]
        if after is not None:
            self.columns[after[0]].put(after[1])
            self._where[task_id] = after
        return {place[0] for place in (before, after) if place is not None}

    def _fill(self) -> None:
        before = self._where
        self._where = {}
        for view in self.world.tasks():
            if self._is_shown(view):
                column = column_of(view)
                self._where[view.record.task_id] = (column, self._key(view, column))
        for column, model in self.columns.items():
            model.fill(key for place, key in self._where.values() if place is column)
        self._settle(Column)
        self.touched.emit(frozenset(before.keys() | self._where.keys()))
        self.changed.emit()

    def _settle(self, columns: Iterable[Column]) -> None:
        """Cards leave their old column before they come into the new one, for who looks at both."""
        for column in columns:
            self.columns[column].settle()

    # ---- the world changes

    def _changed(self, batch: Batch) -> None:
        if len(batch.tasks) > _BULK:
            self._fill()
        else:
            dirty = {column for task_id in batch.tasks for column in self._place(task_id)}
            self._settle(dirty)
            if dirty:
                self.changed.emit()
        told = batch.tasks | batch.activity | self._of_sessions(batch.usage)
        if batch.asks:
            told |= frozenset(self.columns[Column.WAITING].ids())
        self._tell(frozenset(self._where) if batch.agents else told)

    def _of_sessions(self, session_ids: Iterable[str]) -> frozenset[str]:
        views = (self.world.task_of(session_id) for session_id in session_ids)
        return frozenset(view.record.task_id for view in views if view is not None)

    def _ask_told(self, request_id: str) -> None:
        ask = self.world.ask(request_id)
        if ask is not None:
            self._tell(frozenset(self.columns[Column.WAITING].ids()))

    def _tell(self, task_ids: frozenset[str]) -> None:
        for task_id in task_ids:
            place = self._where.get(task_id)
            if place is not None:
                self.columns[place[0]].tell(task_id)
        if task_ids:
            self.touched.emit(task_ids)
