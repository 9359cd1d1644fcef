"""Resume against resume, against a dying tree, and against a host that was killed at every moment."""

from pathlib import Path

import pytest

from tests.e2e.rig import Companion, Rig
from tests.e2e.socket_peer import Guest, receive
from tests.support import until

pytestmark = pytest.mark.e2e


def prompted(rig: Rig) -> list[str]:
    return [m["params"]["prompt"][0]["text"] for m in rig.agent_log() if m.get("method") == "session/prompt"]


def canceled(companion: Companion, began: Path, task: str) -> str:
    until(began.exists, "it works")
    companion.call("cancel_delegation", task_id=task)
    assert companion.wait(task)["status"] == "canceled"
    return task


def test_of_many_resumes_at_once_one_runs_and_all_get_its_report(host: Rig) -> None:
    began, gate = host.folder / "began", host.folder / "gate"
    agent = host.add_fake("continues", FAKE_AGENT_PLAIN=f"@wait {gate} @say resumed")
    with Guest(host) as guest:
        task = guest.call("h", agent, f"@touch {began} @sleep 600")["task_id"]
        until(began.exists, "it works")
        guest.ask("cancel_task", task_id=task)
        assert guest.end_of(task)["status"] == "canceled"
        held = [guest.begin("resume_task", task_id=task) for _ in range(8)]
        reports = [receive(peer)["outcome"] for peer in held]
        for peer in held:
            peer.close()
        assert {(r["task_id"], r["attempt"], r["status"]) for r in reports} <= {
            (task, 2, "running"),
            (task, 2, "queued"),
        }
        assert not [r for r in reports if "error_code" in r]
        gate.touch()
        done = guest.end_of(task)
        assert (done["attempt"], done["text"]) == (2, "resumed")
    assert len(prompted(host)) == 2


def test_a_resume_of_a_task_that_is_still_stopping_changes_nothing(host: Rig) -> None:
    began = host.folder / "began"
    companion = host.companion()
    task = companion.delegate("custom:fake", f"@ignorecancel @spawn 600 @touch {began} @sleep 600")["task_id"]
    until(began.exists, "it works")
    stop = companion.start_call("cancel_delegation", task_id=task)
    asked = companion.call("resume_delegation", task_id=task)
    report = asked["structuredContent"]
    if report.get("stopping"):
        assert (report["status"], report["attempt"]) == ("running", 1)
        companion.answer(stop)
        assert companion.wait(task)["status"] == "canceled"
        assert not host.agents()
        report = companion.call("resume_delegation", task_id=task)["structuredContent"]
    assert report["attempt"] == 2
    done = companion.wait(task)
    assert (done["status"], done["attempt"]) == ("completed", 2)
    assert len([t for t in prompted(host) if "@ignorecancel" in t]) == 1


@pytest.mark.parametrize(
    ("directives", "code"),
    [
        ("@say a @exit 1", "agent_crashed"),
        ("@say a @error -32603 Boom", "subagent_error"),
        ("@say a @stop max_tokens", "child_max_tokens"),
        ("@say a @stop max_turn_requests", "child_max_turn_requests"),
        ("@say a @stop odd", "child_unknown"),
    ],
)
def test_each_end_that_may_be_resumed_goes_on_in_the_agents_session(
    shared: Rig, tmp_path: Path, directives: str, code: str
) -> None:
    companion = shared.guest(tmp_path / "work")
    task = companion.delegate("custom:fake", directives)["task_id"]
    assert companion.wait(task)["error_code"] == code
    assert companion.call("resume_delegation", task_id=task)["structuredContent"]["attempt"] == 2
    done = companion.wait(task)
    assert (done["status"], done["attempt"]) == ("completed", 2)
    assert "error_code" not in done


@pytest.mark.parametrize("directives", ["@say a @stop refusal", "@say a", "@think a"])
def test_each_end_that_may_not_says_so_and_stays(shared: Rig, tmp_path: Path, directives: str) -> None:
    companion = shared.guest(tmp_path / "work")
    task = companion.delegate("custom:fake", directives)["task_id"]
    before = companion.wait(task)
    refused = companion.call("resume_delegation", task_id=task)
    assert refused["isError"] is True
    assert refused["structuredContent"]["error_code"] == "resume_unavailable"
    assert refused["structuredContent"]["message"]
    assert companion.status(task)[0] == before


