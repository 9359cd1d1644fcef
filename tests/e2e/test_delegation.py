"""The main job over real processes and a real socket: delegate, wait, collect, cancel."""

from pathlib import Path

import pytest

from tests.e2e.rig import Json, Rig
from tests.support import until

pytestmark = pytest.mark.e2e
TOOLS = {
    "delegate_to_agent",
    "get_delegation_status",
    "cancel_delegation",
    "resume_delegation",
    "ask_user_question",
    "check_user_feedback",
}


def test_a_client_lists_the_tools_delegates_waits_and_reads_the_result(host: Rig) -> None:
    companion = host.companion()
    listed = companion.ask("tools/list", {})["result"]["tools"]
    assert {tool["name"] for tool in listed} == TOOLS
    agents = next(t for t in listed if t["name"] == "delegate_to_agent")["inputSchema"]["properties"]["agent_type"][
        "enum"
    ]
    assert {"demo", "custom:fake"} <= set(agents)
    result = companion.call("delegate_to_agent", agent_type="custom:fake", task="@say hello")
    report = result["structuredContent"]
    assert report["status"] in {"running", "queued"}
    assert result["content"][0]["text"].startswith(f"task_id={report['task_id']}")
    assert not result.get("isError")
    done = companion.wait(report["task_id"])
    assert (done["status"], done["text"], done["attempt"]) == ("completed", "hello", 1)
    assert done == {**companion.status(report["task_id"])[0]}
    until(lambda: not host.agents(), "the finished child's processes are gone")


def test_the_demo_agent_works_as_a_child(host: Rig) -> None:
    (host.folder / "a.py").write_text("x = 1\n")
    companion = host.companion()
    done = companion.wait(companion.delegate("demo", "survey")["task_id"])
    assert done["status"] == "completed"
    assert "1 text files, 1 lines." in done["text"]


def test_the_task_text_reaches_the_child_as_it_is(host: Rig) -> None:
    companion = host.companion()
    task = '@say ok\n  dritte Zeile — 漢字 🙂 \\n "quoted" \u2028 end  '
    done = companion.wait(companion.delegate("custom:fake", task)["task_id"])
    assert done["status"] == "completed"
    prompts = [m["params"]["prompt"] for m in host.agent_log() if m.get("method") == "session/prompt"]
    assert prompts == [[{"type": "text", "text": task}]]


def test_a_wait_on_several_returns_when_any_ends(host: Rig) -> None:
    companion = host.companion()
    gate = host.folder / "gate"
    slow = companion.delegate("custom:fake", f"@wait {gate} @say slow")["task_id"]
    fast = companion.delegate("custom:fake", "@say fast")["task_id"]
    reports = companion.status(slow, fast, wait_ms=0)
    assert [r["task_id"] for r in reports] == [slow, fast]
    assert [r["status"] for r in reports] == ["running", "completed"]
    gate.touch()
    assert companion.wait(slow)["text"] == "slow"


def test_while_calls_wait_everything_else_is_served(host: Rig) -> None:
    companion = host.companion()
    gate = host.folder / "gate"
    task = companion.delegate("custom:fake", f"@wait {gate} @say done")["task_id"]
    waits = [companion.start_call("get_delegation_status", task_ids=[task], wait_ms=0) for _ in range(20)]
    assert companion.ask("ping", {})["result"] == {}
    assert companion.delegate("custom:fake", "@say other")["task_id"]
    gate.touch()
    for wait in waits:
        assert companion.answer(wait)["result"]["structuredContent"]["tasks"][0]["status"] == "completed"


def test_large_unicode_results_come_whole_in_slices(host: Rig) -> None:
    companion = host.companion()
    task = companion.delegate("custom:fake", "@big 300000")["task_id"]
    companion.wait(task)
    pieces: list[str] = []
    offset: int | None = 0
    report: Json = {}
    while offset is not None:
        report = companion.status(task, result_offset=offset, max_bytes=100_000)[0]
        pieces.append(report["text"])
        offset = report.get("next_offset")
    whole = "".join(pieces)
    assert len(whole.encode()) == report["text_bytes"] >= 300_000
    assert host.codeg("task", "result", task).stdout == whole


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"agent_type": "nobody", "task": "x"}, "invalid_agent_type"),
        ({"agent_type": "custom:fake", "task": "  "}, "invalid_arguments"),
        ({"agent_type": "custom:fake"}, "invalid_arguments"),
        ({"agent_type": "custom:fake", "task": "x", "working_dir": ""}, "invalid_working_dir"),
        ({"agent_type": "custom:fake", "task": "x", "working_dir": "relative"}, "invalid_working_dir"),
        ({"agent_type": "custom:fake", "task": "x", "working_dir": "/no/such/folder"}, "invalid_working_dir"),
    ],
)
def test_a_refused_call_says_why_and_starts_nothing(host: Rig, arguments: Json, code: str) -> None:
    companion = host.companion()
    result = companion.call("delegate_to_agent", **arguments)
    assert result["isError"] is True
    report = result["structuredContent"]
    assert (report["status"], report["error_code"]) == ("failed", code)
    assert "task_id" not in report
    assert report["message"]
    assert not host.working()
    assert not host.agent_log()


