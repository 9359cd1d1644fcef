"""What goes out: protocol on the saved stdout, lifecycle lines on stderr. Neither ever blocks the loop.

Owns order and bounds; never makes a message. `Output` raises `OSError` once the peer is gone; `Diary` never raises: its
lines are dropped while stderr is full, and for good once it is closed (contract 4).
"""

from __future__ import annotations

import os
import select
import stat
from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

HIGH_WATER: Final = 2 * 1024 * 1024
"""Bytes queued above which nothing more is read: with what one message adds, P7's 8 MB hold."""
LOW_WATER: Final = 512 * 1024
"""Bytes queued below which reading goes on."""
_PIECE: Final = 256 * 1024
_ATOMIC: Final = 4_096
"""A pipe or terminal that polls writable takes this many bytes without blocking (PIPE_BUF)."""


class Output:
    """The queue in front of one descriptor. `queued`: bytes not yet written. `plain`: a file, always writable."""

    __slots__ = ("_chunks", "_fd", "_given", "_head", "_marks", "_restore", "_takes", "_written", "plain", "queued")

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._chunks: deque[bytes] = deque()
        self._head = memoryview(b"")
        self._marks: deque[tuple[int, list[Callable[[], None]]]] = deque()
        self._given = 0
        self._written = 0
        self.queued = 0
        mode = os.fstat(fd).st_mode
        self.plain = stat.S_ISREG(mode)
        # A terminal is shared with the shell: it stays as it is, and is written in pieces that cannot block.
        self._restore = (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)) and os.get_blocking(fd)
        self._takes = _gate(fd)
        if self._restore:
            os.set_blocking(fd, False)

    def put(self, data: bytes, marks: list[Callable[[], None]] | None) -> None:
        """Queues bytes; `marks` run once the last of them is written."""
        self._chunks.append(data)
        self.queued += len(data)
        self._given += len(data)
        if marks:
            self._marks.append((self._given, marks))

    def flush(self) -> None:
        """Writes what can be written now, and runs the marks that became due.

        Raises:
            OSError: the descriptor is broken; nothing can be written any more.
        """
        while self.queued:
            if not self._head:
                self._head = self._next_piece()
            piece = self._head
            if not self._restore and not self.plain:
                if not self._takes():
                    break
                piece = piece[:_ATOMIC]
            try:
                count = os.write(self._fd, piece)
            except BlockingIOError:
                break
            self._head = self._head[count:]
            self.queued -= count
            self._written += count
        while self._marks and self._marks[0][0] <= self._written:
            for mark in self._marks.popleft()[1]:
                mark()

    def drop(self) -> None:
        """Nobody reads: what is queued is forgotten, its marks never run."""
        self._chunks.clear()
        self._head = memoryview(b"")
        self._marks.clear()
        self.queued = 0

    def close(self) -> None:
        """Gives the descriptor back as it was found; it stays open."""
        if self._restore:
            os.set_blocking(self._fd, True)

    def _next_piece(self) -> memoryview:
        parts: list[bytes] = []
        size = 0
        while self._chunks and size < _PIECE:
            parts.append(self._chunks.popleft())
            size += len(parts[-1])
        return memoryview(parts[0] if len(parts) == 1 else b"".join(parts))


class Diary:
    """Lifecycle lines for stderr, gathered in a turn of the loop and written at its end."""

    __slots__ = ("_fd", "_lines", "_takes")

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._takes = _gate(fd)
        self._lines: list[str] = []

    @property
    def pending(self) -> bool:
        """Whether lines wait to be written."""
        return bool(self._lines)

    def note(self, line: str) -> None:
        """One plain line, without arguments, tokens or texts of others."""
        self._lines.append(line)

    def flush(self) -> None:
        """Writes the lines as far as stderr takes them at once; the rest is dropped."""
        if not self._lines:
            return
        data = "".join([f"codeg-mcp: {line}\n" for line in self._lines]).encode("utf-8", "replace")
        self._lines.clear()
        at = 0
        try:
            while at < len(data) and self._fd >= 0 and self._takes():
                # Whole lines only, as far as one piece takes them.
                end = len(data) if len(data) - at <= _ATOMIC else data.rfind(b"\n", at, at + _ATOMIC) + 1
                at += os.write(self._fd, data[at : end or at + _ATOMIC])
        except BlockingIOError:
            return
        except OSError:
            self._fd = -1


def _gate(fd: int) -> Callable[[], bool]:
    """Asks whether a descriptor takes a piece, or refuses it, at once.

    Windows cannot tell; a full stderr would hold the diary up there.
    """
    if not hasattr(select, "poll"):
        return lambda: True
    poll = select.poll()
    poll.register(fd, select.POLLOUT)
    return lambda: bool(poll.poll(0))
