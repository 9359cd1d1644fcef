"""The session with the host: by what right a call is asked now.

Owns `hello` (once, at the first call), its lease, and who waits for it; an injected companion has its token instead
(contract 4). Never sends a call. A session ends with its lease or when the host does not know it; the next call begins
another.
"""

from __future__ import annotations

import os

from codeg.wire import requests
from codeg.wire.requests import RemoteError
from companion import hosts
from companion.envelopes import outcome_in, pack
from companion.link import Access, Unreachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from companion.connections import Connection, Opener
    from companion.link import Link
    from companion.opened import Asker
    from companion.timers import Timer, Timers

    Ready = Callable[["Access | Unreachable"], None]

HELLO_S: Final = 1.7
"""Seconds for `hello`: without a host that answers, a call is answered within 2 s (contract 4)."""


class Session:
    """The session of one companion. Each of `begun` is told of each new one."""

    def __init__(self, link: Link, opener: Opener, timers: Timers, environment: Mapping[str, str]) -> None:
        self.begun: list[Callable[[], None]] = []
        self.environment = environment
        self._link = link
        self._opener = opener
        self._timers = timers
        self._access: Access | None = None
        self._lease: Connection | None = None
        self._greeting: Connection | None = None
        self._limit: Timer | None = None
        self._waiting: list[Ready] = []

    @property
    def current(self) -> Access | None:
        """The access of a session that has begun, None without one, and for an injected companion."""
        return self._access

    def present(self) -> Access:
        """By what right anything but a call is asked: the session's, else the discovery record's.

        Raises:
            Unreachable: there is no host.
        """
        return self._access or self._link.present()

    def get(self, call: Asker, ready: Ready) -> Access | None:
        """The access for a call, at once if there is one; else None, and `ready` is called once `hello` has ended.

        Raises:
            Unreachable: there is no host to say hello to.
        """
        if self._link.injected:
            return self._link.given()
        if self._access is None:
            if self._greeting is None:
                self._greet(self._link.discovered(), call)
            self._waiting.append(ready)
        return self._access

    def forget(self, ready: Ready) -> None:
        """Nobody waits behind this callback any more."""
        if ready in self._waiting:
            self._waiting.remove(ready)

    def leave(self, access: Access | None) -> None:
        """This access turned out to be worth nothing: if it is still the session's, the next call says hello."""
        if access is not None and access is self._access:
            self._over()

    def _greet(self, record: Access, call: Asker) -> None:
        frame = pack(requests.hello(record.token, _client(call, self.environment)))
        self._greeting = self._opener.open(
            record.socket,
            frame,
            lambda payload: self._greeted(record.socket, payload),
            lambda _sent, reason: self._refused(unreached(reason)),
            keep=True,
        )
        text = "A Codeg host is running but does not answer; try again, or restart it."
        late = Unreachable("host_unavailable", text)
        self._limit = self._timers.after(HELLO_S, lambda: self._refused(late))

    def _greeted(self, socket: str, payload: bytes) -> None:
        try:
            outcome: Any = outcome_in(payload)
        except RemoteError as error:
            self._refused(Unreachable(error.code, error.message))
            return
        token = outcome.get("session_token") if requests.is_object(outcome) else None
        parent = outcome.get("parent_connection_id") if requests.is_object(outcome) else None
        if not isinstance(token, str) or not isinstance(parent, str):
            text = "The host's answer cannot be read; is it of another version?"
            self._refused(Unreachable("version_mismatch", text))
            return
        self._access = Access(socket, token, parent)
        self._lease, self._greeting = self._greeting, None
        if self._lease is not None:
            self._lease.lost = self._over
        self._tell(self._access)
        for tell in self.begun:
            tell()

    def _refused(self, error: Unreachable) -> None:
        if self._greeting is not None:
            self._greeting.close()
            self._greeting = None
        self._tell(error)

    def _tell(self, found: Access | Unreachable) -> None:
        if self._limit is not None:
            self._limit.cancel()
        waiting, self._waiting = self._waiting, []
        for ready in waiting:
            ready(found)

    def _over(self) -> None:
        if self._lease is not None:
            self._lease.close()
        self._lease = None
        self._access = None


def unreached(reason: str) -> Unreachable:
    """The host is known but could not be spoken to."""
    text = (
        f"The Codeg host cannot be reached ({reason}). Start the desktop (`codeg`) or `codeg serve`, then call again."
    )
    return Unreachable("host_unavailable", text)


def _client(call: Asker, environment: Mapping[str, str]) -> dict[str, Any]:
    try:
        folder = os.getcwd()
    except OSError:
        folder = "/"
    name = call.client.name
    return requests.client_of(
        hosts.normal_name(name)[:200],
        os.getpid(),
        folder,
        call.client.version[:200] or None,
        hosts.session_id(name, call.meta, environment)[:1_000] or None,
    )
