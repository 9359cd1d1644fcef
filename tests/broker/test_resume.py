"""Resume (contract 6, resume_delegation)."""

from dataclasses import replace
from typing import Any

import pytest

from codeg.broker.codes import RESUMABLE_FAILURES, Code, Phase, Status
from codeg.broker.effects import Persist, SendPrompt, SpawnChild
from codeg.broker.events import (
    ChildFailed,
    ChildGone,
    ChildStartFailed,
    FolderAnswered,
    HostStarted,
    HostStopping,
    LeaseEnded,
    LimitsChanged,
    ParentCanceled,
    TasksRecalled,
)
from codeg.broker.tasks import Limits
from tests.broker.bench import OUTSIDE, Bench, of


def canceled(bench: Bench, text: bytes = b"half", **more: Any) -> str:
    task_id = bench.running(**more)
    bench.cancel(task_id)
    bench.gone(task_id, text)
    return task_id


def test_a_resume_re_attaches_the_session_and_goes_on_with_the_fixed_sentence() -> None:
    bench = Bench()
    task_id = canceled(bench)
    before = len(bench.stream)
    ref = bench.resume(task_id)
    (spawn,) = of(bench.stream[before:], SpawnChild)
    assert (spawn.resume, spawn.record.attempt, spawn.record.agent_session_id) == (True, 2, f"session-{task_id}")
    assert ref not in bench.replies
    bench.ready(task_id)
    assert of(bench.stream[before:], SendPrompt) == [SendPrompt(task_id, 2, None)]
    answer = bench.answered(ref)
    assert (answer.status, answer.record.attempt, answer.record.task_id) == (Status.RUNNING, 2, task_id)


def test_a_resumed_task_ends_with_the_result_of_its_new_attempt_alone() -> None:
    bench = Bench()
    task_id = canceled(bench, b"half")
    earlier = bench.record(task_id)
    bench.resume(task_id)
    assert (bench.record(task_id).started_ms, bench.record(task_id).ended_ms, bench.record(task_id).earlier) == (
        None,
        None,
        earlier.end,
    )
    bench.run(task_id)
    assert (bench.text(task_id), bench.record(task_id).earlier) == (b"", None)
    bench.finish(task_id, b"whole")
    record = bench.record(task_id)
    assert (bench.status(task_id), bench.text(task_id)) == (Status.COMPLETED, b"whole")
    assert (record.tool_use_id, record.child_id, record.created_ms) == (
        earlier.tool_use_id,
        earlier.child_id,
        earlier.created_ms,
    )


def test_late_events_of_the_earlier_attempt_do_not_touch_the_new_one() -> None:
    bench = Bench()
    task_id = canceled(bench)
    bench.resume(task_id)
    assert bench.apply(ChildGone(task_id, 1)) == ()
    assert bench.apply(ChildFailed(task_id, 1, Code.AGENT_CRASHED, "late")) == ()
    assert bench.phase(task_id) is Phase.STARTING


def test_a_task_whose_prompt_the_agent_never_took_is_started_with_its_own_text() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call(task="from the start"), via="none")
    bench.cancel(task_id)
    bench.gone(task_id)
    bench.resume(task_id)
    assert bench.spawns(task_id)[-1].resume is False
    bench.ready(task_id)
    assert bench.prompts(task_id)[-1] == SendPrompt(task_id, 2, "from the start")


def test_a_prompt_that_was_on_its_way_when_the_host_ended_is_not_sent_a_second_time() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call())
    bench.apply(HostStopping())
    bench.accepted(task_id)
    bench.gone(task_id)
    after = Bench()
    after.apply(TasksRecalled((bench.record(task_id),)))
    after.resume(task_id)
    assert after.spawns(task_id)[-1].resume is True


def test_of_two_resumes_at_once_one_runs_and_both_are_answered() -> None:
    bench = Bench()
    task_id = canceled(bench)
    refs = [bench.resume(task_id), bench.resume(task_id)]
    bench.ready(task_id)
    assert [bench.answered(ref).record.attempt for ref in refs] == [2, 2]
    assert len(bench.spawns(task_id)) == 2


