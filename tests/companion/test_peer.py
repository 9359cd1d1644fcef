"""The official MCP Python SDK as a peer, in both eras."""

import os
import sys
from typing import Any

import anyio
import jsonschema
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.subscriptions import ToolsListChanged

from companion import schema
from tests.fakes.socket_host import Handler, SocketHost

pytestmark = [pytest.mark.e2e, pytest.mark.peer]

OUTPUT = {tool["name"]: tool["outputSchema"] for tool in schema.load()}
RUNNING = {"task_id": "codex-do-0123456789ab", "status": "running", "agent_type": "codex", "created_at": "t"}
DONE = {
    **RUNNING,
    "status": "completed",
    "text": "fertig 😀",
    "text_bytes": 11,
    "usage": {"input_tokens": 1, "output_tokens": 2, "cost": {"amount": 0.5, "currency": "USD"}},
    "activity": {"line": "x", "at": "t", "tool_calls": 3},
    "duration_ms": 5,
    "attempt": 1,
}
NOTE = {"id": "n1", "kind": "note", "text": "Use tabs.", "created_at": "t"}
ANSWERS = [{"question": "Which?", "header": "Choice", "selected": ["a"], "other": "or c"}]
QUESTIONS = [
    {
        "question": "Which?",
        "header": "Choice",
        "options": [{"label": "a", "description": ""}, {"label": "b", "description": ""}],
    }
]
CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("delegate_to_agent", {"agent_type": "codex", "task": "t"}, "task_id=codex-do"),
    ("get_delegation_status", {"task_ids": ["codex-do-0123456789ab"], "wait_ms": 0}, "fertig"),
    ("cancel_delegation", {"task_id": "codex-do-0123456789ab"}, "completed"),
    ("resume_delegation", {"task_id": "codex-do-0123456789ab"}, "running"),
    ("ask_user_question", {"questions": QUESTIONS}, "or c"),
    ("check_user_feedback", {}, "Use tabs."),
]


def script(host: SocketHost) -> None:
    answers: dict[str, Handler] = {
        "call": lambda _request: RUNNING,
        "status": lambda _request: {"tasks": [DONE]},
        "cancel_task": lambda _request: DONE,
        "resume_task": lambda _request: {**RUNNING, "attempt": 2},
        "ask": lambda _request: {"state": "answered", "question_id": "q1", "answers": ANSWERS},
        "feedback": lambda _request: {"count": 1, "feedback": [NOTE]},
        "commit_feedback": lambda _request: None,
    }
    for kind, answer in answers.items():
        host.on(kind, answer)


def server(home: str, *flags: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=["-I", "-m", "companion", "--home", home, *flags], cwd=os.sep
    )


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")]
)
async def test_the_sdk_lists_and_calls_every_tool(home: str, host: SocketHost, mode: Any, version: str) -> None:
    script(host)
    with anyio.fail_after(40):
        async with Client(server(home), mode=mode) as client:
            assert client.protocol_version == version
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == list(OUTPUT)
            assert all(tool.annotations is not None and tool.title for tool in tools)
            for name, arguments, fact in CALLS:
                result = await client.call_tool(name, arguments)
                assert not result.is_error
                jsonschema.validate(result.structured_content, OUTPUT[name])
                assert fact in result.content[0].model_dump()["text"]
    assert {"hello", "catalog", "call", "status", "ask", "commit_feedback"} <= set(host.kinds())


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_sdk_gets_typed_errors_without_a_host(home: str, mode: Any) -> None:
    with anyio.fail_after(40):
        async with Client(server(home), mode=mode) as client:
            assert (await client.list_tools()).tools
            for name, arguments, _fact in CALLS:
                result = await client.call_tool(name, arguments)
                assert result.is_error
                jsonschema.validate(result.structured_content, OUTPUT[name])


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_sdk_gets_progress_of_a_wait(home: str, host: SocketHost, mode: Any) -> None:
    parameters = server(home)
    parameters.env = {"CODEG_MCP_MAX_WAIT_MS": "900"}
    got: list[float] = []
    twice = anyio.Event()

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        assert total is None
        assert message
        got.append(progress)
        if len(got) == 2:
            twice.set()

    with anyio.fail_after(40):
        async with Client(parameters, mode=mode) as client, anyio.create_task_group() as group:

            async def wait() -> None:
                arguments = {"task_ids": ["t"], "wait_ms": 0}
                result = await client.call_tool("get_delegation_status", arguments, progress_callback=heard)
                assert not result.is_error

            group.start_soon(wait)
            pending = await anyio.to_thread.run_sync(host.take, "status")
            await twice.wait()
            pending.reply({"tasks": [DONE]})
    assert got == sorted(set(got))


@pytest.mark.anyio
async def test_the_sdk_hears_of_changed_tools_by_its_subscription(home: str) -> None:
    with SocketHost(home) as host:
        del host.handlers["catalog"]
        with anyio.fail_after(40):
            async with Client(server(home), mode="auto") as client, client.listen(tools_list_changed=True) as events:
                listed = await client.list_tools()
                pending = await anyio.to_thread.run_sync(host.take, "catalog")
                pending.reply({"agents": ["demo"], "groups": ["delegation"]})
                async for event in events:
                    assert isinstance(event, ToolsListChanged)
                    break
                host.on("catalog", lambda _request: {"agents": ["demo"], "groups": ["delegation"]})
                changed = await client.list_tools()
    assert len(listed.tools) == 6
    assert len(changed.tools) == 4


@pytest.mark.anyio
async def test_the_sdk_may_cancel_a_wait_and_go_on(home: str, host: SocketHost) -> None:
    with anyio.fail_after(40):
        async with Client(server(home), mode="legacy") as client:
            scope = anyio.CancelScope()

            async def wait() -> None:
                with scope:
                    await client.call_tool("get_delegation_status", {"task_ids": ["t"], "wait_ms": 0})

            async with anyio.create_task_group() as group:
                group.start_soon(wait)
                pending = await anyio.to_thread.run_sync(host.take, "status")
                scope.cancel()
                assert await anyio.to_thread.run_sync(pending.closed.wait, 10)
            assert (await client.list_tools()).tools
