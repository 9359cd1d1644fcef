"""Slots and queues (contract 6, Limits; B22)."""

import pytest

from codeg.broker.codes import Code, Phase, Status
from codeg.broker.effects import Announce, Persist, SpawnChild
from codeg.broker.events import FolderAnswered, LimitsChanged
from codeg.broker.tasks import Limits
from tests.broker.bench import OTHER, Bench, of


def test_a_parent_has_no_more_at_work_than_its_limit() -> None:
    bench = Bench(Limits(live_per_parent=2))
    tasks = [bench.call() for _ in range(4)]
    assert [bench.status(task) for task in tasks] == [Status.RUNNING] * 2 + [Status.QUEUED] * 2
    assert (bench.ledger.live_of_parent("root"), bench.ledger.live_of_root("root")) == (2, 2)
    assert bench.ledger.waiting_of_root("root") == 2


def test_roots_do_not_share_their_limits() -> None:
    bench = Bench(Limits(live_per_parent=1, live_per_root=1))
    bench.call()
    assert bench.status(bench.call(OTHER)) is Status.RUNNING


def test_over_the_queue_limit_a_call_is_refused_and_the_limit_is_named() -> None:
    bench = Bench(Limits(live_per_parent=1, queue_limit=1))
    bench.call()
    bench.call()
    refused = bench.refuse()
    assert refused.code is Code.QUEUE_FULL
    assert "queue_limit" in refused.message


def test_a_freed_slot_goes_to_the_first_in_the_queue() -> None:
    bench = Bench(Limits(live_per_parent=1))
    first, second, third = bench.call(), bench.call(), bench.call()
    bench.finish(bench.run(first))
    assert [bench.phase(task) for task in (second, third)] == [Phase.STARTING, Phase.QUEUED]
    assert bench.view(third).queue_position == 1


def test_the_queue_goes_by_the_age_of_the_calls_and_not_by_their_ids() -> None:
    bench = Bench(Limits(live_per_parent=1))
    first = bench.running()
    older, younger = bench.call(task_id="z"), bench.call(task_id="a")
    assert [bench.view(task).queue_position for task in (older, younger)] == [1, 2]
    bench.finish(first)
    assert bench.phase(older) is Phase.STARTING


def test_a_resume_waits_behind_the_calls_that_are_older_than_it() -> None:
    bench = Bench(Limits(live_per_parent=1))
    task_id = bench.running()
    bench.cancel(task_id)
    bench.gone(task_id)
    bench.running()
    queued = bench.call()
    bench.resume(task_id)
    assert [bench.view(task).queue_position for task in (queued, task_id)] == [1, 2]


def test_a_task_that_is_stopping_keeps_its_slot_until_its_tree_is_gone() -> None:
    bench = Bench(Limits(live_per_parent=1))
    first, second = bench.running(), bench.call()
    bench.cancel(first)
    assert bench.phase(second) is Phase.QUEUED
    bench.gone(first)
    assert bench.phase(second) is Phase.STARTING


def test_a_task_whose_end_is_shown_keeps_its_slot_until_its_tree_is_gone() -> None:
    bench = Bench(Limits(live_per_parent=1))
    first, second = bench.running(), bench.call()
    bench.end_turn(first)
    assert (bench.status(first), bench.phase(second)) == (Status.COMPLETED, Phase.QUEUED)
    bench.gone(first)
    assert bench.phase(second) is Phase.STARTING


def test_a_nested_call_that_finds_its_roots_limit_full_is_refused() -> None:
    bench = Bench(Limits(live_per_root=1))
    refused = bench.refuse(bench.child(bench.running()))
    assert refused.code is Code.LIVE_LIMIT
    assert "live_per_root" in refused.message


def test_a_nested_call_waits_for_its_own_parents_slot() -> None:
    bench = Bench(Limits(live_per_parent=1))
    parent = bench.child(bench.running())
    first, second = bench.running(parent), bench.call(parent)
    assert bench.phase(second) is Phase.QUEUED
    bench.finish(first)
    assert bench.phase(second) is Phase.STARTING


