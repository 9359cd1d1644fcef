"""The person delegates: a call for a session's sake that its model did not make.

Owns the way from the person's words to the ledger's event. The limits hold as for any call; a folder that the person
names needs no question, and no tool call of the parent belongs to the task. It decides nothing that the ledger decides.
"""

import uuid
from typing import Any

import anyio.to_thread

from codeg.broker.events import CallReceived
from codeg.broker.tasks import Parent
from codeg.runtime.asking import invalid
from codeg.runtime.services import CataloguePort, DatabasePort, UserError
from codeg.runtime.sessions import Sessions, parent_of
from codeg.runtime.task_ids import new_task_id
from codeg.runtime.translate import digest_of, judge_folder, keyed_record, read_arguments


class Delegating:
    """All calls belong to the event loop's thread."""

    def __init__(self, sessions: Sessions, database: DatabasePort, catalogue: CataloguePort) -> None:
        self._sessions = sessions
        self._database = database
        self._catalogue = catalogue

    async def prepare(
        self, session_id: str, agent: str, task: str, working_dir: str | None, key: str | None
    ) -> CallReceived:
        """The event of this call; its `ref` is 0, to be set by the asker.

        Raises:
            UserError: unknown session, or a child that has ended.
        """
        await self._catalogue.look_ready()
        given: dict[str, Any] = {"agent_type": agent, "task": task, "working_dir": working_dir, "idempotency_key": key}
        arguments = read_arguments(given, self._catalogue)
        parent = await self._parent(session_id)
        folder = await anyio.to_thread.run_sync(judge_folder, arguments.working_dir, parent.folder, "allow")
        return CallReceived(
            ref=0,
            parent=parent,
            task_id=new_task_id(arguments.agent_type, arguments.task),
            child_id=str(uuid.uuid4()),
            agent_type=arguments.agent_type,
            task_text=arguments.task,
            working_dir=folder.path,
            explicit_dir=arguments.working_dir,
            idempotency_key=arguments.idempotency_key,
            digest=digest_of(arguments),
            refusal=arguments.refusal or folder.refusal,
            keyed_record=await keyed_record(self._database, parent, arguments),
            by_person=True,
        )

    async def _parent(self, session_id: str) -> Parent:
        """A session that can delegate now, or a root that has ended: its tasks belong to the conversation."""
        parent = self._sessions.parent(session_id)
        if parent is not None:
            return parent
        record = await self._database.run(lambda store: store.session(session_id))
        if record is None or self._sessions.is_deleted(session_id):
            raise invalid(f"There is no session {session_id}.")
        if record.kind == "child":
            raise UserError("parent_gone", "This agent has ended; delegate from the session that it belongs to.")
        return parent_of(record)
