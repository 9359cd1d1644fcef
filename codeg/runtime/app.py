"""The composition root: one host, put together from endpoint to listener and taken down in the reverse order.

Owns the nesting endpoint → log → store → core → listener. Leaving it, by whatever way, stops accepting, ends all agents
(live tasks become `interrupted`), answers who waits, writes and closes, within 8 s. Nothing else makes these parts.
"""

import logging
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import cast

import anyio
from anyio.abc import TaskStatus

from codeg.broker.events import LimitsChanged
from codeg.runtime.agent_path import AgentPath
from codeg.runtime.answering import Answering
from codeg.runtime.catalogue import AgentCatalogue
from codeg.runtime.core import Core, CoreParts, open_core
from codeg.runtime.database import Database, open_database
from codeg.runtime.discovery import Endpoint, EndpointError, HostRunning, open_endpoint
from codeg.runtime.host import Host, HostFacts
from codeg.runtime.housekeeping import keep_house
from codeg.runtime.injection import HostAddress
from codeg.runtime.listener import Listener, raised_limits
from codeg.runtime.live_settings import LiveSettings
from codeg.runtime.logs import open_log
from codeg.runtime.loop import HostFailed, system_now
from codeg.runtime.registrations.registrar import here
from codeg.runtime.services import Services
from codeg.runtime.setup import Setup
from codeg.runtime.snapshots import AgentsChanged, SettingsChanged
from codeg.runtime.tokens import Tokens
from codeg.runtime.transport import Server
from codeg.sessions.connection import Launcher
from codeg.sessions.process import end_leftovers
from codeg.sessions.stdio_launcher import StdioLauncher
from codeg.store.homes import HomePaths, home_paths
from codeg.store.settings import Settings, SettingsError
from codeg.store.store import StoreError
from codeg.wire.version import VERSION

logger = logging.getLogger(__name__)

DRAIN_S = 0.5
"""Seconds in which open connections get the answers that the end of the host brings."""


def _no_window() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class HostSettings:
    """How a host is opened. `home`: value of `--home`, None = `CODEG_HOME` or the system's own places.

    `raise_window` brings the desktop's window to the front and says whether there is one. `launcher`: other than real
    processes, for tests.
    """

    home: str | None = None
    raise_window: Callable[[], bool] = _no_window
    launcher: Launcher | None = None


@asynccontextmanager
async def open_host(settings: HostSettings | None = None) -> AsyncGenerator[Host]:
    """A running host.

    Raises:
        HostRunning: another host owns this state directory.
        HostFailed: one sentence: settings, store or endpoint cannot be used, or the disk failed meanwhile.
    """
    given = settings or HostSettings()
    paths = home_paths(given.home)
    up = False
    try:
        live = LiveSettings(paths.settings_file)
        with open_endpoint(paths.home) as endpoint, open_log(paths.log_file):
            logger.info("host %s of version %s in %s", endpoint.record.pid, VERSION, paths.home or paths.data)
            async with open_database(paths.store_file) as database, AsyncExitStack() as stack:
                host = await _assemble(stack, given, _Ground(paths, live, endpoint, database))
                up = True
                yield host
    except HostRunning:
        raise
    except (EndpointError, SettingsError, StoreError) as error:
        raise HostFailed(str(error)) from error
    except OSError as error:
        if up:  # the front end's own
            raise
        raise HostFailed(f"The host cannot start: {error}") from error
    except BaseExceptionGroup as group:
        raise _sole(group) from None


@dataclass(frozen=True, slots=True)
class _Ground:
    """What stands before the first part is made."""

    paths: HomePaths
    live: LiveSettings
    endpoint: Endpoint
    database: Database


class _Door:
    """The listener's life: it outlives the core by the moment in which the last answers go out."""

    def __init__(self) -> None:
        self._scope = anyio.CancelScope(shield=True)
        self._listener: Listener | None = None

    async def run(
        self, listener: Listener, server: Server, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED
    ) -> None:
        """Serve until `end`."""
        self._listener = listener
        with self._scope:
            await listener.run(server, task_status=task_status)

    async def stop_accepting(self) -> None:
        """No new connection from now on."""
        if self._listener is not None:
            with anyio.CancelScope(shield=True):
                await self._listener.stop_accepting()

    async def end(self) -> None:
        """Let the last answers go out, then close."""
        if self._listener is not None:
            with anyio.CancelScope(shield=True):
                await self._listener.drain(DRAIN_S)
        self._scope.cancel()


