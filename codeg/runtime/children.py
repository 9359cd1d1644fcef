"""Delegated children: each attempt of a task is one agent, started, prompted once and ended here.

Owns the live attempts. Each reports to the ledger what happened, as events, and exactly one `ChildGone` when nothing
of it is left, whether it was refused, failed, ended or stopped, at any moment. Never decides what an end means. Ends
when its group is cancelled.
"""

import logging
from collections.abc import Callable
from dataclasses import replace

import anyio

from codeg.broker.codes import Code
from codeg.broker.effects import SendPrompt, SpawnChild, StopChild
from codeg.broker.events import (
    ChildFailed,
    ChildGone,
    ChildSpawned,
    ChildStartFailed,
    PromptAccepted,
    SessionReady,
    TurnEnded,
)
from codeg.broker.tasks import ProcessIdentity, Work
from codeg.runtime.asking import title_line
from codeg.runtime.conversation import Conversation, RootFacts, Start, Surroundings, usage_of
from codeg.runtime.holding import Holding
from codeg.runtime.services import Activity
from codeg.sessions.connection import AgentConnection, AgentFailure
from codeg.sessions.types import AgentDefinition, TurnResult
from codeg.store.records import SessionRecord

logger = logging.getLogger(__name__)

CONTINUE = (
    "Your work on this task was interrupted. Go on from where you stopped and finish it; do not start over. "
    "End with your full final answer."
)
"""The one sentence by which a resumed task goes on (contract 6, resume_delegation)."""
LAST_WORDS_S = 1.0
"""Seconds that a turn may take to come back once its processes are gone."""


class Child:
    """One attempt of one task. Facts come in by `prompt` and `stop`; `run` lives through them."""

    def __init__(self, around: Surroundings, effect: SpawnChild) -> None:
        self._around = around
        self._record = effect.record
        self._resume = effect.resume
        self._key = (effect.record.task_id, effect.record.attempt)
        self._scope = anyio.CancelScope()
        self._moved = anyio.Event()
        self._prompt: str | None = None
        self._ready = False
        self._stopping = False
        self._accepted = False
        self._turn_over = False
        self._failure: AgentFailure | None = None
        self._failed = False
        self._counted = False
        self._text = b""
        self._conversation: Conversation | None = None

    @property
    def session_id(self) -> str:
        """Of the conversation that it works in."""
        return self._record.child_id

    def prompt(self, text: str | None) -> None:
        """Send the one prompt of this attempt; None = go on by the fixed sentence."""
        self._prompt = CONTINUE if text is None else text
        self._moved.set()

    def stop(self) -> None:
        """End it, whatever it does: waiting to start, starting, in its turn or after it."""
        self._stopping = True
        self._moved.set()
        if not self._ready:
            self._scope.cancel()

    def facts(self) -> RootFacts | None:
        """What a front end shows of it."""
        return self._conversation.facts() if self._conversation is not None else None

    def activity(self) -> Activity | None:
        """What it does now."""
        return self._conversation.activity() if self._conversation is not None else None

    async def run(self, over: Callable[[], None]) -> None:
        """Live through the attempt; never raises but for cancellation.

        `over` is called before `ChildGone` is reported.
        """
        try:
            with self._scope:
                await self._live()
        except AgentFailure as failure:
            self._report(failure)
        except Exception:
            logger.exception("task %s, attempt %d", *self._key)
            self._report(
                AgentFailure(Code.SUBAGENT_ERROR, "The host failed while it drove this agent; its log says why.")
            )
        finally:
            over()
            self._gone()

    async def _live(self) -> None:
        agent = self._around.catalogue.find(self._record.agent_type)
        if agent is None or not agent.enabled:
            raise AgentFailure(Code.AGENT_DISABLED, f"The agent {self._record.agent_type} is not enabled any more.")
        await self._enter_session()
        self._conversation = Conversation(
            self._around, self._start_of(agent), on_process=self._spawned, on_exit=self._exited
        )
        async with self._conversation.live() as connection:
            self._ready = True
            self._around.sessions.change(self._record.child_id, agent_session_id=connection.session_id)
            self._around.post(
                SessionReady(*self._key, agent_session_id=connection.session_id, resume_via=connection.resume_via)
            )
            await self._until(lambda: self._stopping or self._failure is not None or self._prompt is not None)
            if self._prompt is not None and not self._stopping and self._failure is None:
                await self._turn(connection, self._prompt)
                await self._until(lambda: self._stopping or self._failure is not None)

    async def _enter_session(self) -> None:
        around, record = self._around, self._record
        now = around.wall_ms()
        known = await around.database.run(lambda store: store.session(record.child_id))
        if known is not None:
            session = replace(known, state="starting", updated_ms=now)
        else:
            session = SessionRecord(
                session_id=record.child_id,
                kind="child",
                folder=record.working_dir,
                state="starting",
                created_ms=now,
                updated_ms=now,
                root_id=record.root_id,
                depth=record.depth,
                parent_id=record.parent_id,
                task_id=record.task_id,
                agent_type=record.agent_type,
                title=title_line(record.task_text),
            )
        around.sessions.put(session)
        around.sessions.attempt_began(record.child_id, *self._key)

    def _start_of(self, agent: AgentDefinition) -> Start:
        record = self._record
        return Start(
            session_id=record.child_id,
            depth=record.depth,
            agent=agent,
            cwd=record.working_dir,
            attempt=record.attempt,
            resume_session_id=record.agent_session_id if self._resume else None,
        )

    async def _turn(self, connection: AgentConnection, text: str) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self._stop_turn, connection, group.cancel_scope)
            try:
                result = await connection.prompt(text, written=self._written)
            except AgentFailure as failure:
                self._report(failure)
            else:
                self._ended(result)
            self._turn_over = True
            self._moved.set()
            if not self._stopping:
                group.cancel_scope.cancel()

    async def _stop_turn(self, connection: AgentConnection, turn: anyio.CancelScope) -> None:
        """End the processes under a turn; what it had written comes back with its end."""
        await self._until(lambda: self._stopping)
        await connection.stop()
        with anyio.move_on_after(LAST_WORDS_S):
            await self._until(lambda: self._turn_over)
        turn.cancel()

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self._moved = anyio.Event()
            await self._moved.wait()

    # ---- facts for the ledger

    def _spawned(self, process: ProcessIdentity) -> None:
        self._around.post(ChildSpawned(*self._key, process=process))

    def _written(self) -> None:
        if not self._accepted:
            self._accepted = True
            self._around.sessions.change(self._record.child_id, state="running")
            self._around.post(PromptAccepted(*self._key))

    def _ended(self, result: TurnResult) -> None:
        self._text = result.text.encode("utf-8", "replace")
        self._spent(result)
        self._written()
        self._around.recorder.flush(self._record.child_id)
        if not self._stopping:
            self._around.post(
                TurnEnded(
                    *self._key,
                    stop_reason=result.stop_reason,
                    text=self._text,
                    tool_calls=result.tool_calls,
                    usage=usage_of(result.usage),
                    note=result.note,
                    work=self._work(),
                )
            )

    def _work(self) -> Work | None:
        return self._conversation.work() if self._conversation is not None else None

    def _spent(self, result: TurnResult | None) -> None:
        """Once for each attempt whose prompt was written."""
        if self._conversation is not None and not self._counted:
            self._counted = True
            self._conversation.turn_over(result)

    def _exited(self, failure: AgentFailure) -> None:
        """Between its start and its prompt that is a failed start; after its turn nothing is left to fail."""
        if self._accepted:
            self._failure = failure
            self._moved.set()
        else:
            self._report(failure)

    def _report(self, failure: AgentFailure) -> None:
        if self._failure is not None:
            return
        self._failure, self._failed = failure, True
        self._moved.set()
        self._text = failure.text.encode("utf-8", "replace") or self._text
        self._around.recorder.flush(self._record.child_id)
        if self._stopping:
            return
        code, message = code_of(failure), failure.message
        if self._accepted:
            usage = usage_of(self._conversation.usage) if self._conversation is not None else None
            facts = ChildFailed(*self._key, code=code, message=message, text=self._text, usage=usage, work=self._work())
            self._around.post(facts)
        else:
            self._around.post(ChildStartFailed(*self._key, code=code, message=message))

    def _gone(self) -> None:
        state = "failed" if self._failed and not self._stopping else "ended"
        self._around.sessions.change(self._record.child_id, state=state)
        self._around.sessions.attempt_over(self._record.child_id)
        usage = usage_of(self._conversation.usage) if self._conversation is not None else None
        if self._accepted:
            self._spent(None)
        work = self._work() if self._accepted else None
        self._around.post(ChildGone(*self._key, text=self._text, usage=usage, work=work))


