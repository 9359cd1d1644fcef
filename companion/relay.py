"""Carries open calls to the host and their results back.

Owns the jobs (one per open call), their time limits and progress, the one repeat where it does no harm, and what is
told to the host without a call that waits. Never reads bytes, never judges arguments. Every job ends exactly once: by a
result, by a cancel of the client, or by `give_up`. Done when `busy` is false.
"""

from __future__ import annotations

import os

from codeg.jsonrpc.messages import RpcError
from codeg.wire import frames, requests
from codeg.wire.requests import RemoteError
from companion import hosts, steps
from companion.arguments import Wrong
from companion.envelopes import outcome_in, pack
from companion.link import Access, Unreachable
from companion.rendering import Malformed
from companion.session import unreached
from companion.work import Expired, Lost, Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final

    from companion.catalogue import Catalogue
    from companion.connections import Connection, Opener
    from companion.forms import Forms
    from companion.mcp import Core
    from companion.opened import Call
    from companion.rendering import Answer
    from companion.session import Session
    from companion.timers import Timer, Timers
    from companion.work import Ask, Steps

ERRAND_S: Final = 1.0
"""Seconds for what nobody waits for: `cancel` by handle, `commit_feedback`."""
PROGRESS_S: Final = 5.0
"""Contract 4 asks for 10 at most; the shortest limit that progress was seen to extend was 6."""
MAX_COMMIT: Final = 1_000
_STALE_AGENTS: Final = frozenset({"invalid_agent_type", "agent_disabled", "agent_not_installed"})


class Job:
    """One open call: its steps, the request that it waits for now, and its timers.

    `sent`: the host may have heard of it. `ready`: called when the session that it waits for has begun, or not.
    """

    __slots__ = ("access", "ask", "call", "connection", "limit", "pulse", "ready", "repeated", "sent", "steps", "task")

    def __init__(self, call: Call, task: Task, sequence: Steps) -> None:
        self.call = call
        self.task = task
        self.steps = sequence
        self.ask: Ask | None = None
        self.access: Access | None = None
        self.connection: Connection | None = None
        self.limit: Timer | None = None
        self.pulse: Timer | None = None
        self.ready: Callable[[Access | Unreachable], None] | None = None
        self.repeated = False
        self.sent = False


