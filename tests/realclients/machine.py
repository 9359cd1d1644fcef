"""A user's machine of one test: a home, a folder, the scripted model, and real programs on the PATH.

Owns the clean environment that host, command line and programs share: nothing of the one the tests run in but the
system's PATH. Never installs anything.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.e2e.rig import Rig
from tests.realclients.model import Model
from tests.realclients.packages import bin_of, missing, with_node
from tests.realclients.recipes import Place, Recipe
from tests.realclients.running import Running


class Machine:
    """`rig`: the host's side (not started); `place`: where the programs find their files."""

    def __init__(self, rig: Rig, model: Model, temporary: Path) -> None:
        self.rig = rig
        self.model = model
        self.place = Place(rig.account, rig.folder, model.url)
        self.temporary = temporary
        self._running: list[Running] = []
        temporary.mkdir(parents=True, exist_ok=True)
        rig.env.clear()
        rig.env.update(self._clean())

    def _clean(self) -> dict[str, str]:
        home = self.place.home
        return {
            "PATH": with_node(os.environ.get("PATH", os.defpath)),
            "HOME": str(home),
            "SHELL": "/bin/sh",
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "TMPDIR": str(self.temporary),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_DATA_HOME": str(home / ".local" / "share"),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "XDG_STATE_HOME": str(home / ".local" / "state"),
            "CODEG_TEST_RUN": self.rig.run_id,
        }

    def install(self, recipe: Recipe, *packages: str) -> None:
        """Put programs on the PATH of everything started from now on, with their configuration and variables."""
        for name in packages:
            assert missing(name) is None
            self.rig.env["PATH"] = f"{bin_of(name)}{os.pathsep}{self.rig.env['PATH']}"
        recipe.configure(self.place)
        self.rig.env.update(recipe.env(self.place))

    def start(self, words: Sequence[str], extra: Mapping[str, str] | None = None) -> Running:
        """Start a program in the folder, in the environment of this machine."""
        output = self.temporary / f"run-{len(self._running)}"
        made = Running(words, {**self.rig.env, **(extra or {})}, self.place.folder, output)
        self._running.append(made)
        return made

    def close(self) -> None:
        """End what still runs; a program that left processes behind fails the test."""
        for running in self._running:
            running.close()
        left = [each for running in self._running for each in running.left]
        assert not left, f"left behind: {left}"
