"""How a host is found, as a promise: an endpoint that one host at a time owns (contract 1, 3 and 5).

Owns the errors and the interface, and picks what keeps it on this system. Never accepts a connection. It ends with its
context: what was made is removed if it is still ours.
"""

import os
from contextlib import AbstractContextManager
from typing import Protocol

from codeg.wire.discovery import Discovery


class EndpointError(Exception):
    """The host cannot be made reachable. One sentence; the command line ends with exit code 1."""


class HostRunning(EndpointError):
    """Another host owns this state directory; `pid` is None where it cannot be told. The command line ends with 3."""

    def __init__(self, pid: int | None) -> None:
        super().__init__("A host is already running" + (f" (pid {pid})." if pid else "."))
        self.pid = pid


class Endpoint(Protocol):
    """What the shell needs of the place where it is reached, on every system."""

    @property
    def record(self) -> Discovery:
        """What `broker.json` says."""
        ...

    @property
    def tokens_folder(self) -> str:
        """Absolute path of `tokens/`, 0700 and empty at the start."""
        ...

    @property
    def descriptor_limit(self) -> int:
        """Descriptors that this process may have, after the limit was raised."""
        ...


def open_endpoint(home: str | None) -> AbstractContextManager[Endpoint]:
    """Claim the state directory of `home` (`--home` or `CODEG_HOME`, absolute; None = the account's) and be reachable.

    On Unix the endpoint is a `unix_endpoint.UnixEndpoint`, whose socket listens already.

    Raises:
        HostRunning: another host owns it (on entering, as the others).
        EndpointError: no folder can be used, something foreign stands at the socket's path, or the system refuses.
    """
    if os.name != "posix":
        raise EndpointError("This system has no endpoint here: Unix sockets are missing.")
    from codeg.runtime.unix_endpoint import open_unix_endpoint  # noqa: PLC0415  # only Unix can import it

    return open_unix_endpoint(home)
