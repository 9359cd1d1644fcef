"""The words of the contract (section 6): statuses, refusal and failure codes, kinds of block.

Owns the vocabulary; never decides anything. Values are what the outside reads.
"""

from enum import StrEnum


class Status(StrEnum):
    """Status of a task as every view shows it."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"
    INTERRUPTED = "interrupted"
    UNKNOWN = "unknown"


END_STATUSES = frozenset({Status.COMPLETED, Status.FAILED, Status.CANCELED, Status.INTERRUPTED})


class Code(StrEnum):
    """Why something did not happen, or ended other than well."""

    DEPTH_LIMIT = "depth_limit"
    LIVE_LIMIT = "live_limit"
    QUEUE_FULL = "queue_full"
    INVALID_AGENT_TYPE = "invalid_agent_type"
    AGENT_NOT_INSTALLED = "agent_not_installed"
    AGENT_DISABLED = "agent_disabled"
    AUTH_REQUIRED = "auth_required"
    INVALID_ARGUMENTS = "invalid_arguments"
    INVALID_WORKING_DIR = "invalid_working_dir"
    SPAWN_FAILED = "spawn_failed"
    AGENT_START_TIMEOUT = "agent_start_timeout"
    AGENT_CRASHED = "agent_crashed"
    SUBAGENT_ERROR = "subagent_error"
    CHILD_REFUSAL = "child_refusal"
    CHILD_MAX_TOKENS = "child_max_tokens"
    CHILD_MAX_TURN_REQUESTS = "child_max_turn_requests"
    CHILD_EMPTY = "child_empty"
    CHILD_UNKNOWN = "child_unknown"
    RUN_TIMEOUT = "run_timeout"
    CANCELED = "canceled"
    PARENT_GONE = "parent_gone"
    DELEGATION_DISABLED = "delegation_disabled"
    NOT_AUTHORIZED = "not_authorized"
    CONFLICT = "conflict"
    RESUME_UNAVAILABLE = "resume_unavailable"
    HOST_UNAVAILABLE = "host_unavailable"
    VERSION_MISMATCH = "version_mismatch"
    BUSY = "busy"
    INVALID_REQUEST = "invalid_request"
    TOO_LARGE = "too_large"


class BlockKind(StrEnum):
    """What a task waits for a person to do."""

    PERMISSION = "permission"
    QUESTION = "question"
    PLAN_APPROVAL = "plan_approval"


class Phase(StrEnum):
    """Where a task stands inside the ledger; `Status` is derived from it.

    `asking` = waits for the person's word on a folder outside the parent's; `starting` = a slot is held and the agent
    is being started (prompt not yet written); `stopping` = its end is decided and durable, its process tree not yet
    gone, the end not yet shown; `draining` = the end is shown, the slot still held until the tree is gone.
    """

    ASKING = "asking"
    QUEUED = "queued"
    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    DRAINING = "draining"
    ENDED = "ended"


OPEN_PHASES = frozenset(set(Phase) - {Phase.ENDED})
"""The ledger must hold the task: something of it is still to come."""

LIVE_PHASES = frozenset({Phase.ASKING, Phase.QUEUED, Phase.STARTING, Phase.RUNNING})
"""No end is decided yet."""

WAITING_PHASES = frozenset({Phase.ASKING, Phase.QUEUED})
"""Accepted, nothing started; counted against `queue_limit`."""

HOLDING_PHASES = frozenset({Phase.STARTING, Phase.RUNNING, Phase.STOPPING, Phase.DRAINING})
"""A slot of both live limits is held."""

SHOWN_PHASES = frozenset({Phase.DRAINING, Phase.ENDED})
"""The end is what every view shows."""

RESUMABLE_FAILURES = frozenset(
    {
        Code.AGENT_CRASHED,
        Code.AGENT_START_TIMEOUT,
        Code.SUBAGENT_ERROR,
        Code.AUTH_REQUIRED,
        Code.RUN_TIMEOUT,
        Code.CHILD_MAX_TOKENS,
        Code.CHILD_MAX_TURN_REQUESTS,
        Code.CHILD_UNKNOWN,
    }
)
