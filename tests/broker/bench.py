"""A ledger on a bench: a clock that is set by hand, short words for events, and everything that came out."""

import math
from dataclasses import replace
from itertools import count
from typing import Any, TypeVar

from codeg.broker.codes import BlockKind, Code, Phase, Status
from codeg.broker.effects import Announce, Effect, Persist, Reply, SendPrompt, SpawnChild, StopChild, WakeAt
from codeg.broker.events import (
    CallReceived,
    CancelRequested,
    ChildBlocked,
    ChildGone,
    ChildSpawned,
    ChildUnblocked,
    Event,
    FollowUpRequested,
    PromptAccepted,
    ResumeRequested,
    SessionReady,
    StartRequested,
    StatusAsked,
    TimePassed,
    TurnEnded,
)
from codeg.broker.ledger import Ledger
from codeg.broker.tasks import (
    Answer,
    Block,
    End,
    Limits,
    Now,
    Parent,
    ProcessIdentity,
    Refused,
    TaskRecord,
    TaskView,
    Unknown,
)

E = TypeVar("E")
ROOT = Parent("root", "root", 0, "/work")
OTHER = Parent("other", "other", 0, "/work")
OUTSIDE = Parent("outside", "outside", 0, "/work", outside=True)
PROCESS = ProcessIdentity("boot", 100, 1, 101, 2)
FOREVER = math.inf


