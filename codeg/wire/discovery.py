"""The discovery record: what `broker.json` says about the running host (contract 3).

Owns its form; never reads or writes the file. The token in it opens `hello` and `operator`, so it stands in no text
made here.
"""

from __future__ import annotations

from codeg.wire.requests import is_object
from codeg.wire.version import PROTOCOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class BadDiscovery(ValueError):
    """The record cannot be used. `code`: `version_mismatch` or `host_unavailable`; the text quotes nothing of it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Discovery:
    """A running host. `socket`: absolute path or pipe name; `started_at`: RFC 3339."""

    __slots__ = ("pid", "socket", "started_at", "token", "v", "version")

    def __init__(self, pid: int, socket: str, token: str, version: str, started_at: str) -> None:
        self.pid = pid
        self.socket = socket
        self.token = token
        self.version = version
        self.started_at = started_at
        self.v = PROTOCOL

    def __repr__(self) -> str:
        return f"Discovery(pid={self.pid}, socket={self.socket!r}, version={self.version!r})"


def parse(content: bytes) -> Discovery:
    """Reads the content of `broker.json`; unknown fields are ignored.

    Raises:
        BadDiscovery: unreadable, a field missing or of the wrong kind, or another protocol version.
    """
    from codeg.wire import payload  # noqa: PLC0415  # json costs start-up; a companion decodes itself, see `read`

    try:
        value = payload.decode(content)
    except payload.Unreadable:
        raise BadDiscovery("host_unavailable", "The discovery file cannot be read; start codeg again.") from None
    return read(value)


def read(value: Any) -> Discovery:
    """Reads the decoded content of `broker.json`; unknown fields are ignored.

    Raises:
        BadDiscovery: no object, a field missing or of the wrong kind, or another protocol version.
    """
    if not is_object(value):
        raise BadDiscovery("host_unavailable", "The discovery file holds no record; start codeg again.")
    fields = value
    version = fields.get("v")
    if type(version) is int and version != PROTOCOL:
        text = f"The running host speaks version {version} of the socket protocol, this program version {PROTOCOL}."
        raise BadDiscovery("version_mismatch", text)
    for name, kind in (
        ("v", int),
        ("pid", int),
        ("socket", str),
        ("token", str),
        ("version", str),
        ("started_at", str),
    ):
        if type(fields.get(name)) is not kind or not fields[name]:
            raise BadDiscovery("host_unavailable", f"The discovery file lacks a usable {name}; start codeg again.")
    return Discovery(fields["pid"], fields["socket"], fields["token"], fields["version"], fields["started_at"])


def dump(record: Discovery) -> bytes:
    """The content of `broker.json`, newline-ended."""
    from codeg.wire import payload  # noqa: PLC0415  # as in `parse`

    names = ("v", "pid", "socket", "token", "version", "started_at")
    return payload.encode({name: getattr(record, name) for name in names}) + b"\n"
