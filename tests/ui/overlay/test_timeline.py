"""The timeline: where bars lie, how one walks them, what they say."""

from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from codeg.api import TaskChanged
from tests.ui import making as m
from tests.ui import scene
from tests.ui.cards.stand import Show, click
from tests.ui.worlds import STATES_ROOT, a_world, changes
from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.overlay import branches_of
from ui.viewmodels.world import World
from ui.widgets.overlay.timeline import RIGHT, Timeline


def a_timeline(show: Show, world: World | None = None, session: str = scene.RETRY) -> Timeline:
    """One in a window of the panel's width."""
    known = world or a_world()
    timeline = Timeline(known)
    timeline.show_branches(branches_of(session, known))
    timeline.resize(metrics.OVERLAY, timeline.sizeHint().height())
    show(timeline)
    return timeline


def colors(image: QImage, x: int, top: int, bottom: int) -> set[int]:
    return {image.pixel(x, y) for y in range(top, bottom)}


def test_time_starts_100_from_the_left(show: Show) -> None:
    timeline = a_timeline(show)
    assert timeline.bar_room(0).left() == metrics.TIMELINE_LEFT
    assert all(timeline.bar_room(n).height() == metrics.TIMELINE_BAR for n in range(4))
    ends = {round(timeline.bar_room(n).right()) for n in (1, 2, 3)}
    assert len(ends) == 1
    assert ends.pop() < metrics.OVERLAY - RIGHT


def test_lanes_are_25_high_in_the_order_of_the_rows(show: Show) -> None:
    timeline = a_timeline(show)
    tops = [timeline.bar_room(number).top() for number in range(4)]
    assert [b - a for a, b in pairwise(tops)] == [metrics.TIMELINE_LANE] * 3


def test_the_scale_jumps_when_a_step_is_full(show: Show) -> None:
    world = a_world()
    timeline = a_timeline(show, world)
    assert (timeline.axis.step_s, timeline.axis.steps) == (120, 3)
    right = timeline.bar_room(1).right()
    world.set_now(m.NOW + 10 * m.SECOND)
    timeline._tick()
    assert timeline.axis.steps == 3
    assert timeline.bar_room(1).right() > right
    world.set_now(m.NOW + 2 * m.MINUTE)
    timeline._tick()
    assert timeline.axis.steps == 4


def test_waiting_is_hatched_in_amber(show: Show) -> None:
    timeline = a_timeline(show)
    room = timeline.bar_room(3)
    image = timeline.grab().toImage()
    fill = theme().color("waiting.fill").rgb()
    inside = (round(room.top()) + 2, round(room.bottom()) - 2)
    hatched = [x for x in range(round(room.left()), round(room.right())) if fill in colors(image, x, *inside)]
    assert hatched
    assert hatched[0] > room.left() + room.width() * 0.7


def test_queued_bars_have_no_fill(show: Show) -> None:
    world = a_world()
    timeline = a_timeline(show, world, scene.INCIDENT)
    image = timeline.grab().toImage()
    room = timeline.bar_room(1)
    middle = (round(room.center().x()), round(room.center().y()))
    assert image.pixel(*middle) != theme().color("queued.tint").rgb()


def test_a_bar_leads_to_its_card(show: Show) -> None:
    timeline = a_timeline(show)
    chosen: list[str] = []
    timeline.chosen.connect(chosen.append)
    click(timeline, timeline.bar_room(2).center().toPoint())
    click(timeline, QPoint(200, 2))
    assert chosen == [scene.PROPERTY]


def test_arrows_walk_and_enter_goes(show: Show) -> None:
    timeline = a_timeline(show)
    chosen: list[str] = []
    timeline.chosen.connect(chosen.append)
    timeline.setFocus()
    for _ in range(9):
        QTest.keyClick(timeline, Qt.Key.Key_Down)
    assert "Move the settlement job" in timeline.accessibleName()
    QTest.keyClick(timeline, Qt.Key.Key_Left)
    QTest.keyClick(timeline, Qt.Key.Key_Return)
    assert chosen == [scene.PROPERTY]


def test_a_bar_tells_task_state_times_and_waiting(show: Show) -> None:
    timeline = a_timeline(show)
    lines = timeline.words(3).split("\n")
    assert lines[0] == "Claude Code: Move the settlement job to the new client"
    assert lines[1] == "Waiting for you"
    assert lines[2].startswith("Began ")
    assert lines[-1] == "Waiting for you for 38s"
    assert any(line.startswith("Ended ") for line in timeline.words(0).split("\n"))


def test_the_current_bar_stays_when_others_come(show: Show) -> None:
    world = a_world()
    timeline = a_timeline(show, world)
    timeline.setFocus()
    QTest.keyClick(timeline, Qt.Key.Key_Down)
    assert timeline.current_task == scene.POLICY
    first = m.task("codex-early-ffff0000ffff", scene.RETRY, "Early", age=m.HOUR)
    world.apply(changes(TaskChanged(first)))
    timeline.show_branches(branches_of(scene.RETRY, world))
    assert timeline.current_task == scene.POLICY


def test_odd_times_stay_on_the_axis(show: Show) -> None:
    world = a_world("states")
    view = world.tasks_of(STATES_ROOT)[0]
    odd = replace(view, record=replace(view.record, ended_ms=0, started_ms=m.NOW + m.DAY))
    world.apply(changes(TaskChanged(odd)))
    timeline = a_timeline(show, world, STATES_ROOT)
    assert not timeline.grab().isNull()
    for number in range(8):
        room = timeline.bar_room(number)
        assert room.left() >= metrics.TIMELINE_LEFT
        assert room.right() <= metrics.OVERLAY


def test_nothing_under_the_axis_is_no_bar(show: Show) -> None:
    timeline = a_timeline(show)
    assert timeline.lane_at(QPointF(200, 5)) is None
    assert timeline.lane_at(QPointF(200, timeline.height() + 50)) is None
