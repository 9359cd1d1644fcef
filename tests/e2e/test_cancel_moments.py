"""A cancel at every moment of a task's life: one end, no process left, and nothing started that was withdrawn."""

import json
import threading
from pathlib import Path

import pytest

from tests.e2e.rig import Companion, Json, Rig
from tests.e2e.socket_peer import Guest, receive
from tests.support import until

pytestmark = pytest.mark.e2e


@pytest.fixture
def companion(shared: Rig, tmp_path: Path) -> Companion:
    return shared.guest(tmp_path / "work")


def cancel(companion: Companion, task: str) -> Json:
    """Cancel, then wait for the end; it is `canceled`, and nothing of an agent is left."""
    first = companion.call("cancel_delegation", task_id=task)
    assert not first.get("isError"), first
    report = first["structuredContent"]
    assert report["status"] == "canceled" or (report["status"], report["stopping"]) == ("running", True)
    done = companion.wait(task)
    assert (done["status"], done["error_code"]) == ("canceled", "canceled"), done
    return done


def prompts(rig: Rig, word: str) -> list[str]:
    sent = [m["params"]["prompt"][0]["text"] for m in rig.agent_log() if m.get("method") == "session/prompt"]
    return [text for text in sent if word in text]


def test_while_the_person_is_asked_about_the_folder(shared: Rig, companion: Companion, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    report = companion.delegate("custom:fake", "@say outside-folder", working_dir=str(outside))
    blocked = companion.status(report["task_id"])[0]
    assert blocked["blocked_on"]["kind"] == "permission"
    cancel(companion, report["task_id"])
    assert not [ask for ask in shared.codeg_json("asks") if ask.get("task_id") == report["task_id"]]
    assert not prompts(shared, "outside-folder")


@pytest.mark.parametrize("step", ["initialize", "new", "mode"])
def test_while_the_agent_is_silent_at_its_start_and_resumed_with_its_own_text(
    shared: Rig, companion: Companion, step: str
) -> None:
    name = f"mute_{step}"
    agent = shared.add_fake(name, f"silent-{step}")
    if step == "mode":
        shared.settings(f'[agents."{agent}"]\nmode = "default"\n')
    task = companion.delegate(agent, f"@say begun-{step}")["task_id"]
    method = {"initialize": "initialize", "new": "session/new", "mode": "session/set_mode"}[step]
    before = len([m for m in shared.agent_log() if m.get("method") == method])
    until(lambda: len([m for m in shared.agent_log() if m.get("method") == method]) >= max(1, before), "it is asked")
    report = companion.status(task)[0]
    assert report["status"] == "running"
    assert "started_at" not in report
    done = cancel(companion, task)
    assert "started_at" not in done
    assert not shared.agents()
    assert not prompts(shared, f"begun-{step}")
    # Nothing was begun: the resume starts it with its own text, once the agent can be used.
    agents = shared.home / "config" / "agents.toml"
    agents.write_text(agents.read_text().replace(f"silent-{step}", ""))
    shared.settings("")
    resumed = companion.call("resume_delegation", task_id=task)
    assert not resumed.get("isError"), resumed
    again = companion.wait(task)
    assert (again["status"], again["attempt"], again["text"]) == ("completed", 2, f"begun-{step}")
    assert prompts(shared, f"begun-{step}") == [f"@say begun-{step}"]


def test_right_after_the_prompt_was_written(shared: Rig, companion: Companion) -> None:
    task = companion.delegate("custom:fake", "@sleep 600 just-written")["task_id"]
    until(lambda: prompts(shared, "just-written"), "the prompt arrived")
    cancel(companion, task)
    assert not shared.agents()


def test_while_its_own_children_run(shared: Rig, companion: Companion, tmp_path: Path) -> None:
    began = tmp_path / "began"
    child = f"@ignorecancel @spawn 600 @touch {began} @sleep 600"
    task = companion.delegate("custom:fake", f"@ack custom:fake {{{child}}} @sleep 600")["task_id"]
    until(began.exists, "the inner child works")
    inner = [t for t in shared.codeg_json("task", "list") if t.get("parent_task_id") == task]
    assert [t["status"] for t in inner] == ["running"]
    cancel(companion, task)
    shown = until(lambda: _ended(shared, inner[0]["task_id"]), "the inner child ends")
    assert (shown["status"], shown["error_code"]) == ("canceled", "parent_gone")
    until(lambda: not shared.agents(), "nothing is left")


def _ended(rig: Rig, task: str) -> Json | None:
    shown = rig.codeg_json("task", "show", task)
    return shown if shown["status"] not in {"running", "queued"} else None


def test_while_it_goes_on_after_a_resume(shared: Rig, companion: Companion, tmp_path: Path) -> None:
    again = tmp_path / "again"
    agent = shared.add_fake("goes_on", FAKE_AGENT_PLAIN=f"@ignorecancel @say second @touch {again} @sleep 600")
    began = tmp_path / "began"
    task = companion.delegate(agent, f"@say first @touch {began} @sleep 600")["task_id"]
    until(began.exists, "it works")
    assert cancel(companion, task)["text"] == "first"
    assert companion.call("resume_delegation", task_id=task)["structuredContent"]["attempt"] == 2
    until(again.exists, "it goes on")
    done = cancel(companion, task)
    assert (done["attempt"], done["text"]) == (2, "second")
    assert not shared.agents()


def test_while_it_ends_by_itself_there_is_one_end_and_every_view_has_it(
    shared: Rig, companion: Companion, tmp_path: Path
) -> None:
    ends: list[str] = []
    for at in range(6):
        gate = tmp_path / f"gate{at}"
        began = tmp_path / f"began{at}"
        task = companion.delegate("custom:fake", f"@touch {began} @say x @wait {gate}")["task_id"]
        until(began.exists, "it works")
        wait = companion.start_call("get_delegation_status", task_ids=[task], wait_ms=0)
        gate.touch()
        stop = companion.start_call("cancel_delegation", task_id=task)
        waited = companion.answer(wait)["result"]["structuredContent"]["tasks"][0]
        companion.answer(stop)
        done = companion.wait(task)
        assert done["status"] in {"completed", "canceled"}
        assert waited["status"] == done["status"]
        assert shared.codeg_json("task", "show", task)["status"] == done["status"]
        assert companion.call("cancel_delegation", task_id=task)["structuredContent"]["status"] == done["status"]
        ends.append(done["status"])
    assert len(ends) == 6


def test_from_many_sides_at_once(shared: Rig, companion: Companion, tmp_path: Path) -> None:
    began = tmp_path / "began"
    task = companion.delegate("custom:fake", f"@ignorecancel @touch {began} @sleep 600")["task_id"]
    until(began.exists, "it works")
    calls = [companion.start_call("cancel_delegation", task_id=task) for _ in range(10)]
    shells = [threading.Thread(target=shared.codeg, args=("task", "cancel", task)) for _ in range(2)]
    for shell in shells:
        shell.start()
    for call in calls:
        report = companion.answer(call)["result"]["structuredContent"]
        assert report["status"] == "canceled" or report["stopping"] is True
    for shell in shells:
        shell.join(20)
    assert companion.wait(task)["status"] == "canceled"
    assert not shared.agents()


def test_by_its_handle_before_the_call_came_and_while_it_is_set_up(shared: Rig, tmp_path: Path) -> None:
    agent = shared.add_fake("handled", "silent-initialize")
    with Guest(shared, cwd=str(tmp_path)) as guest:
        assert guest.ask("cancel", external_handle="early", reason="gone") is None
        early = guest.call("early", "custom:fake", "@say early-handle")
        assert early["status"] == "canceled", early
        assert not prompts(shared, "early-handle")
        late = guest.call("late", agent, "@say late-handle")
        assert guest.ask("cancel", external_handle="late") is None
        assert guest.end_of(late["task_id"])["status"] == "canceled"
        # An unknown handle and a repeated cancel do nothing.
        assert guest.ask("cancel", external_handle="nobody") is None
        assert guest.ask("cancel", external_handle="late") is None
        # Another parent's handle is out of reach.
        with Guest(shared, name="other", cwd=str(tmp_path)) as other:
            mine = guest.call("mine", agent, "@say x")
            assert other.ask("cancel", external_handle="mine") is None
            assert guest.report(mine["task_id"])["status"] == "running"
            guest.ask("cancel", external_handle="mine")
            assert guest.end_of(mine["task_id"])["status"] == "canceled"


def test_by_its_handle_once_the_prompt_was_written_it_goes_on(shared: Rig, tmp_path: Path) -> None:
    gate, began = tmp_path / "gate", tmp_path / "began"
    with Guest(shared, cwd=str(tmp_path)) as guest:
        task = guest.call("h", "custom:fake", f"@touch {began} @wait {gate} @say went on")["task_id"]
        until(lambda: "started_at" in guest.report(task), "the prompt was written")
        guest.ask("cancel", external_handle="h")
        gate.touch()
        assert guest.end_of(task)["text"] == "went on"


def test_by_closing_before_the_answer_unless_it_has_a_key(shared: Rig, tmp_path: Path) -> None:
    with Guest(shared, cwd=str(tmp_path)) as guest:
        for at in range(5):
            guest.begin_call(f"dropped{at}", "custom:fake", f"@sleep 600 dropped-call{at}").close()
            guest.begin_call(f"kept{at}", "custom:fake", f"@say kept {at}", idempotency_key=f"k{at}").close()
        for at in range(5):
            again = guest.call(f"again{at}", "custom:fake", f"@say kept {at}", idempotency_key=f"k{at}")
            assert guest.end_of(again["task_id"])["text"] == f"kept {at}"
        listed = shared.codeg_json("task", "list")
        mine = [t["task_id"] for t in listed if "sleep-600-dropped" in t["task_id"]]
        for task in mine:
            assert guest.end_of(task)["status"] == "canceled"
    until(lambda: not shared.agents(), "no agent of a dropped call is left")


def test_a_cancelled_notification_during_the_set_up_is_never_answered(shared: Rig, companion: Companion) -> None:
    companion.delegate("custom:fake", "@say the lease is there")
    calls: list[int] = []
    for at in range(5):
        call = companion.start_call("delegate_to_agent", agent_type="custom:fake", task=f"@sleep 600 unwanted{at}")
        companion.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}})
        calls.append(call)
    assert companion.ask("ping", {})["result"] == {}

    def settled() -> bool:
        listed = [t for t in shared.codeg_json("task", "list") if "unwanted" in t["task_id"]]
        return all(t["status"] == "canceled" for t in listed) and not shared.working()

    until(settled, "every task of a withdrawn call is canceled")
    assert companion.ask("ping", {})["result"] == {}
    assert json.dumps(companion.notifications) == "[]"


def test_a_wait_whose_peer_left_costs_no_task(shared: Rig, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    with Guest(shared, cwd=str(tmp_path)) as guest:
        task = guest.call("h", "custom:fake", f"@wait {gate} @say there")["task_id"]
        for _ in range(20):
            guest.begin("status", task_ids=[task], wait_ms=0).close()
        held = guest.begin("status", task_ids=[task], wait_ms=0)
        gate.touch()
        with held:
            assert receive(held)["outcome"]["tasks"][0]["text"] == "there"
