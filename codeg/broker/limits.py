"""Slots and queues: how many tasks of a parent and of a root are at work, and who is next (contract 6, Limits).

Owns counters and one ordered queue a root; both follow the phases of the records by `moved`, so they cannot drift from
them. Never decides what happens to a task that may start or may not. A limit below 1 counts as 1 (nothing could ever
start), but `queue_limit` 0 means that nothing is queued.
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator

from codeg.broker.codes import HOLDING_PHASES, WAITING_PHASES, Phase
from codeg.broker.tasks import Limits, TaskRecord

_Place = tuple[int, int, str, str]
"""Nested ones first, then by age: (0 or 1, age, task id, parent id)."""


def is_nested(record: TaskRecord) -> bool:
    """The call came from a delegated child, not from a root session."""
    return record.depth > 1


def _add(counts: dict[str, int], key: str, change: int) -> None:
    count = counts.get(key, 0) + change
    if count:
        counts[key] = count
    else:
        del counts[key]


class Slots:
    """`age` is the ledger's running number of the call (or resume): lower is older."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.to_serve: dict[str, None] = {}
        """Roots in which a slot became free or a task joined the queue since they were last served."""
        self.reordered: dict[str, None] = {}
        """Roots whose queue changed since positions were last told."""
        self._parent_live: dict[str, int] = {}
        self._root_live: dict[str, int] = {}
        self._root_waiting: dict[str, int] = {}
        self._holders: dict[str, dict[str, None]] = {}
        self._queues: dict[str, list[_Place]] = {}

    def moved(self, old: TaskRecord | None, new: TaskRecord, old_age: int, age: int) -> None:
        """A task is new (`old` None), or its record changed."""
        was, now = old.phase if old else None, new.phase
        if (was in WAITING_PHASES) != (now in WAITING_PHASES):
            _add(self._root_waiting, new.root_id, 1 if now in WAITING_PHASES else -1)
        if (was in HOLDING_PHASES) != (now in HOLDING_PHASES):
            self._hold(new) if now in HOLDING_PHASES else self._release(new)
        if (was is Phase.QUEUED) != (now is Phase.QUEUED):
            self._join(new, age) if now is Phase.QUEUED else self._leave(new, old_age)

    def live_of_parent(self, parent_id: str) -> int:
        """Slots held by tasks of this parent."""
        return self._parent_live.get(parent_id, 0)

    def live_of_root(self, root_id: str) -> int:
        """Slots held below this root."""
        return self._root_live.get(root_id, 0)

    def waiting_of_root(self, root_id: str) -> int:
        """Tasks below this root that are queued or wait for the person's word on their folder."""
        return self._root_waiting.get(root_id, 0)

    def root_full(self, root_id: str) -> bool:
        """No slot of the root is free."""
        return self.live_of_root(root_id) >= max(1, self.limits.live_per_root)

    def parent_full(self, parent_id: str) -> bool:
        """No slot of the parent is free."""
        return self.live_of_parent(parent_id) >= max(1, self.limits.live_per_parent)

    def queue_full(self, parent_id: str, root_id: str, *, asks: bool) -> bool:
        """A call would have to wait and may not.

        One that `asks` for a folder waits in any case, and may where nothing else does.
        """
        if not asks and not self.root_full(root_id) and not self.parent_full(parent_id):
            return False
        limit = max(1, self.limits.queue_limit) if asks else self.limits.queue_limit
        return self.waiting_of_root(root_id) >= limit

    def next_of(self, root_id: str) -> str | None:
        """The task to start now: nested ones first, the oldest that both limits let start."""
        if self.root_full(root_id):
            return None
        return next((task_id for _, _, task_id, parent in self._queue(root_id) if not self.parent_full(parent)), None)

    def starved(self, root_id: str, is_leaf: Callable[[str], bool]) -> str | None:
        """A nested task that only its root's limit holds back while no holder of a slot is a leaf: none need ever end.

        Reached only when limits are lowered under running tasks: else a nested task waits for nothing but its parent's
        own children.
        """
        if not self.root_full(root_id):
            return None
        for direct, _, task_id, parent in self._queue(root_id):
            if not direct and not self.parent_full(parent):
                return None if any(map(is_leaf, self._holders[root_id])) else task_id
        return None

    def position(self, record: TaskRecord, age: int) -> int:
        """Place in the root's queue, from 1."""
        return bisect_left(self._queues[record.root_id], _place(record, age)) + 1

    def queued_of(self, root_id: str) -> Iterator[str]:
        """Ids in the order of the queue."""
        return (task_id for _, _, task_id, _ in self._queue(root_id))

    def _queue(self, root_id: str) -> list[_Place]:
        return self._queues.get(root_id, [])

    def _hold(self, record: TaskRecord) -> None:
        _add(self._parent_live, record.parent_id, 1)
        _add(self._root_live, record.root_id, 1)
        self._holders.setdefault(record.root_id, {})[record.task_id] = None

    def _release(self, record: TaskRecord) -> None:
        _add(self._parent_live, record.parent_id, -1)
        _add(self._root_live, record.root_id, -1)
        holders = self._holders[record.root_id]
        del holders[record.task_id]
        if not holders:
            del self._holders[record.root_id]
        self.to_serve[record.root_id] = None

    def _join(self, record: TaskRecord, age: int) -> None:
        insort(self._queues.setdefault(record.root_id, []), _place(record, age))
        self.to_serve[record.root_id] = self.reordered[record.root_id] = None

    def _leave(self, record: TaskRecord, age: int) -> None:
        queue = self._queues[record.root_id]
        del queue[bisect_left(queue, _place(record, age))]
        if not queue:
            del self._queues[record.root_id]
        self.to_serve[record.root_id] = self.reordered[record.root_id] = None

    def serve_all(self) -> None:
        """The limits changed: every queue is to be looked at."""
        self.to_serve.update(dict.fromkeys(self._queues))


def _place(record: TaskRecord, age: int) -> _Place:
    return (0 if is_nested(record) else 1, age, record.task_id, record.parent_id)
