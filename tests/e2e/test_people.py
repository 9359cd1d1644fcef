"""The person at the shell: permissions, questions and notes, with nothing answered by a timer."""

import json

import pytest

from tests.e2e.rig import Companion, Json, Rig
from tests.support import until

pytestmark = pytest.mark.e2e
QUESTION = {
    "question": "Which way?",
    "header": "Way",
    "multiSelect": False,
    "options": [{"label": "Left", "description": "l"}, {"label": "Right", "description": "r"}],
}


def asks(rig: Rig) -> list[Json]:
    return until(lambda: rig.codeg_json("asks"), "something waits for the person")


def test_a_permission_blocks_wakes_the_wait_and_goes_on_when_answered(host: Rig) -> None:
    companion = host.companion()
    task = companion.delegate("custom:fake", "@perm 1 @say allowed")["task_id"]
    report = until(lambda: _blocked(companion, task), "the task is blocked")
    assert report["status"] == "running"
    assert report["blocked_on"]["kind"] == "permission"
    ask = asks(host)[0]
    assert ask["request_id"] == report["blocked_on"]["request_id"]
    assert (ask["kind"], ask["task_id"]) == ("permission", task)
    option = next(o["id"] for o in ask["options"] if o["kind"] == "allow_once")
    assert host.codeg("answer", ask["request_id"], "--option", option).returncode == 0
    assert companion.wait(task)["text"] == "allowed"
    assert host.codeg_json("asks") == []
    again = host.codeg("answer", ask["request_id"], "--option", option)
    assert again.returncode in {1, 2}
    assert len(again.stderr.strip().splitlines()) == 1


def _blocked(companion: Companion, task: str) -> Json | None:
    report = companion.status(task, wait_ms=5_000)[0]
    return report if "blocked_on" in report else None


def test_a_cancel_answers_every_open_permission_and_clears_the_card(host: Rig) -> None:
    companion = host.companion()
    task = companion.delegate("custom:fake", "@perm 2 @say late")["task_id"]
    asks(host)
    companion.call("cancel_delegation", task_id=task)
    assert companion.wait(task)["status"] == "canceled"
    assert host.codeg_json("asks") == []
    outcomes = [m["result"]["outcome"] for m in host.agent_log() if "outcome" in (m.get("result") or {})]
    assert outcomes
    assert all(o == {"outcome": "cancelled"} for o in outcomes)


def test_a_question_waits_for_the_person_and_brings_the_answer(host: Rig) -> None:
    companion = host.companion()
    call = companion.start_call("ask_user_question", questions=[QUESTION])
    ask = asks(host)[0]
    assert ask["kind"] == "question"
    answers = json.dumps([{"question": "Which way?", "selected": ["Right"]}])
    assert host.codeg("answer", ask["request_id"], "--answers", answers).returncode == 0
    outcome = companion.answer(call)["result"]["structuredContent"]
    assert outcome["state"] == "answered"
    assert outcome["answers"] == [{"question": "Which way?", "header": "Way", "selected": ["Right"]}]


def test_an_unanswered_question_is_pending_and_answered_later_once(host: Rig) -> None:
    host.env["CODEG_MCP_MAX_WAIT_MS"] = "300"
    companion = host.companion()
    outcome = companion.call("ask_user_question", questions=[QUESTION])
    assert not outcome.get("isError")
    pending = outcome["structuredContent"]
    assert pending["state"] == "pending"
    assert not pending.get("answers")
    ask = asks(host)[0]
    answers = json.dumps([{"question": "Which way?", "selected": [], "other": "Straight on"}])
    assert host.codeg("answer", ask["request_id"], "--answers", answers).returncode == 0
    first = companion.call("check_user_feedback")["structuredContent"]
    assert first["count"] == 1
    assert first["feedback"][0]["question_id"] == pending["question_id"]
    assert first["feedback"][0]["answers"][0]["other"] == "Straight on"
    until(lambda: not companion.call("check_user_feedback")["structuredContent"]["count"], "the answer is committed")


def test_a_declined_question_reads_declined(host: Rig) -> None:
    companion = host.companion()
    call = companion.start_call("ask_user_question", questions=[QUESTION])
    assert host.codeg("answer", asks(host)[0]["request_id"], "--decline").returncode == 0
    assert companion.answer(call)["result"]["structuredContent"]["state"] == "declined"


def test_a_note_is_pulled_once_and_survives_until_it_was_delivered(host: Rig) -> None:
    companion = host.companion()
    assert companion.call("check_user_feedback")["structuredContent"] == {"count": 0, "feedback": []}
    session = host.codeg_json("sessions")[0]["id"]
    assert host.codeg("note", session, "Please hurry").returncode == 0
    host.kill_host()
    host.start()
    result = companion.call("check_user_feedback")
    assert [f["text"] for f in result["structuredContent"]["feedback"]] == ["Please hurry"]
    assert "Please hurry" in result["content"][0]["text"]
    until(lambda: not companion.call("check_user_feedback")["structuredContent"]["count"], "the note is committed")


def test_a_folder_outside_the_parents_asks_first(host: Rig, tmp_path_factory: pytest.TempPathFactory) -> None:
    companion = host.companion()
    outside = tmp_path_factory.mktemp("outside")
    report = companion.delegate("custom:fake", "@say in", working_dir=str(outside))
    ask = asks(host)[0]
    assert str(outside) in json.dumps(ask)
    assert not host.working()
    option = next(o["id"] for o in ask["options"] if o["kind"].startswith("reject"))
    host.codeg("answer", ask["request_id"], "--option", option)
    assert companion.wait(report["task_id"])["status"] == "canceled"
    second = companion.delegate("custom:fake", "@say in", working_dir=str(outside))
    ask = asks(host)[0]
    option = next(o["id"] for o in ask["options"] if o["kind"].startswith("allow"))
    host.codeg("answer", ask["request_id"], "--option", option)
    assert companion.wait(second["task_id"])["text"] == "in"
