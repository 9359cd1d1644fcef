"""Requests about tasks, of sessions and of the operator: call, status, cancel, resume (contract 5 and 6).

Owns the way from a request to the ledger's event and from its answer to a reply. Waiting costs a ref; a task is spawned
only while something is read from the store. It decides nothing that the ledger decides.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from codeg.broker.events import CancelRequested, ResumeRequested, StatusAsked
from codeg.broker.tasks import Answer, Refused
from codeg.runtime.asked import Asked, Calling, Waiting
from codeg.runtime.exchange import Exchange
from codeg.runtime.replies import Replies, Wish
from codeg.runtime.services import Services
from codeg.runtime.tokens import Grant, Tokens
from codeg.runtime.translate import prepare_call, why_not_again
from codeg.runtime.working import Work
from codeg.wire.models import Call, WireFault

MOST_WAIT_MS = 60_000
"""Longest bounded wait of a status question."""

Readers = frozenset[str] | None
Shape = Callable[[list[dict[str, Any]]], Any]


@dataclass(frozen=True, slots=True)
class StatusQuestion:
    """Tasks to look at. `wait_ms` None = snapshot, 0 = until something happens, n = at most min(n, 60,000).

    `listens`: for a program that is told beside its model's calls.
    """

    readers: Readers
    task_ids: Sequence[str]
    wait_ms: int | None = None
    wish: Wish = field(default_factory=Wish)
    listens: bool = False


def one(reports: list[dict[str, Any]]) -> Any:
    """The outcome of a request about one task."""
    return reports[0]


def many(reports: list[dict[str, Any]]) -> Any:
    """The outcome of `status`."""
    return {"tasks": reports}


class TasksDoor:
    """`clock`: monotonic seconds, the ledger's own."""

    def __init__(self, services: Services, tokens: Tokens, work: Work, clock: Callable[[], float]) -> None:
        self._services = services
        self._broker = services.broker
        self._tokens = tokens
        self._work = work
        self._clock = clock
        self._replies = Replies(services.broker)

    def status(self, exchange: Exchange, asked: StatusQuestion, shape: Shape = many) -> None:
        """Answer with reports in the asked order, at once or when something happens."""
        task_ids = tuple(asked.task_ids)

        def answered(answers: tuple[Answer, ...]) -> None:
            self._answer(exchange, answers, asked.wish, shape, expected=len(task_ids))

        def make(ref: int) -> StatusAsked:
            return StatusAsked(ref, asked.readers, task_ids, self._until(asked.wait_ms), asked.listens)

        waiting = Waiting(exchange, self._broker, answered, task_ids, holds=asked.wait_ms is not None)
        exchange.watch(waiting)
        self._when_known(exchange, task_ids, lambda: waiting.send(make))

    def cancel(self, exchange: Exchange, readers: Readers, task_id: str, wish: Wish) -> None:
        """End a task; the answer waits a moment for its processes."""
        asked = self._one(exchange, wish)
        make: Callable[[int], CancelRequested] = lambda ref: CancelRequested(ref, readers, task_id)  # noqa: E731  # typed
        self._when_known(exchange, (task_id,), lambda: asked.send(make))

    def resume(self, exchange: Exchange, readers: Readers, task_id: str, wish: Wish) -> None:
        """Go on with a task."""
        asked = self._one(exchange, wish)

        async def work() -> None:
            await self._recall((task_id,))
            view = self._broker.view(task_id)
            parent = self._services.sessions.parent(view.record.parent_id) if view is not None else None
            refusal = await why_not_again(view.record, self._services.catalogue) if view else None
            asked.send(lambda ref: ResumeRequested(ref, readers, task_id, parent, refusal))

        self._work.start(exchange, work)

    def call(self, exchange: Exchange, grant: Grant, request: Call) -> None:
        """A delegation."""
        parent = self._services.sessions.parent(grant.session_id or "")
        if parent is None or request.parent_connection_id != grant.connection_id:
            raise WireFault(
                "not_authorized", "The field parent_connection_id is not the one that the token belongs to."
            )

        def answered(answers: tuple[Answer, ...]) -> None:
            self._answer(exchange, answers, Wish(acknowledge=True), one, expected=1)

        calling = Calling(exchange, self._broker, answered, parent.parent_id, request.external_handle)
        exchange.watch(calling)

        async def work() -> None:
            event, calling.keyed = await prepare_call(self._services, parent, request)
            if not self._tokens.alive(grant):
                raise WireFault("not_authorized", "The token has died with its session or lease.")
            if not calling.moot:
                calling.send(lambda ref: replace(event, ref=ref))

        self._work.start(exchange, work)

    # ---- inside

    def _one(self, exchange: Exchange, wish: Wish) -> Asked:
        asked = Asked(exchange, self._broker, lambda answers: self._answer(exchange, answers, wish, one, expected=1))
        exchange.watch(asked)
        return asked

    def _when_known(self, exchange: Exchange, task_ids: Sequence[str], then: Callable[[], None]) -> None:
        """Go on at once if the ledger holds all of them, else when the store was asked."""
        if all(self._broker.view(task_id) is not None for task_id in task_ids):
            then()
            return

        async def work() -> None:
            await self._recall(task_ids)
            then()

        self._work.start(exchange, work)

    async def _recall(self, task_ids: Sequence[str]) -> None:
        unknown = [task_id for task_id in task_ids if self._broker.view(task_id) is None]
        if unknown:
            await self._broker.recall(unknown)

    def _until(self, wait_ms: int | None) -> float | None:
        if wait_ms is None:
            return None
        return math.inf if wait_ms == 0 else self._clock() + min(wait_ms, MOST_WAIT_MS) / 1000

    def _answer(
        self, exchange: Exchange, answers: tuple[Answer, ...], wish: Wish, shape: Shape, *, expected: int
    ) -> None:
        """What goes wrong is an answer, too: nobody waits for one that never comes."""
        self._work.run(exchange, lambda: self._reply(exchange, answers, wish, shape, expected=expected))

    def _reply(
        self, exchange: Exchange, answers: tuple[Answer, ...], wish: Wish, shape: Shape, *, expected: int
    ) -> None:
        if not exchange.open:
            return
        if len(answers) != expected:
            first = answers[0] if answers else None
            sentence = first.message if isinstance(first, Refused) else "The host cannot answer that now."
            exchange.fail(WireFault("busy", sentence))
            return
        reports = self._replies.at_once(answers, wish)
        if reports is not None:
            exchange.reply(shape(reports))
            return

        async def work() -> None:
            exchange.reply(shape(await self._replies.whole(answers, wish)))

        self._work.start(exchange, work)
