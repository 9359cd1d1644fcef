"""Limits under many calls at once, and the queue behind them."""

import json
import threading
from typing import Self

import pytest

from tests.e2e.rig import Companion, Json, Rig
from tests.e2e.socket_peer import Guest, receive
from tests.support import until

pytestmark = pytest.mark.e2e


class Watch:
    """The most agents that were ever seen at once."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self.most = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(0.01):
            self.most = max(self.most, len(self._rig.working()))


def test_forty_calls_at_once_keep_the_limit_and_the_order(rig: Rig) -> None:
    rig.settings("[delegation]\nlive_per_parent = 3\nlive_per_root = 4\nqueue_limit = 20\n")
    rig.start()
    with Watch(rig) as watch, Guest(rig) as guest:
        gate = rig.folder / "gate"
        held = [guest.begin_call(f"h{at}", "custom:fake", f"@wait {gate} @say n{at}") for at in range(40)]
        reports = [receive(peer)["outcome"] for peer in held]
        for peer in held:
            peer.close()
        running = [r for r in reports if r["status"] == "running"]
        queued = [r for r in reports if r["status"] == "queued"]
        refused = [r for r in reports if r["status"] == "failed"]
        assert (len(running), len(queued), len(refused)) == (3, 20, 17)
        assert {r["error_code"] for r in refused} == {"queue_full"}
        assert not [r for r in refused if "task_id" in r]
        assert sorted(r["queue_position"] for r in queued) == list(range(1, 21))
        gate.touch()
        ends = [guest.end_of(r["task_id"]) for r in (*running, *queued)]
        assert {r["status"] for r in ends} == {"completed"}
        # First in, first out.
        waited = sorted(queued, key=lambda r: r["queue_position"])
        started = [guest.report(r["task_id"])["started_at"] for r in waited]
        assert [s for s in started[3:] if s < started[0]] == []
    assert watch.most <= 3


def test_a_nested_call_that_finds_its_root_full_is_refused_and_its_parent_goes_on(rig: Rig) -> None:
    rig.settings("[delegation]\nlive_per_root = 2\n")
    rig.start()
    companion = rig.companion()
    gate = rig.folder / "gate"
    other = companion.delegate("custom:fake", f"@wait {gate} @say other")["task_id"]
    nested = json.dumps({"agent_type": "custom:fake", "task": "@say never"})
    done = companion.wait(companion.delegate("custom:fake", f"@call delegate_to_agent {nested}")["task_id"])
    assert done["status"] == "completed"
    refused: Json = json.loads(done["text"])
    assert (refused["status"], refused["error_code"]) == ("failed", "live_limit")
    assert refused["message"]
    assert "task_id" not in refused
    gate.touch()
    companion.wait(other)


def test_nested_calls_go_before_older_ones_of_the_root_when_a_slot_frees(rig: Rig) -> None:
    rig.settings("[delegation]\nlive_per_parent = 1\nlive_per_root = 8\n")
    rig.start()
    companion = rig.companion()
    inner = "@ack custom:fake {@say first} @ack custom:fake {@say second}"
    task = companion.delegate("custom:fake", inner + " @sleep 1")["task_id"]
    companion.wait(task)
    listed = {t["task_id"]: t for t in rig.codeg_json("task", "list") if t.get("parent_task_id") == task}
    assert len(listed) == 2
    assert {t["status"] for t in listed.values()} <= {"completed", "canceled"}


def test_limits_changed_while_the_host_runs_count_for_the_next_call(rig: Rig) -> None:
    rig.settings("[delegation]\nenabled = false\n")
    rig.start()
    companion = rig.companion()
    refused = companion.delegate("custom:fake", "@say x")
    assert (refused["status"], refused["error_code"]) == ("failed", "delegation_disabled")
    rig.settings("[delegation]\nenabled = true\n")
    assert companion.wait(companion.delegate("custom:fake", "@say x")["task_id"])["text"] == "x"
    rig.settings("[delegation]\nenabled = maybe\n")
    assert companion.wait(companion.delegate("custom:fake", "@say y")["task_id"])["text"] == "y", (
        "a broken file changes nothing"
    )
    rig.settings('[delegation]\noutside_folder = "refuse"\n')
    outside = rig.account
    report = companion.delegate("custom:fake", "@say z", working_dir=str(outside))
    assert (report["status"], report["error_code"]) == ("failed", "invalid_working_dir")


def test_a_disabled_agent_is_refused_and_not_listed(rig: Rig) -> None:
    rig.settings('[agents."custom:fake"]\nenabled = false\n')
    rig.start()
    companion = rig.companion()
    report = companion.delegate("custom:fake", "@say x")
    assert (report["status"], report["error_code"]) == ("failed", "agent_disabled")
    assert "custom:fake" not in _listed(companion)
    assert "demo" in _listed(companion)
    rig.settings("")
    until(lambda: "custom:fake" in _listed(companion), "it is listed again")


def _listed(companion: Companion) -> list[str]:
    tools = companion.ask("tools/list", {})["result"]["tools"]
    tool = next(t for t in tools if t["name"] == "delegate_to_agent")
    return tool["inputSchema"]["properties"]["agent_type"]["enum"]
