"""A running host as front ends see it: what is there, what can be done, what changes.

Owns nothing; it is the one handle to the parts, for the desktop and the command line in this process. Ends with the
context that made it (`app.open_host`).
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import anyio

from codeg.broker.events import CancelRequested, Event, ResumeRequested
from codeg.broker.tasks import Answer, TaskView
from codeg.runtime.catalogue import AgentCatalogue
from codeg.runtime.core import Core
from codeg.runtime.live_settings import LiveSettings
from codeg.runtime.replies import Replies, Wish
from codeg.runtime.services import Activity
from codeg.runtime.snapshots import Change, Snapshot
from codeg.runtime.stored import stored_view
from codeg.runtime.translate import why_not_again
from codeg.sessions.types import Entry
from codeg.store.homes import HomePaths
from codeg.store.records import NoteRecord, SessionRecord
from codeg.store.settings import Settings
from codeg.wire.discovery import Discovery

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class HostFacts:
    """What a host knows of itself."""

    paths: HomePaths
    record: Discovery
    settings: LiveSettings
    stop_asked: anyio.Event


class Host:
    """All calls belong to the host's event loop. Methods raise `UserError` for what cannot be done."""

    def __init__(self, core: Core, catalogue: AgentCatalogue, facts: HostFacts) -> None:
        self._core = core
        self._facts = facts
        self._replies = Replies(core.broker)
        self.catalogue = catalogue
        self.roots = core.roots
        self.runs = core.runs
        self.desk = core.desk

    # ---- the host itself

    @property
    def socket(self) -> str:
        """Where it is reached."""
        return self._facts.record.socket

    @property
    def pid(self) -> int:
        """Of this process."""
        return os.getpid()

    @property
    def paths(self) -> HomePaths:
        """Its folders and files."""
        return self._facts.paths

    def settings(self) -> Settings:
        """The settings as they are now."""
        return self._facts.settings.now()

    async def wait_stopped(self) -> None:
        """Wait until somebody asks the host to end (`operator stop`)."""
        await self._facts.stop_asked.wait()

    # ---- looking

    def snapshot(self) -> Snapshot:
        """Everything live; later changes carry higher numbers."""
        return self._core.snapshots.take()

    def subscribe(self, subscriber: Callable[[Change], None]) -> Callable[[], None]:
        """Be told of every later change, on the loop's thread; returns what ends it. It must not block."""
        return self._core.snapshots.subscribe(subscriber)

    async def sessions(self, limit: int = 500, before: str | None = None) -> tuple[SessionRecord, ...]:
        """Sessions, newest first; `before`: id of the last one seen."""
        stored = await self._core.database.run(lambda store: store.sessions_page(limit, before))
        return tuple(self._core.sessions.get(record.session_id) or record for record in stored)

    async def session(self, session_id: str) -> SessionRecord | None:
        """One session, live or ended."""
        held = self._core.sessions.get(session_id)
        return held or await self._core.database.run(lambda store: store.session(session_id))

    async def entries(self, session_id: str, after_seq: int = -1, limit: int = 500) -> tuple[Entry, ...]:
        """A page of a conversation, all that was told before this call included. An empty page is the end."""
        self._core.recorder.flush(session_id)
        return await self._core.database.run(lambda store: store.entries(session_id, after_seq, limit))

    async def stderr_tail(self, session_id: str) -> tuple[str, ...]:
        """What the session's agent said last on stderr, if it failed."""
        return await self._core.database.run(lambda store: store.stderr_tail(session_id))

    async def tasks(
        self, limit: int = 200, before: str | None = None, parent_ids: Sequence[str] | None = None
    ) -> tuple[TaskView, ...]:
        """Tasks, newest first; `before`: id of the last one seen; `parent_ids`: only tasks of these sessions."""
        stored = await self._core.database.run(lambda store: store.tasks_page(limit, before, parent_ids))
        return tuple(self._core.broker.view(record.task_id) or stored_view(record) for record in stored)

    async def task(self, task_id: str) -> TaskView | None:
        """One task, live or ended."""
        await self._core.broker.recall((task_id,))
        return self._core.broker.view(task_id)

    async def result(self, task_id: str, offset: int = 0, limit: int = 256 * 1024) -> bytes:
        """A slice of a task's text, in bytes."""
        return await self._core.broker.result(task_id, offset, limit)

    async def report(self, answer: Answer, max_bytes: int = 64 * 1024) -> Json:
        """The report of contract 6 of an answer or view, within `max_bytes`."""
        return (await self._replies.whole([answer], Wish(max_bytes=max_bytes)))[0]

    def activity(self, task_id: str) -> Activity | None:
        """What the task's live child does now."""
        return self._core.broker.activity(task_id)

    def asks(self) -> list[Json]:
        """All that waits for the person, oldest first."""
        return self.desk.asks()

    def ask_detail(self, request_id: str) -> Json:
        """The tool call that an open permission is about (its diff, its command), as the agent told it."""
        return self.desk.detail(request_id)

    async def undelivered_notes(self, session_id: str) -> tuple[NoteRecord, ...]:
        """Notes that the session has not read."""
        return await self.desk.questions.undelivered_notes(session_id)

    # ---- acting

    async def answer(
        self, request_id: str, *, option: str | None = None, answers: Sequence[Json] | None = None
    ) -> None:
        """The person's answer; neither = declined. The first one wins."""
        await self.desk.answer(request_id, option, answers, decline=option is None and answers is None)

    async def note(self, session_id: str, text: str) -> str:
        """Leave a note; returns its id."""
        return await self.desk.note(session_id, text)

    async def cancel(self, task_id: str) -> Answer:
        """Cancel a task; the answer waits up to 1 s for its processes."""
        await self._core.broker.recall((task_id,))
        return await self._ask(lambda ref: CancelRequested(ref, None, task_id))

    async def resume(self, task_id: str) -> Answer:
        """Go on with a task where it stopped."""
        view = await self.task(task_id)
        parent = self._core.sessions.parent(view.record.parent_id) if view is not None else None
        refusal = await why_not_again(view.record, self.catalogue) if view is not None else None
        return await self._ask(lambda ref: ResumeRequested(ref, None, task_id, parent, refusal))

    async def _ask(self, make: Callable[[int], Event]) -> Answer:
        found: list[Answer] = []
        answered = anyio.Event()

        def take(answers: tuple[Answer, ...]) -> None:
            found.extend(answers)
            answered.set()

        ref = self._core.broker.ask(make, take)
        try:
            await answered.wait()
        except BaseException:
            self._core.broker.forget(ref)
            raise
        return found[0]
