"""Outside sessions, the run-time limit, and moments to wake at (contract 6, Cascade and Limits)."""

import pytest

from codeg.broker.codes import Code, Phase, Status
from codeg.broker.effects import Persist, WakeAt
from codeg.broker.events import LeaseBegan, LeaseEnded, LimitsChanged
from codeg.broker.tasks import Limits
from tests.broker.bench import OUTSIDE, Bench, of


def test_tasks_of_an_outside_session_go_on_unattended_when_its_last_lease_ends() -> None:
    bench = Bench(Limits(live_per_parent=2))
    running, starting, queued = bench.running(OUTSIDE), bench.call(OUTSIDE), bench.call(OUTSIDE)
    asking = bench.call(OUTSIDE, folder_question="q1")
    done = bench.finish(bench.running())
    effects = bench.apply(LeaseEnded("outside"))
    assert {effect.record.task_id for effect in of(effects, Persist)} == {running, starting, queued, asking}
    assert all(bench.record(task_id).unattended for task_id in (running, starting, queued, asking))
    assert not bench.record(done).unattended
    assert bench.apply(LeaseEnded("outside")) == ()
    bench.finish(running)
    assert (bench.status(running), bench.record(running).unattended) == (Status.COMPLETED, True)


def test_a_lease_that_begins_makes_them_attended_again() -> None:
    bench = Bench(Limits(unattended_cancel_s=60, live_per_parent=1))
    tasks = [bench.running(OUTSIDE), bench.call(OUTSIDE), bench.call(OUTSIDE, folder_question="q1")]
    bench.apply(LeaseEnded("outside"))
    bench.advance(59)
    bench.apply(LeaseBegan("outside"))
    assert not any(bench.record(task_id).unattended for task_id in tasks)
    assert bench.apply(LeaseBegan("outside")) == ()
    bench.advance(60)
    assert bench.phase(tasks[0]) is Phase.RUNNING


def test_unattended_tasks_are_canceled_after_the_time_that_the_settings_say() -> None:
    bench = Bench(Limits(unattended_cancel_s=60, live_per_parent=2))
    running, starting, queued = bench.running(OUTSIDE), bench.call(OUTSIDE), bench.call(OUTSIDE)
    asking = bench.call(OUTSIDE, folder_question="q1")
    bench.apply(LeaseEnded("outside"))
    assert bench.wake_at() == bench.mono + 60
    bench.advance(60)
    for task_id in (running, starting, queued, asking):
        bench.gone(task_id)
        assert (bench.status(task_id), bench.code(task_id)) == (Status.CANCELED, Code.CANCELED)
        assert "60 s" in (bench.end(task_id).message or "")


def test_without_such_a_setting_they_are_kept() -> None:
    bench = Bench()
    task_id = bench.running(OUTSIDE)
    bench.apply(LeaseEnded("outside"))
    bench.advance(1e6)
    assert bench.phase(task_id) is Phase.RUNNING


def test_the_setting_counts_for_tasks_that_are_unattended_already() -> None:
    bench = Bench()
    task_id = bench.running(OUTSIDE)
    bench.apply(LeaseEnded("outside"))
    bench.advance(50)
    bench.apply(LimitsChanged(Limits(unattended_cancel_s=60)))
    bench.advance(10)
    assert bench.phase(task_id) is Phase.STOPPING


def test_a_task_that_is_stopping_or_at_its_end_is_not_marked() -> None:
    bench = Bench()
    stopping, draining = bench.running(OUTSIDE), bench.running(OUTSIDE)
    bench.cancel(stopping)
    bench.end_turn(draining)
    assert bench.apply(LeaseEnded("outside")) == ()
    assert bench.apply(LeaseBegan("outside")) == ()


@pytest.mark.parametrize("way", ["cancel", "complete"])
def test_an_unattended_task_that_came_to_its_end_is_not_canceled_for_it(way: str) -> None:
    bench = Bench(Limits(unattended_cancel_s=60))
    task_id = bench.running(OUTSIDE)
    bench.apply(LeaseEnded("outside"))
    if way == "cancel":
        bench.cancel(task_id)
    else:
        bench.end_turn(task_id)
    end = bench.end(task_id)
    bench.advance(100)
    assert bench.end(task_id) == end


def test_tasks_below_an_outside_sessions_task_are_read_by_their_own_parent() -> None:
    bench = Bench()
    above = bench.running(OUTSIDE)
    below = bench.running(bench.child(above))
    bench.apply(LeaseEnded("outside"))
    assert not bench.record(below).unattended


# The run-time limit.


