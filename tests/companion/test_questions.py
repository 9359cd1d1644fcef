"""Questions to the person and what the person says: asked once, never lost, committed when written (contract 6)."""

import json
from typing import Any

import pytest

from tests.companion.relays import QUESTIONS, Rig, structured


def test_a_question_is_named_first_then_waited_for_by_its_id(rig: Rig) -> None:
    rig.call("ask_user_question", {"questions": QUESTIONS})
    first = rig.last("ask")
    assert first.request["questions"][0]["multiSelect"] is False
    first.reply({"state": "pending", "question_id": "q1", "answers": []})
    wait = rig.last("ask")
    assert wait.request["question_id"] == "q1"
    assert 29_000 < wait.request["wait_ms"] <= 30_000
    answers = [{"question": "Which?", "header": "Choice", "selected": ["a"], "other": "or c"}]
    wait.reply({"state": "answered", "question_id": "q1", "answers": answers})
    (data, marks) = rig.bench.core.out.pop()
    result = json.loads(data)["result"]
    assert structured(result, "ask_user_question")["answers"] == answers
    for fact in ("Which?", "Choice", "a", "Other", "or c", "q1"):
        assert fact in result["content"][0]["text"]
    assert marks is not None
    assert rig.opened[-1] is wait
    marks[0]()
    assert rig.last("commit_feedback").request["ids"] == ["q1"]


def test_at_the_limit_a_question_is_pending_with_its_id_and_never_answered_by_us(rig: Rig) -> None:
    rig.call("ask_user_question", {"questions": QUESTIONS})
    rig.last("ask").reply({"state": "pending", "question_id": "q1", "answers": []})
    rig.pass_time(30)
    rig.last("ask").reply({"state": "pending", "question_id": "q1", "answers": []})
    result = rig.result()
    assert structured(result, "ask_user_question") == {"state": "pending", "question_id": "q1", "answers": []}
    assert "q1" in result["content"][0]["text"]
    assert not result["isError"]
    assert "commit_feedback" not in [connection.kind for connection in rig.opened]


def test_a_host_that_is_late_with_pending_changes_nothing(rig: Rig) -> None:
    rig.call("ask_user_question", {"questions": QUESTIONS})
    rig.last("ask").reply({"state": "pending", "question_id": "q1", "answers": []})
    rig.pass_time(31.1)
    assert rig.result()["structuredContent"]["state"] == "pending"


def test_a_wait_that_the_host_caps_is_gone_on_with(rig: Rig) -> None:
    rig.call("ask_user_question", {"question_id": "q1"})
    rig.pass_time(10)
    rig.last("ask").reply({"state": "pending", "question_id": "q1", "answers": []})
    assert 19_000 < rig.last("ask").request["wait_ms"] <= 20_000


def test_a_lost_question_is_not_asked_twice_but_a_known_one_is_waited_for_again(rig: Rig) -> None:
    rig.call("ask_user_question", {"questions": QUESTIONS})
    rig.last("ask").fail(sent=True)
    assert len(rig.opened) == 1
    assert structured(rig.result(), "ask_user_question")["error_code"] == "host_unavailable"
    rig.call("ask_user_question", {"question_id": "q1"}, 2)
    rig.last("ask").fail(sent=True)
    assert len(rig.opened) == 3


@pytest.mark.parametrize("moment", ["refused", "unreached", "unreadable"])
def test_a_host_that_goes_between_naming_a_question_and_its_answer_loses_nobody_the_id(rig: Rig, moment: str) -> None:
    """To ask anew would show the user the same card twice."""
    rig.call("ask_user_question", {"questions": QUESTIONS})
    rig.last("ask").reply({"state": "pending", "question_id": "q1", "answers": []})
    if moment == "unreached":
        rig.last("ask").fail(sent=True)
        rig.last("ask").fail(sent=False)
    elif moment == "refused":
        rig.last("ask").refuse("busy")
    else:
        rig.last("ask").reply({"state": 5})
    asked = [c for c in rig.opened if "questions" in c.request]
    assert len(asked) == 1
    result = rig.result()
    assert structured(result, "ask_user_question")["question_id"] == "q1"
    assert "question_id=q1" in result["content"][0]["text"]
    assert result["isError"]
    rig.call("ask_user_question", {"question_id": "q1"}, 2)
    answers = [{"question": "Which?", "header": "Choice", "selected": ["a"]}]
    rig.last("ask").reply({"state": "answered", "question_id": "q1", "answers": answers})
    assert structured(rig.result(2), "ask_user_question")["answers"] == answers


