"""Sub-agents of a conversation as rows and bars (design 7.6).

Owns the order, the folding of ended ones, and the time axis; pure but for the world it reads.
"""

from dataclasses import dataclass

from codeg.api import TaskView
from ui.viewmodels.states import ALIVE, State, state_of_task
from ui.viewmodels.world import World
from ui.wording import duration, tr

FOLD = 12
"""More rows than these, and ended ones fold."""
STEPS_S = (10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400)
LABELS = 5


@dataclass(frozen=True, slots=True)
class Lane:
    """One child. `level` 0 = of the conversation itself. Times in epoch ms; `ended_ms` None = alive.

    `waits_ms`: since when it waits for the person, None = it does not.
    """

    task_id: str
    level: int
    state: State
    asked_ms: int
    began_ms: int | None
    ended_ms: int | None
    waits_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Folded:
    """So many ended ones are not listed."""

    count: int


@dataclass(frozen=True, slots=True)
class Axis:
    """`begin_ms`: at the left; `step_s` between labels; `steps`: how many fit before the right edge."""

    begin_ms: int
    step_s: int
    steps: int

    @property
    def span_ms(self) -> int:
        """From the left edge to the right one."""
        return self.step_s * self.steps * 1000

    def at(self, ms: int) -> float:
        """Place of a time, 0 to 1; beyond is cut."""
        return max(0.0, min(1.0, (ms - self.begin_ms) / max(1, self.span_ms)))

    def labels(self) -> tuple[tuple[float, str], ...]:
        """Places and words, the first is 0."""
        return tuple((n / self.steps, label(n * self.step_s)) for n in range(self.steps + 1))


def label(seconds: int) -> str:
    """`0`, `30s`, `2m`, `1h`."""
    if seconds == 0:
        return "0"
    if seconds % 3600 == 0:
        return tr("{h}h", h=str(seconds // 3600))
    if seconds % 60 == 0:
        return tr("{m}m", m=str(seconds // 60))
    return tr("{s}s", s=str(seconds))


def axis_of(begin_ms: int, end_ms: int) -> Axis:
    """The finest step with which at most five labels reach the end: it jumps by steps and never creeps."""
    span = max(1, end_ms - begin_ms)
    for step in STEPS_S:
        steps = -(-span // (step * 1000))
        if steps <= LABELS - 1:
            return Axis(begin_ms, step, max(1, steps))
    return Axis(begin_ms, STEPS_S[-1], max(1, -(-span // (STEPS_S[-1] * 1000))))


def lanes_of(session_id: str, world: World) -> tuple[Lane, ...]:
    """Every delegation below a conversation, depth first."""
    found: list[Lane] = []
    depth = {session_id: 0}
    for view in world.descendants(session_id):
        level = depth.get(view.record.parent_id, 0)
        depth[view.record.child_id] = level + 1
        found.append(lane_of(view, level))
    return tuple(found)


def lane_of(view: TaskView, level: int) -> Lane:
    """One child."""
    record, state = view.record, state_of_task(view)
    waits = view.blocks[0].since_ms if view.blocks and state is State.WAITING else None
    ended = record.ended_ms if state not in ALIVE else None
    return Lane(record.task_id, level, state, record.created_ms, record.started_ms, ended, waits)


def listed(lanes: tuple[Lane, ...], *, unfolded: bool) -> "tuple[Lane | Folded, ...]":
    """Rows of the list: over 12, ended ones without living children fold to one line."""
    if len(lanes) <= FOLD or unfolded:
        return lanes
    keep = [lane for number, lane in enumerate(lanes) if lane.state in ALIVE or _holds_living(lanes, number)]
    hidden = len(lanes) - len(keep)
    return (*keep, Folded(hidden)) if hidden else lanes


def _holds_living(lanes: tuple[Lane, ...], number: int) -> bool:
    for lane in lanes[number + 1 :]:
        if lane.level <= lanes[number].level:
            return False
        if lane.state in ALIVE:
            return True
    return False


def time_of(lane: Lane, now_ms: int) -> str:
    """How long it took, or takes."""
    begin = lane.began_ms or lane.asked_ms
    return duration((lane.ended_ms or now_ms) - begin)
