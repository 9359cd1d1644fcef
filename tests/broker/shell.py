"""A tiny shell around a ledger, for property tests: it answers effects in any order and watches what the ledger promises.

Each step is a word and a number that picks among what is possible, so that hypothesis can drop steps and still make sense.
"""

import math
import pickle
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar

from codeg.broker.codes import (
    END_STATUSES,
    HOLDING_PHASES,
    LIVE_PHASES,
    WAITING_PHASES,
    BlockKind,
    Code,
    Phase,
)
from codeg.broker.effects import (
    Announce,
    AskFolder,
    Effect,
    Persist,
    Reply,
    SendPrompt,
    SpawnChild,
    StopChild,
    WakeAt,
    WithdrawAsk,
)
from codeg.broker.events import (
    CallReceived,
    CallWithdrawn,
    CancelRequested,
    ChildBlocked,
    ChildFailed,
    ChildGone,
    ChildSpawned,
    ChildStartFailed,
    ChildUnblocked,
    Event,
    FolderAnswered,
    FollowUpRequested,
    HostStarted,
    HostStopping,
    LeaseBegan,
    LeaseEnded,
    LimitsChanged,
    ParentCanceled,
    ParentGone,
    PromptAccepted,
    ResumeRequested,
    RootDeleted,
    SessionReady,
    StartRequested,
    StatusAsked,
    TasksRecalled,
    TimePassed,
    ToolCallSeen,
    TurnEnded,
    WaitClosed,
)
from codeg.broker.ledger import Ledger
from codeg.broker.tasks import Block, Limits, Now, Parent, TaskRecord, TaskView
from codeg.broker.transitions import TABLE, IllegalTransition
from tests.broker.bench import PROCESS

T = TypeVar("T")
ORDER: dict[type[Effect], int] = {
    Persist: 0,
    **dict.fromkeys((AskFolder, WithdrawAsk, SpawnChild, SendPrompt, StopChild), 1),
    Announce: 2,
    Reply: 3,
    WakeAt: 4,
}
ROOTS = (Parent("A", "A", 0, "/a"), Parent("B", "B", 0, "/b", outside=True))
LIMITS = (
    Limits(live_per_parent=2, live_per_root=3, queue_limit=3, depth_limit=3),
    Limits(live_per_parent=1, live_per_root=1, queue_limit=2, depth_limit=3, run_timeout_s=40),
    Limits(live_per_parent=3, live_per_root=5, queue_limit=4, depth_limit=2, unattended_cancel_s=30),
)
REASONS = ("end_turn", "max_tokens", "cancelled", "refusal")
CODES = (Code.RESUME_UNAVAILABLE, Code.SPAWN_FAILED, Code.AGENT_START_TIMEOUT)


@dataclass
class Child:
    """A process tree that the ledger asked for."""

    task_id: str
    attempt: int
    session: bool = False
    asked: bool = False
    prompted: bool = False
    over: bool = False
    stops: int = 0
    blocks: list[str] = field(default_factory=list[str])


