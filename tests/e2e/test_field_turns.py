"""Field reports on turns: how they end, what they bring, what a cancel does to them (B10, B12, B13, B19, B36, B37)."""

import json
from pathlib import Path

import pytest

from tests.e2e.rig import Companion, Json, Rig
from tests.support import until

pytestmark = pytest.mark.e2e


@pytest.fixture
def companion(shared: Rig, tmp_path: Path) -> Companion:
    return shared.guest(tmp_path / "work")


def begun(companion: Companion, task: str, began: Path, agent: str = "custom:fake") -> str:
    """The id of a task whose agent has come to `@touch began`."""
    report = companion.delegate(agent, task)
    until(began.exists, "the child works")
    return report["task_id"]


def cancel(companion: Companion, task: str) -> Json:
    companion.call("cancel_delegation", task_id=task)
    return companion.wait(task)


def test_b10_when_a_task_reads_canceled_nothing_of_it_works_any_more(
    shared: Rig, companion: Companion, tmp_path: Path
) -> None:
    began, grown, helper = tmp_path / "began", tmp_path / "grown", tmp_path / "helper"
    line = f"while :; do echo x >> {helper}; sleep 0.02; done"
    task = begun(companion, f"@ignorecancel @scribble {grown} @spawn 600 @run {line} @touch {began} @sleep 600", began)
    until(helper.exists, "the helper works")
    done = cancel(companion, task)
    assert (done["status"], done["error_code"]) == ("canceled", "canceled")
    assert not shared.agents()
    sizes = grown.stat().st_size, helper.stat().st_size
    companion.wait(companion.delegate("custom:fake", "@say time passes")["task_id"])
    assert (grown.stat().st_size, helper.stat().st_size) == sizes


def test_b12_a_turn_that_claims_to_have_ended_after_a_cancel_is_canceled_and_resumes(
    companion: Companion, tmp_path: Path
) -> None:
    began = tmp_path / "began"
    task = begun(companion, f"@lie @say one @touch {began} @sleep 600", began)
    done = cancel(companion, task)
    assert (done["status"], done["text"], done["attempt"]) == ("canceled", "one", 1)
    companion.call("resume_delegation", task_id=task)
    again = companion.wait(task)
    assert (again["status"], again["attempt"]) == ("completed", 2)
    assert "one" not in again["text"]


def test_b12_a_cancelled_that_nobody_asked_for_fails_with_its_text_and_resumes(companion: Companion) -> None:
    task = companion.delegate("custom:fake", "@say all of it @stop cancelled")["task_id"]
    done = companion.wait(task)
    assert (done["status"], done["error_code"], done["text"]) == ("failed", "child_unknown", "all of it")
    companion.call("resume_delegation", task_id=task)
    assert companion.wait(task)["status"] == "completed"


def test_b12_a_second_answer_to_an_old_id_does_not_end_the_next_turn(
    shared: Rig, companion: Companion, tmp_path: Path
) -> None:
    # The resumed agent answers ids that it was never asked, before its turn is over.
    gate, began = tmp_path / "gate", tmp_path / "began"
    stray = (
        '@raw {"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}} @raw {"jsonrpc":"2.0","id":"x","result":{}}'
    )
    twice = f"{stray} @say whole @touch {began} @wait {gate} @say  end"
    agent = shared.add_fake("answers_twice", FAKE_AGENT_PLAIN=twice)
    task = companion.delegate(agent, "@stop cancelled @say first")["task_id"]
    assert companion.wait(task)["status"] == "failed"
    companion.call("resume_delegation", task_id=task)
    until(began.exists, "the second turn is at work")
    assert companion.status(task)[0]["status"] == "running"
    gate.touch()
    assert "whole" in companion.wait(task)["text"]


def test_b13_a_permission_that_comes_after_the_cancel_is_answered_and_shows_no_card(
    shared: Rig, companion: Companion, tmp_path: Path
) -> None:
    before = len(shared.agent_log())
    began = tmp_path / "began"
    task = begun(companion, f"@lateperm @touch {began} @perm 2", began)
    until(lambda: "blocked_on" in companion.status(task)[0], "the permissions are open")
    done = cancel(companion, task)
    assert done["status"] == "canceled"
    assert "blocked_on" not in done
    assert not [ask for ask in shared.codeg_json("asks") if ask.get("task_id") == task]
    answers = [m["result"]["outcome"] for m in shared.agent_log()[before:] if "outcome" in (m.get("result") or {})]
    assert len(answers) == 3
    assert all(answer == {"outcome": "cancelled"} for answer in answers)


