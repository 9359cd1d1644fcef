"""Who belongs to whom: sessions, tasks, children, ancestors, and the state that a tree shows.

Owns the indexes over sessions and tasks and the memory of rolled-up states; pure, no Qt. Each look costs the size of
its answer, a roll-up the children of what changed. A task may be known before its child's session, and the other way
round.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass

from codeg.api import SessionRecord, Status, TaskView
from ui.viewmodels.states import State, state_of_task

_DEEPEST = 64
"""Deeper than any tree of the host; a circle in odd data ends here."""
_OVER = frozenset({Status.COMPLETED, Status.FAILED, Status.CANCELED, Status.INTERRUPTED})
_SILENT = frozenset({State.COMPLETED, State.CANCELED, State.FAILED})
"""These say nothing to the session above; failed ones do as long as nobody has looked."""


@dataclass(frozen=True, slots=True)
class Roll:
    """What the tasks below a session add to its state. `failed_ms`: newest failure not looked at there, 0 = none."""

    states: frozenset[State] = frozenset()
    failed_ms: int = 0


_NOTHING = Roll()


class Family:
    """The tree of one host."""

    def __init__(self) -> None:
        self.sessions: dict[str, SessionRecord] = {}
        self.tasks: dict[str, TaskView] = {}
        self._below: dict[str, list[tuple[int, int, str]]] = {}
        self._count = 0
        self._child: dict[str, str] = {}
        self._live: dict[str, None] = {}
        self._ages: list[tuple[int, int, str]] = []
        self._age: dict[str, tuple[int, int, str]] = {}
        self._newest: tuple[SessionRecord, ...] | None = None
        self._rolls: dict[str, Roll] = {}

    # ---- putting

    def put_session(self, record: SessionRecord) -> None:
        """Add or replace a session."""
        if record.session_id not in self.sessions:
            self._count += 1
            age = self._age[record.session_id] = (-record.created_ms, -self._count, record.session_id)
            insort(self._ages, age)
        self.sessions[record.session_id] = record
        self._newest = None

    def put_task(self, view: TaskView) -> None:
        """Add or replace a task."""
        record = view.record
        if record.task_id not in self.tasks:
            self._count += 1
            insort(self._below.setdefault(record.parent_id, []), (record.created_ms, self._count, record.task_id))
        self.tasks[record.task_id] = view
        self._child[record.child_id] = record.task_id
        if view.status in _OVER:
            self._live.pop(record.task_id, None)
        else:
            self._live[record.task_id] = None

    def drop_session(self, session_id: str) -> frozenset[str]:
        """A session is gone, with the tasks that it asked for and the one it was the child of; their ids."""
        if self.sessions.pop(session_id, None) is not None:
            del self._ages[bisect_left(self._ages, self._age.pop(session_id))]
            self._newest = None
        gone = {task_id for _, _, task_id in self._below.pop(session_id, [])}
        own = self._child.pop(session_id, None)
        if own is not None:
            gone.add(own)
        for task_id in gone:
            self._drop_task(task_id)
        self._rolls.pop(session_id, None)
        return frozenset(gone)

    def _drop_task(self, task_id: str) -> None:
        view = self.tasks.pop(task_id, None)
        self._live.pop(task_id, None)
        if view is None:
            return
        self._child.pop(view.record.child_id, None)
        siblings = self._below.get(view.record.parent_id, [])
        siblings[:] = [each for each in siblings if each[2] != task_id]

    # ---- looking

    def newest(self) -> tuple[SessionRecord, ...]:
        """All sessions, newest first."""
        if self._newest is None:
            self._newest = tuple(self.sessions[session_id] for _, _, session_id in self._ages)
        return self._newest

    def live(self) -> tuple[TaskView, ...]:
        """Tasks without an end."""
        return tuple(self.tasks[task_id] for task_id in self._live)

    def tasks_of(self, session_id: str) -> tuple[TaskView, ...]:
        """What a session delegated, oldest first."""
        return tuple(self.tasks[task_id] for _, _, task_id in self._below.get(session_id, ()))

    def task_of(self, session_id: str) -> TaskView | None:
        """The task whose child this is."""
        task_id = self._child.get(session_id)
        return self.tasks.get(task_id) if task_id is not None else None

    def parent_of(self, session_id: str) -> str | None:
        """The session above."""
        view = self.task_of(session_id)
        if view is not None:
            return view.record.parent_id
        record = self.sessions.get(session_id)
        return record.parent_id if record is not None else None

    def path_of(self, session_id: str) -> tuple[str, ...]:
        """Sessions above, the root first."""
        path: list[str] = []
        above = self.parent_of(session_id)
        while above is not None and above not in path and len(path) < _DEEPEST:
            path.append(above)
            above = self.parent_of(above)
        return tuple(reversed(path))

    def descendants(self, session_id: str) -> tuple[TaskView, ...]:
        """All tasks below, depth first."""
        found: list[TaskView] = []
        self._gather(session_id, found, 0)
        return tuple(found)

    def _gather(self, session_id: str, found: list[TaskView], depth: int) -> None:
        for view in self.tasks_of(session_id):
            found.append(view)
            if depth < _DEEPEST:
                self._gather(view.record.child_id, found, depth + 1)

    def seen_ms(self, session_id: str) -> int:
        """When the person last looked at a session, or at one above it whose feed shows it."""
        path = (*self.path_of(session_id), session_id)
        return max(record.seen_ms if (record := self.sessions.get(each)) is not None else 0 for each in path)

    # ---- states

    def below(self, session_id: str) -> frozenset[State]:
        """States of the tree below a session that it may show in place of its own (design 5)."""
        roll = self._roll(session_id, 0)
        if roll.failed_ms > self.seen_ms(session_id):
            return roll.states | {State.FAILED}
        return roll.states

    def _roll(self, session_id: str, depth: int) -> Roll:
        known = self._rolls.get(session_id)
        if known is not None:
            return known
        tasks = self._below.get(session_id)
        if not tasks or depth > _DEEPEST:
            return _NOTHING
        states: set[State] = set()
        failed_ms = 0
        for _, _, task_id in tasks:
            view = self.tasks[task_id]
            state, inner = state_of_task(view), self._roll(view.record.child_id, depth + 1)
            states |= inner.states
            if state not in _SILENT:
                states.add(state)
            newest = max(inner.failed_ms, (view.record.ended_ms or 0) if state is State.FAILED else 0)
            if newest > failed_ms and newest > self._own_seen(view.record.child_id):
                failed_ms = newest
        roll = self._rolls[session_id] = Roll(frozenset(states), failed_ms)
        return roll

    def _own_seen(self, session_id: str) -> int:
        record = self.sessions.get(session_id)
        return record.seen_ms if record is not None else 0

    def forget(self, session_ids: Iterable[str]) -> frozenset[str]:
        """These changed: what they and all above them show is found anew. All whose state may differ."""
        stale: set[str] = set()
        for session_id in session_ids:
            at: str | None = session_id
            while at is not None and at not in stale:
                stale.add(at)
                self._rolls.pop(at, None)
                at = self.parent_of(at)
        return frozenset(stale)
