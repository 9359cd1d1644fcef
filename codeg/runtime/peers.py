"""Who is at the other end of a connection: its user, its process, and the agent in whose process tree it lives.

Owns the reading of peer credentials and the walk from a process up to a keeper or agent that we started (contract 1
and 5). It judges nothing and keeps nothing. What cannot be placed for certain is `UNPLACED`, never outside, so that
the doors can stay shut.
"""

import ctypes
import ctypes.util
import os
import select
import socket
import struct
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from codeg.sessions.types import ProcessStarted

_SO_PEERPIDFD = 77
_LOCAL_PEERCRED, _LOCAL_PEERPID, _SOL_LOCAL = 1, 2, 0
_STEPS = 1024
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Peer:
    """The process that connected.

    `uid` None: the system has checked the user itself (a pipe's rights). `pid` 0: not visible to us. `pinned` tells
    whether that very process, not a later one with its pid, still lives; None = cannot be told.
    """

    pid: int
    uid: int | None
    pinned: Callable[[], bool] | None = None


@dataclass(frozen=True, slots=True)
class Process:
    """One process as the system knows it. `start`: clock ticks since boot, None where the system does not tell."""

    parent: int
    start: int | None


class Where(Enum):
    """Places of a peer that are no agent."""

    OUTSIDE = "outside every agent"
    UNPLACED = "not to be told"


OUTSIDE, UNPLACED = Where.OUTSIDE, Where.UNPLACED
Look = Callable[[int], Process | None]
"""A process by its pid; None = there is none."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The peer lives in the process tree of the agent of this session."""

    session_id: str


Place = Inside | Where


def unix_peer(connection: socket.socket) -> Peer:
    """The peer of a connected Unix socket.

    Raises:
        OSError: the system does not tell.
    """
    if sys.platform == "win32":
        raise OSError("Windows has no such sockets.")
    if sys.platform == "darwin":
        return mac_peer(connection)
    pid, uid, _ = struct.unpack(
        "3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    )
    return Peer(pid, uid, lambda: _still_alive(connection))


def mac_peer(connection: socket.socket) -> Peer:
    """The same on macOS (LOCAL_PEERCRED holds `struct xucred`, LOCAL_PEERPID the pid). It has not run on macOS."""
    credentials = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 76)
    (pid,) = struct.unpack("i", connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID, 4))
    return Peer(pid, uid_of_xucred(credentials))


def uid_of_xucred(credentials: bytes) -> int:
    """The uid in a `struct xucred`: version, then uid, four bytes each.

    Raises:
        OSError: it is of another version or too short.
    """
    if len(credentials) < 8:
        raise OSError("The system's peer credentials are too short.")
    version, uid = struct.unpack_from("=II", credentials)
    if version != 0:
        raise OSError(f"The system's peer credentials are of version {version}.")
    return uid


def roots_of(processes: Iterable[tuple[ProcessStarted, str]]) -> dict[int, tuple[int, str]]:
    """Keepers and agents by pid, each with its start time and session."""
    roots: dict[int, tuple[int, str]] = {}
    for process, session_id in processes:
        roots[process.agent_pid] = (process.agent_start, session_id)
        roots[process.keeper_pid] = (process.keeper_start, session_id)
    return roots


def place(peer: Peer, roots: Mapping[int, tuple[int, str]], look: Look) -> Place:
    """Walk from the peer up to the first keeper or agent that we started.

    A tree that changes meanwhile is walked again.
    """
    if peer.pid <= 0:
        return UNPLACED
    for _ in range(_TRIES):
        found = _walk(peer.pid, roots, look)
        if found is not None:
            return UNPLACED if peer.pinned is not None and not peer.pinned() else found
        if look(peer.pid) is None:
            return UNPLACED
    return UNPLACED


def _walk(pid: int, roots: Mapping[int, tuple[int, str]], look: Look) -> Place | None:
    """Where the chain of parents leads; None if it broke on the way."""
    for _ in range(_STEPS):
        if pid <= 0:
            return OUTSIDE
        process = look(pid)
        if process is None:
            return None
        root = roots.get(pid)
        if root is not None and (process.start is None or root[0] in (0, process.start)):
            return Inside(root[1])
        pid = process.parent
    return UNPLACED


def look_up(pid: int) -> Process | None:
    """A process of this system by its pid."""
    if sys.platform == "win32":
        from codeg.runtime.system_windows import libraries, process_of  # noqa: PLC0415  # it needs this module

        return process_of(libraries(), pid)
    return mac_process(pid) if sys.platform == "darwin" else linux_process(pid)


def linux_process(pid: int) -> Process | None:
    """By /proc."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return process_of_stat(stat.read())
    except (OSError, ValueError):
        return None


def process_of_stat(content: bytes) -> Process:
    """Parent (field 4) and start time (field 22) of a `/proc/<pid>/stat`; the name in it may hold anything.

    Raises:
        ValueError: it is no such line.
    """
    fields = content[content.rfind(b")") + 1 :].split()
    if len(fields) < 20:
        raise ValueError("The process's stat line is too short.")
    return Process(int(fields[1]), int(fields[19]))


def mac_process(pid: int) -> Process | None:
    """By `proc_pidinfo(PROC_PIDTBSDINFO)`. It has not run on macOS."""
    library = ctypes.CDLL(ctypes.util.find_library("proc") or "libproc.dylib", use_errno=True)
    buffer = ctypes.create_string_buffer(136)
    if library.proc_pidinfo(pid, 3, ctypes.c_uint64(0), buffer, len(buffer)) != len(buffer):
        return None
    return process_of_bsdinfo(buffer.raw)


def process_of_bsdinfo(content: bytes) -> Process:
    """The parent in a `struct proc_bsdinfo`: flags, status, xstatus, pid, ppid, four bytes each.

    No start in our unit.
    """
    return Process(struct.unpack_from("=I", content, 16)[0], None)


def _still_alive(connection: socket.socket) -> bool:
    """The process that connected lives. On kernels that cannot pin it (before 6.5) its pid must do."""
    if sys.platform == "win32":
        return True
    try:
        descriptor = connection.getsockopt(socket.SOL_SOCKET, _SO_PEERPIDFD)
    except OSError as error:
        return _not_known(error)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return not poll.poll(0)
    finally:
        os.close(descriptor)


def _not_known(error: OSError) -> bool:
    """The option is missing (true: nothing against it), or the process is reaped (false)."""
    import errno  # noqa: PLC0415  # needed on this path only

    return error.errno in (errno.ENOPROTOOPT, errno.EOPNOTSUPP)
