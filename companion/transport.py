"""Connections to the host on Unix: one request and one response each, never blocking (contract 5).

Owns the sockets and the poll set; never knows what a request means. Before the first byte leaves, the peer's uid is
compared with ours (contract 4). Each exchange ends exactly once: by `done(payload)`, by `failed(sent, reason)`, or by
`close`, after which neither comes. Keeps the promises of `connections`.
"""

from __future__ import annotations

import select
import sys

from codeg.wire.frames import FrameReader, FrameTooLarge

try:
    import _socket as socket  # the C module: the wrapper around it costs more than the rest of the start (speed 2.1)
except ImportError:
    import socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from companion.timers import Timer, Timers

READ_SIZE: Final = 65_536
CONNECT_S: Final = 0.9
"""Seconds for a host whose queue of connections is full: tried twice, a call still answers within 2 s (contract 4)."""
RETRY_S: Final = 0.02
_BROKEN: Final = select.POLLERR | select.POLLHUP | select.POLLNVAL


class Poller:
    """Descriptors and who handles them. While output is stuck, only the `calm` ones are watched."""

    def __init__(self) -> None:
        self._all = select.poll()
        self._calm = select.poll()
        self._handlers: dict[int, Callable[[int], None]] = {}

    def watch(self, fd: int, mask: int, handler: Callable[[int], None], calm: int = -1) -> None:
        """Watches `fd`, or changes what for. `calm`: the mask while output is stuck; -1 = not watched then."""
        self._all.register(fd, mask)
        if calm >= 0:
            self._calm.register(fd, calm)
        self._handlers[fd] = handler

    def forget(self, fd: int) -> None:
        """Stops watching; unknown descriptors are fine."""
        if self._handlers.pop(fd, None) is not None:
            self._all.unregister(fd)
            self.forget_calm(fd)

    def forget_calm(self, fd: int) -> None:
        """Stops watching while output is stuck."""
        try:
            self._calm.unregister(fd)
        except KeyError:
            return

    def turn(self, wait_s: float | None, calm: bool) -> None:
        """Waits for readiness, for `wait_s` seconds at most, and calls the handlers with their masks."""
        limit = None if wait_s is None else min(int(wait_s * 1000) + (wait_s > 0), 2**31 - 1)
        for fd, mask in (self._calm if calm else self._all).poll(limit):
            handler = self._handlers.get(fd)
            if handler is not None:
                handler(mask)


class Exchange:
    """One connection. `keep`: it stays open behind its response, as a lease, and `lost` tells when it ends."""

    __slots__ = (
        "_done",
        "_failed",
        "_frame",
        "_give_up",
        "_keep",
        "_path",
        "_poller",
        "_reader",
        "_sock",
        "_timer",
        "_timers",
        "_uid",
        "_unwanted",
        "lost",
        "sent",
    )

    def __init__(
        self,
        transport: Transport,
        path: str,
        frame: bytes,
        done: Callable[[bytes], None],
        failed: Callable[[bool, str], None],
        *,
        keep: bool,
    ) -> None:
        self._poller = transport.poller
        self._timers = transport.timers
        self._uid = transport.uid
        self._path = path
        self._frame = memoryview(frame)
        self._done = done
        self._failed = failed
        self._keep = keep
        self._reader: FrameReader | None = FrameReader()
        self._sock: socket.socket | None = None
        self._timer: Timer | None = None
        self._give_up = self._timers.now + CONNECT_S
        self._unwanted = False
        self.lost: Callable[[], None] | None = None
        self.sent = False
        self._connect()

    def close(self) -> None:
        """Ends it silently."""
        self._unwanted = True
        self._shut()

    def _shut(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        sock, self._sock = self._sock, None
        if sock is not None:
            self._poller.forget(sock.fileno())
            sock.close()
        self._reader = None

    def _connect(self) -> None:
        self._timer = None
        try:
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0)
            self._sock = sock
            sock.setblocking(False)
            sock.connect(self._path)
        except BlockingIOError:
            # A live listener with a full queue says EAGAIN; a dead one refuses.
            self._later()
        except OSError as error:
            self._fail(error.strerror or "the connection was refused")
        else:
            if _peer_uid(sock) != self._uid:
                self._fail("the socket belongs to another user's process; nothing was sent")
            else:
                self._ready(0)

    def _later(self) -> None:
        sock, self._sock = self._sock, None
        if sock is not None:
            sock.close()
        if self._timers.now >= self._give_up:
            self._fail("the host takes no connections")
        else:
            self._timer = self._timers.after(RETRY_S, self._connect)

    def _ready(self, mask: int) -> None:
        sock = self._sock
        if sock is None:
            return
        try:
            if self._frame:
                self._send(sock)
            elif self._reader is None:
                self._watch_lease(sock)
            else:
                self._receive(sock, mask)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._fail(error.strerror or "the connection broke")

    def _send(self, sock: socket.socket) -> None:
        try:
            count = sock.send(self._frame)
        except BlockingIOError:
            count = 0
        except OSError:
            # A host that refuses early answers before it has read everything: what it says is behind the broken pipe.
            count = len(self._frame)
        self.sent = self.sent or count > 0
        self._frame = self._frame[count:]
        self._poller.watch(sock.fileno(), select.POLLOUT if self._frame else select.POLLIN, self._ready)

    def _receive(self, sock: socket.socket, mask: int) -> None:
        reader = self._reader
        if reader is None:
            return
        data = sock.recv(READ_SIZE)
        try:
            payload = reader.feed(data) if data else None
        except FrameTooLarge:
            self._fail("its answer is larger than 16 MiB")
            return
        if payload is not None:
            self._reader = None
            if self._keep:
                self._poller.watch(sock.fileno(), select.POLLIN, self._ready, calm=select.POLLIN)
            else:
                self._shut()
            self._done(payload)
        elif not data or mask & select.POLLNVAL:
            self._fail("the host closed the connection")

    def _watch_lease(self, sock: socket.socket) -> None:
        if not sock.recv(READ_SIZE):
            self._fail("the host closed the connection")

    def _fail(self, reason: str) -> None:
        """Tells it in the next turn: the caller may still be setting things up in this one."""
        answered = self._reader is None
        self._shut()
        self._timers.soon(lambda: self._tell(answered, reason))

    def _tell(self, answered: bool, reason: str) -> None:
        if self._unwanted:
            return
        if not answered:
            self._failed(self.sent, reason)
        elif self.lost is not None:
            self.lost()


class Transport:
    """Opens exchanges for one loop."""

    __slots__ = ("poller", "timers", "uid")

    def __init__(self, poller: Poller, timers: Timers, uid: int) -> None:
        self.poller = poller
        self.timers = timers
        self.uid = uid

    def open(
        self,
        path: str,
        frame: bytes,
        done: Callable[[bytes], None],
        failed: Callable[[bool, str], None],
        keep: bool = False,
    ) -> Exchange:
        """Sends one frame to the host at `path`; see `connections.Opener`."""
        return Exchange(self, path, frame, done, failed, keep=keep)


def _peer_uid(sock: socket.socket) -> int:
    """The uid of the process that listens there, as the kernel tells it; -1 when it cannot be told."""
    if sys.platform == "linux":
        found = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        return int.from_bytes(found[4:8], sys.byteorder)
    # macOS and the BSDs: LOCAL_PEERCRED at SOL_LOCAL gives a struct xucred {u_int version; uid_t uid; ...}.
    found = sock.getsockopt(0, 1, 76)
    return int.from_bytes(found[4:8], sys.byteorder)