def test_a_freed_slot_goes_to_a_nested_call_before_an_older_one_of_the_root() -> None:
    bench = Bench(Limits(live_per_parent=3, live_per_root=5))
    older = bench.call(folder_question="q1")
    above = bench.running()
    inner = [bench.running(bench.child(above)) for _ in range(3)]
    nested = bench.call(bench.child(above))
    bench.running()
    bench.apply(FolderAnswered(older, allowed=True))
    assert [bench.view(task).queue_position for task in (nested, older)] == [1, 2]
    bench.finish(inner[0])
    assert [bench.phase(task) for task in (nested, older)] == [Phase.STARTING, Phase.QUEUED]
    bench.finish(inner[1])
    assert bench.phase(older) is Phase.STARTING


def test_a_call_that_its_parents_limit_holds_back_lets_younger_ones_of_other_parents_pass() -> None:
    bench = Bench(Limits(live_per_parent=2, live_per_root=8))
    above, beside = bench.running(), bench.running()
    held = [bench.running(bench.child(above)), bench.running(bench.child(above))]
    waiting = bench.call(bench.child(above))
    passing = bench.call(bench.child(beside))
    assert [bench.phase(task) for task in (waiting, passing)] == [Phase.QUEUED, Phase.STARTING]
    bench.finish(held[0])
    assert bench.phase(waiting) is Phase.STARTING


def test_raising_a_limit_starts_what_waits() -> None:
    bench = Bench(Limits(live_per_parent=1))
    tasks = [bench.call() for _ in range(3)]
    effects = bench.apply(LimitsChanged(Limits(live_per_parent=2)))
    assert [effect.record.task_id for effect in of(effects, SpawnChild)] == [tasks[1]]


def test_lowering_a_limit_ends_nothing_that_runs() -> None:
    bench = Bench()
    tasks = [bench.running() for _ in range(3)]
    bench.apply(LimitsChanged(Limits(live_per_parent=1, enabled=False)))
    assert all(bench.phase(task) is Phase.RUNNING for task in tasks)


def test_nested_calls_that_could_never_start_after_limits_were_lowered_are_refused() -> None:
    bench = Bench(Limits(live_per_parent=1, live_per_root=4))
    above = bench.running()
    inner, waiting = bench.running(bench.child(above)), bench.call(bench.child(above))
    bench.apply(LimitsChanged(Limits(live_per_parent=1, live_per_root=1)))
    assert bench.phase(waiting) is Phase.QUEUED, "the inner one is a leaf and will end"
    bench.finish(inner)
    assert (bench.status(waiting), bench.code(waiting)) == (Status.FAILED, Code.LIVE_LIMIT)
    assert not bench.spawns(waiting)


def test_places_in_the_queue_are_announced_when_they_change() -> None:
    bench = Bench(Limits(live_per_parent=1))
    first, second, third = bench.running(), bench.call(), bench.call()
    before = len(bench.stream)
    bench.cancel(second)
    told = {effect.view.record.task_id: effect.view.queue_position for effect in of(bench.stream[before:], Announce)}
    assert told == {second: None, third: 1}
    assert bench.phase(first) is Phase.RUNNING


def test_places_that_stay_are_not_announced_again() -> None:
    bench = Bench(Limits(live_per_parent=1))
    _, _, last = bench.running(), bench.call(), bench.call()
    before = len(bench.stream)
    bench.cancel(last)
    assert [effect.view.record.task_id for effect in of(bench.stream[before:], Announce)] == [last]


def test_limits_below_one_do_not_stop_everything() -> None:
    bench = Bench(Limits(live_per_parent=0, live_per_root=0, queue_limit=0))
    bench.call()
    assert bench.refuse().code is Code.QUEUE_FULL


