"""An agent in memory that keeps the promise of `codeg.sessions.connection`, steered by the fake agent's directives.

It passes the same contract suite as the real connection. Directives that need a process (`@stderr`, `@spawn`, `@banner` …) do nothing.
"""

import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import anyio

from codeg.sessions import acp
from codeg.sessions.connection import AgentConnection, AgentFailure, LaunchSpec, SessionSink
from codeg.sessions.diffs import Touched
from codeg.sessions.permissions import Permissions
from codeg.sessions.thread import Thread
from codeg.sessions.types import (
    ConfigOption,
    Image,
    Offers,
    PermissionOption,
    PermissionRequest,
    ProcessStarted,
    SlashCommand,
    TurnResult,
    TurnUsage,
)
from tests.fakes.directives import parse

MODES = (("auto", "Auto"), ("default", "Ask"), ("plan", "Plan"))
OFFERS = Offers(
    (
        ConfigOption(
            "model", "Model", "model", "small", (("small", "Small"), ("large", "Large"), ("refused", "Refused"))
        ),
        ConfigOption("fast", "Fast", "", "false", (("true", "On"), ("false", "Off"))),
    ),
    (SlashCommand("plan", "Make a plan", "what for"),),
    images=True,
)
OPTIONS = (
    PermissionOption("always", "Always", "allow_always"),
    PermissionOption("once", "Yes", "allow_once"),
    PermissionOption("no", "No", "reject_once"),
)


class StubLauncher:
    """Starts stub agents. Sessions live as long as the launcher does, and can be re-attached.

    `refusal`: raised on entering, instead of starting. `resume_via`: what the agents say they can. `connections`: all
    made, in order. `prompts`: (session id, text) of all prompts, in order.
    """

    def __init__(self, refusal: AgentFailure | None = None, resume_via: str = "resume") -> None:
        self.refusal = refusal
        self.resume_via = resume_via
        self.connections: list[StubConnection] = []
        self.sessions: set[str] = set()
        self.prompts: list[tuple[str, str]] = []
        self.images: list[tuple[Image, ...]] = []
        self.version = "1.0"

    @asynccontextmanager
    async def open(self, spec: LaunchSpec, sink: SessionSink) -> AsyncGenerator[AgentConnection]:
        if self.refusal is not None:
            raise self.refusal
        number = len(self.connections) + 1
        sink.process_started(ProcessStarted("stub-boot", 2 * number, number, 2 * number + 1, number))
        await anyio.lowlevel.checkpoint()
        if spec.greeted is not None:
            spec.greeted(self.version)
        session_id = spec.resume_session_id
        if session_id is None:
            session_id = f"stub-{number}"
        elif session_id not in self.sessions:
            raise AgentFailure(
                "resume_unavailable", f"Stub cannot go on with its session: unknown session {session_id}"
            )
        self.sessions.add(session_id)
        connection = StubConnection(self, spec, sink, session_id)
        self.connections.append(connection)
        try:
            yield connection
        finally:
            await connection.stop()


class _Ended(Exception):
    """The turn ends here with an answer."""


