"""Starting an agent, moving its bytes, and how its end is told. Real processes below a real keeper."""

import json
import os
import signal
import sys
from typing import Any

import anyio
import pytest

from codeg.sessions.process import AgentProcess, Exit, SpawnFailed, spawn_agent
from tests.fakes.processes import PATIENCE, agent, eventually, living, new_run, runs

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]


async def line(process: AgentProcess) -> bytes:
    held = b""
    with anyio.fail_after(PATIENCE):
        while not held.endswith(b"\n"):
            piece = await process.receive()
            if not piece:
                break
            held += piece
    return held


def said_of(pid: int, name: str) -> str:
    """A line of the process's status."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        return next(text.split()[1] for text in status if text.startswith(name))


def has_child() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


async def test_an_agent_reads_what_is_sent_and_its_answer_is_received() -> None:
    async with spawn_agent(agent("echo"), new_run(), "/") as process:
        await process.send(b"hello\n")
        assert await line(process) == b"hello\n"
        await process.close_stdin()
        with anyio.fail_after(PATIENCE):
            assert await process.receive() == b""
            assert await process.wait_exit() == Exit(code=0)


async def test_ten_megabytes_go_through_in_both_directions_unchanged() -> None:
    block = os.urandom(1 << 20)
    got = bytearray()

    async def send() -> None:
        for _ in range(10):
            await process.send(block)
        await process.close_stdin()

    async with spawn_agent(agent("echo"), new_run(), "/") as process:
        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(send)
                while piece := await process.receive():
                    assert len(piece) <= 65536
                    got += piece
    assert bytes(got) == block * 10


async def test_an_agent_is_given_its_arguments_folder_and_environment_and_nothing_else(tmp_path: Any) -> None:
    folder = tmp_path / 'a b & "c" ünï'
    folder.mkdir()
    env = {**new_run(), "SPOKEN": "grüße\n$HOME", "RAW": os.fsdecode(b"\xff\xfe"), "LC_ALL": "C.UTF-8"}
    arguments = ["", "a b", '"', "ünï", "line\nbreak", "*", "x" * 100_000]
    held, other = os.pipe()
    os.set_inheritable(held, True)
    os.set_inheritable(other, True)
    try:
        async with spawn_agent(agent("mirror", *arguments), env, str(folder)) as process:
            seen = json.loads(await line(process))
            identity = process.identity
    finally:
        os.close(held)
        os.close(other)
    assert seen["descriptors"] == [0, 1, 2]
    assert seen["argv"] == arguments
    assert seen["cwd"] == str(folder)
    assert seen["env"].pop("CODEG_TREE") == f"{identity.keeper_pid}.{identity.keeper_start}"
    assert seen["env"] == env
    assert seen["blocked"] == 0
    assert seen["session"] is True
    words = seen["keeper_cmdline"].split("\0")
    assert os.path.isabs(words[0])
    assert words[1:4] == ["-I", "-m", "codeg.keeper"]
    assert "SPOKEN" not in seen["keeper_cmdline"]


async def test_signals_that_keeper_or_host_ignore_are_not_ignored_by_the_agent() -> None:
    before = signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    try:
        async with spawn_agent(["/bin/cat"], new_run(), "/") as process:
            ignored = said_of(process.identity.agent_pid, "SigIgn")
    finally:
        signal.signal(signal.SIGUSR2, before)
    # 32 and 33 are the C library's own, and it sees to them itself
    assert int(ignored, 16) & ~(0b11 << 31) == 0


@pytest.mark.parametrize(
    ("code", "end"), [(0, Exit(code=0)), (1, Exit(code=1)), (-9, Exit(signal=9)), (-15, Exit(signal=15))]
)
async def test_the_end_of_an_agent_is_told_as_code_or_signal(code: int, end: Exit) -> None:
    async with spawn_agent(agent("ending", str(code)), new_run(), "/") as process:
        with anyio.fail_after(PATIENCE):
            assert await process.wait_exit() == end
            assert process.stderr_tail() == ("ending",)
            assert await process.receive() == b""


async def test_a_grandchild_that_holds_the_pipes_delays_neither_exit_nor_end_of_output() -> None:
    env = new_run()
    async with spawn_agent(agent("holder"), env, "/") as process:
        assert await line(process) == b"ready\n"
        await process.send(b"\n")
        with anyio.fail_after(PATIENCE):
            assert await process.wait_exit() == Exit(code=3)
            assert await process.receive() == b"last answer\n"
            assert await process.receive() == b""
        assert process.stderr_tail() == ("last words",)
        assert living(env), "the grandchild lives until the tree is ended"
    assert not living(env)


async def test_a_reader_that_waits_is_told_of_the_end_although_a_grandchild_holds_stdout() -> None:
    async with spawn_agent(agent("holder"), new_run(), "/") as process:
        assert await line(process) == b"ready\n"
        got: list[bytes] = []

        async def read() -> None:
            while piece := await process.receive():
                got.append(piece)

        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(read)
                await anyio.lowlevel.checkpoint()
                await process.send(b"\n")
    assert b"".join(got) == b"last answer\n"


@pytest.mark.parametrize("shape", ["lines", "one"])
async def test_fifty_megabytes_on_stderr_are_drained_and_only_the_end_is_kept(shape: str) -> None:
    async with spawn_agent(agent("flood", str(50 << 20), shape), new_run(), "/") as process:
        assert await line(process) == b"OK\n"
        tail = process.stderr_tail()
    assert len(tail) == (100 if shape == "lines" else 1)
    assert sum(len(text) for text in tail) <= 64 * 1024


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("absent", "no such file or directory"),
        ("plain", "permission denied"),
        ("badscript", "its first line names /no/such/interpreter, which does not exist"),
        ("dosscript", "its first line names /bin/sh, with a carriage return after it, which does not exist"),
        ("text", "it is neither a program of this system nor a script with a #! line"),
        ("folder", "it is a folder"),
    ],
)
async def test_a_program_that_cannot_be_started_is_named_with_the_reason(tmp_path: Any, name: str, why: str) -> None:
    contents = {
        "plain": (0o644, b"#!/bin/sh\n"),
        "badscript": (0o755, b"#!/no/such/interpreter -x\n"),
        "dosscript": (0o755, b"#!/bin/sh\r\n"),
        "text": (0o755, b"hello"),
    }
    (tmp_path / "folder").mkdir()
    for each, (mode, data) in contents.items():
        (tmp_path / each).write_bytes(data)
        (tmp_path / each).chmod(mode)
    program = str(tmp_path / name)
    with pytest.raises(SpawnFailed) as failed:
        async with spawn_agent([program, "--token=secret"], {**new_run(), "KEY": "secret"}, "/"):
            pass
    assert failed.value.message == f"{program} cannot be started: {why}"


@pytest.mark.parametrize(
    ("argv", "cwd", "why"),
    [
        ([], "/", "there is no program to start"),
        ([""], "/", "there is no program to start"),
        (["/bin/cat"], "/no/such/folder", "the folder /no/such/folder cannot be entered: no such file or directory"),
        (["/bin/cat"], "/bin/cat", "the folder /bin/cat cannot be entered: not a directory"),
        (["/bin/cat", "a\0b"], "/", "a NUL character stands in the program's arguments, environment or folder"),
        (["no-such-program"], "/", "no-such-program was not found in /usr/bin:/bin"),
        (
            ["/bin/cat", "x" * 200_000],
            "/",
            "/bin/cat cannot be started: its arguments and environment are too large for the system",
        ),
    ],
)
async def test_what_cannot_be_started_is_said_in_one_sentence(argv: list[str], cwd: str, why: str) -> None:
    with pytest.raises(SpawnFailed) as failed:
        async with spawn_agent(argv, new_run(), cwd):
            pass
    assert failed.value.message == why


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (
            (sys.executable, "-I", "-m", "codeg.no_such_keeper"),
            "/bin/cat was not started, since its keeper ended: .*No module named",
        ),
        (("/no/such/python",), "no process could be started: No such file or directory"),
    ],
)
async def test_a_keeper_that_cannot_run_is_said_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], why: str
) -> None:
    monkeypatch.setattr("codeg.sessions.process.KEEPER_COMMAND", command)
    before = set(os.listdir("/proc/self/fd"))
    with pytest.raises(SpawnFailed, match=why):
        async with spawn_agent(["/bin/cat"], new_run(), "/"):
            pass
    assert set(os.listdir("/proc/self/fd")) == before
    assert not has_child()


async def test_a_name_is_looked_up_on_the_path_of_the_agents_environment(tmp_path: Any) -> None:
    program = tmp_path / "mine"
    program.write_text("#!/bin/sh\necho found\n")
    program.chmod(0o755)
    async with spawn_agent(["mine"], {**new_run(), "PATH": f"relative:{tmp_path}:/bin"}, "/") as process:
        assert await line(process) == b"found\n"


async def test_sending_waits_while_the_agent_does_not_read_and_a_cancelled_message_is_finished_by_the_next() -> None:
    async with spawn_agent(agent("deaf_reader"), new_run(), "/") as process:
        assert await line(process) == b"ready\n"
        with anyio.move_on_after(0.05) as given_up:
            await process.send(b"x" * 1_000_000)
        assert given_up.cancelled_caught

        async def send_on() -> None:
            await process.send(b"tail\n")
            await process.close_stdin()

        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(send_on)
                os.kill(process.identity.agent_pid, signal.SIGUSR1)
                assert await line(process) == b"1000005 tail\n"


async def test_sending_to_an_agent_that_has_gone_or_after_the_close_is_an_error() -> None:
    async with spawn_agent(agent("ending", "0"), new_run(), "/") as process:
        with anyio.fail_after(PATIENCE):
            await process.wait_exit()
            with pytest.raises(anyio.BrokenResourceError):
                await process.send(b"x")
            await process.close_stdin()
            await process.close_stdin()
            with pytest.raises(anyio.ClosedResourceError):
                await process.send(b"x")


async def test_what_the_body_raises_comes_out_as_it_was_and_the_tree_is_gone() -> None:
    env = new_run()
    with pytest.raises(ZeroDivisionError):
        async with spawn_agent(agent("polite"), env, "/") as process:
            assert await line(process) == b"ready\n"
            raise ZeroDivisionError
    assert not living(env)


async def test_cancelled_at_any_point_of_the_start_nothing_is_left() -> None:
    env = new_run()
    for steps in range(12):
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:

                async def start() -> None:
                    async with spawn_agent(agent("echo"), env, "/"):
                        await anyio.sleep_forever()

                tasks.start_soon(start)
                for _ in range(steps):
                    await anyio.sleep(0.004)
                scope.cancel()
    assert not living(env)


async def test_no_descriptor_process_or_zombie_is_left_behind() -> None:
    before = set(os.listdir("/proc/self/fd"))
    for argv in (agent("echo"), ["/no/such/program"], agent("ending", "1")):
        try:
            async with spawn_agent(argv, new_run(), "/") as process:
                identity = process.identity
            assert not runs(identity.keeper_pid, identity.keeper_start)
        except SpawnFailed:
            pass
    assert set(os.listdir("/proc/self/fd")) == before
    assert not has_child()


async def test_many_agents_run_beside_each_other() -> None:
    env = new_run()

    async def one(number: int) -> None:
        async with spawn_agent(agent("echo"), env, "/") as process:
            await process.send(b"%d\n" % number)
            assert await line(process) == b"%d\n" % number

    with anyio.fail_after(PATIENCE):
        async with anyio.create_task_group() as tasks:
            for number in range(12):
                tasks.start_soon(one, number)
    await eventually(lambda: not living(env), "all agents are gone")