def test_once_the_session_is_open_a_second_resume_is_answered_at_once_and_nothing_is_put_back() -> None:
    bench = Bench()
    task_id = canceled(bench)
    bench.resume(task_id)
    bench.ready(task_id)
    assert bench.answered(bench.resume(task_id)).record.attempt == 2
    bench.apply(ChildStartFailed(task_id, 2, Code.RESUME_UNAVAILABLE, "odd"))
    assert (bench.record(task_id).attempt, bench.code(task_id)) == (2, Code.RESUME_UNAVAILABLE)


def test_a_running_or_queued_task_is_answered_with_its_report() -> None:
    bench = Bench(Limits(live_per_parent=3))
    running, starting, stopping = bench.running(), bench.call(), bench.running()
    queued, asking = bench.call(), bench.call(folder_question="q1")
    bench.cancel(stopping)
    for task_id, status in (
        (running, Status.RUNNING),
        (starting, Status.RUNNING),
        (stopping, Status.RUNNING),
        (queued, Status.QUEUED),
        (asking, Status.QUEUED),
    ):
        answer = bench.answered(bench.resume(task_id))
        assert (answer.status, answer.record.attempt) == (status, 1)


def test_a_completed_task_is_not_resumed() -> None:
    bench = Bench()
    task_id = bench.finish(bench.running())
    shown = bench.view(task_id)
    refused = bench.refused(bench.resume(task_id))
    assert (refused.code, refused.view, refused.status) == (Code.RESUME_UNAVAILABLE, shown, Status.COMPLETED)
    assert "completed" in refused.message
    assert bench.view(task_id) == shown


@pytest.mark.parametrize("code", list(Code))
def test_only_some_failures_are_resumed(code: Code) -> None:
    bench = Bench()
    task_id = bench.running()
    bench.apply(ChildFailed(task_id, 1, code, "why"))
    bench.gone(task_id)
    ref = bench.resume(task_id)
    if code in RESUMABLE_FAILURES:
        assert bench.phase(task_id) is Phase.STARTING
    else:
        assert bench.refused(ref).code is Code.RESUME_UNAVAILABLE


def test_an_agent_that_cannot_re_attach_is_refused_at_once() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.apply(ChildFailed(task_id, 1, Code.AGENT_CRASHED, "exit 1"))
    bench.gone(task_id)
    stored = replace(bench.record(task_id), task_id="s", child_id="sc", resume_via="none")
    lost = replace(bench.record(task_id), task_id="l", child_id="lc", agent_session_id=None)
    bench.apply(TasksRecalled((stored, lost)))
    for task in ("s", "l"):
        assert bench.refused(bench.resume(task)).code is Code.RESUME_UNAVAILABLE


def test_what_the_shell_found_against_it_is_the_reason() -> None:
    bench = Bench()
    task_id = canceled(bench)
    refused = bench.refused(bench.resume(task_id, refusal=(Code.AGENT_DISABLED, "demo is switched off.")))
    assert (refused.code, refused.message) == (Code.RESUME_UNAVAILABLE, "demo is switched off.")


def test_a_resume_that_the_agent_cannot_do_puts_the_earlier_end_back() -> None:
    bench = Bench()
    task_id = canceled(bench, b"half")
    shown = bench.view(task_id)
    ref, waiting = bench.resume(task_id), bench.wait(task_id)
    bench.advance(3)
    bench.spawned(task_id)
    bench.apply(ChildStartFailed(task_id, 2, Code.RESUME_UNAVAILABLE, "The session is gone."))
    refused = bench.refused(ref)
    assert (refused.code, refused.message) == (Code.RESUME_UNAVAILABLE, "The session is gone.")
    assert refused.view is not None
    assert refused.view.record.end == shown.record.end
    assert bench.answered(waiting).status is Status.CANCELED
    assert bench.ledger.live_of_root("root") == 1, "the tree of the second attempt is still there"
    assert [stop.attempt for stop in bench.stops(task_id)] == [1, 2]
    bench.apply(ChildGone(task_id, 2))
    assert bench.view(task_id) == shown
    assert bench.text(task_id) == b"half"
    assert bench.ledger.live_of_root("root") == 0


