"""Frames of changes: what is merged, what keeps its order, how often the UI thread is woken."""

from collections.abc import Callable
from typing import Any

import pytest

from codeg.api import AsksChanged, Change, EntryChanged, SessionChanged, TaskChanged, ThreadChange, TurnFinished
from tests.ui import making as m
from ui.bridge_frames import Box, Frame


class Desk:
    """The UI thread's end of a box."""

    def __init__(self) -> None:
        self.woken = 0
        self.seen: list[Any] = []
        self.box = Box(self._wake, lambda frame: self.seen.append([change.what for change in frame.changes]))

    def _wake(self) -> None:
        self.woken += 1

    def call(self, name: str) -> Callable[[], None]:
        return lambda: self.seen.append(name)


def entry(seq: int, text: str, kind: Any = "updated", session_id: str = "s") -> EntryChanged:
    return EntryChanged(session_id, ThreadChange(kind, m.said("message", text, 0, seq)))


def frame(*whats: Any) -> Frame:
    made = Frame()
    for number, what in enumerate(whats):
        made.add(Change(number, what))
    return made


def whats(made: Frame) -> list[Any]:
    return [change.what for change in made.changes]


def test_an_entry_that_changes_again_keeps_its_place_and_gets_the_newest_text() -> None:
    made = frame(entry(0, "a"), entry(1, "b"), entry(0, "c"), entry(0, "d", session_id="other"))
    assert whats(made) == [entry(0, "c"), entry(1, "b"), entry(0, "d", session_id="other")]


def test_an_entry_that_was_added_and_updated_in_one_frame_was_added() -> None:
    made = frame(entry(0, "a", "added"), entry(0, "ab"))
    assert whats(made) == [entry(0, "ab", "added")]


def test_of_tasks_sessions_and_asks_only_the_newest_word_is_told() -> None:
    old = m.task("t", "s", "Text")
    new = m.task("t", "s", "Text", stopping=True)
    made = frame(
        TaskChanged(old),
        AsksChanged(()),
        SessionChanged(m.session("s", "a")),
        TaskChanged(new),
        SessionChanged(m.session("s", "b")),
        AsksChanged(({"request_id": "x"},)),
    )
    assert whats(made) == [
        TaskChanged(new),
        AsksChanged(({"request_id": "x"},)),
        SessionChanged(m.session("s", "b")),
    ]


def test_each_end_of_a_turn_is_told() -> None:
    made = frame(TurnFinished("s", None, "a"), TurnFinished("s", None, "b"))
    assert whats(made) == [TurnFinished("s", None, "a"), TurnFinished("s", None, "b")]


def test_a_frame_that_was_not_taken_takes_the_next_one_up() -> None:
    desk = Desk()
    first, second = frame(entry(0, "a", "added")), frame(entry(0, "ab"), entry(1, "c", "added"))
    first.activities["t"] = None
    second.activities["u"] = None
    desk.box.put_frame(first)
    desk.box.put_frame(second)
    assert desk.woken == 1
    desk.box.empty()
    assert desk.seen == [[entry(0, "ab", "added"), entry(1, "c", "added")]]
    assert first.activities == {"t": None, "u": None}


def test_an_answer_stays_behind_what_was_told_before_it_and_before_what_came_after() -> None:
    desk = Desk()
    desk.box.put_frame(frame(entry(0, "a")))
    desk.box.put_call(desk.call("answer"))
    desk.box.put_frame(frame(entry(0, "b")))
    desk.box.empty()
    assert desk.seen == [[entry(0, "a")], "answer", [entry(0, "b")]]


def test_one_wake_up_is_under_way_at_a_time() -> None:
    desk = Desk()
    for name in "abc":
        desk.box.put_call(desk.call(name))
    assert desk.woken == 1
    desk.box.empty()
    desk.box.put_call(desk.call("d"))
    assert desk.woken == 2
    desk.box.empty()
    assert desk.seen == ["a", "b", "c", "d"]


def test_what_comes_while_the_box_is_emptied_waits_for_the_next_wake_up() -> None:
    desk = Desk()
    desk.box.put_call(lambda: desk.box.put_call(desk.call("later")))
    desk.box.empty()
    assert (desk.seen, desk.woken) == ([], 2)
    desk.box.empty()
    assert desk.seen == ["later"]


def test_a_fault_in_one_answer_does_not_lose_the_others() -> None:
    desk = Desk()

    def broken() -> None:
        raise ValueError("broken")

    desk.box.put_call(broken)
    desk.box.put_call(desk.call("a"))
    desk.box.put_call(desk.call("b"))
    with pytest.raises(ValueError, match="broken"):
        desk.box.empty()
    assert desk.woken == 2
    desk.box.empty()
    assert desk.seen == ["a", "b"]


def test_after_the_end_nothing_is_done() -> None:
    desk = Desk()
    desk.box.put_call(desk.box.close)
    desk.box.put_call(desk.call("a"))
    desk.box.empty()
    desk.box.put_call(desk.call("b"))
    desk.box.put_frame(frame(entry(0, "a")))
    desk.box.empty()
    assert (desk.seen, desk.woken) == ([], 1)
