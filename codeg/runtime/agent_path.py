"""The PATH for agents: the login shell is asked once, in the background, so that no start of a host waits for it.

Owns that one answer. Until it is there, agents wait for it (3 s at most), and a look for a program makes do with what
the host's own environment says. Ends when it has the answer.
"""

import os
from collections.abc import Mapping

import anyio

from codeg.sessions.environment import find_program, search_path
from codeg.sessions.login_path import path_for_agents


class AgentPath:
    """`env`: the host's own environment."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self._known = anyio.Event()
        self._path: str | None = None

    async def run(self) -> None:
        """Ask, and keep the answer."""
        try:
            self._path = await path_for_agents(self._env)
        finally:
            self._known.set()

    async def __call__(self) -> str:
        """The PATH, once it is known."""
        await self._known.wait()
        return self.now()

    async def known_within(self, seconds: float) -> None:
        """Wait until it is known, so long at most."""
        with anyio.move_on_after(seconds):
            await self._known.wait()

    def certain(self) -> bool:
        """The login shell has answered, or has failed to."""
        return self._known.is_set()

    def now(self) -> str:
        """The PATH as far as it is known."""
        if self._path is None:
            return search_path(None, self._env.get("PATH", ""), self._env.get("HOME", ""))
        return self._path

    def find(self, program: str) -> str | None:
        """Where a program is, by what is known now."""
        return find_program(os.path.expanduser(program) if program.startswith("~") else program, self.now())
