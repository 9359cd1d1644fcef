"""A bare peer of the host's socket, for what no companion would ever send."""

import json
import os
import socket
import struct
from types import TracebackType
from typing import Any, Self

from tests.e2e.rig import Json, Rig
from tests.support import PATIENCE


def connect(rig: Rig) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(PATIENCE)
    made.connect(rig.ready["socket"])
    return made


def framed(fields: Json) -> bytes:
    payload = json.dumps(fields).encode()
    return struct.pack("<I", len(payload)) + payload


def receive(peer: socket.socket) -> Json:
    data = b""
    while len(data) < 4 or len(data) < 4 + struct.unpack("<I", data[:4])[0]:
        piece = peer.recv(65_536)
        if not piece:
            raise AssertionError(f"closed after {data!r}")
        data += piece
    return json.loads(data[4:])


def exchange(rig: Rig, payload: bytes) -> Json:
    with connect(rig) as peer:
        peer.sendall(struct.pack("<I", len(payload)) + payload)
        return receive(peer)


def request(rig: Rig, **fields: object) -> Json:
    return exchange(rig, json.dumps(fields).encode())


def host_token(rig: Rig) -> str:
    return json.loads((rig.home / "run" / "broker.json").read_text())["token"]


class Guest:
    """An outside session with its lease, by the bare socket. Leaving the context ends the lease."""

    def __init__(self, rig: Rig, name: str = "bare", cwd: str | None = None, session_id: str | None = None) -> None:
        self._rig = rig
        self._lease = connect(rig)
        client: Json = {"name": name, "pid": os.getpid(), "cwd": cwd or str(rig.folder)}
        if session_id is not None:
            client["session_id"] = session_id
        self._lease.sendall(framed({"kind": "hello", "v": 1, "token": host_token(rig), "client": client}))
        outcome = receive(self._lease)["outcome"]
        self.token: str = outcome["session_token"]
        self.id: str = outcome["parent_connection_id"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lease.close()

    def begin(self, kind: str, **fields: Any) -> socket.socket:
        """Send a request and give its connection."""
        peer = connect(self._rig)
        peer.sendall(framed({"kind": kind, "v": 1, "token": self.token, **fields}))
        return peer

    def send(self, kind: str, **fields: Any) -> Json:
        """The whole response."""
        with self.begin(kind, **fields) as peer:
            return receive(peer)

    def ask(self, kind: str, **fields: Any) -> Any:
        """The outcome."""
        answer = self.send(kind, **fields)
        assert "outcome" in answer, answer
        return answer["outcome"]

    def begin_call(self, handle: str, agent: str, task: str, **more: Any) -> socket.socket:
        arguments = {"agent_type": agent, "task": task, **more}
        return self.begin(
            "call", parent_connection_id=self.id, parent_tool_use_id="", external_handle=handle, input=arguments
        )

    def call(self, handle: str, agent: str, task: str, **more: Any) -> Json:
        with self.begin_call(handle, agent, task, **more) as peer:
            return receive(peer)["outcome"]

    def report(self, task_id: str, **more: Any) -> Json:
        return self.ask("status", task_ids=[task_id], **more)["tasks"][0]

    def end_of(self, task_id: str) -> Json:
        """Wait for the end of a task."""
        for _ in range(100):
            report = self.report(task_id, wait_ms=1_000)
            if report["status"] not in {"queued", "running"}:
                return report
        raise AssertionError(f"{task_id} does not end: {self.report(task_id)}")
