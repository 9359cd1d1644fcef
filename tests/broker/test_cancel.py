"""Cancel and its cascade (contract 6, cancel_delegation and Cascade; B10, B12, B13)."""

import pytest

from codeg.broker.codes import Code, Phase, Status
from codeg.broker.effects import Persist, Reply, StopChild, WithdrawAsk
from codeg.broker.events import ChildFailed, ChildStartFailed, HostStarted, ParentCanceled, ParentGone
from codeg.broker.tasks import Limits, Usage
from tests.broker.bench import OTHER, Bench, of


def test_the_intent_is_durable_at_once_and_shows_as_running_and_stopping() -> None:
    bench = Bench()
    task_id = bench.running()
    before = len(bench.stream)
    ref = bench.cancel(task_id)
    (stored,) = of(bench.stream[before:], Persist)
    assert stored.record.phase is Phase.STOPPING
    assert stored.record.end is not None
    assert stored.record.end.status is Status.CANCELED
    assert len(of(bench.stream[before:], StopChild)) == 1
    view = bench.view(task_id)
    assert (view.status, view.stopping, ref in bench.replies) == (Status.RUNNING, True, False)


def test_the_reply_waits_for_the_tree_and_then_says_canceled() -> None:
    bench = Bench()
    task_id = bench.running()
    ref = bench.cancel(task_id)
    bench.gone(task_id)
    assert (bench.answered(ref).status, bench.answered(ref).stopping) == (Status.CANCELED, False)


def test_after_one_second_the_reply_says_running_and_stopping() -> None:
    bench = Bench()
    task_id = bench.running()
    ref = bench.cancel(task_id)
    assert bench.wake_at() == bench.mono + 1
    bench.advance(1)
    assert (bench.answered(ref).status, bench.answered(ref).stopping) == (Status.RUNNING, True)
    bench.gone(task_id)
    assert bench.status(task_id) is Status.CANCELED


def test_a_second_cancel_waits_too_and_stops_nothing_again() -> None:
    bench = Bench()
    task_id = bench.running()
    refs = [bench.cancel(task_id), bench.cancel(task_id)]
    bench.gone(task_id)
    assert [bench.answered(ref).status for ref in refs] == [Status.CANCELED] * 2
    assert len(bench.stops(task_id)) == 1


@pytest.mark.parametrize("reason", ["end_turn", "cancelled", "max_tokens"])
def test_a_natural_end_meanwhile_still_ends_as_canceled_and_its_text_is_kept(reason: str) -> None:
    bench = Bench()
    task_id = bench.running()
    bench.cancel(task_id)
    bench.end_turn(task_id, b"what I had", reason, usage=Usage(output_tokens=3))
    assert bench.view(task_id).stopping
    bench.gone(task_id, b"other words")
    end = bench.end(task_id)
    assert (bench.status(task_id), end.code, end.usage) == (Status.CANCELED, Code.CANCELED, Usage(output_tokens=3))
    assert (bench.text(task_id), end.text_bytes) == (b"what I had", 10)


def test_what_was_written_until_the_tree_was_gone_is_kept() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.cancel(task_id)
    bench.gone(task_id, b"half")
    assert (bench.text(task_id), bench.end(task_id).text_bytes) == (b"half", 4)


def test_a_crash_of_the_agent_meanwhile_still_ends_as_canceled() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.cancel(task_id)
    bench.apply(ChildFailed(task_id, 1, Code.AGENT_CRASHED, "killed", b"words"))
    bench.gone(task_id)
    assert (bench.status(task_id), bench.text(task_id)) == (Status.CANCELED, b"words")


def test_a_failed_start_after_a_cancel_is_canceled() -> None:
    bench = Bench()
    task_id = bench.call()
    bench.cancel(task_id)
    bench.apply(ChildStartFailed(task_id, 1, Code.SPAWN_FAILED, "no"))
    bench.gone(task_id)
    assert bench.status(task_id) is Status.CANCELED


def test_a_crash_of_the_host_meanwhile_still_ends_as_canceled() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.cancel(task_id)
    bench.end_turn(task_id, b"words")
    after = Bench()
    after.apply(HostStarted((bench.record(task_id),)))
    assert (after.phase(task_id), after.status(task_id)) == (Phase.ENDED, Status.CANCELED)
    assert after.end(task_id).text_bytes == 5
    assert after.stored(task_id)[0].text is None


def test_a_queued_task_ends_at_once() -> None:
    bench = Bench(Limits(live_per_parent=1))
    bench.call()
    task_id = bench.call()
    ref = bench.cancel(task_id)
    assert bench.answered(ref).status is Status.CANCELED
    assert (bench.phase(task_id), bench.stops(task_id)) == (Phase.ENDED, [])


def test_a_task_that_asks_for_a_folder_ends_at_once_and_its_question_is_withdrawn() -> None:
    bench = Bench()
    task_id = bench.call(folder_question="q1")
    ref = bench.cancel(task_id)
    assert bench.answered(ref).status is Status.CANCELED
    assert of(bench.stream, WithdrawAsk) == [WithdrawAsk(task_id, "q1")]


