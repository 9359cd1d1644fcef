"""What host and keeper say to each other over the control channel, without I/O.

Host to keeper: one launch message, then lines. Keeper to host: lines of ASCII words (see `Report`). The launch message
is a u32 little-endian length and NUL-separated fields: the form in which the system takes argv and env anyway, so that
any byte that can be in them arrives, and the keeper need not load a JSON reader. Never on anybody's argv: env holds
secrets, and one argument of Linux ends at 128 KiB.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MARKER = "CODEG_TREE"
"""Name in the agent's environment that tells whose tree a process belongs to, should the keeper be killed."""

MAX_LAUNCH = 64 * 1024 * 1024
"""Bytes of one launch message. The system's own limit on argv and env (6 MiB on Linux) is far below."""

MAX_GRACE_S = 2.0
"""Longest time that a stop may leave the agent between end of stdin and TERM."""


class Launch:
    """What to start: program and arguments, environment as `NAME=value`, working directory; all bytes.

    `descriptors`: the soft limit of open files that the agent gets; 0 = the keeper's own.
    """

    __slots__ = ("argv", "cwd", "descriptors", "env")

    def __init__(self, argv: list[bytes], env: dict[bytes, bytes], cwd: bytes, descriptors: int = 0) -> None:
        self.argv = argv
        self.env = env
        self.cwd = cwd
        self.descriptors = descriptors


def marker(keeper_pid: int, keeper_start: int) -> str:
    """The value of `MARKER` for this keeper's tree: pid and start time, so a later process of that pid differs."""
    return f"{keeper_pid}.{keeper_start}"


def pack_launch(argv: Sequence[str], env: Mapping[str, str], cwd: str, descriptors: int = 0) -> bytes:
    """The launch message; `descriptors` as in `Launch`.

    Raises:
        ValueError: no program, a NUL in a field, a bad name in the environment, or over `MAX_LAUNCH`.
    """
    if not argv or not argv[0]:
        raise ValueError("there is no program to start")
    for name in env:
        if not name or "=" in name:
            raise ValueError("a name in the agent's environment is empty or holds '='")
    fields = [str(len(argv)), str(descriptors), cwd, *argv, *(f"{name}={value}" for name, value in env.items())]
    if any("\0" in field for field in fields):
        raise ValueError("a NUL character stands in the program's arguments, environment or folder")
    body = b"\0".join(os.fsencode(field) for field in fields)
    if len(body) > MAX_LAUNCH:
        raise ValueError("the program's arguments and environment are too large")
    return len(body).to_bytes(4, "little") + body


def unpack_launch(body: bytes) -> Launch:
    """The message without its length. Raises ValueError on anything `pack_launch` would not have made."""
    fields = body.split(b"\0")
    if len(fields) < 4 or not fields[0].isdigit() or not fields[1].isdigit():
        raise ValueError("not a launch message")
    count = int(fields[0])
    argv = fields[3 : 3 + count]
    if count < 1 or len(argv) != count:
        raise ValueError("not a launch message")
    pairs = (field.partition(b"=") for field in fields[3 + count :])
    return Launch(argv, {name: value for name, _, value in pairs}, fields[2], int(fields[1]))


def stop_line(grace_s: float) -> bytes:
    """Ask the keeper to end the tree; TERM follows after `grace_s` (0 to `MAX_GRACE_S`)."""
    return b"stop %d\n" % round(1000 * min(max(grace_s, 0.0), MAX_GRACE_S))


def stop_grace(line: bytes) -> float | None:
    """The grace in seconds of a stop line, or None when it is no such line."""
    word, _, number = line.partition(b" ")
    if word != b"stop" or not number.isdigit():
        return None
    return min(int(number) / 1000, MAX_GRACE_S)


class Report:
    """One line of the keeper.

    `started KEEPER_PID KEEPER_START AGENT_PID AGENT_START BOOT_ID`, `failed STEP ERRNO` (step `launch`, `cwd` or
    `exec`), `exited CODE` (negative: the signal), `signal NUMBER PID START` for each signal sent, `left PID START` for
    a process that could not be ended, `gone` when the tree is empty. Unknown words are for the reader to ignore.
    """

    __slots__ = ("word", "words")

    def __init__(self, word: str, words: tuple[str, ...]) -> None:
        self.word = word
        self.words = words

    def number(self, index: int) -> int:
        """The word at this place as a number; 0 where it is missing or no number."""
        try:
            return int(self.words[index])
        except (IndexError, ValueError):
            return 0


def parse_report(line: bytes) -> Report:
    """A line without its end. Never raises."""
    word, *words = line.decode("ascii", "replace").split(" ")
    return Report(word, tuple(words))


def report_line(word: str, *words: object) -> bytes:
    """A line for `parse_report`."""
    return (" ".join((word, *(str(each) for each in words))) + "\n").encode("ascii")
