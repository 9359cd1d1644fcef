"""Tokens of the socket: who may ask for whom (contract 5, Authority).

Owns the table of live tokens (by SHA-256, never the token itself), their files below `run/tokens/`, and the token of
`broker.json`. A session token belongs to one session and one connection id and dies with them; its file (0600) goes
with it. No token is ever logged or put into a text made here. Ends by `close`, which removes every file. All calls
belong to the event loop's thread.
"""

import hashlib
import hmac
import logging
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

logger = logging.getLogger(__name__)

_NAME = re.compile(r"[0-9a-f]{32}\.token")


@dataclass(frozen=True, slots=True)
class Grant:
    """What a token allows. `session_id` None: the token of `broker.json` (hello, catalog, operator)."""

    session_id: str | None
    connection_id: str
    digest: bytes = field(repr=False)

    @property
    def is_host(self) -> bool:
        """The token of `broker.json`."""
        return self.session_id is None


class Tokens:
    """Keeps `services.TokensPort`. `folder`: `run/tokens`, made 0700 if absent; `host_token`: the one in `broker.json`.

    Files of an earlier host in `folder` are dead tokens and are removed.

    Raises:
        OSError: on construction: the folder cannot be made or is not a directory of ours.
    """

    def __init__(self, folder: str, host_token: str) -> None:
        self._folder = folder
        self._host = Grant(None, "", _digest(host_token))
        self._grants: dict[bytes, Grant] = {}
        self._files: dict[str, bytes] = {}
        self._sessions: dict[str, set[bytes]] = {}
        self._on_death: list[Callable[[Grant], None]] = []
        _own_folder(folder)

    def on_death(self, tell: Callable[[Grant], None]) -> None:
        """`tell` is called once for each token that dies; it must not raise."""
        self._on_death.append(tell)

    def mint(self, session_id: str) -> str:
        """Make a token for a companion that we inject, with the session's id for its connection; returns its file.

        Raises:
            OSError: the file cannot be written; no token was made then.
        """
        token = secrets.token_urlsafe(32)
        path = os.path.join(self._folder, f"{secrets.token_hex(16)}.token")
        _write(path, token)
        self._files[path] = self._add(token, session_id, session_id)
        return path

    def lend(self, session_id: str, connection_id: str) -> tuple[str, Grant]:
        """Make a token for a lease: it goes out in the answer to `hello` and has no file."""
        token = secrets.token_urlsafe(32)
        return token, self._grants[self._add(token, session_id, connection_id)]

    def find(self, token: str) -> Grant | None:
        """What this token allows; None if it is not, or not any more, one of ours.

        Takes as long for each that is wrong.
        """
        digest = _digest(token)
        held = self._grants.get(digest, self._host)
        return held if hmac.compare_digest(held.digest, digest) else None

    def alive(self, grant: Grant) -> bool:
        """The token has not died since it was found."""
        return grant.is_host or grant.digest in self._grants

    def revoke(self, token_file: str) -> None:
        """The token of that file is dead, the file is removed. Unknown ones do nothing; never raises."""
        digest = self._files.get(token_file)
        if digest is not None:
            self._kill(digest)

    def end(self, grant: Grant) -> None:
        """The token of this grant is dead. Unknown ones do nothing."""
        self._kill(grant.digest)

    def revoke_session(self, session_id: str) -> None:
        """All tokens of this session are dead."""
        for digest in tuple(self._sessions.get(session_id, ())):
            self._kill(digest)

    def close(self) -> None:
        """All session tokens are dead, all files gone."""
        for digest in tuple(self._grants):
            self._kill(digest)

    def _add(self, token: str, session_id: str, connection_id: str) -> bytes:
        grant = Grant(session_id, connection_id, _digest(token))
        self._grants[grant.digest] = grant
        self._sessions.setdefault(session_id, set()).add(grant.digest)
        return grant.digest

    def _kill(self, digest: bytes) -> None:
        grant = self._grants.pop(digest, None)
        if grant is None or grant.session_id is None:
            return
        of_session = self._sessions[grant.session_id]
        of_session.discard(digest)
        if not of_session:
            del self._sessions[grant.session_id]
        for path in [path for path, held in self._files.items() if held == digest]:
            del self._files[path]
            _remove(path)
        for tell in self._on_death:
            tell(grant)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _own_folder(folder: str) -> None:
    os.makedirs(folder, mode=0o700, exist_ok=True)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or (sys.platform != "win32" and found.st_uid != os.getuid()):
        raise OSError(f"The folder of tokens {folder} is not a directory of this user.")
    if stat.S_IMODE(found.st_mode) & 0o077 and sys.platform != "win32":
        os.chmod(folder, 0o700)
    for name in os.listdir(folder):
        if _NAME.fullmatch(name):
            _remove(os.path.join(folder, name))


def _write(path: str, token: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags, 0o600)
    try:
        os.write(descriptor, token.encode("ascii"))
    finally:
        os.close(descriptor)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        logger.warning("token file not removed: %s", error.strerror)
