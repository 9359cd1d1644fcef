"""JSON-RPC with one agent process: who waits for which answer, in strict order of arrival.

Owns three tasks (read, write, watch for the end) and the open calls of one connection; what messages mean is its
listener's. It ends with the process, with a break of the protocol, or when its owner stops it: then every waiter is
told exactly once.
"""

import logging
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

import anyio
from anyio.abc import TaskGroup

from codeg.jsonrpc import codec, messages
from codeg.jsonrpc.calls import Outgoing
from codeg.sessions.connection import AgentFailure
from codeg.sessions.failures import Wording
from codeg.sessions.intake import Intake, ProtocolBroken
from codeg.sessions.permissions import RpcId
from codeg.sessions.process_types import AgentProcess, Exit

LAST_WORDS_S = 1.0
"""Between the end of an agent and the end of its output, whichever comes first, this long is waited for the other."""

_log = logging.getLogger(__name__)


class Listener(Protocol):
    """Who takes what the agent sends. No call blocks or raises."""

    def took(self, message: messages.Request | messages.Notification) -> None:
        """A request or notification of the agent."""
        ...

    def drained(self) -> None:
        """All that arrived together was taken."""
        ...

    def failing(self) -> None:
        """The connection is about to fail: the last moment before waiters are told."""
        ...

    def failed(self, failure: AgentFailure) -> None:
        """The connection failed, and its waiters were told. Called once."""
        ...


class Call:
    """One request of ours that waits. `answered` is called in the order of arrival, before its waiter wakes."""

    __slots__ = ("answered", "done", "failure", "method", "response")

    def __init__(self, method: str, answered: Callable[[messages.Response], None] | None = None) -> None:
        self.method = method
        self.answered = answered
        self.done = anyio.Event()
        self.response: messages.Response | None = None
        self.failure: AgentFailure | None = None


class Peer:
    """One agent at the other end.

    Attributes:
        failure: why nothing more comes of it; None while it works.
        stopping: its owner is ending it, so its end is no surprise.
    """

    def __init__(self, process: AgentProcess, wording: Wording, listener: Listener) -> None:
        self.failure: AgentFailure | None = None
        self.stopping = False
        self.wording = wording
        self._process = process
        self._listener = listener
        self._calls = Outgoing()
        self._open: dict[int, Call] = {}
        self._intake = Intake(self._skipped, blot=wording.without_secrets)
        self._outbox: deque[tuple[bytes, Callable[[], None] | None]] = deque()
        self._to_write = anyio.Event()
        self._exit: Exit | None = None
        self._ended = anyio.Event()
        self._drained = anyio.Event()

    def start(self, tasks: TaskGroup) -> None:
        """Start its tasks in the owner's group."""
        for task in (self._read, self._write, self._watch):
            tasks.start_soon(task)

    def call(self, call: Call, params: Any, written: Callable[[], None] | None = None) -> int:
        """Send a request and give its id; `written` is called when it was written whole.

        Raises:
            AgentFailure: the connection has failed before.
        """
        if self.failure is not None:
            raise self.failure
        number = self._calls.begin(call)
        self._open[number] = call
        self._post(messages.request(number, call.method, params), written)
        return number

    def forget(self, number: int) -> None:
        """Nobody waits for this call any more; its answer, if one comes, ends nothing."""
        self._calls.cancel(number)
        self._open.pop(number, None)

    async def ask(self, method: str, params: Any, seconds: float) -> Any:
        """Send a request and wait for its result, `seconds` at most.

        Raises:
            AgentFailure: the connection failed.
            RpcError: an error was answered.
            TimeoutError: nothing was answered in time.
        """
        call = Call(method)
        number = self.call(call, params)
        try:
            with anyio.fail_after(max(0.0, seconds)):
                await call.done.wait()
        finally:
            self.forget(number)
        if call.failure is not None:
            raise call.failure
        if call.response is not None and call.response.error is not None:
            raise call.response.error
        return call.response.result if call.response is not None else None

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._post(messages.notification(method, params))

    def answer(self, rpc_id: RpcId, value: Any) -> None:
        """Answer a request of the agent."""
        self._post(messages.result(rpc_id, value))

    def refuse(self, rpc_id: RpcId, code: int, message: str) -> None:
        """Answer a request of the agent with an error."""
        self._post(messages.error(rpc_id, code, message))

    def fail(self, failure: AgentFailure) -> None:
        """End the connection, once: every waiter is told, nothing is sent or taken any more."""
        if self.failure is not None:
            return
        self._listener.failing()
        self.failure = failure
        self._open.clear()
        for call in self._calls.closed():
            call.failure = failure
            call.done.set()
        self._listener.failed(failure)

    def stderr(self) -> tuple[str, ...]:
        """The last lines of the agent's stderr."""
        return self._process.stderr_tail()

    @property
    def step(self) -> str:
        """What the agent was at, as the end of a sentence: the oldest call that waits."""
        oldest = next(iter(self._open.values()), None)
        return f"during {oldest.method}" if oldest is not None else "while nothing was asked of it"

    def _post(self, message: dict[str, Any], written: Callable[[], None] | None = None) -> None:
        if self.failure is None:
            self._outbox.append((codec.encode(message) + b"\n", written))
            self._to_write.set()

    def _skipped(self, quoted: str) -> None:
        _log.info("skipped a line on an agent's stdout that is no message: %s", quoted)

    async def _read(self) -> None:
        try:
            while self.failure is None:
                data = await self._process.receive()
                for message in self._intake.feed(data) if data else self._intake.end():
                    self._take(message)
                self._listener.drained()
                if not data:
                    break
        except ProtocolBroken as broken:
            self._listener.drained()
            self.fail(self.wording.misspoke(self.step, broken.what, self.stderr()))
            return
        self._drained.set()
        with anyio.move_on_after(LAST_WORDS_S):
            await self._ended.wait()
        self._fail_ended()

    async def _watch(self) -> None:
        self._exit = await self._process.wait_exit()
        self._ended.set()
        with anyio.move_on_after(LAST_WORDS_S):
            await self._drained.wait()
        self._fail_ended()

    def _fail_ended(self) -> None:
        ended = self.wording.stopped() if self.stopping else self.wording.ended(self.step, self._exit, self.stderr())
        self.fail(ended)

    async def _write(self) -> None:
        try:
            while self.failure is None:
                await self._to_write.wait()
                self._to_write = anyio.Event()
                while self._outbox:
                    data, written = self._outbox.popleft()
                    await self._process.send(data)
                    if written is not None:
                        written()
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            if self.stopping:
                return
            with anyio.move_on_after(LAST_WORDS_S):
                await self._ended.wait()
                # Its end says more; `_watch` tells it when all its output was read.
                return
            self.fail(self.wording.deaf(self.step, self.stderr()))

    def _take(self, message: messages.Request | messages.Notification | messages.Response) -> None:
        if self.failure is not None:
            return
        if not isinstance(message, messages.Response):
            self._listener.took(message)
            return
        call = self._calls.settle(message)
        if not isinstance(call, Call):
            _log.debug("ignored an answer of an agent that nobody waits for")
            return
        self._open = {number: open_call for number, open_call in self._open.items() if open_call is not call}
        call.response = message
        if call.answered is not None:
            call.answered(message)
        call.done.set()
