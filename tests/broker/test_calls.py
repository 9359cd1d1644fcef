"""A call: the order of the checks, keys, handles, early cancels, the answer."""

from dataclasses import replace

import pytest

from codeg.broker.codes import Code, Phase, Status
from codeg.broker.effects import Announce, Persist, Reply, SpawnChild
from codeg.broker.events import CallWithdrawn, CancelRequested, HostStopping, ParentGone, StatusAsked, TasksRecalled
from codeg.broker.tasks import Limits, Parent, TaskRecord, TaskView
from codeg.broker.transitions import IllegalTransition
from tests.broker.bench import OTHER, ROOT, Bench, of


def test_a_call_is_stored_then_started_then_announced_then_answered() -> None:
    bench = Bench()
    effects = bench.apply(bench.event())
    assert [type(effect) for effect in effects] == [Persist, SpawnChild, Announce, Reply]


def test_the_answer_is_running_and_shows_that_it_is_still_starting() -> None:
    answer = Bench().receive(task="look around")
    assert isinstance(answer, TaskView)
    assert (answer.status, answer.record.started_ms, answer.record.attempt) == (Status.RUNNING, None, 1)
    assert (answer.record.task_text, answer.record.depth, answer.record.phase) == ("look around", 1, Phase.STARTING)


def test_over_the_live_limit_the_answer_is_queued_with_its_place() -> None:
    bench = Bench(Limits(live_per_parent=1))
    bench.call()
    answer = bench.receive()
    assert isinstance(answer, TaskView)
    assert (answer.status, answer.queue_position) == (Status.QUEUED, 1)


def test_with_delegation_off_nothing_is_started() -> None:
    bench = Bench(Limits(enabled=False))
    assert bench.refuse().code is Code.DELEGATION_DISABLED
    assert not of(bench.stream, SpawnChild)
    assert not of(bench.stream, Persist)


def test_over_the_depth_limit_nothing_is_started() -> None:
    bench = Bench(Limits(depth_limit=1))
    refused = bench.refuse(bench.child(bench.running()))
    assert refused.code is Code.DEPTH_LIMIT
    assert "depth_limit" in refused.message
    assert len(of(bench.stream, SpawnChild)) == 1


def test_a_root_may_delegate_within_the_depth_limit() -> None:
    assert Bench(Limits(depth_limit=1)).call()


def test_what_the_shell_found_is_refused_before_any_limit_is_looked_at() -> None:
    bench = Bench(Limits(queue_limit=0, live_per_parent=1))
    bench.call()
    finding = (Code.AGENT_NOT_INSTALLED, "codex was not found.")
    assert bench.refuse(refusal=finding).code is Code.AGENT_NOT_INSTALLED
    assert bench.refuse().code is Code.QUEUE_FULL


def test_depth_comes_before_the_shells_finding() -> None:
    bench = Bench(Limits(depth_limit=1))
    parent = Parent("deep", "root", 1, "/work")
    assert bench.refuse(parent, refusal=(Code.INVALID_ARGUMENTS, "no")).code is Code.DEPTH_LIMIT


def test_the_same_key_and_arguments_are_the_same_task_in_any_state() -> None:
    bench = Bench()
    task_id = bench.call(idempotency_key="k")
    assert bench.call(idempotency_key="k") == task_id
    bench.finish(bench.run(task_id))
    again = bench.receive(idempotency_key="k")
    assert isinstance(again, TaskView)
    assert (again.record.task_id, again.status) == (task_id, Status.COMPLETED)
    assert len(of(bench.stream, SpawnChild)) == 1


def test_the_same_key_with_other_arguments_is_a_conflict() -> None:
    bench = Bench()
    bench.call(idempotency_key="k", task="one")
    assert bench.refuse(idempotency_key="k", task="two").code is Code.CONFLICT


def test_a_key_belongs_to_its_parent() -> None:
    bench = Bench()
    assert bench.call(idempotency_key="k") != bench.call(OTHER, idempotency_key="k")


def test_a_key_is_found_even_when_delegation_was_switched_off_since() -> None:
    bench = Bench(Limits(enabled=False))
    stored = bench_record()
    assert bench.call(idempotency_key="k", task="stored", keyed_record=stored) == stored.task_id


def test_a_keyed_task_that_only_the_store_knows_is_found() -> None:
    bench = Bench()
    stored = bench_record()
    assert bench.call(idempotency_key="k", task="stored", keyed_record=stored) == stored.task_id
    assert bench.refuse(idempotency_key="k", task="other", keyed_record=stored).code is Code.CONFLICT
    assert not of(bench.stream, Persist)


def test_a_keyed_record_that_the_ledger_holds_already_is_not_taken_from_the_store() -> None:
    bench = Bench()
    task_id = bench.running(task="stored")
    stale = replace(bench_record(), task_id=task_id)
    answer = bench.receive(idempotency_key="k", task="stored", keyed_record=stale)
    assert isinstance(answer, TaskView)
    assert answer.record.phase is Phase.RUNNING


def test_a_keyed_record_that_has_not_ended_and_is_not_held_is_a_fault_of_the_shell() -> None:
    bench = Bench()
    live = replace(bench_record(), phase=Phase.RUNNING)
    with pytest.raises(IllegalTransition):
        bench.receive(idempotency_key="k", task="stored", keyed_record=live)
    assert not bench.ledger.knows(live.task_id)


