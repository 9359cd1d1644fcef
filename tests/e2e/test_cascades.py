"""What goes with what: roots and their tasks, children and theirs, a host and all that waits in it."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.rig import Json, Rig
from tests.e2e.socket_peer import Guest
from tests.support import until

pytestmark = pytest.mark.e2e


def run(rig: Rig, prompt: str) -> tuple[int, Json]:
    """A root session of the fake agent to its end; the exit code and the `end` event."""
    done = rig.codeg("run", "--json", "--agent", "custom:fake", prompt)
    return done.returncode, json.loads(done.stdout.splitlines()[-1])


def crashed_root(rig: Rig) -> Json:
    began = rig.folder / "began"
    task = f"@ignorecancel @touch {began} @sleep 600"
    code, end = run(rig, f"@ack custom:fake {{{task}}} @wait {began} @say part @exit 3")
    assert (code, end["ok"], end["error_code"]) == (1, False, "agent_crashed")
    return end


def test_when_a_root_agent_crashes_its_tasks_are_canceled(host: Rig) -> None:
    crashed_root(host)
    until(lambda: not host.agents(), "nothing is left")
    listed = host.codeg_json("task", "list")
    assert [(t["status"], t["error_code"]) for t in listed] == [("canceled", "parent_gone")]


def test_the_end_of_a_crashed_run_tells_what_became_of_its_tasks_and_what_was_said(host: Rig) -> None:
    end = crashed_root(host)
    assert [t["status"] for t in end["tasks"]] == ["canceled"]
    assert "part" in end["text"]


@pytest.mark.parametrize("stop", ["end_turn", "max_tokens", "refusal"])
def test_when_a_roots_turn_ends_in_an_ordinary_way_its_tasks_go_on(host: Rig, stop: str) -> None:
    gate = host.folder / "gate"
    opener = f"until [ -e {host.folder}/slow ]; do sleep 0.02; done; touch {gate}"
    task = f"@run {opener} @wait {gate} @say finished later"
    (host.folder / "slow").touch()
    _, end = run(host, f"@ack custom:fake {{{task}}} @say mine @stop {stop}")
    assert [(t["status"], t["text"]) for t in end["tasks"]] == [("completed", "finished later")]


def test_the_death_of_a_childs_companion_leaves_its_tasks_at_work(host: Rig) -> None:
    inside, outside, began = (host.folder / name for name in ("inside", "outside", "began"))
    companion = host.companion()
    inner = f"@touch {began} @wait {inside} @say inner done"
    task = f"@delegate custom:fake {{{inner}}} @wait {outside} @say over"
    outer = companion.delegate("custom:fake", task)["task_id"]
    until(began.exists, "the inner child works")
    for pid, line in host.tree():
        if "-m companion" in line and "--token-file" in line:
            os.kill(pid, signal.SIGKILL)
    nested = next(t for t in host.codeg_json("task", "list") if t.get("parent_task_id") == outer)["task_id"]
    inside.touch()
    assert host.codeg_json("task", "wait", nested)[0]["status"] == "completed"
    outside.touch()
    assert companion.wait(outer)["status"] == "completed"
    assert host.codeg("task", "result", nested).stdout == "inner done"


def test_what_was_queued_or_asked_about_when_the_host_was_killed_is_interrupted_and_can_begin(
    rig: Rig, tmp_path: Path
) -> None:
    rig.settings("[delegation]\nlive_per_parent = 1\n")
    rig.start()
    companion = rig.companion()
    gate = rig.folder / "gate"
    running = companion.delegate("custom:fake", f"@wait {gate} @say first")["task_id"]
    queued = companion.delegate("custom:fake", "@say second")["task_id"]
    asking = companion.delegate("custom:fake", "@say third", working_dir=str(tmp_path))["task_id"]
    rig.kill_host()
    rig.start()
    for task in (running, queued, asking):
        assert companion.wait(task)["status"] == "interrupted"
    assert rig.codeg_json("asks") == []
    gate.touch()
    until(lambda: not rig.agents(), "the last host's agents are gone")
    resumed = companion.call("resume_delegation", task_id=queued)
    assert not resumed.get("isError"), resumed
    done = companion.wait(queued)
    assert (done["status"], done["text"], done["attempt"]) == ("completed", "second", 2)
    # The folder is asked about again: nobody has allowed it yet.
    companion.call("resume_delegation", task_id=asking)
    report = companion.status(asking)[0]
    if report["status"] != "interrupted":
        assert report["blocked_on"]["kind"] == "permission", report
        assert not [p for p in rig.agent_log() if "third" in str(p.get("params", {}).get("prompt", ""))]


def test_cancel_and_resume_may_take_turns(host: Rig) -> None:
    agent = host.add_fake("again", FAKE_AGENT_PLAIN="@sleep 600")
    with Guest(host) as guest:
        task = guest.call("h", agent, "@sleep 600")["task_id"]
        for attempt in range(1, 5):
            until(lambda: "started_at" in guest.report(task), "it works")
            guest.ask("cancel_task", task_id=task)
            done = guest.end_of(task)
            assert (done["status"], done["attempt"]) == ("canceled", attempt)
            assert guest.ask("resume_task", task_id=task)["attempt"] == attempt + 1
        guest.ask("cancel_task", task_id=task)
        assert guest.end_of(task)["attempt"] == 5
    until(lambda: not host.agents(), "nothing is left")
    sent = [m for m in host.agent_log() if m.get("method") in {"session/resume", "session/load"}]
    assert len({m["params"]["sessionId"] for m in sent}) == 1


@pytest.mark.parametrize(
    ("agent", "task", "form"),
    [
        ("custom:fake", "Fix the failing tests, please", r"fake-fix-the-failing-[0-9a-hjkmnp-tv-z]{12}"),
        ("custom:fake", "漢字 🙂", r"fake-task-[0-9a-hjkmnp-tv-z]{12}"),
        ("custom:fake", "x" * 200, r"fake-x{24}-[0-9a-hjkmnp-tv-z]{12}"),
        ("demo", "readme", r"demo-readme-[0-9a-hjkmnp-tv-z]{12}"),
    ],
)
def test_a_task_id_has_its_form(shared: Rig, tmp_path: Path, agent: str, task: str, form: str) -> None:
    companion = shared.guest(tmp_path / "work")
    report = companion.delegate(agent, task)
    assert re.fullmatch(form, report["task_id"]), report["task_id"]
    companion.wait(report["task_id"])


def test_a_folder_that_only_looks_like_it_is_inside_is_asked_about(shared: Rig, tmp_path: Path) -> None:
    work, outside = tmp_path / "work", tmp_path / "work-of-others"
    (work / "inner").mkdir(parents=True)
    outside.mkdir()
    (work / "link").symlink_to(outside)
    companion = shared.guest(work)
    for inside in (work, work / "inner", work / "inner" / "..", f"{work}/./inner/"):
        report = companion.delegate("custom:fake", "@say in", working_dir=str(inside))
        assert companion.wait(report["task_id"])["text"] == "in"
    for odd in (outside, work / "link", work / "..", work / "inner" / ".." / "..", "/"):
        report = companion.delegate("custom:fake", "@say out", working_dir=str(odd))
        assert companion.status(report["task_id"])[0]["blocked_on"]["kind"] == "permission", odd
        companion.call("cancel_delegation", task_id=report["task_id"])
        assert companion.wait(report["task_id"])["status"] == "canceled"


def test_of_two_answers_at_once_the_first_wins(shared: Rig, tmp_path: Path) -> None:
    companion = shared.guest(tmp_path / "work")
    task = companion.delegate("custom:fake", "@perm 1 @say over")["task_id"]
    blocked = until(lambda: companion.status(task)[0].get("blocked_on"), "it asks")
    command = [sys.executable, "-I", "-m", "codeg.cli", "answer", blocked["request_id"], "--home", str(shared.home)]
    answers = [
        subprocess.Popen([*command, *more], env=shared.env, stderr=subprocess.PIPE, text=True)
        for more in (["--option", "once"], ["--option", "no"], ["--decline"])
    ]
    said = [process.communicate(timeout=20)[1] for process in answers]
    codes = [process.returncode for process in answers]
    assert sorted(code == 0 for code in codes) == [False, False, True], said
    assert all("Traceback" not in text for text in said)
    assert companion.wait(task)["text"] == "over"