class StubConnection:
    """One stub agent. `crash` is the test's way to end it from outside."""

    def __init__(self, launcher: StubLauncher, spec: LaunchSpec, sink: SessionSink, session_id: str) -> None:
        self.session_id = session_id
        self.resume_via = launcher.resume_via
        self.modes = MODES
        self.mode: str | None = spec.agent.mode or "auto"
        self.title: str | None = None
        self.offers = OFFERS
        self.stopped = False
        self._launcher = launcher
        self._sink = sink
        self._thread = Thread(spec.attempt, spec.first_seq)
        self._permissions = Permissions()
        self._answers: dict[str, tuple[anyio.Event, list[str | None]]] = {}
        self._usage = TurnUsage()
        self._failure: AgentFailure | None = None
        self._turn: _StubTurn | None = None
        self._refusing = False
        self._asked = 0

    def live_line(self) -> str:
        return self._thread.turn.live_line()

    def tool_calls(self) -> int:
        return self._thread.turn.tool_calls

    def touched(self) -> Touched | None:
        return self._thread.turn.touched()

    async def prompt(
        self,
        text: str,
        *,
        images: Sequence[Image] = (),
        record: bool = True,
        written: Callable[[], None] | None = None,
    ) -> TurnResult:
        if self._turn is not None:
            raise RuntimeError("A turn is under way.")
        if self._failure is not None:
            raise self._failure
        self._refusing = False
        self._launcher.prompts.append((self.session_id, text))
        self._launcher.images.append(tuple(images))
        self._thread.begin_turn(text if record else None, 1, tuple(map(acp.image_block, images)))
        self._tell()
        turn = self._turn = _StubTurn(self)
        try:
            await anyio.lowlevel.checkpoint()
            if written is not None:
                written()
            told = f" @say {len(images)} images of {images[0].mime}" if images else ""
            return await turn.run(text + told)
        finally:
            self._turn = None

    async def cancel(self) -> None:
        turn = self._turn
        if turn is None or turn.cancelled.is_set():
            return
        turn.cancelled.set()
        self._refusing = True
        for each in self._permissions.close_all():
            self._sink.permission_closed(each.key)
            self._answered(each.key, None)

    def answer_permission(self, key: str, option_id: str | None) -> bool:
        if self._permissions.answer(key, option_id) is None:
            return False
        self._answered(key, option_id)
        return True

    async def set_mode(self, mode_id: str) -> None:
        if mode_id not in dict(MODES):
            raise AgentFailure("subagent_error", f"Stub answered session/set_mode with error -32602: no mode {mode_id}")
        self.mode = mode_id
        self._sink.options_changed()

    async def set_option(self, option_id: str, value: str) -> None:
        if value == "refused":
            raise AgentFailure("subagent_error", "Stub answered session/set_config_option with error -32602: no.")
        changed = (replace(each, value=value) if each.option_id == option_id else each for each in self.offers.options)
        self.offers = replace(self.offers, options=tuple(changed))
        self._sink.options_changed()

    async def stop(self) -> None:
        self.stopped = True
        turn = self._turn
        if turn is not None:
            await self.cancel()
            turn.stopped.set()
        await self.crash(AgentFailure("agent_crashed", "Stub was stopped."))

    async def crash(self, failure: AgentFailure) -> None:
        """The agent ends, in a turn or outside."""
        if self._failure is not None:
            return
        self._failure = failure
        for each in self._permissions.close_all():
            self._sink.permission_closed(each.key)
            self._answered(each.key, None)
        if self._turn is not None:
            self._turn.stopped.set()
        elif not self.stopped:
            self._sink.exited(failure)

    def update(self, update: dict[str, Any]) -> None:
        self._thread.apply(update, 1)
        self._tell()

    def usage(self, used: int, size: int) -> None:
        self._usage = TurnUsage(context_used=used, context_size=size, cost_amount=0.5, cost_currency="USD")
        self._sink.usage_changed(self._usage)

    def retitle(self, title: str) -> None:
        self.title = title
        self._sink.options_changed()

    def ask(self, tool_call: dict[str, Any]) -> tuple[str, anyio.Event, list[str | None]]:
        """A permission request; after a cancel it is answered at once and not shown."""
        self._asked += 1
        event = anyio.Event()
        answers: list[str | None] = []
        opened = self._permissions.open(self._asked, frozenset(option.option_id for option in OPTIONS))
        assert opened is not None
        self._answers[opened.key] = (event, answers)
        if self._refusing:
            self._permissions.answer(opened.key, None)
            self._answered(opened.key, None)
        else:
            joined = acp.joined_tool_call(self._thread.tool_call(tool_call["toolCallId"]), tool_call)
            request = PermissionRequest(opened.key, acp.permission_title(joined), OPTIONS, joined)
            self._sink.permission_asked(request)
        return opened.key, event, answers

    def withdraw(self, key: str) -> None:
        if self._permissions.answer(key, None) is not None:
            self._sink.permission_closed(key)
            self._answered(key, None)

    def result(self, stop_reason: str) -> TurnResult:
        turn = self._thread.turn
        self.end_turn(going_on=stop_reason != "cancelled")
        said = turn.final_text()
        usage = replace(self._usage, input_tokens=11, output_tokens=7)
        return TurnResult(stop_reason, said, turn.tool_calls, usage, "" if said.strip() else turn.note())

    def failure(self, code: str, message: str) -> AgentFailure:
        self.end_turn(going_on=False)
        return AgentFailure(code, message, self._thread.turn.final_text())

    def end_turn(self, *, going_on: bool) -> None:
        self._thread.end_turn(going_on=going_on)
        self._tell()

    @property
    def failed(self) -> AgentFailure | None:
        return self._failure

    def _answered(self, key: str, option_id: str | None) -> None:
        event, answers = self._answers[key]
        answers.append(option_id)
        event.set()

    def _tell(self) -> None:
        for change in self._thread.take_changes():
            self._sink.changed(change)