def test_a_call_sent_twice_by_handle_is_one_task() -> None:
    bench = Bench()
    task_id = bench.call(external_handle="h")
    assert bench.call(external_handle="h") == task_id
    assert bench.call(external_handle="h", task="another") != task_id


def test_a_handle_belongs_to_its_parent() -> None:
    bench = Bench()
    task_id = bench.call(external_handle="h")
    bench.apply(CallWithdrawn("other", "h"))
    assert bench.phase(task_id) is Phase.STARTING
    assert bench.refuse(OTHER, external_handle="h").code is Code.CANCELED


def test_a_handle_cancelled_before_its_call_starts_nothing() -> None:
    bench = Bench()
    bench.apply(CallWithdrawn("root", "h", "the user pressed escape"))
    refused = bench.refuse(external_handle="h")
    assert (refused.code, refused.status, refused.view) == (Code.CANCELED, Status.CANCELED, None)
    assert "escape" in refused.message
    assert not of(bench.stream, SpawnChild)
    assert bench.refuse(external_handle="h").code is Code.CANCELED, "the call may be sent twice"


def test_an_early_cancel_comes_before_a_switched_off_delegation() -> None:
    bench = Bench(Limits(enabled=False))
    bench.apply(CallWithdrawn("root", "h"))
    assert bench.refuse(external_handle="h").code is Code.CANCELED


def test_a_parent_that_is_gone_takes_its_early_cancels_with_it() -> None:
    bench = Bench()
    bench.apply(CallWithdrawn("root", "h"))
    bench.apply(ParentGone("root"))
    assert bench.call(external_handle="h")


def test_an_early_cancel_is_forgotten_after_a_minute() -> None:
    bench = Bench()
    bench.apply(CallWithdrawn("root", "h"))
    bench.advance(60)
    assert bench.call(external_handle="h")


def test_a_call_of_a_task_that_has_ended_is_refused() -> None:
    bench = Bench()
    task_id = bench.running()
    parent = bench.child(task_id)
    bench.end_turn(task_id)
    assert bench.refuse(parent).code is Code.PARENT_GONE
    bench.gone(task_id)
    assert bench.refuse(parent).code is Code.PARENT_GONE


def test_a_childs_conversation_that_the_user_opened_again_is_a_root() -> None:
    bench = Bench()
    task_id = bench.finish(bench.running())
    child_id = bench.record(task_id).child_id
    reopened = bench.call(Parent(child_id, child_id, 0, "/work"))
    assert bench.record(reopened).parent_task_id is None


def test_a_nested_task_names_the_task_above_it() -> None:
    bench = Bench()
    above = bench.running()
    below = bench.call(bench.child(above))
    assert (bench.record(below).parent_task_id, bench.record(below).depth) == (above, 2)


def test_a_host_that_ends_takes_no_call() -> None:
    bench = Bench()
    bench.apply(HostStopping())
    assert bench.refuse().code is Code.HOST_UNAVAILABLE


def test_ids_that_are_not_fresh_change_nothing() -> None:
    bench = Bench()
    task_id = bench.call()
    before = bench.ledger.views()
    with pytest.raises(IllegalTransition):
        bench.receive(task_id=task_id)
    with pytest.raises(IllegalTransition):
        bench.receive(child_id=bench.record(task_id).child_id)
    assert bench.ledger.views() == before


def test_a_ref_that_still_waits_cannot_be_used_again() -> None:
    bench = Bench()
    task_id = bench.running()
    waiting, canceling = bench.wait(task_id), bench.cancel(bench.running())
    for ref in (waiting, canceling):
        with pytest.raises(IllegalTransition):
            bench.receive(ref=ref)
        with pytest.raises(IllegalTransition):
            bench.apply(StatusAsked(ref, None, (task_id,)))
        with pytest.raises(IllegalTransition):
            bench.apply(CancelRequested(ref, None, task_id))
    assert bench.cancel(task_id) not in bench.replies


def test_other_parents_tasks_are_unknown() -> None:
    bench = Bench()
    task_id = bench.running()
    ref = bench.ask(task_id, readers=frozenset({"other"}))
    assert [type(answer).__name__ for answer in bench.replies[ref]] == ["Unknown"]
    cancel = bench.cancel(task_id, readers=frozenset({"other"}))
    resume = bench.resume("never-was")
    assert [type(bench.replies[r][0]).__name__ for r in (cancel, resume)] == ["Unknown", "Unknown"]
    assert bench.phase(task_id) is Phase.RUNNING


def test_views_are_those_that_the_readers_may_see() -> None:
    bench = Bench()
    mine, theirs = bench.call(), bench.call(OTHER)
    ids = [view.record.task_id for view in bench.ledger.views()]
    assert ids == [mine, theirs]
    assert [view.record.task_id for view in bench.ledger.views(frozenset({"other"}))] == [theirs]
    assert bench.ledger.view("never-was") is None


def bench_record() -> TaskRecord:
    """An ended task as the store would give it back."""
    other = Bench()
    task_id = other.finish(other.running(ROOT, "stored", idempotency_key="k", task_id="stored-1", child_id="stored-c1"))
    return other.record(task_id)


def test_a_recalled_task_reads_as_it_ended() -> None:
    bench = Bench()
    stored = bench_record()
    bench.apply(TasksRecalled((stored,)))
    assert bench.status(stored.task_id) is Status.COMPLETED
