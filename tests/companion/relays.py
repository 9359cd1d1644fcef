"""A relay with everything around it but a process: connections and time are the test's."""

import json
import os
import socket
from collections.abc import Callable
from typing import Any

import jsonschema

from codeg.wire import discovery, frames, models, requests
from codeg.wire.discovery import Discovery
from codeg.wire.places import Places
from companion import schema
from companion.link import Link
from companion.options import Options
from companion.switchboard import Switchboard
from companion.timers import Timers
from tests.companion.cores import Bench

OUTPUT = {tool["name"]: tool["outputSchema"] for tool in schema.load()}
RUNNING = {"task_id": "codex-x-1", "status": "running", "agent_type": "codex"}
DONE = {"task_id": "codex-x-1", "status": "completed", "text": "done", "text_bytes": 4}
QUESTIONS = [{"question": "Which?", "header": "Choice", "options": [{"label": "a"}, {"label": "b"}]}]


class FakeConnection:
    """One request that the test answers. Keeps the promises of `connections`: nothing comes after `close`."""

    def __init__(
        self, path: str, frame: bytes, done: Callable[[bytes], None], failed: Callable[[bool, str], None]
    ) -> None:
        payload = frames.FrameReader().feed(frame)
        assert payload is not None
        models.parse_request(payload)
        self.path = path
        self.request: dict[str, Any] = json.loads(payload)
        self.sent = True
        self.lost: Callable[[], None] | None = None
        self.closed = False
        self._done = done
        self._failed = failed

    @property
    def kind(self) -> str:
        return self.request["kind"]

    def close(self) -> None:
        self.closed = True

    def reply(self, outcome: Any) -> None:
        assert not self.closed
        self._done(json.dumps(requests.outcome(outcome)).encode())

    def answer(self, payload: bytes) -> None:
        assert not self.closed
        self._done(payload)

    def refuse(self, code: str, message: str = "no") -> None:
        assert not self.closed
        self._done(json.dumps(requests.refusal(code, message)).encode())

    def fail(self, sent: bool, reason: str = "Connection refused") -> None:
        assert not self.closed
        self.sent = sent
        self._failed(sent, reason)


class Rig:
    """Core, relay and link as in the process; connections and time are the test's."""

    def __init__(self, place: Places, options: Options, environment: dict[str, str]) -> None:
        self.place = place
        self.bench = Bench()
        self.timers = Timers(100.0)
        self.opened: list[FakeConnection] = []
        link = Link(options, environment, os.getuid())
        self.relay = Switchboard(self.bench.core, link, self, self.timers, environment)

    def open(self, path: str, frame: bytes, done: Any, failed: Any, keep: bool = False) -> FakeConnection:
        assert keep == (b'"kind":"hello"' in frame)
        self.opened.append(FakeConnection(path, frame, done, failed))
        return self.opened[-1]

    def call(self, tool: str, arguments: Any, call_id: Any = 1, **meta: Any) -> None:
        params = {"name": tool, "arguments": arguments, "_meta": meta}
        assert self.bench.request(call_id, "tools/call", params) == []
        self.relay.start(self.bench.core.started.pop())

    def cancel(self, call_id: Any) -> None:
        self.bench.notify("notifications/cancelled", {"requestId": call_id})
        self.relay.drop(self.bench.core.dropped.pop())

    def pass_time(self, seconds: float) -> None:
        self.timers.run(self.timers.now + seconds)
        self.timers.run(self.timers.now)

    def open_now(self) -> list[FakeConnection]:
        return [connection for connection in self.opened if not connection.closed]

    def last(self, kind: str) -> FakeConnection:
        connection = self.opened[-1]
        assert connection.kind == kind
        return connection

    def result(self, call_id: Any = 1) -> dict[str, Any]:
        (answer,) = [item for item in self.bench.written() if item.get("id") == call_id]
        return answer["result"]

    def written(self) -> list[Any]:
        return self.bench.written()


def bind(place: Places) -> socket.socket:
    os.makedirs(place.run, mode=0o700)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(place.socket)
    os.chmod(place.socket, 0o600)
    record = Discovery(os.getpid(), place.socket, "broker-token", "0.1.0", "2026-11-30T00:00:00.000Z")
    write(place.discovery, discovery.dump(record))
    return listener


def write(path: str, content: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(content)


def structured(result: dict[str, Any], tool: str) -> dict[str, Any]:
    jsonschema.validate(result["structuredContent"], OUTPUT[tool])
    assert [block["type"] for block in result["content"]] == ["text"]
    return result["structuredContent"]


def status(rig: Rig, **more: Any) -> None:
    rig.call("get_delegation_status", {"task_ids": ["codex-x-1"], **more})