def test_a_resume_can_be_tried_again_after_it_was_put_back() -> None:
    bench = Bench()
    task_id = canceled(bench)
    bench.resume(task_id)
    bench.apply(ChildStartFailed(task_id, 2, Code.RESUME_UNAVAILABLE, "not now"))
    again = bench.resume(task_id)
    assert bench.phase(task_id) is Phase.DRAINING
    bench.apply(ChildGone(task_id, 2))
    assert (bench.phase(task_id), bench.record(task_id).attempt) == (Phase.STARTING, 2)
    bench.ready(task_id)
    assert bench.answered(again).status is Status.RUNNING


def test_another_failure_of_its_start_is_an_end_of_the_new_attempt_and_keeps_the_text() -> None:
    bench = Bench()
    task_id = canceled(bench, b"half")
    ref = bench.resume(task_id)
    bench.apply(ChildStartFailed(task_id, 2, Code.AGENT_START_TIMEOUT, "60 s"))
    answer = bench.answered(ref)
    assert (answer.status, answer.record.attempt) == (Status.FAILED, 2)
    assert (bench.end(task_id).text_bytes, bench.text(task_id)) == (4, b"half")


def test_a_first_start_that_says_resume_unavailable_is_simply_a_failure() -> None:
    bench = Bench()
    task_id = bench.call()
    bench.apply(ChildStartFailed(task_id, 1, Code.RESUME_UNAVAILABLE, "odd"))
    assert bench.code(task_id) is Code.RESUME_UNAVAILABLE


def test_the_reply_waits_20_seconds_at_most() -> None:
    bench = Bench()
    task_id = canceled(bench)
    ref = bench.resume(task_id)
    bench.advance(20)
    answer = bench.answered(ref)
    assert (answer.status, answer.record.attempt, answer.record.started_ms) == (Status.RUNNING, 2, None)


def test_a_resume_waits_until_the_earlier_tree_is_gone() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"part", "max_tokens")
    ref, second = bench.resume(task_id), bench.resume(task_id)
    assert (bench.phase(task_id), len(bench.spawns(task_id))) == (Phase.DRAINING, 1)
    assert bench.status(task_id) is Status.FAILED
    bench.gone(task_id)
    assert (bench.phase(task_id), len(bench.spawns(task_id))) == (Phase.STARTING, 2)
    bench.ready(task_id)
    assert bench.answered(ref).record.attempt == bench.answered(second).record.attempt == 2


def test_a_cancel_of_a_resume_that_waits_for_the_earlier_tree_leaves_the_end_as_it_is() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"part", "max_tokens")
    resume, cancel = bench.resume(task_id), bench.cancel(task_id)
    assert bench.answered(resume).status is bench.answered(cancel).status is Status.FAILED
    bench.gone(task_id)
    assert bench.phase(task_id) is Phase.ENDED


@pytest.mark.parametrize("event", [ParentCanceled("root"), HostStopping()])
def test_a_resume_that_waits_is_forgone_with_its_parent_or_the_host(event: ParentCanceled | HostStopping) -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"part", "max_tokens")
    ref = bench.resume(task_id)
    bench.apply(event)
    assert bench.answered(ref).status is Status.FAILED
    bench.gone(task_id)
    assert bench.phase(task_id) is Phase.ENDED


