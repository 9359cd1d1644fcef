"""What the person does beside the parent's model: delegate, start now, follow up, delete."""

from dataclasses import replace

import pytest

from codeg.broker.codes import Code, Phase, Status
from codeg.broker.effects import SendPrompt, StopChild, WithdrawAsk
from codeg.broker.events import (
    ChildFailed,
    ChildGone,
    ChildStartFailed,
    FolderAnswered,
    HostStarted,
    HostStopping,
    RootDeleted,
    TasksRecalled,
    ToolCallSeen,
    TurnEnded,
)
from codeg.broker.tasks import Limits, TaskView, Unknown, Work
from tests.broker.bench import OTHER, ROOT, Bench, of

# ---- delegation by the person


def test_a_task_of_the_person_takes_no_tool_call_of_the_model() -> None:
    bench = Bench()
    bench.apply(ToolCallSeen("root", "call-1", "demo", "do it", None))
    mine = bench.call(by_person=True)
    models = bench.call()
    assert (bench.record(mine).by_person, bench.record(mine).tool_use_id) == (True, "")
    assert (bench.record(models).by_person, bench.record(models).tool_use_id) == (False, "call-1")


def test_a_later_tool_call_of_the_model_does_not_find_the_persons_task() -> None:
    bench = Bench()
    mine = bench.call(by_person=True)
    bench.apply(ToolCallSeen("root", "call-1", "demo", "do it", None))
    assert bench.record(mine).tool_use_id == ""
    assert bench.record(bench.call()).tool_use_id == "call-1"


def test_the_limits_hold_for_the_person_too() -> None:
    bench = Bench(Limits(live_per_parent=1, queue_limit=1, depth_limit=1))
    bench.running(by_person=True)
    assert bench.status(bench.call(by_person=True)) is Status.QUEUED
    assert bench.refuse(by_person=True).code is Code.QUEUE_FULL
    assert bench.refuse(replace(ROOT, depth=1), by_person=True).code is Code.DEPTH_LIMIT


# ---- start now


def test_a_queued_task_starts_though_the_limits_are_reached() -> None:
    bench = Bench(Limits(live_per_parent=1, live_per_root=1))
    bench.running()
    first, second = bench.call(), bench.call()
    ref = bench.start_now(second)
    assert bench.answered(ref).status is Status.RUNNING
    assert (bench.phase(second), bench.phase(first)) == (Phase.STARTING, Phase.QUEUED)
    assert len(bench.spawns(second)) == 1
    assert bench.ledger.live_of_root("root") == 2
    assert bench.view(first).queue_position == 1
    bench.finish(bench.run(second))
    assert bench.phase(first) is Phase.QUEUED, "its own limit still holds it"


def test_a_task_that_is_not_queued_is_answered_as_it_stands() -> None:
    bench = Bench()
    running, asking, ended = bench.running(), bench.call(folder_question="q1"), bench.finish(bench.running())
    for task_id, status in ((running, Status.RUNNING), (asking, Status.QUEUED), (ended, Status.COMPLETED)):
        assert bench.answered(bench.start_now(task_id)).status is status
    assert bench.phase(asking) is Phase.ASKING
    assert bench.replies[bench.start_now("nobody")] == (Unknown("nobody"),)


def test_a_resume_that_waits_for_a_slot_starts_too() -> None:
    bench = Bench(Limits(live_per_parent=1))
    task_id = bench.running()
    bench.cancel(task_id)
    bench.gone(task_id)
    bench.running()
    bench.resume(task_id)
    bench.start_now(task_id)
    assert (bench.phase(task_id), bench.spawns(task_id)[-1].resume) == (Phase.STARTING, True)


# ---- follow up


def test_a_completed_task_goes_on_with_the_persons_prompt_and_its_answer_is_the_result() -> None:
    bench = Bench()
    task_id = bench.finish(bench.running(), b"first")
    ref = bench.follow_up(task_id, "and the tests?")
    assert bench.spawns(task_id)[-1].resume
    assert bench.record(task_id).follow_up == "and the tests?", "durable before anything starts"
    bench.ready(task_id)
    assert (bench.answered(ref).status, bench.record(task_id).attempt) == (Status.RUNNING, 2)
    assert bench.prompts(task_id)[-1] == SendPrompt(task_id, 2, "and the tests?")
    bench.accepted(task_id)
    assert bench.record(task_id).follow_up is None
    bench.finish(task_id, b"second")
    assert (bench.status(task_id), bench.text(task_id)) == (Status.COMPLETED, b"second")


