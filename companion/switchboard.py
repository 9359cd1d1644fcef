"""Where calls and listings of the client go.

Owns that what carries calls is loaded with the first of them: the start up to `tools/list`, which host programs race
against (speed, P1), needs none of it. Never looks into a call. Ends as the relay does.
"""

from __future__ import annotations

from companion.catalogue import Catalogue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.connections import Opener
    from companion.link import Access, Link
    from companion.mcp import Core
    from companion.opened import Call, Listing
    from companion.relay import Relay
    from companion.timers import Timers


class Switchboard:
    """The one place that the loop hands work to."""

    def __init__(self, core: Core, link: Link, opener: Opener, timers: Timers, environment: Mapping[str, str]) -> None:
        self._core = core
        self._link = link
        self._opener = opener
        self._timers = timers
        self._environment = environment
        self._relay: Relay | None = None
        self._ending = False
        self._given_up = False
        self._catalogue = Catalogue(core, self._present, opener, timers)

    @property
    def busy(self) -> bool:
        """Whether a call or a listing is open, or something is being told to the host."""
        return self._catalogue.waiting or (self._relay is not None and self._relay.busy)

    def take_listings(self) -> None:
        """Takes the listings that the core has read."""
        core = self._core
        if core.listings:
            listings, core.listings = core.listings, []
            for listing in listings:
                self.list(listing)

    def take_calls(self) -> None:
        """Takes the calls that the core has read, and its cancels; what was cancelled meanwhile is never begun."""
        core = self._core
        started, core.started = core.started, []
        dropped, core.dropped = core.dropped, []
        never = set(started).intersection(dropped) if dropped else ()
        for call in started:
            if call not in never:
                self.start(call)
        for call in dropped:
            if call not in never:
                self.drop(call)

    def list(self, listing: Listing) -> None:
        """Answers `tools/list` with what the host offers, within 200 ms."""
        self._catalogue.list(listing)

    def start(self, call: Call) -> None:
        """Takes an open call."""
        if self._relay is None:
            self._relay = self._load()
        self._relay.start(call)

    def drop(self, call: Call) -> None:
        """The client cancelled this call."""
        if self._relay is not None:
            self._relay.drop(call)

    def wind_down(self) -> None:
        """The companion ends: waits are answered with the present status, short calls may still finish."""
        self._ending = True
        if self._relay is not None:
            self._relay.wind_down()

    def give_up(self) -> None:
        """No more patience: open set-ups are cancelled at the host, and all that is open is answered."""
        self._given_up = True
        if self._relay is not None:
            self._relay.give_up()

    def _load(self) -> Relay:
        from companion.relay import Relay  # noqa: PLC0415  # see above
        from companion.session import Session  # noqa: PLC0415  # see above

        session = Session(self._link, self._opener, self._timers, self._environment)
        relay = Relay(self._core, session, self._catalogue, self._opener, self._timers)
        if self._ending:
            relay.wind_down()
        if self._given_up:
            relay.give_up()
        return relay

    def _present(self) -> Access:
        return self._link.present() if self._relay is None else self._relay.session.present()
