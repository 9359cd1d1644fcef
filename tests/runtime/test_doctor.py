"""The doctor on host programs and agents: what is said of each, in which order, and how many run at a time."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from codeg.runtime.doctor import examine
from codeg.runtime.findings import Finding
from codeg.runtime.registrations.programs import PROGRAMS
from codeg.sessions.connection import AgentConnection, AgentFailure, LaunchSpec, SessionSink
from tests.fakes.stub_connection import StubLauncher

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform == "win32", reason="programs are scripts")]


class ByAgent(StubLauncher):
    """Starts agents that are ready, signed out or broken, by slug; counts how many are open at a time.

    `wanted`: the first ones wait until so many are open.
    """

    def __init__(self, wanted: int = 1, **faults: AgentFailure) -> None:
        super().__init__()
        self.faults = faults
        self.wanted = wanted
        self.met = anyio.Event()
        self.open_now = self.most = 0

    @asynccontextmanager
    async def open(self, spec: LaunchSpec, sink: SessionSink) -> AsyncGenerator[AgentConnection]:
        self.open_now += 1
        self.most = max(self.most, self.open_now)
        try:
            async with super().open(spec, sink) as connection:
                if self.wanted <= self.open_now:
                    self.met.set()
                with anyio.fail_after(30):
                    await self.met.wait()
                # Whoever may start by now has started.
                await anyio.wait_all_tasks_blocked()
                if fault := self.faults.get(spec.agent.slug):
                    raise fault
                yield connection
        finally:
            self.open_now -= 1


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home and a PATH of which only the given programs are looked at."""
    for name in ("home", "bin", "work"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "work")
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "OPENCODE_CONFIG", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return tmp_path


def install(machine: Path, name: str, version: str = "9.8.7", *, code: int = 0) -> None:
    program = machine / "bin" / name
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo {version} && exit 0\nexit {code}\n')
    program.chmod(0o755)


async def told(machine: Path, launcher: StubLauncher) -> list[Finding]:
    found = await examine(str(machine / "state"), lambda: Finding("host", "ok", "It answers."), launcher)
    return [each for each in found if each.check.split()[-1] not in {"folder", "host", "store", "settings"}]


def said(found: list[Finding], check: str) -> tuple[str, str, str]:
    [finding] = [each for each in found if each.check == check]
    return finding.level, finding.message, finding.fix


async def test_programs_that_are_absent_are_no_finding(machine: Path) -> None:
    found = await told(machine, ByAgent())
    theirs = {program.slug for program in PROGRAMS if (machine / "bin" / program.command).exists()}
    assert theirs == set()
    assert said(found, "agent demo")[:2] == ("ok", "Demo answers over ACP (version 1.0) and opens a session.")


async def test_each_program_is_told_of_in_one_place_and_order(machine: Path) -> None:
    install(machine, "gemini")
    found = [each.check for each in await told(machine, ByAgent()) if "gemini" in each.check]
    assert found == ["program gemini", "sign-in gemini", "registration gemini", "agent gemini"]


async def test_a_program_without_a_command_that_tells_is_judged_by_its_session(machine: Path) -> None:
    install(machine, "gemini")
    install(machine, "qwen")
    signed_out = AgentFailure("auth_required", "Qwen Code answered session/new with error.\nLast lines.")
    found = await told(machine, ByAgent(qwen=signed_out))
    assert said(found, "sign-in gemini")[:2] == (
        "ok",
        "Gemini CLI is signed in, or needs no sign-in: it opened a session.",
    )
    how = "To sign in, run `qwen` in a terminal and type /auth."
    assert said(found, "sign-in qwen") == ("warning", "Qwen Code is not signed in: it opens no session.", how)
    assert said(found, "agent qwen") == (
        "warning",
        "Qwen Code answers over ACP (version 1.0), but nobody is signed in.",
        how,
    )


async def test_an_agent_that_is_broken_says_what_to_run(machine: Path) -> None:
    install(machine, "qwen")
    found = await told(machine, ByAgent(qwen=AgentFailure("agent_crashed", "It fell over.")))
    level, message, fix = said(found, "agent qwen")
    assert (level, message) == ("error", "It fell over.")
    assert fix.startswith("Run `qwen --acp` in a terminal to see what it says.")
    assert said(found, "sign-in qwen")[0] == "ok"
    assert "is not known" in said(found, "sign-in qwen")[1]


async def test_a_program_whose_adapter_is_missing_is_told_what_to_install(machine: Path) -> None:
    install(machine, "codex", code=1)
    found = await told(machine, ByAgent())
    level, message, fix = said(found, "agent codex")
    assert (level, message) == (
        "warning",
        "Codex is installed, but codex-acp is not, by which tasks are handed to it over ACP.",
    )
    assert fix == "Install it with `npm install -g @agentclientprotocol/codex-acp`."


async def test_at_most_two_run_at_a_time(machine: Path) -> None:
    for name in ("gemini", "qwen", "opencode", "codex-acp", "claude-agent-acp"):
        install(machine, name)
    launcher = ByAgent(wanted=2)
    found = await told(machine, launcher)
    assert len({each.check for each in found if each.check.startswith("agent ")}) >= 6
    assert launcher.most == 2
