"""Named pipes as Windows has them, on socket pairs: what `pipe_windows.PipeSystem` promises, and clients that open them.

Instances have states as there: a client takes one that waits, is told `busy` when there is none and `not found` when the name is gone;
the first-instance flag fails if any instance exists. A pipe has no half-close.
"""

import asyncio
import os
import socket
from dataclasses import dataclass, field
from typing import Any, cast

from codeg.runtime.client_windows import PipeBusy
from codeg.runtime.pipe_windows import FILE_FLAG_FIRST_PIPE_INSTANCE, PipeOrder

USER_SID = "S-1-5-21-1-2-3-1001"


@dataclass(eq=False)
class Instance:
    """One instance: `near` is the server's end, `far` the client's."""

    name: str
    near: socket.socket
    far: socket.socket
    waiting: "asyncio.Future[Any] | None" = None
    taken: bool = False
    closed: bool = False
    client: tuple[int, str] = field(default_factory=lambda: (os.getpid(), USER_SID))


class FakePipes:
    """Keeps `PipeSystem`. `refuse`: how many of the next creates fail; `orders` and `calls`: what was asked, in order."""

    def __init__(self) -> None:
        self.instances: list[Instance] = []
        self.orders: list[PipeOrder] = []
        self.calls: list[str] = []
        self.refuse = 0
        self.next_client: tuple[int, str] | None = None
        self.client_fails = False

    def user_sid(self) -> str:
        return USER_SID

    def create(self, order: PipeOrder) -> Instance:
        self.orders.append(order)
        self.calls.append("create")
        alive = [instance for instance in self.instances if instance.name == order.name and not self._over(instance)]
        if self.refuse:
            self.refuse -= 1
            raise OSError(1450, "insufficient system resources")
        if order.open_mode & FILE_FLAG_FIRST_PIPE_INSTANCE and alive:
            raise PermissionError(5, "access is denied")
        near, far = socket.socketpair()
        near.setblocking(False)
        made = Instance(order.name, near, far)
        self.instances.append(made)
        return made

    def connected(self, handle: Instance) -> "asyncio.Future[Any]":
        handle.waiting = asyncio.get_running_loop().create_future()
        return handle.waiting

    def client(self, handle: Instance) -> tuple[int, str]:
        if self.client_fails:
            raise OSError(232, "the pipe is being closed")
        return handle.client

    def carry(self, handle: Instance, protocol: asyncio.Protocol) -> None:
        self.calls.append("carry")
        # What asyncio does for a socket it accepted, without the task that its public call would need.
        cast("Any", asyncio.get_running_loop())._make_socket_transport(handle.near, _NoHalfClose(protocol))

    def close(self, handle: Instance) -> None:
        self.calls.append("close")
        handle.closed = True
        handle.near.close()
        if not handle.taken:
            handle.far.close()

    # ---- clients

    def dial(self, name: str) -> socket.socket:
        """Open the pipe as a client does; the client's end, blocking."""
        alive = [instance for instance in self.instances if instance.name == name and not self._over(instance)]
        if not alive:
            raise FileNotFoundError(2, "the system cannot find the file")
        for instance in alive:
            if not instance.taken and instance.waiting is not None and not instance.waiting.done():
                instance.taken = True
                if self.next_client is not None:
                    instance.client = self.next_client
                instance.waiting.set_result(None)
                return instance.far
        raise PipeBusy(231, "all pipe instances are busy")

    def free(self, name: str) -> int:
        """Instances that wait for a client."""
        return sum(1 for i in self.instances if i.name == name and i.waiting is not None and not i.waiting.done())

    def close_all(self) -> None:
        """What a test left open."""
        for instance in self.instances:
            instance.near.close()
            instance.far.close()

    def _over(self, instance: Instance) -> bool:
        return instance.closed or (instance.taken and instance.near.fileno() == -1)


class _NoHalfClose(asyncio.Protocol):
    """The end of a client's bytes on a pipe is the end of the client."""

    def __init__(self, inner: asyncio.Protocol) -> None:
        self._inner = inner

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._inner.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._inner.connection_lost(exc)
