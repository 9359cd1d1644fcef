"""Ending a tree: every descendant, whatever it does, within the ladder; and nobody else."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from codeg.keeper import linux
from codeg.sessions.process import Exit, spawn_agent
from tests.fakes.processes import PATIENCE, agent, eventually, living, new_run, runs

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]


@pytest.fixture
def decoy() -> Iterator["subprocess.Popen[bytes]"]:
    """A process in our own session that nobody may touch."""
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as process:
        yield process
        assert process.poll() is None, "a process that we did not start was ended"
        process.terminate()


async def test_after_a_stop_no_process_of_the_tree_is_left(decoy: "subprocess.Popen[bytes]") -> None:
    async def one(name: str) -> None:
        env = new_run()
        async with spawn_agent(agent(name), env, "/") as process:
            if name == "echo":
                await process.send(b"ready\n")
            assert await process.receive() == b"ready\n", name
            identity = process.identity
            await process.stop(grace_s=0.1)
            assert not living(env), name
            assert not runs(identity.keeper_pid, identity.keeper_start), name

    with anyio.fail_after(PATIENCE):
        async with anyio.create_task_group() as tasks:
            for name in ("echo", "stubborn", "polite", "family", "group", "breeder", "hopper"):
                tasks.start_soon(one, name)
    assert decoy.poll() is None


async def test_an_agent_that_ends_at_the_end_of_stdin_is_never_signalled() -> None:
    async with spawn_agent(agent("echo"), new_run(), "/") as process:
        await process.stop()
        with anyio.fail_after(PATIENCE):
            assert await process.wait_exit() == Exit(code=0)


async def test_term_comes_before_kill_so_that_an_agent_can_tidy_up() -> None:
    async with spawn_agent(agent("polite"), new_run(), "/") as process:
        assert await process.receive() == b"ready\n"
        await process.stop(grace_s=0.0)
        assert await process.receive() == b"bye\n"
        assert await process.wait_exit() == Exit(code=7)


async def test_a_stop_is_not_cut_short_by_cancellation() -> None:
    env = new_run()
    with anyio.CancelScope() as scope:
        async with spawn_agent(agent("polite"), env, "/") as process:
            assert await process.receive() == b"ready\n"
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert not living(env)


async def test_all_who_ask_for_a_stop_get_it_when_the_tree_is_gone_and_every_signal_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "codeg.sessions.process")
    env = new_run()
    seen: list[set[int]] = []

    async with spawn_agent(agent("stubborn"), env, "/") as process:
        identity = process.identity
        assert await process.receive() == b"ready\n"

        async def stop() -> None:
            await process.stop(grace_s=0.0)
            seen.append(living(env))

        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                for _ in range(3):
                    tasks.start_soon(stop)
    assert seen == [set()] * 3
    assert [record.getMessage() for record in caplog.records] == [
        f"sent signal {number} to process {identity.agent_pid} (start {identity.agent_start})"
        for number in (int(signal.SIGTERM), int(signal.SIGKILL))
    ]


@pytest.mark.parametrize("name", ["family", "breeder"])
async def test_when_the_keeper_is_killed_the_host_ends_the_tree_itself(
    name: str, decoy: "subprocess.Popen[bytes]"
) -> None:
    env = new_run()
    async with spawn_agent(agent(name), env, "/") as process:
        assert await process.receive() == b"ready\n"
        os.kill(process.identity.keeper_pid, signal.SIGKILL)
        with anyio.fail_after(PATIENCE):
            assert await process.wait_exit() == Exit()
            assert living(env)
            await process.stop(grace_s=0.0)
        assert not living(env)
    assert decoy.poll() is None


async def test_when_the_keeper_hangs_the_host_ends_tree_and_keeper_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeg.sessions.process.KEEPER_ENDS_S", 0.2)
    env = new_run()
    async with spawn_agent(agent("family"), env, "/") as process:
        assert await process.receive() == b"ready\n"
        identity = process.identity
        os.kill(identity.keeper_pid, signal.SIGSTOP)
        await process.stop()
        assert not living(env)
        assert not runs(identity.keeper_pid, identity.keeper_start)


async def test_a_keeper_takes_no_notice_of_the_signals_that_end_programs() -> None:
    async with spawn_agent(agent("echo"), new_run(), "/") as process:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
            os.kill(process.identity.keeper_pid, number)
        await process.send(b"still here\n")
        with anyio.fail_after(PATIENCE):
            assert await process.receive() == b"still here\n"
        assert runs(process.identity.keeper_pid, process.identity.keeper_start)


async def test_orphans_leave_no_zombie_while_the_agent_lives(tmp_path: Any) -> None:
    env = new_run()
    script = "for i in 1 2 3 4 5; do (/bin/true & ) ; done; echo done; cat"
    async with spawn_agent(["/bin/sh", "-c", script], env, "/") as process:
        assert await process.receive() == b"done\n"
        await eventually(
            lambda: [each.pid for each in linux.below(process.identity.keeper_pid) if each.ended] == [],
            "the keeper has reaped them",
        )
