"""What the status bar says."""

from codeg.api import DayUsage, DayUsageChanged, SessionChanged
from tests.ui import making as m
from tests.ui.worlds import a_world, changes
from ui.viewmodels.states import State
from ui.viewmodels.status import parts_of, today


def test_it_counts_what_lives_and_says_where_a_click_leads(qapp: object) -> None:
    parts = parts_of(a_world())
    assert [part.text for part in parts] == ["Host running", "4 running", "4 need you", "2 queued"]
    assert [part.page for part in parts] == ["", "board:running", "inbox", "board:queued"]
    assert [part.strong for part in parts] == [False, False, True, False]


def test_zeros_are_left_out(qapp: object) -> None:
    assert [part.text for part in parts_of(a_world("empty"))] == ["Host running", "Nothing running"]


def test_a_session_at_work_is_not_nothing(qapp: object) -> None:
    world = a_world("empty")
    world.apply(changes(SessionChanged(m.session("one", "One", state="running"))))
    part = parts_of(world)[-1]
    assert (part.text, part.state) == ("1 session at work", State.RUNNING)


def test_a_host_that_does_not_run_is_said_in_its_place(qapp: object) -> None:
    first = parts_of(a_world("empty"), host="The host stopped")
    assert [(part.text, part.icon) for part in first] == [("The host stopped", "circle-x")]


def test_what_nobody_reported_is_left_out(qapp: object) -> None:
    world = a_world("empty")
    assert today(world) == "Today 1.2 M tokens · $6.14"
    world.apply(changes(DayUsageChanged(DayUsage(None, (("USD", 0.004), ("EUR", 2.0))))))
    assert today(world) == "Today <$0.01 · €2.00"
    world.apply(changes(DayUsageChanged(DayUsage())))
    assert today(world) == ""
