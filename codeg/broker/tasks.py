"""Records of the ledger: what a task is, frozen, in the form that is made durable.

Owns the data shapes only. Times are integers: wall time in milliseconds since the epoch; `Now.mono` is a monotonic
clock in seconds and is never stored. Result texts are not held here (UTF-8 bytes of any size live in the store), only
their size.
"""

from dataclasses import dataclass

from codeg.broker.codes import SHOWN_PHASES, WAITING_PHASES, BlockKind, Code, Phase, Status


@dataclass(frozen=True, slots=True)
class Now:
    """The moment an event is applied. `wall_ms`: epoch milliseconds; `mono`: monotonic seconds, for deadlines."""

    wall_ms: int
    mono: float


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens come from the prompt's answer, context and cost from usage updates; None = not reported (contract 6)."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    context_used: int | None = None
    context_size: int | None = None
    cost_amount: float | None = None
    cost_currency: str | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """What an attempt did: tool calls, and of the diffs among them files, lines added and removed (None = unknown)."""

    tool_calls: int | None = None
    files: int | None = None
    added: int | None = None
    removed: int | None = None


@dataclass(frozen=True, slots=True)
class End:
    """How an attempt ended. `text_bytes` is the size of the whole stored text in UTF-8 bytes (0 = none).

    `gist`: the first sentence of the text, one line of 200 characters at most. `tool_calls`, and of the diffs among
    them the number of `files` with the lines `added` and `removed`: None = not known.
    """

    status: Status
    code: Code | None = None
    message: str | None = None
    text_bytes: int = 0
    usage: Usage | None = None
    tool_calls: int | None = None
    gist: str = ""
    files: int | None = None
    added: int | None = None
    removed: int | None = None


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """What identifies a keeper and its agent: pid, start time (clock ticks since boot) and boot id (contract 7)."""

    boot_id: str
    keeper_pid: int
    keeper_start: int
    agent_pid: int
    agent_start: int


@dataclass(frozen=True, slots=True)
class Block:
    """A prompt to the person that a task waits on. `since_ms`: epoch milliseconds."""

    kind: BlockKind
    request_id: str
    title: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class Parent:
    """Who delegates: a conversation. Tasks belong to it, not to a connection (architecture, The broker).

    `depth` of a root session is 0. `root_id` is the conversation at the top (itself for a root). `outside` = a
    registered companion's host program. `folder` is the absolute working directory.
    """

    parent_id: str
    root_id: str
    depth: int
    folder: str
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """Settings `[delegation]` that the ledger enforces (contract 6, Limits). Times in seconds; 0 = none."""

    enabled: bool = True
    depth_limit: int = 2
    live_per_parent: int = 8
    live_per_root: int = 16
    queue_limit: int = 64
    run_timeout_s: float = 0
    unattended_cancel_s: float = 0
    """0 = keep the tasks of an outside session whose last lease ended; n = cancel them after n seconds."""


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """One task, all attempts; replaced, never mutated. This is what `Persist` makes durable."""

    task_id: str
    parent_id: str
    root_id: str
    depth: int
    """Depth of the child: its parent's + 1."""
    agent_type: str
    task_text: str
    working_dir: str
    explicit_dir: str | None
    """The folder as the caller gave it; None when omitted. Part of the tool-call match."""
    child_id: str
    """Conversation id of the child, made with the task."""
    phase: Phase
    attempt: int
    created_ms: int
    parent_task_id: str | None = None
    """The task whose child is the parent of this one; None below a root."""
    tool_use_id: str = ""
    external_handle: str | None = None
    idempotency_key: str | None = None
    digest: str = ""
    """Digest of the call's arguments, to tell a repeat from a conflict under one key."""
    started_ms: int | None = None
    """When this attempt's prompt was written."""
    ended_ms: int | None = None
    end: End | None = None
    """Set from `stopping` on (the decided end); shown only from `draining` on."""
    earlier: End | None = None
    """The end that a resume in progress would put back if the agent's session cannot be re-attached."""
    earlier_ended_ms: int | None = None
    agent_session_id: str | None = None
    resume_via: str | None = None
    """`resume`, `load` or `none`, learned from the agent's capabilities; None = never got that far."""
    prompt_accepted: bool = False
    """The agent took a prompt of this task at some attempt: a resume continues, else it starts with its own text."""
    process: ProcessIdentity | None = None
    unattended: bool = False
    by_person: bool = False
    """The person delegated it: no tool call of the parent belongs to it."""
    follow_up: str | None = None
    """What the person wants next of an ended child; None once its agent took it."""
    folder_question: str | None = None
    """Request id of the question about its folder while the person has not allowed it: such a task never starts."""


def status_of(record: TaskRecord) -> Status:
    """What every view shows of a record (contract 6): a decided end is not shown before its process tree is gone."""
    if record.phase in WAITING_PHASES:
        return Status.QUEUED
    if record.phase in SHOWN_PHASES and record.end is not None:
        return record.end.status
    return Status.RUNNING


@dataclass(frozen=True, slots=True)
class TaskView:
    """A record with what only the ledger knows at this moment; reports are made of it.

    `status` is what every view shows.
    """

    record: TaskRecord
    status: Status
    stopping: bool = False
    queue_position: int | None = None
    """From 1, within the root's queue."""
    blocks: tuple[Block, ...] = ()
    """Own and those of its descendants, oldest first; empty once ended."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """An id that the asker may not see, or that never was."""

    task_id: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A call or resume that was understood but did not happen. `view`: the unchanged task of a refused resume."""

    code: Code
    message: str
    status: Status = Status.FAILED
    view: TaskView | None = None


Answer = TaskView | Unknown | Refused
