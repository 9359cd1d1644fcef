"""One process under test and the driver's end of its pipes: requests in, answers out, CPU and memory by the kernel.

Reads and writes with as little of its own as it can. Its waits are bounded by whoever measures; leaving the context
ends the process.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import subprocess
import time
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

READ_SIZE = 65_536
HANDSHAKE: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Gone(Exception):
    """The process ended, or said something else than what was asked."""


def line_of(number: int, method: str, params: Any = None) -> bytes:
    """One request as a line."""
    body = {"jsonrpc": "2.0", "id": number, "method": method}
    return json.dumps(body if params is None else {**body, "params": params}).encode() + b"\n"


def framed(line: bytes) -> bytes:
    """The same request with a header block."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(line) - 1, line[:-1])


class Server:
    """A server that has just been started. `started`: seconds of `perf_counter` at its exec."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str]) -> None:
        self._stderr, stderr = _wide_pipe()
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            bufsize=0,
            cwd="/",
            env=dict(environment),
        )
        os.close(stderr)
        self.pid = self._process.pid
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self.into, self.out = self._stdin.fileno(), self._stdout.fileno()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._stdin, self._stdout):
            pipe.close()
        os.close(self._stderr)

    def initialize(self) -> None:
        """The handshake, up to the answer of `initialize`."""
        self.ask(line_of(0, "initialize", HANDSHAKE))

    def begin(self) -> None:
        """The handshake, and one `tools/list` as every host program sends it."""
        self.initialize()
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        self.ask(line_of(1, "tools/list"))

    def ask(self, line: bytes) -> bytes:
        """Writes one request and reads one line.

        Raises:
            Gone: no line came.
        """
        os.write(self.into, line)
        found = os.read(self.out, READ_SIZE)
        while not found.endswith(b"\n"):
            more = os.read(self.out, READ_SIZE)
            if not more:
                raise Gone(f"it ended without an answer{self._last_words()}")
            found += more
        return found

    def answer(self, line: bytes, number: int) -> dict[str, Any]:
        """Writes one request and reads up to the answer with this id, past what else the server has to say."""
        found = self.ask(line)
        while True:
            for text in found.splitlines():
                message = json.loads(text)
                if message.get("id") == number:
                    return message
            found = self.ask(b"")

    def write(self, data: bytes) -> None:
        """All bytes, blocking."""
        view = memoryview(data)
        while view:
            view = view[os.write(self.into, view) :]

    def exchange(self, data: bytes, answers: int, mark: bytes = b"\n") -> bytes:
        """Writes and reads at once, until `mark` has been read `answers` times; gives all that was read.

        Raises:
            Gone: the output ended before.
        """
        os.set_blocking(self.into, False)
        view = memoryview(data)
        found: list[bytes] = []
        tail = b""
        poll = select.poll()
        poll.register(self.out, select.POLLIN)
        poll.register(self.into, select.POLLOUT)
        while answers > 0:
            ready = dict(poll.poll())
            if self.into in ready:
                view = view[_write_some(self.into, view) :]
                if not view:
                    poll.unregister(self.into)
            if self.out in ready:
                part = os.read(self.out, READ_SIZE)
                if not part:
                    raise Gone(f"it ended without its answers{self._last_words()}")
                found.append(part)
                answers -= (tail + part).count(mark)
                tail = (tail + part)[len(tail + part) - len(mark) + 1 :]
        os.set_blocking(self.into, True)
        return b"".join(found)

    def swallow(self, data: bytes, seconds: float) -> int:
        """Writes for `seconds` without reading anything; the number of bytes that it took."""
        os.set_blocking(self.into, False)
        view = memoryview(data)
        end = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self.into, select.POLLOUT)
        while (left := end - time.monotonic()) > 0:
            if not view:
                time.sleep(left)
            elif poll.poll(left * 1000):
                view = view[_write_some(self.into, view) :]
        os.set_blocking(self.into, True)
        return len(data) - len(view)

    def leave(self) -> float:
        """Ends its input; the seconds until it was gone."""
        began = time.perf_counter()
        self._stdin.close()
        self._process.wait()
        return time.perf_counter() - began

    def _last_words(self) -> str:
        """The last line of its stderr."""
        os.set_blocking(self._stderr, False)
        with contextlib.suppress(BlockingIOError):
            lines = os.read(self._stderr, 1 << 20).decode("utf-8", "replace").splitlines()
            return f"; it said last: {lines[-1]}" if lines else ""
        return ""

    def cpu_s(self) -> float:
        """Seconds of processor time of all its threads, to the nanosecond (the clock of `clock_getcpuclockid`)."""
        return time.clock_gettime((~self.pid << 3) | 2)

    def memory_mb(self, field: str = "VmHWM") -> float:
        """Resident memory in MB (10**6 bytes): `VmHWM` the peak, `VmRSS` of this moment."""
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(field)) * 1024 / 1e6


def _wide_pipe() -> tuple[int, int]:
    """For stderr: a pipe, as host programs give it, that holds more than any row makes a server say."""
    reader, writer = os.pipe()
    with contextlib.suppress(OSError):
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 1 << 20)
    return reader, writer


def _write_some(fd: int, view: memoryview) -> int:
    try:
        return os.write(fd, view[:READ_SIZE])
    except BlockingIOError:
        return 0
