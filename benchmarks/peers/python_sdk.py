"""The official Python SDK's low-level server. argv: tools.json, socket, token. Ends at EOF."""

from __future__ import annotations

import json
import sys
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


async def relay(path: str, request: dict[str, Any]) -> dict[str, Any]:
    """One request to the host's socket and its outcome (contract 5)."""
    body = json.dumps(request).encode()
    found = bytearray()
    async with await anyio.connect_unix(path) as stream:
        await stream.send(len(body).to_bytes(4, "little") + body)
        async for part in stream:
            found += part
    return json.loads(found[4:])["outcome"]


async def main(tools: str, socket: str, token: str) -> None:
    with open(tools, encoding="utf-8") as file:  # noqa: ASYNC230  # before anything is served
        listed = types.ListToolsResult(tools=[types.Tool.model_validate(tool) for tool in json.load(file)])

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return listed

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        request = {"kind": "status", "v": 1, "token": token, **(params.arguments or {})}
        outcome = await relay(socket, request)
        text = types.TextContent(type="text", text=json.dumps(outcome))
        return types.CallToolResult(content=[text], structured_content=outcome)

    server = Server("python-sdk", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main, sys.argv[1], sys.argv[2], sys.argv[3])
