"""All that lives in the host, as the window sees it: sessions, tasks, asks, notes, settings, on the UI thread.

Owns the fold of snapshots and numbered changes, and who is told: entries first, then one `Batch` for everything else.
Never asks the host for anything and never changes it. Lives as long as the window.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QDateTime, QObject, Signal

from codeg.api import (
    Activity,
    AgentsChanged,
    AsksChanged,
    Change,
    DayUsage,
    DayUsageChanged,
    EntryChanged,
    NoteRecord,
    NotesChanged,
    NotesOffered,
    OptionsChanged,
    QuestionChanged,
    QuestionRecord,
    SessionChanged,
    SessionDeleted,
    SessionRecord,
    Settings,
    SettingsChanged,
    TaskChanged,
    TaskView,
    ThreadChange,
    TurnFinished,
    TurnUsage,
    UsageChanged,
)
from ui.orders import AgentInfo
from ui.viewmodels.asks import Ask, ask_of
from ui.viewmodels.family import Family
from ui.viewmodels.states import ALIVE, State, most_urgent, own_state, state_of_task
from ui.wording import agent_label, tr


@dataclass(frozen=True, slots=True)
class Batch:
    """What one frame changed: ids of sessions and tasks, and whether asks, agents, settings, the day's cost did."""

    sessions: frozenset[str] = frozenset()
    tasks: frozenset[str] = frozenset()
    activity: frozenset[str] = frozenset()
    usage: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()
    questions: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    turns: tuple[TurnFinished, ...] = ()
    asks: bool = False
    agents: bool = False
    settings: bool = False
    day: bool = False


