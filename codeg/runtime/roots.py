"""Root sessions: agents that a person talks to, from the desktop or from `codeg run`.

Owns the live ones: each is opened, prompted any number of times, cancelled, closed. An ordinary end of a turn leaves
its tasks at work; a cancel, a close or a crash ends them by an event to the ledger. Never decides what becomes of a
task. Ends when its group is cancelled.
"""

import logging
import os
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import anyio
import anyio.abc

from codeg.broker.codes import Code
from codeg.broker.events import ParentCanceled, ParentGone
from codeg.broker.tasks import ProcessIdentity
from codeg.runtime.asking import invalid, title_line
from codeg.runtime.conversation import Conversation, Start, Surroundings
from codeg.runtime.services import UserError
from codeg.runtime.snapshots import NotesOffered, TurnFinished
from codeg.sessions.connection import AgentConnection, AgentFailure
from codeg.sessions.types import AgentDefinition, TurnUsage
from codeg.store.records import SessionRecord

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RootFacts:
    """What a front end shows of a live root beside its record. `modes`: (id, name)."""

    modes: tuple[tuple[str, str], ...]
    mode: str | None
    usage: TurnUsage
    live_line: str
    tool_calls: int


class Root:
    """One live root session."""

    def __init__(self, around: Surroundings, start: Start) -> None:
        self._around = around
        self._session_id = start.session_id
        self._conversation = Conversation(around, start, on_process=_nothing, on_exit=self._exited)
        self._moved = anyio.Event()
        self._scope = anyio.CancelScope()
        self._pending: tuple[str, tuple[str, ...]] | None = None
        self._closing = False
        self._turning = False
        self._canceled = False
        self._failure: AgentFailure | None = None
        self.opened = anyio.Event()
        self.gone = anyio.Event()

    @property
    def connection(self) -> AgentConnection | None:
        """The agent, once its session is open."""
        return self._conversation.connection

    @property
    def failure(self) -> AgentFailure | None:
        """Why it could not be opened, or broke."""
        return self._failure

    @property
    def closing(self) -> bool:
        """It takes no more prompts."""
        return self._closing

    @property
    def busy(self) -> bool:
        """A turn is under way or about to begin."""
        return self._turning or self._pending is not None

    def facts(self) -> RootFacts | None:
        """What a front end shows; None before the session is open."""
        connection = self.connection
        if connection is None:
            return None
        return RootFacts(
            modes=connection.modes,
            mode=connection.mode,
            usage=self._conversation.usage,
            live_line=connection.live_line(),
            tool_calls=connection.tool_calls(),
        )

    def prompt(self, text: str, note_ids: Sequence[str]) -> None:
        """Begin a turn; `note_ids` are notes that `text` holds, delivered once it is written."""
        self._pending = (text, tuple(note_ids))
        self._moved.set()

    async def cancel(self) -> None:
        """Cancel the turn under way and its tasks; what waits for the person is withdrawn."""
        self._canceled = self._turning
        self._around.post(ParentCanceled(parent_id=self._session_id))
        self._drop_pending(Code.CANCELED, "Cancelled before the prompt was sent.")
        self._around.desk.session_gone(self._session_id)
        if self.connection is not None:
            await self.connection.cancel()

    def _drop_pending(self, code: str, sentence: str) -> None:
        """A prompt that never became a turn is answered all the same."""
        if self._pending is not None:
            self._pending = None
            self._around.snapshots.tell(TurnFinished(self._session_id, None, code, sentence))

    def close(self) -> None:
        """End the session, at any moment."""
        self._closing = True
        self._moved.set()
        if self.connection is None:
            self._scope.cancel()

    async def run(self, over: Callable[[], None]) -> None:
        """Live through the session; never raises but for cancellation."""
        try:
            with self._scope:
                await self._live()
        except AgentFailure as failure:
            self._failure = failure
        except Exception:
            logger.exception("session %s", self._session_id)
            self._failure = AgentFailure(
                Code.SUBAGENT_ERROR, "The host failed while it drove this agent; its log says why."
            )
        finally:
            over()
            self._around.post(ParentGone(parent_id=self._session_id))
            failure = self._failure if not self._closing else None
            if failure is not None:
                self._drop_pending(failure.code, failure.message)
            else:
                self._drop_pending(Code.CANCELED, "The session was closed before the prompt was sent.")
            self._around.sessions.change(self._session_id, state="ended" if failure is None else "failed")
            self.opened.set()
            self.gone.set()

    async def _live(self) -> None:
        async with self._conversation.live() as connection:
            self._around.sessions.change(
                self._session_id, state="idle", agent_session_id=connection.session_id, title=connection.title
            )
            self.opened.set()
            while True:
                await self._until(self._something)
                if self._closing or self._failure is not None:
                    return
                assert self._pending is not None
                await self._turn(connection, *self._pending)

    def _something(self) -> bool:
        return self._closing or self._failure is not None or self._pending is not None

    async def _turn(self, connection: AgentConnection, text: str, note_ids: tuple[str, ...]) -> None:
        self._pending = None
        self._turning, self._canceled = True, False
        self._around.sessions.change(self._session_id, state="running", title=self._title_from(text))
        written = anyio.Event()
        finished: TurnFinished | None = None
        async with anyio.create_task_group() as group:
            group.start_soon(self._stop_turn, connection, group.cancel_scope)
            if note_ids:
                group.start_soon(self._deliver, note_ids, written)
            try:
                result = await connection.prompt(text, written=written.set)
                finished = TurnFinished(self._session_id, result)
            except AgentFailure as failure:
                if not self._closing:
                    finished = TurnFinished(self._session_id, None, failure.code, failure.message)
                self._turn_failed(failure)
            self._turning = False
            self._moved.set()
            if not self._closing:
                group.cancel_scope.cancel()
        if finished is not None:
            await self._turn_over(finished)

    def _turn_failed(self, failure: AgentFailure) -> None:
        """A refused prompt leaves the agent alive; only its end ends the session."""
        self._conversation.failed(failure)
        if failure.code == Code.AGENT_CRASHED:
            self._failure = failure

    async def _turn_over(self, finished: TurnFinished) -> None:
        around = self._around
        around.recorder.flush(self._session_id)
        if self._canceled:  # what the agent delegated before it knew
            around.post(ParentCanceled(parent_id=self._session_id))
        if self._failure is None:
            around.sessions.change(self._session_id, state="idle")
        notes = await around.desk.questions.undelivered_notes(self._session_id)
        around.snapshots.tell(finished)
        if notes:
            around.snapshots.tell(NotesOffered(self._session_id, notes))

    async def _stop_turn(self, connection: AgentConnection, turn: anyio.CancelScope) -> None:
        await self._until(lambda: self._closing)
        await connection.stop()
        turn.cancel()

    async def _deliver(self, note_ids: tuple[str, ...], written: anyio.Event) -> None:
        if not written.is_set():  # a wait for what is there already could be cancelled with the turn that is over
            await written.wait()
        with anyio.CancelScope(shield=True):
            await self._around.desk.commit_feedback([self._session_id], note_ids)

    def _title_from(self, text: str) -> str | None:
        record = self._around.sessions.get(self._session_id)
        return title_line(text) if record is not None and not record.title else None

    def _exited(self, failure: AgentFailure) -> None:
        self._failure = failure
        self._moved.set()

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self._moved = anyio.Event()
            await self._moved.wait()