def code_of(failure: AgentFailure) -> Code:
    """The failure's code; a word that the contract does not have is an error of the agent's."""
    try:
        return Code(failure.code)
    except ValueError:
        return Code.SUBAGENT_ERROR


class Children(Holding):
    """All live attempts. `run` owns their tasks; `spawn`, `prompt` and `stop` never block."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__()
        self._around = around
        self._live: dict[tuple[str, int], Child] = {}
        self._newest: dict[str, Child] = {}
        self._emptied = anyio.Event()

    def spawn(self, effect: SpawnChild) -> None:
        """Start an attempt; all that becomes of it comes back as events."""
        key = (effect.record.task_id, effect.record.attempt)
        child = Child(self._around, effect)
        self._live[key] = child
        self._newest[effect.record.task_id] = child
        self._group.start_soon(child.run, lambda: self._over(key, child))

    def prompt(self, effect: SendPrompt) -> None:
        """Send the prompt of an attempt; one that is gone has reported so."""
        child = self._live.get((effect.task_id, effect.attempt))
        if child is not None:
            child.prompt(effect.text)

    def stop(self, effect: StopChild) -> None:
        """End an attempt; one that is gone has reported so."""
        child = self._live.get((effect.task_id, effect.attempt))
        if child is not None:
            child.stop()

    def stop_all(self) -> None:
        """End every attempt."""
        for child in tuple(self._live.values()):
            child.stop()

    def activity(self, task_id: str) -> Activity | None:
        """What the task's live child does now."""
        child = self._newest.get(task_id)
        return child.activity() if child is not None else None

    def facts(self, session_id: str) -> RootFacts | None:
        """What a front end shows of the live child of this session id."""
        live = next((child for child in self._newest.values() if child.session_id == session_id), None)
        return live.facts() if live is not None else None

    async def until_none(self) -> None:
        """Wait until no attempt is left."""
        while self._live:
            self._emptied = anyio.Event()
            await self._emptied.wait()

    def _over(self, key: tuple[str, int], child: Child) -> None:
        del self._live[key]
        if self._newest.get(key[0]) is child:
            del self._newest[key[0]]
        self._emptied.set()
