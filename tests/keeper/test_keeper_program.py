"""The keeper as a program, driven over its control channel by hand."""

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from codeg.keeper import linux
from codeg.keeper.messages import pack_launch, stop_line
from tests.fakes.processes import agent, living, new_run
from tests.support import Lines, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


class Driven:
    def __init__(self, process: "subprocess.Popen[bytes]", control: socket.socket) -> None:
        self.process = process
        self.control = control
        self.reports = Lines(control.fileno())
        assert process.stdout is not None
        self.output = Lines(process.stdout.fileno())

    def end(self) -> list[bytes]:
        """All further reports, until the keeper has ended."""
        said = list(iter(self.reports.next, None))
        assert self.process.wait(timeout=20) == 0
        return said


@contextmanager
def keeper() -> Generator[Driven]:
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-I", "-m", "codeg.keeper", str(theirs.fileno())]
    pipe = subprocess.PIPE
    with ours, subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=(theirs.fileno(),)) as process:
        theirs.close()
        try:
            yield Driven(process, ours)
        finally:
            ours.close()
            process.communicate(timeout=20)


def test_a_host_that_dies_before_it_said_what_to_start_ends_the_keeper() -> None:
    for sent in (b"", b"\x10", b"\xff\x00\x00\x00half"):
        with keeper() as driven:
            driven.control.sendall(sent)
            driven.control.shutdown(socket.SHUT_WR)
            assert driven.end() == []


@pytest.mark.parametrize("head", [b"\0\0\0\0", b"\xff\xff\xff\xff"])
def test_a_length_that_no_launch_message_has_ends_the_keeper(head: bytes) -> None:
    with keeper() as driven:
        driven.control.sendall(head)
        assert driven.end() == []


def test_a_failed_start_is_reported_with_step_and_error_number() -> None:
    for argv, cwd, step, number in (
        (["/no/such"], "/", b"exec", errno.ENOENT),
        (["/etc/passwd"], "/", b"exec", errno.EACCES),
        (["/bin/cat"], "/no/such", b"cwd", errno.ENOENT),
    ):
        with keeper() as driven:
            driven.control.sendall(pack_launch(argv, {}, cwd))
            assert driven.end() == [b"failed %s %d" % (step, number), b"gone"]


def test_start_exit_and_end_are_reported_in_this_order() -> None:
    with keeper() as driven:
        driven.control.sendall(pack_launch(agent("ending", "-9"), new_run(), "/"))
        started = driven.reports.next()
        assert started is not None
        words = started.split(b" ")
        me = linux.read(driven.process.pid)
        assert me is not None
        assert (words[0], int(words[1]), int(words[2])) == (b"started", me.pid, me.start)
        assert words[5].decode() == linux.boot_id()
        assert driven.reports.next() == b"exited -9"
        driven.control.sendall(b"unknown words are nothing\n" + stop_line(1.0))
        assert driven.end() == [b"gone"]


def test_once_the_agent_runs_the_keeper_holds_none_of_its_pipes_and_stands_in_the_root_folder() -> None:
    with keeper() as driven:
        driven.control.sendall(pack_launch(agent("echo"), new_run(), "/tmp"))
        assert driven.reports.next()
        places = {os.readlink(f"/proc/{driven.process.pid}/fd/{number}") for number in range(3)}
        assert places == {"/dev/null"}
        assert os.readlink(f"/proc/{driven.process.pid}/cwd") == "/"


def test_the_end_of_the_control_channel_ends_agent_and_keeper() -> None:
    env = new_run()
    with keeper() as driven:
        driven.control.sendall(pack_launch(agent("stubborn"), env, "/"))
        assert driven.reports.next()
        assert driven.output.next() == b"ready"
        driven.control.shutdown(socket.SHUT_WR)
        said = driven.end()
        assert said[-1] == b"gone"
        assert [line.split(b" ")[1] for line in said if line.startswith(b"signal")] == [b"15", b"9"]
    assert not living(env)


def test_a_host_that_reads_no_reports_delays_nothing() -> None:
    env = new_run()
    with keeper() as driven:
        driven.control.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        driven.control.sendall(pack_launch(agent("breeder"), env, "/"))
        assert driven.output.next() == b"ready"
        until(lambda: len(living(env)) > 5, "it has bred")
        driven.control.sendall(stop_line(0.0))
        assert driven.process.wait(timeout=20) == 0
    assert not living(env)


def test_the_keeper_loads_next_to_nothing() -> None:
    code = "import sys; import codeg.keeper.__main__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=20, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert (
        not {"asyncio", "anyio", "pydantic", "subprocess", "socket", "json", "logging", "typing", "threading"} & loaded
    )
    assert {name for name in done.stdout.split() if name.startswith("codeg")} == {
        "codeg",
        "codeg.keeper",
        "codeg.keeper.__main__",
        "codeg.keeper.linux",
        "codeg.keeper.messages",
        "codeg.keeper.trees",
    }


def test_a_module_planted_in_the_working_directory_is_not_read(tmp_path: "os.PathLike[str]") -> None:
    for name in ("select.py", "signal.py", "ctypes.py", "codeg.py"):
        with open(os.path.join(tmp_path, name), "w") as file:
            file.write("raise SystemExit('planted')")
    command = [sys.executable, "-I", "-m", "codeg.keeper", "0"]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        command, cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