def test_a_cancel_while_it_re_attaches_answers_the_resume_and_ends_the_new_attempt() -> None:
    bench = Bench()
    task_id = canceled(bench, b"half")
    resume = bench.resume(task_id)
    cancel = bench.cancel(task_id)
    assert bench.answered(resume).stopping
    bench.apply(ChildStartFailed(task_id, 2, Code.RESUME_UNAVAILABLE, "no"))
    bench.gone(task_id)
    assert (bench.answered(cancel).status, bench.record(task_id).attempt) == (Status.CANCELED, 2)
    assert (bench.end(task_id).text_bytes, bench.text(task_id)) == (4, b"half")


def test_a_resume_over_the_live_limit_is_queued_and_answered_at_once() -> None:
    bench = Bench(Limits(live_per_parent=1))
    task_id = canceled(bench)
    running = bench.running()
    ref = bench.resume(task_id)
    assert (bench.answered(ref).status, bench.answered(ref).queue_position) == (Status.QUEUED, 1)
    again = bench.resume(task_id)
    assert bench.answered(again).status is Status.QUEUED
    bench.finish(running)
    assert bench.spawns(task_id)[-1].resume is True


def test_a_queued_resume_that_is_canceled_ends_and_can_be_resumed_again() -> None:
    bench = Bench(Limits(live_per_parent=1))
    task_id = canceled(bench, b"half")
    running = bench.running()
    bench.resume(task_id)
    bench.cancel(task_id)
    assert (bench.status(task_id), bench.end(task_id).text_bytes) == (Status.CANCELED, 4)
    bench.finish(running)
    bench.resume(task_id)
    assert bench.record(task_id).attempt == 3


def test_a_queued_resume_of_a_task_that_had_ended_by_itself_ends_without_a_child_to_stop() -> None:
    bench = Bench(Limits(live_per_parent=1))
    task_id = bench.running()
    bench.end_turn(task_id, b"part", "max_tokens")
    bench.gone(task_id)
    bench.running()
    bench.resume(task_id)
    bench.cancel(task_id)
    assert (bench.phase(task_id), len(bench.stops(task_id))) == (Phase.ENDED, 1)


def test_a_resume_over_the_queue_limit_is_refused_unchanged() -> None:
    bench = Bench(Limits(live_per_parent=1, queue_limit=0))
    task_id = canceled(bench)
    bench.running()
    refused = bench.refused(bench.resume(task_id))
    assert (refused.code, refused.view) == (Code.QUEUE_FULL, bench.view(task_id))


def test_a_nested_resume_that_finds_its_root_full_is_refused() -> None:
    bench = Bench(Limits(live_per_root=2))
    above = bench.running()
    task_id = canceled(bench, parent=bench.child(above))
    bench.running()
    assert bench.refused(bench.resume(task_id)).code is Code.LIVE_LIMIT


def test_a_resume_needs_delegation_and_its_depth() -> None:
    bench = Bench()
    task_id = canceled(bench)
    bench.apply(LimitsChanged(Limits(enabled=False)))
    assert bench.refused(bench.resume(task_id)).code is Code.DELEGATION_DISABLED
    bench.apply(LimitsChanged(Limits(depth_limit=0)))
    assert bench.refused(bench.resume(task_id)).code is Code.DEPTH_LIMIT
    bench.apply(HostStopping())
    assert bench.refused(bench.resume(task_id)).code is Code.HOST_UNAVAILABLE


def test_a_nested_task_is_not_resumed_when_the_task_above_it_has_ended() -> None:
    bench = Bench()
    above = bench.running()
    task_id = canceled(bench, parent=bench.child(above))
    bench.finish(above)
    refused = bench.refused(bench.resume(task_id))
    assert (refused.code, bench.phase(task_id)) == (Code.RESUME_UNAVAILABLE, Phase.ENDED)
    alone = Bench()
    alone.apply(TasksRecalled((bench.record(task_id),)))
    assert alone.refused(alone.resume(task_id)).code is Code.RESUME_UNAVAILABLE


