"""Events of the ledger, past tense: facts that the shell reports. Frozen data, no behaviour.

Events of a child carry the attempt that they belong to, so that a late one of an earlier attempt is dropped. `ref` is
an opaque number by which the shell finds the waiting caller again; the ledger answers each ref at most once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from codeg.broker.codes import Code
from codeg.broker.tasks import Block, Limits, Parent, ProcessIdentity, TaskRecord, Usage, Work


@dataclass(frozen=True, slots=True)
class CallReceived:
    """`delegate_to_agent` arrived.

    The shell has looked at the world already: `refusal` is its finding, applied in the contract's order.

    A repeat with the handle and digest of a task that is held is answered with that task (contract 4: such a call may
    be sent twice).

    `task_id` and `child_id` are fresh ids to use if the call becomes a task. `folder_question`: a fresh request id when
    the folder is outside the parent's and the setting says ask, else None. `keyed_record`: the stored task of this
    parent with the same key, if the ledger may not hold it any more.
    """

    ref: int
    parent: Parent
    task_id: str
    child_id: str
    agent_type: str
    task_text: str
    working_dir: str
    explicit_dir: str | None = None
    tool_use_id: str = ""
    external_handle: str | None = None
    idempotency_key: str | None = None
    digest: str = ""
    refusal: "tuple[Code, str] | None" = None
    folder_question: str | None = None
    keyed_record: TaskRecord | None = None
    by_person: bool = False
    """The person delegates, not the parent's model: no tool call of the parent belongs to it."""


@dataclass(frozen=True, slots=True)
class CallWithdrawn:
    """The caller took its call back by handle (`cancel`), or closed before its answer was written.

    Acts until the prompt is written.
    """

    parent_id: str
    external_handle: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FolderAnswered:
    """The person's word on a folder outside the parent's."""

    task_id: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class ChildSpawned:
    """Keeper and agent run; their identity must be durable before a prompt is sent."""

    task_id: str
    attempt: int
    process: ProcessIdentity


@dataclass(frozen=True, slots=True)
class SessionReady:
    """The agent's session is open (new or re-attached).

    `resume_via`: what its capabilities allow: resume, load or none.
    """

    task_id: str
    attempt: int
    agent_session_id: str
    resume_via: str


@dataclass(frozen=True, slots=True)
class PromptAccepted:
    """The prompt was written to the agent."""

    task_id: str
    attempt: int


