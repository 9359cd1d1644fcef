"""A trivial host: the socket protocol of contract 5 with ready answers. Run as a program: `stub.py SOCKET`.

Prints `ready` when it listens; ends with its standard input. A `status` with `wait_ms` n is answered after n ms, with 0
never; `held` (a kind of its own) tells how many wait so. One connection, one request, one response.
"""

from __future__ import annotations

import heapq
import json
import os
import select
import socket
import sys
import time
from typing import Any

REPORT: dict[str, Any] = {
    "status": "completed",
    "agent_type": "demo",
    "attempt": 1,
    "text": "Three files were changed, and the tests pass. " * 6,
    "text_bytes": 276,
    "created_at": "2026-01-01T00:00:00.000Z",
    "started_at": "2026-01-01T00:00:01.000Z",
    "ended_at": "2026-01-01T00:00:09.000Z",
    "duration_ms": 8000,
}
CATALOG = {"agents": ["claude_code", "codex", "gemini", "demo"], "groups": ["delegation", "ask", "feedback"]}


class Stub:
    """One listening socket and its open connections."""

    def __init__(self, path: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        mask = os.umask(0o177)
        self._listener.bind(path)
        os.umask(mask)
        self._listener.listen(4096)
        self._listener.setblocking(False)
        self._poll = select.poll()
        self._poll.register(self._listener, select.POLLIN)
        self._poll.register(0, select.POLLIN)
        self._clients: dict[int, socket.socket] = {}
        self._received: dict[int, bytes] = {}
        self._late: list[tuple[float, int, socket.socket, bytes]] = []
        self._serial = 0
        self._held: set[int] = set()

    def run(self) -> None:
        """Serves until standard input ends."""
        while True:
            wait = max(0.0, self._late[0][0] - time.monotonic()) * 1000 if self._late else None
            for fd, _ in self._poll.poll(wait):
                if fd == 0:
                    return
                if fd == self._listener.fileno():
                    self._accept()
                else:
                    self._receive(fd)
            while self._late and self._late[0][0] <= time.monotonic():
                _, _, client, answer = heapq.heappop(self._late)
                self._send(client, answer)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except BlockingIOError:
                return
            self._clients[client.fileno()] = client
            self._poll.register(client, select.POLLIN)

    def _receive(self, fd: int) -> None:
        data = self._clients[fd].recv(65_536)
        if not data:
            self._close(fd)
            return
        data = self._received.pop(fd, b"") + data
        if len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "little"):
            self._received[fd] = data
            return
        self._answer(fd, json.loads(data[4:]))

    def _answer(self, fd: int, request: dict[str, Any]) -> None:
        kind = request["kind"]
        if kind == "status":
            outcome: Any = {"tasks": [{"task_id": task, **REPORT} for task in request["task_ids"]]}
        elif kind == "held":
            outcome = len(self._held)
        else:
            outcome = CATALOG
        body = json.dumps({"outcome": outcome}, separators=(",", ":")).encode()
        answer = len(body).to_bytes(4, "little") + body
        wait_ms = request.get("wait_ms")
        if wait_ms:
            self._serial += 1
            heapq.heappush(self._late, (time.monotonic() + wait_ms / 1000, self._serial, self._clients[fd], answer))
        elif wait_ms == 0:
            self._held.add(fd)
        else:
            self._send(self._clients[fd], answer)

    def _send(self, client: socket.socket, answer: bytes) -> None:
        if client.fileno() >= 0:
            client.sendall(answer)
            self._close(client.fileno())

    def _close(self, fd: int) -> None:
        self._poll.unregister(fd)
        self._held.discard(fd)
        self._received.pop(fd, None)
        self._clients.pop(fd).close()


if __name__ == "__main__":
    stub = Stub(sys.argv[1])
    print("ready", flush=True)
    stub.run()