class _StubTurn:
    """Carries out the directives of one prompt."""

    def __init__(self, connection: StubConnection) -> None:
        self.cancelled = anyio.Event()
        self.stopped = anyio.Event()
        self._connection = connection
        self._stop_reason = "end_turn"
        self._error: AgentFailure | None = None
        self._reply = True
        self._ignore = False
        self._ask_late = False
        self._late: list[str] = []
        self._count = 0

    async def run(self, prompt: str) -> TurnResult:
        plain = f"@say Heard: {prompt}"
        try:
            for name, argument in parse(prompt) or parse(plain):
                if (self.cancelled.is_set() and not self._ignore) or self.stopped.is_set():
                    break
                step = getattr(self, "_do_" + name, None)
                if step is not None:
                    await step(argument)
        except _Ended:
            pass
        if self._ask_late and self.cancelled.is_set():
            await self._permissions(1)
        if not self._reply and not self.stopped.is_set():
            await self.stopped.wait()
        return self._answer()

    def _answer(self) -> TurnResult:
        connection = self._connection
        if self.stopped.is_set() and connection.failed is not None:
            raise connection.failure(connection.failed.code, connection.failed.message)
        if self.cancelled.is_set():
            return connection.result("cancelled")
        if self._error is not None:
            raise connection.failure(self._error.code, self._error.message)
        result = connection.result(self._stop_reason)
        for said in self._late:
            self._chunk("agent_message_chunk", said)
        return result

    def _chunk(self, kind: str, said: str) -> None:
        self._connection.update({"sessionUpdate": kind, "content": {"type": "text", "text": said}})

    def _tool(self, title: str, raw_input: Any, **more: Any) -> str:
        self._count += 1
        tool_id = f"call-{id(self)}-{self._count}"
        call = {"toolCallId": tool_id, "title": title, "kind": "other", "status": "pending", "rawInput": raw_input}
        self._connection.update({"sessionUpdate": "tool_call", **call})
        if more:
            self._connection.update({"sessionUpdate": "tool_call_update", "toolCallId": tool_id, **more})
        return tool_id

    async def _until(self, ready: Callable[[], bool]) -> None:
        while not ready() and not self.stopped.is_set() and (self._ignore or not self.cancelled.is_set()):  # noqa: ASYNC110  # a file has no event
            await anyio.sleep(0.002)

    async def _do_say(self, argument: str) -> None:
        self._chunk("agent_message_chunk", argument)

    _do_chars = _do_say

    async def _do_think(self, argument: str) -> None:
        self._chunk("agent_thought_chunk", argument)

    async def _do_chunks(self, argument: str) -> None:
        for at in range(int(argument)):
            content = {"type": "text", "text": f"{at} "}
            self._connection.update(
                {"sessionUpdate": "agent_message_chunk", "messageId": "chunked", "content": content}
            )

    async def _do_big(self, argument: str) -> None:
        self._chunk("agent_message_chunk", "x" * int(argument))

    async def _do_image(self, argument: str) -> None:
        block = {"type": "image", "mimeType": "image/png", "data": "aGk="}
        self._connection.update({"sessionUpdate": "agent_message_chunk", "content": block})

    async def _do_opentool(self, argument: str) -> None:
        self._tool(argument, {"by": "hand"}, status="in_progress")

    async def _do_tool(self, argument: str) -> None:
        content = [{"type": "diff", "path": os.path.join(os.getcwd(), "touched.txt"), "newText": "x"}]
        self._tool(argument, {"name": argument}, status="completed", content=content)

    async def _do_plan(self, argument: str) -> None:
        entries = [{"content": name, "priority": "medium", "status": "pending"} for name in ("first", "second")]
        self._connection.update({"sessionUpdate": "plan", "entries": entries})

    async def _do_unknown(self, argument: str) -> None:
        self._connection.update({"sessionUpdate": "from_the_future"})

    async def _do_notice(self, argument: str) -> None:
        self._connection.update({"sessionUpdate": "notice", "severity": "warning", "title": argument})

    async def _do_usage(self, argument: str) -> None:
        used, size = argument.split()
        self._connection.usage(int(used), int(size))

    async def _do_mode(self, argument: str) -> None:
        await self._connection.set_mode(argument)

    async def _do_title(self, argument: str) -> None:
        self._connection.retitle(argument)

    async def _do_sleep(self, argument: str) -> None:
        due = anyio.current_time() + float(argument)
        await self._until(lambda: anyio.current_time() >= due)

    async def _do_wait(self, argument: str) -> None:
        await self._until(lambda: os.path.exists(argument))

    async def _do_touch(self, argument: str) -> None:
        with open(argument, "w"):  # noqa: ASYNC230  # an empty file
            pass

    async def _permissions(self, count: int) -> None:
        asked: list[tuple[str, anyio.Event, list[str | None]]] = []
        for _ in range(count):
            tool_id = self._tool("write a file", {"path": "/x"})
            call = {"toolCallId": tool_id, "title": "write a file", "kind": "edit"}
            _, event, answers = self._connection.ask(call)
            asked.append((tool_id, event, answers))
        for tool_id, event, answers in asked:
            await event.wait()
            status = "completed" if answers[0] in ("once", "always") else "failed"
            told = {"sessionUpdate": "tool_call_update", "toolCallId": tool_id, "status": status}
            self._connection.update({**told, "rawOutput": {"chosen": answers[0] or "cancelled"}})

    async def _do_perm(self, argument: str) -> None:
        await self._permissions(int(argument or 1))

    async def _do_bareperm(self, argument: str) -> None:
        key, _, _ = self._connection.ask({"toolCallId": self._tool("bare tool", {"deep": 1})})
        if argument:
            await self._do_wait(argument)
        self._connection.withdraw(key)
        self._chunk("agent_message_chunk", "withdrawn: -32800")

    async def _do_quietperm(self, argument: str) -> None:
        block = {"type": "content", "content": {"type": "text", "text": "rm -r build"}}
        call = {"toolCallId": f"quiet-{id(self)}", "title": "run a command", "kind": "execute", "content": [block]}
        self._connection.update({"sessionUpdate": "tool_call_update", **call})
        await self._connection.ask(call)[1].wait()

    async def _do_lateperm(self, argument: str) -> None:
        self._ask_late = True

    async def _do_exit(self, argument: str) -> None:
        failure = AgentFailure("agent_crashed", f"Stub exited with code {argument or 0} during session/prompt.")
        await self._connection.crash(failure)

    async def _do_kill(self, argument: str) -> None:
        failure = AgentFailure("agent_crashed", "Stub was ended by signal 9 (SIGKILL) during session/prompt.")
        await self._connection.crash(failure)

    async def _do_noreply(self, argument: str) -> None:
        self._reply = False

    async def _do_stop(self, argument: str) -> None:
        self._stop_reason = argument

    async def _do_error(self, argument: str) -> None:
        code, _, message = argument.partition(" ")
        kind = "auth_required" if acp.wants_sign_in(int(code), message) else "subagent_error"
        said = acp.error_sentence(int(code), message, {"details": "more of it"})
        self._error = AgentFailure(kind, f"Stub answered session/prompt with {said}.")

    async def _do_ignorecancel(self, argument: str) -> None:
        self._ignore = True

    async def _do_late(self, argument: str) -> None:
        self._late.append(argument or "late text")
