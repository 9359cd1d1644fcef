"""The promise of a running agent program, whatever the system: bytes in, bytes out, one end.

Owns types only. `process` keeps the promise on Linux and macOS, `process_windows` on Windows. Nothing here does I/O.
"""

from dataclasses import dataclass
from typing import Protocol

from codeg.sessions.types import ProcessStarted


class SpawnFailed(Exception):
    """The program could not be started. The message is a sentence for the user, without arguments or environment."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Exit:
    """How the agent ended: by a code or by a signal's number. Both None: unknown, since its keeper was killed."""

    code: int | None = None
    signal: int | None = None


class AgentProcess(Protocol):
    """One started agent. Leaving the context that gave it ends its whole process tree."""

    @property
    def identity(self) -> ProcessStarted:
        """What a later host needs to end the tree if this one cannot."""
        ...

    async def send(self, data: bytes) -> None:
        """Write to the agent's stdin; waits while the agent does not read. One message a call.

        Cancelled in the middle of a message, the rest of it goes out before the next one: no message is ever torn.

        Raises:
            anyio.BrokenResourceError: the agent reads no more.
            anyio.ClosedResourceError: stdin was closed.
        """
        ...

    async def receive(self) -> bytes:
        """The next piece of the agent's stdout, 64 KiB at most; empty at its end. For one task at a time.

        The end is when the agent itself has ended and everything it wrote was read, even where a process that it
        started still holds its stdout; or when stdout was closed. Cancelled, it loses nothing.
        """
        ...

    async def close_stdin(self) -> None:
        """Let the agent see the end of its stdin. A second time it does nothing."""
        ...

    def stderr_tail(self) -> tuple[str, ...]:
        """The last 100 lines of stderr, 64 KiB at most, with all that the agent wrote before it ended."""
        ...

    async def wait_exit(self) -> Exit:
        """The end of the agent itself, whatever it left behind."""
        ...

    async def stop(self, grace_s: float = 1.0) -> None:
        """End the tree: stdin closed, TERM after `grace_s` (2 s at most), then KILL.

        Returns when it is gone, within 5 s. Not cancellable. Any number of callers; all return when the tree is gone.
        """
        ...
