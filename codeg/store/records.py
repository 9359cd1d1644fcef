"""Shapes of what the store keeps beside tasks, and the writes of one commit.

Owns frozen data only. Times in epoch milliseconds. JSON fields hold what the wire and the window show, as read.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from codeg.broker.tasks import ProcessIdentity, TaskRecord
from codeg.sessions.types import Entry

SessionKind = Literal["root", "child", "outside"]


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """One conversation: a root session, a delegated child, or the session of an outside host program.

    `state`: root and child: `starting`, `idle`, `running`, `ended`, `failed`; outside: `connected` (has a live lease),
    `gone`. `host`: normalised name of the outside host program. `host_session_id`: its own id where it gives one.

    `custom_title`, `pinned`, `archived`, `seen_ms` (when the person last looked, 0 = never) are the person's marks:
    only `SaveMarks` writes them, `SaveSession` leaves what is stored.
    """

    session_id: str
    kind: SessionKind
    folder: str
    state: str
    created_ms: int
    updated_ms: int
    root_id: str
    depth: int = 0
    parent_id: str | None = None
    task_id: str | None = None
    agent_type: str | None = None
    host: str | None = None
    host_session_id: str | None = None
    title: str = ""
    agent_session_id: str | None = None
    custom_title: str = ""
    pinned: bool = False
    archived: bool = False
    seen_ms: int = 0


QuestionState = Literal["open", "answered", "declined", "withdrawn"]


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """Questions that a session put to the person. `questions`, `answers`: lists of JSON objects as in contract 5 `ask`.

    `delivered`: the outcome was committed after its text was written to the agent.
    """

    question_id: str
    session_id: str
    questions: tuple[dict[str, Any], ...]
    state: QuestionState
    created_ms: int
    answers: tuple[dict[str, Any], ...] = ()
    closed_ms: int | None = None
    delivered: bool = False


@dataclass(frozen=True, slots=True)
class NoteRecord:
    """A feedback note of the person for a session; `delivered_ms` is set when it was committed."""

    note_id: str
    session_id: str
    text: str
    created_ms: int
    delivered_ms: int | None = None


@dataclass(frozen=True, slots=True)
class DayUsage:
    """What agents reported as spent in a day. `tokens` None = none reported any; `cost`: (currency, amount)."""

    tokens: int | None = None
    cost: "tuple[tuple[str, float], ...]" = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry in which a search found its text. `excerpt`: one line around the place."""

    session_id: str
    seq: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class SaveTask:
    """Upsert a task. `text`: result text of the record's attempt (UTF-8), None = leave what is stored."""

    record: TaskRecord
    text: bytes | None = None


@dataclass(frozen=True, slots=True)
class SaveSession:
    """Upsert a session."""

    record: SessionRecord


@dataclass(frozen=True, slots=True)
class SaveEntries:
    """Upsert entries of a session by their `seq`."""

    session_id: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class SaveQuestion:
    """Upsert a question."""

    record: QuestionRecord


@dataclass(frozen=True, slots=True)
class SaveNote:
    """Upsert a note."""

    record: NoteRecord


@dataclass(frozen=True, slots=True)
class SaveProcess:
    """A keeper with its agent runs for this session: a later host must end it if we cannot."""

    session_id: str
    process: ProcessIdentity


@dataclass(frozen=True, slots=True)
class DropProcess:
    """That process tree is gone."""

    process: ProcessIdentity


@dataclass(frozen=True, slots=True)
class SaveStderr:
    """The tail of an agent's stderr, kept with its session (contract 3, logs)."""

    session_id: str
    lines: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class SaveMarks:
    """The person's marks on a session; None = leave what is stored. A session that is not stored yet keeps them."""

    session_id: str
    custom_title: str | None = None
    pinned: bool | None = None
    archived: bool | None = None
    seen_ms: int | None = None


@dataclass(frozen=True, slots=True)
class SaveKept:
    """A text that a front end wants back, by name."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SaveSpent:
    """A turn of a session is over.

    `tokens`: of this turn, None = not reported. `total`, `currency`: what the agent's session cost so far as its agent
    tells it; what the turn cost is the difference to the row before.
    """

    session_id: str
    at_ms: int
    tokens: int | None = None
    total: float | None = None
    currency: str = ""


@dataclass(frozen=True, slots=True)
class DeleteSessions:
    """These sessions go for good, with all tasks that they asked for, texts, entries, notes, questions and marks."""

    session_ids: tuple[str, ...]


Write = (
    SaveTask
    | SaveSession
    | SaveEntries
    | SaveQuestion
    | SaveNote
    | SaveProcess
    | DropProcess
    | SaveStderr
    | SaveMarks
    | SaveKept
    | SaveSpent
    | DeleteSessions
)
