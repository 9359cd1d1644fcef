"""The Unix socket behind the promise of `transport`.

Owns the accepting of connections on a listening socket that was handed over, and their asyncio transports. It never
binds, never removes the socket's file and judges no peer. Ends by `close`; open connections belong to their
receivers.
"""

import asyncio
import select
import socket
from collections.abc import Callable
from typing import Any, cast

from codeg.runtime.peers import Peer, unix_peer
from codeg.runtime.transport import Receiver

BACKLOG = 4096
"""Connections that may wait to be accepted; 100 lost two in three under load (reference figures, traps)."""

NOBODY = Peer(0, -1)
"""A peer whose credentials the system would not tell: no user has this uid."""


class UnixServer:
    """Keeps `transport.Server` over a bound socket."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self._server: asyncio.Server | None = None

    async def open(self, receiver: Callable[[], Receiver]) -> None:
        """Accept from now on.

        Raises:
            OSError: the socket cannot listen.
        """
        loop = asyncio.get_running_loop()
        self._listening.setblocking(False)
        self._server = await loop.create_unix_server(
            lambda: _UnixProtocol(receiver()), sock=self._listening, backlog=BACKLOG
        )

    async def close(self) -> None:
        """Accept no more."""
        if self._server is not None:
            self._server.close()
            self._server = None


class _UnixProtocol(asyncio.Protocol):
    """Between asyncio and a receiver."""

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        carrier = cast("asyncio.Transport", transport)
        carrier.set_write_buffer_limits(high=0)
        self._receiver.connected(UnixStream(carrier))

    def data_received(self, data: bytes) -> None:
        self._receiver.received(data)

    def eof_received(self) -> bool:
        self._receiver.ended()
        return True

    def resume_writing(self) -> None:
        self._receiver.flushed()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        self._receiver.lost()


class UnixStream:
    """Keeps `transport.Stream` over an asyncio transport."""

    def __init__(self, carrier: asyncio.Transport) -> None:
        self._carrier = carrier
        self._broken = False
        try:
            self._peer = unix_peer(self._socket())
        except OSError:
            self._peer = NOBODY

    @property
    def peer(self) -> Peer:
        """Who connected."""
        return self._peer

    @property
    def unwritten(self) -> int:
        """Bytes that the system has not taken yet."""
        return self._carrier.get_write_buffer_size()

    @property
    def broken(self) -> bool:
        """A write failed, or the connection was aborted."""
        return self._broken

    def write(self, data: bytes) -> None:
        """Write now what the system takes; the rest is kept until it takes it."""
        if self._carrier.is_closing():
            self._broken = True
            return
        self._carrier.write(data)
        self._broken = self._carrier.is_closing()

    def end_writing(self) -> None:
        """Half-close, once all is written."""
        if not self._carrier.is_closing():
            self._carrier.write_eof()

    def finish(self) -> None:
        """Close once all is written."""
        self._carrier.close()

    def abort(self) -> None:
        """Close now."""
        self._broken = True
        self._carrier.abort()

    def hung_up(self) -> bool:
        """Both directions are closed: a half-close is told apart by the poll flag alone."""
        poll = select.poll()
        poll.register(self._socket().fileno(), 0)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))

    def _socket(self) -> socket.socket:
        carried: Any = self._carrier.get_extra_info("socket")
        # asyncio hands out a wrapper that lacks nothing of what is needed here.
        return cast("socket.socket", carried)
