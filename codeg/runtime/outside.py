"""Outside sessions: who a registered companion speaks for, and for how long (contract 1).

Owns the identities of host programs seen since the host started and their leases; the store keeps the rest. An
identity is the host program's normalised name, its folder and its own session id where it gives one. It never ends a
task: when the last lease of an identity ends, the ledger is told and decides. All calls belong to the event loop's
thread.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import anyio

from codeg.broker.events import LeaseBegan, LeaseEnded
from codeg.runtime.registrations.programs import PROGRAMS
from codeg.runtime.services import BrokerPort, DatabasePort, SessionsPort, UserError
from codeg.store.records import SessionRecord

_LONGEST_NAME = 100
_SERVER_SUFFIX = re.compile(r"(?<=.)[-_. ]codeg(?:[-_. ]mcp)?$")
_CLIENT_OF_SERVER = re.compile(r"^(.+?-mcp-client)-.+$")
_VERSION = re.compile(r"(?<=.)(?:[\s/@:]+v?\d[\w.+-]*|[-_]v?\d+\.\d+[\w.+-]*)$")
_FORBIDDEN = re.compile(r"[^\w.@/+-]+")
_LABELS = {program.client: program.label for program in PROGRAMS}
"""What a person calls the host programs that we know, by the name that they give themselves."""


@dataclass(frozen=True, slots=True)
class Guest:
    """What `hello` tells of a companion.

    `folder` absolute; `session_id`: the host program's own, where it gives one.
    """

    name: str
    folder: str
    session_id: str | None = None


def normal_name(name: str) -> str:
    """The host program's name without version and without a server's name (`qwen-cli-mcp-client-codeg`)."""
    plain = _VERSION.sub("", name.strip().lower()).strip()
    plain = _FORBIDDEN.sub("-", plain).strip("-")
    client = _CLIENT_OF_SERVER.match(plain)
    plain = client[1] if client else _SERVER_SUFFIX.sub("", plain)
    return plain[:_LONGEST_NAME] or "unknown"


def identity_of(guest: Guest) -> tuple[str, str]:
    """Name and folder as identities are kept.

    Raises:
        UserError: the folder is not absolute.
    """
    if not os.path.isabs(guest.folder):
        raise UserError("invalid_request", "The field client.cwd must be an absolute path.")
    return normal_name(guest.name), os.path.normpath(guest.folder)


class Outside:
    """`fresh_id` makes session ids; `wall_ms` is the wall clock in epoch milliseconds."""

    def __init__(
        self,
        sessions: SessionsPort,
        broker: BrokerPort,
        database: DatabasePort,
        *,
        fresh_id: Callable[[], str],
        wall_ms: Callable[[], int],
    ) -> None:
        self._sessions = sessions
        self._broker = broker
        self._database = database
        self._fresh_id = fresh_id
        self._wall_ms = wall_ms
        self._known: dict[tuple[str, str], list[SessionRecord]] = {}
        """Identities by name and folder, newest first."""
        self._place: dict[str, tuple[str, str]] = {}
        self._leases: dict[str, int] = {}
        self._lock = anyio.Lock()

    async def begin(self, guest: Guest) -> str:
        """Open a lease; returns the session id, which is durable by then and known to the ledger as leased.

        Raises:
            UserError: the folder is not absolute.
            Exception: the store's, when it cannot be written; no lease is open then.
        """
        key = identity_of(guest)
        async with self._lock:
            found = self._choose(await self._identities(key), guest.session_id or None)
            record = found or self._new(key, guest.session_id or None)
            first = self._leases.get(record.session_id, 0) == 0
            if first or self._sessions.get(record.session_id) is None:
                connected = replace(record, state="connected", updated_ms=self._wall_ms())
                await self._sessions.save(connected)
                self._hold(key, connected)
            self._leases[record.session_id] = self._leases.get(record.session_id, 0) + 1
        if first:
            self._broker.post(LeaseBegan(record.session_id))
        return record.session_id

    async def end(self, session_id: str) -> None:
        """One lease of this session is over; with the last one the ledger is told and the session is `gone`."""
        left = self._leases.get(session_id, 0) - 1
        if left > 0:
            self._leases[session_id] = left
            return
        if self._leases.pop(session_id, None) is None:
            return
        self._broker.post(LeaseEnded(session_id))
        async with self._lock:
            key = self._place[session_id]
            record = next(known for known in self._known[key] if known.session_id == session_id)
            if session_id in self._leases or record.state == "gone":
                return
            gone = replace(record, state="gone", updated_ms=self._wall_ms())
            self._hold(key, gone)
            await self._sessions.save(gone)

    def leased(self, session_id: str) -> bool:
        """A companion of this session is connected."""
        return session_id in self._leases

    def readable(self, session_id: str) -> tuple[str, ...]:
        """Sessions whose tasks and questions this one may read: itself, then its ended namesakes.

        Those are the identities of the same name and folder without a live lease.
        """
        key = self._place.get(session_id)
        if key is None:
            return (session_id,)
        others = (known.session_id for known in self._known[key])
        return (session_id, *(other for other in others if other != session_id and other not in self._leases))

    async def _identities(self, key: tuple[str, str]) -> list[SessionRecord]:
        if key not in self._known:
            host, folder = key
            stored = await self._database.run(lambda store: store.outside_sessions(host, folder))
            self._known[key] = list(stored)
            self._place.update((record.session_id, key) for record in stored)
        return self._known[key]

    def _choose(self, known: list[SessionRecord], own_id: str | None) -> SessionRecord | None:
        """With an id, the identity of that id; without, the newest that nobody leases. A deleted one is none."""
        for record in known:
            if self._sessions.is_deleted(record.session_id):
                continue
            if own_id is None:
                if record.session_id not in self._leases:
                    return record
            elif record.host_session_id == own_id:
                return record
        return None

    def _new(self, key: tuple[str, str], own_id: str | None) -> SessionRecord:
        host, folder = key
        session_id, now = self._fresh_id(), self._wall_ms()
        return SessionRecord(
            session_id=session_id,
            kind="outside",
            folder=folder,
            state="connected",
            created_ms=now,
            updated_ms=now,
            root_id=session_id,
            host=host,
            host_session_id=own_id,
            title=f"{_LABELS.get(host, host)} in {os.path.basename(folder) or folder}",
        )

    def _hold(self, key: tuple[str, str], record: SessionRecord) -> None:
        known = self._known[key]
        self._place[record.session_id] = key
        for index, held in enumerate(known):
            if held.session_id == record.session_id:
                known[index] = record
                return
        known.insert(0, record)
