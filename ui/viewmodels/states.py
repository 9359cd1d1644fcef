"""The eight states that a person sees, and how they follow from what the host tells.

Owns the words' keys and their urgency; pure, no Qt. The shapes are drawn by `ui.theme.marks`, the words said by
`ui.wording`. Source: the design's section 5.
"""

from enum import StrEnum

from codeg.api import BlockKind, Phase, SessionRecord, Status, TaskView


class State(StrEnum):
    """How a task or a session stands for the person who looks at it. `idle`: a session with nothing to say."""

    QUEUED = "queued"
    STARTING = "starting"
    RUNNING = "running"
    WAITING = "waiting"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"
    INTERRUPTED = "interrupted"
    IDLE = "idle"


ALIVE = frozenset({State.QUEUED, State.STARTING, State.RUNNING, State.WAITING})
URGENCY = (State.WAITING, State.FAILED, State.RUNNING, State.STARTING, State.QUEUED, State.INTERRUPTED)
"""Of a tree, the most urgent state is shown: the first of these that occurs (design 5)."""

_ENDS = {
    Status.COMPLETED: State.COMPLETED,
    Status.FAILED: State.FAILED,
    Status.CANCELED: State.CANCELED,
    Status.INTERRUPTED: State.INTERRUPTED,
    Status.UNKNOWN: State.FAILED,
}


def state_of_task(view: TaskView) -> State:
    """The state on a task's card, overlay row, sidebar row and board card."""
    if view.status in _ENDS:
        return _ENDS[view.status]
    if view.blocks or view.record.phase is Phase.ASKING:
        return State.WAITING
    if view.status is Status.QUEUED:
        return State.QUEUED
    return State.STARTING if view.record.phase is Phase.STARTING else State.RUNNING


def own_state(record: SessionRecord, *, asks: bool, prompted: bool) -> State:
    """A session's own state, its children left out. `asks`: it waits for the person; `prompted`: it had a turn."""
    if asks:
        return State.WAITING
    match record.state:
        case "starting":
            return State.STARTING
        case "running":
            return State.RUNNING
        case "failed":
            return State.FAILED
        case _:
            return State.COMPLETED if prompted else State.IDLE


def most_urgent(own: State, below: "frozenset[State]") -> State:
    """What a session shows for its whole tree."""
    return next((state for state in URGENCY if state is own or state in below), own)


def waits_for(view: TaskView) -> BlockKind | None:
    """What the task itself, or the nearest of its descendants, waits for."""
    return view.blocks[0].kind if view.blocks else None
