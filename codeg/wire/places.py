"""Where host and companion meet: the runtime directory, the socket, the short stand-in (contract 3, "runtime").

Owns the one rule that both sides share, and the judgement on a stat result; never touches the file system, never reads
the environment. The caller brings `CODEG_HOME` or `--home` as an absolute path, the account's home from the password
database (host programs strip variables, the database stays), and its uid.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

MAX_SOCKET_PATH: Final = 100
"""Bytes of a socket path; Linux takes 107, macOS 103 (B27)."""
SOCKET_NAME: Final = "broker.sock"
DISCOVERY_NAME: Final = "broker.json"
TOKENS_NAME: Final = "tokens"
MAX_DISCOVERY: Final = 64 * 1024
"""Largest `broker.json` or token file that a reader takes, in bytes."""


class Places:
    """Absolute paths of one state directory: all lie in `run`, but the socket when its path would be too long."""

    __slots__ = ("_origin", "_short", "_uid", "run")

    def __init__(self, run: str, uid: int, origin: str | None = None) -> None:
        self.run = run
        self._uid = uid
        self._origin = origin or run
        self._short = ""

    @property
    def short_dir(self) -> str:
        """`/tmp/codeg-<uid>-<8 hex of the SHA-256 of the absolute run path>`, made only when asked for."""
        if not self._short:
            digest = _sha256(os.fsencode(self._origin))[:8]
            self._short = f"/tmp/codeg-{self._uid}-{digest}"  # noqa: S108  # contract 3: literally /tmp, checked later
        return self._short

    @property
    def socket(self) -> str:
        """The socket's path, at most 100 bytes unless the uid is absurd."""
        path = os.path.join(self.run, SOCKET_NAME)
        return path if len(os.fsencode(path)) <= MAX_SOCKET_PATH else os.path.join(self.short_dir, SOCKET_NAME)

    @property
    def discovery(self) -> str:
        """`broker.json`."""
        return os.path.join(self.run, DISCOVERY_NAME)

    @property
    def tokens(self) -> str:
        """The directory of injected tokens."""
        return os.path.join(self.run, TOKENS_NAME)

    def stand_in(self) -> Places:
        """The places when `run` cannot be made or is not ours: everything lies in the short directory."""
        return Places(self.short_dir, self._uid, self._origin)

    def candidates(self) -> Iterator[Places]:
        """Where a companion looks for a host, in order: the run directory, then its stand-in."""
        yield self
        yield self.stand_in()


def places(home: str | None, account_home: str, uid: int) -> Places:
    """The places of a state directory.

    `home`: `--home` or `CODEG_HOME`, absolute; None or empty = the default below `account_home`, the password
    database's. Links are not followed: both sides hash the path as it is written.

    Raises:
        ValueError: the directory that counts is not absolute; one sentence.
    """
    base = home or account_home
    if not os.path.isabs(base):
        raise ValueError(f"The directory {base!r} must be an absolute path.")
    parts = ("run",) if home else (".codeg", "run")
    return Places(os.path.normpath(os.path.join(base, *parts)), uid)


def why_foreign_dir(found: os.stat_result, uid: int, what: str = "The runtime directory") -> str | None:
    """Why this directory can never be ours: one sentence, or None. `found` comes from lstat: links are not followed."""
    return _why_foreign(found, uid, what, stat.S_IFDIR, "a directory")


def why_unsafe_dir(found: os.stat_result, uid: int, what: str = "The runtime directory") -> str | None:
    """Why nothing may be read from or written to this directory, openness to others included: one sentence, or None."""
    return why_foreign_dir(found, uid, what) or _why_open(found, what, "0700")


def why_unsafe_file(found: os.stat_result, uid: int, what: str = "The discovery file") -> str | None:
    """Why this file's content may not be trusted: one sentence, or None."""
    return _why_foreign(found, uid, what, stat.S_IFREG, "a regular file") or _why_open(found, what, "0600")


def why_foreign_socket(found: os.stat_result, uid: int, what: str = "The socket") -> str | None:
    """Why what lies at the socket's path is not ours to replace: one sentence, or None."""
    return _why_foreign(found, uid, what, stat.S_IFSOCK, "a socket")


def why_unsafe_socket(found: os.stat_result, uid: int, what: str = "The socket") -> str | None:
    """Why no token may be sent there: one sentence, or None."""
    return why_foreign_socket(found, uid, what) or _why_open(found, what, "0600")


def _why_foreign(found: os.stat_result, uid: int, what: str, kind: int, name: str) -> str | None:
    actual = stat.S_IFMT(found.st_mode)
    if actual == stat.S_IFLNK:
        return f"{what} is a symbolic link, not {name}; it is left alone."
    if actual != kind:
        return f"{what} is not {name}; it is left alone."
    if found.st_uid != uid:
        return f"{what} belongs to user {found.st_uid}, not to user {uid}; it is left alone."
    return None


def _why_open(found: os.stat_result, what: str, mode: str) -> str | None:
    if found.st_mode & 0o077:
        return f"{what} is open to other users (mode {stat.S_IMODE(found.st_mode):04o}); it must be {mode}."
    return None


_LIGHT_SHA256: Final = ("_sha2", "_sha256")


def _sha256(data: bytes) -> str:
    """In hexadecimal. `hashlib` loads OpenSSL (3 ms, 4 MB), so the C module below it comes first, under either name."""
    for name in _LIGHT_SHA256:
        try:
            digest: str = __import__(name).sha256(data).hexdigest()
        except ImportError:
            continue
        return digest
    import hashlib  # noqa: PLC0415  # see above

    return hashlib.sha256(data).hexdigest()
