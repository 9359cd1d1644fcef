"""Peers: their user, and the agent in whose process tree they live."""

import os
import socket
import struct
import subprocess
import sys

import pytest

from codeg.runtime.peers import (
    OUTSIDE,
    UNPLACED,
    Inside,
    Peer,
    Process,
    linux_process,
    look_up,
    place,
    process_of_bsdinfo,
    process_of_stat,
    roots_of,
    uid_of_xucred,
    unix_peer,
)
from codeg.sessions.types import ProcessStarted

AGENTS = [
    (ProcessStarted("boot", keeper_pid=100, keeper_start=5, agent_pid=101, agent_start=6), "session-a"),
    (ProcessStarted("boot", keeper_pid=200, keeper_start=7, agent_pid=201, agent_start=8), "session-b"),
]
TREE = {
    1: Process(0, 0),
    50: Process(1, 1),
    100: Process(50, 5),
    101: Process(100, 6),
    102: Process(101, 9),
    103: Process(102, 9),
    104: Process(100, 9),  # an orphan that its keeper adopted
    201: Process(200, 8),
    200: Process(103, 7),  # a keeper below another agent
    300: Process(50, 4),
}


@pytest.mark.parametrize(
    ("pid", "where"),
    [
        (103, Inside("session-a")),
        (101, Inside("session-a")),
        (100, Inside("session-a")),
        (104, Inside("session-a")),
        (201, Inside("session-b")),
        (300, OUTSIDE),
        (1, OUTSIDE),
        (0, UNPLACED),
        (-1, UNPLACED),
        (999, UNPLACED),
    ],
)
def test_a_peer_belongs_to_the_nearest_agent_above_it(pid: int, where: object) -> None:
    assert place(Peer(pid, 0), roots_of(AGENTS), TREE.get) == where


def test_a_pid_that_was_given_to_another_process_is_no_agent() -> None:
    tree = TREE | {101: Process(50, 77)}
    assert place(Peer(103, 0), roots_of(AGENTS), tree.get) is OUTSIDE


def test_a_system_without_start_times_goes_by_the_pid() -> None:
    tree = {pid: Process(process.parent, None) for pid, process in TREE.items()}
    assert place(Peer(103, 0), roots_of(AGENTS), tree.get) == Inside("session-a")


def test_a_chain_that_breaks_while_it_is_walked_is_walked_again() -> None:
    tries: list[int] = []

    def look(pid: int) -> Process | None:
        if pid == 102 and not tries:
            tries.append(pid)
            return None
        return TREE.get(pid)

    assert place(Peer(103, 0), roots_of(AGENTS), look) == Inside("session-a")


def test_a_chain_that_never_holds_still_is_not_placed() -> None:
    tree = {pid: process for pid, process in TREE.items() if pid != 102}
    assert place(Peer(103, 0), roots_of(AGENTS), tree.get) is UNPLACED


def test_a_circle_of_parents_ends() -> None:
    assert place(Peer(7, 0), {}, lambda _: Process(7, 1)) is UNPLACED


@pytest.mark.parametrize("pid", [103, 300])
def test_a_process_that_ended_after_it_connected_is_not_placed(pid: int) -> None:
    assert place(Peer(pid, 0, lambda: False), roots_of(AGENTS), TREE.get) is UNPLACED


def test_the_name_in_a_stat_line_may_hold_anything() -> None:
    line = b"42 (a ) b (c)) S 17 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 98765 1 1"
    assert process_of_stat(line) == Process(17, 98765)
    with pytest.raises(ValueError, match="too short"):
        process_of_stat(b"42 (x) S 1")


def test_the_credentials_of_macos_are_read_by_their_layout() -> None:
    assert uid_of_xucred(struct.pack("=IIh", 0, 501, 1) + bytes(66)) == 501
    with pytest.raises(OSError, match="version 9"):
        uid_of_xucred(struct.pack("=II", 9, 501))
    with pytest.raises(OSError, match="too short"):
        uid_of_xucred(b"")
    assert process_of_bsdinfo(struct.pack("=5I", 0, 0, 0, 42, 17) + bytes(116)) == Process(17, None)


def test_a_peer_of_this_system_is_known_by_user_and_process() -> None:
    near, far = socket.socketpair()
    with near, far:
        peer = unix_peer(near)
        assert (peer.pid, peer.uid) == (os.getpid(), os.getuid())
        assert peer.pinned is not None
        assert peer.pinned()
        assert place(peer, {}, look_up) is OUTSIDE


def test_a_child_of_an_agent_is_placed_by_the_systems_own_tables() -> None:
    mine = linux_process(os.getpid())
    assert mine is not None and mine.start is not None
    assert mine.parent == os.getppid()
    child = subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE)
    try:
        agents = [(ProcessStarted("boot", os.getpid(), mine.start, 1 << 30, 1), "session-a")]
        assert place(Peer(child.pid, os.getuid()), roots_of(agents), look_up) == Inside("session-a")
    finally:
        child.communicate(b"\n", timeout=20)
    assert place(Peer(child.pid, os.getuid()), {}, look_up) is UNPLACED


def test_a_connection_whose_maker_has_ended_is_not_pinned() -> None:
    # The connecting process passes its socket on and ends: whoever holds it now cannot pass for the one that connected.
    listening = socket.socket(socket.AF_UNIX)
    with listening:
        listening.bind("\0codeg-test-" + os.urandom(8).hex())
        listening.listen()
        name = listening.getsockname()
        code = "import socket,sys;s=socket.socket(socket.AF_UNIX);s.connect(bytes.fromhex(sys.argv[1]))"
        subprocess.run([sys.executable, "-I", "-S", "-c", code, name.hex()], check=True, timeout=20)
        near, _ = listening.accept()
        with near:
            assert place(unix_peer(near), {}, look_up) is UNPLACED
