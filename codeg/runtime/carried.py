"""Connections that asyncio carries, behind the promise of `transport`: what the Unix socket and the named pipe share.

Owns the bridge from asyncio's callbacks to a receiver and the way out for bytes. How a peer is known and what the end
of its bytes means differs by transport and is theirs.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import cast

from codeg.runtime.peers import Peer
from codeg.runtime.transport import Receiver


class CarriedStream(ABC):
    """Keeps `transport.Stream` over an asyncio transport."""

    def __init__(self, carrier: asyncio.Transport, peer: Peer) -> None:
        self._carrier = carrier
        self._peer = peer
        self._broken = False
        self._over = False
        # Any byte that the system has not taken counts, so that `flushed` is told when none is left.
        carrier.set_write_buffer_limits(high=0)

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

    @property
    def over(self) -> bool:
        """The transport has closed; nothing more is told."""
        return self._over

    def write(self, data: bytes) -> None:
        """Write now what the system takes; the rest is kept until it takes it."""
        if not self._carrier.is_closing():
            self._carrier.write(data)
        self._broken = self._carrier.is_closing()

    def finish(self) -> None:
        """Close once all is written."""
        self._carrier.close()

    def abort(self) -> None:
        """Close now."""
        self._broken = True
        # asyncio raises when a transport is aborted that has closed by itself.
        if not self._over:
            self._carrier.abort()

    def lost(self) -> None:
        """The transport has closed."""
        self._broken = self._over = True

    @abstractmethod
    def end_writing(self) -> None:
        """Tell the peer that nothing more comes, once all is written."""

    @abstractmethod
    def hung_up(self) -> bool:
        """After the end of its bytes: the peer has closed altogether."""


class Bridge(asyncio.Protocol):
    """Between asyncio and a receiver. `stream_of` makes the stream of a new connection."""

    def __init__(self, receiver: Receiver, stream_of: Callable[[asyncio.Transport], CarriedStream]) -> None:
        self._receiver = receiver
        self._stream_of = stream_of
        self._stream: CarriedStream | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A peer is there; reading begins after this."""
        self._stream = self._stream_of(cast("asyncio.Transport", transport))
        self._receiver.connected(self._stream)

    def data_received(self, data: bytes) -> None:
        """Bytes came."""
        self._receiver.received(data)

    def eof_received(self) -> bool:
        """The peer sends no more; the receiver decides when to close."""
        self._receiver.ended()
        return True

    def resume_writing(self) -> None:
        """Everything written has been taken. Told a turn later: asyncio is in mid-write."""
        asyncio.get_running_loop().call_soon(self._flushed)

    def _flushed(self) -> None:
        if self._stream is not None and not self._stream.over:
            self._receiver.flushed()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """It is over, for whatever reason."""
        if self._stream is not None:
            self._stream.lost()
        self._receiver.lost()
