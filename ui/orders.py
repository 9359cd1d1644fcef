"""What the window may ask of the host: one promise, kept by the bridge and, in tests, by a double of it.

Owns the interface only. Every order returns at once. `then` is called later on the UI thread with the answer; a
refusal calls `failed` with one sentence instead, or is shown in the message bar when there is no `failed`. After
`stop` nothing is called any more.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from codeg.api import Answer, Entry, McpOutcome, RootFacts, SessionRecord, Settings, TaskView
from ui.viewmodels.asks import AskDetail, Picked
from ui.viewmodels.rows import Image

T = TypeVar("T")
Then = Callable[[T], None] | None
Failed = Callable[[str], None] | None


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """One agent of the catalogue as the window lists it."""

    slug: str
    label: str
    installed: bool
    enabled: bool
    command: tuple[str, ...] = ()
    install: str = ""
    custom: bool = False


@dataclass(frozen=True, slots=True)
class AgentProbe:
    """What a start of the agent told. `message`: one sentence where it is not ready.

    `modes`: (id, name); `options`: (id, name, ((value, name), ...)).
    """

    slug: str
    state: Literal["ready", "signed_out", "broken", "missing"]
    version: str = ""
    message: str = ""
    modes: "tuple[tuple[str, str], ...]" = ()
    options: "tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]" = ()


@dataclass(frozen=True, slots=True)
class Registration:
    """How the companion stands in one host program. `limit`: its tool time limit in seconds, None = none known."""

    host: str
    label: str
    installed: bool
    registered: bool
    message: str = ""
    limit: float | None = None
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where a search found its text. `seq`: of the entry."""

    session_id: str
    seq: int
    excerpt: str


class Orders(Protocol):
    """All that the window asks for."""

    # ---- looking
    def entries(self, session_id: str, after_seq: int, limit: int, then: Callable[[tuple[Entry, ...]], None]) -> None:
        """A page of a conversation in order, after `after_seq` (-1 = from the start); empty = the end."""
        ...

    def notes(self, session_id: str) -> None:
        """Read the notes and question sets of a session; the world tells them."""
        ...

    def result(self, task_id: str, then: Callable[[str], None]) -> None:
        """The whole text of a task, at most 1 MiB of it."""
        ...

    def ask_detail(self, request_id: str, then: Callable[[AskDetail], None]) -> None:
        """What an open permission is about."""
        ...

    def facts(self, session_id: str, then: Callable[[RootFacts | None], None]) -> None:
        """Modes, options and usage of a live session; None before it is open."""
        ...

    def stderr_tail(self, session_id: str, then: Callable[[tuple[str, ...]], None]) -> None:
        """What the session's agent said last on stderr."""
        ...

    def search(self, text: str, then: Callable[[tuple[Hit, ...]], None]) -> None:
        """Find text in all conversations, newest first, at most 200 places."""
        ...

    def files(self, folder: str, then: Callable[[tuple[str, ...]], None]) -> None:
        """Paths of the folder's files, relative to it, at most 20,000."""
        ...

    def older_sessions(self, before: str, then: Callable[[tuple[SessionRecord, ...]], None]) -> None:
        """Sessions older than one that is known; they join the world."""
        ...

    def older_tasks(self, before: str, then: Callable[[tuple[TaskView, ...]], None]) -> None:
        """Tasks older than one that is known; they join the world."""
        ...

    # ---- talking
    def open_session(self, agent: str, folder: str, *, then: Then[str] = None, failed: Failed = None) -> None:
        """Begin a root session; `then` gets its id."""
        ...

    def reopen(self, session_id: str, *, then: Then[None] = None, failed: Failed = None) -> None:
        """Go on with an ended root session."""
        ...

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
        """Begin a turn. `note_ids`: offered notes that the text holds. An ended root is opened again first."""
        ...

    def note(self, session_id: str, text: str, *, then: Then[str] = None, failed: Failed = None) -> None:
        """Steer: leave a note for a session."""
        ...

    def cancel_turn(self, session_id: str) -> None:
        """Stop the session's turn and its tasks."""
        ...

    def close_session(self, session_id: str) -> None:
        """End the session's agent; the conversation stays."""
        ...

    def set_mode(self, session_id: str, mode: str) -> None:
        """Change the agent's session mode."""
        ...

    def set_option(self, session_id: str, option: str, value: str) -> None:
        """Change a config option of the agent (its model, for one)."""
        ...

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
        """Delegate now, as a child of this session, without asking its model."""
        ...

    def cancel_task(self, task_id: str) -> None:
        """Stop a child and its children."""
        ...

    def resume_task(self, task_id: str) -> None:
        """Go on with a child where it stopped."""
        ...

    def start_now(self, task_id: str) -> None:
        """Start a queued child though the live limits are reached."""
        ...

    def follow_up(self, task_id: str, text: str, *, then: Then[Answer] = None, failed: Failed = None) -> None:
        """Go on with an ended child by a prompt of the person's, in its own session."""
        ...

    # ---- answers
    def answer_option(self, request_id: str, option_id: str, note: str = "", *, failed: Failed = None) -> None:
        """Choose an option of a permission or plan; `note` is left for its session as well."""
        ...

    def answer_questions(self, request_id: str, picked: tuple[Picked, ...], *, failed: Failed = None) -> None:
        """Answer a set of questions."""
        ...

    def decline(self, request_id: str, *, failed: Failed = None) -> None:
        """Say no: skip all questions, refuse a permission."""
        ...

    # ---- the list of sessions
    def rename(self, session_id: str, title: str) -> None:
        """Give a session a title of the person's."""
        ...

    def mark(
        self, session_id: str, *, pinned: bool | None = None, archived: bool | None = None, seen: bool | None = None
    ) -> None:
        """Pin, archive, or take note that the person has looked."""
        ...

    def delete(self, session_id: str) -> None:
        """Delete a session with all its children for good (the window offers undo before it calls this)."""
        ...

    # ---- agents, settings, host programs
    def look_for_agents(self, *, then: Then[tuple[AgentInfo, ...]] = None) -> None:
        """List the agents again; the world tells it too."""
        ...

    def probe(self, agent: str, then: Callable[[AgentProbe], None], step: Callable[[str], None] | None = None) -> None:
        """Start an agent once, to learn its version and whether it is signed in; `step`: start, handshake, session."""
        ...

    def change_settings(
        self, changes: Mapping[str, Any], *, then: Then[Settings] = None, failed: Failed = None
    ) -> None:
        """Change settings by dotted name; None = the default. The world tells the new ones."""
        ...

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
        """Add or change a custom agent, or the command of a built-in one, in agents.toml."""
        ...

    def remove_agent(self, slug: str, *, then: Then[None] = None, failed: Failed = None) -> None:
        """Take what the person wrote of an agent out of agents.toml."""
        ...

    def registrations(self, then: Callable[[tuple[Registration, ...]], None]) -> None:
        """How the companion stands in each host program."""
        ...

    def register(self, host: str, *, then: Then[McpOutcome] = None, failed: Failed = None) -> None:
        """`codeg mcp add HOST`."""
        ...

    def unregister(self, host: str, *, then: Then[McpOutcome] = None, failed: Failed = None) -> None:
        """`codeg mcp remove HOST`."""
        ...

    # ---- the window's own memory
    def keep(self, name: str, text: str) -> None:
        """Remember a text of the window (layout, drafts), durably."""
        ...

    def kept(self, name: str, then: Callable[[str | None], None]) -> None:
        """Read it back."""
        ...
