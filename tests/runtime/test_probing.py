"""One start of an agent: what is learnt, how far it got, and that it never lasts."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import pytest

from codeg.runtime.probing import probe_agent
from codeg.sessions.connection import AgentConnection, AgentFailure, LaunchSpec, SessionSink
from codeg.sessions.process_types import SpawnFailed
from codeg.sessions.types import AgentDefinition, Offers
from tests.fakes.stub_connection import MODES, OFFERS, StubLauncher

pytestmark = pytest.mark.anyio
AGENT = AgentDefinition("demo", "Demo", ("demo",))


def is_folder(path: str) -> bool:
    return os.path.isdir(path)


class Watched(StubLauncher):
    """Remembers the folders in which it started something."""

    def __init__(self, fault: Exception | None = None) -> None:
        super().__init__()
        self.folders: list[str] = []
        self.fault = fault

    @asynccontextmanager
    async def open(self, spec: LaunchSpec, sink: SessionSink) -> AsyncGenerator[AgentConnection]:
        self.folders.append(spec.cwd)
        assert is_folder(spec.cwd)
        assert not spec.mcp_servers
        async with super().open(spec, sink) as connection:
            if self.fault is not None:
                raise self.fault
            yield connection


async def test_an_agent_that_answers_tells_its_version_modes_and_options() -> None:
    launcher, steps = Watched(), list[str]()
    probe = await probe_agent(AGENT, launcher, steps.append)
    assert (probe.slug, probe.state, probe.version, probe.message) == ("demo", "ready", "1.0", "")
    assert probe.modes == MODES
    assert probe.options == tuple((each.option_id, each.name, each.choices) for each in OFFERS.options)
    assert steps == ["start", "handshake", "session"]
    assert launcher.connections[0].stopped
    assert not is_folder(launcher.folders[0])


async def test_an_agent_that_wants_a_sign_in_is_signed_out_and_its_version_is_known() -> None:
    launcher, steps = Watched(AgentFailure("auth_required", "Sign in first.")), list[str]()
    probe = await probe_agent(AGENT, launcher, steps.append)
    assert (probe.state, probe.message, probe.version) == ("signed_out", "Sign in first.", "1.0")
    assert steps[-1] == "session"
    assert not is_folder(launcher.folders[0])


async def test_an_agent_that_knows_that_nobody_is_signed_in_is_signed_out_although_it_opens_a_session() -> None:
    class SignedOut(Watched):
        @asynccontextmanager
        async def open(self, spec: LaunchSpec, sink: SessionSink) -> AsyncGenerator[AgentConnection]:
            async with super().open(spec, sink) as connection:
                self.connections[0].offers = Offers(signed_in=False)
                yield connection

    agent = replace(AGENT, sign_in="To sign in, run `demo login` in a terminal.")
    probe = await probe_agent(agent, SignedOut())
    assert (probe.state, probe.version) == ("signed_out", "1.0")
    said = "Demo starts, but nobody is signed in there. To sign in, run `demo login` in a terminal."
    assert probe.message == said


@pytest.mark.parametrize("fault", [AgentFailure("agent_crashed", "It fell over."), SpawnFailed("It fell over.")])
async def test_an_agent_that_does_not_get_there_is_broken(fault: Exception) -> None:
    assert await probe_agent(AGENT, Watched(fault)) == replace(
        await probe_agent(AGENT, Watched(fault)), state="broken", message="It fell over."
    )


async def test_an_agent_that_hangs_is_given_up() -> None:
    class Hanging(StubLauncher):
        @asynccontextmanager
        async def open(self, spec: LaunchSpec, sink: SessionSink) -> AsyncGenerator[AgentConnection]:
            await anyio.sleep_forever()
            yield  # pyright: ignore[reportReturnType]  # never reached

    probe = await probe_agent(AGENT, Hanging(), seconds=0.05)
    assert (probe.state, probe.message) == ("broken", "Demo did not start within 0.05 s.")