def test_b19_a_start_that_hangs_or_fails_says_where_and_why(shared: Rig, companion: Companion, tmp_path: Path) -> None:
    usage = tmp_path / "usage"
    usage.write_text("#!/bin/sh\necho 'usage: agent [--acp]' >&2\nexit 64\n")
    usage.chmod(0o755)
    shared.add_agent("shows_usage", str(usage))
    shared.add_agent("exits_127", "/bin/sh", "-c", "exec no-such-agent-program")
    shared.settings("[delegation]\nstart_timeout_s = 3\n")
    expected = {
        shared.add_fake("mute_initialize", "silent-initialize"): (
            "agent_start_timeout",
            ["initialize", "fake_agent.py"],
        ),
        shared.add_fake("mute_new", "silent-new"): ("agent_start_timeout", ["session/new", "fake_agent.py"]),
        shared.add_fake("mute_mode", "silent-mode"): ("agent_start_timeout", ["session/set_mode"]),
        "custom:exits_127": ("agent_crashed", ["127", "no-such-agent-program"]),
        "custom:shows_usage": ("agent_crashed", ["64", "usage: agent [--acp]"]),
        shared.add_fake("wants_sign_in", "auth"): ("auth_required", ["session/new", "Authentication required"]),
        shared.add_fake("errs_at_new", "error-new"): ("subagent_error", ["session/new", "cannot reach the moon"]),
    }
    # A mode is only set where the settings want one.
    shared.settings('[delegation]\nstart_timeout_s = 3\n[agents."custom:mute_mode"]\nmode = "default"\n')
    tasks = {agent: companion.delegate(agent, "@say never")["task_id"] for agent in expected}
    for agent, (code, words) in expected.items():
        done = companion.wait(tasks[agent])
        assert (done["status"], done["error_code"]) == ("failed", code), (agent, done)
        assert not [word for word in words if word not in done["message"]], (agent, done["message"])
        assert "started_at" not in done, agent
    shared.settings("")


@pytest.mark.parametrize(
    ("directives", "end", "text", "words"),
    [
        ("@think T @say A @tool read @think U @say B", ("completed", None), "B", ()),
        ("@say A @unknown @image @say B @tool edit", ("completed", None), "AB", ()),
        ("@unknown @plan @usage 1 2", ("failed", "child_empty"), None, ()),
        ("@think only", ("failed", "child_empty"), None, ()),
        ("@tool edit", ("completed", None), None, ("edit", "touched.txt")),
        ("@say part @stop max_tokens", ("failed", "child_max_tokens"), "part", ("incomplete",)),
        ("@say part @stop max_turn_requests", ("failed", "child_max_turn_requests"), "part", ("incomplete",)),
        ("@say part @stop refusal", ("failed", "child_refusal"), "part", ()),
        ("@say part @stop a_new_reason", ("failed", "child_unknown"), "part", ("a_new_reason",)),
        ("@say part @error -32603 Boom", ("failed", "subagent_error"), "part", ("-32603", "Boom", "more of it")),
        ("@say part @exit 0", ("failed", "agent_crashed"), "part", ("0", "leaving now")),
        ("@say part @exit 7", ("failed", "agent_crashed"), "part", ("7", "leaving now")),
        ("@say part @kill", ("failed", "agent_crashed"), "part", ("SIGKILL",)),
        ("@say part @closeout", ("failed", "agent_crashed"), "part", ()),
        ("@say part @badjson @say more", ("failed", "subagent_error"), "part", ('{"jsonrpc": "2.0", "meth',)),
        ("@banner 5000 @say OK", ("failed", "subagent_error"), None, ("banner line 0",)),
    ],
)
def test_b05_b36_b37_a_turn_brings_what_was_said_and_its_cause(
    companion: Companion, directives: str, end: tuple[str, str | None], text: str | None, words: tuple[str, ...]
) -> None:
    done = companion.wait(companion.delegate("custom:fake", directives)["task_id"])
    assert ((done["status"], done.get("error_code")), done.get("text") or None) == (end, text), done
    assert not [word for word in words if word not in done["message"]], done["message"]


def test_b36_private_thoughts_are_nowhere_in_a_reply(shared: Rig, companion: Companion) -> None:
    task = companion.delegate("custom:fake", "@think a secret thought @say open @tool read @think another thought")
    done = companion.wait(task["task_id"])
    assert done["text"] == "open"
    assert "thought" not in json.dumps(companion.call("get_delegation_status", task_ids=[task["task_id"]]))
    assert "thought" not in shared.codeg("task", "result", task["task_id"]).stdout
