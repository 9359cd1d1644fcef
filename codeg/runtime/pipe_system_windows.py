"""The system's calls for the server's end of a named pipe, behind `pipe_windows.PipeSystem`. It has not run on Windows.

Owns the making of instances and asyncio's undocumented but stable pipe transports. It decides nothing. Libraries and
loop are injected, so that arguments, order and errors are tested on any system.
"""

import asyncio
import ctypes
from ctypes import wintypes
from typing import Any

from codeg.runtime.pipe_windows import Handle, PipeOrder
from codeg.runtime.system_windows import Accounts, Libraries, libraries


class WindowsPipes(Accounts):
    """Keeps `PipeSystem`. `loop`: a ProactorEventLoop."""

    def __init__(self, libraries: Libraries, loop: Any) -> None:
        super().__init__(libraries)
        self._loop = loop

    def create(self, order: PipeOrder) -> Handle:
        """Make one instance, with its rights from its first instant."""
        with self.attributes(order.sddl) as attributes:
            made = self._libraries.winapi.CreateNamedPipe(
                order.name,
                order.open_mode,
                order.pipe_mode,
                order.instances,
                order.buffer_bytes,
                order.buffer_bytes,
                0,
                ctypes.addressof(attributes),
            )
        return self._libraries.wrap(made)

    def connected(self, handle: Handle) -> "asyncio.Future[Any]":
        """Wait for a client by an overlapped ConnectNamedPipe."""
        return self._loop._proactor.accept_pipe(handle)  # noqa: SLF001  # asyncio has no public way

    def client(self, handle: Handle) -> tuple[int, str]:
        """Pid and user SID of the client."""
        pid = wintypes.ULONG()
        kernel32 = self._libraries.kernel32
        self._libraries.check(kernel32.GetNamedPipeClientProcessId(handle.handle, ctypes.byref(pid)))
        return pid.value, self.sid_of(pid.value)

    def carry(self, handle: Handle, protocol: asyncio.Protocol) -> None:
        """Hand it to asyncio's duplex pipe transport."""
        self._loop._make_duplex_pipe_transport(handle, protocol, extra={})  # noqa: SLF001  # as above

    def close(self, handle: Handle) -> None:
        """Close an instance that asyncio does not carry."""
        handle.close()


def windows_pipes(loop: asyncio.AbstractEventLoop) -> WindowsPipes:
    """The real ones.

    Raises:
        OSError: this is not Windows.
    """
    return WindowsPipes(libraries(), loop)
