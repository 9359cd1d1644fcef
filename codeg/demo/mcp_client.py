"""The MCP servers that a session was given, as the demo agent's own child processes.

Owns their processes: started when a session first needs tools, ended when the connection closes (stdin closed, then
TERM, then KILL). Speaks MCP 2025-11-25 over stdio. Calls run at once; a cancelled call tells the server.
"""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import Process

from codeg.demo.pipes import ChildPipes, Lines, json_object, json_objects
from codeg.jsonrpc.messages import Response, classify, notification, request
from codeg.wire.version import VERSION

Json = dict[str, Any]
_HANDSHAKE_S = 20
_LEAVE_S = 3


class McpError(Exception):
    """The server refused, or is gone; the message is one sentence."""


class _Waiter:
    def __init__(self) -> None:
        self.done = anyio.Event()
        self.answer: Response | None = None


class McpServer:
    """One running server. Made by `connect`."""

    def __init__(self, name: str, lines: Lines) -> None:
        self.name = name
        self.tools: dict[str, Json] = {}
        self._lines = lines
        self._waiting: dict[int, _Waiter] = {}
        self._ids = 0
        self._closed = False

    async def pump(self) -> None:
        """Route answers until the server's output ends; then every waiter hears it."""
        async for value in self._lines.values():
            message = classify(value)
            if isinstance(message, Response) and isinstance(message.id, int):
                waiter = self._waiting.get(message.id)
                if waiter is not None:
                    waiter.answer = message
                    waiter.done.set()
        self._closed = True
        for waiter in self._waiting.values():
            waiter.done.set()

    async def ask(self, method: str, params: Json) -> Any:
        """One request and its result.

        Raises:
            McpError: an error answer, or the server went away.
        """
        if self._closed:
            raise McpError(f"The tool server {self.name!r} has ended.")
        self._ids += 1
        key = self._ids
        waiter = self._waiting[key] = _Waiter()
        try:
            await self._lines.send(request(key, method, params))
            await waiter.done.wait()
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._lines.send(
                    notification("notifications/cancelled", {"requestId": key, "reason": "cancelled"})
                )
            raise
        finally:
            del self._waiting[key]
        if waiter.answer is None:
            raise McpError(f"The tool server {self.name!r} has ended.")
        if waiter.answer.error is not None:
            raise McpError(waiter.answer.error.message)
        return waiter.answer.result

    async def handshake(self) -> None:
        """Initialise and list the tools."""
        client = {"name": "codeg-demo-agent", "version": VERSION}
        await self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        await self._lines.send(notification("notifications/initialized", {}))
        listed = json_object(await self.ask("tools/list", {}))
        self.tools = {str(tool.get("name")): tool for tool in json_objects(listed.get("tools"))}

    async def call(self, tool: str, arguments: Json, tool_call_id: str = "") -> Json:
        """Call a tool; the result is MCP's, errors of the tool included."""
        params: Json = {"name": tool, "arguments": arguments}
        if tool_call_id:
            params["_meta"] = {"tool_use_id": tool_call_id}
        return json_object(await self.ask("tools/call", params))


async def _leave(process: Process) -> None:
    with anyio.CancelScope(shield=True):
        if process.stdin is not None:
            await process.stdin.aclose()
        for step in (process.terminate, process.kill):
            with anyio.move_on_after(_LEAVE_S):
                await process.wait()
                return
            step()


@asynccontextmanager
async def connect(entry: Json, cwd: str) -> AsyncGenerator[McpServer]:
    """Start the server of an `mcpServers` entry (stdio form) and shake hands; it ends when the context is left.

    Raises:
        McpError: it cannot be started or does not answer within 20 s.
    """
    name = str(entry.get("name", "tools"))
    try:
        env = {str(item["name"]): str(item["value"]) for item in json_objects(entry.get("env"))}
        arguments: list[Any] = entry.get("args") or []
        command = [str(entry["command"]), *map(str, arguments)]
        process = await anyio.open_process(command, cwd=cwd, env={**os.environ, **env}, stderr=None)
    except (OSError, ValueError, TypeError, KeyError) as error:
        reason = getattr(error, "strerror", None) or "its entry is wrong"
        raise McpError(f"The tool server {name!r} cannot be started: {reason}.") from None
    server = McpServer(name, Lines(ChildPipes(process)))
    async with anyio.create_task_group() as group:
        group.start_soon(server.pump)
        try:
            await _shake_hands(server)
            yield server
        finally:
            await _leave(process)
            group.cancel_scope.cancel()


async def _shake_hands(server: McpServer) -> None:
    try:
        with anyio.fail_after(_HANDSHAKE_S):
            await server.handshake()
    except TimeoutError as error:
        raise McpError(f"The tool server {server.name!r} did not answer within {_HANDSHAKE_S} s.") from error
