"""The list of sessions as the person keeps it: titles, marks, deletion; and what a front end remembers for itself.

Owns the order in which a session is deleted. All of it is durable when a call returns. Ends with the host.
"""

import anyio

from codeg.broker.events import RootDeleted
from codeg.runtime.asking import invalid
from codeg.runtime.conversation import Surroundings
from codeg.runtime.loop import DelegationBroker
from codeg.runtime.roots import Roots
from codeg.runtime.services import UserError
from codeg.runtime.snapshots import Change, TaskChanged
from codeg.store.records import DeleteSessions, SaveKept, SaveMarks, SessionRecord

MOST_TITLE = 200
MOST_NAME = 200
MOST_KEPT = 4 * 1024 * 1024
END_S = 20.0
"""Seconds for the end of a session's agents; each of them has 5."""
ERASED_AT_ONCE = 500
"""Entries that one turn of the database erases: some milliseconds."""


class Shelf:
    """All calls belong to the event loop's thread."""

    def __init__(self, around: Surroundings, broker: DelegationBroker, roots: Roots) -> None:
        self._sessions = around.sessions
        self._snapshots = around.snapshots
        self._database = around.database
        self._wall_ms = around.wall_ms
        self._desk = around.desk
        self._broker = broker
        self._roots = roots

    async def rename(self, session_id: str, title: str) -> SessionRecord:
        """Set the person's title.

        Raises:
            UserError: unknown session, too long.
        """
        line = " ".join(title.split())
        if len(line) > MOST_TITLE:
            raise invalid(f"A title has at most {MOST_TITLE} characters.")
        return await self._marked(SaveMarks(session_id, custom_title=line))

    async def mark(
        self, session_id: str, *, pinned: bool | None, archived: bool | None, seen: bool | None
    ) -> SessionRecord:
        """Change what is given.

        Raises:
            UserError: unknown session.
        """
        seen_ms = None if seen is None else self._wall_ms() if seen else 0
        return await self._marked(SaveMarks(session_id, pinned=pinned, archived=archived, seen_ms=seen_ms))

    async def _marked(self, marks: SaveMarks) -> SessionRecord:
        session_id = marks.session_id
        await self._record(session_id)
        await self._database.commit([marks])
        record = await self._record(session_id)  # it may stand otherwise by now
        return self._sessions.mark(self._sessions.get(session_id) or record, marks)

    async def _record(self, session_id: str) -> SessionRecord:
        held = self._sessions.get(session_id)
        record = held or await self._database.run(lambda store: store.session(session_id))
        if record is None or self._sessions.is_deleted(session_id):
            raise invalid(f"There is no session {session_id}.")
        return record

    async def delete(self, session_id: str) -> None:
        """Delete a root or outside session with its tree.

        Raises:
            UserError: unknown, a child, a connected outside session.
        """
        record = await self._record(session_id)
        if record.kind == "child":
            raise invalid("An agent's conversation goes with the session that it belongs to; delete that one.")
        if record.state == "connected":
            name = record.host or "the host program"
            raise UserError("conflict", f"This session is connected; end {name} first, then delete it.")
        self._sessions.deleting(session_id)
        try:
            await self._roots.close(session_id)
            await self._end_tasks(session_id)
        except BaseException:
            self._sessions.deleting(session_id, over=True)
            raise
        with anyio.CancelScope(shield=True):  # half a deletion is worse than a late one
            await self._erase(session_id)

    async def _erase(self, session_id: str) -> None:
        tree = await self._database.run(lambda store: store.session_tree(session_id))
        self._sessions.seal(tree)
        for each in tree:  # questions of an outside session outlive its leases
            self._desk.session_gone(each)
        while await self._database.run(lambda store: store.erase(tree, ERASED_AT_ONCE)):
            pass
        await self._database.commit([DeleteSessions(tree)])
        self._broker.forget_results(tree)
        for each in tree:
            self._sessions.deleted(each)

    async def _end_tasks(self, root_id: str) -> None:
        """End all tasks of the conversation for good, and wait until their agents are gone and all is written."""
        moved = anyio.Event()

        def noted(change: Change) -> None:
            if isinstance(change.what, TaskChanged) and change.what.view.record.root_id == root_id:
                moved.set()

        unsubscribe = self._snapshots.subscribe(noted)
        try:
            self._broker.post(RootDeleted(root_id))
            with anyio.move_on_after(END_S):
                await self._broker.settled()
                while self._broker.open_below(root_id):
                    await moved.wait()
                    moved = anyio.Event()
                    await self._broker.settled()
                return
        finally:
            unsubscribe()
        raise UserError("conflict", "The agents of this session have not ended yet; delete it again in a moment.")

    async def keep(self, name: str, text: str) -> None:
        """Remember a text.

        Raises:
            UserError: no name, or too much.
        """
        if not name or len(name) > MOST_NAME:
            raise invalid(f"What is kept has a name of 1 to {MOST_NAME} characters.")
        if len(text) > MOST_KEPT:
            raise invalid(f"A text that is kept has at most {MOST_KEPT} characters.")
        await self._database.commit([SaveKept(name, text)])

    async def kept(self, name: str) -> str | None:
        """Read it back."""
        return await self._database.run(lambda store: store.kept(name))
