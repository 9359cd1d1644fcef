"""The rows of one conversation as a Qt model, fed by pages of the store and by what changes.

Owns the rows, the signals that tell how they change, and the reading of pages: a page a turn of the event loop, in
order; what was told live meanwhile is newer and waits for its place. Ends when nobody holds it, or by `end`.
"""
# ruff: noqa: N802  # Qt overrides

from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from codeg.api import Entry, ThreadChange
from ui.viewmodels.rows import DelegationRow, PlanRow, Row
from ui.viewmodels.states import ALIVE, state_of_task
from ui.viewmodels.transcript.book import Book, Changes
from ui.viewmodels.transcript.finding import holds, text_of
from ui.viewmodels.transcript.fold import Patch, refold
from ui.viewmodels.world import Batch, World

PAGE = 500
Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_RUNNING = frozenset({"starting", "running"})


class Pages(Protocol):
    """What a transcript asks for (a part of `ui.orders.Orders`)."""

    def entries(self, session_id: str, after_seq: int, limit: int, then: Callable[[tuple[Entry, ...]], None]) -> None:
        """A page of entries; empty = the end."""
        ...

    def notes(self, session_id: str) -> None:
        """Have the world told of notes and question sets."""
        ...


class Transcript(QAbstractListModel):
    """One conversation. `loaded`: all that the store had is here."""

    loaded = Signal()

    def __init__(self, session_id: str, world: World, orders: Pages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session_id = session_id
        self.loading = False
        self._world, self._orders = world, orders
        self._book = Book()
        self._rows: list[Row] = []
        self._starts: list[int] = []
        self._numbers: dict[str, int] | None = {}
        self._ahead: dict[int, Entry] = {}
        self._complete = self._ended = False
        self._reading = 0
        self._tasks: dict[str, str] = {}
        world.entries_changed.connect(self._told)
        world.changed.connect(self._changed)

    # ---- the model

    def rowCount(self, parent: Index = _TOP) -> int:
        """Number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Plain text for screen readers; the row itself under UserRole."""
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return row
        return text_of(row) if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole} else None

    def row_at(self, number: int) -> Row:
        """A row by its number."""
        return self._rows[number]

    def index_of(self, key: str) -> int | None:
        """Number of the row of this key, or of the row that holds the entry or task of this key."""
        if self._numbers is None:
            self._numbers = {row.key: number for number, row in enumerate(self._rows)}
        number = self._numbers.get(key)
        if number is None and key.startswith("entry-") and key[6:].isdecimal():
            return self._number_of(int(key[6:]))
        if number is None and key.startswith("task-"):
            return self._numbers.get(self.key_of_task(key[5:]) or "")
        return number

    def keys(self) -> tuple[str, ...]:
        """Keys of all rows."""
        return tuple(row.key for row in self._rows)

    def key_of_task(self, task_id: str) -> str | None:
        """The card of a task of this conversation."""
        cards = (row for row in reversed(self._rows) if isinstance(row, DelegationRow))
        return next((row.key for row in cards if row.task_id == task_id), None)

    def key_of_entry(self, seq: int) -> str | None:
        """The row in which an entry is shown; of one that is not shown itself, the row behind it."""
        number = self._number_of(seq)
        return None if number is None else self._rows[number].key

    def find(self, text: str) -> list[str]:
        """Keys of the rows that hold the text, folded parts too, in order; capital letters do not matter."""
        needle = text.casefold()
        return [row.key for row in self._rows if holds(row, needle)] if needle else []

    @property
    def plan(self) -> PlanRow | None:
        """The plan of the turn that runs."""
        key = self._book.plan_key()
        number = self.index_of(key) if key is not None else None
        row = self._rows[number] if number is not None else None
        return row if isinstance(row, PlanRow) else None

    def _number_of(self, seq: int) -> int | None:
        key = self._book.items.key_of(seq)
        if key is None or not self._rows:
            return None
        return bisect_right(self._starts, self._book.items.index(key)) - 1

    # ---- filling

    def load(self) -> None:
        """Read everything; once is enough."""
        if not self._reading:
            self.reload()

    def reload(self) -> None:
        """Read everything again (the host was started anew): what the store says now goes first."""
        self._reading += 1
        self.loading, self._complete = True, False
        self._orders.notes(self.session_id)
        self._take_world()
        self._page(-1, self._reading)

    def end(self) -> None:
        """Nobody looks at it any more: nothing is taken in from now on."""
        if not self._ended:
            self._ended = True
            self._world.entries_changed.disconnect(self._told)
            self._world.changed.disconnect(self._changed)

    def _page(self, after: int, reading: int) -> None:
        if not self._ended and reading == self._reading:
            self._orders.entries(self.session_id, after, PAGE, lambda page: self._paged(page, reading))

    def _paged(self, page: tuple[Entry, ...], reading: int) -> None:
        if self._ended or reading != self._reading:
            return
        if page:
            self._take(self._book.put([self._ahead.pop(entry.seq, entry) for entry in page]))
            last = page[-1].seq
            QTimer.singleShot(0, self, lambda: self._page(last, reading))
            return
        self._complete, self.loading = True, False
        self._take(self._book.put(list(self._ahead.values())))
        self._ahead.clear()
        self.loaded.emit()

    def _told(self, session_id: str, changes: tuple[ThreadChange, ...]) -> None:
        if session_id != self.session_id:
            return
        self._run()
        latest = {change.entry.seq: change.entry for change in changes}
        if not self._complete:
            self._ahead |= latest
            latest = {seq: entry for seq, entry in latest.items() if self._book.items.knows(seq)}
        self._take(self._book.put(list(latest.values())))

    def _changed(self, batch: Batch) -> None:
        if self.session_id in batch.notes:
            self._take(self._book.set_notes(self._world.notes(self.session_id)))
        if self.session_id in batch.questions:
            self._take(self._book.set_questions(self._world.questions(self.session_id)))
        if any(self._concerns(task_id) for task_id in batch.tasks):
            self._take_tasks()
        if self.session_id in batch.sessions or batch.tasks:
            self._run()

    def _take_world(self) -> None:
        self._run()
        self._take_tasks()
        self._take(self._book.set_notes(self._world.notes(self.session_id)))
        self._take(self._book.set_questions(self._world.questions(self.session_id)))

    def _concerns(self, task_id: str) -> bool:
        """A task of this session that is new, gone, or belongs to another call now; its state is its card's concern."""
        view = self._world.task(task_id)
        if view is None:
            return task_id in self._tasks
        return view.record.parent_id == self.session_id and self._tasks.get(task_id) != view.record.tool_use_id

    def _take_tasks(self) -> None:
        views = self._world.tasks_of(self.session_id)
        self._tasks = {view.record.task_id: view.record.tool_use_id for view in views}
        self._take(self._book.set_tasks(views))

    def _run(self) -> None:
        self._take(self._book.run(self._is_running()))

    def _is_running(self) -> bool:
        record = self._world.session(self.session_id)
        if record is not None:
            return record.state in _RUNNING
        view = self._world.task_of(self.session_id)
        return view is not None and state_of_task(view) in ALIVE

    # ---- rows

    def _take(self, changes: Changes) -> None:
        for touched in changes:
            patch = refold(self._rows, self._starts, self._book.items.items, touched, self._book.ground())
            if touched.shift:
                for number in range(patch.last, len(self._starts)):
                    self._starts[number] += touched.shift
            self._apply(patch)

    def _apply(self, patch: Patch) -> None:
        """Put the fresh rows in, telling only what differs: keys that stay are updates."""
        old, fresh = self._rows[patch.first : patch.last], patch.fresh
        least = min(len(old), len(fresh))
        head = next((n for n in range(least) if old[n].key != fresh[n].key), least)
        tail = next((n for n in range(least - head) if old[-1 - n].key != fresh[-1 - n].key), least - head)
        at, gone = patch.first + head, len(old) - head - tail
        updated = [patch.first + n for n in range(head) if old[n] != fresh[n]]
        updated += [at + len(fresh) - head - n for n in range(tail, 0, -1) if old[-n] != fresh[-n]]
        self._rows[patch.first : at] = fresh[:head]
        self._rows[patch.last - tail : patch.last] = fresh[len(fresh) - tail :]
        if gone:
            self.beginRemoveRows(_TOP, at, at + gone - 1)
            self._splice(at, gone, [])
            self.endRemoveRows()
        come = fresh[head : len(fresh) - tail]
        if come:
            self.beginInsertRows(_TOP, at, at + len(come) - 1)
            self._splice(at, 0, come)
            self.endInsertRows()
        self._starts[patch.first : patch.first + len(fresh)] = patch.starts
        for number in updated:
            index = self.index(number, 0)
            self.dataChanged.emit(index, index)

    def _splice(self, at: int, gone: int, come: list[Row]) -> None:
        if self._numbers is not None and at + gone == len(self._rows):
            for row in self._rows[at:]:
                self._numbers.pop(row.key, None)
            self._numbers.update({row.key: at + n for n, row in enumerate(come)})
        else:
            self._numbers = None
        self._rows[at : at + gone] = come
        self._starts[at : at + gone] = [self._starts[at - 1] if at else 0] * len(come)
