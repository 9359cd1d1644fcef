"""The rows of a conversation as the feed shows them: frozen data, one class for each look (design 7.2 to 7.4).

Owns shapes only; pure, no Qt. `key` is stable for the life of the conversation: what is unfolded, selected and
scrolled is remembered by it. Rows are replaced, never mutated. Texts are as the agent wrote them: the widgets clean
them (`ui.widgets.text`).
"""

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that came in the message itself. `data`: base64, as read."""

    mime: str
    data: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Diff:
    """A change of one file. `old` None = a new file."""

    path: str
    old: str | None
    new: str


@dataclass(frozen=True, slots=True)
class UserRow:
    """What the person said. `at_ms`: epoch milliseconds, everywhere."""

    key: str
    text: str
    at_ms: int
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A steering note; `delivered_ms` None = pending."""

    key: str
    text: str
    at_ms: int
    delivered_ms: int | None = None


@dataclass(frozen=True, slots=True)
class MessageRow:
    """What the agent said. `live`: still being written; `first`: begins a run of entries (shows the badge)."""

    key: str
    text: str
    at_ms: int
    live: bool = False
    first: bool = False
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class ThoughtRow:
    """A thought; `seconds` None = not known."""

    key: str
    text: str
    seconds: int | None = None
    live: bool = False
    first: bool = False


ToolStatus = Literal["running", "completed", "failed"]
"""Of a tool call: pending and in_progress are `running`."""


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool call of the agent (none of ours).

    `kind`: ACP kind (read, edit, delete, move, search, execute, think, fetch, other).
    `target`: path or command, else the title. `output`: text of its content, terminal output included; `exit_code`
    where told. `added`, `removed`: lines of its diffs.
    """

    key: str
    kind: str
    title: str
    target: str
    status: ToolStatus
    at_ms: int
    first: bool = False
    diffs: tuple[Diff, ...] = ()
    added: int = 0
    removed: int = 0
    output: str = ""
    exit_code: int | None = None
    images: tuple[Image, ...] = ()
    raw_input: Any = None


@dataclass(frozen=True, slots=True)
class ToolGroupRow:
    """Three or more settled calls in a row, folded."""

    key: str
    calls: tuple[ToolRow, ...]
    first: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """One child in one poll, as the answer said it then. `word`: status of the report, "" = not told."""

    at_ms: int
    task_id: str
    word: str


@dataclass(frozen=True, slots=True)
class PollRow:
    """All polls between two other entries: one quiet line. `times`: number of polls; `open`: one waits right now."""

    key: str
    checks: tuple[Check, ...]
    times: int
    open: bool = False
    first: bool = False


@dataclass(frozen=True, slots=True)
class DelegationRow:
    """A delegation, in the place of the tool call; its child's state is read from the world by `task_id`.

    `task_id` None = the host has no such task (yet, or refused it): agent, task and `failure` are what the call says.
    """

    key: str
    task_id: str | None
    agent_type: str
    task: str
    at_ms: int
    failure: str = ""
    first: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan; `status`: pending, in_progress, completed."""

    text: str
    status: str


@dataclass(frozen=True, slots=True)
class PlanRow:
    """The agent's plan, updated in place."""

    key: str
    steps: tuple[Step, ...]
    first: bool = False


@dataclass(frozen=True, slots=True)
class AnsweredRow:
    """A question set of this agent, as one line once it is closed. `picks`: (header, what was chosen) of each."""

    key: str
    picks: "tuple[tuple[str, str], ...]"
    state: Literal["open", "answered", "declined", "withdrawn"]
    at_ms: int
    first: bool = False


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """A line of the host's. `severity`: info, warning, error."""

    key: str
    text: str
    severity: str
    at_ms: int


Row = (
    UserRow
    | NoteRow
    | MessageRow
    | ThoughtRow
    | ToolRow
    | ToolGroupRow
    | PollRow
    | DelegationRow
    | PlanRow
    | AnsweredRow
    | NoticeRow
)
