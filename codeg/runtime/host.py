"""A running host as front ends see it: what is there, what can be done, what changes.

Owns nothing; it is the one handle to the parts, for the desktop and the command line in this process. Ends with the
context that made it (`app.open_host`).
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import anyio

from codeg.broker.events import CancelRequested, Event, FollowUpRequested, ResumeRequested, StartRequested
from codeg.broker.tasks import Answer, TaskView
from codeg.runtime.asking import invalid
from codeg.runtime.catalogue import AgentCatalogue
from codeg.runtime.conversation import RootFacts
from codeg.runtime.core import Core
from codeg.runtime.delegating import Delegating
from codeg.runtime.live_settings import LiveSettings
from codeg.runtime.looking import files_below, search
from codeg.runtime.probing import AgentProbe
from codeg.runtime.registrations.checkup import Registration
from codeg.runtime.replies import Replies, Wish
from codeg.runtime.services import Activity
from codeg.runtime.setup import Setup
from codeg.runtime.snapshots import Change, Snapshot
from codeg.runtime.stored import stored_view
from codeg.runtime.translate import why_not_again
from codeg.sessions.types import Entry
from codeg.store.homes import HomePaths
from codeg.store.records import DayUsage, Hit, NoteRecord, QuestionRecord, SessionRecord
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

    def __init__(self, core: Core, catalogue: AgentCatalogue, facts: HostFacts, setup: Setup) -> None:
        self._core = core
        self._facts = facts
        self._replies = Replies(core.broker)
        self.catalogue = catalogue
        self.roots = core.roots
        self.runs = core.runs
        self.desk = core.desk
        self._shelf = core.shelf
        self._setup = setup
        self._delegating = Delegating(core.sessions, core.database, catalogue)

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

    async def notes(self, session_id: str) -> tuple[NoteRecord, ...]:
        """The session's notes, delivered or not: the newest 500, oldest first."""
        return await self.desk.questions.notes(session_id)

    async def questions(self, session_id: str) -> tuple[QuestionRecord, ...]:
        """Questions that the session put, in whatever state: the newest 500, oldest first."""
        return await self.desk.questions.of_session(session_id)

    def facts(self, session_id: str) -> RootFacts | None:
        """What a front end shows of a live session, root or child; None before it is open and after its end."""
        return self.roots.facts(session_id) or self._core.children.facts(session_id)

    async def search(self, text: str, limit: int = 200) -> tuple[Hit, ...]:
        """Entries of all conversations that hold the text (case does not matter), newest first. Bounded in time.

        Raises:
            UserError: nothing to look for.
        """
        self._core.recorder.flush_all()
        return await search(self._core.database, text, limit)

    async def files(self, folder: str, limit: int = 20_000) -> tuple[str, ...]:
        """Paths of the folder's files, relative to it with `/`, sorted; 2 s of looking at most.

        Left out: `.git`, `node_modules`, `.venv`, `__pycache__`, and what a `.gitignore` in the folder names plainly.

        Raises:
            UserError: no absolute path of an existing folder.
        """
        return await files_below(folder, limit)

    async def usage_today(self) -> DayUsage:
        """What root turns and tasks spent since local midnight, as their agents reported it."""
        return await self._core.spending.today()

    # ---- the list of sessions

    async def rename(self, session_id: str, title: str) -> SessionRecord:
        """Give a session a title of the person's, durably; an empty one gives it its own title back.

        Raises:
            UserError: unknown session, a title over 200 characters.
        """
        return await self._shelf.rename(session_id, title)

    async def mark(
        self, session_id: str, *, pinned: bool | None = None, archived: bool | None = None, seen: bool | None = None
    ) -> SessionRecord:
        """Change what is given of a session's marks, durably. `seen`: True = the person has looked now, False = never.

        Raises:
            UserError: unknown session.
        """
        return await self._shelf.mark(session_id, pinned=pinned, archived=archived, seen=seen)

    async def delete(self, session_id: str) -> None:
        """Delete a root or outside session for good with its whole tree: tasks, texts, entries, notes, questions.

        A live root is closed and all its tasks are cancelled first; returns when nothing is left.

        Raises:
            UserError: unknown session, a child, an outside session that is connected, one that is being deleted.
        """
        await self._shelf.delete(session_id)

    # ---- the front end's own memory

    async def keep(self, name: str, text: str) -> None:
        """Remember a text of a front end, durably.

        Raises:
            UserError: a name of no or over 200 characters, a text over 4 MiB.
        """
        await self._shelf.keep(name, text)

    async def kept(self, name: str) -> str | None:
        """Read it back; None = nothing of that name was kept."""
        return await self._shelf.kept(name)

    # ---- settings, agents, host programs

    async def change_settings(self, changes: Mapping[str, Any]) -> Settings:
        """Change settings by dotted name (None = the default); they count at once. Told as `SettingsChanged`.

        Raises:
            UserError: a broken file, an unknown name, a wrong value; nothing was written.
        """
        return await self._setup.change_settings(changes)

    async def probe(self, slug: str, step: Callable[[str], None] | None = None) -> AgentProbe:
        """Start an agent once (20 s at most), to learn its version and whether it is signed in.

        `step` is told `start`, `handshake` and `session` as they begin, on the loop's thread.

        Raises:
            UserError: there is no such agent.
        """
        return await self._setup.probe(slug, step)

    async def save_agent(self, slug: str, label: str, command: Sequence[str], env: Mapping[str, str]) -> None:
        """Add or change an agent in `agents.toml` (`custom:ID`, or a built-in slug); the rest of the file stays.

        `label`, `command` or `env` empty: a built-in agent's own. `env` replaces what the file says.

        Raises:
            UserError: a broken file, an id or a value that the file cannot have; nothing was written.
        """
        await self._setup.save_agent(slug, label, command, env)

    async def remove_agent(self, slug: str) -> None:
        """Take what the person wrote of an agent out of `agents.toml`.

        Raises:
            UserError: a broken file, nothing there of this agent; nothing was written.
        """
        await self._setup.remove_agent(slug)

    async def registrations(self) -> tuple[Registration, ...]:
        """How the companion stands in each host program of `codeg mcp`; each entry's command is started (5 s)."""
        return await self._setup.registrations()

    # ---- acting

    async def delegate(
        self, session_id: str, agent: str, task: str, working_dir: str | None = None, key: str | None = None
    ) -> Answer:
        """Delegate as a child of this session, without its model; the limits hold as for a call of its own.

        A live root or child, an outside session, or a root that has ended. Any existing folder will do: the person
        chose it. `key`: an idempotency key. What the ledger refuses is answered with `Refused`.

        Raises:
            UserError: unknown session, a child that has ended.
        """
        event = await self._delegating.prepare(session_id, agent, task, working_dir, key)
        return await self._ask(lambda ref: replace(event, ref=ref))

    async def start_now(self, task_id: str) -> Answer:
        """Start a queued task though the live limits are reached; one that is not queued is answered as it stands."""
        await self._core.broker.recall((task_id,))
        return await self._ask(lambda ref: StartRequested(ref, task_id))

    async def follow_up(self, task_id: str, text: str) -> Answer:
        """Go on with an ended child by a prompt of the person's, in the agent's own session: the next attempt.

        Its text becomes the task's result. `Refused` where that is not possible, with the task as it stands.

        Raises:
            UserError: nothing to say.
        """
        if not text.strip():
            raise invalid("A follow-up needs a text.")
        view = await self.task(task_id)
        parent = self._core.sessions.parent(view.record.parent_id) if view is not None else None
        refusal = await why_not_again(view.record, self.catalogue) if view is not None else None
        return await self._ask(lambda ref: FollowUpRequested(ref, task_id, text, parent, refusal))

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
