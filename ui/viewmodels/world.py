"""All that lives in the host, as the window sees it: sessions, tasks, asks, notes, settings, on the UI thread.

Owns the fold of snapshots and numbered changes, and who is told: entries first, then one `Batch` for everything else.
Never asks the host for anything and never changes it. Lives as long as the window.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QDateTime, QObject, Signal

from codeg.api import (
    Activity,
    AsksChanged,
    Change,
    DayUsage,
    EntryChanged,
    NoteRecord,
    QuestionRecord,
    SessionChanged,
    SessionDeleted,
    SessionRecord,
    Settings,
    TaskChanged,
    TaskView,
    TurnFinished,
    TurnUsage,
)
from ui.orders import AgentInfo
from ui.viewmodels.asks import Ask, ask_of
from ui.viewmodels.family import Family
from ui.viewmodels.states import ALIVE, State, most_urgent, own_state, state_of_task
from ui.viewmodels.world_batch import Batch, Marks
from ui.viewmodels.world_told import Told
from ui.wording import agent_label, tr

__all__ = ["Batch", "World"]

_TITLE_FROM = 2_000
"""Characters of a task that its title is looked for in."""
_WORKING = frozenset({State.RUNNING, State.STARTING})


class World(QObject):
    """Everything live and what was read of the rest. All calls belong to the UI thread."""

    changed = Signal(object)
    """A `Batch`, once a frame at most."""
    entries_changed = Signal(str, object)
    """Session id, tuple of `ThreadChange`: before `changed` of the same frame."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._family = Family()
        self._asks: tuple[Ask, ...] = ()
        self._ask_of: dict[str, Ask] = {}
        self._askers: dict[str, tuple[Ask, ...]] = {}
        self._activity: dict[str, Activity] = {}
        self._told = Told()
        self._turns: dict[str, int] = {}
        self._agents: tuple[AgentInfo, ...] = ()
        self._labels: dict[str, str] = {}
        self._now: int | None = None

    # ---- sessions and tasks

    def session(self, session_id: str) -> SessionRecord | None:
        """One session."""
        return self._family.sessions.get(session_id)

    def sessions(self) -> tuple[SessionRecord, ...]:
        """All that are known, newest first."""
        return self._family.newest()

    def task(self, task_id: str) -> TaskView | None:
        """One task."""
        return self._family.tasks.get(task_id)

    def tasks(self) -> tuple[TaskView, ...]:
        """All that are known, in no order."""
        return tuple(self._family.tasks.values())

    def tasks_of(self, session_id: str) -> tuple[TaskView, ...]:
        """What a session delegated, oldest first."""
        return self._family.tasks_of(session_id)

    def children_of(self, session_id: str) -> tuple[str, ...]:
        """Sessions of the children of a session, oldest first."""
        return tuple(view.record.child_id for view in self.tasks_of(session_id))

    def child_session(self, task_id: str) -> str | None:
        """The conversation of a task's child."""
        view = self.task(task_id)
        return view.record.child_id if view is not None else None

    def task_of(self, session_id: str) -> TaskView | None:
        """The task whose child a session is; None for roots and outside sessions."""
        return self._family.task_of(session_id)

    def descendants(self, session_id: str) -> tuple[TaskView, ...]:
        """All tasks below a session, depth first."""
        return self._family.descendants(session_id)

    def path_of(self, session_id: str) -> tuple[str, ...]:
        """Sessions above this one, the root first."""
        return self._family.path_of(session_id)

    def live_tasks(self) -> tuple[TaskView, ...]:
        """Tasks that have not ended."""
        return tuple(view for view in self._family.live() if state_of_task(view) in ALIVE)

    def running_count(self) -> int:
        """Tasks that run or start."""
        return sum(1 for view in self._family.live() if state_of_task(view) in _WORKING)

    # ---- what waits for the person

    def asks(self) -> tuple[Ask, ...]:
        """All that waits for the person, oldest first."""
        return self._asks

    def ask(self, request_id: str) -> Ask | None:
        """One that still waits."""
        return self._ask_of.get(request_id)

    def asks_of(self, session_id: str, below: bool = False) -> tuple[Ask, ...]:
        """What waits of a session; `below`: of its whole tree."""
        if not below:
            return self._askers.get(session_id, ())
        return tuple(ask for ask in self._asks if self._stands_below(self.asker(ask), session_id))

    def asker(self, ask: Ask) -> str:
        """The session whose card shows it: that of the task's child, where a task waits for it."""
        view = self.task(ask.task_id) if ask.task_id is not None else None
        return view.record.child_id if view is not None else ask.session_id

    def _stands_below(self, session_id: str, top: str) -> bool:
        return session_id == top or top in self.path_of(session_id)

    # ---- what was told of them

    def activity(self, task_id: str) -> Activity | None:
        """What a live child does now."""
        return self._activity.get(task_id)

    def usage(self, session_id: str) -> TurnUsage | None:
        """Context and cost as its agent last told."""
        return self._told.usage.get(session_id)

    def notes(self, session_id: str) -> tuple[NoteRecord, ...]:
        """The notes left for a session, oldest first, once `orders.notes` or a change has told them."""
        return self._told.notes.get(session_id, ())

    def offered(self, session_id: str) -> tuple[NoteRecord, ...]:
        """Notes that no turn read: they are offered as the next prompt."""
        return self._told.offered_now(session_id)

    def questions(self, session_id: str) -> tuple[QuestionRecord, ...]:
        """Question sets of a session, oldest first."""
        return tuple(self._told.questions.get(session_id, {}).values())

    def turn_began(self, session_id: str) -> int | None:
        """When the running turn began, as far as this window saw it."""
        record = self.session(session_id)
        return self._turns.get(session_id) if record is not None and record.state == "running" else None

    def agents(self) -> tuple[AgentInfo, ...]:
        """The catalogue."""
        return self._agents

    def settings(self) -> Settings:
        """The settings that hold."""
        return self._told.settings

    def day(self) -> DayUsage:
        """What was spent since local midnight."""
        return self._told.day

    def now_ms(self) -> int:
        """Epoch milliseconds."""
        return self._now if self._now is not None else QDateTime.currentMSecsSinceEpoch()

    def set_now(self, now_ms: int | None) -> None:
        """Let the clock stand still at this moment, for tests and pictures; None = let it go on."""
        self._now = now_ms

    # ---- what follows from it

    def state_of_session(self, session_id: str, tree: bool = True) -> State:
        """Its own state; `tree`: the most urgent one of the session and all below it (design 5)."""
        own = self._own_state(session_id)
        return most_urgent(own, self._family.below(session_id)) if tree else own

    def _own_state(self, session_id: str) -> State:
        view = self.task_of(session_id)
        if view is not None:
            return state_of_task(view)
        record = self.session(session_id)
        if record is None:
            return State.IDLE
        return own_state(record, asks=session_id in self._askers, prompted=bool(record.title))

    def title_of(self, session_id: str) -> str:
        """The person's title, else the agent's or the task's first line, else what there is to say."""
        record, view = self.session(session_id), self.task_of(session_id)
        if record is not None and record.custom_title:
            return record.custom_title
        if view is not None:
            return _first_line(view.record.task_text) or tr("Task without a text")
        if record is None:
            return tr("Session")
        if record.title:
            return record.title
        if record.kind == "outside":
            return tr("{program} in a terminal", program=agent_label(record.host or ""))
        return tr("New session")

    def agent_name(self, session_id: str) -> str:
        """Label of the session's agent, or of the host program it lives in."""
        return self.label_of(self.agent_of(session_id))

    def agent_of(self, session_id: str) -> str:
        """Slug of the session's agent; the host program's name for an outside session."""
        record, view = self.session(session_id), self.task_of(session_id)
        if record is not None:
            return record.agent_type or record.host or ""
        return view.record.agent_type if view is not None else ""

    def label_of(self, slug: str) -> str:
        """What an agent is called."""
        return self._labels.get(slug) or agent_label(slug)

    # ---- the host's word

    def load(
        self,
        sessions: Iterable[SessionRecord],
        tasks: Iterable[TaskView],
        asks: Iterable[Mapping[str, Any]] = (),
        *,
        settings: Settings | None = None,
        agents: tuple[AgentInfo, ...] = (),
        day: DayUsage | None = None,
    ) -> None:
        """Everything anew: after opening, after a restart of the host."""
        before, self._family = self._family, Family()
        self._activity.clear()
        marks = Marks(asks=True, agents=True, settings=True, day=True)
        self._take_sessions(sessions, marks)
        for view in tasks:
            self._take_task(view, marks)
        self._take_asks(asks, marks)
        self._told.settings = settings or self._told.settings
        self._told.day = day or self._told.day
        self._take_agents(agents)
        for lost in before.sessions.keys() - self._family.sessions.keys():
            self._forget_session(lost, marks)
        marks.tasks |= before.tasks.keys()
        self._tell(marks)

    def add(self, sessions: Iterable[SessionRecord] = (), tasks: Iterable[TaskView] = ()) -> None:
        """Older ones that were read later; what is known already is newer."""
        marks = Marks()
        self._take_sessions((each for each in sessions if self.session(each.session_id) is None), marks)
        for view in tasks:
            if self.task(view.record.task_id) is None:
                self._take_task(view, marks)
        self._tell(marks)

    def apply(
        self,
        changes: Iterable[Change],
        activities: Mapping[str, Activity | None] | None = None,
        agents: tuple[AgentInfo, ...] | None = None,
    ) -> None:
        """One frame of changes, in their order; `agents`: the catalogue, where it was listed anew."""
        marks = Marks()
        for change in changes:
            self._take(change.what, marks)
        for task_id, activity in (activities or {}).items():
            self._take_activity(task_id, activity, marks)
        if agents is not None:
            self._take_agents(agents)
            marks.agents = True
        self._tell(marks)

    def set_agents(self, agents: tuple[AgentInfo, ...]) -> None:
        """The catalogue was listed again."""
        self._take_agents(agents)
        self.changed.emit(Batch(agents=True))

    def set_notes(self, session_id: str, notes: tuple[NoteRecord, ...]) -> None:
        """The notes of a session were read."""
        self._told.notes[session_id] = notes
        self.changed.emit(Batch(notes=frozenset({session_id})))

    def set_questions(self, session_id: str, questions: tuple[QuestionRecord, ...]) -> None:
        """The question sets of a session were read."""
        self._told.questions[session_id] = {record.question_id: record for record in questions}
        self.changed.emit(Batch(questions=frozenset({session_id})))

    def _tell(self, marks: Marks) -> None:
        touched = marks.sessions | marks.states
        for task_id in marks.tasks:
            view = self.task(task_id)
            if view is not None:
                touched |= {view.record.child_id, view.record.parent_id}
        marks.states = set(self._family.forget(touched))
        for session_id, told in marks.entries.items():
            self.entries_changed.emit(session_id, tuple(told))
        self.changed.emit(marks.frozen())

    def _take(self, what: object, marks: Marks) -> None:
        match what:
            case EntryChanged(session_id=session_id, change=change):
                marks.entries.setdefault(session_id, []).append(change)
            case TaskChanged(view=view):
                self._take_task(view, marks)
            case SessionChanged(record=record):
                self._take_sessions((record,), marks)
            case SessionDeleted(session_id=session_id):
                self._drop(session_id, marks)
            case AsksChanged(asks=asks):
                self._take_asks(asks, marks)
            case TurnFinished(session_id=session_id):
                marks.turns.append(what)
                marks.sessions.add(session_id)
            case _:
                self._told.take(what, marks)

    def _take_sessions(self, records: Iterable[SessionRecord], marks: Marks) -> None:
        for record in records:
            before = self.session(record.session_id)
            if record.state == "running" and (before is None or before.state != "running"):
                self._turns[record.session_id] = record.updated_ms or self.now_ms()
            self._family.put_session(record)
            marks.sessions.add(record.session_id)
            if before is not None and before.seen_ms != record.seen_ms:  # failures below were seen as well
                marks.states.update(view.record.child_id for view in self.descendants(record.session_id))

    def _take_task(self, view: TaskView, marks: Marks) -> None:
        task_id = view.record.task_id
        is_new = self.task(task_id) is None
        self._family.put_task(view)
        marks.tasks.add(task_id)
        if state_of_task(view) not in ALIVE:
            self._activity.pop(task_id, None)
        if is_new and any(ask.task_id == task_id for ask in self._asks):
            self._find_askers(marks)

    def _take_asks(self, shown: Iterable[Mapping[str, Any]], marks: Marks) -> None:
        self._asks = tuple(ask_of(one) for one in shown)
        self._ask_of = {ask.request_id: ask for ask in self._asks}
        marks.asks = True
        self._find_askers(marks)

    def _find_askers(self, marks: Marks) -> None:
        before, self._askers = self._askers, {}
        for ask in self._asks:
            asker = self.asker(ask)
            self._askers[asker] = (*self._askers.get(asker, ()), ask)
        marks.states |= before.keys() | self._askers.keys()

    def _take_activity(self, task_id: str, activity: Activity | None, marks: Marks) -> None:
        marks.activity.add(task_id)
        view = self.task(task_id)
        if activity is None or view is None or state_of_task(view) not in ALIVE:
            self._activity.pop(task_id, None)
        else:
            self._activity[task_id] = activity

    def _drop(self, session_id: str, marks: Marks) -> None:
        above = self._family.parent_of(session_id)
        gone = self._family.drop_session(session_id)
        marks.tasks |= gone
        for task_id in gone:
            self._activity.pop(task_id, None)
        if above is not None:
            marks.states.add(above)
        self._forget_session(session_id, marks)

    def _forget_session(self, session_id: str, marks: Marks) -> None:
        marks.gone.add(session_id)
        self._told.forget(session_id)
        self._turns.pop(session_id, None)

    def _take_agents(self, agents: tuple[AgentInfo, ...]) -> None:
        self._agents = agents
        self._labels = {agent.slug: agent.label for agent in agents}


def _first_line(text: str) -> str:
    """Of a task; only its beginning is looked at, since this is asked for by every row that is painted."""
    return text[:_TITLE_FROM].strip().split("\n", 1)[0]
