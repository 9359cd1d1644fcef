"""One root session: an agent that a person talks to, opened, prompted any number of times, cancelled, closed.

Owns its turns. An ordinary end of a turn leaves its tasks at work; a cancel, a close or a crash ends them by an event
to the ledger. Never decides what becomes of a task. Ends with its agent.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

import anyio

from codeg.broker.codes import Code
from codeg.broker.events import ParentCanceled, ParentGone
from codeg.broker.tasks import ProcessIdentity
from codeg.runtime.asking import title_line
from codeg.runtime.conversation import Conversation, RootFacts, Start, Surroundings
from codeg.runtime.snapshots import NotesOffered, TurnFinished
from codeg.sessions.connection import AgentConnection, AgentFailure
from codeg.sessions.types import Image, TurnResult

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a turn begins with. `note_ids`: notes that `text` holds, delivered once it is written."""

    text: str
    note_ids: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()


class Root:
    """One live root session."""

    def __init__(self, around: Surroundings, start: Start) -> None:
        self._around = around
        self._session_id = start.session_id
        self._conversation = Conversation(around, start, on_process=_nothing, on_exit=self._exited)
        self._moved = anyio.Event()
        self._scope = anyio.CancelScope()
        self._pending: Prompt | None = None
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
        return self._conversation.facts()

    def prompt(self, prompt: Prompt) -> None:
        """Begin a turn."""
        self._pending = prompt
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
                await self._turn(connection, self._pending)

    def _something(self) -> bool:
        return self._closing or self._failure is not None or self._pending is not None

    async def _turn(self, connection: AgentConnection, prompt: Prompt) -> None:
        self._pending = None
        self._turning, self._canceled = True, False
        self._around.sessions.change(self._session_id, state="running", title=self._title_from(prompt.text))
        written = anyio.Event()
        finished: TurnFinished | None = None
        async with anyio.create_task_group() as group:
            group.start_soon(self._stop_turn, connection, group.cancel_scope)
            if prompt.note_ids:
                group.start_soon(self._deliver, prompt.note_ids, written)
            result: TurnResult | None = None
            try:
                result = await connection.prompt(prompt.text, images=prompt.images, written=written.set)
                finished = TurnFinished(self._session_id, result)
            except AgentFailure as failure:
                if not self._closing:
                    finished = TurnFinished(self._session_id, None, failure.code, failure.message, failure.text)
                self._turn_failed(failure)
            self._conversation.turn_over(result)
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
        return title_line(text) or None if record is not None and not record.title else None

    def _exited(self, failure: AgentFailure) -> None:
        self._failure = failure
        self._moved.set()

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self._moved = anyio.Event()
            await self._moved.wait()


def _nothing(_process: ProcessIdentity) -> None:
    """A root has no task whose record would hold its process."""
