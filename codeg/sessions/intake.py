"""An agent's stdout, bytes to messages: what is a message, what is noise to pass over, what breaks the protocol.

Pure. Rules of contract 7: a line that is no JSON object is skipped, 1,000 of them or 1 MiB in a row at most; a line
that begins with `{` and does not parse is the end; a message has 64 MiB at most. What is held is one unfinished
message, an endless line of noise 1 MiB.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, cast

from codeg.jsonrpc.codec import Undecodable, decode
from codeg.jsonrpc.framing import Fault, Splitter
from codeg.jsonrpc.messages import Invalid, Notification, Request, Response, classify

MAX_MESSAGE = 64 * 1024 * 1024
"""Bytes of one message."""
MAX_NOISE_LINES = 1_000
MAX_NOISE_BYTES = 1024 * 1024

_QUOTED = 200
_LOOKED_AT = 4096
"""Bytes of a line that secrets are looked for in before it is quoted: half a secret is not recognised."""
_LOGGED = 5
_BOM = b"\xef\xbb\xbf"

Incoming: TypeAlias = Request | Notification | Response


class ProtocolBroken(Exception):
    """What the agent wrote ends the connection; `what` quotes it, as a clause behind the agent's name."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Intake:
    """Bytes in, messages out, in order. `skipped` is told of noise, the first few lines in a row.

    `blot` takes secrets out of what is quoted.
    """

    def __init__(
        self, skipped: Callable[[str], None], limit: int = MAX_MESSAGE, blot: Callable[[str], str] = str
    ) -> None:
        self._splitter = Splitter(limit, headers=False)
        self._skipped = skipped
        self._limit = limit
        self._blot = blot
        self._noise_lines = 0
        self._noise_bytes = 0
        self._first_noise = b""
        self._head = b""

    def feed(self, data: bytes) -> Iterator[Incoming]:
        """The messages that became whole.

        Raises:
            ProtocolBroken: after the messages before the fault were given out.
        """
        for item in self._splitter.feed(data):
            message = self._read(item.excerpt, too_long=True) if isinstance(item, Fault) else self._read(item.payload)
            if message is not None:
                yield message
        self._watch_unfinished(data)

    def end(self) -> Iterator[Incoming]:
        """The stream is over: a last line without its newline counts, unless it is a message cut off."""
        for item in self._splitter.end():
            if not isinstance(item, Fault):
                message = self._read(item.payload, last=True)
                if message is not None:
                    yield message

    def _read(self, line: bytes, *, too_long: bool = False, last: bool = False) -> Incoming | None:
        if line[:1] != b"{":
            line = line.removeprefix(_BOM).lstrip()
        if line[:1] != b"{":
            self._count_noise(line)
            return None
        if too_long:
            raise ProtocolBroken(f"wrote a message of more than {self._limit} bytes, beginning {self._quote(line)},")
        try:
            value = decode(line)
        except Undecodable as error:
            if last:
                return None
            reason = str(error).removesuffix(".")
            raise ProtocolBroken(f"wrote a line that cannot be read ({reason}): {self._quote(line)}") from None
        message = classify(_completed(value))
        if isinstance(message, Invalid):
            self._count_noise(line)
            return None
        self._noise_lines = self._noise_bytes = 0
        return message

    def _count_noise(self, line: bytes) -> None:
        if not self._noise_lines:
            self._first_noise = line[:_LOOKED_AT]
        self._noise_lines += 1
        self._noise_bytes += len(line)
        if self._noise_lines <= _LOGGED:
            self._skipped(self._quote(line))
        if self._noise_lines > MAX_NOISE_LINES or self._noise_bytes > MAX_NOISE_BYTES:
            self._give_up(self._first_noise)

    def _watch_unfinished(self, data: bytes) -> None:
        """A line of noise that does not end is not held until it reaches the size of a message."""
        held = self._splitter.held
        if not held:
            return
        cut = data.rfind(b"\n") + 1
        if cut:
            self._head = b""
        if len(self._head) < _LOOKED_AT:
            self._head = (self._head if held > len(data) - cut else b"") + data[cut : cut + _LOOKED_AT]
        if held + self._noise_bytes > MAX_NOISE_BYTES and self._head.removeprefix(_BOM).lstrip()[:1] != b"{":
            self._give_up(self._first_noise if self._noise_lines else self._head)

    def _give_up(self, first: bytes) -> None:
        raise ProtocolBroken(f"wrote only lines that are no messages, the first of them {self._quote(first)},")

    def _quote(self, line: bytes) -> str:
        return repr(self._blot(line[:_LOOKED_AT].decode("utf-8", "replace"))[:_QUOTED])


def _completed(value: Any) -> Any:
    """Some agents leave out the version; what is otherwise a message counts as one."""
    found = cast("dict[str, Any]", value)
    if "jsonrpc" not in found and ("method" in found or ("id" in found and ("result" in found or "error" in found))):
        return {**found, "jsonrpc": "2.0"}
    return found
