"""The server of the scripted model: one port on loopback for all four dialects.

Owns its threads, its connections and the record of every request; leaving its context ends them all. It never answers
by time: what is late waits for a gate that the test opens.
"""

import contextlib
import gzip
import json
import socket
import sys
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.realclients.model.anthropic import Anthropic
from tests.realclients.model.chat import Chat
from tests.realclients.model.dialect import Dialect, Told
from tests.realclients.model.gemini import SIDE_ANSWER, Gemini
from tests.realclients.model.responses import Responses
from tests.realclients.model.script import Conversation, Json, Script, Seen, Turn, chosen, resolved, say
from tests.support import until

PING_S = 0.1
PATIENCE = 120.0
"""Seconds that a wait for a real program may take on a loaded machine."""
_SECRET_HEADERS = frozenset({"authorization", "x-api-key", "x-goog-api-key"})
_ENDINGS: Mapping[str, Dialect] = {
    "/responses": Responses(),
    "/chat/completions": Chat(),
    "/messages": Anthropic(),
    "generateContent": Gemini(),
    "streamGenerateContent": Gemini(),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of a program. `script`: "" where its prompt names none."""

    path: str
    headers: Mapping[str, str]
    body: Json
    script: str
    conversation: Conversation
    seen: Seen
    turn: Turn

    @property
    def offered(self) -> tuple[str, ...]:
        """Whole names of the tools on offer."""
        return tuple(tool.full for tool in self.conversation.tools)


@dataclass
class _State:
    scripts: dict[str, Script] = field(default_factory=dict[str, Script])
    asked: list[Asked] = field(default_factory=list[Asked])
    waiting: list[str] = field(default_factory=list[str])
    dropped: list[str] = field(default_factory=list[str])
    failures: list[str] = field(default_factory=list[str])
    gates: dict[str, threading.Event] = field(default_factory=dict[str, threading.Event])
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)

    def gate(self, name: str) -> threading.Event:
        with self.lock:
            return self.gates.setdefault(name, threading.Event())


class Model:
    """A running server. Use it as a context."""

    def __init__(self) -> None:
        self._state = _State()
        self._server = _Server(self._state)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self.port: int = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._state.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.cut()
        self._server.server_close()

    def script(self, name: str, script: Script) -> None:
        """What a prompt with `marked(name)` gets."""
        self._state.scripts[name] = script

    def asked(self, script: str | None = None) -> list[Asked]:
        """All requests so far, oldest first; None = also those of no script."""
        with self._state.lock:
            return [each for each in self._state.asked if script is None or each.script == script]

    def results(self, script: str) -> tuple[str, ...]:
        """The texts of tool results that the model has been shown, oldest first."""
        return max((each.seen.results for each in self.asked(script)), key=len, default=())

    def release(self, gate: str) -> None:
        """Open a gate for good; it may be opened before anybody comes."""
        self._state.gate(gate).set()

    def reached(self, gate: str) -> None:
        """Wait until a request stands at the gate."""
        until(lambda: gate in self._state.waiting, f"a request at the gate {gate}", PATIENCE)

    @property
    def failures(self) -> list[str]:
        """What went wrong in scripts; their requests were answered with status 500."""
        return self._state.failures

    def dropped(self, script: str) -> int:
        """How many answers of a script the program did not wait for."""
        with self._state.lock:
            return self._state.dropped.count(script)


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True
    request_queue_size = 64

    def __init__(self, state: _State) -> None:
        self.state = state
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self.state.lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self.state.lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def cut(self) -> None:
        """Wake the threads that read from connections which their clients keep open."""
        with self.state.lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients come and go; anything else is a fault of ours."""
        if not isinstance(sys.exception(), ConnectionError):
            self.state.failures.append(traceback.format_exc())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _state(self) -> _State:
        assert isinstance(self.server, _Server)
        return self.server.state

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class calls it so
        """Nothing is printed."""

    def do_HEAD(self) -> None:
        self._json({})

    def do_GET(self) -> None:
        if self._place().endswith("/models"):
            known = {"object": "model", "type": "model", "created": 1, "owned_by": "scripted"}
            self._json({"object": "list", "data": [{"id": "scripted", **known}], "models": []})
        else:
            self._json({"error": {"message": "not found", "type": "not_found_error"}}, 404)

    def do_POST(self) -> None:
        place, raw = self._place(), self._body()
        if place.endswith(("/count_tokens", ":countTokens")):
            self._json({"input_tokens": 100, "totalTokens": 100})
            return
        dialect = next((found for ending, found in _ENDINGS.items() if place.endswith(ending)), None)
        if dialect is None:
            self._json({"error": {"message": "not found", "type": "not_found_error"}}, 404)
            return
        self._answer(dialect, json.loads(raw or b"{}"))

    def _answer(self, dialect: Dialect, body: Json) -> None:
        conversation = dialect.read(body)
        if ":stream" in self.path:
            conversation = replace(conversation, stream=True)
        state = self._state
        name, seen = chosen(conversation, state.scripts)
        turn = _turn(state, name, seen, conversation)
        headers = {key: value for key, value in self.headers.items() if key.lower() not in _SECRET_HEADERS}
        with state.lock:
            state.asked.append(Asked(self.path, headers, body, name, conversation, seen, turn))
        try:
            self._carry_out(dialect, conversation, turn, seen)
        except (BrokenPipeError, ConnectionResetError):
            with state.lock:
                state.dropped.append(name)

    def _carry_out(self, dialect: Dialect, conversation: Conversation, turn: Turn, seen: Seen) -> None:
        if turn.gate and not self._wait(turn.gate, b""):
            self.close_connection = True
            return
        if turn.status != 200:
            error = {"type": "api_error", "message": "scripted error"}
            self._json({"type": "error", "error": error}, turn.status)
            return
        calls = tuple((resolved(each, conversation.tools), each.arguments) for each in turn.calls)
        told = Told(conversation.model, turn.text.replace("{result}", seen.last), turn.thought, calls)
        if not conversation.stream:
            self._json(dialect.whole(told))
            return
        self._open_stream()
        self._send(dialect.opening(told))
        if turn.hang and not self._wait(turn.hang, dialect.ping(told)):
            return
        for piece in dialect.rest(told):
            self._send(piece)

    def _wait(self, gate: str, ping: bytes) -> bool:
        """Until the gate is open; False when the server ends first.

        Raises:
            BrokenPipeError: the client left meanwhile.
        """
        state = self._state
        opened = state.gate(gate)
        state.waiting.append(gate)
        try:
            while not opened.wait(PING_S):
                if state.closing.is_set():
                    return False
                if ping:
                    self._send(ping)
                elif self._left():
                    raise BrokenPipeError
            return True
        finally:
            state.waiting.remove(gate)

    def _left(self) -> bool:
        try:
            return self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False

    def _place(self) -> str:
        return self.path.split("?")[0]

    def _body(self) -> bytes:
        raw = self._chunks() if "chunked" in self.headers.get("transfer-encoding", "").lower() else self._counted()
        return gzip.decompress(raw) if "gzip" in self.headers.get("content-encoding", "").lower() else raw

    def _counted(self) -> bytes:
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def _chunks(self) -> bytes:
        raw = b""
        while size := int(self.rfile.readline().split(b";")[0].strip() or b"0", 16):
            raw += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return raw

    def _json(self, value: Json, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self._send(data)

    def _open_stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("cache-control", "no-cache")
        self.send_header("connection", "close")
        self.end_headers()

    def _send(self, data: bytes) -> None:
        self.wfile.write(data)
        self.wfile.flush()


def _turn(state: _State, name: str, seen: Seen, conversation: Conversation) -> Turn:
    if conversation.schema_only:
        return say(SIDE_ANSWER)
    if not name:
        return say("There is no script for this.")
    if not conversation.tools:
        # A title, a summary: a request beside the conversation.
        return say("A scripted title")
    try:
        return state.scripts[name](seen)
    except Exception:
        state.failures.append(f"{name}: {traceback.format_exc()}")
        return Turn(status=500)
