"""The demo agent as a parent: one `delegate_to_agent` call for each mention, a wait for all, a report of their results.

Reaches its children through its own tool server only. Shows each call to the host as an ACP tool call. Never invents a
result: what a child did is the text of its report.
"""

import json
from typing import Any, Protocol

import anyio

from codeg.demo.mcp_client import McpError, McpServer
from codeg.demo.mentions import Mention
from codeg.demo.pipes import json_object

Json = dict[str, Any]
PLAIN = "(Demo agent: no language model, a few fixed commands.)"
"""Said at the end of each answer."""
_ENDS = frozenset({"completed", "failed", "canceled", "interrupted", "unknown"})


class Voice(Protocol):
    """How a turn speaks to the host."""

    async def say(self, text: str) -> None:
        """A piece of the answer."""
        ...

    async def tool_started(self, title: str, kind: str, raw_input: Json) -> str:
        """Announce a tool call; returns its id."""
        ...

    async def tool_ended(self, tool_call_id: str, text: str, *, ok: bool) -> None:
        """Its outcome."""
        ...

    async def plan(self, steps: list[tuple[str, str]]) -> None:
        """(text, status) of each step."""
        ...


class Delegating:
    """The delegations of one turn."""

    def __init__(self, voice: Voice, server: McpServer, mentions: tuple[Mention, ...]) -> None:
        self._voice = voice
        self._server = server
        self._mentions = mentions
        self._reports: list[Json] = [{} for _ in mentions]
        self._told: set[str] = set()

    async def run(self) -> str:
        """Delegate all at once, wait for all, and return the report of their results."""
        await self._show_plan()
        async with anyio.create_task_group() as group:
            for index in range(len(self._mentions)):
                group.start_soon(self._delegate, index)
        await self._show_plan()
        await self._wait()
        await self._show_plan()
        return "\n\n".join(self._section(index) for index in range(len(self._mentions)))

    async def _delegate(self, index: int) -> None:
        mention = self._mentions[index]
        self._reports[index] = await self._tool(
            "delegate_to_agent", {"agent_type": mention.agent, "task": mention.task}
        )

    async def _tool(self, tool: str, arguments: Json) -> Json:
        """One tool call, shown to the host: its structured result, or a report that says why there is none."""
        shown = await self._voice.tool_started(f"mcp__{self._server.name}__{tool}", "other", arguments)
        try:
            result = await self._server.call(tool, arguments, shown)
        except McpError as error:
            await self._voice.tool_ended(shown, str(error), ok=False)
            return {"status": "failed", "message": str(error)}
        text = "".join(block.get("text", "") for block in result.get("content", []))
        await self._voice.tool_ended(shown, text, ok=not result.get("isError"))
        return json_object(result.get("structuredContent")) or {"status": "failed", "message": text}

    async def _wait(self) -> None:
        while open_ids := [r["task_id"] for r in self._reports if r.get("task_id") and r.get("status") not in _ENDS]:
            answer = await self._tool("get_delegation_status", {"task_ids": open_ids, "wait_ms": 0})
            tasks: list[Json] = answer.get("tasks", [])
            if not tasks:
                await self._voice.say(f"The wait failed: {answer.get('message', 'no reason given')}\n")
                return
            for report in tasks:
                await self._take(report)
            await self.hear()

    async def _take(self, report: Json) -> None:
        for index, known in enumerate(self._reports):
            if known.get("task_id") == report.get("task_id"):
                self._reports[index] = report
        blocked = report.get("blocked_on")
        if blocked and blocked["request_id"] not in self._told:
            self._told.add(blocked["request_id"])
            await self._voice.say(f"{report['task_id']} waits for you: {blocked.get('title', blocked['kind'])}\n\n")
        if report.get("status") in _ENDS:
            await self._complete(report)

    async def _complete(self, report: Json) -> None:
        """Fetch the rest of a text that a reply cut."""
        pieces = [report.get("text", "")]
        following = report.get("next_offset")
        while following is not None:
            arguments: Json = {"task_ids": [report["task_id"]], "result_offset": following, "max_bytes": 1_000_000}
            answer = await self._tool("get_delegation_status", arguments)
            tasks: list[Json] = answer.get("tasks") or [{}]
            more = tasks[0]
            pieces.append(more.get("text", ""))
            following = more.get("next_offset") if more.get("text") else None
        if len(pieces) > 1:
            report["text"] = "".join(pieces)

    async def hear(self) -> None:
        """Pull what the person noted meanwhile, and say that it was heard."""
        if "check_user_feedback" not in self._server.tools:
            return
        try:
            result = await self._server.call("check_user_feedback", {})
        except McpError:
            return
        heard: list[Json] = json_object(result.get("structuredContent")).get("feedback", [])
        for item in heard:
            await self._voice.say(f"You noted: {item.get('text') or json.dumps(item.get('answers'))}\n\n")

    def _section(self, index: int) -> str:
        mention, report = self._mentions[index], self._reports[index]
        head = f"## @{mention.agent} {mention.task}".rstrip()
        if report.get("status") == "completed":
            text = str(report.get("text") or report.get("message", ""))
            return f"{head}\n\n{text.removesuffix(PLAIN).rstrip()}"
        reason = report.get("message") or report.get("error_code") or "no reason given"
        kept = f"\n\n{report['text']}" if report.get("text") else ""
        return f"{head}\n\n{report.get('status', 'failed')}: {reason}{kept}"

    async def _show_plan(self) -> None:
        steps: list[tuple[str, str]] = []
        for mention, report in zip(self._mentions, self._reports, strict=True):
            status = report.get("status")
            state = "pending" if status is None else "completed" if status in _ENDS else "in_progress"
            steps.append((f"@{mention.agent} {mention.task}"[:200], state))
        await self._voice.plan(steps)
