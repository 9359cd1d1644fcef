"""The endpoint on Unix: runtime folder, lock, socket, `broker.json`, `tokens/` (contract 3 and 5; B27, B29, B30).

Owns the claim of one host on one state directory, from the lock to the removal of its own files. Leaving the context
removes the socket and `broker.json` if they are still ours. It never accepts a connection, never touches what is not
ours, and writes the token into `broker.json` alone.
"""

import errno
import logging
import os
import socket
import stat
import struct
import sys
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from codeg.runtime.discovery import EndpointError, HostRunning, fresh_record
from codeg.runtime.transport import Server
from codeg.sessions.descriptor_limit import raise_descriptor_limit
from codeg.store.faults import reason_of
from codeg.wire.discovery import Discovery, dump
from codeg.wire.places import DISCOVERY_NAME, MAX_SOCKET_PATH, SOCKET_NAME, Places, places, why_foreign_socket

assert sys.platform != "win32"

from codeg.runtime.run_folder import PrivateFolder, UnsafeFolder  # noqa: E402  # they stop at the same line
from codeg.runtime.transport_unix import UnixServer  # noqa: E402  # likewise

BACKLOG = 4096
"""Connections that may wait to be accepted; 100 lost two in three under load."""
_TRIES = 100
_TRY_S = 0.01
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UnixEndpoint:
    """Keeps `Endpoint` on Unix. `listener`: bound and listening, not blocking, closed with the context."""

    record: Discovery
    tokens_folder: str
    descriptor_limit: int
    listener: socket.socket
    places: Places

    def server(self) -> Server:
        """What listens there."""
        return UnixServer(self.listener)


@contextmanager
def open_unix_endpoint(
    home: str | None, *, account_home: str | None = None, just_bound: Callable[[str], None] | None = None
) -> Generator[UnixEndpoint]:
    """Claim the state directory, listen on its socket and say so in `broker.json`.

    Args:
        home: `--home` or `CODEG_HOME` as an absolute path; None = the default below the account's home.
        account_home: the account's home; None = from the password database.
        just_bound: called with the socket's path between bind and listen, for a test of its mode.

    Raises:
        HostRunning: another host owns it.
        EndpointError: no folder can be used, something foreign stands at the socket's path, or the system refuses.
    """
    uid = os.geteuid()
    with ExitStack() as stack:
        try:
            found, run = _open_run(stack, _places(home, account_home, uid), uid)
            at = _open_socket_folder(stack, found, run, uid)
            _lock(at)
            limit = raise_descriptor_limit()
            _clear(at, found.socket, uid)
            listener = stack.enter_context(_bound(at, found.socket, just_bound))
            _empty_tokens(stack, found.tokens, uid)
            listener.listen(BACKLOG)
            record = _published(stack, run, found.socket)
        except UnsafeFolder as error:
            raise EndpointError(str(error)) from error
        except OSError as error:
            raise EndpointError(f"The host cannot be made reachable: {_told(error)}.") from error
        yield UnixEndpoint(record, found.tokens, limit, listener, found)


# ---- folders


def _places(home: str | None, account_home: str | None, uid: int) -> Places:
    if home is None and account_home is None:
        import pwd  # noqa: PLC0415  # Unix only, and not needed with a home of one's own

        try:
            account_home = pwd.getpwuid(uid).pw_dir
        except KeyError as error:
            raise EndpointError(f"The user {uid} stands in no password database: give --home DIR.") from error
    try:
        return places(home, account_home or "", uid)
    except ValueError as error:
        raise EndpointError(str(error)) from error


def _open_run(stack: ExitStack, wanted: Places, uid: int) -> tuple[Places, PrivateFolder]:
    try:
        return wanted, stack.enter_context(PrivateFolder(wanted.run, uid))
    except UnsafeFolder as error:
        _log.warning("%s Its stand-in %s is used.", error, wanted.short_dir)
        first = error
    stand_in = wanted.stand_in()
    try:
        return stand_in, stack.enter_context(PrivateFolder(stand_in.run, uid))
    except UnsafeFolder as error:
        raise EndpointError(f"{str(first).removesuffix('.')}, and {_continued(str(error))}") from error


