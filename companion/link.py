"""Where the host is and by what right we speak to it.

Owns the two ways of contract 4: *injected* (a token given by file or CODEG_TOKEN, read at each call) and *registered*
(the discovery record, whose token says `hello`). Checks folder, files and socket before anything is sent (contract 4,
B29); the peer's uid is checked by the connection itself. Never connects. What cannot be used raises `Unreachable` with
one sentence.
"""

from __future__ import annotations

import os

from codeg.jsonrpc import codec
from codeg.wire import discovery
from codeg.wire.places import MAX_DISCOVERY, places, why_unsafe_dir, why_unsafe_file, why_unsafe_socket
from companion.shapes import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from codeg.wire.discovery import Discovery
    from codeg.wire.places import Places
    from companion.options import Options


START_HOST: Final = (
    "No Codeg host is running for this user. Start the desktop (`codeg`) or `codeg serve`, then call again."
)


class Unreachable(Exception):
    """The host cannot be asked. `code` is one of contract 6, `message` says what to do about it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Access:
    """What a request needs: the socket's path, the token, and the parent it belongs to ("" before `hello`)."""

    __slots__ = ("parent", "socket", "token")

    def __init__(self, socket: str, token: str, parent: str) -> None:
        self.socket = socket
        self.token = token
        self.parent = parent


class Link:
    """The way to the host. `uid`: our own; None where the system has none (Windows): then ownership is not judged."""

    def __init__(self, options: Options, environment: Mapping[str, str], uid: int | None) -> None:
        self._options = options
        self._environment = environment
        self._uid = uid
        self.injected = bool(options.token_file or environment.get("CODEG_TOKEN"))

    def present(self) -> Access:
        """By what right the host may be asked without a session.

        Raises:
            Unreachable: there is no host.
        """
        return self.given() if self.injected else self.discovered()

    def given(self) -> Access:
        """The access of an injected companion, its token read afresh.

        Raises:
            Unreachable: no token, or no socket that is ours.
        """
        path = self._options.token_file
        if path:
            content = self._read(path, "The token file", "not_authorized")
            if content is None:
                raise Unreachable("not_authorized", "The token of this session is gone: the session has ended.")
            token = content.decode("utf-8", "replace").strip()
        else:
            token = self._environment.get("CODEG_TOKEN", "").strip()
        if not token:
            raise Unreachable("not_authorized", "The token file is empty: the session has ended.")
        socket = self._options.socket_path or self.discover().socket
        self._check_socket(socket)
        return Access(socket, token, self._options.parent_connection_id)

    def discovered(self) -> Access:
        """The access with which a registered companion says `hello`.

        Raises:
            Unreachable: no host, or one whose files are not ours alone.
        """
        record = self.discover()
        socket = self._options.socket_path or record.socket
        self._check_socket(socket)
        return Access(socket, record.token, "")

    def discover(self) -> Discovery:
        """The record of the running host, from the first place that has one.

        Raises:
            Unreachable: none, an unsafe one, or one of another protocol version.
        """
        first = self._places()
        why_not = Unreachable("host_unavailable", START_HOST)
        found: Discovery | None = None
        try:
            found = self._look(first)
        except Unreachable as error:  # a host that could not use its run folder lies in the stand-in
            why_not = error
        if found is None and _any_stand_in(self._uid or 0):
            found = self._look(first.stand_in())
        if found is None:
            raise why_not
        return found

    def _places(self) -> Places:
        home = self._options.home
        try:
            return places(home, "" if home else _account_home(self._uid), self._uid or 0)
        except (ValueError, KeyError):
            raise Unreachable("host_unavailable", "This user has no home directory; start with --home DIR.") from None

    def _look(self, place: Places) -> Discovery | None:
        try:
            folder = os.lstat(place.run)
        except OSError:
            return None
        if self._uid is not None:
            _refuse(why_unsafe_dir(folder, self._uid))
        content = self._read(place.discovery, "The discovery file", "host_unavailable")
        if content is None:
            return None
        try:
            return discovery.read(decode(content))
        except codec.Undecodable:
            raise Unreachable("host_unavailable", "The discovery file cannot be read; start codeg again.") from None
        except discovery.BadDiscovery as error:
            raise Unreachable(error.code, error.message) from None

    def _read(self, path: str, what: str, code: str) -> bytes | None:
        """A small file that is ours alone; None without one. Its descriptor is judged, so nothing slips between."""
        try:
            fd = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Unreachable(code, f"{what} cannot be read: {error.strerror}.") from None
        try:
            if self._uid is not None:
                _refuse(why_unsafe_file(os.fstat(fd), self._uid, what))
            return os.read(fd, MAX_DISCOVERY)
        except OSError as error:
            raise Unreachable(code, f"{what} cannot be read: {error.strerror}.") from None
        finally:
            os.close(fd)

    def _check_socket(self, path: str) -> None:
        if self._uid is None:
            return
        try:
            folder = os.lstat(os.path.dirname(path))
            socket = os.lstat(path)
        except OSError:
            raise Unreachable("host_unavailable", START_HOST) from None
        _refuse(why_unsafe_dir(folder, self._uid, "The folder of the socket"))
        _refuse(why_unsafe_socket(socket, self._uid))


def _any_stand_in(uid: int) -> bool:
    """Whether any host of this user lies in a short directory: naming ours takes a hash, which maps 4 MB of OpenSSL."""
    try:
        with os.scandir("/tmp") as entries:  # noqa: S108  # contract 3: literally /tmp
            return any(entry.name.startswith(f"codeg-{uid}-") for entry in entries)
    except OSError:
        return False


def _refuse(reason: str | None) -> None:
    if reason:
        raise Unreachable("host_unavailable", f"{reason} Nothing was sent.")


def _account_home(uid: int | None) -> str:
    if uid is None:
        return os.path.expanduser("~")
    import pwd  # noqa: PLC0415  # Unix only, and not needed with a home given

    return pwd.getpwuid(uid).pw_dir
