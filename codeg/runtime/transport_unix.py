"""The Unix socket behind the promise of `transport`.

Owns the accepting of connections on a listening socket that was handed over. It never binds, never removes the socket's
file and judges no peer. Ends by `close`; open connections belong to their receivers.
"""

import asyncio
import select
import socket
import sys
from collections.abc import Callable
from typing import Any, cast

from codeg.runtime.carried import Bridge, CarriedStream
from codeg.runtime.peers import Peer, unix_peer
from codeg.runtime.transport import Receiver

assert sys.platform != "win32"

BACKLOG = 4096
"""Connections that may wait to be accepted; 100 lost two in three under load."""

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
            lambda: Bridge(receiver(), UnixStream), sock=self._listening, backlog=BACKLOG
        )

    async def close(self) -> None:
        """Accept no more."""
        if self._server is not None:
            self._server.close()
            self._server = None


class UnixStream(CarriedStream):
    """Keeps `transport.Stream` over a Unix socket."""

    def __init__(self, carrier: asyncio.Transport) -> None:
        carried: Any = carrier.get_extra_info("socket")
        # asyncio hands out a wrapper that has all that is needed here.
        self._socket = cast("socket.socket", carried)
        try:
            peer = unix_peer(self._socket)
        except OSError:
            peer = NOBODY
        super().__init__(carrier, peer)

    def end_writing(self) -> None:
        """Half-close, once all is written."""
        if not self._carrier.is_closing():
            self._carrier.write_eof()

    def hung_up(self) -> bool:
        """Both directions are closed: a half-close is told apart by the poll flag alone."""
        poll = select.poll()
        poll.register(self._socket.fileno(), 0)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))
