"""The host ends, dies and starts; ended tasks leave memory and come back (contract 6, Durability; broker.md 7.1)."""

from dataclasses import replace

import pytest

from codeg.broker.codes import Code, Phase, Status
from codeg.broker.effects import Announce, AskFolder, Persist, SpawnChild, StopChild, WithdrawAsk
from codeg.broker.events import CallWithdrawn, ChildGone, HostStarted, HostStopping, TasksRecalled
from codeg.broker.tasks import End, Limits, Usage
from codeg.broker.transitions import IllegalTransition
from tests.broker.bench import Bench, of


def everything(bench: Bench) -> dict[Phase, str]:
    """One task in each phase."""
    tasks = {Phase.RUNNING: bench.running(), Phase.STOPPING: bench.running(), Phase.DRAINING: bench.running()}
    tasks[Phase.ENDED] = bench.finish(bench.running())
    tasks[Phase.STARTING] = bench.call()
    tasks[Phase.QUEUED] = bench.call()
    tasks[Phase.ASKING] = bench.call(folder_question="q1")
    bench.cancel(tasks[Phase.STOPPING])
    bench.end_turn(tasks[Phase.DRAINING], b"in time")
    assert all(bench.phase(task_id) is phase for phase, task_id in tasks.items())
    return tasks


LIVE = (Phase.ASKING, Phase.QUEUED, Phase.STARTING, Phase.RUNNING)


def test_after_a_crash_what_lived_is_interrupted_and_what_was_decided_is_final() -> None:
    bench = Bench(Limits(live_per_parent=4))
    tasks = everything(bench)
    after = Bench()
    effects = after.apply(HostStarted(tuple(bench.record(task_id) for task_id in tasks.values())))
    for phase in LIVE:
        assert (after.phase(tasks[phase]), after.status(tasks[phase])) == (Phase.ENDED, Status.INTERRUPTED)
        assert after.record(tasks[phase]).ended_ms == after.wall_ms
    assert after.status(tasks[Phase.STOPPING]) is Status.CANCELED
    assert after.view(tasks[Phase.DRAINING]).record.end == bench.end(tasks[Phase.DRAINING])
    assert len(of(effects, Persist)) == len(of(effects, Announce)) == len(tasks) - 1
    assert not of(effects, SpawnChild)
    assert after.ledger.live_of_root("root") == after.ledger.waiting_of_root("root") == 0


def test_a_wait_on_an_interrupted_task_returns_at_once() -> None:
    bench, after = Bench(), Bench()
    task_id = bench.running()
    after.apply(HostStarted((bench.record(task_id),)))
    assert after.answered(after.wait(task_id)).status is Status.INTERRUPTED


def test_what_the_transcript_holds_is_the_text_of_an_interrupted_task() -> None:
    bench, after = Bench(), Bench()
    running, stopping = bench.running(), bench.running()
    bench.cancel(stopping)
    records = tuple(map(bench.record, (running, stopping)))
    after.apply(HostStarted(records, {running: b"so far", stopping: b"half"}))
    assert (after.text(running), after.end(running).text_bytes) == (b"so far", 6)
    assert (after.text(stopping), after.status(stopping)) == (b"half", Status.CANCELED)


def test_a_transcript_does_not_change_an_end_that_was_shown_or_a_text_that_was_kept() -> None:
    bench, after = Bench(), Bench()
    shown, kept = bench.running(), bench.running()
    bench.end_turn(shown, b"", tool_calls=1)
    bench.cancel(kept)
    bench.end_turn(kept, b"final")
    after.apply(HostStarted(tuple(map(bench.record, (shown, kept))), {shown: b"said before", kept: b"said before"}))
    assert (after.end(shown), after.text(shown)) == (bench.end(shown), b"")
    assert (after.end(kept), after.text(kept)) == (bench.end(kept), b"")