def test_the_same_key_is_the_same_task_and_another_call_under_it_a_conflict(host: Rig) -> None:
    companion = host.companion()
    first = companion.delegate("custom:fake", "@say one", idempotency_key="k")
    assert companion.delegate("custom:fake", "@say one", idempotency_key="k")["task_id"] == first["task_id"]
    assert companion.delegate("custom:fake", "@say two", idempotency_key="k")["error_code"] == "conflict"
    companion.wait(first["task_id"])


def test_a_task_of_another_parent_reads_unknown(host: Rig, tmp_path: Path) -> None:
    mine, other = host.companion(), host.companion(cwd=tmp_path)
    task = mine.delegate("custom:fake", "@say secret")["task_id"]
    mine.wait(task)
    result = other.call("get_delegation_status", task_ids=[task])
    assert result["structuredContent"]["tasks"] == [{"task_id": task, "status": "unknown", **_message(result)}]
    assert result["isError"] is True
    assert other.call("cancel_delegation", task_id=task)["structuredContent"]["status"] == "unknown"


def _message(result: dict[str, object]) -> dict[str, object]:
    task = result["structuredContent"]["tasks"][0]  # type: ignore[index]
    return {"message": task["message"]} if "message" in task else {}


def test_cancel_ends_a_running_child_that_ignores_it_and_its_whole_tree(host: Rig) -> None:
    companion = host.companion()
    began = host.folder / "began"
    task = companion.delegate("custom:fake", f"@ignorecancel @spawn 600 @touch {began} @sleep 600")["task_id"]
    until(began.exists, "the child works")
    first = companion.call("cancel_delegation", task_id=task)["structuredContent"]
    assert first["status"] == "canceled" or (first["status"] == "running" and first["stopping"] is True)
    done = companion.wait(task)
    assert (done["status"], done["error_code"]) == ("canceled", "canceled")
    assert not host.agents()
    assert companion.call("cancel_delegation", task_id=task)["structuredContent"]["status"] == "canceled"


def test_a_queued_call_starts_when_a_slot_frees_and_can_be_canceled(rig: Rig) -> None:
    rig.settings("[delegation]\nlive_per_parent = 1\nqueue_limit = 2\n")
    rig.start()
    companion = rig.companion()
    gate = rig.folder / "gate"
    first = companion.delegate("custom:fake", f"@wait {gate} @say first")
    second = companion.delegate("custom:fake", "@say second")
    third = companion.delegate("custom:fake", "@say third")
    assert [r["status"] for r in (first, second, third)] == ["running", "queued", "queued"]
    assert [r["queue_position"] for r in (second, third)] == [1, 2]
    assert companion.delegate("custom:fake", "@say fourth")["error_code"] == "queue_full"
    assert companion.call("cancel_delegation", task_id=second["task_id"])["structuredContent"]["status"] == "canceled"
    gate.touch()
    assert companion.wait(third["task_id"])["text"] == "third"
    prompts = [str(m["params"]["prompt"]) for m in rig.agent_log() if m.get("method") == "session/prompt"]
    assert not [p for p in prompts if "second" in p]


def test_limits_hold_whatever_a_child_does(rig: Rig) -> None:
    rig.settings("[delegation]\ndepth_limit = 1\n")
    rig.start()
    companion = rig.companion()
    done = companion.wait(companion.delegate("demo", "@demo survey")["task_id"])
    assert done["status"] == "completed"
    assert "I cannot delegate here" in done["text"]


def test_nested_delegation_goes_through_the_childs_own_companion(host: Rig) -> None:
    (host.folder / "a.py").write_text("x = 1\n")
    companion = host.companion()
    done = companion.wait(companion.delegate("demo", "@demo survey")["task_id"], patience=40)
    assert done["status"] == "completed"
    assert "1 text files, 1 lines." in done["text"]
    listed = host.codeg_json("task", "list")
    inner = [t for t in listed if t.get("parent_task_id")]
    assert len(listed) == 2
    assert [t["parent_task_id"] for t in inner] == [done["task_id"]]


@pytest.mark.parametrize(
    ("directives", "status", "code", "text"),
    [
        ("@say part @stop max_tokens", "failed", "child_max_tokens", "part"),
        ("@say part @stop max_turn_requests", "failed", "child_max_turn_requests", "part"),
        ("@stop refusal", "failed", "child_refusal", None),
        ("@say whole @stop cancelled", "failed", "child_unknown", "whole"),
        ("@stop end_turn", "failed", "child_empty", None),
        ("@say A @tool read", "completed", None, "A"),
        ("@think T @say A @tool read @think U @say B", "completed", None, "B"),
        ("@tool read", "completed", None, None),
        ("@say before @exit 0", "failed", "agent_crashed", "before"),
        ("@exit 3", "failed", "agent_crashed", None),
        ("@kill", "failed", "agent_crashed", None),
        ("@badjson", "failed", None, None),
        ("@error -32603 Boom", "failed", "subagent_error", None),
        ("@banner 5 @say OK", "completed", None, "OK"),
        ("@stderr 3000000 @say OK", "completed", None, "OK"),
        ("@orphanpipe 600 @say OK", "completed", None, "OK"),
    ],
)
def test_each_way_to_end_is_told_truthfully(
    host: Rig, directives: str, status: str, code: str | None, text: str | None
) -> None:
    companion = host.companion()
    done = companion.wait(companion.delegate("custom:fake", directives)["task_id"])
    assert done["status"] == status
    if code:
        assert done["error_code"] == code
    if status == "failed":
        assert done["message"]
    assert done.get("text") == text
    until(lambda: not host.agents(), "no agent process is left")