def test_a_task_over_its_run_time_is_stopped_and_fails_when_its_tree_is_gone() -> None:
    bench = Bench(Limits(run_timeout_s=30))
    task_id = bench.running()
    assert bench.wake_at() == bench.mono + 30
    bench.advance(30)
    assert (bench.status(task_id), bench.view(task_id).stopping) == (Status.RUNNING, True)
    bench.end_turn(task_id, b"nearly")
    bench.gone(task_id)
    assert (bench.status(task_id), bench.code(task_id), bench.text(task_id)) == (
        Status.FAILED,
        Code.RUN_TIMEOUT,
        b"nearly",
    )


@pytest.mark.parametrize("way", ["cancel", "complete", "time out"])
def test_the_clock_of_a_task_that_came_to_its_end_does_not_go_on(way: str) -> None:
    bench = Bench(Limits(run_timeout_s=30))
    task_id = bench.running()
    match way:
        case "cancel":
            bench.cancel(task_id)
        case "complete":
            bench.end_turn(task_id)
        case _:
            bench.advance(30)
    end = bench.end(task_id)
    bench.advance(100)
    assert bench.end(task_id) == end


def test_there_is_no_run_time_limit_unless_one_is_set() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.advance(1e7)
    assert (bench.phase(task_id), of(bench.stream, WakeAt)) == (Phase.RUNNING, [])


def test_it_counts_from_the_prompt() -> None:
    bench = Bench(Limits(run_timeout_s=30))
    task_id = bench.prompted(bench.call())
    bench.advance(100)
    bench.accepted(task_id)
    bench.advance(29)
    assert bench.phase(task_id) is Phase.RUNNING


def test_it_stands_still_while_the_task_waits_for_a_person() -> None:
    bench = Bench(Limits(run_timeout_s=30))
    task_id = bench.running()
    bench.advance(10)
    bench.block(task_id, "r1")
    bench.block(task_id, "r2")
    bench.advance(1000)
    bench.unblock(task_id, "r1")
    bench.advance(1000)
    bench.unblock(task_id, "r2")
    bench.advance(19)
    assert bench.phase(task_id) is Phase.RUNNING
    bench.advance(1)
    assert bench.phase(task_id) is Phase.STOPPING


def test_it_stands_still_while_a_task_below_waits_for_a_person() -> None:
    bench = Bench(Limits(run_timeout_s=30))
    above = bench.running()
    asking = bench.call(bench.child(above), folder_question="q1")
    bench.advance(1000)
    assert bench.phase(above) is Phase.RUNNING
    bench.cancel(asking)
    bench.advance(30)
    assert bench.phase(above) is Phase.STOPPING


def test_a_task_blocked_before_its_prompt_was_confirmed_begins_to_count_when_it_is_free() -> None:
    bench = Bench(Limits(run_timeout_s=30))
    task_id = bench.prompted(bench.call())
    bench.block(task_id)
    bench.accepted(task_id)
    bench.advance(100)
    bench.unblock(task_id)
    bench.advance(30)
    assert bench.phase(task_id) is Phase.STOPPING


def test_a_new_run_time_limit_counts_for_what_runs() -> None:
    bench = Bench(Limits(run_timeout_s=30))
    task_id = bench.running()
    bench.advance(20)
    bench.apply(LimitsChanged(Limits(run_timeout_s=50)))
    bench.advance(29)
    assert bench.phase(task_id) is Phase.RUNNING
    bench.apply(LimitsChanged(Limits(run_timeout_s=10)))
    bench.advance(0)
    assert bench.phase(task_id) is Phase.STOPPING


def test_each_attempt_has_its_own_run_time() -> None:
    bench = Bench(Limits(run_timeout_s=30))
    task_id = bench.running()
    bench.advance(30)
    bench.gone(task_id)
    bench.resume(task_id)
    bench.run(task_id)
    bench.advance(29)
    assert bench.phase(task_id) is Phase.RUNNING


def test_a_parent_and_its_child_that_are_both_over_time_end_once() -> None:
    bench = Bench(Limits(run_timeout_s=30))
    above = bench.running()
    below = bench.running(bench.child(above))
    bench.advance(30)
    assert [len(bench.stops(task_id)) for task_id in (above, below)] == [1, 1]


# Moments to wake at.


def test_a_moment_is_asked_for_when_it_is_earlier_than_the_one_before() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.wait(task_id, seconds=50)
    bench.wait(task_id, seconds=60)
    bench.wait(task_id, seconds=40)
    assert [effect.mono - bench.mono for effect in of(bench.stream, WakeAt)] == [50, 40]


def test_the_next_moment_is_asked_for_when_one_has_come() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.wait(task_id, seconds=50)
    bench.wait(task_id, seconds=60)
    bench.advance(50)
    assert bench.wake_at() == bench.mono + 10


def test_a_moment_that_comes_too_early_is_asked_for_again() -> None:
    bench = Bench()
    ref = bench.wait(bench.running(), seconds=50)
    bench.advance(10)
    assert bench.wake_at() == bench.mono + 40
    assert ref not in bench.replies
