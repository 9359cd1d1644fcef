"""A raw driver: bytes into and out of a real companion process, every wait bounded."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from typing import Any, cast

WITHIN_S = 10.0
STANDSTILL_S = 0.3
"""Seconds after which a companion that does not read has stopped reading. On a loaded machine it may only be slow: then
less is sent, and a test proves less."""
INITIALIZE: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "driver", "version": "1.0"},
}
MODERN_META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "driver", "version": "1.0"},
}


class Companion:
    """One `python -I -m companion`. `stdin`/`stdout`: descriptors or files to use instead of pipes of ours."""

    def __init__(
        self,
        *flags: str,
        cwd: str = "/",
        env: dict[str, str] | None = None,
        stdin: Any = subprocess.PIPE,
        stdout: Any = subprocess.PIPE,
        stderr: Any = None,
    ) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-m", "companion", *flags],
            stdin=stdin,
            stdout=stdout,
            stderr=self._log if stderr is None else stderr,
            cwd=cwd,
            env={"PATH": "/usr/bin:/bin", **(env or {})},
        )
        self._seen: list[bytes] = []
        self.others: list[dict[str, Any]] = []
        self._buffer = b""

    @property
    def seen(self) -> bytes:
        """All output so far."""
        return b"".join(self._seen)

    @property
    def out(self) -> int:
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    @property
    def into(self) -> int:
        assert self.process.stdin is not None
        return self.process.stdin.fileno()

    def write(self, data: bytes) -> None:
        """All bytes, however the pipe takes them."""
        while data:
            data = data[os.write(self.into, data) :]

    def fill(self, line: bytes) -> int:
        """Sends a line again and again without reading, until nothing of it is taken any more; how often."""
        piece = line * (select.PIPE_BUF // len(line))
        sent = 0
        while select.select([], [self.into], [], STANDSTILL_S)[1]:
            # A pipe that is ready takes this much whole.
            assert os.write(self.into, piece) == len(piece)
            sent += len(piece) // len(line)
        return sent

    def is_quiet(self, seconds: float) -> bool:
        """Nothing comes for so long."""
        return not select.select([self.out], [], [], seconds)[0]

    def send(self, *messages: Any) -> None:
        self.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def request(self, call_id: Any, method: str, params: Any = None, modern: bool = False) -> None:
        body: dict[str, Any] = {"jsonrpc": "2.0", "id": call_id, "method": method}
        if modern:
            given: dict[str, Any] = params or {}
            params = {**given, "_meta": {**MODERN_META, **given.get("_meta", {})}}
        if params is not None:
            body["params"] = params
        self.send(body)

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    def call(self, call_id: Any, tool: str, arguments: Any = None, **meta: Any) -> None:
        params: dict[str, Any] = {"name": tool, "arguments": {} if arguments is None else arguments}
        self.request(call_id, "tools/call", {**params, "_meta": meta} if meta else params)

    def start(self, name: str = "driver", version: str = "2025-11-25") -> dict[str, Any]:
        """The handshake of the older revisions."""
        info = {"name": name, "version": "1.0"}
        self.request("init", "initialize", {**INITIALIZE, "protocolVersion": version, "clientInfo": info})
        answer = self.answer("init")
        self.notify("notifications/initialized")
        return answer["result"]

    def read_some(self, within: float = WITHIN_S) -> bytes:
        """What is there next; b"" at the end.

        Raises:
            TimeoutError: nothing came.
        """
        if not select.select([self.out], [], [], within)[0]:
            raise TimeoutError("the companion said nothing")
        data = os.read(self.out, 65_536)
        self._seen.append(data)
        return data

    def begin_line(self) -> None:
        """Waits for the beginning of the next line; `line` gives it whole."""
        self._buffer += self.read_some()

    def line(self, within: float = WITHIN_S) -> bytes:
        """The next line without its end."""
        deadline = time.monotonic() + within
        while b"\n" not in self._buffer:
            data = self.read_some(max(deadline - time.monotonic(), 0))
            if not data:
                raise EOFError(self._buffer)
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def read(self, within: float = WITHIN_S) -> dict[str, Any]:
        """The next message."""
        message: Any = json.loads(self.line(within))
        assert isinstance(message, dict)
        assert message["jsonrpc"] == "2.0"
        return cast("dict[str, Any]", message)

    def answer(self, call_id: Any, within: float = WITHIN_S) -> dict[str, Any]:
        """The answer to a request; what comes before it is kept in `others`."""
        self.others = []
        while True:
            message = self.read(within)
            if message.get("id") == call_id and type(message.get("id")) is type(call_id) and "method" not in message:
                return message
            self.others.append(message)

    def result(self, call_id: Any, within: float = WITHIN_S) -> dict[str, Any]:
        return self.answer(call_id, within)["result"]

    def rest(self, within: float = WITHIN_S) -> list[dict[str, Any]]:
        """All that comes until the output ends."""
        found: list[dict[str, Any]] = []
        while True:
            try:
                found.append(self.read(within))
            except EOFError:
                return found

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait(self, within: float = WITHIN_S) -> int:
        return self.process.wait(within)

    def log(self) -> str:
        self._log.seek(0)
        return self._log.read().decode()

    def cpu_s(self) -> float:
        """CPU used so far, by the kernel's account."""
        with open(f"/proc/{self.process.pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_kb(self, field: str = "VmRSS") -> int:
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(field))

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(WITHIN_S)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        self._log.close()
