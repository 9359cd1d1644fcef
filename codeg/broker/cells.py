"""What the ledger holds of one task besides its record: the live process, open prompts, who waits, clocks.

Owns data only; everything here may be lost with the process, and none of it is made durable.
"""

from dataclasses import dataclass, field
from typing import Literal

from codeg.broker.tasks import Block, TaskRecord, Unknown

Audience = Literal["operator", "model", "listener"]
"""Who waits: the person, the parent's model, or the program that listens beside it."""


@dataclass(slots=True, eq=False)
class OpenBlock:
    """A prompt to the person that is open."""

    block: Block
    shown: dict[tuple[str, Audience], float] = field(default_factory=dict[tuple[str, Audience], float])
    """When a wait last returned with it (monotonic seconds), by the task asked about and who asked."""


@dataclass(slots=True, eq=False)
class Cell:
    """One task as it stands now. `record` is replaced by `Book.change` alone."""

    record: TaskRecord
    age: int
    """Running number of the call or resume; lower is older."""
    tree: int = 0
    """The attempt whose process tree may be alive (spawned, not reported gone); 0 = none."""
    prompt_sent: bool = False
    """The attempt was given its prompt."""
    before: TaskRecord | None = None
    """The record before the resume in progress, to be put back if the session cannot be re-attached."""
    resume_pending: bool = False
    """A resume waits for the tree of the ended attempt to be gone."""
    follow_up: str | None = None
    """What the person wants next, once the resume that waits can begin."""
    resume_attended: bool = False
    """A companion is among those who asked for the resume, not the operator alone."""
    blocks: dict[str, OpenBlock] = field(default_factory=dict[str, OpenBlock])
    """Its own open prompts by request id."""
    blocked: int = 0
    """Open prompts of its own and of all its descendants."""
    waits: "dict[int, Waiter]" = field(default_factory=dict[int, "Waiter"])
    cancels: dict[int, None] = field(default_factory=dict[int, None])
    """Cancel requests that wait for the tree to be gone."""
    resumes: dict[int, None] = field(default_factory=dict[int, None])
    """Resume requests that wait for the session."""
    worked_s: float = 0.0
    """Seconds of work of this attempt before the clock was last started, waits for a person not counted."""
    working_since: float | None = None
    """When the clock of `run_timeout` was last started; None = it stands still."""
    unattended_since: float | None = None
    position: int | None = None
    """Place in the queue as last announced."""


@dataclass(slots=True, eq=False)
class Waiter:
    """A status wait. It is in `Cell.waits` of each task that it asks about, and leaves all at once."""

    ref: int
    audience: Audience
    items: tuple[Cell | Unknown, ...]
    """In the asked order, repeats included."""
    until: float
    """Monotonic seconds; `inf` = without end."""
    cells: dict[str, Cell] = field(default_factory=dict[str, Cell])
