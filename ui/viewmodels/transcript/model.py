"""The rows of one conversation as a Qt model, fed by pages of the store and by what changes.

Owns the items in their order, the rows folded from them, and which task belongs to which call. A change costs what it
changes: rows are folded again from the row it touches until they agree with those that were there. Ends with the
window's cache of transcripts.
"""
# ruff: noqa: N802  # Qt overrides

from bisect import bisect_left, bisect_right
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from codeg.api import Entry, ThreadChange
from ui.orders import Orders
from ui.viewmodels.rows import DelegationRow, PlanRow, Row
from ui.viewmodels.transcript.finding import text_of
from ui.viewmodels.transcript.fold import Folded, Ground, Item, fold_one, joins
from ui.viewmodels.transcript.matching import Call, match
from ui.viewmodels.transcript.reading import Delegating, Kind, kind_of
from ui.viewmodels.world import Batch, World

PAGE = 500
Key = tuple[int, int, int]
Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()


class Transcript(QAbstractListModel):
    """One conversation. `loaded`: all that the store had is here."""

    loaded = Signal()

    def __init__(self, session_id: str, world: World, orders: Orders, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session_id = session_id
        self._world, self._orders = world, orders
        self._keys: list[Key] = []
        self._items: list[Item] = []
        self._at_seq: dict[int, Key] = {}
        self._extra: dict[str, Key] = {}
        self._kinds: dict[int, tuple[Entry, Kind]] = {}
        self._calls: dict[int, Call] = {}
        self._tasks: dict[int, str] = {}
        self._rows: list[Folded] = []
        self._starts: list[int] = []
        self._numbers: dict[str, int] | None = None
        self._last_ms = 0
        self._order = 0
        self.loading = False
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
        row = self._rows[index.row()].row
        if role == Qt.ItemDataRole.UserRole:
            return row
        return text_of(row) if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole} else None

    def row_at(self, number: int) -> Row:
        """A row by its number."""
        return self._rows[number].row

    def index_of(self, key: str) -> int | None:
        """Number of the row of this key."""
        if self._numbers is None:
            self._numbers = {folded.row.key: number for number, folded in enumerate(self._rows)}
        return self._numbers.get(key)

    def keys(self) -> tuple[str, ...]:
        """Keys of all rows."""
        return tuple(folded.row.key for folded in self._rows)

    def key_of_task(self, task_id: str) -> str | None:
        """The card of a task of this conversation."""
        for folded in reversed(self._rows):
            if isinstance(folded.row, DelegationRow) and folded.row.task_id == task_id:
                return folded.row.key
        return None

    def key_of_entry(self, seq: int) -> str | None:
        """The row in which an entry is shown."""
        key = self._at_seq.get(seq)
        if key is None:
            return None
        number = bisect_right(self._starts, bisect_left(self._keys, key)) - 1
        return self._rows[number].row.key if 0 <= number < len(self._rows) else None

    def find(self, text: str) -> list[str]:
        """Keys of the rows that hold the text, in order; capital letters do not matter."""
        needle = text.casefold()
        return [folded.row.key for folded in self._rows if needle in text_of(folded.row).casefold()]

    @property
    def plan(self) -> PlanRow | None:
        """The newest plan, while the session's turn runs."""
        record = self._world.session(self.session_id)
        if record is None or record.state != "running":
            return None
        plans = (folded.row for folded in reversed(self._rows) if isinstance(folded.row, PlanRow))
        return next(plans, None)

    # ---- filling

    def load(self) -> None:
        """Read everything, a page a turn of the event loop."""
        if not self.loading and not self._items:
            self.loading = True
            self._orders.notes(self.session_id)
            self._page(-1)
        self._match()

    def _page(self, after: int) -> None:
        self._orders.entries(self.session_id, after, PAGE, self._paged)

    def _paged(self, entries: tuple[Entry, ...]) -> None:
        if entries:
            self._put([entry for entry in entries if not self._known(entry)])
            last = entries[-1].seq
            QTimer.singleShot(0, self, lambda: self._page(last))
            return
        self.loading = False
        self._match()
        self.loaded.emit()

    def _known(self, entry: Entry) -> bool:
        """What was told live is newer than what a page brings."""
        return entry.seq in self._at_seq

    def _told(self, session_id: str, changes: tuple[ThreadChange, ...]) -> None:
        if session_id == self.session_id:
            latest = {change.entry.seq: change.entry for change in changes}
            self._put(sorted(latest.values(), key=lambda entry: entry.seq))

    def _changed(self, batch: Batch) -> None:
        if self.session_id in batch.notes:
            self._put_notes()
        if any(self._is_ours(task_id) for task_id in batch.tasks):
            self._match()
        if self.session_id in batch.sessions and self._items:
            self._refold(len(self._items) - 1)

    def _is_ours(self, task_id: str) -> bool:
        view = self._world.task(task_id)
        return view is not None and view.record.parent_id == self.session_id and task_id not in self._shown_tasks()

    def _shown_tasks(self) -> set[str]:
        return set(self._tasks.values()) | {key[5:] for key in self._extra if key.startswith("task-")}

    # ---- items

    def _put(self, entries: list[Entry]) -> None:
        """Add or replace entries, then fold from the first place that changed."""
        if not entries:
            return
        low, calls = len(self._items), False
        for entry in entries:
            low = min(low, self._put_entry(entry))
            calls = self._note_call(entry) or calls
        self._refold(low)
        if calls:
            self._match()

    def _put_entry(self, entry: Entry) -> int:
        key = self._at_seq.get(entry.seq)
        if key is not None:
            at = bisect_left(self._keys, key)
            self._items[at] = Item(entry=entry)
            return at
        self._last_ms = max(self._last_ms, entry.created_ms)
        key = (self._time_for(entry), 0, entry.seq)
        self._at_seq[entry.seq] = key
        return self._insert(key, Item(entry=entry))

    def _time_for(self, entry: Entry) -> int:
        """Entries keep their order whatever their clocks say."""
        before = self._at_seq.get(entry.seq - 1)
        return max(entry.created_ms, before[0]) if before is not None else entry.created_ms

    def _insert(self, key: Key, item: Item) -> int:
        at = bisect_left(self._keys, key)
        self._keys.insert(at, key)
        self._items.insert(at, item)
        return at

    def _put_extra(self, name: str, ms: int, item: Item) -> int:
        key = self._extra.get(name)
        if key is not None:
            at = bisect_left(self._keys, key)
            self._items[at] = item
            return at
        self._order += 1
        key = self._extra[name] = (ms, 1, self._order)
        return self._insert(key, item)

    def _drop_extra(self, name: str) -> None:
        key = self._extra.pop(name, None)
        if key is None:
            return
        at = bisect_left(self._keys, key)
        del self._keys[at], self._items[at]
        self._refold(at)

    def _put_notes(self) -> None:
        for note in self._world.notes(self.session_id):
            at = self._put_extra(f"note-{note.note_id}", note.created_ms, Item(note=note))
            self._refold(at)

    # ---- which task belongs to which call

    def _note_call(self, entry: Entry) -> bool:
        kind = self._kind(entry) if entry.kind == "tool" else None
        if not isinstance(kind, Delegating):
            return False
        call = Call(entry.seq, entry.tool_call_id, kind.agent, kind.task, kind.task_id)
        if self._calls.get(entry.seq) == call:
            return False
        self._calls[entry.seq] = call
        return True

    def _match(self) -> None:
        tasks = self._world.tasks_of(self.session_id)
        matched = match([self._calls[seq] for seq in sorted(self._calls)], tasks)
        changed = [seq for seq in self._calls if self._tasks.get(seq) != matched.get(seq)]
        self._tasks = matched
        for seq in changed:
            at = bisect_left(self._keys, self._at_seq[seq])
            self._refold(at)
        shown = set(matched.values())
        for view in tasks:
            name = f"task-{view.record.task_id}"
            if view.record.task_id in shown:
                self._drop_extra(name)
            elif name not in self._extra:
                at = self._put_extra(name, view.record.created_ms, Item(task=view))
                self._refold(at)

    # ---- rows

    def _kind(self, entry: Entry) -> Kind:
        held = self._kinds.get(entry.seq)
        if held is None or held[0] is not entry:
            held = self._kinds[entry.seq] = (entry, kind_of(entry))
        return held[1]

    def _ground(self) -> Ground:
        record = self._world.session(self.session_id)
        last = self._items[-1].entry if self._items else None
        is_live = record is not None and record.state == "running" and last is not None
        return Ground(
            kind=self._kind,
            task_of_call=lambda entry: self._tasks.get(entry.seq),
            live_seq=last.seq if is_live and last is not None else -1,
            after_ms=self._after_ms,
        )

    def _after_ms(self, at: int) -> int | None:
        if at + 1 >= len(self._items):
            return None
        return self._keys[at + 1][0]

    def _refold(self, low: int) -> None:
        """Items from `low` on changed or moved: fold again from the row before them to the end.

        Most changes are at the end, so that this is a row or two.
        """
        first = max(0, bisect_right(self._starts, max(0, low - 1)) - 1)
        while first > 0 and joins(self._rows[first - 1].row):
            first -= 1
        ground = self._ground()
        start = self._rows[first].start if first < len(self._rows) else 0
        before = self._rows[first - 1].row if first else None
        fresh: list[Folded] = []
        while (found := fold_one(self._items, start, before, ground)) is not None:
            fresh.append(found)
            start, before = found.end, found.row
        self._replace(first, len(self._rows), fresh)

    def _replace(self, first: int, last: int, fresh: list[Folded]) -> None:
        """Put `fresh` in the place of rows `first` to before `last`, telling only what differs."""
        old = self._rows[first:last]
        head = 0
        while head < min(len(old), len(fresh)) and old[head].row.key == fresh[head].row.key:
            head += 1
        tail = 0
        while tail < min(len(old), len(fresh)) - head and old[-1 - tail].row.key == fresh[-1 - tail].row.key:
            tail += 1
        gone, come = len(old) - head - tail, fresh[head : len(fresh) - tail]
        if gone:
            self.beginRemoveRows(_TOP, first + head, first + head + gone - 1)
            self._splice(first + head, gone, [])
            self.endRemoveRows()
        if come:
            self.beginInsertRows(_TOP, first + head, first + head + len(come) - 1)
            self._splice(first + head, 0, come)
            self.endInsertRows()
        kept = [(first + n, fresh[n]) for n in range(head)]
        kept += [(first + len(fresh) - tail + n, fresh[len(fresh) - tail + n]) for n in range(tail)]
        for number, folded in kept:
            self._update(number, folded)

    def _splice(self, at: int, count: int, come: list[Folded]) -> None:
        appended = count == 0 and at == len(self._rows)
        self._rows[at : at + count] = come
        self._starts[at : at + count] = [folded.start for folded in come]
        if self._numbers is not None and appended:
            self._numbers.update({folded.row.key: at + n for n, folded in enumerate(come)})
        else:
            self._numbers = None

    def _update(self, number: int, folded: Folded) -> None:
        before = self._rows[number]
        self._rows[number] = folded
        self._starts[number] = folded.start
        if before.row != folded.row:
            index = self.index(number, 0)
            self.dataChanged.emit(index, index)


class Transcripts:
    """The transcripts that are looked at, each once."""

    def __init__(self, world: World, orders: Orders) -> None:
        self._world, self._orders = world, orders
        self._held: dict[str, Transcript] = {}

    def get(self, session_id: str) -> Transcript:
        """The transcript of a session; it begins to load when it is first wanted."""
        if session_id not in self._held:
            self._held[session_id] = Transcript(session_id, self._world, self._orders)
            self._held[session_id].load()
        return self._held[session_id]

    def drop(self, session_id: str) -> None:
        """Nobody looks at it any more."""
        held = self._held.pop(session_id, None)
        if held is not None:
            held.deleteLater()
