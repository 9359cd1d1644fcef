"""Stand-ins for the shell's neighbours: scripted agents, a database whose commits can be held, a catalogue, tokens."""

import os
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar

import anyio

from codeg.runtime.database import Database
from codeg.sessions.connection import AgentConnection, LaunchSpec, SessionSink
from codeg.sessions.types import AgentDefinition, ProcessStarted
from codeg.store.records import Write
from codeg.store.store import Store
from tests.fakes.stub_connection import StubConnection, StubLauncher

T = TypeVar("T")
PATIENCE_S = 10.0


async def until(condition: Callable[[], Any], what: str) -> Any:
    """Let others run until the condition is truthy; fails with `what`."""
    with anyio.move_on_after(PATIENCE_S):
        while True:
            value = condition()
            if value:
                return value
            await anyio.sleep(0.001)
    raise AssertionError(f"never happened: {what}")


class GatedLauncher:
    """The stub launcher, whose starts and ends can be held. `starting`, `live`: how many there are now."""

    def __init__(self) -> None:
        self.stub = StubLauncher()
        self.specs: list[LaunchSpec] = []
        self.gate: anyio.Event | None = None
        self.end_gate: anyio.Event | None = None
        self.starting = 0
        self.most_starting = 0
        self.live = 0

    @asynccontextmanager
    async def open(self, spec: LaunchSpec, sink: SessionSink) -> AsyncGenerator[AgentConnection]:
        self.specs.append(spec)
        self.live += 1
        self.starting += 1
        self.most_starting = max(self.most_starting, self.starting)
        try:
            async with AsyncExitStack() as stack:
                try:
                    connection = await stack.enter_async_context(self.stub.open(spec, sink))
                    if self.gate is not None:
                        await self.gate.wait()
                finally:
                    self.starting -= 1
                yield connection
        finally:
            if self.end_gate is not None:
                with anyio.CancelScope(shield=True):
                    await self.end_gate.wait()
            self.live -= 1

    async def connection(self, number: int = 0) -> StubConnection:
        """The agent that was opened as this one, once it is."""
        return (await until(lambda: self.stub.connections[number : number + 1], f"agent {number} is open"))[0]

    async def prompted(self, number: int = 0) -> StubConnection:
        """The same, once it has a prompt."""
        connection = await self.connection(number)
        await until(
            lambda: any(session_id == connection.session_id for session_id, _ in self.stub.prompts),
            f"agent {number} has its prompt",
        )
        return connection


class HeldDatabase:
    """A database whose commits wait while `hold` is set, and fail while `fault` is."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.released = anyio.Event()
        self.released.set()
        self.commits: list[list[Write]] = []
        self.waiting = 0
        self.fault: Exception | None = None

    def hold(self) -> None:
        """From now on commits wait."""
        self.released = anyio.Event()

    def release(self) -> None:
        """Let them go on."""
        self.released.set()

    async def run(self, work: Callable[[Store], T]) -> T:
        return await self._database.run(work)

    def write(self, writes: Sequence[Write]) -> None:
        self._database.write(writes)

    async def commit(self, writes: Sequence[Write]) -> None:
        self.commits.append(list(writes))
        self.waiting += 1
        try:
            await self.released.wait()
        finally:
            self.waiting -= 1
        if self.fault is not None:
            raise self.fault
        await self._database.commit(writes)


class StubCatalogue:
    """Three agents; `disabled` and `missing` can be changed."""

    def __init__(self) -> None:
        self.agents = {
            slug: AgentDefinition(slug, slug.title(), (slug,), delegate=slug != "custom:quiet")
            for slug in ("demo", "codex", "custom:quiet")
        }
        self.disabled: set[str] = set()
        self.missing: set[str] = set()

    def find(self, slug: str) -> AgentDefinition | None:
        agent = self.agents.get(slug)
        if agent is None or slug not in self.disabled:
            return agent
        return AgentDefinition(agent.slug, agent.label, agent.command, enabled=False)

    def installed(self, slug: str) -> bool:
        return slug in self.agents and slug not in self.missing

    async def look_ready(self) -> None: ...

    def why_missing(self, slug: str) -> str:
        return f"{slug} was not found in /bin."

    def enabled_slugs(self) -> tuple[str, ...]:
        return tuple(slug for slug in self.agents if slug not in self.disabled)

    def custom_and_disabled(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return ("custom:quiet",), tuple(sorted(self.disabled))

    def listing(self) -> list[dict[str, Any]]:
        return [{"slug": slug} for slug in self.agents]


class StubTokens:
    """Counts what lives."""

    def __init__(self, folder: str = "/tokens") -> None:
        self._folder = folder
        self.live: dict[str, str] = {}
        self.minted = 0

    def mint(self, session_id: str) -> str:
        self.minted += 1
        path = os.path.join(self._folder, f"{self.minted}.token")
        self.live[path] = session_id
        return path

    def revoke(self, token_file: str) -> None:
        self.live.pop(token_file, None)


class Leftovers:
    """Remembers whom it was told to end."""

    def __init__(self) -> None:
        self.ended: list[ProcessStarted] = []

    async def __call__(self, identities: Iterable[ProcessStarted]) -> None:
        self.ended.extend(identities)
