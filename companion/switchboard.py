"""Where calls and listings of the client go.

Owns that what carries calls is loaded with the first of them: the start up to `tools/list`, which host programs race
against (speed, P1), needs none of it. Never looks into a call. Ends as the relay does.
"""

from __future__ import annotations

from companion.catalogue import Catalogue
from companion.opened import Subscription

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.connections import Opener
    from companion.link import Access, Link
    from companion.mcp import Core
    from companion.opened import Call, Listing
    from companion.relay import Relay
    from companion.timers import Timers
    from companion.watching import Watch


class Switchboard:
    """The one place that the loop hands work to."""

    def __init__(self, core: Core, link: Link, opener: Opener, timers: Timers, environment: Mapping[str, str]) -> None:
        self._core = core
        self._link = link
        self._opener = opener
        self._timers = timers
        self._environment = environment
        self._relay: Relay | None = None
        self._watch: Watch | None = None
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
        """Takes the calls and watches that the core has read, and its cancels; what was cancelled is never begun."""
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

    def start(self, item: Call | Subscription) -> None:
        """Takes an open call, or a subscription to tasks."""
        if self._relay is None:
            self._relay = self._load()
        if isinstance(item, Subscription):
            self._watching(self._relay).add(item)
        else:
            self._relay.start(item)

    def drop(self, item: Call | Subscription) -> None:
        """The client cancelled it."""
        if isinstance(item, Subscription):
            if self._watch is not None:
                self._watch.remove(item)
        elif self._relay is not None:
            self._relay.drop(item)

    def wind_down(self) -> None:
        """The companion ends: waits are answered with the present status, short calls may still finish."""
        self._ending = True
        if self._watch is not None:
            self._watch.close()
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

    def _watching(self, relay: Relay) -> Watch:
        if self._watch is None:
            from companion.watching import Watch  # noqa: PLC0415  # see above

            self._watch = Watch(self._core, relay.session, self._opener, self._timers)
            if self._ending:
                self._watch.close()
        return self._watch

    def _present(self) -> Access:
        return self._link.present() if self._relay is None else self._relay.session.present()
