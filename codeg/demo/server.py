"""The demo agent's side of ACP: sessions, prompts, load, resume, cancel.

Owns the open sessions, their tool servers and the turn under way in each. Ends at end of input: turns are cancelled,
tool servers ended.
"""

from typing import Any

import anyio
from anyio.abc import TaskGroup

from codeg.demo import saved
from codeg.demo.mcp_client import McpError, McpServer, connect
from codeg.demo.mentions import read_command, read_mentions
from codeg.demo.pipes import Lines, json_object, json_objects
from codeg.demo.turn import Turn
from codeg.jsonrpc.messages import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Notification,
    Request,
    Response,
    classify,
    error,
    notification,
    request,
    result,
)
from codeg.wire.version import VERSION

Json = dict[str, Any]
_MODES = [{"id": "ask", "name": "Ask before writing"}, {"id": "allow", "name": "Write without asking"}]


class _Refusal(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Session:
    def __init__(self, kept: saved.Saved, servers: list[Json]) -> None:
        self.kept = kept
        self.servers = servers
        self.turn: anyio.CancelScope | None = None
        self.server: McpServer | None = None
        self.trouble = ""


class Server:
    """One connection to a host."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._sessions: dict[str, _Session] = {}
        self._answers: dict[int, tuple[anyio.Event, list[Json]]] = {}
        self._ids = 0

    async def run(self) -> None:
        """Serve until the input ends."""
        async with anyio.create_task_group() as group:
            async for value in self._lines.values():
                message = classify(value)
                if isinstance(message, Request):
                    group.start_soon(self._serve, message, group, self._turn_begun_by(message))
                elif isinstance(message, Notification):
                    self._notified(message)
                elif isinstance(message, Response):
                    self._answered(message)
            group.cancel_scope.cancel()

    def _turn_begun_by(self, message: Request) -> anyio.CancelScope | None:
        """The turn of a prompt exists from its arrival: a cancel may stand right behind it."""
        if message.method != "session/prompt":
            return None
        session = self._sessions.get(str(json_object(message.params).get("sessionId")))
        if session is None or session.turn is not None:
            return None
        session.turn = anyio.CancelScope()
        return session.turn

    async def _serve(self, message: Request, group: TaskGroup, turn: anyio.CancelScope | None) -> None:
        params: Json = json_object(message.params)
        try:
            if message.method == "session/prompt":
                value = await self._prompt(self._session(params), params, group, turn)
            else:
                value = await self._method(message.method, params)
        except _Refusal as refusal:
            await self._lines.send(error(message.id, refusal.code, str(refusal)))
        else:
            await self._lines.send(result(message.id, value))

    async def _method(self, method: str, params: Json) -> Json:
        match method:
            case "initialize":
                return _capabilities()
            case "authenticate":
                return {}
            case "session/new":
                return self._open(saved.create(str(params.get("cwd", "/"))), params)
            case "session/load":
                return await self._reopen(params, replay=True)
            case "session/resume":
                return await self._reopen(params, replay=False)
            case "session/set_mode":
                return self._set_mode(self._session(params), str(params.get("modeId")))
            case _:
                raise _Refusal(METHOD_NOT_FOUND, f"The demo agent has no method {method!r}.")

    def _session(self, params: Json) -> _Session:
        found = self._sessions.get(str(params.get("sessionId")))
        if found is None:
            raise _Refusal(INVALID_PARAMS, "There is no such session in this process.")
        return found

    def _open(self, kept: saved.Saved, params: Json) -> Json:
        servers = [entry for entry in json_objects(params.get("mcpServers")) if "command" in entry]
        self._sessions[kept.session_id] = _Session(kept, servers)
        return {"sessionId": kept.session_id, "modes": {"currentModeId": kept.mode, "availableModes": _MODES}}

    async def _reopen(self, params: Json, *, replay: bool) -> Json:
        kept = saved.load(str(params.get("sessionId")))
        if kept is None:
            raise _Refusal(-32002, "There is no session of that id on disk.")
        opened = self._open(kept, params)
        if replay:
            for turn in kept.turns:
                kind = "user_message_chunk" if turn["who"] == "user" else "agent_message_chunk"
                await self._update(
                    kept.session_id, {"sessionUpdate": kind, "content": {"type": "text", "text": turn["text"]}}
                )
        return {"modes": opened["modes"]}

    def _set_mode(self, session: _Session, mode: str) -> Json:
        if mode not in {item["id"] for item in _MODES}:
            raise _Refusal(INVALID_PARAMS, f"There is no mode {mode!r}.")
        session.kept.mode = mode
        return {}

    async def _prompt(self, session: _Session, params: Json, group: TaskGroup, begun: anyio.CancelScope | None) -> Json:
        if begun is None and session.turn is not None:
            raise _Refusal(INVALID_PARAMS, "A turn is under way in this session.")
        session.turn = scope = begun or anyio.CancelScope()
        blocks = json_objects(params.get("prompt"))
        text = "\n".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
        kept = session.kept
        with scope:
            text = self._begin(kept, text)
            turn = Turn(
                kept.cwd, kept.mode, lambda update: self._update(kept.session_id, update), self._asker(kept.session_id)
            )
            try:
                await self._tools(session, group)
                await turn.run(text, session.server, session.trouble)
                kept.unfinished = None
            finally:
                kept.mode = turn.mode
                kept.turns.append({"who": "agent", "text": turn.said})
                saved.save(kept)
        session.turn = None
        return {"stopReason": "cancelled" if scope.cancelled_caught else "end_turn"}

    def _begin(self, kept: saved.Saved, text: str) -> str:
        """Note the prompt. With an unfinished one, words that order nothing new mean: go on with it."""
        kept.turns.append({"who": "user", "text": text})
        if kept.unfinished and not read_mentions(text) and read_command(text) is None:
            text = kept.unfinished
        kept.unfinished = text
        saved.save(kept)
        return text

    async def _tools(self, session: _Session, group: TaskGroup) -> None:
        """Start the session's tool server once; it lives as long as the connection."""
        if session.server is not None or not session.servers:
            return
        ready = anyio.Event()
        group.start_soon(self._keep_tools, session, ready)
        await ready.wait()

    async def _keep_tools(self, session: _Session, ready: anyio.Event) -> None:
        try:
            async with connect(session.servers[0], session.kept.cwd) as session.server:
                ready.set()
                await anyio.sleep_forever()
        except McpError as trouble:
            session.trouble = str(trouble)
        finally:
            session.server = None
            ready.set()

    def _notified(self, message: Notification) -> None:
        params: Json = json_object(message.params)
        if message.method == "session/cancel":
            session = self._sessions.get(str(params.get("sessionId")))
            if session is not None and session.turn is not None:
                session.turn.cancel()

    def _answered(self, message: Response) -> None:
        waiting = self._answers.get(message.id) if isinstance(message.id, int) else None
        if waiting is not None:
            waiting[1].append(json_object(message.result))
            waiting[0].set()

    def _asker(self, session_id: str) -> Any:
        async def ask(method: str, params: Json) -> Json:
            self._ids += 1
            key, waiting = self._ids, (anyio.Event(), list[Json]())
            self._answers[key] = waiting
            await self._lines.send(request(key, method, {"sessionId": session_id, **params}))
            try:
                await waiting[0].wait()
            finally:
                del self._answers[key]
            return waiting[1][0]

        return ask

    async def _update(self, session_id: str, update: Json) -> None:
        await self._lines.send(notification("session/update", {"sessionId": session_id, "update": update}))


def _capabilities() -> Json:
    return {
        "protocolVersion": 1,
        "agentCapabilities": {
            "loadSession": True,
            "promptCapabilities": {},
            "mcpCapabilities": {},
            "sessionCapabilities": {"resume": {}},
        },
        "authMethods": [],
        "agentInfo": {"name": "codeg-demo-agent", "title": "Demo agent (no language model)", "version": VERSION},
    }