class Shell:
    def __init__(self, limits: Limits = LIMITS[0]) -> None:
        self.limits = limits
        self.ledger = Ledger(limits, keep_ended=5)
        self.store: dict[str, TaskRecord] = {}
        self.texts: dict[str, int] = {}
        self.children: dict[str, Child] = {}
        self.folders: dict[str, str] = {}
        self.must: set[int] = set()
        """Calls, cancels and resumes without an answer so far."""
        self.waits: set[int] = set()
        self.shown: dict[tuple[str, int], tuple[object, ...]] = {}
        self.mono, self.wake, self.ending, self.deleted = 0.0, math.inf, False, False
        self._ids = count(1)

    # Applying and watching.

    def apply(self, event: Event) -> None:
        effects = self.ledger.apply(event, Now(int(self.mono * 1000), self.mono))
        if isinstance(event, TimePassed):
            self.wake = math.inf
        self._watch_order(effects)
        phases = {task_id: record.phase for task_id, record in self.store.items()}
        for effect in effects:
            self._carry_out(effect)
        self._watch_moves(phases)
        if self.deleted:
            kept = [view.record for view in self.ledger.views() if view.record.root_id == "A"]
            assert all(record.phase is not Phase.ENDED or self._open_below(record.child_id) for record in kept)
        self._watch_counts()

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Persist(record=record, text=text):
                self.store[record.task_id] = record
                if text is not None:
                    self.texts[record.task_id] = len(text)
            case SpawnChild(record=record):
                assert self.store[record.task_id] == record
                assert record.task_id not in self.children, "one driver for one session"
                assert not self.ending
                self.children[record.task_id] = Child(record.task_id, record.attempt)
            case SendPrompt(task_id=task_id, attempt=attempt, text=text):
                child = self.children[task_id]
                assert (child.attempt, child.session, child.asked) == (attempt, True, False)
                record = self.store[task_id]
                assert text == (record.follow_up if record.prompt_accepted else record.task_text), (
                    "never started over, never continued unbegun"
                )
                child.asked = True
            case StopChild(task_id=task_id, attempt=attempt, cancel_turn=cancel_turn):
                child = self.children[task_id]
                child.stops += 1
                assert (child.attempt, child.stops) == (attempt, 1)
                assert child.asked or not cancel_turn
            case AskFolder(record=record, request_id=request_id):
                self.folders[record.task_id] = request_id
            case WithdrawAsk(task_id=task_id, request_id=request_id):
                assert self.folders.pop(task_id) == request_id
            case Announce(view=view):
                self._watch_view(view)
            case Reply(ref=ref, answers=answers):
                assert ref in self.must | self.waits, "an answer that nobody waits for"
                self.must.discard(ref)
                self.waits.discard(ref)
                for answer in answers:
                    if isinstance(answer, TaskView):
                        self._watch_view(answer)
            case WakeAt(mono=mono):
                self.wake = mono

    def _watch_order(self, effects: tuple[Effect, ...]) -> None:
        ranks = [ORDER[type(effect)] for effect in effects]
        assert ranks == sorted(ranks)
        stored = [effect.record.task_id for effect in effects if isinstance(effect, Persist)]
        told = [effect.view.record.task_id for effect in effects if isinstance(effect, Announce)]
        assert len(set(stored)) == len(stored)
        assert len(set(told)) == len(told)
        assert set(stored) <= set(told)

    def _watch_view(self, view: TaskView) -> None:
        record = view.record
        assert self.store[record.task_id] == record, "shown, but not durable"
        if view.status in END_STATUSES:
            assert record.end is not None
            end = (record.end.status, record.end.code, record.end.message, record.ended_ms)
            assert self.shown.setdefault((record.task_id, record.attempt), end) == end, "a second end"
            assert record.end.text_bytes == self.texts.get(record.task_id, 0)
            assert not view.blocks

    def _watch_moves(self, before: dict[str, Phase]) -> None:
        for task_id, phase in before.items():
            now = self.store[task_id].phase
            if now is not phase:
                reachable = {goes for row in TABLE[phase].values() for goes in row.goes}
                assert now in reachable or any(now in row.goes for goes in reachable for row in TABLE[goes].values())

    def _watch_counts(self) -> None:
        views = self.ledger.views()
        for parent in {view.record.parent_id for view in views}:
            assert self.ledger.live_of_parent(parent) == holding(
                view for view in views if view.record.parent_id == parent
            )
        for root in ROOTS:
            mine = [view for view in views if view.record.root_id == root.root_id]
            assert self.ledger.live_of_root(root.root_id) == holding(mine)
            queued = [view for view in mine if view.record.phase is Phase.QUEUED]
            waiting = sum(view.record.phase in WAITING_PHASES for view in mine)
            assert self.ledger.waiting_of_root(root.root_id) == waiting
            assert sorted(view.queue_position or 0 for view in queued) == list(range(1, len(queued) + 1))
        for view in views:
            self._watch_task(view)
        deadline = self.ledger._book.deadlines.next()  # pyright: ignore[reportPrivateUsage]  # nothing else tells it
        assert deadline is None or deadline >= self.wake, "nobody would wake for it"

    def _watch_task(self, view: TaskView) -> None:
        record = view.record
        assert (record.phase in HOLDING_PHASES) == (record.task_id in self.children)
        if record.phase in (Phase.STOPPING, Phase.DRAINING):
            assert self.children[record.task_id].stops == 1
        elif record.phase in (Phase.STARTING, Phase.RUNNING):
            assert self.children[record.task_id].stops == 0
            assert view.record.parent_task_id is None or self.store[view.record.parent_task_id].phase in LIVE_PHASES
        below = {record.task_id} | {task.record.task_id for task in self._below(record.task_id)}
        blocks = sum(len(child.blocks) for task, child in self.children.items() if task in below and child.stops == 0)
        asking = sum(self.store[task].phase is Phase.ASKING for task in below)
        if record.phase in LIVE_PHASES:
            assert len(view.blocks) == blocks + asking

    def _open_below(self, child_id: str) -> bool:
        return any(r.parent_id == child_id and r.phase is not Phase.ENDED for r in self.store.values())

    def _below(self, task_id: str) -> list[TaskView]:
        found: list[TaskView] = []
        for view in self.ledger.views():
            if view.record.parent_task_id == task_id:
                found += [view, *self._below(view.record.task_id)]
        return found

    # Steps.

    def step(self, word: str, number: int) -> None:
        getattr(self, f"do_{word}")(number)

    def do_call(self, number: int) -> None:
        parents = [
            *ROOTS,
            *(self._as_parent(view) for view in self.ledger.views() if view.record.phase is Phase.RUNNING),
        ]
        fresh = next(self._ids)
        key = f"k{number % 3}" if number % 7 == 0 else None
        self._ask(
            lambda ref: CallReceived(
                ref,
                pick(parents, number),
                f"t{fresh}",
                f"c{fresh}",
                "demo",
                f"task {number % 2}",
                "/w",
                external_handle=f"h{number % 5}" if number % 3 == 0 else None,
                idempotency_key=key,
                digest=f"task {number % 2}",
                folder_question=f"q{fresh}" if number % 5 == 0 else None,
                keyed_record=self._stored_under(pick(parents, number).parent_id, key),
            )
        )

    def do_withdraw(self, number: int) -> None:
        self.apply(CallWithdrawn(pick(ROOTS, number).parent_id, f"h{number % 5}"))

    def do_folder(self, number: int) -> None:
        if self.folders:
            task_id = pick(sorted(self.folders), number)
            del self.folders[task_id]
            self.apply(FolderAnswered(task_id, number % 3 > 0))

    def do_child(self, number: int) -> None:
        if self.children:
            child = self.children[pick(sorted(self.children), number)]
            pick(self._moves(child, number), number // 7)()

    def do_gone(self, number: int) -> None:
        stopped = sorted(task_id for task_id, child in self.children.items() if child.stops)
        if stopped:
            self._gone(self.children[pick(stopped, number)], number)

    def do_cancel(self, number: int) -> None:
        self._of_task(number, lambda ref, task_id: CancelRequested(ref, None, task_id))

    def do_resume(self, number: int) -> None:
        readers = None if number % 2 else frozenset(view.record.parent_id for view in self.ledger.views())
        self._of_task(number, lambda ref, task_id: ResumeRequested(ref, readers, task_id, None))

    def do_follow(self, number: int) -> None:
        self._of_task(number, lambda ref, task_id: FollowUpRequested(ref, task_id, f"more {number}", None))

    def do_start(self, number: int) -> None:
        self._of_task(number, StartRequested)

    def do_delete(self, number: int) -> None:
        """A root is deleted, seldom: the story of the other goes on."""
        if number % 4 == 0:
            self.apply(RootDeleted("A"))
            self.deleted = True

    def do_wait(self, number: int) -> None:
        known = sorted(self.store)
        ids = tuple(pick(known, number + i) for i in range(number % 3 + 1)) if known else ()
        records = [self.store[task_id] for task_id in ids if not self.ledger.knows(task_id)]
        if records and all(record.phase is Phase.ENDED for record in records):
            self.apply(TasksRecalled(tuple(records)))
        ref = next(self._ids)
        self.waits.add(ref)
        until = (None, math.inf, self.mono + number % 50)[number % 3]
        self.apply(StatusAsked(ref, None if number % 2 else frozenset({"A", "B"}), ids, until))

    def do_close(self, number: int) -> None:
        if self.waits:
            ref = pick(sorted(self.waits), number)
            self.waits.remove(ref)
            self.apply(WaitClosed(ref))

    def do_parent(self, number: int) -> None:
        parent_id = pick(ROOTS, number).parent_id
        kinds = (ParentCanceled, LeaseEnded, LeaseBegan, ParentGone)
        self.apply(pick(kinds, number // 2)(parent_id))

    def do_limits(self, number: int) -> None:
        self.limits = pick(LIMITS, number)
        self.apply(LimitsChanged(self.limits))

    def do_time(self, number: int) -> None:
        self.mono += number % 40
        if self.mono >= self.wake:
            self.apply(TimePassed())

    def do_tool(self, number: int) -> None:
        text = f"task {number % 2}" if number % 3 else None
        agent = "demo" if text else None
        self.apply(ToolCallSeen("A", f"u{number % 9}", agent, text, None, finished=number % 5 == 0))

    def do_late(self, number: int) -> None:
        """An event of an attempt that is over, or one that cannot be: dropped, or illegal and then without a trace."""
        if not self.store:
            return
        record = self.store[pick(sorted(self.store), number)]
        attempt = record.attempt - 1 if record.task_id in self.children else record.attempt
        kinds: tuple[Event, ...] = (
            ChildGone(record.task_id, attempt),
            PromptAccepted(record.task_id, attempt),
            TurnEnded(record.task_id, attempt, "end_turn", b"late"),
            FolderAnswered(record.task_id, allowed=True) if record.phase is not Phase.ASKING else ChildGone("x", 1),
            ChildBlocked(record.task_id, attempt, Block(BlockKind.QUESTION, "late", "?", 1)),
            TasksRecalled((record,)),
        )
        before = pickle.dumps(self.ledger._book.cells)  # pyright: ignore[reportPrivateUsage]  # to see that nothing moved
        try:
            self.apply(pick(kinds, number // 5))
        except IllegalTransition:
            assert pickle.dumps(self.ledger._book.cells) == before  # pyright: ignore[reportPrivateUsage]  # as above

    def do_crash(self, number: int) -> None:
        """The host dies and starts again: the processes are gone, nobody waits any more."""
        if number % 3:
            return
        self.ledger = Ledger(self.limits, keep_ended=5)
        self.deleted = False
        self.children.clear()
        self.folders.clear()
        self.must.clear()
        self.waits.clear()
        self.wake = math.inf
        self.apply(HostStarted(tuple(r for r in self.store.values() if r.phase is not Phase.ENDED)))
        assert all(record.phase is Phase.ENDED for record in self.store.values())

    # The end of a story.

    def settle(self) -> None:
        """Leaves end, people answer, time passes: everything must come to its end."""
        for _ in range(500):
            for task_id in sorted(self.folders):
                del self.folders[task_id]
                self.apply(FolderAnswered(task_id, allowed=True))
            leaf = next((child for child in self.children.values() if self._is_leaf(child)), None)
            if leaf is None:
                break
            self._gone(leaf, 1)
        self.mono += 20
        self.apply(TimePassed())
        open_ = [record for record in self.store.values() if record.phase is not Phase.ENDED]
        assert not open_, "waits for ever"
        assert not self.children
        assert not self.must
        assert not self.waits, "all tasks have ended, and somebody still waits"

    def stop(self) -> None:
        """The host ends cleanly."""
        self.apply(HostStopping())
        self.ending = True
        assert not self.must
        assert not self.waits
        assert all(child.stops == 1 for child in self.children.values())
        for child in tuple(self.children.values()):
            self._gone(child, 0)
        assert all(record.phase is Phase.ENDED for record in self.store.values())

    def _is_leaf(self, child: Child) -> bool:
        return child.stops > 0 or not any(
            view.record.parent_task_id == child.task_id and view.status not in END_STATUSES
            for view in self.ledger.views()
        )

    def _moves(self, child: Child, number: int) -> list[Callable[[], None]]:
        """What this child can do next."""
        moves = [lambda: self._say(ChildSpawned(child.task_id, child.attempt, PROCESS))]
        if not child.session:
            moves += [lambda: self._ready(child)] * 8 + [lambda: self._fail_start(child, number)]
        elif child.asked and not child.prompted and not child.over:
            moves += [lambda: self._accept(child)] * 8
        if child.asked and not child.over:
            moves += [lambda: self._block(child, number), lambda: self._unblock(child)] * 3
            moves += [lambda: self._end_turn(child, number)]
        if not child.over:
            moves += [lambda: self._fail(child)]
        if number % 6 == 0:
            moves += [lambda: self._gone(child, number)]
        return moves

    def _say(self, event: Event) -> None:
        self.apply(event)

    def _ready(self, child: Child) -> None:
        child.session = True
        self._say(SessionReady(child.task_id, child.attempt, f"s-{child.task_id}", "load"))

    def _fail_start(self, child: Child, number: int) -> None:
        child.session = child.over = True
        self._say(ChildStartFailed(child.task_id, child.attempt, pick(CODES, number // 3), "no"))

    def _accept(self, child: Child) -> None:
        child.prompted = True
        self._say(PromptAccepted(child.task_id, child.attempt))

    def _end_turn(self, child: Child, number: int) -> None:
        child.over = True
        text = b"words" if number % 4 else b""
        self._say(TurnEnded(child.task_id, child.attempt, pick(REASONS, number), text, number % 2))

    def _fail(self, child: Child) -> None:
        child.over = True
        self._say(ChildFailed(child.task_id, child.attempt, Code.AGENT_CRASHED, "exit 1", b"some"))

    def _block(self, child: Child, number: int) -> None:
        request_id = f"{child.task_id}-{number % 4}"
        if request_id not in child.blocks and not child.stops:
            child.blocks.append(request_id)
        block = Block(BlockKind.PERMISSION, request_id, "?", int(self.mono))
        self._say(ChildBlocked(child.task_id, child.attempt, block))

    def _unblock(self, child: Child) -> None:
        if child.blocks:
            self._say(ChildUnblocked(child.task_id, child.attempt, child.blocks.pop()))

    def _gone(self, child: Child, number: int) -> None:
        del self.children[child.task_id]
        self._say(ChildGone(child.task_id, child.attempt, b"rest" if number % 2 else b""))

    def _ask(self, make: Callable[[int], Event]) -> None:
        ref = next(self._ids)
        self.must.add(ref)
        self.apply(make(ref))

    def _of_task(self, number: int, make: Callable[[int, str], Event]) -> None:
        if self.store:
            task_id = pick(sorted(self.store), number)
            self._ask(lambda ref: make(ref, task_id))

    def _stored_under(self, parent_id: str, key: str | None) -> TaskRecord | None:
        found = (r for r in self.store.values() if (r.parent_id, r.idempotency_key) == (parent_id, key))
        return next(found, None) if key else None

    @staticmethod
    def _as_parent(view: TaskView) -> Parent:
        return Parent(view.record.child_id, view.record.root_id, view.record.depth, "/w")


def holding(views: Iterable[TaskView]) -> int:
    return sum(view.record.phase in HOLDING_PHASES for view in views)


def pick(items: "list[T] | tuple[T, ...]", number: int) -> T:
    return items[number % len(items)]
