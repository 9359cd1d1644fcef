"""`codeg run`: the main job from the shell, on a host of its own and on the running one."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.rig import Json, Rig, descriptors, processes_with
from tests.support import Lines, until

pytestmark = pytest.mark.e2e
JOB = "@demo survey\n@demo todos"


def events(text: str) -> list[Json]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def folder(rig: Rig) -> Path:
    (rig.folder / "a.py").write_text("x = 1  # TODO: more\n")
    return rig.folder


@pytest.mark.parametrize("hosted", [False, True], ids=["own host", "running host"])
def test_the_main_job_delegates_twice_and_reports_both(rig: Rig, folder: Path, hosted: bool) -> None:
    if hosted:
        rig.start()
    done = rig.codeg("run", "--json", JOB)
    assert (done.returncode, done.stderr) == (0, "")
    told = events(done.stdout)
    assert told[0]["event"] == "session"
    assert [e["event"] for e in told].count("end") == 1
    end = told[-1]
    assert end["ok"] is True
    assert [t["status"] for t in end["tasks"]] == ["completed", "completed"]
    assert "1 text files, 1 lines." in end["text"]
    assert "a.py:1 TODO more" in end["text"]
    tasks = {e["task_id"] for e in told if e["event"] == "delegation"}
    assert len(tasks) == 2
    if not hosted:
        assert not rig.tree()
    assert {t["task_id"] for t in rig.codeg_json("task", "list")} == tasks


def test_plain_lines_when_it_is_no_terminal(rig: Rig, folder: Path) -> None:
    done = rig.codeg("run", JOB)
    assert done.returncode == 0, done.stderr
    assert "completed" in done.stdout
    assert "1 text files, 1 lines." in done.stdout
    assert "\x1b" not in done.stdout


def test_a_permission_without_a_person_is_refused_and_said_so(rig: Rig, folder: Path) -> None:
    done = rig.codeg("run", "write b.txt hello")
    assert not (folder / "b.txt").exists()
    assert "Refused" in done.stdout
    yes = rig.codeg("run", "--yes", "write b.txt hello")
    assert yes.returncode == 0
    assert (folder / "b.txt").read_text() == "hello\n"


def test_a_childs_permission_follows_the_same_rule(rig: Rig, folder: Path) -> None:
    told = events(rig.codeg("run", "--yes", "--json", "@demo write c.txt hi").stdout)
    assert told[-1]["ok"] is True
    assert (folder / "c.txt").read_text() == "hi\n"


def test_ctrl_c_cancels_the_turn_and_its_tasks(rig: Rig) -> None:
    command = [sys.executable, "-I", "-m", "codeg.cli", "run", "--json", "--home", str(rig.home), "@demo pause 1000"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=rig.env,
        cwd=rig.folder,
    )
    assert process.stdout is not None
    lines = Lines(process.stdout.fileno())
    event: Json = {}
    while not (event.get("event") == "delegation" and event.get("started_at")):
        line = lines.next()
        assert line is not None
        event = json.loads(line)
    process.send_signal(signal.SIGINT)
    while event["event"] != "end":
        line = lines.next()
        assert line is not None
        event = json.loads(line)
    assert event["ok"] is False
    assert [t["status"] for t in event["tasks"]] == ["canceled"]
    assert process.wait(20) == 1
    process.stdout.close()
    until(lambda: not rig.tree(), "no process is left")


def test_the_parent_reaches_its_children_through_its_own_companion_only(rig: Rig) -> None:
    rig.start()
    command = [sys.executable, "-I", "-m", "codeg.cli", "run", "--json", "--home", str(rig.home), "@demo pause 1000"]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=rig.env, cwd=rig.folder
    )
    try:
        until(lambda: len([1 for _, line in rig.tree() if "-m codeg.demo" in line]) == 2, "parent and child run")
        tree = rig.tree()
        companions = [pid for pid, line in tree if "-m companion" in line]
        demos = {pid for pid, line in tree if "-m codeg.demo" in line}
        assert len(companions) == 1
        companion = companions[0]
        assert _parent(companion) in demos
        sockets = {pid for pid in demos if _connects_to(pid, rig.ready["socket"])}
        assert not sockets
        assert companion not in demos
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 1


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def _connects_to(pid: int, path: str) -> bool:
    listed = Path("/proc/net/unix").read_text()
    inodes = {line.split()[6] for line in listed.splitlines() if line.endswith(path)}
    return bool({f"socket:[{inode}]" for inode in inodes} & set(descriptors(pid).values()))


def test_bad_words_cost_one_sentence_and_exit_2(rig: Rig) -> None:
    for words in (
        ("frobnicate",),
        ("run",),
        ("run", "--cwd", "/no/such/folder", "x"),
        ("run", "--agent", "nobody", "x"),
        ("answer", "x", "--answers", "{"),
        ("asks",),
        (),
    ):
        done = rig.codeg(*words)
        assert done.returncode == 2, (words, done)
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        assert "Traceback" not in done.stderr
    assert not list(processes_with(f"CODEG_TEST_RUN={rig.run_id}".encode()))


@pytest.mark.parametrize("hosted", [False, True], ids=["own host", "running host"])
def test_a_run_that_cannot_be_is_one_sentence(rig: Rig, hosted: bool) -> None:
    if hosted:
        rig.start()
    done = rig.codeg("run", "--agent", "nobody", "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "nobody" in done.stderr


def start_run(rig: Rig, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-I", "-m", "codeg.cli", "run", "--json", "--home", str(rig.home), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=rig.env,
        cwd=rig.folder,
        text=True,
    )


def test_a_run_whose_host_is_killed_ends_in_one_sentence(rig: Rig) -> None:
    rig.start()
    began = rig.folder / "began"
    process = start_run(rig, "--agent", "custom:fake", f"@touch {began} @sleep 600")
    until(began.exists, "the run works")
    rig.kill_host()
    _, said = process.communicate(timeout=20)
    assert process.returncode == 1
    assert len(said.strip().splitlines()) == 1, said


def test_a_run_ends_only_when_nobody_else_works_on_its_host(rig: Rig) -> None:
    gates, begun = ([rig.folder / f"{name}{at}" for at in range(2)] for name in ("gate", "began"))
    runs: list[subprocess.Popen[str]] = []
    for gate, began in zip(gates, begun, strict=True):
        runs.append(start_run(rig, "--agent", "custom:fake", f"@touch {began} @wait {gate} @say done"))
        until(began.exists, "the run works")
    first, second = runs
    gates[0].touch()
    assert first.stderr is not None
    assert "another run" in first.stderr.readline()
    gates[1].touch()
    for process in (second, first):
        told = events(process.communicate(timeout=20)[0])
        assert (process.returncode, told[-1]["ok"], told[-1]["text"]) == (0, True, "done")


def test_a_run_on_the_running_host_whose_output_is_closed_is_cancelled_there(rig: Rig) -> None:
    rig.start()
    process = start_run(rig, "pause 1000")
    assert process.stdout is not None and process.stderr is not None
    assert json.loads(process.stdout.readline())["event"] == "session"
    process.stdout.close()
    assert process.wait(20) == 1
    assert process.stderr.read() == ""
    process.stderr.close()
    until(lambda: rig.codeg_json("sessions")[0]["state"] == "ended", "the session ends")


def test_runs_that_start_at_once_share_one_host_and_all_go_well(rig: Rig) -> None:
    runs = [start_run(rig, "--agent", "custom:fake", f"@say {at}") for at in range(3)]
    for at, process in enumerate(runs):
        out, said = process.communicate(timeout=60)
        assert process.returncode == 0, (at, out, said)
        assert events(out)[-1]["text"] == str(at)


def test_an_unknown_task_is_waited_for_in_one_sentence(host: Rig) -> None:
    done = host.codeg("task", "wait", "demo-nothing-000000000000")
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.strip().splitlines()) == 1


def test_unknown_tasks_read_unknown_with_and_without_a_host(rig: Rig) -> None:
    for _ in range(2):
        for action in ("show", "result"):
            done = rig.codeg("task", action, "demo-nothing-000000000000")
            assert done.returncode == 1
            assert len(done.stderr.strip().splitlines()) == 1
        shown = rig.codeg("task", "show", "demo-nothing-000000000000", "--json")
        assert (shown.returncode, json.loads(shown.stdout)["status"]) == (1, "unknown")
        if rig.host is None:
            rig.start()


def test_a_broken_agents_file_is_named_and_the_built_ins_are_listed(rig: Rig) -> None:
    (rig.home / "config" / "agents.toml").write_text("[agents.x\n")
    done = rig.codeg("agents", "--json")
    assert done.returncode == 1
    assert {"claude_code", "codex", "demo"} <= {agent["slug"] for agent in json.loads(done.stdout)}
    assert "agents.toml" in done.stderr
    assert "line 1" in done.stderr


def test_the_doctor_names_what_works(host: Rig) -> None:
    done = host.codeg("doctor", "--json")
    findings = {finding["check"]: finding for finding in json.loads(done.stdout)}
    assert done.returncode == 0, done.stdout
    assert findings["host"]["level"] == "ok"
    assert any("demo" in check and finding["level"] == "ok" for check, finding in findings.items())
