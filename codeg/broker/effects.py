"""Effects of the ledger, imperative: what the shell must do, in this order.

The shell's promise: nothing that comes after a `Persist` leaves before that `Persist` is durable (contract 6,
Durability and order). The ledger's promise: the effects of one event come in this order: every changed task persisted
once in its final state, then what is to be done, then one announcement for each task that looks different, then
replies, then the next moment to wake.
"""

from dataclasses import dataclass

from codeg.broker.tasks import Answer, TaskRecord, TaskView


@dataclass(frozen=True, slots=True)
class Persist:
    """Make this state of the task durable.

    `text`: the attempt's result text to store with it (None = leave what is there).
    """

    record: TaskRecord
    text: bytes | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer the caller of `ref`, in the asked order; a call, cancel or resume has exactly one answer."""

    ref: int
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class AskFolder:
    """Ask the person whether the task may work in a folder outside its parent's; `FolderAnswered` is the answer."""

    record: TaskRecord
    request_id: str


@dataclass(frozen=True, slots=True)
class WithdrawAsk:
    """The folder question of this task is moot."""

    task_id: str
    request_id: str


@dataclass(frozen=True, slots=True)
class SpawnChild:
    """Start the agent and open its session (new, or re-attached when `resume` is set), then report `SessionReady`."""

    record: TaskRecord
    resume: bool


@dataclass(frozen=True, slots=True)
class SendPrompt:
    """Write the prompt.

    `text` is the task's own text, or None for the fixed sentence that continues (contract 6, resume).
    """

    task_id: str
    attempt: int
    text: str | None


@dataclass(frozen=True, slots=True)
class StopChild:
    """Cancel the turn if `cancel_turn`, then end the whole process tree, and report `ChildGone`. Also while it starts.

    Given once for every spawned child that has not gone by itself. If the child is gone by then, its `ChildGone` was or
    will be reported all the same; a second one does no harm.
    """

    task_id: str
    attempt: int
    cancel_turn: bool


@dataclass(frozen=True, slots=True)
class Announce:
    """Tell the observers (window, command line) how the task now stands."""

    view: TaskView


@dataclass(frozen=True, slots=True)
class WakeAt:
    """Report `TimePassed` at this monotonic moment (seconds).

    The newest one stands for all: it replaces those before.
    """

    mono: float


Effect = Persist | Reply | AskFolder | WithdrawAsk | SpawnChild | SendPrompt | StopChild | Announce | WakeAt
