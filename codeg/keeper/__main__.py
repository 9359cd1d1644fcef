"""The keeper program: `python -I -m codeg.keeper FD`, where FD is its end of the control channel.

Owns one agent and everything the agent starts. Its descriptors 0, 1 and 2 are the agent's until the agent runs, and
lead nowhere afterwards, so that their other ends close when the agent's tree closes them. It ends when it is asked to,
or when the control channel ends because the host died; either way it first walks its own subtree until that is empty: a
grace, TERM, KILL, `LIMIT_S` at most. It never signals a process that is not below it, keeps no file, and idle it does
not wake.
"""

from __future__ import annotations

import errno
import os
import resource
import select
import signal
import sys
import time

from codeg.keeper import linux, trees
from codeg.keeper.messages import (
    MARKER,
    MAX_LAUNCH,
    Launch,
    marker,
    report_line,
    stop_grace,
    unpack_launch,
)

assert sys.platform != "win32", "there a job object takes the keeper's place"

if sys.platform == "linux":
    from codeg.keeper import linux as system
else:
    from codeg.keeper import macos as system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

HOST_GONE_GRACE_S = 0.5
TERM_S = 1.5
LIMIT_S = 4.0
"""The whole way down, grace included; the host allows 5 s."""

_TERM_ROUND_S = 0.05
_KILL_ROUND_S = 0.005
_IGNORED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


