"""The delegation broker: one task owns the ledger; events go in, effects leave in order, what is shown is durable.

Owns the inbox, the queue of effects, group commit, the one timer and who waits for which answer. Never starts an
agent, speaks a protocol or decides what a task becomes. Ends by `close()` (all that was posted is carried out first)
or, when the disk fails, with `HostFailed`; either way every open answer is given once.
"""

import logging
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import anyio

from codeg.broker.codes import END_STATUSES, Code
from codeg.broker.effects import Announce, Effect, Persist, Reply, WakeAt
from codeg.broker.events import (
    CallReceived,
    Event,
    FollowUpRequested,
    ResumeRequested,
    TasksRecalled,
    TimePassed,
    WaitClosed,
)
from codeg.broker.tasks import Answer, Now, Refused, TaskView
from codeg.runtime.results import ResultCache
from codeg.runtime.services import Activity, DatabasePort, Slice
from codeg.store.records import SaveTask

logger = logging.getLogger(__name__)

Answered = Callable[[tuple[Answer, ...]], None]


class HostFailed(Exception):
    """The host cannot go on; the message is one sentence for the person."""


class LedgerPort(Protocol):
    """What the loop needs of `broker.ledger.Ledger`."""

    def apply(self, event: Event, now: Now) -> tuple[Effect, ...]:
        """What the fact changes, as effects; raises and changes nothing when it is illegal."""
        ...

    def knows(self, task_id: str) -> bool:
        """The ledger holds the task."""
        ...

    def view(self, task_id: str) -> TaskView | None:
        """How the task stands."""
        ...

    def open_of_root(self, root_id: str) -> int:
        """Tasks below this root of which something is still to come."""
        ...


