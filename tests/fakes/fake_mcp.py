"""A bare MCP client over the stdio of one server, for the fake agent. Standard library only; knows nothing of Codeg."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from typing import Any


class McpClient:
    """One server process, started from an ACP `mcpServers` entry; calls may run in any thread."""

    def __init__(self, entry: dict[str, Any]) -> None:
        env = {**os.environ, **{pair["name"]: pair["value"] for pair in entry.get("env", [])}}
        self._process = subprocess.Popen(
            [entry["command"], *entry.get("args", [])], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
        )
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[threading.Event, list[Any]]] = {}
        self._last = 0
        threading.Thread(target=self._read, daemon=True).start()
        self.request(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fake-agent", "version": "1"}},
        )
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, params: dict[str, Any]) -> Any:
        """The result of a request; an error or the end of the server comes back as an `error` object."""
        with self._lock:
            self._last += 1
            number = self._last
            waiter: tuple[threading.Event, list[Any]] = (threading.Event(), [])
            self._waiting[number] = waiter
        try:
            self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        except OSError as error:
            return {"error": str(error)}
        waiter[0].wait()
        return waiter[1][0] if waiter[1] else {"error": "the server ended"}

    def call(self, tool: str, arguments: dict[str, Any], meta: dict[str, Any] | None = None) -> Any:
        """The result of `tools/call`."""
        params: dict[str, Any] = {"name": tool, "arguments": arguments}
        return self.request("tools/call", {**params, "_meta": meta} if meta else params)

    def close(self) -> None:
        """Close its stdin and wait for it, 5 s at most."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with self._lock:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            waiter = self._waiting.pop(message.get("id") or 0, None)
            if waiter is not None:
                waiter[1].append(message.get("result", {"error": message.get("error")}))
                waiter[0].set()
        for event, _ in list(self._waiting.values()):
            event.set()