def _open_socket_folder(stack: ExitStack, found: Places, run: PrivateFolder, uid: int) -> PrivateFolder:
    size = len(os.fsencode(found.socket))
    if size > MAX_SOCKET_PATH:
        raise EndpointError(f"The socket path {found.socket} has {size} bytes, {MAX_SOCKET_PATH} are possible.")
    folder = os.path.dirname(found.socket)
    return run if folder == run.path else stack.enter_context(PrivateFolder(folder, uid))


def _lock(folder: PrivateFolder) -> None:
    if folder.take_lock():
        return
    # Between taking the lock and writing its pid a host needs an instant.
    for _ in range(_TRIES):
        pid = folder.lock_owner()
        if pid is not None and _lives(pid):
            raise HostRunning(pid)
        if folder.take_lock():
            return
        time.sleep(_TRY_S)
    raise HostRunning(None)


def _lives(pid: int) -> bool:
    try:
        os.getpgid(pid)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


# ---- socket


@contextmanager
def _bound(folder: PrivateFolder, path: str, just_bound: Callable[[str], None] | None) -> Generator[socket.socket]:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with listener:
        before = os.umask(0o177)
        try:
            listener.bind(path)
        finally:
            os.umask(before)
        made = folder.stat(SOCKET_NAME)
        try:
            if just_bound is not None:
                just_bound(path)
            listener.setblocking(False)
            yield listener
        finally:
            folder.remove_if(SOCKET_NAME, lambda now: made is not None and _same_file(now, made))


def _clear(folder: PrivateFolder, path: str, uid: int) -> None:
    """Remove the socket that a crashed host left.

    Raises:
        HostRunning: somebody listens on it.
        EndpointError: it is no socket, or not ours.
    """
    found = folder.stat(SOCKET_NAME)
    if found is None:
        return
    foreign = why_foreign_socket(found, uid, f"What stands at the socket's path {path}")
    if foreign is not None:
        raise EndpointError(foreign)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        answer = probe.connect_ex(path)
        if answer in (0, errno.EAGAIN, errno.EINPROGRESS):
            raise HostRunning(_peer_pid(probe) if answer == 0 else None)
    folder.remove_if(SOCKET_NAME, lambda now: stat.S_ISSOCK(now.st_mode))


def _peer_pid(probe: socket.socket) -> int | None:
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    return struct.unpack("3i", probe.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i")))[0] or None


# ---- tokens and broker.json


def _empty_tokens(stack: ExitStack, path: str, uid: int) -> None:
    tokens = stack.enter_context(PrivateFolder(path, uid))
    tokens.empty()
    stack.callback(_quietly, tokens.empty)


def _published(stack: ExitStack, run: PrivateFolder, path: str) -> Discovery:
    record = stack.enter_context(fresh_record(path))
    content = dump(record)
    run.write(DISCOVERY_NAME, content)
    stack.callback(_withdraw, run, content)
    return record


def _withdraw(run: PrivateFolder, content: bytes) -> None:
    if run.read(DISCOVERY_NAME, len(content) + 1) == content:
        run.remove_if(DISCOVERY_NAME, lambda now: stat.S_ISREG(now.st_mode))


def _same_file(one: os.stat_result, other: os.stat_result) -> bool:
    # The number of a removed file may be given to the next one, its time of birth not.
    return (one.st_dev, one.st_ino, one.st_ctime_ns) == (other.st_dev, other.st_ino, other.st_ctime_ns)


def _quietly(act: Callable[[], None]) -> None:
    try:
        act()
    except OSError as error:
        _log.warning("The folder of the tokens could not be emptied: %s.", reason_of(error))


def _told(error: OSError) -> str:
    name = error.filename
    return f"{name}: {reason_of(error)}" if isinstance(name, str) else reason_of(error)


def _continued(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