@dataclass(frozen=True, slots=True)
class ChildStartFailed:
    """The agent never got as far as its prompt: `spawn_failed`, `agent_start_timeout`, `resume_unavailable`, others."""

    task_id: str
    attempt: int
    code: Code
    message: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The prompt was answered.

    `text`: final message in UTF-8 (contract 6, Result text); `tool_calls`: number in the turn.
    """

    task_id: str
    attempt: int
    stop_reason: str
    text: bytes
    tool_calls: int = 0
    usage: Usage | None = None
    note: str = ""
    """Tools run and files touched, for a turn without text."""
    work: Work | None = None


@dataclass(frozen=True, slots=True)
class ChildFailed:
    """The agent failed in mid-turn: crash, protocol error, error answer. `text`: what it had written."""

    task_id: str
    attempt: int
    code: Code
    message: str
    text: bytes = b""
    usage: Usage | None = None
    work: Work | None = None


@dataclass(frozen=True, slots=True)
class ChildGone:
    """The whole process tree of the attempt is gone. `text`: what it had written, for an end that was decided before.

    The shell's promise: every `SpawnChild` is followed by exactly one of these as the last event of its attempt,
    whatever else was reported (also after `ChildStartFailed` and `ChildFailed`) and whether or not a `StopChild` asked
    for it. Until then the slot is held.
    """

    task_id: str
    attempt: int
    text: bytes = b""
    usage: Usage | None = None
    work: Work | None = None


@dataclass(frozen=True, slots=True)
class ChildBlocked:
    """The child waits for the person."""

    task_id: str
    attempt: int
    block: Block


@dataclass(frozen=True, slots=True)
class ChildUnblocked:
    """A prompt to the person was answered or withdrawn."""

    task_id: str
    attempt: int
    request_id: str


@dataclass(frozen=True, slots=True)
class ToolCallSeen:
    """The parent's agent announced a tool call that is, or may become, a delegation.

    `finished`: its status is terminal.
    """

    parent_id: str
    tool_call_id: str
    agent_type: str | None
    task_text: str | None
    explicit_dir: str | None
    finished: bool = False


@dataclass(frozen=True, slots=True)
class TasksRecalled:
    """Ended tasks that the shell read from the store because somebody asked for them; kept for at least 10 s."""

    records: tuple[TaskRecord, ...]


@dataclass(frozen=True, slots=True)
class StatusAsked:
    """`readers`: parent ids whose tasks the asker may see (None = all, for the operator).

    `until`: None = snapshot; else monotonic seconds, `math.inf` = until an end, a new block, or the asker closes.
    `listens`: for what the parent's program is told beside its model's calls.
    """

    ref: int
    readers: frozenset[str] | None
    task_ids: tuple[str, ...]
    until: float | None = None
    listens: bool = False


@dataclass(frozen=True, slots=True)
class WaitClosed:
    """The asker of `ref` has gone; nothing is answered."""

    ref: int


@dataclass(frozen=True, slots=True)
class CancelRequested:
    """`cancel_delegation`. The reply waits up to 1 s for the tree (contract 6)."""

    ref: int
    readers: frozenset[str] | None
    task_id: str


@dataclass(frozen=True, slots=True)
class ResumeRequested:
    """`resume_delegation`.

    `refusal`: what the shell found against it (agent gone or disabled); `parent`: may be None, the record knows.
    """

    ref: int
    readers: frozenset[str] | None
    task_id: str
    parent: Parent | None
    refusal: "tuple[Code, str] | None" = None


@dataclass(frozen=True, slots=True)
class FollowUpRequested:
    """The person goes on with an ended child by a prompt of their own; fields as of `ResumeRequested`."""

    ref: int
    task_id: str
    text: str
    parent: Parent | None
    refusal: "tuple[Code, str] | None" = None


@dataclass(frozen=True, slots=True)
class StartRequested:
    """The person wants a queued task to start now, whatever the live limits say."""

    ref: int
    task_id: str


@dataclass(frozen=True, slots=True)
class RootDeleted:
    """A root conversation is deleted: its unfinished tasks end, and the ledger forgets each for good once it has."""

    root_id: str


@dataclass(frozen=True, slots=True)
class ParentCanceled:
    """The user cancelled the parent's turn: its unfinished tasks at any depth are cancelled; it stays and may ask."""

    parent_id: str


@dataclass(frozen=True, slots=True)
class ParentGone:
    """The parent's session ended, crashed or disconnected: unfinished tasks at any depth end as `parent_gone`."""

    parent_id: str


@dataclass(frozen=True, slots=True)
class LeaseEnded:
    """The last lease of an outside session ended: its tasks go on, unattended."""

    parent_id: str


@dataclass(frozen=True, slots=True)
class LeaseBegan:
    """An outside session has a live companion again."""

    parent_id: str


@dataclass(frozen=True, slots=True)
class LimitsChanged:
    """The settings were changed."""

    limits: Limits


@dataclass(frozen=True, slots=True)
class HostStarted:
    """Records that were not ended when the last host ended; the ledger makes them `interrupted` (or what was decided).

    `texts`: what a task had written in the attempt that was cut off, by task id, where the transcript tells (UTF-8).
    """

    records: tuple[TaskRecord, ...] = field(default=())
    texts: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


@dataclass(frozen=True, slots=True)
class HostStopping:
    """The host ends cleanly: what is live becomes `interrupted`, open waits are answered, nothing starts any more."""


@dataclass(frozen=True, slots=True)
class TimePassed:
    """The clock reached a moment asked for by `WakeAt`."""


Event = (
    CallReceived
    | CallWithdrawn
    | FolderAnswered
    | ChildSpawned
    | SessionReady
    | PromptAccepted
    | ChildStartFailed
    | TurnEnded
    | ChildFailed
    | ChildGone
    | ChildBlocked
    | ChildUnblocked
    | ToolCallSeen
    | TasksRecalled
    | StatusAsked
    | WaitClosed
    | CancelRequested
    | ResumeRequested
    | FollowUpRequested
    | StartRequested
    | RootDeleted
    | ParentCanceled
    | ParentGone
    | LeaseEnded
    | LeaseBegan
    | LimitsChanged
    | HostStarted
    | HostStopping
    | TimePassed
)
