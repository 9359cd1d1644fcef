"""Folders, sessions and delegated children as a tree to any depth (design 7.1).

Owns the order and what is left out; a Qt item model whose inserts, moves and removes are exact. Fed by the world, a
batch at a time; never resets for a live change. Ends with the sidebar.
"""
# ruff: noqa: N802  # Qt overrides

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from codeg.api import SessionRecord
from ui.viewmodels.states import URGENCY, State, state_of_task
from ui.viewmodels.world import Batch, World
from ui.wording import age_or_date, clean_line, state_word, tr

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
FOLDER = "folder:"


@dataclass(slots=True, eq=False)
class Node:
    """One row. `key`: `folder:PATH` or a session id."""

    key: str
    parent: "Node | None"
    rows: "list[Node]" = field(default_factory=list["Node"])

    @property
    def is_folder(self) -> bool:
        """A folder, not a session."""
        return self.key.startswith(FOLDER)

    @property
    def level(self) -> int:
        """0 for a folder, 1 for a session, more for children."""
        level, node = -1, self.parent
        while node is not None:
            level, node = level + 1, node.parent
        return level


@dataclass(frozen=True, slots=True)
class Filter:
    """What is left out. `archived`: archived ones are shown too; `alive`: only what is at work or waits."""

    archived: bool = False
    alive: bool = False