# Folders outside the parent's.


def test_a_folder_outside_is_asked_about_and_nothing_is_started() -> None:
    bench = Bench()
    task_id = bench.call(folder_question="q1")
    view = bench.view(task_id)
    assert (view.status, view.queue_position) == (Status.QUEUED, None)
    assert [(block.request_id, block.kind.value) for block in view.blocks] == [("q1", "permission")]
    assert not of(bench.stream, SpawnChild)
    assert bench.ledger.live_of_root("root") == 0


def test_an_allowed_folder_starts_the_task() -> None:
    bench = Bench()
    task_id = bench.call(folder_question="q1")
    bench.apply(FolderAnswered(task_id, allowed=True))
    assert bench.phase(task_id) is Phase.STARTING
    assert not bench.view(task_id).blocks


def test_an_allowed_folder_waits_for_a_slot_by_the_age_of_its_call() -> None:
    bench = Bench(Limits(live_per_parent=1))
    running, asking, younger = bench.running(), bench.call(folder_question="q1"), bench.call()
    bench.apply(FolderAnswered(asking, allowed=True))
    assert [bench.view(task).queue_position for task in (asking, younger)] == [1, 2]
    bench.finish(running)
    assert bench.phase(asking) is Phase.STARTING


def test_a_refused_folder_is_canceled() -> None:
    bench = Bench()
    task_id = bench.call(folder_question="q1")
    bench.apply(FolderAnswered(task_id, allowed=False))
    assert (bench.phase(task_id), bench.status(task_id), bench.code(task_id)) == (
        Phase.ENDED,
        Status.CANCELED,
        Code.CANCELED,
    )
    assert not bench.spawns(task_id)


def test_an_allowed_folder_of_a_nested_call_is_refused_when_its_root_is_full_by_then() -> None:
    bench = Bench(Limits(live_per_root=2))
    above = bench.running()
    asking = bench.call(bench.child(above), folder_question="q1")
    bench.running()
    bench.apply(FolderAnswered(asking, allowed=True))
    assert (bench.status(asking), bench.code(asking)) == (Status.FAILED, Code.LIVE_LIMIT)


def test_questions_about_folders_are_bounded_by_the_queue_limit() -> None:
    bench = Bench(Limits(queue_limit=2))
    for number in range(2):
        bench.call(folder_question=f"q{number}")
    assert bench.refuse(folder_question="q2").code is Code.QUEUE_FULL


def test_a_queue_limit_of_nothing_still_lets_one_folder_be_asked_about() -> None:
    bench = Bench(Limits(queue_limit=0))
    assert bench.call(folder_question="q1")
    assert bench.refuse(folder_question="q2").code is Code.QUEUE_FULL


def test_an_answer_about_a_folder_that_comes_late_does_nothing() -> None:
    bench = Bench()
    task_id = bench.call(folder_question="q1")
    bench.cancel(task_id)
    for event in (FolderAnswered(task_id, allowed=True), FolderAnswered("never-was", allowed=True)):
        assert bench.apply(event) == ()
    assert bench.status(task_id) is Status.CANCELED


@pytest.mark.parametrize("nested", [False, True])
def test_counts_return_to_nothing(nested: bool) -> None:
    bench = Bench(Limits(live_per_parent=2))
    above = bench.running()
    parent = bench.child(above) if nested else bench.event().parent
    tasks = [bench.call(parent) for _ in range(4)]
    for task_id in tasks:
        if bench.phase(task_id) is Phase.QUEUED:
            bench.cancel(task_id)
        else:
            bench.finish(bench.run(task_id))
    bench.finish(above)
    ledger = bench.ledger
    assert (ledger.live_of_root("root"), ledger.live_of_parent(parent.parent_id), ledger.waiting_of_root("root")) == (
        0,
        0,
        0,
    )
    assert of(bench.stream, Persist)[-1].record.phase is Phase.ENDED
