"""Status questions and waits (contract 6, get_delegation_status; broker.md 4.6, 4.7, 7.2)."""

import sys
from types import FrameType
from typing import Any

import pytest

from codeg.broker.codes import BlockKind, Status
from codeg.broker.effects import Announce, WakeAt
from codeg.broker.events import ChildBlocked, ChildUnblocked, HostStopping, WaitClosed
from codeg.broker.tasks import Block, Limits, TaskView
from tests.broker.bench import FOREVER, Bench, of, statuses


def test_a_snapshot_answers_at_once_in_the_asked_order() -> None:
    bench = Bench()
    running, done = bench.running(), bench.finish(bench.running())
    ref = bench.ask(done, running, "never-was", done)
    assert statuses(bench.answers(ref)) == [Status.COMPLETED, Status.RUNNING, Status.UNKNOWN, Status.COMPLETED]


def test_a_wait_without_end_returns_when_the_task_ends() -> None:
    bench = Bench()
    task_id = bench.running()
    ref = bench.wait(task_id)
    assert ref not in bench.replies
    assert not of(bench.stream, WakeAt), "nothing is to be done at any moment"
    bench.end_turn(task_id)
    assert bench.answered(ref).status is Status.COMPLETED


def test_a_wait_on_many_returns_when_any_of_them_ends() -> None:
    bench = Bench()
    first, second = bench.running(), bench.running()
    ref = bench.wait(first, second)
    bench.end_turn(second)
    assert statuses(bench.answers(ref)) == [Status.RUNNING, Status.COMPLETED]
    bench.end_turn(first)


def test_a_wait_returns_at_once_when_one_of_them_has_ended_already() -> None:
    bench = Bench()
    ref = bench.wait(bench.running(), bench.finish(bench.running()))
    assert statuses(bench.answers(ref)) == [Status.RUNNING, Status.COMPLETED]


@pytest.mark.parametrize("ids", [("never-was",), ("never-was", "nor-was-this"), ()])
def test_a_wait_on_what_is_unknown_never_parks(ids: tuple[str, ...]) -> None:
    bench = Bench()
    assert bench.wait(*ids) in bench.replies


def test_a_wait_on_another_parents_task_never_parks() -> None:
    bench = Bench()
    ref = bench.wait(bench.running(), readers=frozenset({"other"}))
    assert statuses(bench.answers(ref)) == [Status.UNKNOWN]


def test_a_bounded_wait_returns_the_running_task_at_its_time_and_not_before() -> None:
    bench = Bench()
    ref = bench.wait(bench.running(), seconds=5)
    assert bench.wake_at() == bench.mono + 5
    bench.advance(4.9)
    assert ref not in bench.replies
    bench.advance(0.1)
    assert bench.answered(ref).status is Status.RUNNING


def test_a_wait_whose_time_has_passed_returns_at_once() -> None:
    bench = Bench()
    assert bench.wait(bench.running(), seconds=0) in bench.replies


def test_a_queued_task_is_waited_for_to_its_end() -> None:
    bench = Bench(Limits(live_per_parent=1))
    first, second = bench.running(), bench.call()
    ref = bench.wait(second)
    bench.finish(first)
    assert ref not in bench.replies
    bench.end_turn(bench.run(second))
    assert bench.answered(ref).status is Status.COMPLETED


def test_a_task_that_is_stopping_is_waited_for_until_its_end_is_shown() -> None:
    bench = Bench()
    task_id = bench.running()
    ref = bench.wait(task_id)
    bench.cancel(task_id)
    assert ref not in bench.replies
    bench.gone(task_id)
    assert bench.answered(ref).status is Status.CANCELED


def test_a_closed_wait_is_dropped_and_its_task_goes_on() -> None:
    bench = Bench()
    task_id = bench.running()
    ref = bench.wait(task_id, task_id, seconds=5)
    bench.apply(WaitClosed(ref))
    bench.apply(WaitClosed(ref))
    bench.advance(5)
    bench.end_turn(task_id)
    assert ref not in bench.replies