def test_while_the_first_agent_is_still_ending_the_follow_up_waits_for_it() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id)
    ref = bench.follow_up(task_id, "more")
    second = bench.follow_up(task_id, "even more")
    assert bench.refused(second).code is Code.CONFLICT
    assert bench.phase(task_id) is Phase.DRAINING
    bench.gone(task_id)
    bench.ready(task_id)
    assert bench.prompts(task_id)[-1].text == "more"
    assert bench.answered(ref).record.attempt == 2


def test_a_follow_up_that_is_given_up_leaves_nothing_behind() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"half", "max_tokens")
    ref = bench.follow_up(task_id, "more")
    bench.cancel(task_id)
    assert bench.answered(ref).status is Status.FAILED
    bench.gone(task_id)
    bench.resume(task_id)
    bench.ready(task_id)
    assert bench.prompts(task_id)[-1].text is None


def test_a_follow_up_that_the_agent_never_took_is_sent_by_the_next_resume() -> None:
    bench = Bench()
    task_id = bench.finish(bench.running())
    bench.follow_up(task_id, "more")
    bench.ready(task_id)
    bench.apply(HostStopping())
    bench.gone(task_id)
    after = Bench()
    after.apply(HostStarted(()))
    after.apply(TasksRecalled((bench.record(task_id),)))
    after.resume(task_id)
    after.ready(task_id)
    assert after.prompts(task_id)[-1].text == "more"


@pytest.mark.parametrize("stop", [False, True])
def test_a_follow_up_that_was_taken_after_all_is_not_sent_again(stop: bool) -> None:
    bench = Bench()
    task_id = bench.finish(bench.running())
    bench.follow_up(task_id, "more")
    bench.ready(task_id)
    if stop:
        bench.cancel(task_id)
        bench.accepted(task_id)
    else:
        bench.end_turn(task_id)
    assert bench.record(task_id).follow_up is None


def test_a_session_that_cannot_be_re_attached_puts_the_end_back() -> None:
    bench = Bench()
    task_id = bench.finish(bench.running(), b"first")
    before = bench.record(task_id)
    ref = bench.follow_up(task_id)
    bench.apply(ChildStartFailed(task_id, 2, Code.RESUME_UNAVAILABLE, "it forgot"))
    bench.gone(task_id) if bench.phase(task_id) is not Phase.ENDED else None
    refused = bench.refused(ref)
    assert (refused.code, refused.message) == (Code.RESUME_UNAVAILABLE, "it forgot")
    assert (bench.record(task_id).end, bench.record(task_id).follow_up) == (before.end, None)
    assert bench.text(task_id) == b"first"


def test_a_follow_up_is_refused_where_nothing_can_go_on() -> None:
    bench = Bench()
    at_work, queued = bench.running(), bench.call(folder_question="q1")
    for task_id in (at_work, queued):
        refused = bench.refused(bench.follow_up(task_id))
        assert (refused.code, refused.view) == (Code.CONFLICT, bench.view(task_id))
        assert "leave a note" in refused.message
    never = bench.call()
    bench.cancel(never)
    bench.gone(never)
    assert "never took its task" in bench.refused(bench.follow_up(never)).message
    forgetful = bench.run(bench.call(), via="none")
    bench.finish(forgetful)
    assert "cannot re-attach" in bench.refused(bench.follow_up(forgetful)).message
    gone = bench.finish(bench.running())
    why = (Code.RESUME_UNAVAILABLE, "no such agent")
    assert bench.refused(bench.follow_up(gone, refusal=why)).message == "no such agent"
    assert bench.replies[bench.follow_up("nobody")] == (Unknown("nobody"),)


def test_a_follow_up_passes_the_limits_like_a_call() -> None:
    bench = Bench(Limits(live_per_parent=1, queue_limit=0))
    task_id = bench.finish(bench.running())
    bench.running()
    assert bench.refused(bench.follow_up(task_id)).code is Code.QUEUE_FULL
    assert bench.status(task_id) is Status.COMPLETED