def test_a_queued_nested_resume_that_can_never_start_is_put_back() -> None:
    bench = Bench(Limits(live_per_parent=1, live_per_root=4))
    above = bench.running()
    parent = bench.child(above)
    task_id = canceled(bench, parent=parent)
    shown = bench.view(task_id)
    inner = bench.running(parent)
    bench.resume(task_id)
    bench.apply(LimitsChanged(Limits(live_per_parent=1, live_per_root=1)))
    assert bench.phase(task_id) is Phase.QUEUED
    bench.finish(inner)
    assert bench.view(task_id) == shown


def test_an_interrupted_task_is_resumed_after_a_restart() -> None:
    bench = Bench()
    task_id = bench.running()
    after = Bench()
    after.apply(HostStarted((bench.record(task_id),)))
    after.resume(task_id)
    assert after.spawns(task_id)[-1].resume is True
    (stored,) = [effect for effect in of(after.stream, Persist) if effect.record.attempt == 2]
    assert stored.record.process is None


def test_words_of_an_attempt_that_was_put_back_are_not_those_of_the_earlier_one() -> None:
    bench = Bench()
    task_id = bench.running()
    after = Bench()
    after.apply(HostStarted((bench.record(task_id),)))
    after.resume(task_id)
    after.apply(ChildStartFailed(task_id, 2, Code.RESUME_UNAVAILABLE, "no"))
    after.apply(ChildGone(task_id, 2, b"replayed"))
    assert (after.text(task_id), after.end(task_id).text_bytes) == (b"", 0)


def test_a_crash_while_it_re_attaches_leaves_it_interrupted_with_the_earlier_text() -> None:
    bench = Bench()
    task_id = canceled(bench, b"half")
    bench.resume(task_id)
    after = Bench()
    after.apply(HostStarted((bench.record(task_id),)))
    assert (after.status(task_id), after.record(task_id).attempt) == (Status.INTERRUPTED, 2)
    assert after.end(task_id).text_bytes == 4


def test_a_companions_resume_makes_an_unattended_task_attended_and_the_operators_does_not() -> None:
    limits = Limits(unattended_cancel_s=60)
    for readers, unattended in ((frozenset({"outside"}), False), (None, True)):
        bench = Bench(limits)
        task_id = bench.running(OUTSIDE)
        bench.apply(LeaseEnded("outside"))
        bench.cancel(task_id)
        bench.gone(task_id)
        assert bench.record(task_id).unattended
        bench.resume(task_id, readers=readers)
        bench.run(task_id)
        assert bench.record(task_id).unattended is unattended
        bench.advance(60)
        assert (bench.phase(task_id) is Phase.STOPPING) is unattended


@pytest.mark.parametrize("way", ["refused", "canceled", "interrupted"])
def test_a_resume_is_no_way_round_a_folder_that_the_person_did_not_allow(way: str) -> None:
    bench = Bench()
    task_id = bench.call(folder_question="q1")
    match way:
        case "refused":
            bench.apply(FolderAnswered(task_id, allowed=False))
        case "canceled":
            bench.cancel(task_id)
        case _:
            record = bench.record(task_id)
            bench = Bench()
            bench.apply(HostStarted((record,)))
    refused = bench.refused(bench.resume(task_id))
    assert refused.code is Code.RESUME_UNAVAILABLE
    assert "/work" in refused.message
    assert not bench.spawns(task_id)


def test_a_prompt_to_the_person_goes_with_a_resume_that_was_put_back() -> None:
    bench = Bench()
    above = bench.running()
    task_id = canceled(bench, parent=bench.child(above))
    bench.resume(task_id)
    bench.block(task_id)
    bench.apply(ChildStartFailed(task_id, 2, Code.RESUME_UNAVAILABLE, "no"))
    assert bench.view(task_id).blocks == bench.view(above).blocks == ()


def test_a_folder_is_not_asked_about_a_second_time() -> None:
    bench = Bench()
    task_id = bench.call(folder_question="q1")
    bench.apply(FolderAnswered(task_id, allowed=True))
    bench.run(task_id)
    bench.cancel(task_id)
    bench.gone(task_id)
    bench.resume(task_id)
    assert bench.phase(task_id) is Phase.STARTING