def test_all_waits_return_when_the_host_ends_and_no_new_one_parks() -> None:
    bench = Bench()
    task_id = bench.running()
    ref = bench.wait(task_id)
    bench.apply(HostStopping())
    assert bench.answered(ref).status is Status.INTERRUPTED
    stopping = Bench()
    task_id = stopping.running()
    stopping.cancel(task_id)
    parked = stopping.wait(task_id)
    stopping.apply(HostStopping())
    assert stopping.answered(parked).stopping
    assert stopping.wait(task_id) in stopping.replies


def test_asking_again_gives_the_same_answer() -> None:
    bench = Bench()
    task_id = bench.finish(bench.running())
    first, second = bench.ask(task_id), bench.wait(task_id)
    assert bench.replies[first] == bench.replies[second]


# Prompts to the person.


def test_a_wait_returns_when_its_task_is_blocked_and_shows_the_prompt() -> None:
    bench = Bench()
    task_id = bench.running()
    ref = bench.wait(task_id)
    bench.block(task_id, "r1", BlockKind.QUESTION)
    view = bench.answered(ref)
    assert view.status is Status.RUNNING
    assert [(block.kind, block.request_id) for block in view.blocks] == [(BlockKind.QUESTION, "r1")]


def test_the_same_prompt_does_not_wake_a_second_wait_but_another_one_does() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.wait(task_id)
    bench.block(task_id)
    second = bench.wait(task_id, seconds=10)
    assert second not in bench.replies
    bench.advance(10)
    assert [block.request_id for block in bench.answered(second).blocks] == ["r1"]
    third = bench.wait(task_id, seconds=10)
    bench.block(task_id, "r2")
    assert [block.request_id for block in bench.answered(third).blocks] == ["r1", "r2"]


def test_a_prompt_still_open_after_300_seconds_wakes_again_and_not_before() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.wait(task_id)
    bench.block(task_id)
    bench.advance(100)
    unbounded = bench.wait(task_id)
    assert bench.wake_at() == bench.mono + 200
    bench.advance(199)
    assert unbounded not in bench.replies
    bench.advance(1)
    assert bench.answered(unbounded).blocks
    assert bench.wait(task_id, seconds=299) not in bench.replies


def test_a_wait_that_was_to_be_told_again_goes_on_when_the_prompt_was_closed_meanwhile() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.wait(task_id)
    bench.block(task_id)
    ref = bench.wait(task_id)
    bench.unblock(task_id)
    bench.advance(300)
    assert ref not in bench.replies
    bench.end_turn(task_id)
    assert ref in bench.replies


def test_a_prompt_that_nobody_waited_for_wakes_the_first_wait_at_once() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.block(task_id)
    assert bench.wait(task_id) in bench.replies
    assert bench.wait(task_id) not in bench.replies


def test_snapshots_do_not_count_as_told() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.block(task_id)
    assert bench.answered(bench.ask(task_id)).blocks
    assert bench.wait(task_id) in bench.replies


def test_a_wait_that_returns_for_another_reason_has_told_the_prompts_it_shows() -> None:
    bench = Bench()
    blocked, done = bench.running(), bench.finish(bench.running())
    bench.block(blocked)
    bench.wait(blocked, done)
    assert bench.wait(blocked) not in bench.replies


def test_a_wait_that_shows_an_old_prompt_does_not_put_off_its_300_seconds() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.wait(task_id)
    bench.block(task_id)
    bench.wait(task_id, seconds=200)
    bench.advance(200)
    late = bench.wait(task_id)
    bench.advance(100)
    assert late in bench.replies


def test_a_task_that_is_not_blocked_any_more_is_waited_for_to_the_deadline() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.block(task_id)
    bench.unblock(task_id)
    ref = bench.wait(task_id, seconds=5)
    assert ref not in bench.replies
    bench.advance(5)
    assert bench.answered(ref).blocks == ()


def test_each_prompt_wakes_all_waits_that_are_open_then() -> None:
    bench = Bench()
    task_id = bench.running()
    refs = [bench.wait(task_id), bench.wait(task_id, seconds=50), bench.wait(task_id, readers=None)]
    bench.block(task_id)
    assert all(ref in bench.replies for ref in refs)


def test_the_operators_wait_does_not_use_up_the_parents_prompt() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.wait(task_id, readers=None)
    bench.block(task_id)
    assert bench.wait(task_id, readers=None) not in bench.replies
    assert bench.wait(task_id) in bench.replies