def test_nested_tasks_are_interrupted_with_the_ones_above_them() -> None:
    bench, after = Bench(), Bench()
    above = bench.running()
    below = bench.running(bench.child(above))
    after.apply(HostStarted(tuple(map(bench.record, (above, below)))))
    assert after.status(above) is after.status(below) is Status.INTERRUPTED


def test_a_host_cannot_start_with_tasks_that_it_holds() -> None:
    bench = Bench()
    task_id = bench.running()
    record = bench.record(task_id)
    fresh = replace(record, task_id="x", child_id="xc")
    for records in ((record,), (fresh, fresh)):
        with pytest.raises(IllegalTransition):
            bench.apply(HostStarted(records))
    assert not bench.ledger.knows("x")


def test_a_host_that_ends_interrupts_what_lives_and_stops_each_child_once() -> None:
    bench = Bench(Limits(live_per_parent=4))
    tasks = everything(bench)
    cancel = bench.cancel(tasks[Phase.STOPPING])
    before = len(bench.stream)
    bench.apply(HostStopping())
    effects = bench.stream[before:]
    for phase in LIVE:
        assert bench.status(tasks[phase]) is Status.INTERRUPTED
    stops = {effect.task_id: effect.cancel_turn for effect in of(effects, StopChild)}
    assert stops == {tasks[Phase.RUNNING]: True, tasks[Phase.STARTING]: False}
    assert of(effects, WithdrawAsk) == [WithdrawAsk(tasks[Phase.ASKING], "q1")]
    assert bench.answered(cancel).stopping
    assert bench.status(tasks[Phase.DRAINING]) is Status.COMPLETED
    bench.gone(tasks[Phase.STOPPING])
    assert bench.status(tasks[Phase.STOPPING]) is Status.CANCELED


def test_a_host_that_ends_interrupts_nested_tasks_rather_than_canceling_them() -> None:
    bench = Bench(Limits(depth_limit=3))
    tasks = [bench.running()]
    for _ in range(2):
        tasks.append(bench.running(bench.child(tasks[-1])))
    bench.block(tasks[-1])
    bench.apply(HostStopping())
    assert [bench.status(task_id) for task_id in tasks] == [Status.INTERRUPTED] * 3


def test_nothing_starts_once_the_host_ends() -> None:
    bench = Bench(Limits(live_per_parent=1))
    first, second = bench.running(), bench.call()
    bench.apply(HostStopping())
    bench.gone(first)
    assert not bench.spawns(second)
    assert bench.phase(second) is Phase.ENDED


def test_a_cancel_that_comes_while_the_host_ends_is_answered_at_once() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.cancel(task_id)
    bench.apply(HostStopping())
    assert bench.answered(bench.cancel(task_id)).stopping


def test_what_an_interrupted_task_had_written_is_stored_when_its_tree_is_gone() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.apply(HostStopping())
    bench.apply(ChildGone(task_id, 1, b"so far", Usage(output_tokens=1)))
    end = bench.end(task_id)
    assert (bench.status(task_id), bench.text(task_id), end.text_bytes) == (Status.INTERRUPTED, b"so far", 6)
    assert end.usage == Usage(output_tokens=1)


# Retention.


def test_only_the_newest_ended_tasks_stay_in_memory() -> None:
    bench = Bench(keep_ended=3)
    tasks = [bench.finish(bench.running(task=f"t{number}", external_handle=f"h{number}")) for number in range(6)]
    assert all(map(bench.ledger.knows, tasks)), "each is kept for a moment at least"
    bench.advance(10)
    assert [bench.ledger.knows(task_id) for task_id in tasks] == [False] * 3 + [True] * 3
    assert bench.call(task="t0", external_handle="h0") not in tasks


