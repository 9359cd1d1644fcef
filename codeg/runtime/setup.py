"""What the person sets up from a front end: settings, agents, registrations in host programs.

Owns the way to the files (on a worker thread, one change at a time) and who is told of a change of agents. Never
decides what a setting means. Ends with each call.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anyio
import anyio.to_thread

from codeg.runtime.agents_file import AgentEntry, remove_agent, save_agent
from codeg.runtime.asking import invalid
from codeg.runtime.catalogue import AgentCatalogue
from codeg.runtime.live_settings import LiveSettings
from codeg.runtime.probing import AgentProbe, Step, probe_agent
from codeg.runtime.registrations.checkup import Registration, registrations
from codeg.runtime.registrations.registrar import Surroundings
from codeg.runtime.snapshots import AgentsChanged, Snapshots
from codeg.sessions.connection import Launcher
from codeg.store.settings import Settings, SettingsError, change_settings

PROBES_AT_ONCE = 2


class Setup:
    """All calls belong to the event loop's thread. `around`: where host programs and their files are now."""

    def __init__(
        self,
        snapshots: Snapshots,
        catalogue: AgentCatalogue,
        settings: LiveSettings,
        launcher: Launcher,
        around: Callable[[], Surroundings],
    ) -> None:
        self._snapshots = snapshots
        self._catalogue = catalogue
        self._settings = settings
        self._launcher = launcher
        self._around = around
        self._changing = anyio.Lock()
        self._probing = anyio.CapacityLimiter(PROBES_AT_ONCE)

    def agents_changed(self) -> None:
        """The user's file of agents was read anew, or agents can be found that could not before."""
        self._snapshots.tell(AgentsChanged())

    async def change_settings(self, changes: Mapping[str, Any]) -> Settings:
        """Change the file and take over what it says now.

        Raises:
            UserError: nothing was written.
        """
        async with self._changing:
            try:
                await anyio.to_thread.run_sync(change_settings, self._settings.path, dict(changes))
            except SettingsError as error:
                raise invalid(str(error)) from error
        return self._settings.now()

    async def probe(self, slug: str, step: Step | None) -> AgentProbe:
        """Start the agent once; one that is not installed is not started.

        Raises:
            UserError: there is no such agent.
        """
        await self._catalogue.look_ready()
        agent = self._catalogue.find(slug)
        if agent is None:
            raise invalid(f"There is no agent {slug}.")
        if not self._catalogue.installed(slug):
            return AgentProbe(slug, "missing", message=self._catalogue.why_missing(slug) or agent.install)
        async with self._probing:
            return await probe_agent(agent, self._launcher, step)

    async def save_agent(self, slug: str, label: str, command: Sequence[str], env: Mapping[str, str]) -> None:
        """Write what the person wants of an agent.

        Raises:
            UserError: nothing was written.
        """
        entry = AgentEntry.of(slug, label, command, env)
        async with self._changing:
            await anyio.to_thread.run_sync(save_agent, self._catalogue.file, entry)
        self._catalogue.problems()  # a look at the file: whoever looks first tells of the change

    async def remove_agent(self, slug: str) -> None:
        """Take out what the person wrote of an agent.

        Raises:
            UserError: nothing was written.
        """
        async with self._changing:
            await anyio.to_thread.run_sync(remove_agent, self._catalogue.file, slug)
        self._catalogue.problems()

    async def registrations(self) -> tuple[Registration, ...]:
        """How we stand in each host program."""
        await self._catalogue.look_ready()
        return await registrations(self._around())