def test_a_program_that_listens_does_not_use_up_its_models_prompt_nor_the_other_way_round() -> None:
    bench = Bench()
    task_id = bench.running()
    listening = bench.listen(task_id)
    bench.block(task_id)
    assert listening in bench.replies
    assert bench.listen(task_id) not in bench.replies
    assert bench.wait(task_id) in bench.replies
    other = bench.running()
    bench.wait(other)
    bench.block(other)
    assert bench.listen(other) in bench.replies


def test_a_prompt_further_down_shows_on_its_ancestors_and_wakes_their_waits() -> None:
    bench = Bench(Limits(depth_limit=3))
    top = bench.running()
    middle = bench.running(bench.child(top))
    deep = bench.running(bench.child(middle))
    of_root, of_top = bench.wait(top), bench.wait(middle, readers=bench.readers(middle))
    before = len(bench.stream)
    bench.block(deep)
    for ref in (of_root, of_top):
        assert [block.request_id for block in bench.answered(ref).blocks] == ["r1"]
    told = [effect.view.record.task_id for effect in of(bench.stream[before:], Announce)]
    assert told == [deep, middle, top]
    before = len(bench.stream)
    bench.unblock(deep)
    assert bench.view(top).blocks == ()
    assert [effect.view.record.task_id for effect in of(bench.stream[before:], Announce)] == [deep, middle, top]


def test_prompts_are_shown_oldest_first() -> None:
    bench = Bench()
    top = bench.running()
    below = bench.running(bench.child(top))
    bench.block(below, "older")
    bench.advance(1)
    bench.block(top, "newer")
    assert [block.request_id for block in bench.view(top).blocks] == ["older", "newer"]


def test_the_question_about_a_folder_is_a_prompt_like_others() -> None:
    bench = Bench()
    top = bench.running()
    ref = bench.wait(top)
    asking = bench.call(bench.child(top), folder_question="q1")
    assert [block.request_id for block in bench.answered(ref).blocks] == ["q1"]
    assert bench.wait(asking, readers=bench.readers(asking)) in bench.replies


def test_the_end_of_a_task_takes_its_prompts_from_those_above() -> None:
    bench = Bench()
    top = bench.running()
    below = bench.running(bench.child(top))
    bench.block(below)
    bench.end_turn(below)
    assert bench.view(top).blocks == bench.view(below).blocks == ()


def test_a_prompt_reported_twice_or_closed_unseen_changes_nothing() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.block(task_id)
    again = Block(BlockKind.PERMISSION, "r1", "again", 5)
    assert bench.apply(ChildBlocked(task_id, 1, again)) == ()
    assert bench.apply(ChildUnblocked(task_id, 1, "never-was")) == ()
    assert len(bench.view(task_id).blocks) == 1


# What it costs (P8): counted in calls of functions, not in time.


def calls_made(bench: Bench, task_id: str) -> int:
    made = 0

    def count(_frame: FrameType, event: str, _arg: Any) -> None:
        nonlocal made
        made += event == "call"

    sys.setprofile(count)
    try:
        bench.end_turn(task_id)
    finally:
        sys.setprofile(None)
    return made


def test_completing_one_task_costs_the_same_whatever_else_waits() -> None:
    costs: list[int] = []
    for others in (10, 2_000):
        bench = Bench(Limits(live_per_parent=others + 1, live_per_root=others + 1))
        for _ in range(others):
            bench.wait(bench.running(), seconds=60)
        one = bench.running()
        bench.wait(one)
        costs.append(calls_made(bench, one))
    assert costs[0] == costs[1]


def test_a_wait_on_many_ids_is_one_wait_that_leaves_them_all() -> None:
    bench = Bench(Limits(live_per_parent=100, live_per_root=100))
    tasks = [bench.running() for _ in range(100)]
    ref = bench.wait(*tasks, seconds=FOREVER)
    bench.end_turn(tasks[50])
    answers = bench.answers(ref)
    assert [isinstance(answer, TaskView) and answer.record.task_id for answer in answers] == tasks
    for task_id in tasks:
        bench.finish(task_id)
