"""How a task ends by its own child (contract 6, Status and Codes; B10, B12, B37)."""

import pytest

from codeg.broker.codes import Code, Phase, Status
from codeg.broker.effects import Announce, Persist, Reply, StopChild
from codeg.broker.events import ChildFailed, ChildGone, ChildStartFailed, SessionReady
from codeg.broker.tasks import Usage
from codeg.broker.transitions import IllegalTransition
from tests.broker.bench import Bench, of


def test_a_task_runs_from_call_to_result_and_its_child_is_stopped_once() -> None:
    bench = Bench()
    task_id = bench.finish(bench.running(), b"the answer")
    view = bench.view(task_id)
    assert (view.status, view.record.phase, view.record.end and view.record.end.text_bytes) == (
        Status.COMPLETED,
        Phase.ENDED,
        10,
    )
    assert bench.text(task_id) == b"the answer"
    assert len(bench.stops(task_id)) == 1
    assert bench.ledger.live_of_root("root") == 0


def test_a_completed_end_is_shown_before_the_tree_is_gone() -> None:
    bench = Bench()
    task_id = bench.running()
    ref = bench.wait(task_id)
    bench.end_turn(task_id)
    assert bench.answered(ref).status is Status.COMPLETED
    assert bench.phase(task_id) is Phase.DRAINING
    (stop,) = bench.stops(task_id)
    assert stop.cancel_turn is False


def test_the_end_is_stored_with_its_text_before_anyone_is_told() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.wait(task_id)
    before = len(bench.stream)
    bench.end_turn(task_id)
    kinds = [type(effect) for effect in bench.stream[before:]]
    assert kinds == [Persist, StopChild, Announce, Reply]
    assert of(bench.stream[before:], Persist)[0].text == b"done"


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("refusal", Code.CHILD_REFUSAL),
        ("max_tokens", Code.CHILD_MAX_TOKENS),
        ("max_turn_requests", Code.CHILD_MAX_TURN_REQUESTS),
        ("cancelled", Code.CHILD_UNKNOWN),
        ("moon phase", Code.CHILD_UNKNOWN),
    ],
)
def test_any_stop_but_end_turn_is_a_failure_that_keeps_its_text_and_calls_it_incomplete(
    reason: str, code: Code
) -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"half an ans", reason)
    end = bench.end(task_id)
    assert (bench.status(task_id), end.code, end.text_bytes) == (Status.FAILED, code, 11)
    assert "incomplete" in (end.message or "")
    assert bench.text(task_id) == b"half an ans"


def test_a_turn_that_its_agent_cancelled_after_a_refusal_says_so() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"part", "cancelled", note="It did so after it was refused leave for “touch x”.")
    end = bench.end(task_id)
    assert end.code is Code.CHILD_UNKNOWN
    assert "nobody here cancelled it. It did so after it was refused leave for “touch x”." in (end.message or "")


def test_a_failure_without_a_text_does_not_speak_of_one() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"", "max_tokens")
    assert "incomplete" not in (bench.end(task_id).message or "")


@pytest.mark.parametrize(("calls", "words"), [(1, "one tool call"), (7, "7 tool calls")])
def test_a_turn_with_tool_calls_but_no_text_is_completed_and_says_so(calls: int, words: str) -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b" \n", tool_calls=calls, note="Touched a.py.")
    end = bench.end(task_id)
    assert (end.status, end.text_bytes) == (Status.COMPLETED, 0)
    assert words in (end.message or "")
    assert "Touched a.py." in (end.message or "")


def test_a_turn_without_text_or_tool_calls_is_empty() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"")
    assert (bench.status(task_id), bench.code(task_id)) == (Status.FAILED, Code.CHILD_EMPTY)


def test_a_turn_with_tool_calls_and_no_note_ends_its_sentence() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"", tool_calls=2)
    assert (bench.end(task_id).message or "").endswith("final text.")


def test_a_shown_end_without_a_text_gets_none_when_its_tree_is_gone() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"", tool_calls=1)
    end = bench.end(task_id)
    bench.gone(task_id, b"an earlier message")
    assert (bench.end(task_id), bench.text(task_id)) == (end, b"")


def test_usage_is_kept_with_the_end() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, usage=Usage(input_tokens=5))
    assert bench.end(task_id).usage == Usage(input_tokens=5)