class Bench:
    def __init__(self, limits: Limits | None = None, keep_ended: int = 2_000) -> None:
        self.ledger = Ledger(limits or Limits(), keep_ended)
        self.wall_ms, self.mono = 1_000_000, 1_000.0
        self.stream: list[Effect] = []
        self.replies: dict[int, tuple[Answer, ...]] = {}
        self._refs, self._ids = count(1), count(1)

    # The clock and the stream.

    def apply(self, event: Event) -> tuple[Effect, ...]:
        effects = self.ledger.apply(event, Now(self.wall_ms, self.mono))
        for effect in effects:
            if isinstance(effect, Reply):
                assert effect.ref not in self.replies, "a second answer"
                self.replies[effect.ref] = effect.answers
        self.stream += effects
        return effects

    def advance(self, seconds: float) -> tuple[Effect, ...]:
        self.mono += seconds
        self.wall_ms += int(seconds * 1000)
        return self.apply(TimePassed())

    def wake_at(self) -> float:
        return [effect.mono for effect in self.stream if isinstance(effect, WakeAt)][-1]

    def ref(self) -> int:
        return next(self._refs)

    # Calls.

    def event(self, parent: Parent = ROOT, task: str = "do it", agent: str = "demo", **more: Any) -> CallReceived:
        number = next(self._ids)
        base = CallReceived(self.ref(), parent, f"t{number}", f"c{number}", agent, task, "/work", digest=task)
        return replace(base, **more)

    def receive(self, parent: Parent = ROOT, task: str = "do it", agent: str = "demo", **more: Any) -> Answer:
        event = self.event(parent, task, agent, **more)
        self.apply(event)
        return self.replies[event.ref][0]

    def call(self, parent: Parent = ROOT, task: str = "do it", agent: str = "demo", **more: Any) -> str:
        answer = self.receive(parent, task, agent, **more)
        assert isinstance(answer, TaskView), answer
        return answer.record.task_id

    def refuse(self, parent: Parent = ROOT, task: str = "do it", agent: str = "demo", **more: Any) -> Refused:
        answer = self.receive(parent, task, agent, **more)
        assert isinstance(answer, Refused), answer
        return answer

    def running(self, parent: Parent = ROOT, task: str = "do it", **more: Any) -> str:
        return self.run(self.call(parent, task, **more))

    def child(self, task_id: str) -> Parent:
        """The child of this task as a parent."""
        record = self.record(task_id)
        return Parent(record.child_id, record.root_id, record.depth, "/work")

    # The child's side.

    def attempt(self, task_id: str) -> int:
        return self.record(task_id).attempt

    def spawned(self, task_id: str) -> tuple[Effect, ...]:
        return self.apply(ChildSpawned(task_id, self.attempt(task_id), PROCESS))

    def ready(self, task_id: str, via: str = "load") -> tuple[Effect, ...]:
        return self.apply(SessionReady(task_id, self.attempt(task_id), f"session-{task_id}", via))

    def accepted(self, task_id: str) -> tuple[Effect, ...]:
        return self.apply(PromptAccepted(task_id, self.attempt(task_id)))

    def prompted(self, task_id: str, via: str = "load") -> str:
        """Spawned, its session open, its prompt on the way."""
        self.spawned(task_id)
        self.ready(task_id, via)
        return task_id

    def run(self, task_id: str, via: str = "load") -> str:
        self.prompted(task_id, via)
        self.accepted(task_id)
        return task_id

    def end_turn(self, task_id: str, text: bytes = b"done", reason: str = "end_turn", **more: Any) -> None:
        event = TurnEnded(task_id, self.attempt(task_id), reason, text)
        self.apply(replace(event, **more))

    def gone(self, task_id: str, text: bytes = b"") -> tuple[Effect, ...]:
        return self.apply(ChildGone(task_id, self.attempt(task_id), text))

    def finish(self, task_id: str, text: bytes = b"done") -> str:
        self.end_turn(task_id, text)
        self.gone(task_id)
        return task_id

    def block(self, task_id: str, request_id: str = "r1", kind: BlockKind = BlockKind.PERMISSION) -> None:
        block = Block(kind, request_id, "write a file", self.wall_ms)
        self.apply(ChildBlocked(task_id, self.attempt(task_id), block))

    def unblock(self, task_id: str, request_id: str = "r1") -> None:
        self.apply(ChildUnblocked(task_id, self.attempt(task_id), request_id))

    # Questions.

    def readers(self, task_id: str) -> frozenset[str]:
        return frozenset({self.record(task_id).parent_id})

    def ask(
        self, *task_ids: str, until: float | None = None, readers: frozenset[str] | None = frozenset({"root"})
    ) -> int:
        ref = self.ref()
        self.apply(StatusAsked(ref, readers, task_ids, until))
        return ref

    def wait(
        self, *task_ids: str, seconds: float = FOREVER, readers: frozenset[str] | None = frozenset({"root"})
    ) -> int:
        return self.ask(*task_ids, until=self.mono + seconds, readers=readers)

    def listen(self, task_id: str) -> int:
        """A wait of the program beside its model."""
        ref = self.ref()
        self.apply(StatusAsked(ref, frozenset({"root"}), (task_id,), self.mono + FOREVER, listens=True))
        return ref

    def cancel(self, task_id: str, readers: frozenset[str] | None = None) -> int:
        ref = self.ref()
        self.apply(CancelRequested(ref, readers, task_id))
        return ref

    def resume(self, task_id: str, readers: frozenset[str] | None = None, **more: Any) -> int:
        ref = self.ref()
        self.apply(replace(ResumeRequested(ref, readers, task_id, None), **more))
        return ref

    def follow_up(self, task_id: str, text: str = "and then?", **more: Any) -> int:
        ref = self.ref()
        self.apply(replace(FollowUpRequested(ref, task_id, text, None), **more))
        return ref

    def start_now(self, task_id: str) -> int:
        ref = self.ref()
        self.apply(StartRequested(ref, task_id))
        return ref

    # What came of it.

    def answers(self, ref: int) -> list[TaskView | Unknown]:
        found: list[TaskView | Unknown] = []
        for answer in self.replies[ref]:
            assert not isinstance(answer, Refused), answer
            found.append(answer)
        return found

    def answered(self, ref: int) -> TaskView:
        (answer,) = self.replies[ref]
        assert isinstance(answer, TaskView), answer
        return answer

    def refused(self, ref: int) -> Refused:
        (answer,) = self.replies[ref]
        assert isinstance(answer, Refused), answer
        return answer

    def view(self, task_id: str) -> TaskView:
        view = self.ledger.view(task_id)
        assert view is not None
        return view

    def record(self, task_id: str) -> TaskRecord:
        return self.view(task_id).record

    def phase(self, task_id: str) -> Phase:
        return self.record(task_id).phase

    def status(self, task_id: str) -> Status:
        return self.view(task_id).status

    def end(self, task_id: str) -> End:
        end = self.record(task_id).end
        assert end is not None
        return end

    def code(self, task_id: str) -> Code | None:
        return self.end(task_id).code

    def spawns(self, task_id: str) -> list[SpawnChild]:
        return [effect for effect in of(self.stream, SpawnChild) if effect.record.task_id == task_id]

    def prompts(self, task_id: str) -> list[SendPrompt]:
        return [effect for effect in of(self.stream, SendPrompt) if effect.task_id == task_id]

    def stops(self, task_id: str) -> list[StopChild]:
        return [effect for effect in of(self.stream, StopChild) if effect.task_id == task_id]

    def stored(self, task_id: str) -> list[Persist]:
        return [effect for effect in of(self.stream, Persist) if effect.record.task_id == task_id]

    def text(self, task_id: str) -> bytes:
        """The text in the store."""
        return next((effect.text for effect in reversed(self.stored(task_id)) if effect.text is not None), b"")

    def told(self, task_id: str) -> list[TaskView]:
        return [effect.view for effect in of(self.stream, Announce) if effect.view.record.task_id == task_id]


def of(effects: "list[Effect] | tuple[Effect, ...]", kind: type[E]) -> list[E]:
    return [effect for effect in effects if isinstance(effect, kind)]


def statuses(answers: "list[TaskView | Unknown]") -> list[Status]:
    return [answer.status if isinstance(answer, TaskView) else Status.UNKNOWN for answer in answers]
