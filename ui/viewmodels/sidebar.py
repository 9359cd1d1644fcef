"""Folders, sessions and delegated children as a tree to any depth (design 7.1).

Owns the order and what is left out; a Qt item model whose inserts, moves and removes are exact. Fed by the world, a
batch at a time; never resets for a live change, and a change costs what it touches. Ends with the sidebar.
"""
# ruff: noqa: N802  # Qt overrides

import os
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from codeg.api import SessionRecord
from ui.viewmodels.states import ALIVE, URGENCY, State
from ui.viewmodels.world import Batch, World
from ui.wording import age_or_date, clean_line, state_word, tr

Index = QModelIndex | QPersistentModelIndex
Rank = tuple[int, int, str]
_TOP = QModelIndex()
_DEEPEST = 64
"""Deeper than any tree of the host; a circle in odd data ends here."""
FOLDER = "folder:"


@dataclass(slots=True, eq=False)
class Node:
    """One row. `key`: `folder:PATH` or a session id; `rank`: its place among folders or sessions.

    `number` is what Qt holds of it, and never used again.
    """

    key: str
    parent: "Node | None"
    number: int
    rows: "list[Node]" = field(default_factory=list["Node"])
    rank: Rank = (0, 0, "")

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
    """What is shown. `archived`, `outside`: these too; `alive`: only what is at work or waits."""

    archived: bool = False
    alive: bool = False
    outside: bool = True

    @property
    def hides(self) -> bool:
        """Something is left out that would be shown by default."""
        return self.alive or not self.outside


