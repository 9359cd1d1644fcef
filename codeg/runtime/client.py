"""The operator's side of the socket: one blocking request to the running host, for the command line (contract 2 and 5).

Owns the search for the host, the checks before its token is used (folder, record, socket and peer are this user's and
closed to others), one connection a request, and what an answer means. Never starts a host and keeps no state between
requests, so it works as soon as a host is up.
"""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any, Protocol

from codeg.runtime.client_windows import ForeignHost, PipeDialer, dial_pipe
from codeg.runtime.peers import unix_peer
from codeg.runtime.services import UserError
from codeg.sessions.login_path import account
from codeg.store.homes import home_paths
from codeg.wire import discovery, frames, requests
from codeg.wire.discovery import BadDiscovery, Discovery
from codeg.wire.places import MAX_DISCOVERY, Places, places, why_unsafe_dir, why_unsafe_file, why_unsafe_socket

CONNECT_S = 5.0
ANSWER_S = 60.0
"""Seconds for an answer that is not a wait; a host under load is given time, a wedged one is not waited for."""

_UNIX = getattr(socket, "AF_UNIX", socket.AF_INET)
"""Windows has no such sockets, and its hosts no such paths."""

TO_DO = "Start `codeg` or `codeg serve`."
START = f"No host is running. {TO_DO}"


class HostUnavailable(Exception):
    """No host can be asked. The text is one sentence that says what to do."""


