"""Each order of the window, as a call of the host.

Owns the translation between the two; the bridge carries it over. Nothing here runs on the UI thread but the beginning
of each call.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from codeg import api
from codeg.api import (
    Answer,
    Entry,
    Host,
    McpOutcome,
    NoteRecord,
    QuestionRecord,
    Refused,
    RootFacts,
    SessionRecord,
    Settings,
    TaskView,
    UserError,
)
from ui.bridge_reading import Stretch, agents_of, read_stretch
from ui.orders import AgentInfo, AgentProbe, Failed, Hit, Registration, Then
from ui.viewmodels.asks import AskDetail, Picked, answers_of
from ui.viewmodels.rows import Image
from ui.viewmodels.world import World

T = TypeVar("T")
RESULT_BYTES = 1024 * 1024
OLDER_TASKS = 200


class HostOrders:
    """Keeps `ui.orders.Orders` by what the bridge gives: a world, a home, and a way to the host."""

    world: World
    home: str | None
    cursor: str | None = None
    """Where the stretch of sessions that was read last ends; None = there is nothing older."""

    def carry(
        self,
        work: Callable[[Host], Awaitable[T]],
        then: Callable[[T], None] | None = None,
        failed: Callable[[str], None] | None = None,
        *,
        acts: bool = True,
    ) -> None:
        """Do something in the host, later; `acts`: it changes something there. The bridge's part."""
        raise NotImplementedError

    def post(self, call: Callable[[], None]) -> None:
        """From the host's thread: have something called on the UI thread. The bridge's part."""
        raise NotImplementedError

    def _look(
        self,
        work: Callable[[Host], Awaitable[T]],
        then: Callable[[T], None] | None = None,
        failed: Callable[[str], None] | None = None,
    ) -> None:
        self.carry(work, then, failed, acts=False)

    def _now(self, work: Callable[[Host], T], then: Callable[[T], None] | None = None) -> None:
        async def carried(host: Host) -> T:
            return work(host)

        self._look(carried, then)

    # ---- looking

    def entries(self, session_id: str, after_seq: int, limit: int, then: Callable[[tuple[Entry, ...]], None]) -> None:
        """A page of a conversation."""
        self._look(lambda host: host.entries(session_id, after_seq, limit), then)

    def notes(self, session_id: str) -> None:
        """Notes and questions of a session; the world tells them."""
        world = self.world

        async def read(host: Host) -> tuple[tuple[NoteRecord, ...], tuple[QuestionRecord, ...]]:
            return await host.notes(session_id), await host.questions(session_id)

        def tell(found: tuple[tuple[NoteRecord, ...], tuple[QuestionRecord, ...]]) -> None:
            world.set_notes(session_id, found[0])
            world.set_questions(session_id, found[1])

        self._look(read, tell)

    def result(self, task_id: str, then: Callable[[str], None]) -> None:
        """The text of a task."""

        async def read(host: Host) -> str:
            return (await host.result(task_id, 0, RESULT_BYTES)).decode("utf-8", "replace")

        self._look(read, then)

    def ask_detail(self, request_id: str, then: Callable[[AskDetail], None]) -> None:
        """What a permission is about."""
        self._now(lambda host: AskDetail(request_id, host.ask_detail(request_id)), then)

    def facts(self, session_id: str, then: Callable[[RootFacts | None], None]) -> None:
        """Modes, options and usage of a live session."""
        self._now(lambda host: host.facts(session_id), then)

    def stderr_tail(self, session_id: str, then: Callable[[tuple[str, ...]], None]) -> None:
        """The last words of an agent."""
        self._look(lambda host: host.stderr_tail(session_id), then)

    def search(self, text: str, then: Callable[[tuple[Hit, ...]], None]) -> None:
        """Find text in all conversations."""

        async def look(host: Host) -> tuple[Hit, ...]:
            return tuple(Hit(hit.session_id, hit.seq, hit.excerpt) for hit in await host.search(text))

        self._look(look, then)

    def files(self, folder: str, then: Callable[[tuple[str, ...]], None]) -> None:
        """Files of a folder."""
        self._look(lambda host: host.files(folder), then, lambda _sentence: then(()))

    def older_sessions(self, before: str, then: Callable[[tuple[SessionRecord, ...]], None]) -> None:
        """The next stretch of sessions, with their tasks; they join the world.

        It begins where the last one ended: `before` may be an ancestor that was read ahead of its time.
        """
        del before
        if self.cursor is None:
            self.post(lambda: then(()))
            return

        def join(found: Stretch) -> None:
            self.cursor = found.cursor
            self.world.add(found.sessions, found.tasks)
            then(found.sessions)

        cursor = self.cursor
        self._look(lambda host: read_stretch(host, cursor), join)

    def older_tasks(self, before: str, then: Callable[[tuple[TaskView, ...]], None]) -> None:
        """Tasks before one; they join the world."""
        world = self.world

        def join(found: tuple[TaskView, ...]) -> None:
            world.add(tasks=found)
            then(found)

        self._look(lambda host: host.tasks(OLDER_TASKS, before), join)

    # ---- talking

    def open_session(self, agent: str, folder: str, *, then: Then[str] = None, failed: Failed = None) -> None:
        """Begin a root session."""
        self.carry(lambda host: host.roots.begin(agent, folder), then, failed)

    def reopen(self, session_id: str, *, then: Then[None] = None, failed: Failed = None) -> None:
        """Go on with an ended root."""
        self.carry(lambda host: host.roots.reopen(session_id), then, failed)

    def prompt(
        self,
        session_id: str,
        text: str,
        images: Sequence[Image] = (),
        note_ids: Sequence[str] = (),
        *,
        then: Then[None] = None,
        failed: Failed = None,
    ) -> None:
        """Begin a turn; an ended root is opened again first."""
        pictures = tuple(api.Image(image.mime, image.data) for image in images)

        async def begin(host: Host) -> None:
            if not host.roots.is_live(session_id):
                await host.roots.reopen(session_id)
            if pictures:
                await host.roots.opened(session_id)
            host.roots.prompt(session_id, text, tuple(note_ids), pictures)

        self.carry(begin, then, failed)

    def note(self, session_id: str, text: str, *, then: Then[str] = None, failed: Failed = None) -> None:
        """Steer."""
        self.carry(lambda host: host.note(session_id, text), then, failed)

    def cancel_turn(self, session_id: str) -> None:
        """Stop a turn and its tasks."""
        self.carry(lambda host: host.roots.cancel(session_id))

    def close_session(self, session_id: str) -> None:
        """End a session's agent."""
        self.carry(lambda host: host.roots.close(session_id))

    def set_mode(self, session_id: str, mode: str) -> None:
        """Change the mode."""
        self.carry(lambda host: host.roots.set_mode(session_id, mode))

    def set_option(self, session_id: str, option: str, value: str) -> None:
        """Change a config option."""
        self.carry(lambda host: host.roots.set_option(session_id, option, value))

    # ---- children

    def delegate(
        self,
        session_id: str,
        agent: str,
        task: str,
        folder: str | None = None,
        *,
        then: Then[Answer] = None,
        failed: Failed = None,
    ) -> None:
        """Delegate now."""
        self.carry(lambda host: _taken(host.delegate(session_id, agent, task, folder)), then, failed)

    def cancel_task(self, task_id: str) -> None:
        """Stop a child."""
        self.carry(lambda host: _taken(host.cancel(task_id)))

    def resume_task(self, task_id: str) -> None:
        """Go on with a child."""
        self.carry(lambda host: _taken(host.resume(task_id)))

    def start_now(self, task_id: str) -> None:
        """Start a queued child though the limits are reached."""
        self.carry(lambda host: _taken(host.start_now(task_id)))

    def follow_up(self, task_id: str, text: str, *, then: Then[Answer] = None, failed: Failed = None) -> None:
        """Go on with an ended child by a prompt."""
        self.carry(lambda host: _taken(host.follow_up(task_id, text)), then, failed)

    # ---- answers

    def answer_option(self, request_id: str, option_id: str, note: str = "", *, failed: Failed = None) -> None:
        """Choose an option; the note is left for the session that asked."""
        ask = self.world.ask(request_id)

        async def answer(host: Host) -> None:
            if note.strip() and ask is not None:
                await host.note(ask.session_id, note)
            await host.answer(request_id, option=option_id)

        self.carry(answer, None, failed)

    def answer_questions(self, request_id: str, picked: tuple[Picked, ...], *, failed: Failed = None) -> None:
        """Answer a set of questions."""
        self.carry(lambda host: host.answer(request_id, answers=answers_of(picked)), None, failed)

    def decline(self, request_id: str, *, failed: Failed = None) -> None:
        """Say no."""
        self.carry(lambda host: host.answer(request_id), None, failed)

    # ---- the list of sessions

    def rename(self, session_id: str, title: str) -> None:
        """Give a session a title."""
        self.carry(lambda host: host.rename(session_id, title))

    def mark(
        self, session_id: str, *, pinned: bool | None = None, archived: bool | None = None, seen: bool | None = None
    ) -> None:
        """Pin, archive, seen."""
        self.carry(lambda host: host.mark(session_id, pinned=pinned, archived=archived, seen=seen))

    def delete(self, session_id: str) -> None:
        """Delete for good."""
        self.carry(lambda host: host.delete(session_id))

    # ---- agents, settings, host programs

    def look_for_agents(self, *, then: Then[tuple[AgentInfo, ...]] = None) -> None:
        """List the agents again."""
        world = self.world

        def tell(agents: tuple[AgentInfo, ...]) -> None:
            world.set_agents(agents)
            if then is not None:
                then(agents)

        self._now(agents_of, tell)

    def probe(self, agent: str, then: Callable[[AgentProbe], None], step: Callable[[str], None] | None = None) -> None:
        """Start an agent once."""
        post = self.post

        def told(name: str) -> None:
            told_here = step
            if told_here is not None:
                post(lambda: told_here(name))

        async def start(host: Host) -> AgentProbe:
            found = await host.probe(agent, told)
            return AgentProbe(found.slug, found.state, found.version, found.message, found.modes, found.options)

        self._look(start, then, lambda sentence: then(AgentProbe(agent, "broken", message=sentence)))

    def change_settings(
        self, changes: Mapping[str, Any], *, then: Then[Settings] = None, failed: Failed = None
    ) -> None:
        """Change settings by dotted name."""
        self.carry(lambda host: host.change_settings(changes), then, failed)

    def save_agent(
        self,
        slug: str,
        label: str,
        command: Sequence[str],
        env: Mapping[str, str],
        *,
        then: Then[None] = None,
        failed: Failed = None,
    ) -> None:
        """Add or change an agent."""
        self.carry(lambda host: host.save_agent(slug, label, command, env), then, failed)

    def remove_agent(self, slug: str, *, then: Then[None] = None, failed: Failed = None) -> None:
        """Forget what the person wrote of an agent."""
        self.carry(lambda host: host.remove_agent(slug), then, failed)

    def registrations(self, then: Callable[[tuple[Registration, ...]], None]) -> None:
        """How the companion stands in host programs."""

        async def look(host: Host) -> tuple[Registration, ...]:
            return tuple(
                Registration(one.host, one.label, one.installed, one.registered, one.message, one.limit, one.fix)
                for one in await host.registrations()
            )

        self._look(look, then)

    def register(self, host: str, *, then: Then[McpOutcome] = None, failed: Failed = None) -> None:
        """`codeg mcp add`."""
        home = self.home
        self.carry(lambda _host: api.mcp_add(home, host, "user", approve=False), then, failed)

    def unregister(self, host: str, *, then: Then[McpOutcome] = None, failed: Failed = None) -> None:
        """`codeg mcp remove`."""
        home = self.home
        self.carry(lambda _host: api.mcp_remove(home, host, "user"), then, failed)

    # ---- the window's own memory

    def keep(self, name: str, text: str) -> None:
        """Remember a text."""
        self.carry(lambda host: host.keep(name, text))

    def kept(self, name: str, then: Callable[[str | None], None]) -> None:
        """Read it back."""
        self._look(lambda host: host.kept(name), then)


async def _taken(answer: Awaitable[Answer]) -> Answer:
    """What the ledger refused is refused to the person with its sentence.

    Raises:
        UserError: refused.
    """
    found = await answer
    if isinstance(found, Refused):
        raise UserError(found.code, found.message)
    return found