def _is_folder(path: str) -> bool:
    return os.path.isabs(path) and os.path.isdir(path)


def _nothing(_process: ProcessIdentity) -> None:
    """A root has no task whose record would hold its process."""


class Roots:
    """All live root sessions. `run` owns their tasks."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._live: dict[str, Root] = {}
        self._beginning: set[str] = set()
        self._ending = False
        self._group: anyio.abc.TaskGroup | None = None

    async def run(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Hold the sessions' tasks until cancelled."""
        async with anyio.create_task_group() as group:
            self._group = group
            task_status.started()
            await anyio.sleep_forever()

    async def begin(self, agent_slug: str, cwd: str) -> str:
        """Begin to open a root session; returns its id at once. Its state tells how that goes.

        Raises:
            UserError: an agent that is not known, enabled or installed; a folder that is not an absolute, existing one.
        """
        agent = self._agent(agent_slug)
        if not _is_folder(cwd):
            raise UserError(
                "invalid_working_dir", f"{cwd or 'The empty text'} is no absolute path of an existing folder."
            )
        now = self._around.wall_ms()
        session_id = f"session-{uuid.uuid4().hex[:20]}"
        record = SessionRecord(
            session_id=session_id,
            kind="root",
            folder=cwd,
            state="starting",
            created_ms=now,
            updated_ms=now,
            root_id=session_id,
            agent_type=agent.slug,
        )
        await self._begin(record, Start(session_id=session_id, depth=0, agent=agent, cwd=cwd))
        return session_id

    async def reopen(self, session_id: str) -> None:
        """Begin to open an ended root session again, with the agent's own memory of it.

        Raises:
            UserError: no ended root session of that id, one whose agent never opened it, or an agent that is not there.
        """
        self._refuse_second(session_id)
        record = await self._around.database.run(lambda store: store.session(session_id))
        if record is None or record.kind != "root":
            raise invalid(f"There is no root session {session_id}.")
        if record.agent_session_id is None:
            raise UserError(
                "resume_unavailable", "The agent never opened this session, so there is nothing to go on with."
            )
        agent = self._agent(record.agent_type or "")
        reopened = replace(record, state="starting", updated_ms=self._around.wall_ms())
        await self._begin(
            reopened,
            Start(
                session_id=session_id,
                depth=0,
                agent=agent,
                cwd=record.folder,
                resume_session_id=record.agent_session_id,
            ),
        )

    async def opened(self, session_id: str) -> None:
        """Wait until a begun session is open.

        Raises:
            AgentFailure: it could not be opened.
        """
        root = self._root(session_id)
        await root.opened.wait()
        if root.failure is not None:
            raise root.failure

    def prompt(self, session_id: str, text: str, note_ids: Sequence[str] = ()) -> None:
        """Begin a turn. `note_ids`: offered notes that the text holds.

        Raises:
            UserError: not live, a turn under way, or nothing to say.
        """
        root = self._root(session_id)
        if not text.strip():
            raise invalid("A prompt needs a text.")
        if root.closing:
            raise invalid(f"The session {session_id} is being closed.")
        if root.busy:
            raise UserError("conflict", "The session works on a turn; cancel it or wait for its end.")
        root.prompt(text, note_ids)

    async def cancel(self, session_id: str) -> None:
        """Cancel the turn and the session's tasks.

        Raises:
            UserError: not live.
        """
        await self._root(session_id).cancel()

    def begin_close(self, session_id: str) -> None:
        """Begin to end the session; one that has ended: nothing."""
        root = self._live.get(session_id)
        if root is not None:
            root.close()

    async def close(self, session_id: str) -> None:
        """End the session and wait until its agent is gone; one that has ended: nothing."""
        root = self._live.get(session_id)
        if root is not None:
            root.close()
            await root.gone.wait()

    async def set_mode(self, session_id: str, mode_id: str) -> None:
        """Change the agent's session mode.

        Raises:
            UserError: not open, or the agent refuses.
        """
        connection = self._root(session_id).connection
        if connection is None:
            raise UserError("conflict", "The session is not open yet.")
        try:
            await connection.set_mode(mode_id)
        except AgentFailure as failure:
            raise UserError(failure.code, failure.message) from failure

    def is_live(self, session_id: str) -> bool:
        """It is open, or about to be."""
        return session_id in self._live

    def facts(self, session_id: str) -> RootFacts | None:
        """What a front end shows of a live root; None before it is open."""
        root = self._live.get(session_id)
        return root.facts() if root is not None else None

    async def close_all(self) -> None:
        """End all sessions, in parallel, and wait until they are gone; no other begins any more."""
        self._ending = True
        roots = tuple(self._live.values())
        for root in roots:
            root.close()
        for root in roots:
            await root.gone.wait()

    async def _begin(self, record: SessionRecord, start: Start) -> None:
        assert self._group is not None, "run() comes first"
        self._refuse_second(record.session_id)
        self._beginning.add(record.session_id)
        try:
            await self._around.sessions.save(record)
        finally:
            self._beginning.discard(record.session_id)
        if self._ending:
            self._around.sessions.change(record.session_id, state="ended")
            raise UserError(Code.HOST_UNAVAILABLE, "The host is ending.")
        root = Root(self._around, start)
        self._live[record.session_id] = root

        def over() -> None:
            del self._live[record.session_id]

        self._group.start_soon(root.run, over)

    def _refuse_second(self, session_id: str) -> None:
        """One agent session has one driver."""
        if session_id in self._live or session_id in self._beginning:
            raise UserError("conflict", "This session is open already.")

    def _agent(self, slug: str) -> AgentDefinition:
        agent = self._around.catalogue.find(slug)
        if agent is None:
            known = ", ".join(self._around.catalogue.enabled_slugs())
            raise UserError("invalid_agent_type", f"There is no agent {slug}. Known agents: {known}.")
        if not agent.enabled:
            raise UserError("agent_disabled", f"The agent {slug} is disabled in agents.toml.")
        if not self._around.catalogue.installed(slug):
            raise UserError("agent_not_installed", f"{agent.label} is not installed. {agent.install}".strip())
        return agent

    def _root(self, session_id: str) -> Root:
        root = self._live.get(session_id)
        if root is None:
            raise invalid(f"The session {session_id} is not open.")
        return root