def test_a_late_replay_stays_out_of_the_new_result(host: Rig) -> None:
    began = host.folder / "began"
    agent = host.add_fake("replays", "only-load,slow-replay", FAKE_AGENT_PLAIN="@say fresh")
    companion = host.companion()
    task = companion.delegate(agent, f"@say historic @tool old @touch {began} @sleep 600")["task_id"]
    canceled(companion, began, task)
    companion.call("resume_delegation", task_id=task)
    done = companion.wait(task)
    assert (done["status"], done["text"]) == ("completed", "fresh")


def test_a_run_timeout_ends_and_resumes(rig: Rig) -> None:
    rig.settings("[delegation]\nrun_timeout_s = 1\n")
    rig.start()
    companion = rig.companion()
    task = companion.delegate("custom:fake", "@say part @ignorecancel @sleep 600")["task_id"]
    done = companion.wait(task)
    assert (done["status"], done["error_code"], done["text"]) == ("failed", "run_timeout", "part")
    assert not rig.agents()
    rig.settings("")
    assert companion.call("resume_delegation", task_id=task)["structuredContent"]["attempt"] == 2
    assert companion.wait(task)["status"] == "completed"


def test_a_host_killed_during_a_start_interrupts_it_and_the_resume_begins_with_its_own_text(rig: Rig) -> None:
    agent = rig.add_fake("mute", "silent-new")
    rig.start()
    companion = rig.companion()
    task = companion.delegate(agent, "@say its own text")["task_id"]
    until(lambda: [m for m in rig.agent_log() if m.get("method") == "session/new"], "it starts")
    rig.kill_host()
    rig.start()
    report = companion.wait(task)
    assert report["status"] == "interrupted"
    assert "started_at" not in report
    until(lambda: not rig.agents(), "the start of the last host is swept")
    agents = rig.home / "config" / "agents.toml"
    agents.write_text(agents.read_text().replace("silent-new", ""))
    companion.call("resume_delegation", task_id=task)
    assert companion.wait(task)["text"] == "its own text"


def test_a_host_killed_during_a_cancel_still_ends_it_as_canceled(rig: Rig) -> None:
    rig.start()
    companion = rig.companion()
    began = rig.folder / "began"
    task = companion.delegate("custom:fake", f"@ignorecancel @say part @touch {began} @sleep 600")["task_id"]
    until(began.exists, "it works")
    report = companion.call("cancel_delegation", task_id=task)["structuredContent"]
    rig.kill_host()
    rig.start()
    done = companion.wait(task)
    assert done["status"] == "canceled", (report, done)
    until(lambda: not rig.agents(), "nothing is left")


def test_a_host_killed_during_a_resume_interrupts_the_second_attempt(rig: Rig) -> None:
    began = rig.folder / "began"
    slow = rig.add_fake("resumes", FAKE_AGENT_PLAIN="@sleep 600")
    rig.start()
    companion = rig.companion()
    task = companion.delegate(slow, f"@touch {began} @sleep 600")["task_id"]
    canceled(companion, began, task)
    assert companion.call("resume_delegation", task_id=task)["structuredContent"]["attempt"] == 2
    rig.kill_host()
    rig.start()
    done = companion.wait(task)
    assert (done["status"], done["attempt"]) == ("interrupted", 2)
    until(lambda: not rig.agents(), "nothing is left")
    agents = rig.home / "config" / "agents.toml"
    agents.write_text(agents.read_text().replace("@sleep 600", "@say third"))
    companion.call("resume_delegation", task_id=task)
    done = companion.wait(task)
    assert (done["status"], done["attempt"], done["text"]) == ("completed", 3, "third")


def test_the_same_key_is_the_same_task_after_a_crash_of_the_host(rig: Rig) -> None:
    rig.start()
    companion = rig.companion()
    first = companion.delegate("custom:fake", "@say once", idempotency_key="key")["task_id"]
    companion.wait(first)
    rig.kill_host()
    rig.start()
    again = companion.delegate("custom:fake", "@say once", idempotency_key="key")
    assert (again["task_id"], again["status"], again["text"]) == (first, "completed", "once")
    assert companion.delegate("custom:fake", "@say twice", idempotency_key="key")["error_code"] == "conflict"
    assert len(prompted(rig)) == 1


def test_many_calls_of_one_key_at_once_are_one_task(host: Rig) -> None:
    with Guest(host) as guest:
        held = [guest.begin_call(f"h{at}", "custom:fake", "@say one", idempotency_key="k") for at in range(12)]
        reports = [receive(peer)["outcome"] for peer in held]
        for peer in held:
            peer.close()
        assert len({report["task_id"] for report in reports}) == 1
        assert guest.end_of(reports[0]["task_id"])["text"] == "one"
    assert len(prompted(host)) == 1