def test_a_crash_in_mid_turn_keeps_its_cause_and_its_text() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.apply(ChildFailed(task_id, 1, Code.AGENT_CRASHED, "It exited with 3.", b"so far"))
    end = bench.end(task_id)
    assert (bench.status(task_id), end.code, bench.text(task_id)) == (Status.FAILED, Code.AGENT_CRASHED, b"so far")
    assert (end.message or "").startswith("It exited with 3.")


def test_a_failed_start_fails_the_task_with_its_code_and_stops_the_child() -> None:
    bench = Bench()
    task_id = bench.call()
    bench.apply(ChildStartFailed(task_id, 1, Code.SPAWN_FAILED, "No such program."))
    assert (bench.status(task_id), bench.code(task_id)) == (Status.FAILED, Code.SPAWN_FAILED)
    assert len(bench.stops(task_id)) == 1
    assert not bench.prompts(task_id)
    bench.gone(task_id)
    assert bench.ledger.live_of_root("root") == 0


def test_a_start_failure_reported_after_the_prompt_is_a_failure_too() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.apply(ChildStartFailed(task_id, 1, Code.SUBAGENT_ERROR, "The agent answered with an error."))
    assert bench.code(task_id) is Code.SUBAGENT_ERROR


@pytest.mark.parametrize("started", [False, True])
def test_a_tree_that_is_gone_without_a_word_is_a_crash(started: bool) -> None:
    bench = Bench()
    task_id = bench.running() if started else bench.call()
    bench.gone(task_id, b"some words")
    assert (bench.phase(task_id), bench.code(task_id)) == (Phase.ENDED, Code.AGENT_CRASHED)
    assert (bench.text(task_id), bench.stops(task_id)) == (b"some words", [])


def test_the_identity_of_the_processes_is_stored_before_the_prompt_and_forgotten_when_they_are_gone() -> None:
    bench = Bench()
    task_id = bench.call()
    (stored,) = of(bench.spawned(task_id), Persist)
    assert stored.record.process is not None
    bench.ready(task_id)
    bench.accepted(task_id)
    bench.finish(task_id)
    assert bench.record(task_id).process is None


def test_the_prompt_is_the_tasks_own_text_and_nothing_around_it() -> None:
    bench = Bench()
    task_id = bench.running(task="  do\nthis  ")
    (prompt,) = bench.prompts(task_id)
    assert prompt.text == "  do\nthis  "


def test_the_task_is_started_when_its_prompt_was_written() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call())
    assert bench.record(task_id).started_ms is None
    bench.advance(2)
    bench.accepted(task_id)
    assert bench.record(task_id).started_ms == bench.wall_ms


def test_the_first_end_stays_whatever_comes_later() -> None:
    bench = Bench()
    task_id = bench.running()
    bench.end_turn(task_id, b"first")
    shown = bench.view(task_id)
    bench.end_turn(task_id, b"second")
    bench.apply(ChildFailed(task_id, 1, Code.AGENT_CRASHED, "late"))
    bench.cancel(task_id)
    assert bench.view(task_id) == shown
    bench.gone(task_id)
    bench.gone(task_id)
    assert (bench.end(task_id), bench.text(task_id)) == (shown.record.end, b"first")


def test_a_second_session_or_prompt_of_the_same_attempt_does_nothing() -> None:
    bench = Bench()
    task_id = bench.prompted(bench.call())
    assert bench.ready(task_id) == ()
    bench.accepted(task_id)
    assert bench.ready(task_id) == bench.accepted(task_id) == bench.spawned(task_id) == ()
    assert len(bench.prompts(task_id)) == 1


def test_events_of_unknown_tasks_and_other_attempts_are_dropped() -> None:
    bench = Bench()
    task_id = bench.call()
    for event in (ChildGone("never-was", 1), ChildGone(task_id, 2), SessionReady(task_id, 0, "s", "load")):
        assert bench.apply(event) == ()
    assert bench.phase(task_id) is Phase.STARTING


def test_a_prompt_cannot_be_accepted_or_answered_before_it_was_sent() -> None:
    bench = Bench()
    task_id = bench.call()
    before = bench.view(task_id)
    with pytest.raises(IllegalTransition):
        bench.accepted(task_id)
    with pytest.raises(IllegalTransition):
        bench.end_turn(task_id)
    assert bench.view(task_id) == before