class Keeper:
    """One agent's tree, seen from its root."""

    def __init__(self, control: int) -> None:
        self._control = control
        self._me = os.getpid()
        self._agent: linux.Process | None = None
        self._exited = False
        self._known: dict[tuple[int, int], linux.Process] = {}
        self._sent: set[tuple[int, int, int]] = set()
        self._woken, wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, _noted)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self._adopts = system.adopt_orphans()

    def start(self, launch: Launch) -> bool:
        """Start the agent and report it. False when that failed, which is reported too."""
        step = "cwd"
        mine = system.read(self._me)
        start = mine.start if mine is not None else 0
        environment = {**launch.env, MARKER.encode(): marker(self._me, start).encode()}
        _limit_descriptors(launch.descriptors)
        try:
            os.chdir(launch.cwd)
            step = "exec"
            pid = _spawn(launch.argv, environment)
        except OSError as error:
            self._report("failed", step, error.errno or errno.EIO)
            return False
        _let_go_of_pipes()
        self._agent = system.read(pid)
        agent_start = self._agent.start if self._agent is not None else 0
        self._report("started", self._me, start, pid, agent_start, system.boot_id())
        return True

    def serve(self) -> float:
        """Keep until the host asks for the end or is gone. Returns the grace in seconds."""
        poller = select.poll()
        poller.register(self._control, select.POLLIN)
        poller.register(self._woken, select.POLLIN)
        held = b""
        while True:
            ready = dict(poller.poll())
            if self._woken in ready:
                self._drain_wakes()
                self._reap()
            if self._control not in ready:
                continue
            data = _read_some(self._control)
            if data is None:
                continue
            if not data:
                return HOST_GONE_GRACE_S
            *lines, held = (held + data).split(b"\n")
            for line in lines:
                if (grace := stop_grace(line)) is not None:
                    return grace

    def end(self, grace_s: float) -> None:
        """Empty the tree.

        Whoever is left after `LIMIT_S` was sent KILL and hangs in the kernel, or is another user's.
        """
        begun = time.monotonic()
        if self._exited:
            grace_s = 0.0  # the end of stdin was for the agent
        poller = select.poll()
        poller.register(self._woken, select.POLLIN)
        while self._tree_lives():
            now = time.monotonic() - begun
            if now >= LIMIT_S:
                for process in self._members():
                    self._report("left", process.pid, process.start)
                break
            if now < grace_s:
                pause = grace_s - now
            elif now < grace_s + TERM_S:
                self._signal_once(signal.SIGTERM)
                pause = _TERM_ROUND_S
            else:
                self._signal_once(signal.SIGKILL)
                pause = _KILL_ROUND_S
            self._drain_wakes()
            if self._reap() or not self._adopts:
                poller.poll(pause * 1000)
        self._report("gone")

    def _tree_lives(self) -> bool:
        # where orphans come to us, having no child means having no descendant: the one test without a race
        return self._reap() or (not self._adopts and bool(self._members()))

    def _members(self) -> list[linux.Process]:
        if sys.platform == "linux" and self._adopts:
            return [each for each in linux.below(self._me) if not each.ended]
        table = system.everyone()
        roots = [*self._known.values(), *(each for each in (table.get(self._me), self._agent) if each is not None)]
        if self._agent is not None:
            roots += trees.of_session(table, self._agent)
        found = [each for each in trees.with_descendants(table, roots) if not each.ended and each.pid != self._me]
        self._known = {each.key: each for each in found}
        return found

    def _signal_once(self, number: int) -> None:
        for process in self._members():
            mark = (*process.key, number)
            if mark not in self._sent and system.send(process, number):
                self._sent.add(mark)
                self._report("signal", number, process.pid, process.start)

    def _reap(self) -> bool:
        """Take the exit status of every child that has ended. Returns whether children are left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if self._agent is not None and pid == self._agent.pid and not self._exited:
                self._report("exited", os.waitstatus_to_exitcode(status))
                self._exited = True
                if self._adopts:
                    self._agent = None  # its pid may pass to a stranger, and the session is not asked for

    def _drain_wakes(self) -> None:
        while _read_some(self._woken):
            pass

    def _report(self, word: str, *words: object) -> None:
        try:
            os.write(self._control, report_line(word, *words))
        except OSError:  # the host is gone, or reads nothing any more: the tree comes first
            return


def _noted(_number: int, _frame: FrameType | None) -> None:
    """SIGCHLD needs a handler for the wake-up descriptor to be written to."""


def _read_some(descriptor: int) -> bytes | None:
    try:
        return os.read(descriptor, 4096)
    except BlockingIOError:
        return None
    except OSError:  # a reset by the host's death is an end
        return b""


def _spawn(argv: list[bytes], environment: dict[bytes, bytes]) -> int:
    """Start the agent in a session of its own, with default signals and descriptors 0, 1, 2 alone."""
    normal = [number for number in signal.valid_signals() if number not in (signal.SIGKILL, signal.SIGSTOP)]
    try:
        return os.posix_spawn(argv[0], argv, environment, setsid=True, setsigmask=(), setsigdef=normal)
    except RuntimeError:  # a system without it: a group of its own is the next best
        return os.posix_spawn(argv[0], argv, environment, setpgroup=0, setsigmask=(), setsigdef=normal)


def _limit_descriptors(most: int) -> None:
    """Take back the host's raised limit: the agent gets the one that the host itself was started with."""
    if most > 0:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        except (OSError, ValueError):  # the agent then has more than it needs
            return


def _let_go_of_pipes() -> None:
    os.chdir("/")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _read_launch(control: int) -> Launch | None:
    """The launch message, waited for. None when the host changed its mind or died.

    Raises:
        ValueError: it is no launch message.
    """
    head = _read_exactly(control, 4)
    length = int.from_bytes(head, "little")
    if not 0 < length <= MAX_LAUNCH:
        return None
    body = _read_exactly(control, length)
    return unpack_launch(body) if len(body) == length else None


def _read_exactly(control: int, count: int) -> bytes:
    held = bytearray()
    while len(held) < count:
        piece = os.read(control, min(count - len(held), 1 << 20))
        if not piece:
            return b""
        held += piece
    return bytes(held)


def main() -> None:
    """Run until the tree is empty. The exit code says nothing: the host listens to the control channel."""
    control = int(sys.argv[1])
    os.set_inheritable(control, False)
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    launch = _read_launch(control)
    if launch is None:
        return
    os.set_blocking(control, False)
    keeper = Keeper(control)
    started = keeper.start(launch)
    del launch
    grace = 0.0
    try:
        if started:
            grace = keeper.serve()
    finally:
        keeper.end(grace)


if __name__ == "__main__":
    main()
