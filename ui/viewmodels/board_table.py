"""The board as a table: the same tasks in rows, sorted by any column (design 7.9).

Owns the order of rows; what they are is the board's. Follows it only while it is looked at. A Qt model with exact
changes; sorting moves rows and keeps who points at them. Ends with the page.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from codeg.api import TaskView
from ui.viewmodels.board import Board, Column, column_of
from ui.viewmodels.board_faces import Face, ago, face_of
from ui.viewmodels.card_numbers import tool_calls, usage_of
from ui.viewmodels.cards import first_line, shown_state, took_ms
from ui.viewmodels.inbox import folder_name
from ui.viewmodels.settle import settle
from ui.viewmodels.states import State
from ui.wording import clean_line, duration, money, number, state_word, tr

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_ORDER = {Column.WAITING: -1} | {column: place for place, column in enumerate(Column) if column is not Column.WAITING}
"""Who needs the person comes first."""


class Field(IntEnum):
    """The columns of the table."""

    TASK = 0
    STATE = 1
    LINE = 2
    FOLDER = 3
    PARENT = 4
    TIME = 5
    TOOLS = 6
    COST = 7
    BEGAN = 8


NUMBERS = frozenset({Field.TIME, Field.TOOLS, Field.COST, Field.BEGAN})
"""Columns set in tabular figures at the trailing end."""


def field_name(field: Field) -> str:
    """What a column is called."""
    return {
        Field.TASK: tr("Task"),
        Field.STATE: tr("State"),
        Field.LINE: tr("Latest"),
        Field.FOLDER: tr("Folder"),
        Field.PARENT: tr("Asked for by"),
        Field.TIME: tr("Time"),
        Field.TOOLS: tr("Tools"),
        Field.COST: tr("Cost"),
        Field.BEGAN: tr("Asked"),
    }[field]


class TableModel(QAbstractTableModel):
    """UserRole gives the task's id."""

    def __init__(self, board: Board, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._board, self._world = board, board.world
        self._ids: list[str] = []
        self._sort: tuple[Field, Qt.SortOrder] = (Field.STATE, Qt.SortOrder.AscendingOrder)
        self._active = False
        self._keys: dict[str, Any] = {}
        board.touched.connect(self._touched)

    def set_active(self, active: bool) -> None:
        """It is looked at, or not any more."""
        if active and not self._active:
            settle(self, self._ids, self._sorted())
        self._active = active

    # ---- Qt's view of it

    def rowCount(self, parent: Index = _TOP) -> int:
        """Tasks."""
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index = _TOP) -> int:
        """Fields."""
        return 0 if parent.isValid() else len(Field)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Names of the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole and section in set(Field):
            return field_name(Field(section))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See the class."""
        if not index.isValid() or not 0 <= index.row() < len(self._ids):
            return None
        task_id = self._ids[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return task_id
        view = self._world.task(task_id)
        if view is None:
            return None
        field = Field(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.text(view, field)
            case Qt.ItemDataRole.ToolTipRole:
                return self.text(view, field) or None
            case Qt.ItemDataRole.AccessibleTextRole:
                return face_of(view, self._world).spoken if field is Field.TASK else self.text(view, field)
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignTrailing if field in NUMBERS else Qt.AlignmentFlag.AlignLeading
            case _:
                return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; who points at a row still does."""
        if (Field(column), order) == self._sort:
            return
        self._sort = (Field(column), order)
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        held = [self._ids[index.row()] for index in before]
        self._ids = self._sorted()
        rows = {task_id: row for row, task_id in enumerate(self._ids)}
        after = [self.index(rows.get(key, -1), index.column()) for key, index in zip(held, before, strict=True)]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    # ---- what it holds

    def row_of(self, task_id: str) -> int:
        """Its row, -1 when it is not shown."""
        return self._ids.index(task_id) if task_id in self._ids else -1

    def face(self, task_id: str) -> Face | None:
        """All that the board says of a task."""
        view = self._world.task(task_id)
        return face_of(view, self._world) if view is not None else None

    def agent(self, task_id: str) -> tuple[str, str]:
        """Slug and name of a task's agent."""
        view = self._world.task(task_id)
        slug = view.record.agent_type if view is not None else ""
        return slug, clean_line(self._world.label_of(slug), 60)

    def state(self, task_id: str) -> State:
        """Its state."""
        view = self._world.task(task_id)
        return shown_state(view) if view is not None else State.IDLE

    def text(self, view: TaskView, field: Field) -> str:
        """What a cell says."""
        world, record = self._world, view.record
        match field:
            case Field.TASK:
                return first_line(record.task_text) or tr("Task without a text")
            case Field.STATE:
                return state_word(shown_state(view))
            case Field.LINE:
                return face_of(view, world).line
            case Field.FOLDER:
                return clean_line(folder_name(record.working_dir), 80)
            case Field.PARENT:
                return clean_line(world.title_of(record.parent_id), 120)
            case Field.TIME:
                took = took_ms(view, world)
                return duration(took) if took else ""
            case Field.TOOLS:
                calls = tool_calls(view, world)
                return number(calls) if calls else ""
            case Field.COST:
                _, cost, currency = usage_of(view, world)
                return money(cost, currency) if cost else ""
            case Field.BEGAN:
                return ago(record.created_ms, world.now_ms())

    # ---- order

    def _touched(self, task_ids: frozenset[str]) -> None:
        if not self._active:
            return
        key_of = self._key_of(self._sort[0])
        if any(self._has_moved(task_id, key_of) for task_id in task_ids):
            settle(self, self._ids, self._sorted())
        rows = {task_id: row for row, task_id in enumerate(self._ids)} if len(task_ids) > 1 else {}
        last = len(Field) - 1
        for task_id in task_ids:
            row = rows.get(task_id, -1) if rows else self.row_of(task_id)
            if row >= 0:
                self.dataChanged.emit(self.index(row, 0), self.index(row, last))

    def _has_moved(self, task_id: str, key_of: Callable[[TaskView], Any]) -> bool:
        """It came, went, or stands elsewhere now."""
        view = self._world.task(task_id)
        shown = view is not None and self._board.has(task_id)
        if view is None or not shown:
            return task_id in self._keys
        return task_id not in self._keys or self._keys[task_id] != key_of(view)

    def _sorted(self) -> list[str]:
        field, order = self._sort
        views = [view for task_id in self._board.ids() if (view := self._world.task(task_id)) is not None]
        views.sort(key=lambda view: (-view.record.created_ms, view.record.task_id))  # among equals the newest first
        key_of = self._key_of(field)
        self._keys = {view.record.task_id: key_of(view) for view in views}
        views.sort(key=lambda view: self._keys[view.record.task_id], reverse=order is Qt.SortOrder.DescendingOrder)
        return [view.record.task_id for view in views]

    def _key_of(self, field: Field) -> Callable[[TaskView], Any]:
        world = self._world
        match field:
            case Field.STATE:
                return lambda view: _ORDER[column_of(view)]
            case Field.TIME:
                return lambda view: took_ms(view, world) or 0
            case Field.TOOLS:
                return lambda view: tool_calls(view, world) or 0
            case Field.COST:
                return lambda view: usage_of(view, world)[1] or 0.0
            case Field.BEGAN:
                return lambda view: -view.record.created_ms
            case _:
                return lambda view: self.text(view, field).casefold()
