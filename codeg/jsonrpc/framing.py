"""Bytes to messages and back: one JSON object a line, or a `Content-Length:` header block before each body.

Owns where a message begins and ends; never looks inside one, never does I/O. The framing is detected per message
(contract 4). What is held is the one unfinished item, so memory is bounded by the limit; each byte is searched once and
copied once, so cost is linear in any piece size (P6). Ends with `end()`: a last line without its newline is served, an
unfinished frame is a fault.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal

    Reason = Literal["too_long", "bad_header", "unfinished"]
    Items = list["Frame | Fault"]

DEFAULT_LIMIT: Final = 32 * 1024 * 1024
"""Largest line or body in bytes, line end not counted (contract 4)."""
MAX_HEADER: Final = 8 * 1024
"""Largest header block in bytes."""
MAX_LENGTH: Final = 1024 * 1024 * 1024
"""A `Content-Length` above this is a mistake, not a message: waiting for its last byte would swallow the connection."""
EXCERPT: Final = 200
"""Bytes of a refused item that its fault quotes at most."""

_LINE, _HEADER, _SKIP_LINE, _SKIP_HEADER_LINE, _BODY, _SKIP_BODY = range(6)
_NAME: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_")
_ABSENT: Final = -1
_BAD: Final = -2
_CR: Final = 0x0D
_OPENERS: Final = b"{["
_CLOSERS: Final = b"}]"
_BLOCK_START: Final = b"cC"


class Frame:
    """One whole message. `framed`: it came with a header block, and its answer goes out with one."""

    __slots__ = ("framed", "payload")

    def __init__(self, payload: bytes, framed: bool) -> None:
        self.payload = payload
        self.framed = framed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frame) and (self.payload, self.framed) == (other.payload, other.framed)

    def __hash__(self) -> int:
        return hash((self.payload, self.framed))

    def __repr__(self) -> str:
        return f"Frame({self.payload[:EXCERPT]!r}, framed={self.framed})"


class Fault:
    """One item that could not be served; reading goes on behind it.

    `reason`: `too_long` (over the limit), `bad_header` (a header block without a good length, or over 8 KiB),
    `unfinished` (the stream ended inside a frame). `excerpt`: its first bytes, 200 at most.
    """

    __slots__ = ("excerpt", "framed", "reason")

    def __init__(self, reason: Reason, framed: bool, excerpt: bytes) -> None:
        self.reason: Reason = reason
        self.framed = framed
        self.excerpt = excerpt

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fault) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"Fault({self.reason!r}, framed={self.framed}, excerpt={self.excerpt!r})"

    def _parts(self) -> tuple[str, bool, bytes]:
        return self.reason, self.framed, self.excerpt


def wrap(payload: bytes, framed: bool) -> bytes:
    """The bytes to write for one message. A payload for a line must hold no 0x0A, which `codec.encode` guarantees."""
    if framed:
        return b"Content-Length: %d\r\n\r\n%b" % (len(payload), payload)
    return payload + b"\n"


class Splitter:
    """Cuts a byte stream into items; one for each direction of a connection.

    `limit`: bytes of a line (its end not counted) or of a body. `headers=False` serves lines only, as ACP has it.
    Only byte 0x0A ends a line; one CR before it is dropped; blank lines are skipped. An item over the limit is one
    fault, told as soon as it is known, and is then skipped without being held.
    """

    __slots__ = ("_block_size", "_buffer", "_head", "_headers", "_length", "_limit", "_mode", "_need", "_refused")

    def __init__(self, limit: int = DEFAULT_LIMIT, headers: bool = True) -> None:
        self._limit = limit
        self._headers = headers
        self._mode = _LINE
        self._buffer = bytearray()
        self._need = 0
        self._head = b""
        self._block_size = 0
        self._length = _ABSENT
        self._refused = False

    @property
    def held(self) -> int:
        """Bytes held for the item that is not whole yet."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[Frame | Fault]:
        """Takes the next bytes, split anywhere; gives the items that became whole, in order. Never raises."""
        out: Items = []
        at = 0
        size = len(data)
        while at < size:
            if self._mode >= _BODY:
                at = self._body(data, at, out)
                continue
            stop = data.find(b"\n", at)
            if stop < 0:
                self._partial_line(data, at, out)
                break
            if self._buffer or self._mode != _LINE:
                self._held_line(data[at:stop], out)
            else:
                end = stop - 1 if stop > at and data[stop - 1] == _CR else stop
                self._line(data[at:end], out)
            at = stop + 1
        return out

    def end(self) -> list[Frame | Fault]:
        """The stream is over: serves a last unterminated line, faults an unfinished frame, and starts afresh."""
        out: Items = []
        if self._mode == _LINE and self._buffer:
            self._held_line(b"", out)
        if self._mode == _HEADER:
            self._refuse_block("unfinished", out, bytes(self._buffer[:EXCERPT]))
        elif self._mode == _BODY:
            out.append(Fault("unfinished", True, bytes(self._buffer[:EXCERPT])))
        self._mode = _LINE
        self._buffer = bytearray()
        return out

    def _held_line(self, rest: bytes, out: Items) -> None:
        """The newline after `rest` ends the line that is held, skipped, or belongs to a header block."""
        if self._mode == _SKIP_LINE:
            self._mode = _LINE
            return
        if self._mode == _SKIP_HEADER_LINE:
            self._mode = _HEADER
            return
        buffer = self._buffer
        buffer += rest
        if buffer.endswith(b"\r"):
            del buffer[-1]
        line = bytes(buffer)
        self._buffer = bytearray()
        if self._mode == _HEADER:
            self._header_line(line, out)
        else:
            self._line(line, out)

    def _partial_line(self, data: bytes, at: int, out: Items) -> None:
        """Holds a line whose end has not come, at most one byte (a CR, it may be) over what could still be served."""
        if self._mode in (_SKIP_LINE, _SKIP_HEADER_LINE):
            return
        buffer = self._buffer
        buffer += data[at : at + max(self._limit, MAX_HEADER) + 2 - len(buffer)]
        if self._mode == _HEADER and buffer[0] in _OPENERS:
            self._break_block(out)
        if self._mode == _LINE:
            if len(buffer) > self._limit + 1:
                out.append(Fault("too_long", False, bytes(buffer[: min(EXCERPT, self._limit)])))
                self._mode = _SKIP_LINE
                self._buffer = bytearray()
        elif self._block_size + len(buffer) > MAX_HEADER + 1 and bytes(buffer) != b"\r":
            self._overflow_block(bytes(buffer[:EXCERPT]), out)
            self._mode = _SKIP_HEADER_LINE
            self._buffer = bytearray()

    def _line(self, line: bytes, out: Items) -> None:
        if len(line) > self._limit:
            out.append(Fault("too_long", False, line[: min(EXCERPT, self._limit)]))
        elif not line or line.isspace():
            return
        elif not self._headers or (line[-1] in _CLOSERS and line[0] not in _BLOCK_START):
            out.append(Frame(line, False))
        elif _opens_block(line):
            self._open_block(line, out)
        else:
            # No JSON object ends like this: the body behind a refused header block may be glued to the next block.
            cut = _glued_header(line)
            if cut:
                out.append(Frame(line[:cut], False))
                self._open_block(line[cut:], out)
            else:
                out.append(Frame(line, False))

    def _open_block(self, line: bytes, out: Items) -> None:
        self._mode = _HEADER
        self._head = b""
        self._block_size = 0
        self._length = _ABSENT
        self._refused = False
        self._header_line(line, out)

    def _header_line(self, line: bytes, out: Items) -> None:
        if not line:
            self._close_block(out)
        elif line[0] in _OPENERS:
            self._break_block(out)
            self._line(line, out)
        elif self._block_size + len(line) > MAX_HEADER:
            self._overflow_block(line[:EXCERPT], out)
        else:
            self._block_size += len(line) + 1
            if len(self._head) < EXCERPT:
                self._head = (self._head + line + b"\n")[:EXCERPT]
            name, colon, value = line.partition(b":")
            if not colon or not _is_name(name):
                self._length = _BAD
            elif name.strip().lower() == b"content-length":
                length = _read_length(value.strip(), self._limit)
                self._length = length if self._length in (_ABSENT, length) else _BAD

    def _close_block(self, out: Items) -> None:
        """The blank line after a header block: its body follows, or, without a good length, the next message."""
        self._mode = _LINE
        if self._refused:
            return
        if self._length < 0:
            self._refuse_block("bad_header", out)
        elif self._length == 0:
            out.append(Frame(b"", True))
        else:
            self._need = self._length
            self._mode = _BODY
            if self._length > self._limit:
                self._refuse_block("too_long", out)
                self._mode = _SKIP_BODY

    def _break_block(self, out: Items) -> None:
        """A JSON line where a header line was due: the block had no end, and the line is a message of its own."""
        self._refuse_block("bad_header", out)
        self._mode = _LINE

    def _overflow_block(self, more: bytes, out: Items) -> None:
        """Over 8 KiB: one fault; its further lines are dropped up to its blank line."""
        self._refuse_block("bad_header", out, more)
        self._block_size = 0

    def _refuse_block(self, reason: Reason, out: Items, more: bytes = b"") -> None:
        if not self._refused:
            self._refused = True
            out.append(Fault(reason, True, (self._head + more)[:EXCERPT]))

    def _body(self, data: bytes, at: int, out: Items) -> int:
        """Takes what belongs to the body that is being read or skipped; gives where the next item begins."""
        stop = min(len(data), at + self._need)
        self._need -= stop - at
        done = self._need == 0
        if self._mode == _BODY:
            if done and not self._buffer:
                out.append(Frame(data[at:stop], True))
            else:
                self._buffer += data[at:stop]
                if done:
                    out.append(Frame(bytes(self._buffer), True))
                    self._buffer = bytearray()
        if done:
            self._mode = _LINE
        return stop


def _is_name(name: bytes) -> bool:
    name = name.rstrip(b" \t").lower()
    return bool(name) and _NAME.issuperset(name)


def _opens_block(line: bytes) -> bool:
    """Only headers of the base protocol open a block, so that a stray `Error: x` costs one line and not a block."""
    if line[:8].lower() != b"content-":
        return False
    name, colon, _ = line[:EXCERPT].partition(b":")
    return bool(colon) and _is_name(name)


def _glued_header(line: bytes) -> int:
    """Where a header line begins behind the end of a JSON text within one line; 0 when there is none."""
    if line[0] not in _OPENERS:
        return 0
    start = max(0, len(line) - EXCERPT)
    at = line[start:].lower().rfind(b"content-")
    if at < 1 or line[start + at - 1] not in _CLOSERS or not _opens_block(line[start + at :]):
        return 0
    return start + at


def _read_length(value: bytes, limit: int) -> int:
    """Plain ASCII digits only; no sign, no unit, nothing absurd."""
    if not value.isdigit() or len(value.lstrip(b"0")) > len(str(MAX_LENGTH)):
        return _BAD
    length = int(value.lstrip(b"0") or b"0")
    return length if length <= max(MAX_LENGTH, limit) else _BAD
