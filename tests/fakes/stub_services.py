"""Services for tests of the doors: a ledger of views that the test moves by hand, and small truthful parts around it.

They keep the promises of `codeg.runtime.services`: each ref is answered at most once and later than it was asked, a forgotten one never;
foreign and unknown ids read `Unknown`; a wait is answered as soon as one of its tasks is at an end.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from codeg.broker.codes import END_STATUSES, Phase, Status
from codeg.broker.events import CallReceived, CancelRequested, Event, ResumeRequested, StatusAsked
from codeg.broker.tasks import Answer, End, Limits, Parent, Refused, TaskRecord, TaskView, Unknown
from codeg.runtime.services import Activity, Services, Slice, UserError
from codeg.sessions.types import AgentDefinition, ProcessStarted
from codeg.store.records import SessionRecord, Write
from codeg.store.store import Store

T = TypeVar("T")
Answered = Callable[[tuple[Answer, ...]], None]
BIRTH_MS = 1_700_000_000_125


def view_of(task_id: str, parent_id: str = "root", status: Status = Status.RUNNING, **more: Any) -> TaskView:
    """A task of `parent_id`; an ended one has an end. `text_bytes`, `message` and fields of the record as named."""
    text_bytes, message = more.pop("text_bytes", 0), more.pop("message", None)
    ended = status in END_STATUSES
    record = TaskRecord(
        task_id=task_id,
        parent_id=parent_id,
        root_id=parent_id,
        depth=1,
        agent_type="demo",
        task_text="do it",
        working_dir="/",
        explicit_dir=None,
        child_id=f"child-of-{task_id}",
        phase=Phase.ENDED if ended else Phase.RUNNING,
        attempt=1,
        created_ms=BIRTH_MS,
        started_ms=BIRTH_MS + 1_000,
        ended_ms=BIRTH_MS + 3_000 if ended else None,
        end=End(status, message=message, text_bytes=text_bytes) if ended else None,
    )
    return TaskView(replace(record, **more), status)


class StubBroker:
    """`views`: what the ledger holds; `stored`: what only the store holds. `held`: refs that wait."""

    def __init__(self) -> None:
        self.views: dict[str, TaskView] = {}
        self.stored: dict[str, TaskView] = {}
        self.texts: dict[str, bytes] = {}
        self.activities: dict[str, Activity] = {}
        self.events: list[Event] = []
        self.forgotten: list[int] = []
        self.held: dict[int, tuple[StatusAsked, Answered]] = {}
        self.reads: list[tuple[str, int, int]] = []
        self.hold_calls = False
        self.calls: dict[int, tuple[CallReceived, Answered]] = {}
        self.recall_gate: asyncio.Event | None = None
        self._refs = 0
        self._waiting: dict[int, Answered] = {}

    def post(self, event: Event) -> None:
        self.events.append(event)

    def ask(self, make: Callable[[int], Event], answered: Answered) -> int:
        self._refs += 1
        ref = self._refs
        event = make(ref)
        self.events.append(event)
        self._waiting[ref] = answered
        match event:
            case StatusAsked():
                self._status(ref, event, answered)
            case CallReceived():
                if self.hold_calls:
                    self.calls[ref] = (event, answered)
                else:
                    self._later(ref, (self._called(event),))
            case CancelRequested() | ResumeRequested():
                self._later(ref, (self._one(event),))
            case _:
                raise AssertionError(f"nobody asks with {event}")
        return ref

    def forget(self, ref: int) -> None:
        self.forgotten.append(ref)
        self._waiting.pop(ref, None)
        self.held.pop(ref, None)
        self.calls.pop(ref, None)

    async def recall(self, task_ids: Iterable[str]) -> None:
        if self.recall_gate is not None:
            await self.recall_gate.wait()
        for task_id in task_ids:
            if task_id in self.stored:
                self.views.setdefault(task_id, self.stored[task_id])

    def view(self, task_id: str) -> TaskView | None:
        return self.views.get(task_id)

    def activity(self, task_id: str) -> Activity | None:
        return self.activities.get(task_id)

    async def result(self, task_id: str, offset: int, limit: int) -> bytes:
        return (await self.results([(task_id, offset, limit)]))[0]

    async def results(self, wanted: Sequence[Slice]) -> list[bytes]:
        self.reads += wanted
        return [self.texts.get(task_id, b"")[offset : offset + limit] for task_id, offset, limit in wanted]

    # ---- what the test does

    def add(self, view: TaskView, text: bytes = b"") -> None:
        """A task; `text` is stored for it, and its size told by its end."""
        if text and view.record.end is not None:
            view = replace(view, record=replace(view.record, end=replace(view.record.end, text_bytes=len(text))))
        self.views[view.record.task_id] = view
        self.texts[view.record.task_id] = text
        for ref, (asked, answered) in tuple(self.held.items()):
            if view.record.task_id in asked.task_ids:
                del self.held[ref]
                self._status(ref, asked, answered)

    def finish(self, task_id: str, text: bytes = b"done") -> None:
        """The task completes."""
        parent_id = self.views[task_id].record.parent_id
        self.add(view_of(task_id, parent_id, Status.COMPLETED), text)

    def accept(self, ref: int) -> None:
        """Acknowledge a held call."""
        event, _ = self.calls.pop(ref)
        self._later(ref, (self._called(event),))

    def asked(self, kind: type[T]) -> list[T]:
        """Events of this kind, in order."""
        return [event for event in cast("list[Any]", self.events) if isinstance(event, kind)]

    # ---- inside

    def _status(self, ref: int, event: StatusAsked, answered: Answered) -> None:
        answers = tuple(self._seen(task_id, event.readers) for task_id in event.task_ids)
        settled = any(not isinstance(a, TaskView) or a.status in END_STATUSES or a.blocks for a in answers)
        if event.until is None or settled:
            self._later(ref, answers)
        else:
            self.held[ref] = (event, answered)

    def _called(self, event: CallReceived) -> Answer:
        if event.refusal is not None:
            return Refused(*event.refusal)
        if event.keyed_record is not None:
            return self.views[event.keyed_record.task_id]
        view = view_of(
            event.task_id, event.parent.parent_id, working_dir=event.working_dir, agent_type=event.agent_type
        )
        self.views[event.task_id] = view
        return view

    def _one(self, event: CancelRequested | ResumeRequested) -> Answer:
        answer = self._seen(event.task_id, event.readers)
        if isinstance(event, ResumeRequested) and event.refusal is not None and isinstance(answer, TaskView):
            return Refused(*event.refusal, view=answer)
        return answer

    def _seen(self, task_id: str, readers: frozenset[str] | None) -> Answer:
        view = self.views.get(task_id)
        if view is None or (readers is not None and view.record.parent_id not in readers):
            return Unknown(task_id)
        return view

    def _later(self, ref: int, answers: tuple[Answer, ...]) -> None:
        def give() -> None:
            answered = self._waiting.pop(ref, None)
            if answered is not None:
                answered(answers)

        asyncio.get_running_loop().call_soon(give)


class StubSessions:
    """One root session `root`; others as they are saved."""

    def __init__(self, folder: str) -> None:
        self.gone_for_good: set[str] = set()
        self.held: dict[str, SessionRecord] = {}
        self.running: list[tuple[ProcessStarted, str]] = []
        self.fault: Exception | None = None
        self.add("root", folder)

    def is_deleted(self, session_id: str) -> bool:
        return session_id in self.gone_for_good

    def add(self, session_id: str, folder: str, **more: Any) -> SessionRecord:
        record = SessionRecord(
            session_id=session_id,
            kind="root",
            folder=folder,
            state="running",
            created_ms=BIRTH_MS,
            updated_ms=BIRTH_MS,
            root_id=session_id,
            agent_type="demo",
        )
        self.held[session_id] = replace(record, **more)
        return self.held[session_id]

    def parent(self, session_id: str) -> Parent | None:
        record = self.held.get(session_id)
        if record is None:
            return None
        return Parent(session_id, record.root_id, record.depth, record.folder, outside=record.kind == "outside")

    def get(self, session_id: str) -> SessionRecord | None:
        return self.held.get(session_id)

    async def save(self, record: SessionRecord) -> None:
        if self.fault is not None:
            raise self.fault
        self.held[record.session_id] = record

    async def page(self, limit: int = 500) -> tuple[SessionRecord, ...]:
        return tuple(self.held.values())[:limit]

    def groups(self, session_id: str) -> tuple[str, ...]:
        record = self.held.get(session_id)
        if record is None:
            return ()
        return ("delegation", "ask", "feedback") if record.depth < 2 else ("ask", "feedback")

    def processes(self) -> tuple[tuple[ProcessStarted, str], ...]:
        return tuple(self.running)


class StubDesk:
    """Questions wait until the test answers them."""

    def __init__(self) -> None:
        self.questions: list[tuple[Sequence[str], Any, str | None, float | None]] = []
        self.answered = asyncio.Event()
        self.dropped = 0
        self.waiting: list[dict[str, Any]] = []
        self.notes: list[dict[str, Any]] = []
        self.committed: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        self.answers: list[tuple[str, str | None, Any, bool]] = []
        self.open: dict[str, tuple[str, tuple[dict[str, Any], ...]]] = {}
        """Asker and questions by id."""

    async def ask(
        self,
        session_ids: Sequence[str],
        questions: Sequence[dict[str, Any]] | None,
        question_id: str | None,
        wait_s: float | None,
    ) -> dict[str, Any]:
        self.questions.append((tuple(session_ids), questions, question_id, wait_s))
        if question_id == "foreign":
            raise UserError("invalid_arguments", "question_id is none of yours.")
        if wait_s is not None:
            return {"state": "pending", "question_id": "q1", "answers": []}
        try:
            await self.answered.wait()
        except asyncio.CancelledError:
            self.dropped += 1
            raise
        return {
            "state": "answered",
            "question_id": "q1",
            "answers": [{"question": "?", "header": "", "selected": ["A"]}],
        }

    def own_questions(self, session_id: str, question_id: str) -> tuple[dict[str, Any], ...] | None:
        asker, questions = self.open.get(question_id, ("", ()))
        return questions if asker == session_id else None

    async def answer_own(
        self, session_id: str, question_id: str, answers: Sequence[dict[str, Any]] | None
    ) -> dict[str, Any]:
        if self.own_questions(session_id, question_id) is None:
            raise UserError("invalid_arguments", f"No question of yours has the id {question_id}.")
        self.answers.append((question_id, None, answers, answers is None))
        state = "declined" if answers is None else "answered"
        return {"state": state, "question_id": question_id, "answers": list(answers or [])}

    async def feedback(self, session_ids: Sequence[str]) -> list[dict[str, Any]]:
        return [note for note in self.notes if note["session"] in session_ids]

    async def commit_feedback(self, session_ids: Sequence[str], ids: Sequence[str]) -> None:
        self.committed.append((tuple(session_ids), tuple(ids)))

    def asks(self) -> list[dict[str, Any]]:
        return self.waiting

    async def answer(
        self, request_id: str, option: str | None, answers: Sequence[dict[str, Any]] | None, *, decline: bool
    ) -> None:
        if request_id == "closed":
            raise UserError("invalid_arguments", "That request was answered already.")
        self.answers.append((request_id, option, answers, decline))

    async def note(self, session_id: str, text: str) -> str:
        if not text:
            raise UserError("invalid_arguments", "A note needs a text.")
        return f"note-for-{session_id}"

    async def ask_folder(self, session_id: str, task_id: str, request_id: str, folder: str, title: str) -> None:
        raise AssertionError("the doors never ask for a folder")


class StubCatalogue:
    """`demo` and `codex` can start; `custom:off` is disabled, `gemini` is not installed, `quiet` may not delegate."""

    def __init__(self) -> None:
        self.agents = {
            "demo": AgentDefinition("demo", "Demo", ("demo",)),
            "codex": AgentDefinition("codex", "Codex", ("codex",)),
            "custom:off": AgentDefinition("custom:off", "Off", ("off",), enabled=False),
            "gemini": AgentDefinition("gemini", "Gemini", ("gemini",), install="Install it by hand."),
            "quiet": AgentDefinition("quiet", "Quiet", ("quiet",), delegate=False),
        }
        self.missing = {"gemini"}

    def find(self, slug: str) -> AgentDefinition | None:
        return self.agents.get(slug)

    def installed(self, slug: str) -> bool:
        return slug not in self.missing

    async def look_ready(self) -> None: ...

    def why_missing(self, slug: str) -> str:
        return f"{slug} was not found in /bin. {self.agents[slug].install}"

    def enabled_slugs(self) -> tuple[str, ...]:
        return tuple(slug for slug, agent in self.agents.items() if agent.enabled)

    def custom_and_disabled(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (), ()

    def listing(self) -> list[dict[str, Any]]:
        return [{"slug": slug} for slug in self.agents]


class StubRuns:
    """One run, `run-1`, whose events the test fills."""

    def __init__(self) -> None:
        self.started: list[tuple[str, str, str, bool, bool]] = []
        self.log: list[dict[str, Any]] = []
        self.canceled: list[str] = []

    async def start(self, agent: str, cwd: str, prompt: str, *, yes: bool, person: bool) -> str:
        if agent == "nobody":
            raise UserError("invalid_agent_type", "There is no agent nobody.")
        self.started.append((agent, cwd, prompt, yes, person))
        return "run-1"

    async def events(self, session_id: str, after: int, wait_s: float) -> tuple[list[dict[str, Any]], int, bool]:
        if after >= len(self.log) and wait_s:
            await asyncio.Event().wait()
        return self.log[after:], len(self.log), bool(self.log) and self.log[-1]["event"] == "end"

    async def cancel(self, session_id: str) -> None:
        self.canceled.append(session_id)


class StubDatabase:
    """A real store in memory of the test, on the loop's thread."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.fault: Exception | None = None
        self.gate: asyncio.Event | None = None

    async def run(self, work: Callable[[Store], T]) -> T:
        if self.gate is not None:
            await self.gate.wait()
        if self.fault is not None:
            raise self.fault
        return work(self.store)

    def write(self, writes: Sequence[Write]) -> None:
        self.store.commit(writes)

    async def commit(self, writes: Sequence[Write]) -> None:
        self.store.commit(writes)


@dataclass
class StubParts:
    """All of them, typed as what they are, and `services` for the doors."""

    folder: str
    store: Store
    broker: StubBroker = field(default_factory=StubBroker)
    desk: StubDesk = field(default_factory=StubDesk)
    catalogue: StubCatalogue = field(default_factory=StubCatalogue)
    runs: StubRuns = field(default_factory=StubRuns)
    limits: Limits = field(default_factory=Limits)
    rule: str = "ask"
    stopped: int = 0
    window: bool = False

    def __post_init__(self) -> None:
        self.sessions = StubSessions(self.folder)
        self.database = StubDatabase(self.store)
        self.services = Services(
            broker=self.broker,
            sessions=self.sessions,
            desk=self.desk,
            catalogue=self.catalogue,
            runs=self.runs,
            database=self.database,
            limits=lambda: self.limits,
            outside_folder=lambda: self.rule,
            stop_host=self._stop,
            raise_window=lambda: self.window,
            attended=lambda: self.window,
        )

    async def _stop(self) -> None:
        self.stopped += 1
