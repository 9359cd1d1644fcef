"""Field reports on processes, places, rights and environments (B24, B27, B29, B30, B31)."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.e2e.rig import FAKE_AGENT, Rig, descriptors
from tests.e2e.socket_peer import Guest, request
from tests.support import until

pytestmark = pytest.mark.e2e
PROCESSES = FAKE_AGENT.parent / "processes"


def test_b24_a_cancel_ends_every_descendant_and_nobody_else(rig: Rig) -> None:
    # The agent stands behind two shells that stay; its helpers are orphaned, deaf, in sessions of their own, and ever more.
    inner = f"{sys.executable} {FAKE_AGENT}; true"
    rig.add_agent("wrapped", "/bin/sh", "-c", f"/bin/sh -c '{inner}'; true")
    rig.start()
    companion = rig.companion()
    decoy = subprocess.Popen(["sleep", "600"], env=rig.env)
    try:
        began = rig.folder / "began"
        task = companion.delegate(
            "custom:wrapped",
            f"@ignorecancel @run {sys.executable} {PROCESSES / 'family.py'} @run {sys.executable} {PROCESSES / 'breeder.py'}"
            f" @run setsid sleep 600 @run (sleep 600 &) @spawn 600 @touch {began} @sleep 600",
        )["task_id"]
        until(began.exists, "the agent works")
        until(lambda: len(_named(rig, "family.py")) >= 5 and len(_named(rig, "breeder.py")) >= 5, "all have started")
        companion.call("cancel_delegation", task_id=task)
        assert companion.wait(task)["status"] == "canceled"
        left = [line for _, line in rig.tree() if "codeg.cli" not in line and "-m companion" not in line]
        assert left == ["sleep 600"], left
        assert decoy.poll() is None
    finally:
        decoy.kill()
        decoy.wait()


def _named(rig: Rig, name: str) -> list[int]:
    return [pid for pid, line in rig.tree() if name in line and "/bin/sh" not in line]


LONG = "ü" * 60 + " long/" + "b" * 74


@pytest.mark.parametrize("which", ["home", "TMPDIR", "XDG_RUNTIME_DIR", "HOME", "all"])
def test_b27_with_long_paths_the_host_listens_on_a_short_one_and_works(which: str) -> None:
    base = Path(tempfile.mkdtemp(prefix="cg-"))
    long = base / LONG
    long.mkdir(parents=True)
    assert len(bytes(long)) >= 200
    rig = Rig(long if which in {"home", "all"} else base)
    try:
        names = ["TMPDIR", "XDG_RUNTIME_DIR", "HOME"] if which == "all" else [which]
        rig.env.update({name: str(long) for name in names if name != "home"})
        ready = rig.start()
        assert len(ready["socket"].encode()) <= 100
        folder = os.stat(os.path.dirname(ready["socket"]))
        assert (stat.S_IMODE(folder.st_mode), folder.st_uid) == (0o700, os.getuid())
        companion = rig.companion()
        dump = base / "env.json"
        assert companion.wait(companion.delegate("custom:fake", f"@env {dump} @say ok")["task_id"])["text"] == "ok"
        assert len(json.loads(dump.read_text()).get("TMPDIR", "").encode()) <= 60
        assert rig.codeg_json("task", "list")
        assert rig.stop() == 0
        assert not os.path.exists(ready["socket"])
    finally:
        rig.close()
        shutil.rmtree(base, ignore_errors=True)


def test_b29_under_umask_000_nothing_is_open_to_others(rig: Rig) -> None:
    rig.start(umask=0)
    companion = rig.companion()
    began, gate = rig.folder / "began", rig.folder / "gate"
    task = companion.delegate("custom:fake", f"@touch {began} @wait {gate}  @say ok")["task_id"]
    until(began.exists, "the child works")
    for name in ("run", "data", "log"):
        for folder, _, files in os.walk(rig.home / name):
            assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700, folder
            for file in files:
                assert stat.S_IMODE(os.lstat(os.path.join(folder, file)).st_mode) & 0o077 == 0, file
    gate.touch()
    companion.wait(task)


def test_b29_a_token_is_worth_its_own_conversation_and_dies_with_it(host: Rig, tmp_path: Path) -> None:
    gate = host.folder / "gate"
    with Guest(host, cwd=str(tmp_path)) as other, Guest(host) as mine:
        task = mine.call("h", "custom:fake", f"@wait {gate} @say secret")["task_id"]
        assert other.report(task)["status"] == "unknown"
        assert other.ask("cancel_task", task_id=task)["status"] == "unknown"
        assert other.ask("resume_task", task_id=task)["status"] == "unknown"
        other.ask("cancel", external_handle="h")
        foreign = other.send(
            "call",
            parent_connection_id=mine.id,
            parent_tool_use_id="",
            external_handle="x",
            input={"agent_type": "custom:fake", "task": "@say x"},
        )
        assert foreign["error"]["code"] == "not_authorized"
        assert other.ask("feedback") == {"count": 0, "feedback": []}
        assert mine.report(task)["status"] == "running"
        for bad in (mine.token[:-1], mine.token + "x", mine.token.swapcase(), "", None):
            assert request(host, kind="status", v=1, token=bad, task_ids=[task])["error"]["code"] == "not_authorized"
        gate.touch()
        assert mine.end_of(task)["text"] == "secret"
        token = mine.token
    until(
        lambda: "error" in request(host, kind="status", v=1, token=token, task_ids=[task]),
        "the token died with its lease",
    )


def test_b30_a_host_starts_again_although_agents_have_lost_their_keeper(rig: Rig) -> None:
    rig.start()
    companion = rig.companion()
    began = rig.folder / "began"
    task = companion.delegate("custom:fake", f"@ignorecancel @run exec setsid sleep 600 @touch {began} @sleep 600")
    until(began.exists, "the child works")
    until(lambda: _named(rig, "sleep 600"), "the grandchild is there")
    keepers = [pid for pid, line in rig.tree() if "codeg.keeper" in line]
    agents = rig.working()
    assert rig.host is not None
    for pid in (rig.host.pid, *keepers, *agents):
        os.kill(pid, signal.SIGKILL)
    rig.kill_host()
    assert _named(rig, "sleep 600"), "it has escaped"
    rig.start()
    assert companion.wait(task["task_id"])["status"] == "interrupted"
    until(lambda: not _named(rig, "sleep 600"), "what an earlier host left is ended")


def test_b30_an_agent_holds_nothing_of_ours_while_much_is_open(host: Rig, tmp_path: Path) -> None:
    companions = [host.guest(tmp_path / str(at)) for at in range(3)]
    gate = tmp_path / "gate"
    tasks: list[str] = []
    for at, companion in enumerate(companions):
        began = tmp_path / f"began{at}"
        tasks.append(companion.delegate("custom:fake", f"@touch {began} @wait {gate} @say ok")["task_id"])
        until(began.exists, "the child works")
    for agent in host.working():
        held = descriptors(agent)
        assert set(held) <= {0, 1, 2, 3}, "3 is the fake's own copy of stdout"
        assert not [target for target in held.values() if str(host.home) in target]
    # A companion that goes is noticed although agents live: its identity is free for the next one.
    sessions = len(host.codeg_json("sessions"))
    companions[0].kill()
    until(lambda: _states(host).count("gone") == 1, "the host noticed the disconnect")
    later = host.guest(tmp_path / "0")
    assert later.status(tasks[0])[0]["status"] == "running"
    assert len(host.codeg_json("sessions")) == sessions
    gate.touch()
    for companion, task in zip([later, *companions[1:]], tasks, strict=True):
        assert companion.wait(task)["text"] == "ok"


def _states(rig: Rig) -> list[str]:
    return [session["state"] for session in rig.codeg_json("sessions")]


def test_b31_an_agent_gets_the_login_shells_path_and_none_of_the_markers(rig: Rig) -> None:
    programs = rig.account / ".local" / "programs"
    programs.mkdir(parents=True)
    (rig.account / ".profile").write_text('echo noise\nPATH="$HOME/.local/programs:$PATH"\nexport PATH\n')
    (programs / "fakenode").symlink_to(sys.executable)
    agent = programs / "my-agent"
    agent.write_text(
        f"#!/usr/bin/env fakenode\nimport runpy\nrunpy.run_path({str(FAKE_AGENT)!r}, run_name='__main__')\n"
    )
    agent.chmod(0o755)
    rig.add_agent("found", "my-agent")
    markers = {
        "CLAUDECODE": "1",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
        "CLAUDE_CODE_SESSION_ID": "x",
        "OPENCODE": "1",
        "GEMINI_CLI": "1",
        "AI_AGENT": "x",
        "CODEG_TOKEN": "secret",
        "CLAUDE_CODE_OAUTH_TOKEN": "stays",
        "ANTHROPIC_API_KEY": "stays",
    }
    rig.env.update(markers, PATH="/usr/bin:/bin", SHELL="/bin/sh")
    rig.start()
    for name in markers:
        del rig.env[name]
    companion = rig.companion()
    dump = rig.folder / "env.json"
    done = companion.wait(companion.delegate("custom:found", f"@env {dump} @say found")["task_id"])
    assert done.get("text") == "found", done
    seen = json.loads(dump.read_text())
    assert {name for name in markers if name in seen} == {"CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_API_KEY"}
    assert str(programs) in seen["PATH"].split(":")


def test_b31_a_missing_program_is_named_with_the_folders_searched_and_the_setting(rig: Rig) -> None:
    rig.add_agent("lost", "my-agent")
    rig.start()
    report = rig.companion().delegate("custom:lost", "@say lost")
    assert (report["status"], report["error_code"]) == ("failed", "agent_not_installed")
    assert not [word for word in ("my-agent", "/usr/bin", "agents.toml") if word not in report["message"]], report
