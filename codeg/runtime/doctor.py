"""The doctor's raw checks: can a host be reached, can its files be used, does each installed agent start (contract 2).

Owns the checks of this machine and this home; each finding says what to do. Changes nothing but what a start of an
agent changes. Bounded: every agent has the seconds of a probe, two at a time.
"""

import os
import stat
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Literal

import anyio
import anyio.to_thread

from codeg.runtime.agent_path import AgentPath
from codeg.runtime.catalogue import AgentCatalogue
from codeg.runtime.probing import probe_agent
from codeg.sessions.connection import Launcher
from codeg.sessions.login_path import account
from codeg.sessions.stdio_launcher import StdioLauncher
from codeg.sessions.types import AgentDefinition
from codeg.store.homes import HomePaths, home_paths
from codeg.store.settings import Settings, SettingsError, load_settings
from codeg.store.store import Store, StoreError
from codeg.wire.places import places, why_unsafe_dir
from codeg.wire.version import VERSION

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding; `fix`: a sentence on what to do, where something is to be done."""

    check: str
    level: Level
    message: str
    fix: str = ""

    def shown(self) -> dict[str, Any]:
        """As `codeg doctor --json` prints it."""
        shown: dict[str, Any] = {"check": self.check, "level": self.level, "message": self.message}
        return shown | {"fix": self.fix} if self.fix else shown


async def examine(home: str | None, reach: Callable[[], Finding], launcher: Launcher | None = None) -> list[Finding]:
    """All findings, in a stable order.

    Args:
        home: value of `--home`.
        reach: whether a host answers (blocking; run on a thread).
        launcher: other than real processes, for tests.
    """
    paths = home_paths(home)
    findings = [_run_folder(paths), await anyio.to_thread.run_sync(reach), _store(paths)]
    settings, finding = _settings(paths)
    findings.append(finding)
    path = AgentPath(os.environ)
    await path.run()
    catalogue = AgentCatalogue(paths.agents_file, path.find, settings.agent, demo_home=paths.demo)
    findings += [Finding("agents.toml", "error", str(problem), "Mend that line.") for problem in catalogue.problems()]
    # Imported here: they name `Finding`.
    from codeg.runtime.registrations.checkup import registration_findings  # noqa: PLC0415  # see above
    from codeg.runtime.registrations.registrar import here  # noqa: PLC0415  # see above

    findings += await registration_findings(here(home, path.now()))
    findings += await _agents(catalogue, launcher or StdioLauncher(path, os.environ, VERSION))
    return findings


def _run_folder(paths: HomePaths) -> Finding:
    uid = 0 if sys.platform == "win32" else os.geteuid()
    found = places(paths.home, account()[0], uid)
    try:
        judged = os.lstat(found.run)
    except FileNotFoundError:
        return Finding("runtime folder", "ok", f"{found.run} is made when a host starts.")
    except OSError as error:
        sentence = f"{found.run} cannot be looked at: {error.strerror}."
        return Finding("runtime folder", "error", sentence, f"Make it yours, or choose another home than {found.run}.")
    # On Windows modes say nothing; there the host itself closes the folder to others at each start.
    why = None if sys.platform == "win32" else why_unsafe_dir(judged, uid, f"The folder {found.run}")
    if why is None:
        return Finding("runtime folder", "ok", f"{found.run} is yours and closed to others.")
    level: Level = "warning" if stat.S_ISDIR(judged.st_mode) else "error"
    return Finding("runtime folder", level, why, f"Remove {found.run}, or make it yours with mode 0700.")


def _store(paths: HomePaths) -> Finding:
    try:
        with closing(Store.open_readonly(paths.store_file)) as store:
            store.tasks_page(1)
    except StoreError as error:
        return Finding("store", "error", str(error), "Move the file away, or use the version of Codeg that wrote it.")
    return Finding("store", "ok", f"{paths.store_file} can be read.")


def _settings(paths: HomePaths) -> tuple[Settings, Finding]:
    try:
        settings = load_settings(paths.settings_file)
    except SettingsError as error:
        return Settings(), Finding("settings", "error", str(error), "Mend that line; nothing overwrites the file.")
    if settings.unknown:
        names = ", ".join(settings.unknown)
        return settings, Finding("settings", "warning", f"Not known to this version: {names}.", "Mend or remove them.")
    return settings, Finding("settings", "ok", f"{paths.settings_file} is understood, or absent.")


async def _agents(catalogue: AgentCatalogue, launcher: Launcher) -> list[Finding]:
    found: dict[str, Finding] = {}
    at_once = anyio.CapacityLimiter(2)
    slugs = [listed["slug"] for listed in catalogue.listing() if listed["installed"]]

    async def check(slug: str) -> None:
        agent = catalogue.find(slug)
        assert agent is not None
        if not agent.enabled:
            found[slug] = Finding(f"agent {slug}", "warning", f"{agent.label} is disabled.", "Enable it to use it.")
            return
        async with at_once:
            found[slug] = await _start(agent, launcher)

    async with anyio.create_task_group() as group:
        for slug in slugs:
            group.start_soon(check, slug)
    return [found[slug] for slug in slugs]


async def _start(agent: AgentDefinition, launcher: Launcher) -> Finding:
    check = f"agent {agent.slug}"
    probe = await probe_agent(agent, launcher)
    match probe.state:
        case "ready":
            return Finding(check, "ok", f"{agent.label} starts and opens a session.")
        case "signed_out":
            return Finding(check, "warning", probe.message, f"Sign in to {agent.label} once, then try again.")
        case _:
            return Finding(check, "error", probe.message, agent.install or "See its own documentation.")
