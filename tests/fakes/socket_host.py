"""A host that speaks the socket protocol (contract 5) and nothing else: what it answers, the test says.

One thread owns all connections. Requests are read by the same strict models as in the real host. A kind with a handler is answered at once; any
other waits in a queue until the test takes and answers it. Ends with `close()`, which joins the thread and closes every connection.
"""

from __future__ import annotations

import contextlib
import os
import queue
import selectors
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from typing import Any, Self

from codeg.wire import discovery, frames, models, requests
from codeg.wire.discovery import Discovery
from codeg.wire.places import places

Handler = Callable[[dict[str, Any]], Any]
BROKER_TOKEN = "broker-token"
WITHIN_S = 5.0


class Refused(Exception):
    """Raised by a handler: answered as an error frame."""

    def __init__(self, code: str, message: str = "refused by the test") -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Pending:
    """One request that waits for the test. `closed` is set when the peer closes or half-closes."""

    def __init__(self, host: SocketHost, connection: socket.socket, request: dict[str, Any]) -> None:
        self._host = host
        self._connection = connection
        self.request = request
        self.closed = threading.Event()

    def reply(self, outcome: Any) -> None:
        """Answers and closes."""
        self._host.post(self._connection, frames.encode(requests.outcome(outcome)))

    def refuse(self, code: str, message: str = "refused by the test") -> None:
        """Answers with an error frame and closes."""
        self._host.post(self._connection, frames.encode(requests.refusal(code, message)))

    def send(self, data: bytes) -> None:
        """Writes raw bytes and closes."""
        self._host.post(self._connection, data)

    def drop(self) -> None:
        """Closes without an answer."""
        self._host.post(self._connection, b"")