class SidebarModel(QAbstractItemModel):
    """UserRole gives the node; DisplayRole its title; AccessibleTextRole all that the row says."""

    def __init__(self, world: World, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._world = world
        self._root = Node("", None)
        self._nodes: dict[str, Node] = {}
        self._filter = Filter()
        self._hidden: frozenset[str] = frozenset()
        world.changed.connect(self._changed)
        self._settle_all()

    # ---- Qt's view of it

    def index(self, row: int, column: int, parent: Index = _TOP) -> QModelIndex:
        """A row of a parent."""
        rows = self._node(parent).rows
        if column or not 0 <= row < len(rows):
            return QModelIndex()
        return self.createIndex(row, 0, rows[row])

    def parent(self, index: Index = _TOP) -> Any:  # type: ignore[override]
        """The row above; without an index, Qt's own parent."""
        node = self._node(index).parent
        if node is None or node is self._root:
            return QModelIndex()
        return self._index_of(node)

    def rowCount(self, parent: Index = _TOP) -> int:
        """Rows below a parent."""
        return len(self._node(parent).rows)

    def columnCount(self, _parent: Index = _TOP) -> int:
        """One."""
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See the class."""
        if not index.isValid():
            return None
        node = self._node(index)
        match role:
            case Qt.ItemDataRole.UserRole:
                return node
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return self.title(node)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self.spoken(node)
            case Qt.ItemDataRole.ToolTipRole:
                return self.tooltip(node)
            case _:
                return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Roots can be renamed in place."""
        flags = super().flags(index)
        node = self._node(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and self.is_root(node) else flags

    def _node(self, index: Index) -> Node:
        found = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, Node) else self._root

    def _index_of(self, node: Node) -> QModelIndex:
        if node is self._root or node.parent is None:
            return QModelIndex()
        return self.createIndex(node.parent.rows.index(node), 0, node)

    # ---- what rows say

    def index_of(self, key: str) -> QModelIndex:
        """The row of a folder or session; invalid where it is not shown."""
        node = self._nodes.get(key)
        return self._index_of(node) if node is not None else QModelIndex()

    def is_root(self, node: Node) -> bool:
        """A session that the person talks to or that lives in a terminal."""
        return not node.is_folder and node.parent is not None and node.parent.is_folder

    def record(self, node: Node) -> SessionRecord | None:
        """The session of a row."""
        return self._world.session(node.key)

    def is_outside(self, node: Node) -> bool:
        """It lives in a terminal."""
        record = self.record(node)
        return record is not None and record.kind == "outside"

    def title(self, node: Node) -> str:
        """Folder name or title."""
        if node.is_folder:
            path = node.key.removeprefix(FOLDER)
            return clean_line(os.path.basename(path.rstrip("/")) or path)
        return clean_line(self._world.title_of(node.key), 300)

    def state(self, node: Node) -> State:
        """Of a folder: the most urgent below it."""
        if not node.is_folder:
            return self._world.state_of_session(node.key)
        below = {self._world.state_of_session(child.key) for child in node.rows}
        return next((state for state in URGENCY if state in below), State.IDLE)

    def agent(self, node: Node) -> tuple[str, str]:
        """Slug and label."""
        slug = self._world.agent_of(node.key)
        return slug, self._world.label_of(slug)

    def age(self, node: Node) -> str:
        """Since it last moved."""
        record = self.record(node)
        return age_or_date(record.updated_ms, self._world.now_ms()) if record is not None else ""

    def unread(self, node: Node) -> bool:
        """Something ended or waits since the person last looked."""
        record = self.record(node)
        if record is None or record.kind == "child" or not record.seen_ms:
            return False
        return record.updated_ms > record.seen_ms and record.state != "running"

    def spoken(self, node: Node) -> str:
        """For a screen reader."""
        if node.is_folder:
            return tr("Folder {name}", name=self.title(node))
        parts = [self.title(node), self.agent(node)[1], state_word(self.state(node)).lower(), self.age(node)]
        if self.is_outside(node):
            parts.append(tr("outside session, lives in a terminal"))
        return ", ".join(part for part in parts if part)

    def tooltip(self, node: Node) -> str:
        """The whole title, the state in words, where it lives."""
        if node.is_folder:
            return clean_line(node.key.removeprefix(FOLDER), 400)
        lines = [self.title(node), f"{self.agent(node)[1]} · {state_word(self.state(node))} · {self.age(node)}"]
        if self.is_outside(node):
            lines.append(tr("Outside session, lives in a terminal"))
        return "\n".join(lines)

    # ---- filters

    def set_filter(self, wanted: Filter) -> None:
        """Leave out other rows."""
        if wanted != self._filter:
            self._filter = wanted
            self._settle_all()

    def filter(self) -> Filter:
        """What is left out."""
        return self._filter

    def hide(self, session_id: str, hidden: bool) -> None:
        """Take a row away at once, while its delete can still be undone."""
        self._hidden = self._hidden | {session_id} if hidden else self._hidden - {session_id}
        self._settle_all()

    # ---- the world changes

    def _changed(self, batch: Batch) -> None:
        if batch.sessions or batch.gone or any(self._is_new(task_id) for task_id in batch.tasks):
            self._settle_all()
        touched = set(batch.sessions)
        for task_id in batch.tasks:
            view = self._world.task(task_id)
            if view is not None:
                touched.add(view.record.child_id)
        if batch.asks or batch.agents:
            touched |= set(self._nodes)
        self._tell(touched)

    def _is_new(self, task_id: str) -> bool:
        view = self._world.task(task_id)
        return view is None or view.record.child_id not in self._nodes

    def _tell(self, keys: Iterable[str]) -> None:
        told: set[str] = set()
        for key in keys:
            node = self._nodes.get(key)
            while node is not None and node is not self._root and node.key not in told:
                told.add(node.key)
                index = self._index_of(node)
                self.dataChanged.emit(index, index)
                node = node.parent

    def refresh_ages(self) -> None:
        """Once a minute: ages moved on."""
        self._tell(list(self._nodes))

    # ---- order

    def _settle_all(self) -> None:
        sessions = [record for record in self._world.sessions() if record.kind != "child" and self._is_shown(record)]
        folders = dict.fromkeys(record.folder for record in sessions)
        self._settle(self._root, [FOLDER + folder for folder in folders])
        for folder_node in tuple(self._root.rows):
            path = folder_node.key.removeprefix(FOLDER)
            mine = [record for record in sessions if record.folder == path]
            mine.sort(key=lambda record: (not record.pinned, -record.created_ms))
            self._settle(folder_node, [record.session_id for record in mine])
            for session_node in tuple(folder_node.rows):
                self._settle_children(session_node)

    def _settle_children(self, node: Node) -> None:
        self._settle(node, list(self._world.children_of(node.key)))
        for child in tuple(node.rows):
            self._settle_children(child)

    def _is_shown(self, record: SessionRecord) -> bool:
        if record.session_id in self._hidden or (record.archived and not self._filter.archived):
            return False
        if not self._filter.alive:
            return True
        state = self._world.state_of_session(record.session_id)
        return state in {State.WAITING, State.RUNNING, State.STARTING, State.QUEUED}

    def _settle(self, node: Node, wanted: list[str]) -> None:
        """Make the rows below a node these, by removes, moves and inserts."""
        keep = set(wanted)
        above = self._index_of(node)
        for row in range(len(node.rows) - 1, -1, -1):
            if node.rows[row].key not in keep:
                self.beginRemoveRows(above, row, row)
                self._forget(node.rows.pop(row))
                self.endRemoveRows()
        for row, key in enumerate(wanted):
            if row < len(node.rows) and node.rows[row].key == key:
                continue
            held = next((n for n in range(row + 1, len(node.rows)) if node.rows[n].key == key), None)
            if held is not None:
                self.beginMoveRows(above, held, held, above, row)
                node.rows.insert(row, node.rows.pop(held))
                self.endMoveRows()
            else:
                self.beginInsertRows(above, row, row)
                fresh = Node(key, node)
                node.rows.insert(row, fresh)
                self._nodes[key] = fresh
                self.endInsertRows()

    def _forget(self, node: Node) -> None:
        self._nodes.pop(node.key, None)
        for child in node.rows:
            self._forget(child)

    def counts(self) -> tuple[int, int]:
        """Running and queued tasks."""
        states = [state_of_task(view) for view in self._world.live_tasks()]
        running = sum(state in {State.RUNNING, State.STARTING} for state in states)
        return running, sum(state is State.QUEUED for state in states)
