"""A core with its parts around it, without any process."""

import json
from typing import Any

from companion import schema
from companion.mcp import Core
from companion.opened import Call, Subscription
from companion.rendering import Result
from companion.schema import GROUPS, Toolbox

MODERN: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def one_call(items: list[Call | Subscription]) -> Call:
    """The first of them, which is a call."""
    assert isinstance(items[0], Call)
    return items[0]


class Bench:
    """A core; `ask` feeds one message and gives what was written, decoded."""

    def __init__(self, groups: tuple[str, ...] = GROUPS) -> None:
        self.lines: list[str] = []
        self.core = Core(Toolbox(schema.load(), groups, ["codex", "demo"]), self.lines.append)

    def ask(self, message: Any) -> list[Any]:
        payload = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.core.feed(payload, framed=False)
        return self.written()

    def request(self, call_id: Any, method: str, params: Any = None, modern: bool = False) -> list[Any]:
        body: dict[str, Any] = {"jsonrpc": "2.0", "id": call_id, "method": method}
        if modern:
            given: dict[str, Any] = params or {}
            params = {**given, "_meta": {**MODERN, **given.get("_meta", {})}}
        if params is not None:
            body["params"] = params
        return self.ask(body)

    def notify(self, method: str, params: Any) -> list[Any]:
        return self.ask({"jsonrpc": "2.0", "method": method, "params": params})

    def call(self, call_id: Any, tool: str = "check_user_feedback", **meta: Any) -> list[Any]:
        return self.request(call_id, "tools/call", {"name": tool, "arguments": {}, "_meta": meta})

    def initialize(self, version: str = "2025-11-25") -> dict[str, Any]:
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        (answer,) = self.request("init", "initialize", params)
        return answer["result"]

    def answer(self) -> list[Any]:
        """Answers the oldest started call."""
        self.core.answer(self.begun(), Result("done", {}))
        del self.core.started[0]
        return self.written()

    def begun(self) -> Call:
        """The oldest started call."""
        return one_call(self.core.started)

    def list_now(self) -> list[Any]:
        for listing in self.core.listings:
            self.core.answer_listing(listing)
        self.core.listings.clear()
        return self.written()

    def written(self) -> list[Any]:
        found = [json.loads(data) for data, _marks in self.core.out]
        self.core.out.clear()
        return found
