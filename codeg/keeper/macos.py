"""The process table by `ps`, for systems without `/proc` and subreapers (macOS, the BSDs). Same functions as `linux`.

Weaker than Linux in three ways, all of them the system's: an orphan goes to process 1, so it is found by its process
group or by an earlier snapshot alone; start times have a resolution of one second; and a signal goes by pid, a moment
after the start time was checked, since there is no pidfd. It never decides whom to signal.
"""

from __future__ import annotations

import os

from codeg.keeper.linux import Process, send_unpinned

TABLE = ("/bin/ps", "-axo", "pid=,ppid=,pgid=,state=,lstart=")
BOOT = ("/usr/sbin/sysctl", "-n", "kern.bootsessionuuid")
_PLAIN = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def parse_start(words: list[str]) -> int:
    """`Mon Dec  1 10:02:03 2025` in words, as the number 20251201100203: it orders and compares, and counts nothing.

    Raises:
        ValueError: it is no such date.
    """
    _, month, day, clock, year = words
    hour, minute, second = clock.split(":")
    number = 0
    for part in (_MONTHS.index(month) + 1, day, hour, minute, second):
        number = number * 100 + int(part)
    return int(year) * 10**10 + number


def parse_table(text: bytes) -> dict[int, Process]:
    """The output of `TABLE`. The process group stands in for the session. Lines of another shape are skipped."""
    found: dict[int, Process] = {}
    for line in text.decode("ascii", "replace").splitlines():
        words = line.split()
        try:
            pid, parent, group = (int(word) for word in words[:3])
            found[pid] = Process(pid, parse_start(words[4:]), parent, group, words[3][:1])
        except (ValueError, IndexError):
            continue
    return found


def _output(argv: tuple[str, ...]) -> tuple[bytes, int]:
    """What a program says, and the pid it had."""
    read_end, write_end = os.pipe()
    try:
        actions = [(os.POSIX_SPAWN_DUP2, write_end, 1), (os.POSIX_SPAWN_CLOSE, read_end)]
        try:
            pid = os.posix_spawn(argv[0], argv, _PLAIN, file_actions=actions)
        except OSError:
            return b"", 0
        finally:
            os.close(write_end)
        pieces = list(iter(lambda: os.read(read_end, 65536), b""))
        os.waitpid(pid, 0)
        return b"".join(pieces), pid
    finally:
        os.close(read_end)


def everyone() -> dict[int, Process]:
    """All processes, by pid, as one run of `ps` saw them; itself left out."""
    text, pid = _output(TABLE)
    table = parse_table(text)
    table.pop(pid, None)
    return table


def read(pid: int) -> Process | None:
    """The process that has this pid now, or None."""
    return parse_table(_output((TABLE[0], "-o", TABLE[2], "-p", str(pid)))[0]).get(pid)


def environment_value(pid: int, name: str) -> str:
    """Other processes' environments are not asked for here."""
    del pid, name
    return ""


def program_name(pid: int) -> str:
    """Not asked for here."""
    del pid
    return ""


def boot_id() -> str:
    """A name of this boot of the machine."""
    return _output(BOOT)[0].decode("ascii", "replace").strip() or "unknown"


def adopt_orphans() -> bool:
    """There is no such thing here."""
    return False


def send(process: Process, number: int) -> bool:
    """Signal the process if pid and start time still match. False when it has gone, or is not ours to signal."""
    return send_unpinned(process, number, read(process.pid))
