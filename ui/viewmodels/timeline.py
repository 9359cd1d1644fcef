"""Bars of children over time: parts of a bar, and an axis that jumps by steps (design 7.6).

Pure numbers; no Qt and no clock. What is not known (earlier attempts, earlier waits) is not drawn.
"""

from dataclasses import dataclass
from typing import Literal

from codeg.api import TaskView
from ui.viewmodels.states import ALIVE, State, state_of_task
from ui.wording import tr

STEPS_S = (10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600)
LABELS = 5
_DAY_S = 86_400
_SECOND = 1_000
PartKind = Literal["queued", "worked", "waiting"]


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a bar. `end_ms` None = until now."""

    kind: PartKind
    begin_ms: int
    end_ms: int | None


@dataclass(frozen=True, slots=True)
class Bar:
    """One child. `begin_ms`: of the first part; `end_ms` None = alive."""

    state: State
    parts: tuple[Part, ...]

    @property
    def begin_ms(self) -> int:
        """Where the bar begins."""
        return self.parts[0].begin_ms

    @property
    def end_ms(self) -> int | None:
        """Where it ends; None = it goes on."""
        return self.parts[-1].end_ms

    @property
    def alive(self) -> bool:
        """It goes on."""
        return self.end_ms is None

    def labelled(self) -> Part:
        """The part whose time is told: what it worked, unless that is nothing yet."""
        worked = (part for part in self.parts if part.kind == "worked")
        return next(
            (part for part in worked if part.end_ms is None or part.end_ms - part.begin_ms >= _SECOND), self.parts[-1]
        )

    def waited_ms(self, now_ms: int) -> int:
        """How long it has waited for the person."""
        return sum((part.end_ms or now_ms) - part.begin_ms for part in self.parts if part.kind == "waiting")


@dataclass(frozen=True, slots=True)
class Axis:
    """`begin_ms`: at the left; `step_s` between labels; `steps`: how many up to the right end."""

    begin_ms: int
    step_s: int
    steps: int

    @property
    def span_ms(self) -> int:
        """From the left end to the right one."""
        return self.step_s * self.steps * 1_000

    def at(self, ms: int) -> float:
        """Place of a time, 0 to 1; what is beyond lies at the end."""
        return max(0.0, min(1.0, (ms - self.begin_ms) / self.span_ms))

    def labels(self) -> tuple[tuple[float, str], ...]:
        """Places and words; the first is 0."""
        return tuple((n / self.steps, step_label(n * self.step_s)) for n in range(self.steps + 1))


def step_label(seconds: int) -> str:
    """`0`, `30s`, `1m 30s`, `2m`, `1h`, `1h 30m`, `3d`."""
    if seconds == 0:
        return "0"
    if seconds % _DAY_S == 0:
        return tr("{d}d", d=str(seconds // _DAY_S))
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = (
        tr("{h}h", h=str(hours)) if hours else "",
        tr("{m}m", m=str(minutes)) if minutes else "",
        tr("{s}s", s=str(rest)) if rest else "",
    )
    return " ".join(part for part in parts if part)


def axis_of(begin_ms: int, end_ms: int) -> Axis:
    """The finest step with which at most five labels reach the end."""
    span = max(1, end_ms - begin_ms)
    for step in STEPS_S:
        steps = -(-span // (step * 1_000))
        if steps < LABELS:
            return Axis(begin_ms, step, steps)
    days = -(-span // (_DAY_S * 1_000 * (LABELS - 1)))
    return Axis(begin_ms, days * _DAY_S, -(-span // (days * _DAY_S * 1_000)))


def bar_of(view: TaskView) -> Bar:
    """The bar of a task: what is known of its times."""
    record, state = view.record, state_of_task(view)
    end = None if state in ALIVE else record.ended_ms
    first = record.created_ms if record.attempt == 1 else record.started_ms or record.created_ms
    began = record.started_ms
    if state is State.QUEUED or (began is None and not (state in ALIVE or end is None)):
        return Bar(state, (Part("queued", first, end),))
    parts: list[Part] = []
    if began is not None and began > first:
        parts.append(Part("queued", first, began))
    began = began if began is not None else first
    waits = view.blocks[0].since_ms if view.blocks and state is State.WAITING else None
    if waits is None:
        parts.append(Part("worked", began, end))
    else:
        waits = max(waits, began)
        parts += [Part("worked", began, waits), Part("waiting", waits, None)]
    return Bar(state, tuple(parts))
