"""The Windows named pipe behind the promise of `transport` (contract 5, Windows; B48). It has not run on Windows.

Owns the name, the rights and the instances of one pipe: the first is exclusive, the next exists before the present
one is served, one that cannot be made is tried again with back-off. The system's calls are injected
(`pipe_system_windows` makes the real ones), so that what is decided here is tested everywhere. Ends by `close`.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from codeg.runtime.carried import Bridge, CarriedStream
from codeg.runtime.peers import Peer
from codeg.runtime.transport import Receiver

logger = logging.getLogger(__name__)

PIPE_ACCESS_DUPLEX = 0x3
FILE_FLAG_FIRST_PIPE_INSTANCE = 0x0008_0000
FILE_FLAG_OVERLAPPED = 0x4000_0000
PIPE_REJECT_REMOTE_CLIENTS = 0x8
"""The only flag of the mode that is set: type and read mode are bytes, waiting is the default (all 0)."""
PIPE_UNLIMITED_INSTANCES = 255
BUFFER_BYTES = 64 * 1024

SPARE = 8
"""Instances that wait for a client at one time, so that a burst finds one."""
FIRST_RETRY_S = 0.05
LAST_RETRY_S = 5.0

Handle = Any
"""An open instance, as the system knows it."""


@dataclass(frozen=True, slots=True)
class PipeOrder:
    """The arguments of one CreateNamedPipe."""

    name: str
    open_mode: int
    pipe_mode: int
    sddl: str
    instances: int = PIPE_UNLIMITED_INSTANCES
    buffer_bytes: int = BUFFER_BYTES


class PipeSystem(Protocol):
    """The system's calls. All but `connected` are done when they return; errors are OSError."""

    def user_sid(self) -> str:
        """SID of this process's user."""
        ...

    def create(self, order: PipeOrder) -> Handle:
        """Make one instance. PermissionError: the name is somebody else's, or the first instance is no first one."""
        ...

    def connected(self, handle: Handle) -> "asyncio.Future[Any]":
        """Done when a client has opened the instance; cancelling it gives up waiting."""
        ...

    def client(self, handle: Handle) -> tuple[int, str]:
        """Pid and user SID of the client."""
        ...

    def carry(self, handle: Handle, protocol: asyncio.Protocol) -> None:
        """Read and write it by asyncio from now on, until the transport closes it."""
        ...

    def close(self, handle: Handle) -> None:
        """Close an instance that asyncio does not carry."""
        ...


def new_pipe_name() -> str:
    """A fresh ASCII name; nothing of the user or the folder is in it."""
    return rf"\\.\pipe\codeg-{secrets.token_hex(16)}"


def rights_for(user_sid: str) -> str:
    """SDDL: nobody from the network, this user and SYSTEM everything, nothing inherited, nobody else."""
    return f"D:P(D;;GA;;;NU)(A;;GA;;;{user_sid})(A;;GA;;;SY)"


class PipeServer:
    """Keeps `transport.Server` over a named pipe."""

    def __init__(self, name: str, system: PipeSystem, spare: int = SPARE) -> None:
        self._name = name
        self._system = system
        self._spare = spare
        self._receiver: Callable[[], Receiver] | None = None
        self._sid = ""
        self._waiting: dict[asyncio.Future[Any], Handle] = {}
        self._missing = 0
        self._retry_s = FIRST_RETRY_S
        self._timer: asyncio.TimerHandle | None = None
        self._open = False

    async def open(self, receiver: Callable[[], Receiver]) -> None:
        """Accept from now on.

        Raises:
            OSError: the first instance cannot be made; PermissionError: another host or a squatter has the name.
        """
        self._sid = self._system.user_sid()
        first = self._system.create(self._order(first=True))
        self._receiver = receiver
        self._open = True
        self._wait(first)
        for _ in range(self._spare - 1):
            self._add()

    async def close(self) -> None:
        """Accept no more."""
        self._open = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting, self._waiting = self._waiting, {}
        for future, handle in waiting.items():
            future.cancel()
            self._system.close(handle)

    def _order(self, *, first: bool) -> PipeOrder:
        open_mode = PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | (FILE_FLAG_FIRST_PIPE_INSTANCE if first else 0)
        return PipeOrder(self._name, open_mode, PIPE_REJECT_REMOTE_CLIENTS, rights_for(self._sid))

    def _add(self) -> None:
        """Make one more instance, or try again later."""
        if not self._open:
            return
        try:
            handle = self._system.create(self._order(first=False))
        except OSError as error:
            self._missing += 1
            self._try_later(error)
        else:
            self._retry_s = FIRST_RETRY_S
            self._wait(handle)

    def _try_later(self, error: OSError) -> None:
        logger.warning("no further instance of the pipe, trying again in %.2f s: %s", self._retry_s, error)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._retry_s, self._try_again)
            self._retry_s = min(self._retry_s * 2, LAST_RETRY_S)

    def _try_again(self) -> None:
        self._timer = None
        missing, self._missing = self._missing, 0
        for _ in range(missing):
            self._add()

    def _wait(self, handle: Handle) -> None:
        try:
            future = self._system.connected(handle)
        except OSError as error:
            # A client came and went before it was waited for: the instance is spent.
            self._system.close(handle)
            self._missing += 1
            self._try_later(error)
            return
        self._waiting[future] = handle
        future.add_done_callback(self._came)

    def _came(self, future: "asyncio.Future[Any]") -> None:
        handle = self._waiting.pop(future, None)
        if handle is None:
            return
        # First the next instance: no client ever finds the pipe without one.
        self._add()
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or error is not None:
            logger.info("a client of the pipe was lost before it was served: %s", error)
            self._system.close(handle)
        else:
            self._serve(handle)

    def _serve(self, handle: Handle) -> None:
        try:
            pid, sid = self._system.client(handle)
        except OSError as error:
            logger.info("a client of the pipe went before it was known: %s", error)
            self._system.close(handle)
            return
        if sid != self._sid or self._receiver is None:
            logger.warning("a client of another user was refused at the pipe")
            self._system.close(handle)
            return
        peer = Peer(pid, None)
        self._system.carry(handle, Bridge(self._receiver(), lambda carrier: PipeStream(carrier, peer)))


class PipeStream(CarriedStream):
    """Keeps `transport.Stream` over one instance. A pipe has no half-close: who sends no more has gone."""

    def end_writing(self) -> None:
        """Close once all is written."""
        self.finish()

    def hung_up(self) -> bool:
        """The end of the bytes is the end of the peer."""
        return True
