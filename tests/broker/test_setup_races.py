"""What may happen between a call and its running child (broker.md 6.I): rows of the table, not special cases."""

from codeg.broker.codes import Code, Phase, Status
from codeg.broker.effects import SpawnChild
from codeg.broker.events import CallWithdrawn, ChildFailed, ParentCanceled, ParentGone
from codeg.broker.tasks import Limits
from tests.broker.bench import Bench, of


def test_a_child_that_dies_while_starting_fails_its_task_with_the_detail_and_leaves_nothing() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call())
    bench.apply(ChildFailed(task_id, 1, Code.AGENT_CRASHED, "exit 1: bad key"))
    assert (bench.status(task_id), bench.code(task_id)) == (Status.FAILED, Code.AGENT_CRASHED)
    assert "bad key" in (bench.end(task_id).message or "")
    assert len(bench.stops(task_id)) == 1
    bench.gone(task_id)
    assert bench.ledger.live_of_root("root") == 0


def test_a_child_whose_turn_ends_before_its_prompt_was_confirmed_completes() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call())
    ref = bench.wait(task_id)
    bench.end_turn(task_id)
    assert bench.answered(ref).status is Status.COMPLETED
    record = bench.record(task_id)
    assert record.prompt_accepted
    assert record.started_ms is not None
    assert bench.accepted(task_id) == ()


def test_a_normal_completion_leaves_nothing_that_a_later_end_of_the_child_could_touch() -> None:
    bench = Bench()
    task_id = bench.finish(bench.running())
    shown = bench.view(task_id)
    bench.apply(ChildFailed(task_id, 1, Code.AGENT_CRASHED, "disconnected"))
    bench.gone(task_id)
    assert bench.view(task_id) == shown


def test_a_parent_canceled_while_its_child_is_spawned_sends_no_prompt() -> None:
    bench = Bench()
    task_id = bench.call()
    bench.apply(ParentCanceled("root"))
    bench.spawned(task_id)
    bench.ready(task_id)
    assert bench.prompts(task_id) == []
    (stop,) = bench.stops(task_id)
    assert stop.cancel_turn is False
    bench.gone(task_id)
    assert bench.status(task_id) is Status.CANCELED


def test_a_parent_canceled_after_the_prompt_was_sent_cancels_the_turn() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call())
    bench.apply(ParentCanceled("root"))
    (stop,) = bench.stops(task_id)
    assert stop.cancel_turn is True
    bench.gone(task_id)
    assert (bench.status(task_id), bench.record(task_id).child_id) == (Status.CANCELED, "c1")


def test_a_completion_before_the_parents_cancel_keeps_its_result() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call())
    bench.end_turn(task_id, b"in time")
    bench.apply(ParentCanceled("root"))
    assert (bench.status(task_id), bench.text(task_id)) == (Status.COMPLETED, b"in time")
    assert [stop.cancel_turn for stop in bench.stops(task_id)] == [False]


def test_a_parents_cancel_before_the_completion_wins() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call())
    bench.apply(ParentCanceled("root"))
    bench.end_turn(task_id, b"too late")
    bench.gone(task_id)
    assert (bench.status(task_id), bench.text(task_id)) == (Status.CANCELED, b"too late")


def test_a_failure_before_the_parents_cancel_keeps_its_detail() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call())
    bench.apply(ChildFailed(task_id, 1, Code.SUBAGENT_ERROR, "quota"))
    bench.apply(ParentCanceled("root"))
    assert bench.code(task_id) is Code.SUBAGENT_ERROR
    assert [stop.cancel_turn for stop in bench.stops(task_id)] == [False]


def test_a_parent_that_is_gone_covers_the_same_window() -> None:
    bench = Bench()
    starting, prompted = bench.call(), bench.prompted(bench.call())
    bench.apply(ParentGone("root"))
    for task_id in (starting, prompted):
        bench.gone(task_id)
        assert (bench.status(task_id), bench.code(task_id)) == (Status.CANCELED, Code.PARENT_GONE)


def test_another_parents_cancel_does_not_disturb_a_task_that_starts() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call())
    assert bench.apply(ParentCanceled("other")) == ()
    assert bench.apply(ParentGone("other")) == ()
    bench.accepted(task_id)
    assert bench.phase(task_id) is Phase.RUNNING


def test_a_parents_cancel_also_reaches_calls_with_a_handle() -> None:
    bench = Bench()
    task_id = bench.call(external_handle="h")
    bench.apply(ParentCanceled("root"))
    assert bench.phase(task_id) is Phase.STOPPING


def test_a_refused_call_holds_no_slot() -> None:
    bench = Bench(Limits(enabled=False))
    bench.refuse()
    assert bench.ledger.live_of_root("root") == bench.ledger.waiting_of_root("root") == 0
    assert bench.ledger.views() == ()


# Cancel by handle.


def test_a_handle_acts_on_a_task_that_is_queued() -> None:
    bench = Bench(Limits(live_per_parent=1))
    bench.call()
    task_id = bench.call(external_handle="h")
    bench.apply(CallWithdrawn("root", "h", "stdio closed"))
    assert (bench.phase(task_id), bench.status(task_id)) == (Phase.ENDED, Status.CANCELED)
    assert "stdio closed" in (bench.end(task_id).message or "")
    assert not bench.spawns(task_id)


def test_a_handle_acts_until_the_prompt_was_written() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call(external_handle="h"))
    bench.apply(CallWithdrawn("root", "h"))
    assert bench.phase(task_id) is Phase.STOPPING
    bench.gone(task_id)
    assert (bench.status(task_id), bench.code(task_id)) == (Status.CANCELED, Code.CANCELED)


def test_a_handle_does_nothing_once_the_prompt_was_written_nor_when_it_is_repeated() -> None:
    bench = Bench()
    task_id = bench.running(external_handle="h")
    for _ in range(2):
        assert bench.apply(CallWithdrawn("root", "h")) == ()
    bench.finish(task_id)
    assert bench.apply(CallWithdrawn("root", "h")) == ()
    assert bench.status(task_id) is Status.COMPLETED


def test_a_late_handle_does_not_touch_a_resumed_attempt() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call(external_handle="h"))
    bench.apply(CallWithdrawn("root", "h"))
    bench.gone(task_id)
    bench.resume(task_id)
    assert bench.apply(CallWithdrawn("root", "h")) == ()
    assert bench.phase(task_id) is Phase.STARTING


def test_a_withdrawn_call_and_its_own_handle_leave_no_child_behind() -> None:
    bench = Bench()
    bench.apply(CallWithdrawn("root", "h"))
    bench.refuse(external_handle="h")
    bench.refuse(external_handle="h")
    assert not of(bench.stream, SpawnChild)
