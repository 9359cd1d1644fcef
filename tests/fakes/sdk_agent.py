"""An agent built on the official ACP package: an independent peer for our client. Its prompts are small scripts of words.

`tool`: a tool call; `ask`: a permission, its outcome said; `wait`: until cancelled; anything else is said back.
"""

import asyncio
from typing import Any, cast
from uuid import uuid4

import acp
from acp.schema import AgentCapabilities, SessionCapabilities, SessionMode, SessionModeState, SessionResumeCapabilities

MODES = SessionModeState(
    current_mode_id="auto", available_modes=[SessionMode(id="auto", name="Auto"), SessionMode(id="default", name="Ask")]
)


class SdkAgent:
    """Serves one connection; the package calls its methods by keyword."""

    def __init__(self) -> None:
        self.cancelled = asyncio.Event()
        self.client: acp.Client | None = None

    def on_connect(self, conn: acp.Client) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **_more: Any) -> acp.InitializeResponse:
        resume = SessionCapabilities(resume=SessionResumeCapabilities())
        capabilities = AgentCapabilities(load_session=True, session_capabilities=resume)
        return acp.InitializeResponse(protocol_version=protocol_version, agent_capabilities=capabilities)

    async def new_session(self, cwd: str, **_more: Any) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id=f"sdk-{uuid4().hex[:8]}", modes=MODES)

    async def resume_session(self, session_id: str, **_more: Any) -> Any:
        if not session_id.startswith("sdk-"):
            raise acp.RequestError.resource_not_found(session_id)
        return acp.schema.ResumeSessionResponse(modes=MODES)

    async def set_session_mode(self, mode_id: str, session_id: str, **_more: Any) -> acp.SetSessionModeResponse | None:
        return acp.SetSessionModeResponse()

    async def cancel(self, session_id: str, **_more: Any) -> None:
        self.cancelled.set()

    async def prompt(self, prompt: list[Any], session_id: str, **_more: Any) -> acp.PromptResponse:
        assert self.client is not None
        self.cancelled.clear()
        for word in "".join(block.text for block in prompt).split():
            if word == "tool":
                call = acp.start_tool_call("t1", "Read a file", kind="read", status="pending", raw_input={"path": "/x"})
                await self.client.session_update(session_id=session_id, update=call)
                done = acp.update_tool_call("t1", status="completed")
                await self.client.session_update(session_id=session_id, update=done)
            elif word == "ask":
                await self.ask(session_id)
            elif word == "wait":
                await self.say(session_id, "waiting")
                await self.cancelled.wait()
                return acp.PromptResponse(stop_reason="cancelled")
            else:
                await self.say(session_id, word)
        return acp.PromptResponse(stop_reason="end_turn")

    async def say(self, session_id: str, text: str) -> None:
        assert self.client is not None
        await self.client.session_update(session_id=session_id, update=acp.update_agent_message_text(text))

    async def ask(self, session_id: str) -> None:
        assert self.client is not None
        call = acp.update_tool_call("t2", title="Write a file", kind="edit")
        options = [
            acp.schema.PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
            acp.schema.PermissionOption(option_id="no", name="No", kind="reject_once"),
        ]
        answer = await self.client.request_permission(session_id=session_id, tool_call=call, options=options)
        await self.say(session_id, getattr(answer.outcome, "option_id", answer.outcome.outcome))


if __name__ == "__main__":
    asyncio.run(acp.run_agent(cast("acp.Agent", SdkAgent()), use_unstable_protocol=True))
