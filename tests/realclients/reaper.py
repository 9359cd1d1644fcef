"""Starts one program and owns everything that comes of it, whatever sessions and groups its processes make for themselves.

    python -I reaper.py REPORT_FD PROGRAM [ARGUMENTS…]        Linux; standard library only

It is the subreaper of the program's whole tree. Lines of JSON go to the report descriptor: `{"pid"}` at the start,
`{"exit"}` (negative: a signal) at the program's end, `{"left": [[pid, command line], …]}` when the tree is empty or the
grace for it is over; then what is left is killed and it ends. Its stdin takes `signal N` for the program's process group,
as a terminal sends it; at its end (the test is gone) everything is killed at once.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time

GRACE_S = float(os.environ.get("REAPER_GRACE_S", "10"))
"""Seconds that the tree may take to end behind its program; Codex and OpenCode need up to seven."""
_SUBREAPER = 36
_TICK_S = 0.02


def descendants(of: int) -> list[int]:
    """Pids below a process, zombies left out."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state not in "ZX":
            parents[int(name)] = int(parent)
    found, level = list[int](), {of}
    while level:
        level = {pid for pid, parent in parents.items() if parent in level}
        found += sorted(level)
    return found


def command_line(pid: int) -> str:
    """Its words, "" when it is gone."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


class Reaper:
    """One program from start to end."""

    def __init__(self, report: int, words: list[str]) -> None:
        self._report = report
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True)
        self._pid = self._process.pid
        self._code: int | None = None
        self._told(pid=self._pid)

    def run(self) -> None:
        """Until the tree is empty, the grace is over, or stdin ends."""
        deadline = 0.0
        while True:
            if not self._listen():
                break
            self._collect()
            if self._code is None:
                continue
            deadline = deadline or time.monotonic() + GRACE_S
            if not descendants(os.getpid()) or time.monotonic() > deadline:
                break
        self._told(left=[[pid, command_line(pid)] for pid in descendants(os.getpid())])
        self._end()

    def _told(self, **fields: object) -> None:
        with contextlib.suppress(BrokenPipeError):
            os.write(self._report, json.dumps(fields).encode() + b"\n")

    def _listen(self) -> bool:
        """Take an order, or let a moment pass; False at the end of stdin."""
        if not select.select([0], [], [], _TICK_S)[0]:
            return True
        given = os.read(0, 4_096)
        for line in given.decode().splitlines():
            # Not reaped yet, so the pid is still the program's own.
            if self._code is None:
                os.killpg(self._pid, int(line.split()[1]))
        return bool(given)

    def _collect(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._pid:
                self._code = os.waitstatus_to_exitcode(status)
                self._process.returncode = self._code
                self._told(exit=self._code)

    def _end(self) -> None:
        while left := descendants(os.getpid()):
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._collect()
            time.sleep(_TICK_S)


def main() -> None:
    report = int(sys.argv[1])
    os.set_inheritable(report, False)
    if ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit("no subreaper here")
    Reaper(report, sys.argv[2:]).run()


if __name__ == "__main__":
    main()
