"""The core of a host: all its parts but its doors, put together in one place and taken down in one order.

Owns the nesting ledger, agents, runs; what an earlier host left is cleared up before anything begins. Never opens a
socket, reads a setting or chooses a path. Ends within `STOP_S` seconds: live tasks become `interrupted`, agents end in
parallel, the rest is written.
"""

import logging
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import anyio
from anyio.abc import TaskStatus

from codeg.broker.events import HostStarted, HostStopping
from codeg.broker.ledger import Ledger
from codeg.broker.tasks import Limits, Now, ProcessIdentity
from codeg.runtime.children import Children
from codeg.runtime.conversation import Surroundings
from codeg.runtime.cut_off import texts_of
from codeg.runtime.desk import Desk
from codeg.runtime.injection import HostAddress
from codeg.runtime.loop import DelegationBroker
from codeg.runtime.perform import Performer
from codeg.runtime.recorder import Recorder
from codeg.runtime.results import ResultCache
from codeg.runtime.roots import Roots
from codeg.runtime.runs import Runs
from codeg.runtime.services import CataloguePort, DatabasePort, TokensPort
from codeg.runtime.sessions import Sessions
from codeg.runtime.shelf import Shelf
from codeg.runtime.snapshots import Snapshots
from codeg.runtime.spending import Spending
from codeg.sessions.connection import Launcher
from codeg.sessions.types import ProcessStarted
from codeg.store.records import DropProcess, SaveSession, Write

logger = logging.getLogger(__name__)

STOP_S = 6.5
"""Seconds for the ordered end of all agents; a host ends within 8 s in all (contract 2, serve)."""
SETTLE_S = 2.0
"""Seconds of these in which their end may wait for the disk."""


@dataclass(frozen=True, slots=True)
class CoreParts:
    """What a core is made of. The callables are asked at each use, so that changed settings count at once."""

    launcher: Launcher
    catalogue: CataloguePort
    tokens: TokensPort
    address: Callable[[], HostAddress]
    limits: Callable[[], Limits]
    start_timeout_s: Callable[[], float]
    result_cache_bytes: Callable[[], int]
    """Bytes of result texts that one parent may hold in memory."""
    end_leftovers: Callable[[Iterable[ProcessStarted]], Awaitable[None]]
    now: Callable[[], Now]
    starts_at_once: int = max(2, os.cpu_count() or 2)


class Core:
    """The parts of one running host."""

    def __init__(self, database: DatabasePort, parts: CoreParts) -> None:
        def wall_ms() -> int:
            return parts.now().wall_ms

        self.database = database
        self.snapshots = Snapshots()
        self.results = ResultCache(database, parts.result_cache_bytes)
        self.broker = DelegationBroker(Ledger(parts.limits()), database, self.results, clock=parts.now)
        self.sessions = Sessions(database, self.snapshots, parts.catalogue, parts.limits, wall_ms)
        self.desk = Desk(self.sessions, self.snapshots, database, self.broker.post, wall_ms)
        self.recorder = Recorder(database)
        self.spending = Spending(database, self.snapshots, wall_ms)
        self.around = Surroundings(
            post=self.broker.post,
            database=database,
            sessions=self.sessions,
            snapshots=self.snapshots,
            recorder=self.recorder,
            desk=self.desk,
            catalogue=parts.catalogue,
            tokens=parts.tokens,
            launcher=parts.launcher,
            starting=anyio.CapacityLimiter(parts.starts_at_once),
            address=parts.address,
            start_timeout_s=parts.start_timeout_s,
            wall_ms=wall_ms,
            spending=self.spending,
        )
        self.children = Children(self.around)
        self.roots = Roots(self.around)
        self.runs = Runs(self.around, self.roots, self.broker)
        self.shelf = Shelf(self.around, self.broker, self.roots)
        self.broker.attach(Performer(self.around, self.children).perform, self.children.activity)

    async def clear_up(self, end_leftovers: Callable[[Iterable[ProcessStarted]], Awaitable[None]]) -> None:
        """End what an earlier host left alive, then tell the ledger which tasks were at work (contract 7)."""
        processes = await self.database.run(lambda store: store.processes())
        if processes:
            logger.info("%d agent processes of an earlier host are looked for", len(processes))
            await end_leftovers([_started(saved.process) for saved in processes])
        writes: list[Write] = [DropProcess(saved.process) for saved in processes]
        now = self.around.wall_ms()
        for session in await self.database.run(lambda store: store.live_sessions()):
            state = "gone" if session.kind == "outside" else "ended"
            writes.append(SaveSession(replace(session, state=state, updated_ms=now)))
        if writes:
            await self.database.commit(writes)
        records = await self.database.run(lambda store: store.live_tasks())
        self.broker.post(HostStarted(records, await self.database.run(lambda store: texts_of(store, records))))
        await self.desk.questions.restore()

    async def stop(self) -> None:
        """End all agents, in parallel; live tasks become `interrupted`. Whatever has not ended by then is cancelled."""
        self.broker.post(HostStopping())
        with anyio.move_on_after(STOP_S):
            async with anyio.create_task_group() as ending:
                ending.start_soon(self.roots.close_all)
                ending.start_soon(self._end_children)
        self.sessions.part_with_guests()

    async def _end_children(self) -> None:
        """The ledger ends them; when it has failed, or its disk hangs, they are ended all the same."""
        with anyio.move_on_after(SETTLE_S):
            await self.broker.settled()
        self.children.stop_all()
        await self.children.until_none()

    async def run_agents(self, scope: anyio.CancelScope, *, task_status: TaskStatus[None]) -> None:
        """Hold agents and runs until `scope` is cancelled: a shield, since nothing else may cut their end short."""
        with scope:
            async with anyio.create_task_group() as group:
                for part in (self.children, self.roots, self.runs):
                    await group.start(part.run)
                group.start_soon(self.recorder.run)
                group.start_soon(self.spending.run)
                task_status.started()

    async def run_broker(self) -> None:
        """Own the ledger until its end, whatever is cancelled around it."""
        with anyio.CancelScope(shield=True):
            await self.broker.run()


@asynccontextmanager
async def open_core(database: DatabasePort, parts: CoreParts) -> AsyncGenerator[Core]:
    """A running core.

    Raises:
        HostFailed: (in a group) the store cannot be written any more.
    """
    core = Core(database, parts)
    agents = anyio.CancelScope(shield=True)
    async with anyio.create_task_group() as group:
        group.start_soon(core.run_broker)
        with anyio.CancelScope(shield=True):  # no wait; cut short, both would run behind their shields for ever
            await group.start(core.run_agents, agents)
        try:
            await core.clear_up(parts.end_leftovers)
            yield core
        finally:
            with anyio.CancelScope(shield=True):
                await core.stop()
                agents.cancel()
                core.recorder.flush_all()
                core.broker.close()
                await core.broker.ended.wait()


def _started(process: ProcessIdentity) -> ProcessStarted:
    return ProcessStarted(
        boot_id=process.boot_id,
        keeper_pid=process.keeper_pid,
        keeper_start=process.keeper_start,
        agent_pid=process.agent_pid,
        agent_start=process.agent_start,
    )
