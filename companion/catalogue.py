"""What the host offers at this moment: asked at each `tools/list`, and after calls that show the listing may be stale.

Owns the listings that wait for it, and when a change is announced; never polls. Ends with each listing answered once:
by the host's answer, by its failure, or after 200 ms with what is known (contract 4).
"""

from __future__ import annotations

from codeg.wire import requests
from codeg.wire.requests import RemoteError
from companion.envelopes import outcome_in, pack
from companion.link import Unreachable
from companion.shapes import is_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from companion.connections import Connection, Opener
    from companion.link import Access
    from companion.mcp import Core
    from companion.opened import Listing
    from companion.timers import Timer, Timers

ANSWER_S: Final = 0.2
GIVE_UP_S: Final = 10.0
STALE_S: Final = 30.0
"""A call later than this after the last answer asks again, so that the listing follows the settings without polling."""
MANY: Final = 256
"""Listings that may wait at once; more are answered with what is known."""


class Catalogue:
    """The catalogue of one companion. `access`: by what right it is asked, raising `Unreachable` without a host."""

    def __init__(self, core: Core, access: Callable[[], Access], opener: Opener, timers: Timers) -> None:
        self._core = core
        self._access = access
        self._opener = opener
        self._timers = timers
        self._connection: Connection | None = None
        self._limit: Timer | None = None
        self._waiting: list[tuple[Listing, Timer]] = []
        self._listed = False
        self._asked_at = float("-inf")

    @property
    def waiting(self) -> bool:
        """Whether a listing is not answered yet; it will be, within 200 ms."""
        return bool(self._waiting)

    def list(self, listing: Listing) -> None:
        """Answers a listing as soon as the host has, or after 200 ms by what is known."""
        self._listed = True
        if len(self._waiting) >= MANY or (self._connection is None and not self._ask()):
            self._core.answer_listing(listing)
            return
        self._waiting.append((listing, self._timers.after(ANSWER_S, self._answer_overdue)))

    def follow(self, stale: bool) -> None:
        """Something has happened at the host: asks again if the listing is known to be stale, or old."""
        old = self._timers.now - self._asked_at > STALE_S
        if self._listed and self._connection is None and (stale or old):
            self._ask()

    def _ask(self) -> bool:
        try:
            access = self._access()
        except Unreachable:
            return False
        self._asked_at = self._timers.now
        frame = pack(requests.catalog(access.token))
        self._connection = self._opener.open(access.socket, frame, self._answered, self._failed)
        self._limit = self._timers.after(GIVE_UP_S, self._end)
        return True

    def _failed(self, _sent: bool, _reason: str) -> None:
        self._end()

    def _answered(self, payload: bytes) -> None:
        waited = bool(self._waiting)
        try:
            changed = self._take(outcome_in(payload))
        except RemoteError:
            changed = False
        self._end()
        if changed and not waited:
            self._core.tools_changed()

    def _take(self, outcome: Any) -> bool:
        agents, groups = _names(outcome, "agents"), _names(outcome, "groups")
        return agents is not None and groups is not None and self._core.toolbox.update(agents, groups)

    def _end(self) -> None:
        assert self._limit is not None
        assert self._connection is not None
        self._limit.cancel()
        self._connection.close()
        self._connection = None
        waiting, self._waiting = self._waiting, []
        for listing, timer in waiting:
            timer.cancel()
            self._core.answer_listing(listing)

    def _answer_overdue(self) -> None:
        while self._waiting and self._waiting[0][1].call is None:
            self._core.answer_listing(self._waiting.pop(0)[0])


def _names(outcome: Any, field: str) -> list[str] | None:
    found: Any = outcome.get(field) if requests.is_object(outcome) else None
    return found if is_list(found) and all(isinstance(name, str) for name in found) else None
