"""The promises that the parts of the shell make to each other.

Owns interfaces only, so that the listener, the operator's door and the front ends see the host without knowing how it
is built.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from codeg.broker.events import Event
from codeg.broker.tasks import Answer, Limits, Parent, TaskView, Usage
from codeg.sessions.types import AgentDefinition, ProcessStarted
from codeg.store.records import SessionRecord, Write
from codeg.store.store import Store

T = TypeVar("T")
Slice = tuple[str, int, int]
"""Part of a text: task id, offset and limit in bytes."""


@dataclass(frozen=True, slots=True)
class Activity:
    """What a live child does now. `at_ms`: epoch milliseconds of its latest sign; `line`: 120 characters at most."""

    line: str
    at_ms: int
    tool_calls: int
    usage: Usage | None = None


class UserError(Exception):
    """Somebody asked for what cannot be done; the message is one sentence for them. `code`: a code of the contract."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class DatabasePort(Protocol):
    """The store behind its one thread."""

    async def run(self, work: Callable[[Store], T]) -> T:
        """Run `work` on the database thread, in the order of the calls. It is not abandoned on cancellation."""
        ...

    def write(self, writes: Sequence[Write]) -> None:
        """Queue writes that need no confirmation; they go with the next commit, in order."""
        ...

    async def commit(self, writes: Sequence[Write]) -> None:
        """Make writes (and all queued before) durable; returns when they are."""
        ...


class BrokerPort(Protocol):
    """The one owner of the ledger (`runtime.loop.DelegationBroker`).

    All calls are made on the event loop's thread and never block.
    """

    def post(self, event: Event) -> None:
        """Report a fact."""
        ...

    def ask(self, make: Callable[[int], Event], answered: Callable[[tuple[Answer, ...]], None]) -> int:
        """Report a fact that has an answer: `make` gets the fresh ref.

        `answered` is called once, later, on the loop's thread.
        """
        ...

    def forget(self, ref: int) -> None:
        """The asker has gone: its wait is dropped, `answered` is not called."""
        ...

    async def recall(self, task_ids: Iterable[str]) -> None:
        """Bring ended tasks that only the store holds back into the ledger's sight, before they are asked for."""
        ...

    def view(self, task_id: str) -> TaskView | None:
        """How a task stands now, if the ledger holds it."""
        ...

    def activity(self, task_id: str) -> Activity | None:
        """What its live child does now."""
        ...

    async def result(self, task_id: str, offset: int, limit: int) -> bytes:
        """A slice of the stored text of a task (cached), offsets and sizes in bytes; empty when there is none."""
        ...

    async def results(self, wanted: Sequence[Slice]) -> list[bytes]:
        """The same for many, in the asked order: what the store must be asked for, it is asked at once."""
        ...


class SessionsPort(Protocol):
    """All conversations. Records of ended ones come from the store."""

    def parent(self, session_id: str) -> Parent | None:
        """The session as a delegating parent, if it can delegate now (live root or child, or an outside session)."""
        ...

    def get(self, session_id: str) -> SessionRecord | None:
        """A session that this host holds (live ones, and all outside ones seen since its start)."""
        ...

    def is_deleted(self, session_id: str) -> bool:
        """The person deleted it, or is about to."""
        ...

    async def save(self, record: SessionRecord) -> None:
        """Add or replace a session, durably, and tell the observers."""
        ...

    async def page(self, limit: int = 500) -> tuple[SessionRecord, ...]:
        """Sessions, newest first, from the store."""
        ...

    def groups(self, session_id: str) -> tuple[str, ...]:
        """Tool groups that the session may use now, of `delegation`, `ask`, `feedback`.

        By its depth, its agent and the settings (contract 6, Limits).
        """
        ...

    def processes(self) -> tuple[tuple[ProcessStarted, str], ...]:
        """Agents that run now, each with its session id: what places a peer by its pid (contract 1 and 5)."""
        ...


class TokensPort(Protocol):
    """Session tokens of the companions that we inject; `runtime.tokens` also knows those of outside sessions."""

    def mint(self, session_id: str) -> str:
        """Make a token that belongs to this session; returns the path of its file (0600, below `run/tokens/`)."""
        ...

    def revoke(self, token_file: str) -> None:
        """The token of that file is dead, the file is removed. Unknown ones do nothing; never raises."""
        ...