def system_now() -> Now:
    """The moment, by the system's two clocks."""
    return Now(wall_ms=time.time_ns() // 1_000_000, mono=time.monotonic())


class DelegationBroker:
    """Keeps `services.BrokerPort`.

    `run` must be running for anything to happen; all calls belong to its event loop's thread.
    """

    def __init__(
        self, ledger: LedgerPort, database: DatabasePort, results: ResultCache, *, clock: Callable[[], Now] = system_now
    ) -> None:
        self._ledger = ledger
        self._database = database
        self._results = results
        self._clock = clock
        self._perform: Callable[[Effect], None] | None = None
        self._activity: Callable[[str], Activity | None] | None = None
        self._inbox: deque[tuple[Event, anyio.Event | None]] = deque()
        self._outbox: deque[Effect] = deque()
        self._unwritten = 0
        self._unwritten_of: dict[str, int] = {}
        self._unborn: set[str] = set()
        """Tasks whose first record is not durable yet."""
        self._shown: dict[str, TaskView] = {}
        """What is shown of tasks at work, and of ended ones that are about to be resumed."""
        self._refs: dict[int, Answered] = {}
        self._last_ref = 0
        self._deadline = math.inf
        self._posted = anyio.Event()
        self._to_commit = anyio.Event()
        self._failure: HostFailed | None = None
        self._settling: list[anyio.Event] = []
        self._closing = False
        self._over = False
        self.ended = anyio.Event()

    def attach(self, perform: Callable[[Effect], None], activity: Callable[[str], Activity | None]) -> None:
        """Name who carries out effects (all but `Persist`, `Reply` and `WakeAt`.

        It must not block) and who knows the live children.
        """
        self._perform = perform
        self._activity = activity

    def post(self, event: Event) -> None:
        """Report a fact. After the end it is dropped: nobody is left to whom it matters."""
        self._put(event, None)

    def ask(self, make: Callable[[int], Event], answered: Answered) -> int:
        """Report a fact that has an answer; `answered` is called exactly once unless `forget` comes first."""
        self._last_ref += 1
        ref = self._last_ref
        self._refs[ref] = answered
        self._put(make(ref), None)
        if self._over:
            self._answer(ref, (_HOST_GONE,))
        return ref

    def forget(self, ref: int) -> None:
        """The asker has gone. An answered or unknown ref: nothing."""
        if self._refs.pop(ref, None) is not None:
            self._put(WaitClosed(ref=ref), None)

    async def recall(self, task_ids: Iterable[str]) -> None:
        """Bring ended tasks of the store into the ledger's sight; returns when they are there.

        Unknown ids do nothing.
        """
        wanted = [task_id for task_id in dict.fromkeys(task_ids) if not self._ledger.knows(task_id)]
        if not wanted:
            return
        records = await self._database.run(lambda store: store.tasks(wanted))
        if records and not self._over:
            applied = anyio.Event()
            self._put(TasksRecalled(records=tuple(records)), applied)
            await applied.wait()

    def view(self, task_id: str) -> TaskView | None:
        """How a task stands by what is durable: a change whose commit is under way does not show yet."""
        if task_id in self._unborn:
            return None
        if task_id in self._unwritten_of and task_id in self._shown:
            return self._shown[task_id]
        return self._ledger.view(task_id)

    def open_below(self, root_id: str) -> int:
        """Tasks of a root conversation of which something is still to come."""
        return self._ledger.open_of_root(root_id)

    def activity(self, task_id: str) -> Activity | None:
        """What its live child does now."""
        return self._activity(task_id) if self._activity is not None else None

    async def result(self, task_id: str, offset: int, limit: int) -> bytes:
        """A slice of the stored text, from memory where it is there, else from the store."""
        return await self._results.read(task_id, offset, limit)

    async def results(self, wanted: Sequence[Slice]) -> list[bytes]:
        """The same for many, in the asked order, in one turn of the database at most."""
        return await self._results.read_many(wanted)

    def forget_results(self, parent_ids: Iterable[str]) -> None:
        """The tasks of these parents were deleted: no text of theirs is kept in memory."""
        self._results.forget(parent_ids)

    async def run(self) -> None:
        """Own the ledger until `close`.

        Raises:
            HostFailed: a commit failed; nothing that it would have made durable was shown.
        """
        assert self._perform is not None, "attach() comes first"
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._commit_in_groups, group.cancel_scope)
                await self._own()
                group.cancel_scope.cancel()
        finally:
            self._end()
        if self._failure is not None:
            raise self._failure

    async def settled(self) -> None:
        """Wait until all that was posted is applied, durable and carried out; at once when the broker has ended."""
        if not self._over:
            done = anyio.Event()
            self._settling.append(done)
            self._posted.set()
            await done.wait()

    def close(self) -> None:
        """Carry out what was posted so far, then let `run` return."""
        self._closing = True
        self._posted.set()

    def _put(self, event: Event, applied: anyio.Event | None) -> None:
        if self._over:
            if applied is not None:
                applied.set()
            return
        self._inbox.append((event, applied))
        self._posted.set()

    async def _own(self) -> None:
        while True:
            while self._inbox:
                event, applied = self._inbox.popleft()
                self._apply(event)
                if applied is not None:
                    applied.set()
            if self._deadline != math.inf and self._clock().mono >= self._deadline:
                self._deadline = math.inf
                self._apply(TimePassed())
                continue
            if not self._outbox:
                self._tell_settled()
                if self._closing:
                    return
            self._posted = anyio.Event()
            with anyio.move_on_after(self._until_deadline()):
                await self._posted.wait()

    def _tell_settled(self) -> None:
        for done in self._settling:
            done.set()
        self._settling.clear()

    def _until_deadline(self) -> float | None:
        if self._deadline == math.inf:
            return None
        return max(0.0, self._deadline - self._clock().mono)

    def _apply(self, event: Event) -> None:
        before = self._ledger.view(event.task_id) if isinstance(event, ResumeRequested | FollowUpRequested) else None
        try:
            effects = self._ledger.apply(event, self._clock())
        except Exception:  # one bad event must not end every agent; the ledger changed nothing
            logger.exception("event refused by the ledger: %s", type(event).__name__)
            self._answer(getattr(event, "ref", 0), (_NOT_POSSIBLE,))
            return
        for effect in effects:
            if isinstance(effect, WakeAt):
                self._deadline = effect.mono
                continue
            if isinstance(effect, Persist):
                self._begin_write(effect.record.task_id, before)
            self._outbox.append(effect)
        if isinstance(event, CallReceived) and event.task_id in self._unwritten_of:
            self._unborn.add(event.task_id)
        if self._unwritten:
            self._to_commit.set()
        else:
            self._release(len(self._outbox))

    def _begin_write(self, task_id: str, before: TaskView | None) -> None:
        self._unwritten += 1
        self._unwritten_of[task_id] = self._unwritten_of.get(task_id, 0) + 1
        if before is not None and before.record.task_id == task_id:
            self._shown.setdefault(task_id, before)

    async def _commit_in_groups(self, scope: anyio.CancelScope) -> None:
        while True:
            while not self._unwritten:
                self._to_commit = anyio.Event()
                await self._to_commit.wait()
            self._release_before_first_write()
            count = len(self._outbox)
            writes = [SaveTask(effect.record, effect.text) for effect in self._outbox if isinstance(effect, Persist)]
            try:
                await self._database.commit(writes)
            except Exception as error:  # noqa: BLE001  # any failure of the disk is one thing to us
                self._failure = HostFailed(f"The store cannot be written, so the host ends: {error}")
                scope.cancel()
                return
            self._unwritten -= len(writes)
            self._release(count if self._unwritten else len(self._outbox))
            self._posted.set()

    def _release_before_first_write(self) -> None:
        while self._outbox and not isinstance(self._outbox[0], Persist):
            self._leave(self._outbox.popleft())

    def _release(self, count: int) -> None:
        for _ in range(count):
            self._leave(self._outbox.popleft())

    def _leave(self, effect: Effect) -> None:
        match effect:
            case Persist():
                self._durable(effect)
            case Reply():
                self._answer(effect.ref, effect.answers)
            case _:
                if isinstance(effect, Announce):
                    self._remember(effect.view)
                self._carry_out(effect)

    def _durable(self, effect: Persist) -> None:
        record = effect.record
        self._unborn.discard(record.task_id)
        left = self._unwritten_of[record.task_id] - 1
        if left:
            self._unwritten_of[record.task_id] = left
        else:
            del self._unwritten_of[record.task_id]
        if effect.text is not None:
            self._results.put(record.task_id, record.parent_id, effect.text)

    def _remember(self, view: TaskView) -> None:
        if view.status in END_STATUSES:
            self._shown.pop(view.record.task_id, None)
        else:
            self._shown[view.record.task_id] = view

    def _carry_out(self, effect: Effect) -> None:
        assert self._perform is not None
        try:
            self._perform(effect)
        except Exception:  # an observer's fault must not stop the order of effects
            logger.exception("effect failed: %s", type(effect).__name__)

    def _answer(self, ref: int, answers: tuple[Answer, ...]) -> None:
        answered = self._refs.pop(ref, None)
        if answered is None:
            return
        try:
            answered(answers)
        except Exception:  # an asker's fault is its own
            logger.exception("an asker failed on its answer")

    def _end(self) -> None:
        self._over = True
        while self._inbox:
            _, applied = self._inbox.popleft()
            if applied is not None:
                applied.set()
        for ref in tuple(self._refs):
            self._answer(ref, (_HOST_GONE,))
        self._tell_settled()
        self.ended.set()


_HOST_GONE = Refused(code=Code.HOST_UNAVAILABLE, message="The host is ending.")
_NOT_POSSIBLE = Refused(
    code=Code.INVALID_REQUEST, message="That is not possible as things stand; the host's log says more."
)