def test_a_task_that_was_let_go_is_unknown_until_it_is_recalled() -> None:
    bench = Bench(keep_ended=0)
    task_id = bench.finish(bench.running(idempotency_key="k"))
    record = bench.record(task_id)
    bench.advance(10)
    assert not bench.ledger.knows(task_id)
    draining = replace(record, task_id="d", child_id="dc", phase=Phase.DRAINING, idempotency_key=None)
    bench.apply(TasksRecalled((record, draining)))
    assert bench.answered(bench.ask(task_id)).record == record
    assert bench.phase("d") is Phase.ENDED
    assert bench.call(idempotency_key="k") == task_id


def test_a_task_that_was_let_go_leaves_nothing_behind() -> None:
    bench = Bench(keep_ended=0)
    task_id = bench.finish(bench.running(idempotency_key="k", external_handle="h"))
    bench.advance(10)
    book = bench.ledger._book  # pyright: ignore[reportPrivateUsage]  # to see that no index keeps it
    assert not (book.cells or book.by_child or book.by_key or book.by_handle or book.open_of or len(book.retention))
    assert bench.call(idempotency_key="k", external_handle="h") != task_id


def test_a_recall_of_a_task_that_is_held_changes_nothing() -> None:
    bench = Bench()
    task_id = bench.running()
    stale = replace(bench.record(task_id), phase=Phase.ENDED, end=End(Status.FAILED, Code.CHILD_EMPTY))
    assert bench.apply(TasksRecalled((stale,))) == ()
    assert bench.phase(task_id) is Phase.RUNNING


def test_a_live_task_cannot_be_recalled() -> None:
    bench, after = Bench(), Bench()
    done, live = bench.finish(bench.running()), bench.running()
    with pytest.raises(IllegalTransition):
        after.apply(TasksRecalled(tuple(map(bench.record, (done, live)))))
    assert after.ledger.views() == ()


def test_a_recalled_task_is_kept_long_enough_to_be_asked_for() -> None:
    bench = Bench(keep_ended=0)
    task_id = bench.finish(bench.running())
    record = bench.record(task_id)
    bench.advance(10)
    bench.apply(TasksRecalled((record,)))
    bench.finish(bench.running())
    assert bench.ledger.knows(task_id)


def test_a_task_with_open_tasks_below_it_is_not_let_go() -> None:
    bench = Bench(keep_ended=0)
    above = bench.running()
    below = bench.running(bench.child(above))
    bench.finish(above)
    bench.advance(11)
    assert bench.ledger.knows(above)
    bench.gone(below)
    bench.advance(11)
    assert not bench.ledger.knows(above)


def test_a_resumed_task_is_not_let_go() -> None:
    bench = Bench(keep_ended=0)
    task_id = bench.running()
    bench.cancel(task_id)
    bench.gone(task_id)
    bench.resume(task_id)
    bench.advance(100)
    assert bench.ledger.knows(task_id)


def test_a_new_task_under_a_key_of_one_that_was_let_go_is_found_by_its_own_id() -> None:
    bench = Bench(keep_ended=0)
    first = bench.finish(bench.running(idempotency_key="k", external_handle="h"))
    second = bench.call(idempotency_key="k2", external_handle="h", task="other")
    bench.advance(10)
    assert not bench.ledger.knows(first)
    assert bench.call(external_handle="h", task="other") == second


def test_a_recalled_task_does_not_hide_a_newer_one_of_the_same_handle() -> None:
    bench = Bench(keep_ended=0)
    old = bench.record(bench.finish(bench.running(external_handle="h", task="old")))
    bench.advance(10)
    newer = bench.call(external_handle="h", task="new")
    bench.apply(TasksRecalled((old,)))
    bench.apply(CallWithdrawn("root", "h"))
    assert bench.phase(newer) is Phase.STOPPING


def test_asking_a_folder_names_the_task() -> None:
    bench = Bench()
    task_id = bench.call(folder_question="q1")
    (asked,) = of(bench.stream, AskFolder)
    assert (asked.record.task_id, asked.request_id) == (task_id, "q1")
