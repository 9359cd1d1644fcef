"""The official MCP SDK's client drives the real companion, host and agents, in both eras."""

import sys
from typing import Any

import anyio
import jsonschema
import pytest
from mcp import Client, StdioServerParameters

from tests.e2e.rig import Rig

pytestmark = [pytest.mark.e2e, pytest.mark.peer]


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_sdks_client_delegates_waits_and_cancels(host: Rig, mode: Any) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-I", "-m", "companion", "--home", str(host.home)],
        cwd=str(host.folder),
        env=host.env,
    )
    with anyio.fail_after(60):
        async with Client(server, mode=mode) as client:
            schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}

            async def call(tool: str, **arguments: Any) -> dict[str, Any]:
                result = await client.call_tool(tool, arguments)
                jsonschema.validate(result.structured_content, schemas[tool] or {})
                assert result.structured_content is not None
                return result.structured_content

            first = await call("delegate_to_agent", agent_type="custom:fake", task="@say one")
            slow = await call("delegate_to_agent", agent_type="custom:fake", task="@sleep 600")
            tasks = (await call("get_delegation_status", task_ids=[first["task_id"], slow["task_id"]], wait_ms=0))[
                "tasks"
            ]
            assert [(t["status"], t.get("text")) for t in tasks] == [("completed", "one"), ("running", None)]
            await call("cancel_delegation", task_id=slow["task_id"])
            waited = await call("get_delegation_status", task_ids=[slow["task_id"]], wait_ms=0)
            assert waited["tasks"][0]["status"] == "canceled"
            assert (await call("check_user_feedback"))["count"] == 0
