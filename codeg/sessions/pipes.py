"""The host's ends of one agent's pipes and of its keeper's control channel.

Owns four descriptors, never blocking, closed once each; whoever waits on one is woken when it closes. It moves no
bytes.
"""

import os
import socket
import sys

import anyio


class Pipes:
    """Our ends: stdin to write, stdout and stderr to read, control for both. Closing twice is nothing."""

    def __init__(self, stdin: int, stdout: int, stderr: int, control: socket.socket) -> None:
        self.stdin: int | None = stdin
        self.stdout: int | None = stdout
        self.stderr: int | None = stderr
        self.control = control
        if sys.platform != "win32":  # there agents have other pipes
            for descriptor in (stdin, stdout, stderr):
                os.set_blocking(descriptor, False)
        control.setblocking(False)

    def close_stdin(self) -> None:
        """End what the agent reads."""
        if self.stdin is not None:
            self.stdin = _closed(self.stdin)

    def close_stderr(self) -> None:
        """Read no more of its stderr."""
        if self.stderr is not None:
            self.stderr = _closed(self.stderr)

    def close(self) -> None:
        """Close all four. The keeper takes it for the end of the host."""
        self.close_stdin()
        self.close_stderr()
        if self.stdout is not None:
            self.stdout = _closed(self.stdout)
        if self.control.fileno() >= 0:
            anyio.notify_closing(self.control)
            self.control.close()


def _closed(descriptor: int) -> None:
    anyio.notify_closing(descriptor)
    os.close(descriptor)