class SocketHost:
    """A listener with `broker.json` in `home`/run. `tokens`: session token -> parent id."""

    def __init__(self, home: str, agents: tuple[str, ...] = ("codex", "demo")) -> None:
        self.place = places(home, "", os.getuid())
        self.agents = list(agents)
        self.groups = ["delegation", "ask", "feedback"]
        self.tokens: dict[str, str] = {}
        self.handlers: dict[str, Handler] = {"hello": self._hello, "catalog": self._catalog}
        self.seen: list[dict[str, Any]] = []
        self._leases: list[socket.socket] = []
        self._pending: queue.Queue[Pending] = queue.Queue()
        self._set_aside: list[Pending] = []
        self._readers: dict[socket.socket, frames.FrameReader] = {}
        self._open: dict[socket.socket, Pending] = {}
        self._posted: queue.Queue[tuple[socket.socket, bytes]] = queue.Queue()
        self._selector = selectors.DefaultSelector()
        self._wake_reader, self._wake_writer = os.pipe()
        os.makedirs(self.place.tokens, mode=0o700, exist_ok=True)
        os.chmod(self.place.run, 0o700)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.place.socket)
        os.chmod(self.place.socket, 0o600)
        self._listener.listen(512)
        self.write_discovery()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(self._wake_reader, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name="socket-host")
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # What tests do.

    def write_discovery(self, token: str = BROKER_TOKEN) -> None:
        """Writes `broker.json`; `token` opens `hello`."""
        self.broker_token = token
        record = Discovery(os.getpid(), self.place.socket, token, "0.1.0", "2026-11-30T00:00:00.000Z")
        fd = os.open(self.place.discovery, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(discovery.dump(record))

    def inject(self, token: str = "session-token", parent: str = "parent-1") -> list[str]:
        """The flags of an injected companion, its token in a file."""
        self.tokens[token] = parent
        path = os.path.join(self.place.tokens, "one")
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(fd, "w") as file:
            file.write(token)
        return ["--socket-path", self.place.socket, "--token-file", path, "--parent-connection-id", parent]

    def on(self, kind: str, handler: Handler) -> None:
        """Answers this kind by a function of the request."""
        self.handlers[kind] = handler

    def take(self, kind: str, within: float = WITHIN_S) -> Pending:
        """The next waiting request of a kind; others are set aside.

        Raises:
            queue.Empty: none came.
        """
        for at, pending in enumerate(self._set_aside):
            if pending.request["kind"] == kind:
                return self._set_aside.pop(at)
        while True:
            pending = self._pending.get(timeout=within)
            if pending.request["kind"] == kind:
                return pending
            self._set_aside.append(pending)

    def kinds(self) -> list[str]:
        """The kinds of all requests so far, in order."""
        return [request["kind"] for request in self.seen]

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        """All requests of a kind so far."""
        return [request for request in self.seen if request["kind"] == kind]

    def end_leases(self) -> None:
        """As a host that restarts: its session tokens die, their leases close."""
        self.tokens.clear()
        for lease in list(self._leases):
            self.post(lease, b"")
        self._leases.clear()

    def post(self, connection: socket.socket, data: bytes) -> None:
        """Hands bytes to the owning thread, which writes them and closes."""
        self._posted.put((connection, data))
        os.write(self._wake_writer, b"x")

    def close(self) -> None:
        """Stops listening, closes everything, joins."""
        if self._thread.is_alive():
            self._posted.put((self._listener, b""))
            os.write(self._wake_writer, b"x")
            self._thread.join(WITHIN_S)
            assert not self._thread.is_alive(), "the host's thread hangs"
            os.close(self._wake_reader)
            os.close(self._wake_writer)
            for path in (self.place.socket, self.place.discovery):
                if os.path.lexists(path):
                    os.unlink(path)

    # What the thread does.

    def _run(self) -> None:
        alive = True
        while alive:
            for key, _ in self._selector.select():
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fd == self._wake_reader:
                    os.read(self._wake_reader, 4096)
                    alive = self._write_posted()
                elif isinstance(key.fileobj, socket.socket):
                    self._read(key.fileobj)
        for fileobj in [key.fileobj for key in self._selector.get_map().values()]:
            if isinstance(fileobj, socket.socket):
                fileobj.close()
        self._listener.close()
        self._selector.close()

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        cred = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        assert struct.unpack("3i", cred)[1] == os.getuid()
        self._readers[connection] = frames.FrameReader()
        self._selector.register(connection, selectors.EVENT_READ)

    def _read(self, connection: socket.socket) -> None:
        if connection.fileno() < 0:  # closed by an answer in this same round
            return
        try:
            data = connection.recv(65_536)
        except OSError:
            data = b""
        if not data:
            self._forget(connection)
            return
        payload = self._readers[connection].feed(data) if connection in self._readers else None
        if payload is not None:
            del self._readers[connection]
            self._serve(connection, payload)

    def _serve(self, connection: socket.socket, payload: bytes) -> None:
        try:
            request = models.decode_request(payload)
            self.seen.append(request)
            models.parse_request(payload)
            self._judge(request)
            handler = self.handlers.get(request["kind"])
            if handler is None:
                pending = self._open[connection] = Pending(self, connection, request)
                self._pending.put(pending)
                return
            answer = requests.outcome(handler(request))
        except (Refused, models.WireFault) as error:
            answer = requests.refusal(error.code, error.message)
            _send(connection, frames.encode(answer))
            self._forget(connection)
            return
        _send(connection, frames.encode(answer))
        if request["kind"] == "hello":
            self._leases.append(connection)
        else:
            self._forget(connection)

    def _judge(self, request: Mapping[str, Any]) -> None:
        token = request["token"]
        if token not in (*self.tokens, self.broker_token):
            raise Refused("not_authorized")
        if request["kind"] == "call" and request["parent_connection_id"] != self.tokens.get(token):
            raise Refused("not_authorized")

    def _write_posted(self) -> bool:
        while not self._posted.empty():
            connection, data = self._posted.get()
            if connection is self._listener:
                return False
            if connection.fileno() >= 0:
                if data:
                    _send(connection, data)
                self._forget(connection)
        return True

    def _forget(self, connection: socket.socket) -> None:
        pending = self._open.pop(connection, None)
        self._readers.pop(connection, None)
        self._selector.unregister(connection)
        connection.close()
        if pending is not None:
            pending.closed.set()

    def _hello(self, request: Mapping[str, Any]) -> dict[str, str]:
        if request["token"] != self.broker_token:
            raise Refused("not_authorized")
        token = f"outside-{len(self.of_kind('hello'))}"
        self.tokens[token] = f"parent-of-{token}"
        return {"session_token": token, "parent_connection_id": self.tokens[token]}

    def _catalog(self, _request: Mapping[str, Any]) -> dict[str, Any]:
        return {"agents": self.agents, "groups": self.groups}


def _send(connection: socket.socket, data: bytes) -> None:
    """A peer that has gone meanwhile gets nothing, and the host stays up."""
    with contextlib.suppress(OSError):
        connection.sendall(data)
