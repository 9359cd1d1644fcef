"""The process table of Linux, and the signal that cannot hit a stranger."""

import os
import signal
import subprocess
import sys

import pytest

from codeg.keeper import linux
from tests.support import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

TAIL = b" 7 8 9 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 4711 0"


@pytest.mark.parametrize("name", [b"cat", b"a b", b")", b") S 1 (", b"\xff\n(("])
def test_a_program_may_have_any_name(name: bytes) -> None:
    process = linux.parse_stat(42, b"42 (" + name + b") R" + TAIL)
    assert process is not None
    assert (process.pid, process.state, process.parent, process.session, process.start) == (42, "R", 7, 9, 4711)


@pytest.mark.parametrize("text", [b"", b"42 (cat) S 1", b"nonsense"])
def test_a_process_that_went_while_it_was_read_is_none(text: bytes) -> None:
    assert linux.parse_stat(42, text) is None


def test_we_find_ourselves_and_nobody_at_a_pid_that_is_none() -> None:
    me = linux.read(os.getpid())
    assert me is not None
    assert (me.parent, me.ended) == (os.getppid(), False)
    assert linux.everyone()[me.pid].key == me.key
    assert linux.read(2**22 + 1) is None


def test_both_ways_to_look_below_find_the_same() -> None:
    with subprocess.Popen(["/bin/sh", "-c", "cat | cat"], stdin=subprocess.PIPE) as shell:
        until(lambda: len(linux.below(shell.pid)) == 2, "both ends of the pipe run")
        by_lists = {each.key for each in linux._below_by_lists(shell.pid)}
        assert by_lists == {each.key for each in linux._below_by_scan(shell.pid)}
        shell.communicate(timeout=20)


def unpinned(process: linux.Process, number: int) -> bool:
    """As on a system without pidfd."""
    return linux.send_unpinned(process, number, linux.read(process.pid))


def test_a_signal_reaches_the_process_meant_and_no_other_at_its_pid() -> None:
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as process:
        seen = linux.read(process.pid)
        assert seen is not None
        other = linux.Process(seen.pid, seen.start + 1, seen.parent, seen.session, "S")
        for way in (linux.send, unpinned):
            assert not way(other, signal.SIGKILL)
        assert process.poll() is None
        assert linux.send(seen, signal.SIGTERM)
        assert process.wait(timeout=20) == -signal.SIGTERM
        for way in (linux.send, unpinned):
            assert not way(seen, signal.SIGKILL)


def test_the_environment_of_a_process_is_read_by_whole_names() -> None:
    env = {"CODEG_TREE_X": "no", "CODEG_TREE": "1.2"}
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, env=env) as process:
        assert until(lambda: linux.environment_value(process.pid, "CODEG_TREE"), "it has been started") == "1.2"
        assert linux.environment_value(process.pid, "CODEG") == ""
        process.communicate(timeout=20)