def test_a_question_whose_name_does_not_come_says_that_it_may_be_there(rig: Rig) -> None:
    rig.call("ask_user_question", {"questions": QUESTIONS})
    rig.pass_time(10)
    results = [rig.result()]
    rig.call("ask_user_question", {"questions": QUESTIONS}, 2)
    rig.last("ask").fail(sent=True)
    for result in (*results, rig.result(2)):
        assert structured(result, "ask_user_question")["error_code"] == "host_unavailable"
        assert "check_user_feedback" in result["content"][0]["text"]
    assert len(rig.opened) == 2


def test_a_question_answered_within_its_naming_is_not_waited_for(rig: Rig) -> None:
    rig.call("ask_user_question", {"questions": QUESTIONS})
    rig.last("ask").reply({"state": "withdrawn", "question_id": "q1", "answers": []})
    assert rig.result()["structuredContent"]["state"] == "withdrawn"
    assert len(rig.opened) == 1


def test_a_question_that_the_host_refuses_is_told_why(rig: Rig) -> None:
    rig.call("ask_user_question", {"question_id": "q9"})
    refused = {"status": "failed", "error_code": "invalid_arguments", "message": "No question of yours has the id q9."}
    rig.last("ask").reply(refused)
    result = rig.result()
    assert structured(result, "ask_user_question")["error_code"] == "invalid_arguments"
    assert result["content"][0]["text"] == "invalid_arguments: No question of yours has the id q9."


@pytest.mark.parametrize(("state", "committed"), [("declined", True), ("withdrawn", False)])
def test_a_dismissed_or_withdrawn_question_says_so(rig: Rig, state: str, committed: bool) -> None:
    rig.call("ask_user_question", {"question_id": "q1"})
    rig.last("ask").reply({"state": state, "question_id": "q1", "answers": []})
    data, marks = rig.bench.core.out.pop()
    assert structured(json.loads(data)["result"], "ask_user_question")["state"] == state
    assert bool(marks) is committed


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"questions": QUESTIONS, "question_id": "q"},
        {"question_id": "  "},
        {"questions": [{**QUESTIONS[0], "options": [{"label": "a"}, {"label": " a "}]}]},
    ],
)
def test_questions_that_cannot_be_asked_are_named(rig: Rig, arguments: Any) -> None:
    rig.bench.request(1, "tools/call", {"name": "ask_user_question", "arguments": arguments})
    rig.relay.start(rig.bench.core.started.pop())
    assert structured(rig.result(), "ask_user_question")["error_code"] == "invalid_arguments"


NOTE = {"id": "n1", "kind": "note", "text": "Use tabs.", "created_at": "2026-11-30T10:00:00.000Z"}
ANSWER = {
    "id": "q1",
    "kind": "answer",
    "text": "a",
    "created_at": "2026-11-30T10:00:01.000Z",
    "question_id": "q1",
    "answers": [{"question": "Which?", "header": "Choice", "selected": ["a"]}],
}


def test_feedback_is_committed_after_and_only_after_its_text_was_written(rig: Rig) -> None:
    rig.call("check_user_feedback", {})
    rig.last("feedback").reply({"count": 2, "feedback": [NOTE, ANSWER]})
    data, marks = rig.bench.core.out.pop()
    result = json.loads(data)["result"]
    assert structured(result, "check_user_feedback") == {"count": 2, "feedback": [NOTE, ANSWER]}
    for fact in ("Use tabs.", "n1", "Which?", "q1", "priority"):
        assert fact in result["content"][0]["text"]
    assert "commit_feedback" not in [connection.kind for connection in rig.opened]
    assert marks is not None
    marks[0]()
    assert rig.last("commit_feedback").request["ids"] == ["n1", "q1"]


def test_no_feedback_is_no_error_and_commits_nothing(rig: Rig) -> None:
    rig.call("check_user_feedback", {})
    rig.last("feedback").reply({"count": 0, "feedback": []})
    data, marks = rig.bench.core.out.pop()
    assert structured(json.loads(data)["result"], "check_user_feedback") == {"count": 0, "feedback": []}
    assert marks is None


def test_a_cancelled_pull_commits_nothing(rig: Rig) -> None:
    rig.call("check_user_feedback", {})
    rig.cancel(1)
    assert [connection.kind for connection in rig.opened] == ["feedback"]


def test_many_ids_are_committed_in_requests_that_the_host_takes(rig: Rig) -> None:
    rig.call("check_user_feedback", {})
    notes = [{**NOTE, "id": f"n{at}"} for at in range(1_500)]
    rig.last("feedback").reply({"count": len(notes), "feedback": notes})
    _data, marks = rig.bench.core.out.pop()
    assert marks is not None
    marks[0]()
    assert [len(c.request["ids"]) for c in rig.opened if c.kind == "commit_feedback"] == [1_000, 500]
