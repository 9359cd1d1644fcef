"""The door behind the listener: which request is answered by whom (contract 5, the table of kinds).

Owns authority by kind, `hello` and its leases, `catalog`, `cancel`, feedback and questions; tasks are the concern of
`tasks_door`, the operator's commands that of `operator`. It keeps nothing but the leases of connections.
"""

import time
import uuid
from collections.abc import Callable
from typing import Any

import anyio
from anyio.abc import TaskGroup

from codeg.broker.events import CallWithdrawn
from codeg.broker.report_fit import DEFAULT_BYTES
from codeg.runtime.exchange import Exchange
from codeg.runtime.operator import OperatorDoor
from codeg.runtime.outside import Guest, Outside
from codeg.runtime.peers import OUTSIDE, UNPLACED, Inside, Look, Place, look_up, place, roots_of
from codeg.runtime.replies import Wish
from codeg.runtime.scoped import Scoped
from codeg.runtime.services import Services
from codeg.runtime.tasks_door import StatusQuestion, TasksDoor
from codeg.runtime.tokens import Grant, Tokens
from codeg.runtime.working import Work
from codeg.wire import models
from codeg.wire.models import WireFault

ALL_GROUPS = ("delegation", "ask", "feedback")


class Answering:
    """Keeps `listener.Door`. `look` finds processes; `clock` is the ledger's monotonic clock in seconds."""

    def __init__(
        self,
        services: Services,
        tokens: Tokens,
        *,
        look: Look = look_up,
        clock: Callable[[], float] = time.monotonic,
        wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._services = services
        self._tokens = tokens
        self._look = look
        self._work = Work()
        self._outside = Outside(
            services.sessions,
            services.broker,
            services.database,
            fresh_id=lambda: str(uuid.uuid4()),
            wall_ms=wall_ms,
        )
        self._tasks = TasksDoor(services, tokens, self._work, clock)
        self._operator = OperatorDoor(services, self._tasks, self._work)

    def enter(self, group: TaskGroup) -> None:
        """Work is started in this group from now on."""
        self._work.enter(group)

    def leave(self) -> None:
        """No work is started any more."""
        self._work.leave()

    def take(self, exchange: Exchange, grant: Grant, request: models.Request) -> None:
        """Answer it, now or later."""
        self._work.run(exchange, lambda: self._take(exchange, grant, request))

    def _take(self, exchange: Exchange, grant: Grant, request: models.Request) -> None:
        match request:
            case models.Catalog():
                exchange.reply(self._catalog(exchange, grant))
            case models.Hello():
                self._hello(exchange, grant, request)
            case models.Operator():
                self._operate(exchange, grant, request)
            case _:
                self._for_session(exchange, grant, request)

    def _for_session(self, exchange: Exchange, grant: Grant, request: models.Request) -> None:
        session_id = grant.session_id
        if session_id is None:
            raise WireFault("not_authorized", "This request needs a session's token; say hello first.")
        if self._services.sessions.parent(session_id) is None:
            raise WireFault("not_authorized", "The session of this token has ended.")
        own = frozenset((session_id,))
        match request:
            case models.Call():
                self._tasks.call(exchange, grant, request)
            case models.Status():
                wish = Wish(_bytes(request.max_bytes), request.result_offset)
                readers = frozenset(self._outside.readable(session_id))
                asked = StatusQuestion(readers, request.task_ids, request.wait_ms, wish, request.listens)
                self._tasks.status(exchange, asked)
            case models.CancelTask():
                self._tasks.cancel(exchange, own, request.task_id, Wish())
            case models.ResumeTask():
                self._tasks.resume(exchange, own, request.task_id, Wish())
            case models.Cancel():
                self._services.broker.post(CallWithdrawn(session_id, request.external_handle, request.reason or ""))
                exchange.reply(None)
            case models.Feedback():
                self._work.start(exchange, lambda: self._feedback(exchange, session_id))
            case models.CommitFeedback():
                self._work.start(exchange, lambda: self._commit(exchange, session_id, request.ids))
            case models.Ask():
                self._ask(exchange, session_id, request)
            case models.AnswerQuestion():
                self._answer(exchange, session_id, request)
            case _:
                raise WireFault("invalid_request", "The field kind is not one that a session may use.")

    # ---- who may do what

    def _catalog(self, exchange: Exchange, grant: Grant) -> dict[str, Any]:
        session_id = grant.session_id
        if session_id is None:
            # A companion lists its tools before it says hello; inside an agent it may not offer what hello would deny.
            where = self._place_of(exchange)
            session_id = where.session_id if isinstance(where, Inside) else None
        if session_id is not None:
            groups = self._services.sessions.groups(session_id)
        else:
            limits = self._services.limits()
            groups = ALL_GROUPS if limits.enabled and limits.depth_limit > 0 else ALL_GROUPS[1:]
        return {"agents": list(self._services.catalogue.enabled_slugs()), "groups": list(groups)}

    def _place_of(self, exchange: Exchange) -> Place:
        return place(exchange.peer, roots_of(self._services.sessions.processes()), self._look)

    def _operate(self, exchange: Exchange, grant: Grant, request: models.Operator) -> None:
        if not grant.is_host:
            raise WireFault("not_authorized", "operator needs the token of broker.json.")
        if self._place_of(exchange) is not OUTSIDE:
            raise WireFault(
                "not_authorized", "operator is refused to every process inside an agent: only you may do that."
            )
        self._operator.take(exchange, request.op, request.args)

    # ---- hello

    def _hello(self, exchange: Exchange, grant: Grant, request: models.Hello) -> None:
        if not grant.is_host:
            raise WireFault("not_authorized", "hello needs the token of broker.json.")
        where = self._place_of(exchange)
        if where is UNPLACED:
            raise WireFault("not_authorized", "The host cannot tell which process says hello.")
        lease = _Lease(exchange, self._tokens, self._over)
        exchange.watch(lease)
        if isinstance(where, Inside):
            if self._services.sessions.parent(where.session_id) is None:
                raise WireFault("not_authorized", "The session of the agent that says hello has ended.")
            lease.begin(where.session_id, outside=False)
            return
        client = request.client
        guest = Guest(client.name, client.cwd, client.session_id)
        self._work.start(exchange, lambda: self._welcome(lease, guest))

    async def _welcome(self, lease: "_Lease", guest: Guest) -> None:
        session_id = await self._outside.begin(guest)
        if lease.gone:
            await self._outside.end(session_id)
        else:
            lease.begin(session_id, outside=True)

    def _over(self, exchange: Exchange, session_id: str) -> None:
        self._work.start(exchange, lambda: self._outside.end(session_id))

    # ---- notes and questions

    async def _feedback(self, exchange: Exchange, session_id: str) -> None:
        found = await self._services.desk.feedback(self._outside.readable(session_id))
        exchange.reply({"count": len(found), "feedback": found})

    async def _commit(self, exchange: Exchange, session_id: str, ids: tuple[str, ...]) -> None:
        await self._services.desk.commit_feedback(self._outside.readable(session_id), ids)
        exchange.reply(None)

    def _ask(self, exchange: Exchange, session_id: str, request: models.Ask) -> None:
        scope = anyio.CancelScope()
        exchange.watch(Scoped(scope))
        questions = None if request.questions is None else [question.model_dump() for question in request.questions]
        wait_s = request.wait_ms / 1000 if request.wait_ms else None

        async def work() -> None:
            with scope:
                readable = self._outside.readable(session_id)
                outcome = await self._services.desk.ask(readable, questions, request.question_id, wait_s)
                exchange.reply({**outcome, **self._form(session_id, outcome)})
            if scope.cancelled_caught:
                exchange.drop()

        self._work.start(exchange, work)

    def _is_outside(self, session_id: str) -> bool:
        record = self._services.sessions.get(session_id)
        return record is not None and record.kind == "outside"

    def _form(self, session_id: str, outcome: dict[str, Any]) -> dict[str, Any]:
        """What an outside session's program needs to ask its own person: only what that session put itself.

        `elicit`: nobody sits before this host, so it should. The person before an agent of ours is always ours.
        """
        if outcome["state"] != "pending" or not self._is_outside(session_id):
            return {}
        questions = self._services.desk.own_questions(session_id, outcome["question_id"])
        return {} if questions is None else {"questions": questions, "elicit": not self._services.attended()}

    def _answer(self, exchange: Exchange, session_id: str, request: models.AnswerQuestion) -> None:
        if not self._is_outside(session_id):
            raise WireFault("not_authorized", "An agent of this host cannot answer its own questions.")
        answers = None if request.answers is None else [answer.model_dump() for answer in request.answers]

        async def work() -> None:
            exchange.reply(await self._services.desk.answer_own(session_id, request.question_id, answers))

        self._work.start(exchange, work)


class _Lease:
    """The connection of a `hello`: its token lives as long as it does."""

    def __init__(self, exchange: Exchange, tokens: Tokens, over: Callable[[Exchange, str], None]) -> None:
        self._exchange = exchange
        self._tokens = tokens
        self._over = over
        self._outside = False
        self._grant: Grant | None = None
        self.gone = False

    def begin(self, session_id: str, *, outside: bool) -> None:
        connection_id = str(uuid.uuid4())
        token, self._grant = self._tokens.lend(session_id, connection_id)
        self._outside = outside
        self._exchange.lease({"session_token": token, "parent_connection_id": connection_id})

    def ended(self) -> None:
        """A half-closed lease is over."""
        self._exchange.close()

    def lost(self) -> None:
        self.gone = True
        grant, self._grant = self._grant, None
        if grant is None:
            return
        self._tokens.end(grant)
        if self._outside and grant.session_id is not None:
            self._over(self._exchange, grant.session_id)


def _bytes(asked: int | None) -> int:
    return DEFAULT_BYTES if asked is None else asked