@dataclass(slots=True)
class _Marks:
    """A batch that is being gathered."""

    sessions: set[str] = field(default_factory=set[str])
    tasks: set[str] = field(default_factory=set[str])
    activity: set[str] = field(default_factory=set[str])
    usage: set[str] = field(default_factory=set[str])
    notes: set[str] = field(default_factory=set[str])
    options: set[str] = field(default_factory=set[str])
    questions: set[str] = field(default_factory=set[str])
    gone: set[str] = field(default_factory=set[str])
    turns: list[TurnFinished] = field(default_factory=list[TurnFinished])
    entries: dict[str, list[ThreadChange]] = field(default_factory=dict[str, list[ThreadChange]])
    asks: bool = False
    agents: bool = False
    settings: bool = False
    day: bool = False

    def frozen(self) -> Batch:
        return Batch(
            sessions=frozenset(self.sessions),
            tasks=frozenset(self.tasks),
            activity=frozenset(self.activity),
            usage=frozenset(self.usage),
            notes=frozenset(self.notes),
            options=frozenset(self.options),
            questions=frozenset(self.questions),
            gone=frozenset(self.gone),
            turns=tuple(self.turns),
            asks=self.asks,
            agents=self.agents,
            settings=self.settings,
            day=self.day,
        )


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
        self._activity: dict[str, Activity] = {}
        self._usage: dict[str, TurnUsage] = {}
        self._notes: dict[str, tuple[NoteRecord, ...]] = {}
        self._offered: dict[str, tuple[NoteRecord, ...]] = {}
        self._questions: dict[str, dict[str, QuestionRecord]] = {}
        self._turns: dict[str, int] = {}
        self._agents: tuple[AgentInfo, ...] = ()
        self._labels: dict[str, str] = {}
        self._settings = Settings()
        self._day = DayUsage()
        self._shift = 0
        self._states: dict[str, State] = {}

    # ---- what is

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
        """All that are known."""
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

    def asks(self) -> tuple[Ask, ...]:
        """All that waits for the person, oldest first."""
        return self._asks

    def ask(self, request_id: str) -> Ask | None:
        """One that still waits."""
        return next((ask for ask in self._asks if ask.request_id == request_id), None)

    def asks_of(self, session_id: str, below: bool = False) -> tuple[Ask, ...]:
        """What waits of a session; `below`: of its whole tree."""
        if not below:
            return tuple(ask for ask in self._asks if self.asker(ask) == session_id)
        return tuple(ask for ask in self._asks if self._stands_below(self.asker(ask), session_id))

    def asker(self, ask: Ask) -> str:
        """The session whose agent waits: that of a task's child, where the ask belongs to a task."""
        return ask.session_id

    def activity(self, task_id: str) -> Activity | None:
        """What a live child does now."""
        return self._activity.get(task_id)

    def usage(self, session_id: str) -> TurnUsage | None:
        """Context and cost as its agent last told."""
        return self._usage.get(session_id)

    def notes(self, session_id: str) -> tuple[NoteRecord, ...]:
        """The notes left for a session, oldest first."""
        return self._notes.get(session_id, ())

    def offered(self, session_id: str) -> tuple[NoteRecord, ...]:
        """Notes that no turn read: they are offered as the next prompt."""
        pending = {note.note_id for note in self.notes(session_id) if note.delivered_ms is None}
        return tuple(note for note in self._offered.get(session_id, ()) if note.note_id in pending or not pending)

    def questions(self, session_id: str) -> tuple[QuestionRecord, ...]:
        """Question sets of a session, oldest first."""
        return tuple(self._questions.get(session_id, {}).values())

    def agents(self) -> tuple[AgentInfo, ...]:
        """The catalogue."""
        return self._agents

    def settings(self) -> Settings:
        """The settings that hold."""
        return self._settings

    def day(self) -> DayUsage:
        """What was spent since local midnight."""
        return self._day

    def now_ms(self) -> int:
        """Epoch milliseconds; tests set the clock."""
        return QDateTime.currentMSecsSinceEpoch() + self._shift

    def set_now(self, now_ms: int) -> None:
        """Make it this moment (tests and pictures)."""
        self._shift = now_ms - QDateTime.currentMSecsSinceEpoch()

    def turn_began(self, session_id: str) -> int | None:
        """When the running turn began, as far as this window saw it."""
        record = self.session(session_id)
        return self._turns.get(session_id) if record is not None and record.state == "running" else None

    def running_count(self) -> int:
        """Tasks that run or start."""
        return sum(1 for view in self._family.live() if state_of_task(view) in {State.RUNNING, State.STARTING})

    def live_tasks(self) -> tuple[TaskView, ...]:
        """Tasks that have not ended."""
        return tuple(view for view in self._family.live() if state_of_task(view) in ALIVE)

    # ---- what follows from it

    def state_of_session(self, session_id: str, tree: bool = True) -> State:
        """Its own state; `tree`: the most urgent one of the session and all below it (design 5)."""
        if not tree:
            return self._own_state(session_id)
        known = self._states.get(session_id)
        if known is None:
            known = self._states[session_id] = self._tree_state(session_id)
        return known

    def _tree_state(self, session_id: str) -> State:
        seen = self._family.seen_ms(session_id)
        below = {
            state
            for view in self.descendants(session_id)
            if (state := state_of_task(view)) in ALIVE
            or (state is State.FAILED and (view.record.ended_ms or 0) > seen)
            or state is State.INTERRUPTED
        }
        return most_urgent(self._own_state(session_id), frozenset(below))

    def _own_state(self, session_id: str) -> State:
        view = self.task_of(session_id)
        if view is not None:
            return state_of_task(view)
        record = self.session(session_id)
        if record is None:
            return State.IDLE
        return own_state(record, asks=bool(self.asks_of(session_id)), prompted=bool(record.title))

    def title_of(self, session_id: str) -> str:
        """The person's title, else the agent's or the task's first line, else what there is to say."""
        record, view = self.session(session_id), self.task_of(session_id)
        if record is not None and record.custom_title:
            return record.custom_title
        if view is not None:
            return view.record.task_text.strip().split("\n", 1)[0] or tr("Task without a text")
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

    def _stands_below(self, session_id: str, top: str) -> bool:
        return session_id == top or top in self.path_of(session_id)

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
        """Everything at once: after opening, after a restart of the host."""
        self._family = Family()
        marks = _Marks(asks=True, agents=True, settings=True, day=True)
        self._take_sessions(sessions, marks)
        for view in tasks:
            self._take_task(view, marks)
        self._asks = tuple(ask_of(shown) for shown in asks)
        self._activity.clear()
        self._states.clear()
        self._settings = settings or self._settings
        self._day = day or self._day
        self._take_agents(agents)
        self.changed.emit(marks.frozen())

    def add(self, sessions: Iterable[SessionRecord] = (), tasks: Iterable[TaskView] = ()) -> None:
        """Older ones that were read later; what is known already is newer."""
        marks = _Marks()
        self._take_sessions((each for each in sessions if each.session_id not in self._family.sessions), marks)
        for view in tasks:
            if view.record.task_id not in self._family.tasks:
                self._take_task(view, marks)
        self._states.clear()
        self.changed.emit(marks.frozen())

    def apply(self, changes: Iterable[Change], activities: Mapping[str, Activity | None] | None = None) -> None:
        """One frame of changes, in their order."""
        marks = _Marks()
        for change in changes:
            self._take(change.what, marks)
        for task_id, activity in (activities or {}).items():
            marks.activity.add(task_id)
            if activity is None:
                self._activity.pop(task_id, None)
            else:
                self._activity[task_id] = activity
        self._forget_states(marks)
        for session_id, told in marks.entries.items():
            self.entries_changed.emit(session_id, tuple(told))
        self.changed.emit(marks.frozen())

    def set_agents(self, agents: tuple[AgentInfo, ...]) -> None:
        """The catalogue was listed again."""
        self._take_agents(agents)
        self.changed.emit(Batch(agents=True))

    def set_notes(self, session_id: str, notes: tuple[NoteRecord, ...]) -> None:
        """The notes of a session were read."""
        self._notes[session_id] = notes
        self.changed.emit(Batch(notes=frozenset({session_id})))

    def set_questions(self, session_id: str, questions: tuple[QuestionRecord, ...]) -> None:
        """The question sets of a session were read."""
        self._questions[session_id] = {record.question_id: record for record in questions}
        self.changed.emit(Batch(questions=frozenset({session_id})))

    def _take(self, what: object, marks: _Marks) -> None:
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
                self._asks = tuple(ask_of(shown) for shown in asks)
                marks.asks = True
            case TurnFinished(session_id=session_id):
                marks.turns.append(what)
                marks.sessions.add(session_id)
            case _:
                self._take_rare(what, marks)

    def _take_rare(self, what: object, marks: _Marks) -> None:
        match what:
            case UsageChanged(session_id=session_id, usage=usage):
                self._usage[session_id] = usage
                marks.usage.add(session_id)
            case OptionsChanged(session_id=session_id):
                marks.options.add(session_id)
            case NotesChanged(session_id=session_id, notes=notes):
                self._notes[session_id] = notes
                marks.notes.add(session_id)
            case NotesOffered(session_id=session_id, notes=notes):
                self._offered[session_id] = notes
                marks.notes.add(session_id)
            case QuestionChanged(record=record):
                self._questions.setdefault(record.session_id, {})[record.question_id] = record
                marks.questions.add(record.session_id)
            case SettingsChanged(settings=settings):
                self._settings = settings
                marks.settings = True
            case AgentsChanged():
                marks.agents = True
            case DayUsageChanged(usage=usage):
                self._day = usage
                marks.day = True
            case _:
                pass

    def _take_sessions(self, records: Iterable[SessionRecord], marks: _Marks) -> None:
        for record in records:
            before = self.session(record.session_id)
            if record.state == "running" and (before is None or before.state != "running"):
                self._turns[record.session_id] = record.updated_ms or self.now_ms()
            self._family.put_session(record)
            marks.sessions.add(record.session_id)

    def _take_task(self, view: TaskView, marks: _Marks) -> None:
        self._family.put_task(view)
        marks.tasks.add(view.record.task_id)
        if state_of_task(view) not in ALIVE:
            self._activity.pop(view.record.task_id, None)

    def _drop(self, session_id: str, marks: _Marks) -> None:
        marks.tasks.update(self._family.drop_session(session_id))
        marks.gone.add(session_id)
        for held in (self._usage, self._notes, self._offered, self._questions, self._turns, self._states):
            held.pop(session_id, None)

    def _take_agents(self, agents: tuple[AgentInfo, ...]) -> None:
        self._agents = agents
        self._labels = {agent.slug: agent.label for agent in agents}

    def _forget_states(self, marks: _Marks) -> None:
        """States follow from the tree: those of what changed and all above it are found anew."""
        if marks.asks or marks.gone:
            self._states.clear()
            return
        stale = set(marks.sessions)
        for task_id in marks.tasks:
            view = self.task(task_id)
            if view is not None:
                stale |= {view.record.child_id, view.record.parent_id}
        for session_id in stale:
            self._states.pop(session_id, None)
            for above in self.path_of(session_id):
                self._states.pop(above, None)
