"""How a host is found, as a promise: an endpoint that one host at a time owns (contract 1, 3 and 5).

Owns the errors, the interface and the record's making, and picks what keeps the promise on this system. Never accepts a
connection. It ends with its context: what was made is removed if it is still ours.
"""

import os
import secrets
import sys
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Protocol

from codeg.runtime.logs import forget, hide
from codeg.runtime.transport import Server
from codeg.wire.discovery import Discovery
from codeg.wire.version import VERSION

LOCK_NAME = "broker.lock"
"""The file in the run folder whose lock makes one host the owner; its pid stands in it."""


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

    def server(self) -> Server:
        """What listens there, for one use."""
        ...


@contextmanager
def fresh_record(at: str) -> Generator[Discovery]:
    """The record of this host, reached by that socket or pipe; its token never gets into the log meanwhile."""
    started = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    record = Discovery(os.getpid(), at, secrets.token_urlsafe(32), VERSION, started)
    hide(record.token)
    try:
        yield record
    finally:
        forget(record.token)


def open_endpoint(home: str | None) -> AbstractContextManager[Endpoint]:
    """Claim the state directory of `home` (`--home` or `CODEG_HOME`, absolute; None = the account's) and be reachable.

    On Unix the endpoint is a `unix_endpoint.UnixEndpoint`, whose socket listens already.

    Raises:
        HostRunning: another host owns it (on entering, as the others).
        EndpointError: no folder can be used, something foreign stands at the socket's path, or the system refuses.
    """
    if sys.platform == "win32":
        from codeg.runtime.endpoint_windows import open_windows_endpoint  # noqa: PLC0415  # each system loads its own
        from codeg.runtime.system_windows import WindowsFolders, libraries  # noqa: PLC0415  # likewise

        return open_windows_endpoint(home, os.path.expanduser("~"), WindowsFolders(libraries()))
    from codeg.runtime.unix_endpoint import open_unix_endpoint  # noqa: PLC0415  # only Unix can import it

    return open_unix_endpoint(home)