async def _assemble(stack: AsyncExitStack, given: HostSettings, ground: _Ground) -> Host:
    """Make the parts; `stack` takes them down in the reverse order."""
    agent_path, door, stop_asked = AgentPath(os.environ), _Door(), anyio.Event()
    tokens = Tokens(ground.endpoint.tokens_folder, ground.endpoint.record.token)
    stack.callback(tokens.close)
    catalogue = _catalogue(ground, agent_path)
    group = await stack.enter_async_context(anyio.create_task_group())
    stack.callback(group.cancel_scope.cancel)
    stack.push_async_callback(door.end)
    launcher = given.launcher or StdioLauncher(agent_path, os.environ, VERSION)
    core = await stack.enter_async_context(open_core(ground.database, _parts(ground, launcher, catalogue, tokens)))
    setup = Setup(core.snapshots, catalogue, ground.live, launcher, lambda: here(given.home, agent_path.now()))
    ground.live.on_change(partial(_settings_changed, core))
    catalogue.on_change(setup.agents_changed)

    services = Services(
        broker=core.broker,
        sessions=core.sessions,
        desk=core.desk,
        catalogue=catalogue,
        runs=core.runs,
        database=ground.database,
        limits=ground.live.limits,
        outside_folder=lambda: ground.live.now().delegation.outside_folder,
        stop_host=partial(_set, stop_asked),
        raise_window=given.raise_window,
        attended=lambda: given.raise_window is not _no_window,
    )
    listener = Listener(Answering(services, tokens), tokens, limits=raised_limits())
    with anyio.CancelScope(shield=True):  # cut short, it would run behind its own shield for ever
        await group.start(door.run, listener, ground.endpoint.server())
    stack.push_async_callback(door.stop_accepting)
    group.start_soon(_know_path, agent_path, setup)
    group.start_soon(keep_house, ground.database, lambda: ground.live.now().store.keep_days, core.around.wall_ms)
    return Host(core, catalogue, HostFacts(ground.paths, ground.endpoint.record, ground.live, stop_asked), setup)


async def _set(event: anyio.Event) -> None:
    """The promise of `Services.stop_host`."""
    event.set()


async def _know_path(agent_path: AgentPath, setup: Setup) -> None:
    """Once the login shell's PATH is known, more agents may be found than before."""
    await agent_path.run()
    setup.agents_changed()


def _settings_changed(core: Core, before: Settings, now: Settings) -> None:
    core.broker.post(LimitsChanged(now.delegation.limits()))
    core.snapshots.tell(SettingsChanged(now))
    if before.agents != now.agents:
        core.snapshots.tell(AgentsChanged())


def _catalogue(ground: _Ground, agents: AgentPath) -> AgentCatalogue:
    return AgentCatalogue(
        ground.paths.agents_file,
        agents.find,
        ground.live.agent,
        agents.certain,
        path=agents.now,
        known_within=agents.known_within,
        demo_home=ground.paths.demo,
    )


def _parts(ground: _Ground, launcher: Launcher, catalogue: AgentCatalogue, tokens: Tokens) -> CoreParts:
    live, address = ground.live, HostAddress(ground.endpoint.record.socket, os.getpid(), ground.paths.home)
    return CoreParts(
        launcher=launcher,
        catalogue=catalogue,
        tokens=tokens,
        address=lambda: address,
        limits=live.limits,
        start_timeout_s=lambda: live.now().delegation.start_timeout_s,
        result_cache_bytes=lambda: live.now().delegation.result_cache_mb * 1024 * 1024,
        end_leftovers=end_leftovers,
        now=system_now,
    )


def _sole(group: "BaseExceptionGroup[BaseException]") -> BaseException:
    """What was raised inside: task groups wrap it. A host that failed is the cause of whatever else broke with it."""
    failed, _ = group.split(HostFailed)
    leaves = _leaves(group if failed is None else failed)
    return leaves[0] if failed is not None or len(leaves) == 1 else group


def _leaves(error: BaseException) -> list[BaseException]:
    if not isinstance(error, BaseExceptionGroup):
        return [error]
    inner = cast("BaseExceptionGroup[BaseException]", error).exceptions
    return [leaf for each in inner for leaf in _leaves(each)]
