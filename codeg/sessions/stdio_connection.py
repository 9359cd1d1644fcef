"""A live agent over its stdin and stdout: one process, one ACP session, one owner.

Owns the conversation with it: turns, permissions, mode, what is told to the sink and when. Updates are taken in the
order in which they arrived, and before the answer behind them ends a turn. The process tree is `process`'s, the bytes
are `peer`'s. Made by `stdio_launcher`; it ends with `stop`, which leaving the launcher's context calls.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import anyio
from anyio.abc import TaskGroup

from codeg.jsonrpc.messages import Notification, Request, Response, RpcError
from codeg.sessions import acp
from codeg.sessions.connection import AgentFailure, LaunchSpec, SessionSink
from codeg.sessions.diffs import Touched
from codeg.sessions.failures import Wording
from codeg.sessions.opening import Opening
from codeg.sessions.peer import Call, Peer
from codeg.sessions.permissions import Permissions
from codeg.sessions.process_types import AgentProcess
from codeg.sessions.quirks import auth_status
from codeg.sessions.reading import mapping, text
from codeg.sessions.session_state import SessionState
from codeg.sessions.thread import Thread
from codeg.sessions.types import Image, Json, Offers, PermissionRequest, TurnResult

TELL_S = 0.05
"""A growing text is told this often at most; long texts less often, so that telling costs the same at any size."""
TELL_SIZE = 256 * 1024
"""Characters that may be told once every `TELL_S`."""
HISTORY_SILENCE_S = 0.25
HISTORY_MAX_S = 2.0
SET_MODE_S = 30.0
STOP_GRACE_S = 1.0
"""From the wish to end an agent to the first TERM."""
CANCEL_GRACE_S = 0.5
"""Of that, an agent that is at work has this long to end its turn by itself."""


class _Turn:
    """A prompt that waits for its answer."""

    __slots__ = ("call", "cancelled", "refused", "result")

    def __init__(self) -> None:
        self.call = Call(acp.PROMPT)
        self.cancelled = False
        self.refused = ""
        self.result: TurnResult | None = None


class StdioConnection:
    """Keeps the promise `AgentConnection`; made by `StdioLauncher`. Also the peer's listener."""

    def __init__(self, spec: LaunchSpec, sink: SessionSink, process: AgentProcess, client_version: str) -> None:
        self._spec = spec
        self._sink = sink
        self._process = process
        self._thread = Thread(spec.attempt, spec.first_seq)
        self._state = SessionState()
        self._permissions = Permissions()
        self._peer = Peer(process, Wording(spec.agent), self)
        self._opening = Opening(spec, self._peer, self._state, client_version)
        self._ready = False
        self._replaying = spec.resume_session_id is not None
        self._last_update = 0.0
        self._turn: _Turn | None = None
        self._refusing = False
        self._urgent = False
        self._usage_touched = False
        self._options_touched = False
        self._tell_at = 0.0
        self._tell_wanted = anyio.Event()

    @property
    def session_id(self) -> str:
        """The agent's own session id."""
        return self._opening.session_id

    @property
    def resume_via(self) -> str:
        """`resume`, `load` or `none`."""
        return self._opening.facts.resume_via if self._opening.facts is not None else "none"

    @property
    def modes(self) -> "tuple[tuple[str, str], ...]":
        """(mode id, name) offered."""
        return self._state.modes

    @property
    def mode(self) -> str | None:
        """The current mode id."""
        return self._state.mode

    @property
    def title(self) -> str | None:
        """The session's title as last told."""
        return self._state.title

    @property
    def offers(self) -> Offers:
        """What a person can choose from."""
        facts = self._opening.facts
        images = facts is not None and facts.images
        return Offers(self._state.offered_options(), self._state.offered_commands(), images, self._state.signed_in)

    def live_line(self) -> str:
        """One line on what it is doing now."""
        return self._thread.turn.live_line()

    def tool_calls(self) -> int:
        """Tool calls of the present turn."""
        return self._thread.turn.tool_calls

    def touched(self) -> Touched | None:
        """What the diffs of the present turn came to."""
        return self._thread.turn.touched()

    async def open(self, tasks: TaskGroup) -> None:
        """Start its tasks in the owner's group, and open the session.

        Raises:
            AgentFailure: the session could not be opened.
        """
        self._peer.start(tasks)
        tasks.start_soon(self._tell_in_time)
        await self._opening.run()
        self._thread.greeting = self._state.greeting
        if self._replaying:
            await self._history_ends(anyio.current_time())
            self._replaying = False
        if self._peer.failure is not None:  # it answered and was gone: `failed` told nobody
            raise self._peer.failure
        self._ready = True
        self._tell()

    async def _history_ends(self, loaded_at: float) -> None:
        """Wait for 250 ms of silence behind the answer to a load, 2 s at most (contract 6, resume)."""
        while self._peer.failure is None:
            due = min(max(loaded_at, self._last_update) + HISTORY_SILENCE_S, loaded_at + HISTORY_MAX_S)
            if anyio.current_time() >= due:
                return
            await anyio.sleep(due - anyio.current_time())
        raise self._peer.failure

    async def prompt(
        self,
        text: str,
        *,
        images: Sequence[Image] = (),
        record: bool = True,
        written: Callable[[], None] | None = None,
    ) -> TurnResult:
        """Send one prompt and wait for its end; see the promise.

        Raises:
            AgentFailure: the agent crashed, broke the protocol, or answered with an error.
            RuntimeError: a turn is under way.
        """
        if self._turn is not None:
            raise RuntimeError("A turn is under way.")
        if self._peer.failure is not None:
            raise self._peer.failure
        self._refusing = False
        self._thread.begin_turn(text if record else None, _now_ms(), tuple(map(acp.image_block, images)))
        self._tell()
        turn = _Turn()
        turn.call.answered = partial(self._turn_ended, turn)
        number = self._peer.call(turn.call, acp.prompt_params(self.session_id, text, images), written)
        self._turn = turn
        try:
            await turn.call.done.wait()
        finally:
            self._peer.forget(number)
            if self._turn is turn:
                self._turn = None
        if turn.result is not None:
            return turn.result
        raise self._failure_of(turn)

    def _turn_ended(self, turn: _Turn, response: Response) -> None:
        """The answer to the prompt came: what was said so far is the result, whatever follows."""
        self._turn = None
        answer = acp.read_prompt_answer(response.result)
        # What an agent says of a turn that we cancelled does not count (B12).
        stop_reason = "cancelled" if turn.cancelled else answer.stop_reason
        failed = response.error is not None and not turn.cancelled
        self._thread.end_turn(going_on=not failed and stop_reason != "cancelled")
        self._tell()
        if failed:
            return
        done = self._thread.turn
        said = done.final_text()
        turn.result = TurnResult(
            stop_reason=stop_reason,
            text=said,
            tool_calls=done.tool_calls,
            usage=replace(
                self._state.usage,
                input_tokens=done.input_tokens if answer.input_tokens is None else answer.input_tokens,
                output_tokens=done.output_tokens if answer.output_tokens is None else answer.output_tokens,
            ),
            note=self._note(turn, stop_reason, said),
        )

    def _note(self, turn: _Turn, stop_reason: str, said: str) -> str:
        if stop_reason == "cancelled" and turn.refused and not turn.cancelled:
            return f"It did so after it was refused leave for “{turn.refused}”."
        return "" if said.strip() else self._thread.turn.note()

    def _failure_of(self, turn: _Turn) -> AgentFailure:
        failure = turn.call.failure
        if failure is None:
            error = turn.call.response.error if turn.call.response is not None else None
            failure = self._peer.wording.refused(acp.PROMPT, error or RpcError(0, ""), self._peer.stderr())
        return AgentFailure(failure.code, failure.message, self._thread.turn.final_text(), failure.stderr)

    async def cancel(self) -> None:
        """Ask the agent to end its turn; open permissions are answered `cancelled`. Without a turn it does nothing."""
        turn = self._turn
        if turn is None or turn.cancelled:
            return
        turn.cancelled = True
        self._refusing = True
        self._peer.notify(acp.CANCEL, acp.cancel_params(self.session_id))
        for each in self._permissions.close_all():
            self._peer.answer(each.rpc_id, acp.permission_result(None))
            self._sink.permission_closed(each.key)

    def answer_permission(self, key: str, option_id: str | None) -> bool:
        """Answer with an option, or `cancelled` for None. False when it is not open any more.

        Raises:
            ValueError: the option is none of those offered; the request stays open.
        """
        answered = self._permissions.answer(key, option_id)
        if answered is None:
            return False
        if self._turn is not None and answered.refused_by(option_id):
            self._turn.refused = answered.title
        self._peer.answer(answered.rpc_id, acp.permission_result(option_id))
        return True

    async def set_mode(self, mode_id: str) -> None:
        """Change the session mode.

        Raises:
            AgentFailure: the agent refused, or did not answer within 30 s.
        """
        await self._opening.set_mode(mode_id, SET_MODE_S, started=True)
        self._sink.options_changed()

    async def set_option(self, option_id: str, value: str) -> None:
        """Change a config option.

        Raises:
            AgentFailure: the agent refused, or did not answer within 30 s.
        """
        await self._opening.set_option(option_id, value, SET_MODE_S)
        self._sink.options_changed()

    async def stop(self) -> None:
        """End the agent and its whole tree (5 s at most); open calls end with a failure."""
        with anyio.CancelScope(shield=True):
            self._peer.stopping = True
            turn = self._turn
            grace_s = STOP_GRACE_S
            if turn is not None and self._peer.failure is None:
                await self.cancel()
                with anyio.move_on_after(CANCEL_GRACE_S):
                    await turn.call.done.wait()
                grace_s -= CANCEL_GRACE_S
            await self._process.stop(grace_s)
            self._peer.fail(self._peer.wording.stopped())

    def took(self, message: Request | Notification) -> None:
        """Take a request or a notification of the agent."""
        params = mapping(message.params)
        if isinstance(message, Request):
            self._serve(message, params)
        elif message.method == acp.UPDATE:
            self._update(params)
        elif message.method == auth_status.METHOD:
            self._state.signed_in = auth_status.signed_in(params)
        elif message.method == acp.CANCEL_REQUEST:
            self._withdraw(params)

    def drained(self) -> None:
        """Tell what changed, at once where something began or ended, else within `TELL_S` or so."""
        if self._urgent or anyio.current_time() >= self._tell_at:
            self._tell()
        else:
            self._tell_wanted.set()

    def failing(self) -> None:
        """Tell what is left to tell, and close what waits for the person."""
        if self._turn is not None:
            self._thread.end_turn(going_on=False)
        self._tell()
        for each in self._permissions.close_all():
            self._sink.permission_closed(each.key)

    def failed(self, failure: AgentFailure) -> None:
        """The agent is gone: outside a turn nobody else would hear of it."""
        if self._ready and self._turn is None and not self._peer.stopping:
            self._sink.exited(failure)

    def _update(self, params: Json) -> None:
        session_id = text(params.get("sessionId"))
        if self.session_id and session_id != self.session_id:
            return
        self._last_update = anyio.current_time()
        update = mapping(params.get("update"))
        touched = self._state.apply(update)
        if touched == "options":
            self._options_touched = True
        elif touched == "usage":
            self._usage_touched = True
        elif not self._replaying and self._thread.apply(update, _now_ms()):
            self._urgent = True

    def _serve(self, request: Request, params: Json) -> None:
        if request.method == acp.REQUEST_PERMISSION:
            self._permission(request, params)
        elif request.method == acp.CANCEL_REQUEST:
            self._withdraw(params)
            self._peer.answer(request.id, None)
        else:
            self._peer.refuse(request.id, acp.METHOD_NOT_FOUND, f"Codeg does not offer {request.method[:100]}.")

    def _permission(self, request: Request, params: Json) -> None:
        """Ask the person; after a cancel the request is answered `cancelled` and not shown (B13)."""
        if self._refusing:
            self._peer.answer(request.id, acp.permission_result(None))
            return
        asked = acp.read_permission(params)
        own = not asked.session_id or asked.session_id == self.session_id
        earlier = self._thread.tool_call(asked.tool_call_id) if own else {}
        title = acp.permission_title(acp.joined_tool_call(earlier, asked.tool_call))
        opened = self._permissions.open(request.id, *asked.option_ids(), title)
        if opened is None:
            return
        if own and asked.tool_call_id:
            untold = {name: value for name, value in asked.tool_call.items() if name not in earlier}
            told: Json = {**untold, "sessionUpdate": "tool_call_update", "toolCallId": asked.tool_call_id}
            self._thread.apply(told, _now_ms())
            earlier = self._thread.tool_call(asked.tool_call_id)
        self._tell()
        tool_call = acp.joined_tool_call(earlier, asked.tool_call)
        self._sink.permission_asked(PermissionRequest(opened.key, title, asked.options, tool_call))

    def _withdraw(self, params: Json) -> None:
        withdrawn = self._permissions.withdraw(params.get("requestId"))
        if withdrawn is not None:
            self._peer.refuse(withdrawn.rpc_id, acp.REQUEST_CANCELLED, "The request was cancelled.")
            self._sink.permission_closed(withdrawn.key)

    def _tell(self) -> None:
        """Tell the sink what changed since the last time: entries, then usage, then options."""
        size = self._thread.untold_size
        for change in self._thread.take_changes():
            self._sink.changed(change)
        self._urgent = False
        if self._ready and self._usage_touched:
            self._usage_touched = False
            self._sink.usage_changed(self._state.usage)
        if self._ready and self._options_touched:
            self._options_touched = False
            self._sink.options_changed()
        self._tell_at = anyio.current_time() + TELL_S * max(1.0, size / TELL_SIZE)

    async def _tell_in_time(self) -> None:
        while True:
            await self._tell_wanted.wait()
            self._tell_wanted = anyio.Event()
            await anyio.sleep(max(0.0, self._tell_at - anyio.current_time()))
            self._tell()


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