class SidebarModel(QAbstractItemModel):
    """UserRole gives the node; DisplayRole its title; AccessibleTextRole all that the row says."""

    def __init__(self, world: World, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._world = world
        self._root = Node("", None, 0)
        self._nodes: dict[str, Node] = {}
        self._numbered: dict[int, Node] = {}
        self._made = 0
        self._tasks: dict[str, str] = {}
        self._filter = Filter()
        self._hidden: set[str] = set()
        self._shown = ""
        world.changed.connect(self._changed)
        self._place_all()

    # ---- Qt's view of it

    def index(self, row: int, column: int, parent: Index = _TOP) -> QModelIndex:
        """A row of a parent."""
        rows = self._node(parent).rows
        if column or not 0 <= row < len(rows):
            return QModelIndex()
        return self.createIndex(row, 0, rows[row].number)

    def parent(self, index: Index = _TOP) -> Any:
        """The row above; without an index, Qt's own parent."""
        node = self._node(index).parent
        return QModelIndex() if node is None else self._index_of(node)

    def rowCount(self, parent: Index = _TOP) -> int:
        """Below a parent."""
        return len(self._node(parent).rows)

    def columnCount(self, parent: Index = _TOP) -> int:  # noqa: ARG002  # Qt's signature
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
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and self.is_root(self._node(index)) else flags

    def node_of(self, index: Index) -> Node | None:
        """The node of a row, without the way through roles: views ask for it very often."""
        return self._numbered.get(index.internalId()) if index.isValid() else None

    def _node(self, index: Index) -> Node:
        return self._numbered.get(index.internalId(), self._root) if index.isValid() else self._root

    def _make(self, key: str, parent: Node) -> Node:
        self._made += 1
        node = self._nodes[key] = self._numbered[self._made] = Node(key, parent, self._made)
        return node

    def _index_of(self, node: Node) -> QModelIndex:
        if node.parent is None:
            return QModelIndex()
        return self.createIndex(node.parent.rows.index(node), 0, node.number)

    # ---- what rows say

    def index_of(self, key: str) -> QModelIndex:
        """The row of a folder or session; invalid where it is not shown."""
        node = self._nodes.get(key)
        return self._index_of(node) if node is not None else QModelIndex()

    def is_root(self, node: Node) -> bool:
        """A session that the person talks to or that lives in a terminal."""
        return node.parent is not None and node.parent.is_folder

    def record(self, node: Node) -> SessionRecord | None:
        """The session of a row; a child that was not started yet has none."""
        return self._world.session(node.key)

    def is_outside(self, node: Node) -> bool:
        """It lives in a terminal."""
        record = self.record(node)
        return record is not None and record.kind == "outside"

    def title(self, node: Node) -> str:
        """Folder name or title."""
        if node.is_folder:
            path = node.key.removeprefix(FOLDER)
            return clean_line(os.path.basename(path.rstrip("/\\")) or path)
        return clean_line(self._world.title_of(node.key), 300)

    def state(self, node: Node) -> State:
        """Of a folder: the most urgent below it, none of those that say nothing."""
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
        record, view = self.record(node), self._world.task_of(node.key)
        moved = record.updated_ms if record is not None else view.record.created_ms if view is not None else 0
        return age_or_date(moved, self._world.now_ms()) if moved else ""

    def unread(self, node: Node) -> bool:
        """Something ended or waits since the person last looked; what they look at now is read."""
        record = self.record(node)
        if record is None or record.kind == "child" or not record.seen_ms or node.key == self._shown:
            return False
        return record.updated_ms > record.seen_ms and record.state not in {"running", "starting"}

    def set_shown(self, session_id: str | None) -> None:
        """The conversation that the person looks at."""
        before, self._shown = self._shown, session_id or ""
        self._tell({before, self._shown})

    def spoken(self, node: Node) -> str:
        """For a screen reader."""
        if node.is_folder:
            return tr("Folder {name}, %n sessions", n=len(node.rows), name=self.title(node))
        parts = [self.title(node), self.agent(node)[1], state_word(self.state(node)).lower(), self.age(node)]
        if self.is_outside(node):
            parts.append(tr("outside session, lives in a terminal"))
        if self.unread(node):
            parts.append(tr("not looked at yet"))
        return ", ".join(part for part in parts if part)

    def tooltip(self, node: Node) -> str:
        """The whole title, the state in words, where it lives."""
        if node.is_folder:
            return clean_line(node.key.removeprefix(FOLDER), 400)
        parts = [self.agent(node)[1], state_word(self.state(node)), self.age(node)]
        lines = [self.title(node), " · ".join(part for part in parts if part)]
        if self.is_outside(node):
            lines.append(tr("Outside session, lives in a terminal"))
        return "\n".join(lines)

    # ---- what is left out

    def filter(self) -> Filter:
        """What is shown."""
        return self._filter

    def set_filter(self, wanted: Filter) -> None:
        """Show other rows."""
        if wanted != self._filter:
            self._filter = wanted
            self._place_all()

    def hide(self, session_id: str, hidden: bool) -> None:
        """Take a row away at once, while its delete can still be undone."""
        if hidden:
            self._hidden.add(session_id)
        else:
            self._hidden.discard(session_id)
        self._place(session_id)

    def _is_shown(self, record: SessionRecord) -> bool:
        wanted = self._filter
        if record.session_id in self._hidden or (record.archived and not wanted.archived):
            return False
        if record.kind == "outside" and not wanted.outside:
            return False
        return not wanted.alive or self._world.state_of_session(record.session_id) in ALIVE

    # ---- the world changes

    def _changed(self, batch: Batch) -> None:
        for key in batch.gone:
            self._hidden.discard(key)
            self._drop(self._nodes.get(key))
        self._place_tasks(batch.tasks)
        for key in batch.sessions | batch.states if self._filter.alive else batch.sessions:
            self._place(key)
        self._tell(self._nodes if batch.agents else batch.sessions | batch.states)

    def refresh_ages(self) -> None:
        """Ages moved on. They stand at sessions only."""
        for folder in self._root.rows:
            self.dataChanged.emit(self._index_of(folder.rows[0]), self._index_of(folder.rows[-1]))

    def _tell(self, keys: Iterable[str]) -> None:
        folders: dict[int, Node] = {}
        for key in keys:
            node = self._nodes.get(key)
            if node is None:
                continue
            index = self._index_of(node)
            self.dataChanged.emit(index, index)
            if node.parent is not None and node.parent.is_folder:
                folders[id(node.parent)] = node.parent
        for folder in folders.values():
            index = self._index_of(folder)
            self.dataChanged.emit(index, index)

    # ---- places of sessions

    def _place_all(self) -> None:
        for record in self._world.sessions():
            self._place(record.session_id)

    def _place(self, session_id: str) -> None:
        record, node = self._world.session(session_id), self._nodes.get(session_id)
        if record is None or record.kind == "child":
            return
        if not self._is_shown(record):
            self._drop(node)
            return
        rank = (int(not record.pinned), -record.created_ms, session_id)
        folder = self._nodes.get(FOLDER + record.folder)
        if node is not None and node.parent is folder and folder is not None:
            self._move(node, rank)
            return
        self._drop(node)
        folder = self._nodes.get(FOLDER + record.folder)  # it may have lost its last row
        above = folder or self._make(FOLDER + record.folder, self._root)
        made = self._built(session_id, above)
        made.rank = rank
        if folder is not None:
            self._insert(made, _place_of(rank, folder.rows))
            self._move(folder, _folder_rank(folder))
            return
        above.rows.append(made)
        above.rank = _folder_rank(above)
        self._insert(above, _place_of(above.rank, self._root.rows))

    def _move(self, node: Node, rank: Rank) -> None:
        if node.parent is None or node.rank == rank:
            return
        rows, now = node.parent.rows, node.parent.rows.index(node)
        then = _place_of(rank, rows[:now] + rows[now + 1 :])
        node.rank = rank
        if then != now:
            above = self._index_of(node.parent)
            self.beginMoveRows(above, now, now, above, then + 1 if then > now else then)
            rows.insert(then, rows.pop(now))
            self.endMoveRows()
        if node.parent.is_folder:
            self._move(node.parent, _folder_rank(node.parent))

    def _insert(self, node: Node, row: int) -> None:
        if node.parent is None:
            return
        above = self._index_of(node.parent)
        self.beginInsertRows(above, row, row)
        node.parent.rows.insert(row, node)
        self.endInsertRows()

    def _drop(self, node: Node | None) -> None:
        """Take a row away with all below it, and its folder when it was the last one there."""
        if node is None or node.parent is None:
            return
        folder = node.parent if node.parent.is_folder else None
        if folder is not None and len(folder.rows) == 1:
            node, folder = folder, None
        above = node.parent or self._root
        row = above.rows.index(node)
        self.beginRemoveRows(self._index_of(above), row, row)
        self._forget(above.rows.pop(row))
        self.endRemoveRows()
        if folder is not None:
            self._move(folder, _folder_rank(folder))

    def _forget(self, node: Node) -> None:
        self._nodes.pop(node.key, None)
        self._numbered.pop(node.number, None)
        for child in node.rows:
            self._forget(child)

    # ---- places of children

    def _built(self, key: str, parent: Node, depth: int = 0) -> Node:
        """A row with all that is known below it, not told yet."""
        node = self._make(key, parent)
        if depth < _DEEPEST:
            for view in self._world.tasks_of(key):
                self._tasks[view.record.task_id] = view.record.child_id
                if view.record.child_id not in self._nodes:
                    node.rows.append(self._built(view.record.child_id, node, depth + 1))
        return node

    def _place_tasks(self, task_ids: Iterable[str]) -> None:
        parents: dict[str, None] = {}
        for task_id in task_ids:
            view = self._world.task(task_id)
            if view is None:
                gone = self._nodes.get(self._tasks.pop(task_id, ""))
                if gone is not None and not self.is_root(gone):
                    self._drop(gone)
            elif view.record.child_id not in self._nodes:
                parents[view.record.parent_id] = None
        for parent_id in parents:
            node = self._nodes.get(parent_id)
            if node is not None:
                self._grow(node)

    def _grow(self, node: Node) -> None:
        """Insert the children that are new; those of a session never change their order."""
        for row, view in enumerate(self._world.tasks_of(node.key)):
            child_id = view.record.child_id
            self._tasks[view.record.task_id] = child_id
            if child_id not in self._nodes:
                self._insert(self._built(child_id, node), min(row, len(node.rows)))


def _place_of(rank: Rank, rows: list[Node]) -> int:
    return bisect_left(rows, rank, key=lambda node: node.rank)


def _folder_rank(folder: Node) -> Rank:
    """Folders stand by their newest session."""
    return (0, min(node.rank[1] for node in folder.rows), folder.key)
