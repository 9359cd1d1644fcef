"""What is left when host or keeper were killed: found by pid, start time and boot id, ended, and nobody else touched."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import anyio
import pytest

from codeg.keeper import linux
from codeg.sessions.process import end_leftovers, still_alive
from codeg.sessions.types import ProcessStarted
from tests.fakes.processes import FOLDER, PATIENCE, agent, eventually, living, new_run

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]


@contextmanager
def stranger(*argv: str, env: dict[str, str] | None = None) -> Generator["subprocess.Popen[bytes]"]:
    """A process that nobody may touch; it ends at the end of its stdin."""
    process = subprocess.Popen(argv or ["/bin/cat"], stdin=subprocess.PIPE, env=env)
    try:
        yield process
    finally:
        process.communicate(timeout=PATIENCE)


class Host:
    """A host with one agent, in a process of its own that can be killed."""

    def __init__(self, env: dict[str, str], name: str) -> None:
        command = [sys.executable, "-I", os.path.join(FOLDER, "host.py"), *agent(name)]
        self.process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.identity = ProcessStarted(**json.loads(self.process.stdout.readline()))
        assert self.process.stdout.readline() == "ready\n"

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)


async def test_after_hosts_were_killed_no_process_of_them_is_left() -> None:
    env = new_run()
    with stranger() as decoy:
        hosts = [Host(env, name) for name in ("stubborn", "family", "breeder")]
        for host in hosts:
            assert still_alive(host.identity)
            host.kill()
        await eventually(lambda: not any(still_alive(host.identity) for host in hosts), "keepers and trees are gone")
        assert not living(env)
        assert decoy.poll() is None


async def test_a_starting_host_waits_until_the_keepers_of_the_last_one_have_finished() -> None:
    env = new_run()
    host = Host(env, "family")
    host.kill()
    with anyio.fail_after(PATIENCE):
        await end_leftovers([host.identity])
    assert not living(env)


async def test_a_tree_without_keeper_and_host_is_ended() -> None:
    env = new_run()
    host = Host(env, "family")
    os.kill(host.identity.keeper_pid, signal.SIGKILL)
    host.kill()
    assert still_alive(host.identity)
    with anyio.fail_after(PATIENCE):
        await end_leftovers([host.identity])
    assert not living(env)
    assert not still_alive(host.identity)


async def test_orphans_are_found_when_keeper_and_agent_have_both_gone() -> None:
    env = new_run()
    host = Host(env, "family")
    os.kill(host.identity.keeper_pid, signal.SIGKILL)
    os.kill(host.identity.agent_pid, signal.SIGKILL)
    host.kill()
    await eventually(lambda: len(living(env)) == 4, "the four descendants are orphans")
    with anyio.fail_after(PATIENCE):
        await end_leftovers([host.identity])
    assert not living(env)


async def test_a_keeper_that_hangs_is_ended_with_its_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeg.sessions.leftovers.KEEPER_TIME_S", 0.1)
    env = new_run()
    host = Host(env, "stubborn")
    os.kill(host.identity.keeper_pid, signal.SIGSTOP)
    host.kill()
    with anyio.fail_after(PATIENCE):
        await end_leftovers([host.identity])
    await eventually(lambda: not living(env), "the keeper has gone too")


@pytest.mark.parametrize("wrong", ["boot", "start"])
async def test_a_pid_that_belongs_to_somebody_else_by_now_is_left_alone(wrong: str) -> None:
    with stranger() as other:
        seen = linux.read(other.pid)
        assert seen is not None
        true = ProcessStarted(linux.boot_id(), seen.pid, seen.start, seen.pid, seen.start)
        assert still_alive(true)
        false = {
            "boot": replace(true, boot_id="another"),
            "start": replace(true, keeper_start=seen.start - 1, agent_start=seen.start - 1),
        }[wrong]
        assert not still_alive(false)
        await end_leftovers([false])
        assert other.poll() is None


async def test_a_process_that_only_carries_the_mark_but_has_a_parent_is_left_alone() -> None:
    identity = ProcessStarted(linux.boot_id(), 4_000_000, 1, 4_000_001, 1)
    env = {"CODEG_TREE": "4000000.1"}
    with stranger("/bin/sh", "-c", "cat; true", env=env) as shell:
        child: Any = await eventually(lambda: linux.below(shell.pid), "the shell has a child")
        # the shell's parent is this test, which stands above nobody here: both are somebody's
        assert linux.environment_value(child[0].pid, "CODEG_TREE") == "4000000.1"
        await end_leftovers([identity])
        assert shell.poll() is None


async def test_nothing_recorded_is_nothing_to_do() -> None:
    await end_leftovers([])