class Relay:
    """All jobs of one companion. `now` of `timers` is its clock, in seconds."""

    def __init__(self, core: Core, session: Session, catalogue: Catalogue, opener: Opener, timers: Timers) -> None:
        self.session = session
        self._core = core
        self._catalogue = catalogue
        self._opener = opener
        self._timers = timers
        self._jobs: dict[int, Job] = {}
        self._errands: set[Connection] = set()
        self._forms: Forms | None = None
        self._ending = False
        self._given_up = False
        session.begun.append(lambda: catalogue.follow(stale=True))

    @property
    def busy(self) -> bool:
        """Whether a call is open, or something is being told to the host."""
        return bool(self._jobs or self._errands)

    def start(self, call: Call) -> None:
        """Takes an open call. Without patience left nothing of it reaches the host."""
        if self._given_up:
            self._answer(call, steps.too_late(call))
            return
        told = call.progress_token is not None
        wait_s = hosts.longest_wait_ms(call.client.name, self.session.environment, told=told) / 1000
        size = hosts.find_host(call.client.name).reply_bytes
        task = Task(call, lambda: self._timers.now, wait_s, size, handle=os.urandom(16).hex(), forms=self._get_forms)
        tool = self._core.toolbox.tools.get(call.tool)
        try:
            job = Job(call, task, steps.begin(task, tool["inputSchema"] if tool else {}))
        except Wrong as error:
            self._answer(call, steps.failed(call, error))
            return
        self._jobs[id(call)] = job
        if told:
            self._pulse(job, min(PROGRESS_S, wait_s / 3))
        self._advance(job, None, None)

    def drop(self, call: Call) -> None:
        """The client cancelled this call: its connection is closed, and a set-up is cancelled at the host."""
        job = self._jobs.pop(id(call), None)
        if job is not None:
            self._withdraw(job, "cancelled by the client")
            self._release(job)
            job.steps.close()

    def wind_down(self) -> None:
        """The companion ends: waits are answered with the present status, short calls may still finish."""
        self._ending = True
        if self._forms is not None:
            self._forms.close()
        for job in list(self._jobs.values()):
            if job.ask is not None and job.ask.waits:
                self._advance(job, None, Expired())

    def give_up(self) -> None:
        """No more patience: open set-ups are cancelled at the host, and all that is open is answered."""
        self._given_up = True
        for job in list(self._jobs.values()):
            self._withdraw(job, "the session is ending")
            self._finish(job, steps.too_late(job.call))
            job.steps.close()

    # One job.

    def _advance(self, job: Job, outcome: Any, error: Exception | None) -> None:
        """Hands the steps what they waited for, and makes the request that they ask for next."""
        self._release(job)
        try:
            ask = job.steps.send(outcome) if error is None else job.steps.throw(error)
        except StopIteration as stop:
            self._finish(job, stop.value)
        except (Unreachable, RemoteError, Expired, Malformed, Wrong) as problem:
            self._finish(job, steps.failed(job.call, problem))
        else:
            job.ask = ask
            job.repeated = False
            if self._ending and ask.waits:
                self._timers.soon(lambda: self._hurry(job, ask))
            else:
                job.limit = self._timers.at(ask.due, lambda: self._advance(job, None, Expired()))
                self._request(job)

    def _hurry(self, job: Job, ask: Ask) -> None:
        if self._jobs.get(id(job.call)) is job and job.ask is ask:
            self._advance(job, None, Expired())

    def _request(self, job: Job) -> None:
        """Sends the request of the moment, once there is a session to send it in."""

        def ready(found: Access | Unreachable) -> None:
            self._ready(job, found)

        job.ready = ready
        try:
            access = self.session.get(job.call, ready)
        except Unreachable as error:
            self._advance(job, None, error)
        else:
            if access is not None:
                self._send(job, access)

    def _ready(self, job: Job, found: Access | Unreachable) -> None:
        """`hello` has ended. The record may have been that of a host that is gone: it is read once more."""
        if isinstance(found, Access):
            self._send(job, found)
        elif found.code == "not_authorized" and not job.repeated:
            job.repeated = True
            self._request(job)
        else:
            self._advance(job, None, found)

    def _send(self, job: Job, access: Access) -> None:
        job.ready = None
        assert job.ask is not None
        try:
            frame = pack(job.ask.build(access))
        except frames.FrameTooLarge:
            self._advance(job, None, RemoteError("too_large", "The call is larger than 16 MiB; shorten it."))
            return
        job.access = access
        job.connection = self._opener.open(
            access.socket,
            frame,
            lambda payload: self._answered(job, payload),
            lambda sent, reason: self._lost(job, sent, reason),
        )

    def _answered(self, job: Job, payload: bytes) -> None:
        try:
            outcome = outcome_in(payload)
        except RemoteError as error:
            # An error frame is for what never became a call (contract 5), so anything may be repeated.
            if error.code != "not_authorized" or not self._repeat(job):
                self._advance(job, None, error)
        else:
            self._advance(job, outcome, None)

    def _lost(self, job: Job, sent: bool, reason: str) -> None:
        assert job.ask is not None
        if (not sent or job.ask.repeatable) and self._repeat(job):
            return
        self._advance(job, None, Lost() if sent else unreached(reason))

    def _repeat(self, job: Job) -> bool:
        """Asks once more, by a token or session read afresh. False: that was done before."""
        if job.repeated:
            return False
        job.repeated = True
        self._let_go(job)
        self.session.leave(job.access)
        self._request(job)
        return True

    def _finish(self, job: Job, result: Answer | RpcError) -> None:
        self._jobs.pop(id(job.call), None)
        self._release(job)
        if job.task.withdraw:
            self._withdraw(job, "the host did not answer in time")
        self._answer(job.call, result, job.access)
        stale = not isinstance(result, RpcError) and result.fields.get("error_code") in _STALE_AGENTS
        if not self._ending:
            self._catalogue.follow(stale)

    def _answer(self, call: Call, result: Answer | RpcError, access: Access | None = None) -> None:
        if isinstance(result, RpcError):
            self._core.refuse_call(call, result)
        else:
            mark = self._committer(access, result.commit) if result.commit and access else None
            self._core.answer(call, result, mark)

    def _let_go(self, job: Job) -> None:
        """Closes the connection of the moment. That something was sent stays known."""
        if job.connection is not None:
            job.sent = job.sent or job.connection.sent
            job.connection.close()
            job.connection = None

    def _release(self, job: Job) -> None:
        """Ends the request of the moment: its connection, its time limit, its place in line."""
        self._let_go(job)
        if job.limit is not None:
            job.limit.cancel()
            job.limit = None
        if job.ready is not None:
            self.session.forget(job.ready)
            job.ready = None
        if job.pulse is not None and id(job.call) not in self._jobs:
            job.pulse.cancel()

    def _pulse(self, job: Job, every: float) -> None:
        started = self._timers.now

        def beat() -> None:
            self._core.report_progress(job.call, f"waiting, {self._timers.now - started:.0f} s")
            job.pulse = self._timers.after(every, beat)

        job.pulse = self._timers.after(every, beat)

    # What nobody waits for.

    def _withdraw(self, job: Job, reason: str) -> None:
        """A delegation that is still being set up is cancelled at the host, if it can have heard of it (contract 4)."""
        sent = job.sent or (job.connection is not None and job.connection.sent)
        if job.call.tool == "delegate_to_agent" and sent and job.access:
            self._errand(job.access, requests.cancel(job.access.token, job.task.handle, reason))

    def _committer(self, access: Access, ids: Sequence[str]) -> Callable[[], None]:
        def commit() -> None:
            for at in range(0, len(ids), MAX_COMMIT):
                self._errand(access, requests.commit_feedback(access.token, list(ids[at : at + MAX_COMMIT])))

        return commit

    def _get_forms(self) -> Forms:
        """Loaded with the first question: no other call has a form."""
        if self._forms is None:
            from companion.forms import Forms  # noqa: PLC0415  # see above

            self._forms = Forms(self._core, self._bring, lambda: self._timers.now)
            if self._ending:
                self._forms.close()
        return self._forms

    def _bring(self, build: Callable[[Access], dict[str, Any]], told: Callable[[Any], None]) -> None:
        """Sends what a person said outside of any call; `told` gets the outcome, in a later turn, None = it failed."""
        access = self.session.current
        if access is None:
            self._timers.soon(lambda: told(None))
        else:
            self._errand(access, build(access), told)

    def _errand(self, access: Access, request: dict[str, Any], told: Callable[[Any], None] | None = None) -> None:
        def end(payload: bytes | None) -> None:
            limit.cancel()
            self._errands.discard(connection)
            connection.close()
            if told is not None:
                told(_outcome(payload))

        connection = self._opener.open(access.socket, pack(request), end, lambda _sent, _reason: end(None))
        self._errands.add(connection)
        limit = self._timers.after(ERRAND_S, lambda: end(None))


def _outcome(payload: bytes | None) -> Any:
    try:
        return None if payload is None else outcome_in(payload)
    except RemoteError:
        return None
