"""The promise of a byte transport: what the doors need of a connection, whatever carries it.

Owns interfaces only. Two keep it: the Unix socket (`transport_unix`) and the Windows named pipe (`pipe_windows`); one
contract suite holds both. All calls are made on the event loop's thread and none of them blocks.
"""

from collections.abc import Callable
from typing import Protocol

from codeg.runtime.peers import Peer


class Stream(Protocol):
    """One connection, as its receiver writes to it."""

    @property
    def peer(self) -> Peer:
        """Who connected."""
        ...

    @property
    def unwritten(self) -> int:
        """Bytes handed over by `write` that the system has not taken yet."""
        ...

    @property
    def broken(self) -> bool:
        """Nothing can be written any more; what was not written never will be."""
        ...

    def write(self, data: bytes) -> None:
        """Write now what the system takes, the rest as it takes it."""
        ...

    def end_writing(self) -> None:
        """Tell the peer that nothing more comes, once all is written; reading goes on where half-closes exist."""
        ...

    def finish(self) -> None:
        """Close once all is written. Further calls do nothing."""
        ...

    def abort(self) -> None:
        """Close now; what is not written is dropped."""
        ...

    def hung_up(self) -> bool:
        """After `Receiver.ended`: the peer has closed altogether, so nobody will read an answer."""
        ...


class Receiver(Protocol):
    """What the transport tells of one connection: connected first, then received, ended, flushed, and lost last."""

    def connected(self, stream: Stream) -> None:
        """A peer connected. Nothing was read of it yet."""
        ...

    def received(self, data: bytes) -> None:
        """Bytes came."""
        ...

    def ended(self) -> None:
        """The peer sends no more. The stream stays open for writing until it is closed."""
        ...

    def flushed(self) -> None:
        """All that was written has been taken by the system; called only if some of it had to wait."""
        ...

    def lost(self) -> None:
        """The connection is over. Called exactly once for each `connected`."""
        ...


class Server(Protocol):
    """A transport that accepts."""

    async def open(self, receiver: Callable[[], Receiver]) -> None:
        """Accept from now on, one receiver a connection.

        Raises:
            OSError: it cannot listen.
        """
        ...

    async def close(self) -> None:
        """Accept no more; open connections stay."""
        ...