class Connection(Protocol):
    """What is needed of an open connection; a socket has it."""

    def settimeout(self, value: float | None, /) -> None:
        """Seconds for each call from now on."""
        ...

    def sendall(self, data: bytes, /) -> None:
        """Write all of it."""
        ...

    def recv(self, most: int, /) -> bytes:
        """At most so many bytes; b"" at the end."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


class OperatorClient:
    """Asks the host of one state directory.

    `home`: value of `--home`, None = `CODEG_HOME` or the account's own place. `account_home` and `pipes` (the system's
    calls where hosts are reached by named pipes): for tests.
    """

    def __init__(
        self, home: str | None = None, *, account_home: str | None = None, pipes: PipeDialer | None = None
    ) -> None:
        self._home = home
        self._account_home = account_home
        self._pipes = pipes or _system_pipes()

    def request(self, op: str, **fields: Any) -> Any:
        """The outcome of one operator command; its fields and outcomes stand in `runtime.operator`.

        Blocks as long as the host waits (`wait`, `run` with `wait_ms`), else at most a minute.

        Raises:
            HostUnavailable: none runs, it cannot be trusted, or it went away before it answered.
            UserError: the host refused; its code and its sentence.
        """
        record = self.find()
        with closing(self._connected(record)) as connection:
            connection.settimeout(_patience(op, fields))
            payload = _exchange(connection, frames.encode(requests.operator(record.token, op, **fields)))
        try:
            outcome = requests.parse_response(payload)
        except requests.BadResponse as error:
            raise HostUnavailable(error.message) from None
        except requests.RemoteError as error:
            raise UserError(error.code, error.message) from None
        if _refused(outcome):
            raise UserError(outcome["error_code"], outcome["message"])
        return outcome

    def pages(self, op: str, key: str, limit: int) -> Iterator[dict[str, Any]]:
        """All items of `sessions` (`key` id) or `tasks` (`key` task_id), newest first, `limit` a request.

        Raises:
            HostUnavailable, UserError: as `request`.
        """
        before: dict[str, Any] = {}
        while True:
            page: list[dict[str, Any]] = self.request(op, limit=limit, **before)
            yield from page
            if len(page) < limit:
                return
            before = {"before": page[-1][key]}

    def find(self) -> Discovery:
        """The record of the running host, checked.

        Raises:
            HostUnavailable: there is none, or it cannot be trusted.
        """
        home = home_paths(self._home).home
        try:
            wanted = places(home, self._account_home or account()[0], _uid())
        except ValueError as error:
            raise HostUnavailable(str(error)) from None
        why_not: HostUnavailable | None = None
        for candidate in wanted.candidates():
            try:
                found = _record(candidate)
            except HostUnavailable as error:  # a host that could not use its run folder lies in the stand-in
                why_not = why_not or error
                continue
            if found is not None:
                return found
        raise why_not or HostUnavailable(START)

    def _connected(self, record: Discovery) -> Connection:
        return _connected(record) if self._pipes is None else _dialled(record, self._pipes)


def _system_pipes() -> PipeDialer | None:
    """How pipes are opened on this system; None where hosts are reached by sockets."""
    if sys.platform != "win32":
        return None
    from codeg.runtime.system_windows import WindowsDialer, libraries  # noqa: PLC0415  # Windows only

    return WindowsDialer(libraries())


def _uid() -> int:
    return 0 if sys.platform == "win32" else os.geteuid()


def _record(candidate: Places) -> Discovery | None:
    """What `broker.json` there says; None without one."""
    try:
        folder = os.lstat(candidate.run)
    except OSError:
        return None
    _trust(why_unsafe_dir(folder, _uid(), f"The folder {candidate.run}"))
    try:
        descriptor = os.open(candidate.discovery, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HostUnavailable(f"The record {candidate.discovery} cannot be read: {error.strerror}.") from None
    with os.fdopen(descriptor, "rb") as file:
        _trust(why_unsafe_file(os.fstat(descriptor), _uid(), f"The record {candidate.discovery}"))
        content = file.read(MAX_DISCOVERY)
    try:
        return discovery.parse(content)
    except BadDiscovery as error:
        raise HostUnavailable(error.message) from None


def _trust(why_not: str | None) -> None:
    if why_not is not None and sys.platform != "win32":
        raise HostUnavailable(f"{why_not} Nothing was sent.")


def _connected(record: Discovery) -> socket.socket:
    """A connection to the host whose other end is this user's.

    Raises:
        HostUnavailable: nobody listens there, or somebody else does.
    """
    try:
        _trust(why_unsafe_socket(os.lstat(record.socket), _uid(), f"The socket {record.socket}"))
    except OSError:
        raise HostUnavailable(START) from None
    with ExitStack() as undo:
        connection = undo.enter_context(socket.socket(_UNIX, socket.SOCK_STREAM))
        _dial(connection, record)
        undo.pop_all()
    return connection


def _dial(connection: socket.socket, record: Discovery) -> None:
    connection.settimeout(CONNECT_S)
    try:
        connection.connect(record.socket)
        stranger = unix_peer(connection).uid != _uid()
    except (ConnectionRefusedError, FileNotFoundError):
        raise HostUnavailable(START) from None
    except TimeoutError:
        raise HostUnavailable(_busy(record)) from None
    except OSError as error:
        raise HostUnavailable(f"The host cannot be reached: {error}.") from None
    if stranger:
        raise HostUnavailable(_foreign(record))


def _dialled(record: Discovery, pipes: PipeDialer) -> Connection:
    """The same by a named pipe: whose process made it is checked before anything is sent.

    Raises:
        HostUnavailable: nobody listens there, or somebody else does.
    """
    try:
        return dial_pipe(record.socket, pipes, CONNECT_S)
    except FileNotFoundError:
        raise HostUnavailable(START) from None
    except TimeoutError:
        raise HostUnavailable(_busy(record)) from None
    except ForeignHost:
        raise HostUnavailable(_foreign(record)) from None
    except OSError as error:
        raise HostUnavailable(f"The host cannot be reached: {error}.") from None


def _busy(record: Discovery) -> str:
    return f"The host (pid {record.pid}) does not accept connections."


def _foreign(record: Discovery) -> str:
    return f"{record.socket} is held by another user. Nothing was sent."


def _exchange(connection: Connection, frame: bytes) -> bytes:
    """Send one frame and receive one.

    Raises:
        HostUnavailable: the host went away or did not answer in time.
    """
    reader = frames.FrameReader()
    try:
        _send(connection, frame)
        while data := connection.recv(256 * 1024):
            payload = reader.feed(data)
            if payload is not None:
                return payload
    except TimeoutError:
        raise HostUnavailable("The host does not answer.") from None
    except (OSError, frames.FrameTooLarge) as error:
        raise HostUnavailable(f"The connection to the host broke: {error}.") from None
    raise HostUnavailable("The host closed the connection before it answered.")


def _send(connection: Connection, frame: bytes) -> None:
    try:
        connection.sendall(frame)
    except BrokenPipeError:
        # A host that refuses early closes while we still send; what it said can be read.
        return


def _patience(op: str, fields: dict[str, Any]) -> float | None:
    """Seconds until an answer must be there; None = as long as it takes."""
    wait_ms = fields.get("wait_ms")
    if op == "wait" and not wait_ms:
        return None
    return ANSWER_S + (wait_ms / 1000 if isinstance(wait_ms, int) else 0)


def _refused(outcome: Any) -> bool:
    """A refusal is a report without a task (contract 5)."""
    return isinstance(outcome, dict) and "error_code" in outcome and "task_id" not in outcome
