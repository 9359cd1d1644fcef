"""Effects of the ledger, imperative: what the shell must do, in this order.

The shell's promise: nothing that comes after a `Persist` leaves before that `Persist` is durable (contract 6, Durability and order).
"""

from dataclasses import dataclass

from codeg.broker.tasks import Answer, TaskRecord, TaskView


@dataclass(frozen=True, slots=True)
class Persist:
    """Make this state of the task durable. `text`: the attempt's result text to store with it (None = leave what is there)."""

    record: TaskRecord
    text: bytes | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer the caller of `ref`, in the asked order; a call, cancel or resume has exactly one answer."""

    ref: int
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class AskFolder:
    """Ask the person whether the task may work in a folder outside its parent's; the answer comes back as `FolderAnswered`."""

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
    """Write the prompt. `text` is the task's own text, or None for the fixed sentence that continues (contract 6, resume)."""

    task_id: str
    attempt: int
    text: str | None


@dataclass(frozen=True, slots=True)
class StopChild:
    """Cancel the turn if `cancel_turn`, then end the whole process tree, and report `ChildGone`. Also while it is still starting."""

    task_id: str
    attempt: int
    cancel_turn: bool


@dataclass(frozen=True, slots=True)
class Announce:
    """Tell the observers (window, command line) how the task now stands."""

    view: TaskView


@dataclass(frozen=True, slots=True)
class WakeAt:
    """Report `TimePassed` at this monotonic moment (seconds); the newest one stands for all, None-free: later ones replace it."""

    mono: float


Effect = Persist | Reply | AskFolder | WithdrawAsk | SpawnChild | SendPrompt | StopChild | Announce | WakeAt
