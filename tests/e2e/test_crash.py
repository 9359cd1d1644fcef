"""What survives: SIGKILL of the host in mid-work, restart, resume, clean stop."""

import signal

import pytest

from tests.e2e.rig import Rig
from tests.support import until

pytestmark = pytest.mark.e2e


def test_after_a_kill_results_are_whole_running_work_is_interrupted_and_resumes_in_its_own_session(host: Rig) -> None:
    companion = host.companion()
    finished = companion.delegate("custom:fake", "@big 50000")["task_id"]
    text = companion.wait(finished)
    whole = host.codeg("task", "result", finished).stdout
    began, gate = host.folder / "began", host.folder / "gate"
    running = companion.delegate("custom:fake", f"@say early @touch {began} @wait {gate} @say finished")["task_id"]
    until(began.exists, "the child works")
    host.kill_host()
    until(lambda: not host.agents(), "no agent outlives the host by more than seconds")
    # Without a host the ledger is readable.
    assert host.codeg("task", "result", finished).stdout == whole
    host.start()
    assert companion.wait(finished) == text
    report = companion.wait(running)
    assert report["status"] == "interrupted"
    assert host.codeg_json("task", "show", running)["status"] == "interrupted"
    before = len(host.agent_log())
    resumed = companion.call("resume_delegation", task_id=running)
    assert not resumed.get("isError"), resumed
    assert resumed["structuredContent"]["attempt"] == 2
    gate.touch()
    done = companion.wait(running)
    assert (done["status"], done["task_id"], done["attempt"]) == ("completed", running, 2)
    assert "early" not in done["text"]
    sent = host.agent_log()[before:]
    opened = next(m for m in host.agent_log() if m.get("method") == "session/prompt" and "early" in str(m["params"]))
    attached = [m for m in sent if m.get("method") in {"session/resume", "session/load"}]
    assert [m["params"]["sessionId"] for m in attached] == [opened["params"]["sessionId"]]
    prompts = [m["params"]["prompt"] for m in sent if m.get("method") == "session/prompt"]
    assert len(prompts) == 1
    assert "@" not in str(prompts)


def test_a_canceled_task_resumes_from_the_shell(host: Rig) -> None:
    companion = host.companion()
    began = host.folder / "began"
    task = companion.delegate("custom:fake", f"@touch {began} @sleep 600")["task_id"]
    until(began.exists, "the child works")
    companion.call("cancel_delegation", task_id=task)
    assert companion.wait(task)["status"] == "canceled"
    assert host.codeg_json("task", "resume", task)["attempt"] == 2
    assert companion.wait(task)["status"] == "completed"


def test_what_cannot_be_resumed_says_so_and_stays_as_it_was(host: Rig) -> None:
    companion = host.companion()
    task = companion.delegate("custom:fake", "@say done")["task_id"]
    before = companion.wait(task)
    result = companion.call("resume_delegation", task_id=task)
    assert result["isError"] is True
    report = result["structuredContent"]
    assert (report["error_code"], report["status"]) == ("resume_unavailable", "completed")
    assert companion.status(task)[0] == before


def test_an_agent_that_forgot_the_session_cannot_resume_it(host: Rig) -> None:
    companion = host.companion()
    began = host.folder / "began"
    task = companion.delegate("custom:forgetful", f"@touch {began} @sleep 600")["task_id"]
    until(began.exists, "the child works")
    companion.call("cancel_delegation", task_id=task)
    companion.wait(task)
    result = companion.call("resume_delegation", task_id=task)
    assert result["isError"] is True
    assert result["structuredContent"]["error_code"] == "resume_unavailable"
    done = companion.wait(task)
    assert (done["status"], done["attempt"]) == ("canceled", 1)


def test_a_clean_stop_interrupts_saves_and_leaves_no_process(host: Rig) -> None:
    companion = host.companion()
    began = host.folder / "began"
    task = companion.delegate("custom:fake", f"@ignorecancel @say kept @touch {began} @sleep 600")["task_id"]
    until(began.exists, "the child works")
    wait = companion.start_call("get_delegation_status", task_ids=[task], wait_ms=0)
    assert host.stop() == 0
    assert not host.agents()
    companion.answer(wait)
    host.start()
    report = companion.wait(task)
    assert report["status"] == "interrupted"
    assert report["text"] == "kept"


def test_sigint_stops_the_host_as_well(host: Rig) -> None:
    assert host.host is not None
    host.host.send_signal(signal.SIGINT)
    assert host.host.wait(20) == 0
    assert host.host.stdout is not None
    host.host.stdout.close()
    host.host = None


def test_a_companion_works_as_soon_as_a_host_is_up(rig: Rig) -> None:
    companion = rig.companion()
    result = companion.call("delegate_to_agent", agent_type="demo", task="survey")
    assert result["isError"] is True
    assert result["structuredContent"]["error_code"] == "host_unavailable"
    assert "codeg" in result["content"][0]["text"]
    rig.start()
    assert companion.wait(companion.delegate("custom:fake", "@say up")["task_id"])["text"] == "up"


def test_a_second_host_is_refused_in_one_sentence_naming_the_first(host: Rig) -> None:
    second = host.codeg("serve")
    assert second.returncode == 3
    assert str(host.ready["pid"]) in second.stderr
    assert len(second.stderr.strip().splitlines()) == 1


def test_a_companion_that_dies_leaves_its_tasks_at_work(host: Rig) -> None:
    companion = host.companion()
    gate = host.folder / "gate"
    task = companion.delegate("custom:fake", f"@wait {gate} @say survived")["task_id"]
    companion.kill()
    gate.touch()
    later = host.companion()
    assert later.wait(task)["text"] == "survived"


def test_the_demo_agent_keeps_its_sessions_below_the_home_and_resumes_from_there(host: Rig) -> None:
    companion = host.companion()
    task = companion.delegate("demo", "pause 1000")["task_id"]
    until(lambda: companion.status(task)[0].get("started_at"), "the child works")
    companion.call("cancel_delegation", task_id=task)
    assert companion.wait(task)["status"] == "canceled"
    assert list((host.home / "data" / "demo").iterdir())
    assert not (host.account / ".local").exists()
    resumed = companion.call("resume_delegation", task_id=task)["structuredContent"]
    assert (resumed["status"], resumed["attempt"]) == ("running", 2)
    companion.call("cancel_delegation", task_id=task)
    assert companion.wait(task)["status"] == "canceled"
