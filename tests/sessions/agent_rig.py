"""What tests of the real connection share: a launcher for the fake agent, bounded waits, the agent's own log."""

import json
import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio

from codeg.sessions.connection import AgentConnection, AgentFailure, LaunchSpec
from codeg.sessions.stdio_launcher import StdioLauncher
from codeg.sessions.types import AgentDefinition, McpServer, TurnResult
from tests.fakes.recording_sink import RecordingSink

FAKE_AGENT = str(Path(__file__).parents[1] / "fakes" / "fake_agent.py")
BOUND_S = 30


async def search_path() -> str:
    """The PATH of the test run."""
    return os.environ["PATH"]


class Rig:
    """Starts fake agents in `folder`. Keyword arguments of `open` change the spec or the agent's environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.launcher = StdioLauncher(search_path, os.environ, "0.0.0")
        self.sink = RecordingSink()
        self.agent = AgentDefinition("fake", "Fake", (sys.executable, FAKE_AGENT), mode="default")
        self.servers: tuple[McpServer, ...] = ()

    @asynccontextmanager
    async def open(
        self, start: str = "", *, resume: str | None = None, timeout_s: float = BOUND_S
    ) -> AsyncGenerator[AgentConnection]:
        """An open connection; `start`: FAKE_AGENT_START."""
        self.sink = RecordingSink()
        told = {
            "FAKE_AGENT_START": start,
            "FAKE_AGENT_STATE": str(self.folder / "state"),
            "FAKE_AGENT_LOG": str(self.folder / "log"),
        }
        agent = replace(self.agent, env=(*self.agent.env, *told.items()))
        spec = LaunchSpec(agent, str(self.folder), self.servers, timeout_s, resume_session_id=resume)
        with anyio.fail_after(BOUND_S):
            async with self.launcher.open(spec, self.sink) as connection:
                yield connection

    async def turn(self, prompt: str, start: str = "") -> TurnResult:
        """One turn of a fresh agent."""
        async with self.open(start) as connection:
            return await connection.prompt(prompt)

    async def failing_turn(self, prompt: str) -> AgentFailure:
        """The failure of one turn of a fresh agent."""
        async with self.open() as connection:
            try:
                await connection.prompt(prompt)
            except AgentFailure as failure:
                return failure
        raise AssertionError("the turn did not fail")

    async def failing_start(
        self, start: str = "", *, resume: str | None = None, timeout_s: float = BOUND_S
    ) -> AgentFailure:
        """The failure of a start."""
        try:
            async with self.open(start, resume=resume, timeout_s=timeout_s):
                pass
        except AgentFailure as failure:
            assert not self.sink.of("exited")
            return failure
        raise AssertionError("the agent started")

    def received(self, method: str | None = None) -> list[dict[str, Any]]:
        """What the agents received, oldest first."""
        lines = (self.folder / "log").read_text().splitlines()
        messages = [json.loads(line)["message"] for line in lines]
        return [message for message in messages if method is None or message.get("method") == method]

    async def until(self, ready: Callable[[], object]) -> None:
        """Wait for something that has no event; bounded by the open connection."""
        while not ready():  # noqa: ASYNC110  # see above
            await anyio.sleep(0.002)
