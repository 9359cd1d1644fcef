"""The doctor's raw checks: can a host be reached, can its files be used, what do programs and agents say (contract 2).

Owns the checks of this machine and this home; each finding says what to do. Changes nothing but what a start of a
program changes. Bounded: two programs run at a time, each check has its own seconds (`--version` 15, sign-in 15, an
entry's command 5, an agent 20; 5 more for the end of what does not end by itself), so that five host programs with
their agents take 20 s as a rule, and 4 minutes at the very worst.
"""

import os
import shlex
import stat
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial

import anyio
import anyio.to_thread

from codeg.runtime.agent_path import AgentPath
from codeg.runtime.catalogue import AgentCatalogue
from codeg.runtime.findings import Finding, Level
from codeg.runtime.probing import AgentProbe, probe_agent
from codeg.runtime.registrations.checkup import AT_ONCE, registration_findings
from codeg.runtime.registrations.presence import Told, presence_findings, sign_in_finding
from codeg.runtime.registrations.programs import PROGRAMS, Program
from codeg.runtime.registrations.registrar import Surroundings, here
from codeg.sessions.connection import Launcher
from codeg.sessions.login_path import account
from codeg.sessions.stdio_launcher import StdioLauncher
from codeg.sessions.types import AgentDefinition
from codeg.store.homes import HomePaths, home_paths
from codeg.store.settings import Settings, SettingsError, load_settings
from codeg.store.store import Store, StoreError
from codeg.wire.places import places, why_unsafe_dir
from codeg.wire.version import VERSION


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
    programs = _Programs(catalogue, here(home, path.now()), launcher or StdioLauncher(path, os.environ, VERSION))
    return findings + await programs.examined()


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


class _Programs:
    """The host programs that are installed, and the agents; everything that is started is started here."""

    def __init__(self, catalogue: AgentCatalogue, around: Surroundings, launcher: Launcher) -> None:
        self._catalogue = catalogue
        self._around = around
        self._launcher = launcher
        self._hosts = [program for program in PROGRAMS if around.find(program.command) is not None]
        self._installed = [listed["slug"] for listed in catalogue.listing() if listed["installed"]]
        self._probes: dict[str, AgentProbe] = {}
        self._found: dict[str, list[Finding]] = {}

    async def examined(self) -> list[Finding]:
        """All findings: program by program, then the agents that are no host programs."""
        at_once = anyio.CapacityLimiter(AT_ONCE)

        async def run(check: Callable[[], Awaitable[None]]) -> None:
            async with at_once:
                await check()

        async with anyio.create_task_group() as group:
            for program in self._hosts:
                group.start_soon(run, partial(self._look, program))
            for slug in self._installed:
                group.start_soon(run, partial(self._start, slug))
        found = [finding for program in self._hosts for finding in self._told(program)]
        others = set(self._installed) - {program.agent for program in self._hosts}
        return found + [each for slug in self._installed if slug in others for each in self._found[f"agent {slug}"]]

    async def _look(self, program: Program) -> None:
        there = await presence_findings(program, self._around, self._how(program))
        self._found[f"program {program.slug}"] = there
        self._found[f"registration {program.slug}"] = await registration_findings(program, self._around)

    def _told(self, program: Program) -> list[Finding]:
        """What is said of one program: its version, its sign-in, our entry, its time limit, its side as an agent."""
        there = self._found[f"program {program.slug}"]
        if len(there) < 2:
            there = [*there, sign_in_finding(program, self._by_session(program), self._how(program))]
        agent = self._found.get(f"agent {program.agent}") or [self._no_adapter(program)]
        return [*there, *self._found[f"registration {program.slug}"], *agent]

    def _how(self, program: Program) -> str:
        agent = self._catalogue.find(program.agent)
        return (agent.sign_in if agent else "") or f"Sign in to {program.label} once, then try again."

    def _by_session(self, program: Program) -> Told:
        """Signed in or not, by whether it opened a session: some programs have no command that tells."""
        probe = self._probes.get(program.agent)
        match probe.state if probe else "":
            case "ready":
                return True, ", or needs no sign-in: it opened a session"
            case "signed_out":
                return False, ": it opens no session"
            case _:
                return None, "it has no command that tells, and opened no session over ACP"

    def _no_adapter(self, program: Program) -> Finding:
        agent = self._catalogue.find(program.agent)
        adapter = agent.command[0] if agent and agent.command else "its program for ACP"
        message = f"{program.label} is installed, but {adapter} is not, by which tasks are handed to it over ACP."
        return Finding(f"agent {program.agent}", "warning", message, agent.install if agent else "")

    async def _start(self, slug: str) -> None:
        agent = self._catalogue.find(slug)
        assert agent is not None
        check = f"agent {slug}"
        if not agent.enabled:
            self._found[check] = [Finding(check, "warning", f"{agent.label} is disabled.", "Enable it to use it.")]
            return
        probe = self._probes[slug] = await probe_agent(agent, self._launcher)
        self._found[check] = [_of_agent(agent, probe)]


def _of_agent(agent: AgentDefinition, probe: AgentProbe) -> Finding:
    check = f"agent {agent.slug}"
    version = f" (version {probe.version})" if probe.version else ""
    match probe.state:
        case "ready":
            return Finding(check, "ok", f"{agent.label} answers over ACP{version} and opens a session.")
        case "signed_out":
            # Without a sentence of our own for it, the agent's own words say how.
            fix = agent.sign_in or probe.message.split("\n")[0]
            return Finding(check, "warning", f"{agent.label} answers over ACP{version}, but nobody is signed in.", fix)
        case _:
            newer = f" A newer one may help. {agent.install}" if agent.install else ""
            fix = f"Run `{shlex.join(agent.command)}` in a terminal to see what it says.{newer}"
            return Finding(check, "error", probe.message, fix)
