"""The registry of conversations: who is live, who may delegate with which tools, which process is whose.

Owns the records of live sessions and of outside ones seen since the host started; ended ones are in the store. Never
starts or ends anything. Ends with the host.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from codeg.broker.tasks import Limits, Parent
from codeg.runtime.services import CataloguePort, DatabasePort
from codeg.runtime.snapshots import LIVE_STATES, SessionChanged, SessionDeleted, Snapshots
from codeg.sessions.types import ProcessStarted
from codeg.store.records import SaveMarks, SaveSession, SessionRecord

GROUPS = ("delegation", "ask", "feedback")
"""Tool groups in the order of the flag (contract 4)."""


class Sessions:
    """Keeps `services.SessionsPort`. All calls belong to the event loop's thread."""

    def __init__(
        self,
        database: DatabasePort,
        snapshots: Snapshots,
        catalogue: CataloguePort,
        limits: Callable[[], Limits],
        wall_ms: Callable[[], int],
    ) -> None:
        self._database = database
        self._snapshots = snapshots
        self._catalogue = catalogue
        self._limits = limits
        self._wall_ms = wall_ms
        self._held: dict[str, SessionRecord] = {}
        self._processes: dict[str, ProcessStarted] = {}
        self._attempts: dict[str, tuple[str, int]] = {}
        self._marks: dict[str, SaveMarks] = {}
        """The person's marks that were changed since the host started, as they are now, by session."""
        self._deleted: dict[str, bool] = {}
        """Sessions that are being deleted, and (True) that were."""

    def get(self, session_id: str) -> SessionRecord | None:
        """A session that this host holds."""
        return self._held.get(session_id)

    def parent(self, session_id: str) -> Parent | None:
        """The session as a delegating parent; None when it has ended."""
        record = self._held.get(session_id)
        return parent_of(record) if record is not None and session_id not in self._deleted else None

    def groups(self, session_id: str) -> tuple[str, ...]:
        """Tool groups that the session may use now; none once it has ended."""
        record = self._held.get(session_id)
        if record is None:
            return ()
        return self.groups_for(record.depth, record.agent_type)

    def groups_for(self, depth: int, agent_type: str | None) -> tuple[str, ...]:
        """Delegation is withheld at the last level, from agents told so, and when it is off (contract 6, Limits)."""
        limits = self._limits()
        agent = self._catalogue.find(agent_type) if agent_type else None
        may = limits.enabled and depth < limits.depth_limit and (agent is None or agent.delegate)
        return GROUPS if may else GROUPS[1:]

    async def save(self, record: SessionRecord) -> None:
        """Add or replace a session, durably, and tell the observers."""
        if not self._deleted.get(record.session_id):
            await self._database.commit([SaveSession(record)])
        if not self._deleted.get(record.session_id):
            self._hold(record)

    def put(self, record: SessionRecord) -> None:
        """Like `save`, but durable only with the next commit."""
        if not self._deleted.get(record.session_id):
            self._database.write([SaveSession(record)])
            self._hold(record)

    def change(
        self,
        session_id: str,
        *,
        state: str | None = None,
        title: str | None = None,
        agent_session_id: str | None = None,
    ) -> None:
        """Change what is given of a held session; nothing changed, or not held: nothing is written."""
        record = self._held.get(session_id)
        if record is None:
            return
        changed = replace(
            record,
            state=record.state if state is None else state,
            title=record.title if title is None else title,
            agent_session_id=record.agent_session_id if agent_session_id is None else agent_session_id,
        )
        if changed != record:
            self.put(replace(changed, updated_ms=self._wall_ms()))

    def mark(self, record: SessionRecord, change: SaveMarks) -> SessionRecord:
        """Take over what the person changed (it is durable already) of a session that may be held; tell it."""
        before = self._marks.get(record.session_id)
        self._marks[record.session_id] = change if before is None else replace(before, **_given(change))
        marked = self._marked(record)
        if record.session_id in self._held:
            self._held[record.session_id] = marked
        self._snapshots.tell(SessionChanged(marked))
        return marked

    def deleting(self, session_id: str, *, over: bool = False) -> None:
        """The session is being deleted: nothing begins in it any more. `over`: it is not, after all."""
        if over:
            del self._deleted[session_id]
        else:
            self._deleted[session_id] = False

    def seal(self, session_ids: Iterable[str]) -> None:
        """They are about to leave the store: nothing late brings them back."""
        self._deleted.update(dict.fromkeys(session_ids, True))

    def deleted(self, session_id: str) -> None:
        """Nothing is left of it."""
        self._held.pop(session_id, None)
        self._marks.pop(session_id, None)
        self._snapshots.tell(SessionDeleted(session_id))

    def is_deleted(self, session_id: str) -> bool:
        """It was deleted since the host started, or is being deleted."""
        return session_id in self._deleted

    async def page(self, limit: int = 500) -> tuple[SessionRecord, ...]:
        """Sessions, newest first, from the store."""
        return await self._database.run(lambda store: store.sessions_page(limit))

    def live(self) -> tuple[SessionRecord, ...]:
        """All that are held."""
        return tuple(self._held.values())

    def part_with_guests(self) -> None:
        """The host ends: outside sessions that are still connected lose it."""
        for record in tuple(self._held.values()):
            if record.kind == "outside":
                self.change(record.session_id, state="gone")

    def attempt_began(self, session_id: str, task_id: str, attempt: int) -> None:
        """The child session works on this attempt of its task."""
        self._attempts[session_id] = (task_id, attempt)

    def attempt_over(self, session_id: str) -> None:
        """It does so no longer."""
        self._attempts.pop(session_id, None)

    def attempt(self, session_id: str) -> tuple[str, int] | None:
        """Task and attempt that a child session works on now; None for others."""
        return self._attempts.get(session_id)

    def process_began(self, session_id: str, process: ProcessStarted) -> None:
        """This agent runs for that session."""
        self._processes[session_id] = process

    def process_over(self, session_id: str) -> None:
        """Its process tree is gone."""
        self._processes.pop(session_id, None)

    def processes(self) -> tuple[tuple[ProcessStarted, str], ...]:
        """Agents that run now, each with its session id."""
        return tuple((process, session_id) for session_id, process in self._processes.items())

    def _marked(self, record: SessionRecord) -> SessionRecord:
        """The record with the person's marks as they are now, whatever the copy was made from."""
        marks = self._marks.get(record.session_id)
        return record if marks is None else replace(record, **_given(marks))

    def _hold(self, record: SessionRecord) -> None:
        record = self._marked(record)
        if record.kind == "outside" or record.state in LIVE_STATES:
            self._held[record.session_id] = record
        else:
            self._held.pop(record.session_id, None)
        self._snapshots.tell(SessionChanged(record))


def parent_of(record: SessionRecord) -> Parent:
    """The session as a delegating parent."""
    return Parent(
        parent_id=record.session_id,
        root_id=record.root_id,
        depth=record.depth,
        folder=record.folder,
        outside=record.kind == "outside",
    )


def _given(marks: SaveMarks) -> dict[str, Any]:
    given: dict[str, Any] = {
        "custom_title": marks.custom_title,
        "pinned": marks.pinned,
        "archived": marks.archived,
        "seen_ms": marks.seen_ms,
    }
    return {name: value for name, value in given.items() if value is not None}
