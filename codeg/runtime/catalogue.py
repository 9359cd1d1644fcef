"""The agents of this host at this moment: the built-in ones, the user's file, what the settings say, what is installed.

Owns a cache: the file is read again when it changed, a program that was found stays found, one that was not is looked
for again at each question. Never starts anything. Ends with the host.
"""

import logging
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from codeg.runtime.logs import hide
from codeg.sessions.agents import CUSTOM, AgentProblem, Catalogue, load_catalogue
from codeg.sessions.builtin_agents import DEMO, builtin_agents
from codeg.sessions.environment import ProgramMissing, how_to_install, resolve_command
from codeg.sessions.types import AgentDefinition
from codeg.store.settings import AgentSettings

logger = logging.getLogger(__name__)

BUILT_IN = frozenset(agent.slug for agent in builtin_agents())
LOOK_S = 0.5
"""Seconds that a call waits for the login shell; it is acknowledged within one (contract 6)."""
_Stamp = tuple[int, int, int] | None
_UNREAD: _Stamp = (-1, -1, -1)


class AgentCatalogue:
    """Keeps `services.CataloguePort`.

    `find`: the path of a program or None; `certain`: whether its None can be trusted (the login shell's PATH is known).
    `settings`: what the user's settings say of an agent. `path`: the folders in which `find` looks.
    `known_within`: waits until they are certain. `demo_home`: where the demo agent keeps its sessions.
    """

    def __init__(
        self,
        file: str,
        find: Callable[[str], str | None],
        settings: Callable[[str], AgentSettings],
        certain: Callable[[], bool] = lambda: True,
        *,
        path: Callable[[], str] = lambda: "",
        known_within: Callable[[float], Awaitable[None]] | None = None,
        demo_home: str | None = None,
    ) -> None:
        self._file = file
        self._demo_home = demo_home
        self._known_within = known_within
        self._path = path
        self._find = find
        self._settings = settings
        self._certain = certain
        self._stamp: _Stamp = _UNREAD
        self._catalogue = Catalogue(())
        self._programs: dict[str, str] = {}
        self._changed: Callable[[], None] = lambda: None

    def on_change(self, changed: Callable[[], None]) -> None:
        """Name who is told that the file changed, by whoever looks first after a change."""
        self._changed = changed

    @property
    def file(self) -> str:
        """The user's file."""
        return self._file

    def find(self, slug: str) -> AgentDefinition | None:
        """The agent of that slug, enabled or not."""
        known = self._fresh().get(slug)
        return None if known is None else self._as_set(known.definition)

    def installed(self, slug: str) -> bool:
        """Its program was found, or might be: while the PATH for agents is not known yet, only its start can tell."""
        agent = self.find(slug)
        return agent is not None and bool(agent.command) and (self._program(agent) is not None or not self._certain())

    async def look_ready(self) -> None:
        """Wait until a look for a program can be trusted, `LOOK_S` at most."""
        if self._known_within is not None and not self._certain():
            await self._known_within(LOOK_S)

    def why_missing(self, slug: str) -> str:
        """Where its program was looked for in vain and what to do, as a sentence; "" when there is no such agent."""
        agent = self.find(slug)
        try:
            if agent is not None:
                base = self._base(agent)
                resolve_command(agent, self._path(), lambda place: place == base)
        except ProgramMissing as missing:
            return f"{missing}"
        return ""

    def enabled_slugs(self) -> tuple[str, ...]:
        """Enabled ones, built-in first, in a stable order."""
        return tuple(agent.slug for agent in self._all() if agent.enabled)

    def custom_and_disabled(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Custom slugs that are enabled, and built-in slugs that are not."""
        agents = self._all()
        custom = tuple(agent.slug for agent in agents if agent.enabled and agent.slug.startswith(CUSTOM))
        return custom, tuple(agent.slug for agent in agents if not agent.enabled and agent.slug in BUILT_IN)

    def listing(self) -> list[dict[str, Any]]:
        """As `codeg agents --json` prints it; every program is looked for again."""
        self._programs.clear()
        return [self._listed(agent) for agent in self._all()]

    def problems(self) -> tuple[AgentProblem, ...]:
        """What is wrong with the user's file."""
        return self._fresh().problems

    def _listed(self, agent: AgentDefinition) -> dict[str, Any]:
        program = self._program(agent)
        listed: dict[str, Any] = {
            "slug": agent.slug,
            "label": agent.label,
            "installed": program is not None,
            "command": [program or agent.command[0], *agent.command[1:]] if agent.command else [],
            "enabled": agent.enabled,
        }
        if agent.install:
            base = self._base(agent) if program is None else None
            listed["how_to_install"] = how_to_install(agent, base)
        return listed

    def _base(self, agent: AgentDefinition) -> str | None:
        """Where the program is that the agent's own is only an adapter for."""
        return self._find(agent.adapts) if agent.adapts else None

    def _all(self) -> list[AgentDefinition]:
        return [self._as_set(known.definition) for known in self._fresh().agents]

    def _as_set(self, agent: AgentDefinition) -> AgentDefinition:
        """The settings' word stands above the catalogue's (contract 7: unless the user's settings say otherwise)."""
        told = self._settings(agent.slug)
        options = dict(agent.options) | dict(told.options)
        own = (("CODEG_DEMO_HOME", self._demo_home),) if agent.slug == DEMO and self._demo_home else ()
        return replace(
            agent,
            env=(*own, *agent.env),
            mode=agent.mode if told.mode is None else told.mode,
            options=tuple(options.items()),
            enabled=agent.enabled if told.enabled is None else told.enabled,
            delegate=agent.delegate if told.delegate is None else told.delegate,
        )

    def _program(self, agent: AgentDefinition) -> str | None:
        if not agent.command:
            return None
        name = agent.command[0]
        found = self._programs.get(name) or self._find(name)
        if found is not None:
            self._programs[name] = found
        return found

    def _fresh(self) -> Catalogue:
        stamp = _stamp_of(self._file)
        if stamp != self._stamp:
            first, self._stamp = self._stamp == _UNREAD, stamp
            self._programs.clear()
            # Programs are looked for by need, not here: seventeen agents are some hundred looks at the file system.
            self._catalogue = load_catalogue(_text_of(self._file), lambda _name: None, self._file)
            for agent in self._catalogue.agents:
                for _, secret in agent.definition.env:
                    hide(secret)
            for problem in self._catalogue.problems:
                logger.warning("%s", problem)
            if not first:
                self._changed()
        return self._catalogue


def _stamp_of(file: str) -> _Stamp:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def _text_of(file: str) -> str | None:
    """The file's text; what is no UTF-8 in it is left to the TOML parser to refuse."""
    try:
        with open(file, "rb") as source:
            return source.read().decode("utf-8", "replace")
    except OSError:
        return None
