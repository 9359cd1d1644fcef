"""What Linux says of processes, and signals that cannot hit a stranger.

Owns the reading of `/proc` and the guarded signal. A process is named by pid and start time (clock ticks since boot); a
pid alone is never trusted, since it may belong to another program a moment later. It never decides whom to signal.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_CHILD_SUBREAPER = 36


class Process:
    """A process as the system showed it at one moment."""

    __slots__ = ("parent", "pid", "session", "start", "state")

    def __init__(self, pid: int, start: int, parent: int, session: int, state: str) -> None:
        self.pid = pid
        self.start = start
        self.parent = parent
        self.session = session
        self.state = state

    @property
    def key(self) -> tuple[int, int]:
        """What tells it from every other process of this boot."""
        return self.pid, self.start

    @property
    def ended(self) -> bool:
        """It runs no more; only its parent has not asked for its exit status yet."""
        return self.state in ("Z", "X")


def _contents(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:  # the process has gone, or is not ours to read
        return b""


def parse_stat(pid: int, text: bytes) -> Process | None:
    """A line of `/proc/PID/stat`. The name in it may hold brackets: fields are counted after the last one."""
    fields = text[text.rfind(b")") + 1 :].split()
    if len(fields) < 20:
        return None
    return Process(pid, int(fields[19]), int(fields[1]), int(fields[3]), fields[0].decode("ascii"))


def read(pid: int) -> Process | None:
    """The process that has this pid now, or None."""
    return parse_stat(pid, _contents(f"/proc/{pid}/stat"))


def everyone() -> dict[int, Process]:
    """All processes we can see, by pid. Not one moment: each was read for itself."""
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return {process.pid: process for pid in pids if (process := read(pid)) is not None}


def _children(pid: int) -> list[int]:
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    return [int(child) for thread in threads for child in _contents(f"/proc/{pid}/task/{thread}/children").split()]


def _below_by_lists(root: int) -> list[Process]:
    found: dict[int, Process] = {}
    queue = [root]
    for parent in queue:
        for pid in _children(parent):
            process = read(pid)
            # the pid may have passed to a stranger since the list was read: its own word on its parent decides
            if process is not None and process.parent in (parent, root) and pid not in found:
                found[pid] = process
                queue.append(pid)
    return list(found.values())


def _below_by_scan(root: int) -> list[Process]:
    children: dict[int, list[Process]] = {}
    for process in everyone().values():
        children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    queue = [root]
    for parent in queue:
        for process in children.pop(parent, ()):
            found.append(process)
            queue.append(process.pid)
    return found


def below(root: int) -> list[Process]:
    """The descendants of `root`, parents first.

    A process that moves while we look may be missing: look again until none is left. The cost follows the size of the
    tree, not of the system, where the kernel lists children (nearly all do).
    """
    if os.path.exists(f"/proc/{root}/task/{root}/children"):
        return _below_by_lists(root)
    return _below_by_scan(root)


def environment_value(pid: int, name: str) -> str:
    """What the environment that this process was started with says for `name`; empty where it says nothing."""
    head = name.encode() + b"="
    for entry in _contents(f"/proc/{pid}/environ").split(b"\0"):
        if entry.startswith(head):
            return os.fsdecode(entry[len(head) :])
    return ""


def program_name(pid: int) -> str:
    """The short name (15 bytes at most) of the program, or an empty string."""
    return _contents(f"/proc/{pid}/comm").decode("utf-8", "replace").strip()


def boot_id() -> str:
    """A name of this boot of the machine; pids and start times mean nothing across two."""
    return _contents("/proc/sys/kernel/random/boot_id").decode("ascii", "replace").strip()


def adopt_orphans() -> bool:
    """Make the calling process the parent of all descendants whose own parents end. False where the kernel refuses."""
    return ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def send(process: Process, number: int) -> bool:
    """Signal exactly this process. False when it has gone, or is not ours to signal.

    The pidfd pins one process, whoever it is; its start time, read afterwards, shows that it is the one we mean.
    """
    if sys.platform != "linux":
        return send_unpinned(process, number, read(process.pid))
    try:
        pin = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return False
    except OSError:  # a kernel before 5.3, or a sandbox without the call
        return send_unpinned(process, number, read(process.pid))
    try:
        now = read(process.pid)
        if now is None or now.start != process.start:
            return False
        signal.pidfd_send_signal(pin, number)
        return True
    except OSError:
        return False
    finally:
        os.close(pin)


def send_unpinned(process: Process, number: int, now: Process | None) -> bool:
    """By its pid alone, if `now` shows that it was the same a moment ago: a stranger could have it since."""
    if now is None or now.start != process.start:
        return False
    try:
        os.kill(process.pid, number)
    except OSError:
        return False
    return True
