"""One start of an agent, to learn what it says of itself: for the doctor and for the desktop's setup.

Owns a bounded start (initialize, a session in a folder of its own) and its end. Never prompts, keeps nothing.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import anyio

from codeg.sessions.connection import AgentConnection, AgentFailure, Launcher, LaunchSpec
from codeg.sessions.process import SpawnFailed
from codeg.sessions.sign_in import how_to_sign_in
from codeg.sessions.types import AgentDefinition, PermissionRequest, ProcessStarted, ThreadChange, TurnUsage

AGENT_S = 20.0
"""Seconds for one start. The slowest known agent needs 15 on a loaded machine."""
ProbeState = Literal["ready", "signed_out", "broken", "missing"]
Step = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class AgentProbe:
    """What a start of the agent told. `message`: one sentence where it is not ready.

    `modes`: (id, name); `options`: (id, name, ((value, name), ...)).
    """

    slug: str
    state: ProbeState
    version: str = ""
    message: str = ""
    modes: "tuple[tuple[str, str], ...]" = ()
    options: "tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]" = ()


async def probe_agent(
    agent: AgentDefinition, launcher: Launcher, step: Step | None = None, seconds: float = AGENT_S
) -> AgentProbe:
    """Start it once and end it again.

    Args:
        agent: the agent.
        launcher: what starts it.
        step: told `start`, `handshake` (its process runs) and `session` (it answered) as they begin.
        seconds: for the start; its end takes up to 5 s more.
    """
    watching = _Watching(step or _nobody)
    watching.step("start")
    try:
        with tempfile.TemporaryDirectory(prefix="codeg-probe-") as folder, anyio.fail_after(seconds):
            spec = LaunchSpec(agent, folder, (), seconds, greeted=watching.greeted)
            async with launcher.open(spec, watching) as connection:
                found = _told(agent, connection)
    except (AgentFailure, SpawnFailed) as failure:
        signed_out = isinstance(failure, AgentFailure) and failure.code == "auth_required"
        found = AgentProbe(agent.slug, "signed_out" if signed_out else "broken", message=failure.message)
    except TimeoutError:
        found = AgentProbe(agent.slug, "broken", message=f"{agent.label} did not start within {seconds:g} s.")
    return replace(found, version=watching.version)


def _told(agent: AgentDefinition, connection: AgentConnection) -> AgentProbe:
    if connection.offers.signed_in is False:
        message = f"{agent.label} starts, but nobody is signed in there. {how_to_sign_in(agent)}".rstrip()
        return AgentProbe(agent.slug, "signed_out", message=message)
    options = tuple((each.option_id, each.name, each.choices) for each in connection.offers.options)
    return AgentProbe(agent.slug, "ready", modes=connection.modes, options=options)


def _nobody(_step: str) -> None:
    """Nobody watches."""


class _Watching:
    """Keeps `SessionSink`: nothing that the agent tells is kept but its version and how far it got."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.version = ""

    def greeted(self, version: str) -> None:
        """It answered `initialize`."""
        self.version = version
        self.step("session")

    def process_started(self, process: ProcessStarted) -> None:
        """It runs."""
        del process
        self.step("handshake")

    def changed(self, change: ThreadChange) -> None:
        """Nothing."""

    def permission_asked(self, request: PermissionRequest) -> None:
        """Nothing: without a prompt none is asked."""

    def permission_closed(self, key: str) -> None:
        """Nothing."""

    def usage_changed(self, usage: TurnUsage) -> None:
        """Nothing."""

    def options_changed(self) -> None:
        """Nothing."""

    def exited(self, failure: AgentFailure) -> None:
        """Nothing: leaving the session ends it anyway."""
