"""The host's door on the socket: who may come in, how many, and how long (contract 5).

Owns all connections of one transport, their counts and limits, and the task group in which answers are worked out; a
call that merely waits costs no task. It answers nothing itself: the door (`answering`) does. Ends by
`stop_accepting`, `drain` and cancellation of `run`, which closes what is left.
"""

import logging
import os
import sys
from dataclasses import dataclass
from typing import Protocol

import anyio
from anyio.abc import TaskGroup, TaskStatus

from codeg.runtime.exchange import Exchange
from codeg.runtime.tokens import Grant, Tokens
from codeg.runtime.transport import Server
from codeg.wire.models import Request, WireFault

logger = logging.getLogger(__name__)

MOST_CONNECTIONS = 4096
PER_TOKEN = 512
UNAUTHENTICATED_BYTES = 64 * 1024 * 1024
TURNED_AWAY = 64
"""Refused connections that are told so at one time; beyond that they are closed without a word."""

_BUSY = "The host has as many open connections as it takes; try again in a moment."


@dataclass(frozen=True, slots=True)
class DoorLimits:
    """`connections` over all, `per_token` (leases not counted), `unauthenticated`: bytes of requests not yet whole."""

    connections: int = MOST_CONNECTIONS
    per_token: int = PER_TOKEN
    unauthenticated: int = UNAUTHENTICATED_BYTES


class Door(Protocol):
    """What answers requests."""

    def enter(self, group: TaskGroup) -> None:
        """Work is started in this group from now on."""
        ...

    def leave(self) -> None:
        """The group has ended; no work is started any more."""
        ...

    def take(self, exchange: Exchange, grant: Grant, request: Request) -> None:
        """Answer it, now or later. Must not raise."""
        ...


def raised_limits() -> DoorLimits:
    """The limits that this process's descriptors allow; the endpoint has raised them at start."""
    if sys.platform == "win32":
        return DoorLimits()
    import resource  # noqa: PLC0415  # not on Windows

    return DoorLimits(connections_for(resource.getrlimit(resource.RLIMIT_NOFILE)[0]))


def connections_for(descriptors: int) -> int:
    """Half the descriptors, 4,096 at most; a negative number means no limit."""
    return MOST_CONNECTIONS if descriptors < 0 else max(1, min(MOST_CONNECTIONS, descriptors // 2))


class Listener:
    """Keeps `exchange.Hall`. `uid`: the only user that may come in; None where the transport sees to that itself."""

    def __init__(self, door: Door, tokens: Tokens, *, uid: int | None = None, limits: DoorLimits | None = None) -> None:
        self._door = door
        self._tokens = tokens
        if uid is None and sys.platform != "win32":
            uid = os.getuid()
        self._uid = uid
        self._limits = limits or DoorLimits()
        self._open: set[Exchange] = set()
        self._turned_away: set[Exchange] = set()
        self._of_token: dict[bytes, set[Exchange]] = {}
        self._token_of: dict[Exchange, bytes] = {}
        self._leases: set[Exchange] = set()
        self._held: dict[Exchange, int] = {}
        self._unauthenticated = 0
        self._group: TaskGroup | None = None
        self._server: Server | None = None
        self._emptied = anyio.Event()
        tokens.on_death(self._token_died)

    @property
    def connections(self) -> int:
        """Connections that count against the limit now, leases among them."""
        return len(self._open)

    @property
    def leases(self) -> int:
        """Leases among them."""
        return len(self._leases)

    async def run(self, server: Server, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Serve until cancelled; started when it accepts.

        Raises:
            OSError: the transport cannot listen.
        """
        self._server = server
        try:
            async with anyio.create_task_group() as group:
                self._group = group
                self._door.enter(group)
                await server.open(lambda: Exchange(self))
                task_status.started()
                await anyio.sleep_forever()
        finally:
            self._group = None
            self._door.leave()
            await server.close()
            for exchange in (*self._open, *self._turned_away):
                exchange.drop()

    async def stop_accepting(self) -> None:
        """No new connection from now on; open ones get their answers."""
        if self._server is not None:
            await self._server.close()

    async def drain(self, within_s: float) -> None:
        """Return when no connection waits for an answer any more (leases aside), or the time is up."""
        with anyio.move_on_after(within_s):
            while self._open - self._leases:
                self._emptied = anyio.Event()
                await self._emptied.wait()

    # ---- what connections ask of their hall

    def admit(self, exchange: Exchange) -> WireFault | None:
        """Count it in, if its user and the number of connections allow."""
        uid = exchange.peer.uid
        if uid is not None and uid != self._uid:
            logger.warning("connection of another user refused")
            return WireFault("not_authorized", "Only the user who runs the host may connect.")
        if len(self._open) < self._limits.connections:
            self._open.add(exchange)
            return None
        if len(self._turned_away) >= TURNED_AWAY:
            return WireFault("not_authorized", _BUSY)
        self._turned_away.add(exchange)
        return WireFault("busy", _BUSY)

    def hold(self, exchange: Exchange, held: int) -> WireFault | None:
        """Count the bytes of unfinished requests."""
        before = self._held.pop(exchange, 0)
        if held:
            self._held[exchange] = held
        self._unauthenticated += held - before
        if held > before and self._unauthenticated > self._limits.unauthenticated:
            return WireFault("busy", "The host holds as many unfinished requests as it takes; try again in a moment.")
        return None

    def recognise(self, exchange: Exchange, token: str) -> Grant:
        """Whose token this is; the connection counts for it from now on.

        Raises:
            WireFault: `not_authorized`, or `busy`.
        """
        grant = self._tokens.find(token)
        if grant is None:
            raise WireFault("not_authorized", "The token is not, or not any more, one of this host's.")
        with_it = self._of_token.setdefault(grant.digest, set())
        if len(with_it) >= self._limits.per_token:
            raise WireFault("busy", f"{self._limits.per_token} requests with this token are open; wait for one.")
        with_it.add(exchange)
        self._token_of[exchange] = grant.digest
        return grant

    def take(self, exchange: Exchange, grant: Grant, request: Request) -> None:
        """Hand it to the door."""
        if self._group is None:
            exchange.fail(WireFault("busy", "The host is ending."))
        else:
            self._door.take(exchange, grant, request)

    def leased(self, exchange: Exchange) -> None:
        """A lease does not count for its token, and nobody waits for it."""
        self._uncount(exchange)
        self._leases.add(exchange)
        self._emptied.set()

    def left(self, exchange: Exchange) -> None:
        """It is over."""
        self.hold(exchange, 0)
        self._uncount(exchange)
        self._open.discard(exchange)
        self._turned_away.discard(exchange)
        self._leases.discard(exchange)
        self._emptied.set()

    # ---- inside

    def _uncount(self, exchange: Exchange) -> None:
        digest = self._token_of.pop(exchange, None)
        if digest is None:
            return
        with_it = self._of_token[digest]
        with_it.discard(exchange)
        if not with_it:
            del self._of_token[digest]

    def _token_died(self, grant: Grant) -> None:
        for exchange in tuple(self._of_token.get(grant.digest, ())):
            exchange.break_off(WireFault("not_authorized", "The token has died with its session or lease."))
