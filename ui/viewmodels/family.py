"""Who belongs to whom: sessions, tasks, children, ancestors.

Owns the indexes over sessions and tasks; pure, no Qt. Each look costs the size of its answer. A task stands before its
child's session is known, and the other way round.
"""

from bisect import insort

from codeg.api import SessionRecord, Status, TaskView

_DEEPEST = 64
_OVER = frozenset({Status.COMPLETED, Status.FAILED, Status.CANCELED, Status.INTERRUPTED})


class Family:
    """The tree of one host."""

    def __init__(self) -> None:
        self.sessions: dict[str, SessionRecord] = {}
        self.tasks: dict[str, TaskView] = {}
        self._below: dict[str, list[tuple[int, int, str]]] = {}
        self._order: dict[str, int] = {}
        self._child: dict[str, str] = {}
        self._live: dict[str, None] = {}
        self._newest: tuple[SessionRecord, ...] | None = None

    def put_session(self, record: SessionRecord) -> None:
        """Add or replace a session."""
        self.sessions[record.session_id] = record
        self._newest = None

    def put_task(self, view: TaskView) -> None:
        """Add or replace a task."""
        record = view.record
        if record.task_id not in self.tasks:
            order = self._order[record.task_id] = len(self._order)
            insort(self._below.setdefault(record.parent_id, []), (record.created_ms, order, record.task_id))
        self.tasks[record.task_id] = view
        self._child[record.child_id] = record.task_id
        if view.status in _OVER:
            self._live.pop(record.task_id, None)
        else:
            self._live[record.task_id] = None

    def drop_session(self, session_id: str) -> frozenset[str]:
        """A session is gone, with the tasks that it asked for and the one it was the child of; their ids."""
        self.sessions.pop(session_id, None)
        self._newest = None
        gone = {task_id for _, _, task_id in self._below.pop(session_id, [])}
        own = self._child.pop(session_id, None)
        if own is not None:
            gone.add(own)
        for task_id in gone:
            view = self.tasks.pop(task_id, None)
            self._live.pop(task_id, None)
            if view is not None:
                self._child.pop(view.record.child_id, None)
                siblings = self._below.get(view.record.parent_id, [])
                siblings[:] = [each for each in siblings if each[2] != task_id]
        return frozenset(gone)

    def newest(self) -> tuple[SessionRecord, ...]:
        """All sessions, newest first."""
        if self._newest is None:
            self._newest = tuple(sorted(self.sessions.values(), key=lambda record: -record.created_ms))
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
        """When the person last looked at a session or at what it belongs to."""
        record = self.sessions.get(session_id)
        return record.seen_ms if record is not None else 0
