"""Who an outside companion speaks for: identities, leases, and tasks that nobody attends."""

import json
import sys
from pathlib import Path

import pytest

from tests.e2e.rig import Rig
from tests.e2e.socket_peer import Guest
from tests.support import until

pytestmark = pytest.mark.e2e


def sessions(rig: Rig, folder: Path) -> list[str]:
    return [s["state"] for s in rig.codeg_json("sessions") if s.get("host") and s["folder"] == str(folder)]


def test_two_companions_at_once_without_an_id_are_two_and_the_later_reads_once_the_first_has_gone(
    shared: Rig, tmp_path: Path
) -> None:
    folder = tmp_path / "work"
    first, second = shared.guest(folder), shared.guest(folder)
    task = first.delegate("custom:fake", "@say mine")["task_id"]
    first.wait(task)
    assert second.call("get_delegation_status", task_ids=[task])["structuredContent"]["tasks"][0]["status"] == "unknown"
    first.close()
    until(lambda: second.status(task)[0]["status"] == "completed", "the first one's lease has ended")
    third = shared.guest(folder)
    assert third.status(task)[0]["text"] == "mine"
    assert len(sessions(shared, folder)) == 2, "the third took over the identity of the first"


def test_with_the_programs_own_id_two_companions_are_one(shared: Rig, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    shared.env["CLAUDE_CODE_SESSION_ID"] = "session-1"
    try:
        folder.mkdir()
        first = shared.companion(name="claude-code", cwd=folder)
        second = shared.companion(name="claude-code", cwd=folder)
        stranger = shared.companion(name="another-program", cwd=folder)
    finally:
        del shared.env["CLAUDE_CODE_SESSION_ID"]
    task = first.delegate("custom:fake", "@say shared")["task_id"]
    first.wait(task)
    assert second.status(task)[0]["text"] == "shared"
    answer = stranger.call("get_delegation_status", task_ids=[task])["structuredContent"]["tasks"][0]
    assert answer["status"] == "unknown"
    first.kill()
    assert second.status(task)[0]["text"] == "shared"


def test_when_the_last_lease_ends_the_tasks_go_on_unattended(shared: Rig, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    with Guest(shared, cwd=str(tmp_path)) as guest:
        task = guest.call("h", "custom:fake", f"@wait {gate} @say went on")["task_id"]
        assert not guest.report(task).get("unattended")
    until(lambda: shared.codeg_json("task", "show", task).get("unattended") is True, "it is unattended")
    with Guest(shared, cwd=str(tmp_path)) as later:
        assert later.report(task)["status"] == "running"
        assert not later.report(task).get("unattended")
        gate.touch()
        assert later.end_of(task)["text"] == "went on"


def test_unattended_tasks_are_canceled_where_the_settings_say_so(shared: Rig, tmp_path: Path) -> None:
    shared.settings("[delegation]\nunattended = 0.005\n")
    try:
        with Guest(shared, cwd=str(tmp_path)) as guest:
            task = guest.call("h", "custom:fake", "@sleep 600")["task_id"]
        done = until(lambda: _ended(shared, task), "it is canceled")
        assert done == "canceled"
    finally:
        shared.settings("")


def _ended(rig: Rig, task: str) -> str | None:
    status = rig.codeg_json("task", "show", task)["status"]
    return status if status not in {"running", "queued"} else None


def test_a_companion_inside_an_agent_is_that_agents_however_it_was_configured(host: Rig) -> None:
    # The agent starts a companion by itself, as a registration would: without token or flags.
    asked = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "x", "version": "1"},
            },
        },
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "delegate_to_agent", "arguments": {"agent_type": "custom:fake", "task": "@say nested"}},
        },
    ]
    given, got = host.folder / "given", host.folder / "got"
    given.write_text("".join(json.dumps(line) + "\n" for line in asked))
    gate = host.folder / "gate"
    command = f"(cat {given}; while [ ! -e {gate} ]; do sleep 0.05; done) | {sys.executable} -I -m companion --home {host.home} > {got}"
    companion = host.companion()
    task = companion.delegate("custom:fake", f"@run {command} @wait {gate} @say over")["task_id"]
    until(lambda: got.exists() and len(got.read_text().splitlines()) >= 2, "the registered companion was answered")
    report = json.loads(got.read_text().splitlines()[1])["result"]["structuredContent"]
    assert "task_id" in report, report
    shown = host.codeg_json("task", "show", report["task_id"])
    assert shown["parent_task_id"] == task
    gate.touch()
    companion.wait(task)
