"""The command line's end of the host's named pipe: blocking, each step bounded (contract 5, Windows).

It has not run on Windows. Owns what is asked of the system to open the pipe, and the check that its other end is this
user's before anything is sent. The system's calls are injected (`system_windows` makes the real ones). Ends by
`close`.
"""

import time
from typing import Any, Protocol

GENERIC_READ_WRITE = 0xC000_0000
FILE_FLAG_OVERLAPPED = 0x4000_0000
SECURITY_SQOS_PRESENT = 0x0010_0000
SECURITY_IDENTIFICATION = 0x0001_0000
"""With `SECURITY_SQOS_PRESENT`: the server may learn who we are, not act in our name."""
FLAGS = FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION

Handle = Any
"""An open end, as the system knows it."""


class PipeBusy(OSError):
    """ERROR_PIPE_BUSY: no instance is free."""


class ForeignHost(Exception):
    """The pipe belongs to another user's process; nothing was sent."""


class PipeDialer(Protocol):
    """The system's calls. Errors are OSError; times are milliseconds, None = no limit."""

    def user_sid(self) -> str:
        """SID of this process's user."""
        ...

    def open(self, name: str, access: int, flags: int) -> Handle:
        """Open an instance. FileNotFoundError: no pipe of that name; PipeBusy: none of its instances is free."""
        ...

    def wait(self, name: str, milliseconds: int) -> None:
        """Wait until an instance is free, or for that long; somebody else may be faster all the same."""
        ...

    def server_sid(self, handle: Handle) -> str:
        """SID of the user whose process made the pipe."""
        ...

    def read(self, handle: Handle, most: int, within_ms: int | None) -> bytes:
        """What is there, waited for; b"" when the other end has closed. TimeoutError: nothing came."""
        ...

    def write(self, handle: Handle, data: bytes, within_ms: int | None) -> int:
        """How much of it was taken. TimeoutError: nothing; BrokenPipeError: the other end has closed."""
        ...

    def close(self, handle: Handle) -> None:
        """Give it back."""
        ...


class PipeConnection:
    """One open end, in the words of a blocking socket."""

    def __init__(self, handle: Handle, dialer: PipeDialer) -> None:
        self._handle = handle
        self._dialer = dialer
        self._within_s: float | None = None

    def settimeout(self, seconds: float | None) -> None:
        """How long each call may take; None = as long as it takes."""
        self._within_s = seconds

    def sendall(self, data: bytes) -> None:
        """Write all of it.

        Raises:
            TimeoutError: the other end did not take it in time.
            OSError: it has closed, or the connection broke.
        """
        deadline = None if self._within_s is None else time.monotonic() + self._within_s
        rest = memoryview(data)
        while rest:
            left_ms = None if deadline is None else _ms(deadline - time.monotonic())
            rest = rest[self._dialer.write(self._handle, bytes(rest), left_ms) :]

    def recv(self, most: int) -> bytes:
        """At most so many bytes; b"" at the end.

        Raises:
            TimeoutError: nothing came in time.
            OSError: the connection broke.
        """
        return self._dialer.read(self._handle, most, None if self._within_s is None else _ms(self._within_s))

    def close(self) -> None:
        """Close it."""
        self._dialer.close(self._handle)


def dial_pipe(name: str, dialer: PipeDialer, within_s: float) -> PipeConnection:
    """Open the pipe and check whose it is.

    Raises:
        ForeignHost: another user's process made it.
        TimeoutError: no instance became free in time.
        OSError: there is none of that name, or the system refuses.
    """
    deadline = time.monotonic() + within_s
    while True:
        try:
            handle = dialer.open(name, GENERIC_READ_WRITE, FLAGS)
            break
        except PipeBusy:
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise TimeoutError from None
            dialer.wait(name, _ms(left_s))
    connection = PipeConnection(handle, dialer)
    try:
        ours = dialer.server_sid(handle) == dialer.user_sid()
    except BaseException:
        connection.close()
        raise
    if not ours:
        connection.close()
        raise ForeignHost
    return connection


def _ms(seconds: float) -> int:
    """Whole milliseconds, at least one: 0 means something else to the system."""
    return max(1, int(seconds * 1000))