def test_an_ended_task_is_returned_as_it_is() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id)
    draining = bench.cancel(task_id)
    bench.gone(task_id)
    ended = bench.cancel(task_id)
    assert bench.answered(draining).status is bench.answered(ended).status is Status.COMPLETED
    assert [stop.cancel_turn for stop in bench.stops(task_id)] == [False]


def test_what_a_task_reported_while_it_was_being_stopped_is_remembered_for_a_resume() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call())
    bench.cancel(task_id)
    bench.spawned(task_id)
    bench.accepted(task_id)
    bench.accepted(task_id)
    bench.gone(task_id)
    record = bench.record(task_id)
    assert (record.prompt_accepted, record.agent_session_id, record.resume_via) == (True, f"session-{task_id}", "load")


def test_a_session_that_opens_after_the_cancel_gets_no_prompt() -> None:
    bench = Bench()
    task_id = bench.call()
    bench.cancel(task_id)
    bench.ready(task_id)
    assert bench.prompts(task_id) == []
    assert bench.record(task_id).agent_session_id == f"session-{task_id}"


# Prompts to the person (B13).


def test_a_cancel_closes_the_prompts_of_the_task_and_later_ones_are_not_shown() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.block(task_id)
    bench.cancel(task_id)
    assert bench.view(task_id).blocks == ()
    bench.block(task_id, "r2")
    bench.unblock(task_id)
    assert bench.view(task_id).blocks == ()


# The cascade.


def family(bench: Bench) -> list[str]:
    """A running task, and below it one asking, one queued, one starting and one running."""
    above = bench.running()
    parent = bench.child(above)
    running, starting = bench.running(parent), bench.call(parent)
    queued, asking = bench.call(parent), bench.call(parent, folder_question="q1")
    assert [bench.phase(task) for task in (asking, queued, starting, running)] == [
        Phase.ASKING,
        Phase.QUEUED,
        Phase.STARTING,
        Phase.RUNNING,
    ]
    return [above, asking, queued, starting, running]


@pytest.mark.parametrize(
    ("event", "code"), [(ParentCanceled("root"), Code.CANCELED), (ParentGone("root"), Code.PARENT_GONE)]
)
def test_a_root_that_is_canceled_or_gone_takes_all_below_it(event: ParentCanceled | ParentGone, code: Code) -> None:
    bench = Bench(Limits(live_per_parent=2, depth_limit=3))
    tasks = family(bench)
    deep = bench.running(bench.child(tasks[-1]))
    other = bench.running(OTHER)
    bench.apply(event)
    for task_id in [*tasks, deep]:
        bench.gone(task_id)
        assert (bench.status(task_id), bench.code(task_id)) == (Status.CANCELED, code)
    assert bench.phase(other) is Phase.RUNNING
    assert of(bench.stream, WithdrawAsk) == [WithdrawAsk(tasks[1], "q1")]


@pytest.mark.parametrize("way", ["completes", "fails", "is canceled", "vanishes"])
def test_the_end_of_a_delegated_child_cancels_its_own_unfinished_tasks(way: str) -> None:
    bench = Bench(Limits(live_per_parent=2))
    above, *below = family(bench)
    match way:
        case "completes":
            bench.end_turn(above)
        case "fails":
            bench.apply(ChildFailed(above, 1, Code.AGENT_CRASHED, "exit 1"))
        case "is canceled":
            bench.cancel(above)
        case _:
            bench.gone(above)
    for task_id in below:
        bench.gone(task_id)
        assert (bench.status(task_id), bench.code(task_id)) == (Status.CANCELED, Code.PARENT_GONE)


def test_a_canceled_parent_may_ask_for_its_tasks_and_call_again() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.apply(ParentCanceled("root"))
    bench.gone(task_id)
    assert bench.answered(bench.ask(task_id)).status is Status.CANCELED
    assert bench.call()


def test_a_parents_cancel_three_times_ends_each_task_once() -> None:
    bench = Bench()
    tasks = [bench.running() for _ in range(3)]
    for _ in range(3):
        bench.apply(ParentCanceled("root"))
    assert [len(bench.stops(task)) for task in tasks] == [1, 1, 1]
    for task_id in tasks:
        bench.gone(task_id)
    bench.apply(ParentCanceled("root"))
    ends = [view.status for task in tasks for view in bench.told(task) if view.status is Status.CANCELED]
    assert ends == [Status.CANCELED] * 3


def test_a_cancel_is_decided_before_any_tree_is_gone() -> None:
    bench = Bench()
    tasks = [bench.running() for _ in range(3)]
    effects = bench.apply(ParentCanceled("root"))
    assert [effect.record.phase for effect in of(effects, Persist)] == [Phase.STOPPING] * 3
    assert [effect.task_id for effect in of(effects, StopChild)] == tasks
    assert of(effects, Reply) == []
