"""The end of what an agent wrote to stderr, at a bounded cost.

Pure. Holds 128 KiB at most whatever is fed (B35), one endless line included; shows the last 64 KiB of that as lines.
"""

MAX_BYTES = 64 * 1024
MAX_LINES = 100


class StderrTail:
    """Bytes in, last lines out."""

    __slots__ = ("_cut", "_held")

    def __init__(self) -> None:
        self._held = bytearray()
        self._cut = False

    def feed(self, data: bytes) -> None:
        """Take a piece of any size."""
        self._held += data[-MAX_BYTES:]
        if len(self._held) > 2 * MAX_BYTES or len(data) > MAX_BYTES:
            del self._held[:-MAX_BYTES]
            self._cut = True

    def lines(self) -> tuple[str, ...]:
        """The last lines: 100 and 64 KiB at most, undecodable bytes as U+FFFD, blank lines at the end left out."""
        cut = self._cut or len(self._held) > MAX_BYTES
        lines = bytes(self._held[-MAX_BYTES:]).split(b"\n")
        if cut and len(lines) > 1:
            lines = lines[1:]
        texts = [line.rstrip(b"\r").decode("utf-8", "replace") for line in lines[-(MAX_LINES + 1) :]]
        while texts and not texts[-1].strip():
            texts.pop()
        return tuple(texts[-MAX_LINES:])
