"""The eight marks: told apart in grey, still where stillness is meant."""

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from tests.ui.theme.pictures import greys, inked, painted
from ui.theme.marks import draw_mark
from ui.theme.theme import theme
from ui.viewmodels.states import State

STATES = [state for state in State if state is not State.IDLE]


def mark(state: State, size: int = 16, phase: int = 0, scale: float = 1.0) -> QImage:
    ground = theme().color("bg.surface")
    rect = QRectF(0, 0, size, size)
    return painted(lambda painter: draw_mark(painter, rect, state, ground, phase), size, size, scale, ground)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [12, 14, 16])
def test_all_eight_marks_are_told_apart_in_grey(scheme: str, size: int) -> None:
    theme().set_scheme(scheme)
    pictures = {state: greys(mark(state, size)) for state in STATES}
    for first, second in combinations(STATES, 2):
        pairs = zip(pictures[first], pictures[second], strict=True)
        different = sum(abs(one - other) > 40 for one, other in pairs)
        assert different >= size * size * 0.09, (first, second)


@pytest.mark.parametrize("state", [state for state in STATES if state not in {State.RUNNING, State.STARTING}])
def test_a_mark_that_does_not_run_stands_still(state: State) -> None:
    assert mark(state, phase=0) == mark(state, phase=5)


@pytest.mark.parametrize("state", [State.RUNNING, State.STARTING])
def test_a_running_mark_turns_once_in_twelve_steps(state: State) -> None:
    turn = [mark(state, phase=phase) for phase in range(13)]
    assert all(turn[step] != turn[step + 1] for step in range(12))
    assert turn[0] == turn[12]


def test_idle_has_no_mark() -> None:
    assert inked(mark(State.IDLE), theme().color("bg.surface")) == []


@pytest.mark.parametrize("state", STATES)
def test_a_mark_stays_in_its_square_at_every_scale(state: State) -> None:
    ground = theme().color("bg.surface")
    rect = QRectF(4, 4, 16, 16)
    for scale in (1.0, 1.25, 1.5, 2.0):
        image = painted(lambda painter: draw_mark(painter, rect, state, ground), 24, 24, scale, ground)
        places = inked(image, ground)
        assert min(x for x, _ in places) >= int(3.5 * scale)
        assert max(x for x, _ in places) <= 20.5 * scale


def test_the_mark_on_the_filled_badge_is_dark_ink() -> None:
    fill, ink = theme().color("waiting.fill"), theme().color("waiting.on-fill")
    rect = QRectF(0, 0, 14, 14)
    image = painted(lambda p: draw_mark(p, rect, State.WAITING, fill, on_fill=True), 14, 14, 1.0, fill)
    assert image.pixelColor(3, 7) == ink