class DeskPort(Protocol):
    """What waits for the person, and what the person says: permissions, questions, notes (contract 6)."""

    async def ask(
        self,
        session_ids: Sequence[str],
        questions: Sequence[dict[str, Any]] | None,
        question_id: str | None,
        wait_s: float | None,
    ) -> dict[str, Any]:
        """Put questions (or wait again for `question_id`) and wait; the outcome is that of contract 5 `ask`.

        `session_ids[0]` is the asker; an outside session may read questions of its earlier identities, the rest.
        `wait_s` None = until answered or the caller is cancelled, which drops only the wait.

        Raises:
            UserError: `invalid_arguments`: bad questions, or a `question_id` out of reach.
        """
        ...

    def own_questions(self, session_id: str, question_id: str) -> tuple[dict[str, Any], ...] | None:
        """The questions behind an id while they wait, if this very session put them; else None."""
        ...

    async def answer_own(
        self, session_id: str, question_id: str, answers: Sequence[dict[str, Any]] | None
    ) -> dict[str, Any]:
        """The word of the person at the asker's own program (None = declined); the first one wins, the outcome tells.

        Raises:
            UserError: `invalid_arguments`: no question of this very session, or answers that do not fit.
        """
        ...

    async def feedback(self, session_ids: Sequence[str]) -> list[dict[str, Any]]:
        """Undelivered notes and answers, oldest first, as in contract 5; nothing is marked.

        At most 1 MiB of text a call.
        """
        ...

    async def commit_feedback(self, session_ids: Sequence[str], ids: Sequence[str]) -> None:
        """These were written to the agent. Unknown or foreign ids do nothing."""
        ...

    def asks(self) -> list[dict[str, Any]]:
        """All that waits for the person, oldest first, as `codeg asks --json` prints it."""
        ...

    async def answer(
        self, request_id: str, option: str | None, answers: Sequence[dict[str, Any]] | None, *, decline: bool
    ) -> None:
        """The person's answer; first one wins.

        Raises:
            UserError: unknown or closed request, an option or label that was not offered.
        """
        ...

    async def note(self, session_id: str, text: str) -> str:
        """Leave a note of 1 to 4,096 characters for a session; returns its id.

        Raises:
            UserError: unknown session, empty or too long.
        """
        ...

    async def ask_folder(self, session_id: str, task_id: str, request_id: str, folder: str, title: str) -> None:
        """Show the folder question of a task; the answer is posted to the broker as `FolderAnswered`."""
        ...


class CataloguePort(Protocol):
    """The known agents at this moment."""

    def find(self, slug: str) -> AgentDefinition | None:
        """The agent of that slug, enabled or not."""
        ...

    def installed(self, slug: str) -> bool:
        """Its program was found."""
        ...

    async def look_ready(self) -> None:
        """Wait until a look for a program can be trusted, half a second at most: only a host that just began waits."""
        ...

    def why_missing(self, slug: str) -> str:
        """Where its program was looked for in vain and what to do, as a sentence."""
        ...

    def custom_and_disabled(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Custom slugs that are enabled, and built-in slugs that are not: what an injected companion is told."""
        ...

    def enabled_slugs(self) -> tuple[str, ...]:
        """For the `agent_type` enum: enabled, in a stable order."""
        ...

    def listing(self) -> list[dict[str, Any]]:
        """As `codeg agents --json` prints it."""
        ...


class RunsPort(Protocol):
    """Root sessions driven from a shell (`codeg run`)."""

    async def start(self, agent: str, cwd: str, prompt: str, *, yes: bool, person: bool) -> str:
        """Open a root session and prompt it; returns the session id.

        `person`: somebody can answer asks; else permissions are refused.
        """
        ...

    async def events(self, session_id: str, after: int, wait_s: float) -> tuple[list[dict[str, Any]], int, bool]:
        """Event objects after cursor `after` (0 first), the next cursor, and whether the run has ended."""
        ...

    async def cancel(self, session_id: str) -> None:
        """Cancel the turn and its tasks."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """All parts, for those that stand at the host's doors."""

    broker: BrokerPort
    sessions: SessionsPort
    desk: DeskPort
    catalogue: CataloguePort
    runs: RunsPort
    database: DatabasePort
    limits: Callable[[], Limits]
    outside_folder: Callable[[], str]
    """`ask`, `allow` or `refuse`."""
    stop_host: Callable[[], Awaitable[None]]
    """Ask the host to end, as SIGTERM would; returns at once (the caller's answer is still written)."""
    raise_window: Callable[[], bool] = lambda: False
    """Bring the desktop's window to the front; False = this host has none."""
    attended: Callable[[], bool] = lambda: False
    """A window shows what waits for the person, so that no other program needs to ask."""
