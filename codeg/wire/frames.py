"""Frames of the socket: u32 little endian, then that many bytes of UTF-8 JSON (contract 5).

Owns the cut of one frame out of a stream; never does I/O. The length is judged before anything of the payload is held,
and each byte is copied once. Ends with the one payload: a connection carries one request and one response.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

MAX_FRAME: Final = 16 * 1024 * 1024
"""Largest payload in bytes, in either direction."""
HEADER: Final = 4
"""Bytes of the length."""


class FrameTooLarge(ValueError):
    """A payload of `size` bytes where at most `limit` are taken."""

    def __init__(self, size: int, limit: int) -> None:
        super().__init__(f"The frame holds {size} bytes; at most {limit} are taken.")
        self.size = size
        self.limit = limit


def encode(value: Any) -> bytes:
    """One frame with the JSON of `value`.

    Raises:
        FrameTooLarge: its JSON is over 16 MiB.
        ValueError, TypeError: `value` has no JSON form.
    """
    from codeg.wire import payload  # noqa: PLC0415  # json costs start-up; a companion packs what it encoded itself

    return pack(payload.encode(value))


def pack(payload: bytes) -> bytes:
    """One frame around JSON that was made before.

    Raises:
        FrameTooLarge: over 16 MiB.
    """
    if len(payload) > MAX_FRAME:
        raise FrameTooLarge(len(payload), MAX_FRAME)
    return len(payload).to_bytes(HEADER, "little") + payload


class FrameReader:
    """Takes one frame out of a stream, split anywhere.

    `limit`: largest payload in bytes, judged when the length is known. It may be set lower for a peer that has shown no
    token yet, and raised afterwards, before the length arrives. `announced`: the payload's length, None before its four
    bytes are here, so that a listener can count what its peers are about to make it hold. `extra`: what came behind the
    frame in the same read; later bytes are dropped.
    """

    __slots__ = ("_buffer", "_done", "announced", "extra", "limit")

    def __init__(self, limit: int = MAX_FRAME) -> None:
        self.limit = limit
        self.announced: int | None = None
        self.extra = b""
        self._buffer = bytearray()
        self._done = False

    @property
    def held(self) -> int:
        """Bytes held of the frame that is not whole yet."""
        return len(self._buffer)

    def feed(self, data: bytes) -> bytes | None:
        """Takes the next bytes; gives the payload once, when it is whole, else None.

        Raises:
            FrameTooLarge: the announced length is over the limit. Nothing of the payload is held; each further feed
            raises again.
        """
        if self._done:
            return None
        if self.announced is None:
            need = HEADER - len(self._buffer)
            self._buffer += data[:need]
            if len(self._buffer) < HEADER:
                return None
            self.announced = int.from_bytes(self._buffer, "little")
            self._buffer = bytearray()
            data = data[need:]
        size = self.announced
        if size > self.limit:
            raise FrameTooLarge(size, self.limit)
        need = size - len(self._buffer)
        if len(data) < need:
            self._buffer += data
            return None
        found = bytes(data[:need])
        if self._buffer:
            self._buffer += found
            found = bytes(self._buffer)
            self._buffer = bytearray()
        self.extra = bytes(data[need:])
        self._done = True
        return found
