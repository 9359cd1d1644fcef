"""What the model reads of each outcome: both copies carry the same facts, and fit the declared schema."""

import json
from typing import Any

import jsonschema
import pytest

from companion import rendering, schema
from companion.rendering import Malformed, Result

OUTPUT = {tool["name"]: tool["outputSchema"] for tool in schema.load()}
REPORT = {"task_id": "codex-x-1", "status": "running"}
ENDED = {**REPORT, "status": "completed", "text": "done", "text_bytes": 4, "parent_task_id": None}


def shown(result: Result, tool: str) -> tuple[str, dict[str, Any], bool]:
    """Text, structured part and `isError` of what goes out."""
    given = json.loads(result.to_bytes())
    jsonschema.validate(given["structuredContent"], OUTPUT[tool])
    (block,) = given["content"]
    assert block["type"] == "text"
    return block["text"], given["structuredContent"], given["isError"]


def test_the_text_of_a_status_is_the_json_of_its_structured_part_byte_for_byte() -> None:
    text = '"quoted" \\ 漢字 😀 \u2028 \n\t \ud800'
    result = rendering.statuses({"tasks": [{**ENDED, "text": text}]}, waited=False)
    raw = result.to_bytes(b',"more":1')
    given = json.loads(raw)
    assert given["more"] == 1
    assert json.loads(given["content"][0]["text"]) == given["structuredContent"]
    assert given["structuredContent"]["tasks"][0]["text"] == text.replace("\ud800", "\ufffd")
    assert not any(end in raw for end in (b"\n", b"\r", "\u2028".encode()))


@pytest.mark.parametrize("tool", list(OUTPUT))
def test_a_failure_fits_the_schema_of_its_tool(tool: str) -> None:
    text, fields, is_error = shown(rendering.failure(tool, "busy", "Too many."), tool)
    assert is_error
    assert (fields["error_code"], fields["message"]) == ("busy", "Too many.")
    assert "busy" in text
    assert "Too many." in text


def test_a_delegation_that_has_ended_already_is_shown_with_its_end() -> None:
    text, fields, is_error = shown(rendering.acknowledgement(ENDED), "delegate_to_agent")
    assert text.startswith("task_id=codex-x-1 status=completed.")
    assert text.endswith("\ndone")
    assert "get_delegation_status" not in text
    assert "parent_task_id" not in fields
    assert not is_error


@pytest.mark.parametrize("tool", ["cancel_delegation", "resume_delegation"])
def test_a_refusal_without_an_id_is_told_by_its_code(tool: str) -> None:
    refused = {"status": "failed", "error_code": "not_authorized", "message": "No."}
    assert shown(rendering.one_task(refused, tool), tool) == ("not_authorized: No.", refused, True)


@pytest.mark.parametrize(("code", "said"), [("resume_unavailable", True), ("agent_crashed", False), (None, False)])
def test_a_task_that_has_ended_is_no_resumed_task(code: str | None, said: bool) -> None:
    report = {**REPORT, "status": "failed", "error_code": code}
    text, _, is_error = shown(rendering.one_task(report, "resume_delegation"), "resume_delegation")
    assert is_error
    assert ("cannot be resumed" in text) is said


def test_a_wait_without_news_says_once_to_call_again_and_only_of_tasks_that_work() -> None:
    unknown = {"task_id": "u", "status": "unknown"}
    tasks = [unknown, {**REPORT, "message": "Running."}, REPORT]
    _, fields, is_error = shown(rendering.statuses({"tasks": tasks}, waited=True), "get_delegation_status")
    assert fields["tasks"][1]["message"] == f"Running. {rendering.CALL_AGAIN}"
    assert [task.get("message") for task in (fields["tasks"][0], fields["tasks"][2])] == [None, None]
    assert not is_error
    _, fields, is_error = shown(rendering.statuses({"tasks": [unknown]}, waited=True), "get_delegation_status")
    assert fields == {"tasks": [unknown]}
    assert is_error


def test_no_tasks_are_no_error() -> None:
    assert shown(rendering.statuses({"tasks": []}, waited=True), "get_delegation_status")[2] is False


@pytest.mark.parametrize("tool", ["get_delegation_status", "ask_user_question", "check_user_feedback"])
def test_what_the_host_refuses_is_told_in_its_own_words(tool: str) -> None:
    """Contract 5: a call that is understood but refused is a failed report, of whatever kind it was."""
    refused = {"status": "failed", "error_code": "invalid_arguments", "message": "No question of yours has that id."}
    text, fields, is_error = shown(render(tool, refused), tool)
    assert is_error
    assert fields["error_code"] == "invalid_arguments"
    assert fields["message"] == refused["message"]
    assert refused["message"] in text
    with pytest.raises(Malformed):
        render(tool, {"status": "failed", "error_code": None})


def render(tool: str, outcome: Any) -> Result:
    if tool == "get_delegation_status":
        return rendering.statuses(outcome, waited=False)
    return rendering.answers(outcome) if tool == "ask_user_question" else rendering.notes(outcome)


@pytest.mark.parametrize(
    ("tool", "outcome"),
    [
        ("get_delegation_status", None),
        ("get_delegation_status", {"tasks": [5]}),
        ("ask_user_question", [1]),
        ("ask_user_question", {"state": "maybe"}),
        ("check_user_feedback", "text"),
        ("check_user_feedback", {"feedback": {}}),
    ],
)
def test_an_outcome_of_another_shape_is_malformed(tool: str, outcome: Any) -> None:
    with pytest.raises(Malformed):
        render(tool, outcome)


def test_odd_answers_are_shown_as_far_as_they_go() -> None:
    given = [{"question": "Which?", "selected": None, "other": 5}, 7, {"selected": ["a", 1], "header": "H"}]
    text, fields, _ = shown(
        rendering.answers({"state": "answered", "question_id": "", "answers": given}), "ask_user_question"
    )
    assert fields["answers"] == [
        {"question": "Which?", "selected": []},
        {"question": "", "selected": ["a", "1"], "header": "H"},
    ]
    assert "(nothing chosen)" in text
    assert "question_id" not in text
    alone: dict[str, Any] = {"question": "Which?", "selected": [], "other": "mine"}
    text, _, _ = shown(rendering.answers({"state": "answered", "answers": [alone]}), "ask_user_question")
    assert "-> Other (in the user's own words): mine" in text


def test_answers_without_their_question_have_nothing_to_commit() -> None:
    assert rendering.answers({"state": "declined", "answers": None}).commit == ()
    assert rendering.answers({"state": "declined", "question_id": "q1"}).commit == ["q1"]


@pytest.mark.parametrize("known", ["q1", ""])
def test_a_question_that_is_lost_from_sight_keeps_its_id_and_is_not_to_be_asked_anew(known: str) -> None:
    text, fields, is_error = shown(
        rendering.lost_answers(known, "host_unavailable", "It has gone."), "ask_user_question"
    )
    assert is_error
    assert fields.get("question_id", "") == known
    assert text == f"host_unavailable: {fields['message']}"
    assert ("question_id=q1" in text) is bool(known)
    assert ("check_user_feedback" in text) is not bool(known)


def test_a_note_shows_what_it_has() -> None:
    given = [{"id": "n1", "kind": "odd"}, {"id": "a1", "kind": "answer"}, {"no": "id"}, 5]
    text, fields, _ = shown(rendering.notes({"feedback": given}), "check_user_feedback")
    assert fields == {"count": 2, "feedback": [{"id": "n1", "kind": "note"}, {"id": "a1", "kind": "answer"}]}
    assert "(note n1)" in text
    assert "Answer (id a1)" in text
