"""Requests of a client by 2026-07-28 rules that speaks extensions, at a relay without any process."""

from typing import Any

from tests.companion.relays import Rig

TASKS = "io.modelcontextprotocol/tasks"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
WITH_TASKS: dict[str, Any] = {"extensions": {TASKS: {}}}
WITH_FORMS: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}}
RUNNING: dict[str, Any] = {
    "task_id": "codex-x-1",
    "status": "running",
    "agent_type": "codex",
    "attempt": 1,
    "created_at": "2026-12-01T10:00:00.000Z",
    "started_at": "2026-12-01T10:00:01.000Z",
    "activity": {"line": "reads files", "at": "2026-12-01T10:00:05.000Z", "tool_calls": 2},
}
QUEUED: dict[str, Any] = {
    "task_id": "codex-x-1",
    "status": "queued",
    "queue_position": 2,
    "agent_type": "codex",
    "created_at": "2026-12-01T10:00:00.000Z",
}
DONE: dict[str, Any] = {
    **RUNNING,
    "status": "completed",
    "ended_at": "2026-12-01T10:01:00.000Z",
    "text": "fertig 😀",
    "text_bytes": 11,
}


def send(rig: Rig, call_id: Any, method: str, params: dict[str, Any], given: dict[str, Any] | None = None) -> list[Any]:
    """What is answered at once; what was begun is in the relay's hands."""
    capabilities = WITH_TASKS if given is None else given
    answers = rig.bench.request(call_id, method, {**params, "_meta": {CAPABILITIES: capabilities}}, modern=True)
    rig.relay.take_calls()
    return answers + rig.written()


def call(rig: Rig, call_id: Any, tool: str, arguments: Any, given: dict[str, Any] | None = None, **more: Any) -> Any:
    """What is answered at once to a tool's call."""
    return send(rig, call_id, "tools/call", {"name": tool, "arguments": arguments, **more}, given)


def answer(rig: Rig, call_id: Any = 1) -> dict[str, Any]:
    (found,) = [item for item in rig.written() if item.get("id") == call_id]
    return found


def notes(rig: Rig, method: str) -> list[dict[str, Any]]:
    """The notifications of a method among what was written."""
    return [item["params"] for item in rig.written() if item.get("method") == method]
