"""Bars and the axis under them."""

import pytest

from codeg.api import BlockKind, Phase, Status
from tests.ui import making as m
from tests.ui.making import MINUTE, SECOND
from ui.viewmodels.states import State
from ui.viewmodels.timeline import LABELS, STEPS_S, Axis, Part, axis_of, bar_of, step_label


@pytest.mark.parametrize(
    ("span_s", "step_s", "steps"),
    [
        (0, 10, 1),
        (9, 10, 1),
        (40, 10, 4),
        (41, 30, 2),
        (121, 60, 3),
        (342, 120, 3),
        (481, 300, 2),
        (3_600, 1_800, 2),
        (7_201, 3_600, 3),
        (86_400, 21_600, 4),
        (86_401, 86_400, 2),
        (100 * 86_400, 25 * 86_400, 4),
    ],
)
def test_the_finest_step_that_needs_five_labels_at_most(span_s: int, step_s: int, steps: int) -> None:
    axis = axis_of(1_000, 1_000 + span_s * 1_000)
    assert (axis.step_s, axis.steps) == (step_s, steps)
    assert len(axis.labels()) <= LABELS
    assert axis.span_ms >= span_s * 1_000


def test_the_scale_jumps_and_never_creeps() -> None:
    spans = [axis_of(0, second * 1_000).span_ms for second in range(1, 4_000)]
    assert spans == sorted(spans)
    assert len(set(spans)) <= 3 * len(STEPS_S)


def test_places_lie_on_the_axis() -> None:
    axis = Axis(1_000, 10, 2)
    assert [axis.at(ms) for ms in (0, 1_000, 11_000, 21_000, 99_000)] == [0.0, 0.0, 0.5, 1.0, 1.0]
    assert axis.labels() == ((0.0, "0"), (0.5, "10s"), (1.0, "20s"))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0"), (30, "30s"), (90, "1m 30s"), (600, "10m"), (5_400, "1h 30m"), (86_400, "1d"), (259_200, "3d")],
)
def test_labels(seconds: int, words: str) -> None:
    assert step_label(seconds) == words


# ---- bars


def test_a_running_bar_goes_on() -> None:
    bar = bar_of(m.task("codex-a-aaaa0000bbbb", "root", "A", age=MINUTE))
    assert bar.alive
    assert bar.parts == (Part("worked", m.NOW - MINUTE, None),)


def test_an_ended_bar_ends() -> None:
    bar = bar_of(m.task("codex-a-aaaa0000bbbb", "root", "A", status=Status.COMPLETED, age=MINUTE, took=40 * SECOND))
    assert (bar.begin_ms, bar.end_ms) == (m.NOW - MINUTE, m.NOW - 20 * SECOND)
    assert bar.state is State.COMPLETED


def test_the_time_in_the_queue_stands_before_the_work() -> None:
    view = m.task("codex-a-aaaa0000bbbb", "root", "A", age=MINUTE, started_ms=m.NOW - 20 * SECOND)
    bar = bar_of(view)
    assert [part.kind for part in bar.parts] == ["queued", "worked"]
    assert bar.labelled().begin_ms == m.NOW - 20 * SECOND


def test_a_queued_one_is_only_that() -> None:
    bar = bar_of(m.task("codex-a-aaaa0000bbbb", "root", "A", status=Status.QUEUED, age=MINUTE))
    assert bar.parts == (Part("queued", m.NOW - MINUTE, None),)


def test_one_that_was_canceled_in_the_queue_never_worked() -> None:
    view = m.task("codex-a-aaaa0000bbbb", "root", "A", status=Status.CANCELED, age=MINUTE, started_ms=None)
    assert bar_of(view).parts == (Part("queued", m.NOW - MINUTE, m.NOW),)


def test_waiting_is_a_part_of_its_own() -> None:
    block = m.block(BlockKind.PERMISSION, "ask", "ls", 38 * SECOND)
    bar = bar_of(m.task("codex-a-aaaa0000bbbb", "root", "A", age=MINUTE, blocks=(block,)))
    assert [part.kind for part in bar.parts] == ["worked", "waiting"]
    assert bar.waited_ms(m.NOW) == 38 * SECOND
    assert bar.labelled().end_ms == m.NOW - 38 * SECOND


def test_a_later_attempt_shows_only_itself() -> None:
    view = m.task("codex-a-aaaa0000bbbb", "root", "A", age=m.DAY, attempt=2, started_ms=m.NOW - MINUTE)
    assert bar_of(view).begin_ms == m.NOW - MINUTE


def test_a_starting_one_has_begun() -> None:
    bar = bar_of(m.task("codex-a-aaaa0000bbbb", "root", "A", age=6 * SECOND, phase=Phase.STARTING))
    assert bar.parts == (Part("worked", m.NOW - 6 * SECOND, None),)