# ---- deletion


def test_a_deleted_root_ends_its_tasks_and_is_forgotten_with_them() -> None:
    bench = Bench(Limits(depth_limit=3))
    ended, parent = bench.finish(bench.running()), bench.running()
    below = bench.running(bench.child(parent))
    other = bench.finish(bench.running(OTHER))
    wait = bench.wait(parent)
    effects = bench.apply(RootDeleted("root"))
    assert {effect.task_id for effect in of(effects, StopChild)} == {parent, below}
    assert bench.ledger.view(ended) is None
    assert bench.ledger.open_of_root("root") == 2
    assert wait not in bench.replies
    bench.gone(parent)
    assert bench.code(parent) is Code.PARENT_GONE, "it is kept while its child has not ended"
    assert [view.status for view in bench.answers(wait) if isinstance(view, TaskView)] == [Status.CANCELED]
    bench.gone(below)
    assert bench.ledger.open_of_root("root") == 0
    assert [view.record.task_id for view in bench.ledger.views()] == [other]


def test_nothing_of_a_deleted_root_begins_or_comes_back() -> None:
    bench = Bench()
    ended = bench.finish(bench.running(idempotency_key="k"))
    record = bench.record(ended)
    bench.apply(RootDeleted("root"))
    bench.apply(TasksRecalled((record,)))
    assert bench.ledger.view(ended) is None
    assert bench.refuse().code is Code.PARENT_GONE
    assert bench.refuse(idempotency_key="k", keyed_record=record).code is Code.PARENT_GONE
    assert bench.replies[bench.resume(ended)] == (Unknown(ended),)
    assert bench.ledger.views() == ()


def test_an_asking_task_of_a_deleted_root_takes_its_question_back() -> None:
    bench = Bench()
    asking = bench.call(folder_question="q1")
    effects = bench.apply(RootDeleted("root"))
    assert of(effects, WithdrawAsk) == [WithdrawAsk(asking, "q1")]
    assert bench.ledger.views() == ()
    bench.apply(FolderAnswered(asking, allowed=True))


# ---- what an end tells


def test_an_end_tells_its_gist_and_what_was_done() -> None:
    bench = Bench()
    task_id = bench.running()
    work = Work(3, 2, 10, 4)
    bench.apply(TurnEnded(task_id, 1, "end_turn", b"# Done.\n\nAll of it.", 3, work=work))
    end = bench.end(task_id)
    assert (end.gist, end.tool_calls, end.files, end.added, end.removed) == ("Done.", 3, 2, 10, 4)
    bench.gone(task_id)
    assert bench.end(task_id) == end


def test_without_more_the_number_of_calls_is_told() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"Yes.", tool_calls=2)
    assert (bench.end(task_id).tool_calls, bench.end(task_id).files) == (2, None)


def test_a_failure_a_vanishing_and_a_cancel_tell_it_too() -> None:
    bench = Bench()
    failed, vanished, canceled, cut = (bench.running() for _ in range(4))
    work = Work(1, 1, 5, 0)
    bench.apply(ChildFailed(failed, 1, Code.AGENT_CRASHED, "exit 1", b"Half. Rest", work=work))
    bench.apply(ChildGone(vanished, 1, b"Words", work=work))
    bench.cancel(canceled)
    bench.apply(ChildGone(canceled, 1, b"More", work=work))
    bench.apply(HostStopping())
    bench.apply(ChildGone(cut, 1, b"Cut", work=work))
    for task_id, gist in ((failed, "Half."), (vanished, "Words"), (canceled, "More"), (cut, "Cut")):
        end = bench.end(task_id)
        assert (end.gist, end.tool_calls, end.files, end.added, end.removed) == (gist, 1, 1, 5, 0)


def test_words_that_a_stopped_turn_still_says_are_its_gist() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.cancel(task_id)
    bench.apply(TurnEnded(task_id, 1, "cancelled", b"So far so good.", 2, work=Work(2)))
    bench.gone(task_id)
    assert (bench.end(task_id).gist, bench.end(task_id).tool_calls) == ("So far so good.", 2)
