"""Field reports on what waits for the person, and on limits that a model cannot argue away (B21, B22)."""

import json
from pathlib import Path

import pytest

from tests.e2e.rig import Companion, Json, Rig
from tests.support import until

pytestmark = pytest.mark.e2e


def questions(count: int) -> list[Json]:
    options = [{"label": "Left", "description": "l"}, {"label": "Right", "description": "r"}]
    return [
        {"question": f"Way {at}?", "header": f"W{at}", "multiSelect": at % 2 == 0, "options": options}
        for at in range(count)
    ]


@pytest.fixture
def hurried(shared: Rig, tmp_path: Path) -> Companion:
    """A companion whose program allows calls of a quarter of a second."""
    shared.env["CODEG_MCP_MAX_WAIT_MS"] = "250"
    try:
        return shared.guest(tmp_path / "work")
    finally:
        del shared.env["CODEG_MCP_MAX_WAIT_MS"]


def open_card(rig: Rig, question_id: str) -> Json | None:
    return next((ask for ask in rig.codeg_json("asks") if ask["request_id"] == question_id), None)


def test_b21_four_questions_stay_open_past_the_cap_and_are_answered_once(shared: Rig, hurried: Companion) -> None:
    first = hurried.call("ask_user_question", questions=questions(4))
    assert not first.get("isError")
    pending = first["structuredContent"]
    assert (pending["state"], pending.get("answers") or []) == ("pending", [])
    # Asking again by its id is the same card, still without an answer.
    again = hurried.call("ask_user_question", question_id=pending["question_id"])["structuredContent"]
    assert (again["state"], again["question_id"]) == ("pending", pending["question_id"])
    card = open_card(shared, pending["question_id"])
    assert card is not None
    assert len(card["questions"]) == 4
    answers = [{"question": q["question"], "selected": ["Right"]} for q in questions(4)]
    assert shared.codeg("answer", pending["question_id"], "--answers", json.dumps(answers)).returncode == 0
    pulled = hurried.call("check_user_feedback")["structuredContent"]
    assert [item["question_id"] for item in pulled["feedback"]] == [pending["question_id"]]
    assert [a["selected"] for a in pulled["feedback"][0]["answers"]] == [["Right"]] * 4
    until(lambda: not hurried.call("check_user_feedback")["structuredContent"]["count"], "the answer is committed")
    assert open_card(shared, pending["question_id"]) is None


def test_b21_a_late_answer_comes_with_the_same_question_asked_again(shared: Rig, hurried: Companion) -> None:
    pending = hurried.call("ask_user_question", questions=questions(1))["structuredContent"]
    answers = json.dumps([{"question": "Way 0?", "selected": ["Left"]}])
    assert shared.codeg("answer", pending["question_id"], "--answers", answers).returncode == 0
    again = hurried.call("ask_user_question", question_id=pending["question_id"])["structuredContent"]
    assert (again["state"], again["answers"][0]["selected"]) == ("answered", ["Left"])
    until(lambda: not hurried.call("check_user_feedback")["structuredContent"]["count"], "the answer is committed")


def test_b21_a_question_goes_with_its_asker_and_cannot_be_answered_any_more(
    shared: Rig, hurried: Companion, tmp_path: Path
) -> None:
    arguments = json.dumps({"questions": questions(1)})
    task = hurried.delegate("custom:fake", f"@call ask_user_question {arguments}")["task_id"]
    report = until(lambda: _blocked(hurried, task), "the child asks")
    assert report["blocked_on"]["kind"] == "question"
    request = report["blocked_on"]["request_id"]
    assert open_card(shared, request) is not None
    hurried.call("cancel_delegation", task_id=task)
    assert hurried.wait(task)["status"] == "canceled"
    assert open_card(shared, request) is None
    late = shared.codeg("answer", request, "--answers", json.dumps([{"question": "Way 0?", "selected": ["Left"]}]))
    assert late.returncode != 0
    assert len(late.stderr.strip().splitlines()) == 1


def _blocked(companion: Companion, task: str) -> Json | None:
    report = companion.status(task)[0]
    return report if "blocked_on" in report else None


DELEGATES_TWICE = (
    "@clearenv @ack custom:greedy {again} @ack custom:greedy {again} @ack custom:greedy {again} @wait GATE @say over"
)


def test_b22_agents_that_delegate_without_end_meet_the_hosts_limits(rig: Rig) -> None:
    # Depth 2 and six live: every agent starts three more, having forgotten its environment.
    rig.settings("[delegation]\ndepth_limit = 2\nlive_per_root = 6\nlive_per_parent = 6\n")
    gate = rig.folder / "gate"
    rig.add_fake("greedy", FAKE_AGENT_PLAIN=DELEGATES_TWICE.replace("GATE", str(gate)))
    rig.start()
    companion = rig.companion()
    tasks = [companion.delegate("custom:greedy", "again") for _ in range(2)]
    most = 0

    def settled() -> bool:
        nonlocal most
        most = max(most, len(rig.working()))
        asked = [m for m in rig.agent_log() if m.get("method") == "session/prompt"]
        return len(asked) == 6 and most == 6

    until(settled, "all six slots are taken")
    listed = rig.codeg_json("task", "list")
    assert len(listed) == 6
    assert {task["status"] for task in listed} == {"running"}
    gate.touch()
    for task in tasks:
        companion.wait(task["task_id"])
    until(lambda: not rig.agents(), "every agent has gone")
    listed = rig.codeg_json("task", "list")
    assert most <= 6
    assert len(listed) == 6
    texts = "".join(companion.status(task["task_id"])[0].get("text", "") for task in tasks)
    assert "ack None failed" in texts, "the calls over the limit were refused to the agent"


def test_b22_a_child_at_the_last_level_is_neither_offered_the_tool_nor_served(rig: Rig) -> None:
    rig.settings("[delegation]\ndepth_limit = 1\n")
    rig.start()
    companion = rig.companion()
    arguments = json.dumps({"agent_type": "custom:fake", "task": "@say no"})
    done = companion.wait(companion.delegate("custom:fake", f"@call delegate_to_agent {arguments}")["task_id"])
    assert "depth_limit" in done["text"] or "-32602" in done["text"], done
    assert len(rig.codeg_json("task", "list")) == 1
    opened = next(m for m in rig.agent_log() if m.get("method") == "session/new")
    given = opened["params"]["mcpServers"][0]["args"]
    assert "delegation" not in given[given.index("--features") + 1].split(",")
