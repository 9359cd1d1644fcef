"""Badges: their letters, their widths, their edges."""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from tests.ui.theme.pictures import inked, painted
from ui.theme.badges import draw_agent_badge, draw_count_box, draw_state_badge, letters_of, state_badge_width
from ui.theme.theme import theme
from ui.viewmodels.states import State


@pytest.mark.parametrize(
    ("slug", "label", "letters"),
    [
        ("claude_code", "Claude Code", "CC"),
        ("claude-code", "", "CC"),
        ("Claude Code", "", "CC"),
        ("codex", "Codex", "Cx"),
        ("codex-mcp-client", "Codex", "Cx"),
        ("opencode", "OpenCode", "OC"),
        ("demo", "Demo", "De"),
        ("my_agent", "Nightly bot", "Ni"),
        ("house", "", "Ho"),
        ("修复", "", "修复"),
        ("", "", "··"),
    ],
)
def test_letters_of_an_agent(slug: str, label: str, letters: str) -> None:
    assert letters_of(slug, label) == letters


def test_a_state_badge_ends_at_the_given_edge() -> None:
    def paint(painter: QPainter) -> None:
        box = draw_state_badge(painter, 190, 20, State.RUNNING, "Running", "5m 24s")
        assert box.right() == 190
        assert box.height() == 22
        assert box.width() == state_badge_width(State.RUNNING, "Running", "5m 24s")

    places = inked(painted(paint, 200, 40))
    assert max(x for x, _ in places) == 189
    assert {y for _, y in places} == set(range(9, 31))


def test_a_ticking_number_does_not_shake_the_badge() -> None:
    widths = {state_badge_width(State.RUNNING, "Running", f"{n}m 1{n}s") for n in range(10)}
    assert len(widths) == 1


def test_only_waiting_is_filled() -> None:
    fill = theme().color("waiting.fill")
    for state in (state for state in State if state is not State.IDLE):
        image = painted(lambda p, state=state: draw_state_badge(p, 118, 15, state, "Word"), 120, 30)
        has_fill = any(image.pixelColor(x, 8) == fill for x in range(120))
        assert has_fill is (state is State.WAITING)


def test_a_badge_is_mirrored_with_the_layout() -> None:
    def paint(painter: QPainter, direction: Qt.LayoutDirection) -> None:
        painter.setLayoutDirection(direction)
        draw_state_badge(painter, 120, 15, State.COMPLETED, "Done")

    mark = theme().color("completed.mark")
    ltr = painted(lambda p: paint(p, Qt.LayoutDirection.LeftToRight), 120, 30)
    rtl = painted(lambda p: paint(p, Qt.LayoutDirection.RightToLeft), 120, 30)
    left = min(x for x in range(120) if ltr.pixelColor(x, 11) == mark)
    assert left < min(x for x in range(120) if rtl.pixelColor(x, 11) == mark)


@pytest.mark.parametrize("size", [18, 20, 22, 24, 28])
def test_letters_stay_inside_their_badge(size: int) -> None:
    ink = theme().color("text.secondary")
    image = painted(lambda p: draw_agent_badge(p, QRectF(0, 0, size, size), "CC"), size, size)
    dark = [x for x, y in inked(image) if image.pixelColor(x, y).lightness() <= ink.lightness() + 40]
    assert min(dark) >= 2
    assert max(dark) <= size - 3


def test_a_count_grows_to_the_left() -> None:
    def paint(painter: QPainter) -> None:
        small = draw_count_box(painter, 100, 15, 4)
        large = draw_count_box(painter, 100, 15, 1284)
        assert small.width() == 20
        assert small.height() == 18
        assert large.right() == small.right()
        assert large.width() > small.width()

    painted(paint, 100, 30)
