"""Delegations as tasks of the extension `io.modelcontextprotocol/tasks`: who gets one, and how it is asked after."""

from typing import Any

import jsonschema
import pytest

from companion import handles
from companion.mcp import MAX_OPEN_CALLS
from companion.schema import GROUPS
from tests.companion.cores import Bench
from tests.companion.modern import DONE, QUEUED, RUNNING, TASKS, WITH_TASKS, answer, call, send
from tests.companion.relays import OUTPUT, Rig

DELEGATION = {"agent_type": "codex", "task": "t"}
MISSING: dict[str, Any] = {"requiredCapabilities": {"extensions": {TASKS: {}}}}
METHODS = ("tasks/get", "tasks/update", "tasks/cancel")


def params_of(method: str, task_id: str = "codex-x-1") -> dict[str, Any]:
    return {"taskId": task_id, "inputResponses": {"k": {}}} if method == "tasks/update" else {"taskId": task_id}


# Who gets a task.


def test_a_delegation_of_a_caller_that_knows_tasks_is_a_task_once_the_host_has_acknowledged_it(rig: Rig) -> None:
    assert call(rig, 1, "delegate_to_agent", DELEGATION) == []
    rig.last("call").reply({**QUEUED, "message": "task_id=codex-x-1 It is queued."})
    result = answer(rig)["result"]
    assert {name: value for name, value in result.items() if name != "_meta"} == {
        "resultType": "task",
        "taskId": "codex-x-1",
        "status": "working",
        "statusMessage": "queued (2nd)",
        "createdAt": "2026-12-01T10:00:00.000Z",
        "lastUpdatedAt": "2026-12-01T10:00:00.000Z",
        "ttlMs": None,
        "pollIntervalMs": handles.POLL_MS,
    }
    # The same id is taken by every plain tool.
    call(rig, 2, "get_delegation_status", {"task_ids": ["codex-x-1"]})
    assert rig.last("status").request["task_ids"] == ["codex-x-1"]


@pytest.mark.parametrize(
    "given",
    [{}, {"extensions": {}}, {"extensions": {TASKS: True}}, {"extensions": []}, {"extensions": {"x/tasks": {}}}],
)
def test_a_caller_that_did_not_declare_tasks_in_this_request_gets_none(rig: Rig, given: dict[str, Any]) -> None:
    call(rig, 1, "delegate_to_agent", DELEGATION)
    rig.last("call").reply(RUNNING)
    assert answer(rig, 1)["result"]["resultType"] == "task"
    call(rig, 2, "delegate_to_agent", DELEGATION, given)
    rig.last("call").reply(RUNNING)
    result = answer(rig, 2)["result"]
    assert result["resultType"] == "complete"
    assert result["content"][0]["text"].startswith("task_id=codex-x-1")


def test_older_revisions_know_no_tasks_whatever_they_declare_and_ask(rig: Rig) -> None:
    capabilities: dict[str, Any] = {"tasks": {"requests": {"tools": {"call": {}}}}, **WITH_TASKS}
    (shaken,) = rig.bench.request("i", "initialize", {"protocolVersion": "2025-11-25", "capabilities": capabilities})
    assert shaken["result"]["capabilities"] == {"tools": {"listChanged": True}}
    rig.bench.request(1, "tools/call", {"name": "delegate_to_agent", "arguments": DELEGATION, "task": {"ttl": 60_000}})
    rig.relay.take_calls()
    rig.last("call").reply(RUNNING)
    assert "resultType" not in (result := answer(rig)["result"])
    assert result["structuredContent"] == RUNNING
    for method in (*METHODS, "tasks/list", "tasks/result"):
        (refused,) = rig.bench.request(2, method, params_of(method))
        assert refused["error"]["code"] == -32601


def test_a_refused_call_is_a_plain_error_result(rig: Rig) -> None:
    call(rig, 1, "delegate_to_agent", DELEGATION)
    rig.last("call").reply({"status": "failed", "error_code": "depth_limit", "message": "Too deep."})
    result = answer(rig)["result"]
    assert (result["resultType"], result["isError"]) == ("complete", True)
    assert result["structuredContent"]["error_code"] == "depth_limit"
    (refused,) = call(rig, 2, "delegate_to_agent", {"agent_type": "codex"})
    assert refused["result"]["structuredContent"]["error_code"] == "invalid_arguments"


def test_the_other_tools_never_answer_with_a_task(rig: Rig) -> None:
    for at, (tool, arguments) in enumerate(
        [("resume_delegation", {"task_id": "codex-x-1"}), ("cancel_delegation", {"task_id": "codex-x-1"})]
    ):
        call(rig, at, tool, arguments)
        rig.opened[-1].reply(RUNNING)
        assert answer(rig, at)["result"]["resultType"] == "complete"


def test_discover_declares_the_extension_only_where_the_tool_is() -> None:
    declared: dict[str, Any] = {TASKS: {}}
    for groups, extensions in ((GROUPS, declared), (("ask",), None)):
        bench = Bench(groups)
        (found,) = bench.request(1, "server/discover", {}, modern=True)
        assert found["result"]["capabilities"].get("extensions") == extensions
        (answered,) = bench.request(2, "tasks/get", {"taskId": "t"}, modern=True)
        assert answered["error"]["code"] == (-32021 if extensions else -32601)


def test_only_who_takes_tasks_is_told_that_their_results_come_by_themselves(rig: Rig) -> None:
    for given, says in ((WITH_TASKS, True), ({}, False)):
        (found,) = send(rig, 1, "server/discover", {}, given)
        assert ("by itself" in found["result"]["instructions"]) is says


def test_a_repeated_call_with_a_key_may_find_its_task_at_an_end(rig: Rig) -> None:
    call(rig, 1, "delegate_to_agent", {**DELEGATION, "idempotency_key": "k"})
    rig.last("call").reply(DONE)
    result = answer(rig)["result"]
    assert (result["resultType"], result["status"]) == ("task", "completed")
    assert "result" not in result


def test_a_cancelled_set_up_of_a_task_is_withdrawn(rig: Rig) -> None:
    call(rig, 1, "delegate_to_agent", DELEGATION)
    handle = rig.last("call").request["external_handle"]
    rig.bench.notify("notifications/cancelled", {"requestId": 1})
    rig.relay.take_calls()
    assert rig.last("cancel").request["external_handle"] == handle
    assert rig.written() == []


# Asking after it.


def test_a_task_is_shown_with_its_result_once_it_has_ended(rig: Rig) -> None:
    send(rig, 1, "tasks/get", {"taskId": "codex-x-1"})
    asked = rig.last("status").request
    assert (asked["task_ids"], asked.get("wait_ms"), asked["max_bytes"]) == (["codex-x-1"], None, 9_000)
    rig.last("status").reply({"tasks": [RUNNING]})
    working = answer(rig)["result"]
    assert (working["resultType"], working["status"]) == ("complete", "working")
    assert working["statusMessage"] == "running: reads files"
    assert working["lastUpdatedAt"] == "2026-12-01T10:00:05.000Z"
    assert "result" not in working
    send(rig, 2, "tasks/get", {"taskId": "codex-x-1"})
    rig.last("status").reply({"tasks": [DONE]})
    task = answer(rig, 2)["result"]
    assert (task["status"], task["lastUpdatedAt"]) == ("completed", DONE["ended_at"])
    result = task["result"]
    assert (result["resultType"], result["isError"], result["structuredContent"]) == ("complete", False, DONE)
    jsonschema.validate(result["structuredContent"], OUTPUT["delegate_to_agent"])
    assert "fertig 😀" in result["content"][0]["text"]


@pytest.mark.parametrize(
    ("report", "status", "message", "is_error"),
    [
        ({"status": "queued", "queue_position": 1}, "working", "queued (1st)", None),
        ({"status": "queued", "queue_position": 3}, "working", "queued (3rd)", None),
        ({"status": "queued", "queue_position": 11}, "working", "queued (11th)", None),
        ({"status": "queued", "queue_position": 22}, "working", "queued (22nd)", None),
        ({"status": "queued"}, "working", "queued", None),
        ({"status": "running"}, "working", "starting", None),
        ({"status": "running", "started_at": "s"}, "working", "running", None),
        ({"status": "running", "started_at": "s", "stopping": True}, "working", "being stopped", None),
        (
            {"status": "running", "started_at": "s", "blocked_on": {"kind": "permission", "title": "Write a.txt"}},
            "working",
            "waits for the person before Codeg: Write a.txt",
            None,
        ),
        ({"status": "completed", "message": "It wrote no text."}, "completed", None, False),
        ({"status": "failed", "error_code": "child_refusal", "message": "No."}, "completed", "No.", True),
        ({"status": "interrupted", "message": "The host ended."}, "completed", "The host ended.", True),
        ({"status": "canceled", "message": "Canceled by the user."}, "cancelled", "Canceled by the user.", None),
    ],
)
def test_each_state_of_ours_is_one_of_theirs(
    report: dict[str, Any], status: str, message: str | None, is_error: bool | None
) -> None:
    task = handles.shown({"task_id": "t", "created_at": "2026-12-01T10:00:00.000Z", **report})
    assert (task["status"], task.get("statusMessage")) == (status, message)
    assert task.get("result", {}).get("isError") is is_error


def test_a_long_message_is_cut_and_a_report_without_times_has_some() -> None:
    task = handles.shown({"task_id": "t", "status": "failed", "message": "m" * 9_000})
    assert len(task["statusMessage"]) == handles.LONGEST_MESSAGE
    assert task["createdAt"] == task["lastUpdatedAt"]


def test_cancel_and_update_are_acknowledged_with_nothing_in_it(rig: Rig) -> None:
    send(rig, 1, "tasks/cancel", {"taskId": "codex-x-1"})
    assert rig.last("cancel_task").request["task_id"] == "codex-x-1"
    rig.last("cancel_task").reply({**RUNNING, "stopping": True})
    send(rig, 2, "tasks/update", {"taskId": "codex-x-1", "inputResponses": {"never asked": {"action": "accept"}}})
    rig.last("status").reply({"tasks": [{"task_id": "codex-x-1", "status": "running"}]})
    for item in rig.written():
        assert set(item["result"]) == {"resultType", "_meta"}
        assert item["result"]["resultType"] == "complete"
    assert [connection.kind for connection in rig.opened] == ["cancel_task", "status"]


@pytest.mark.parametrize("method", METHODS)
def test_an_unknown_task_and_a_bad_id_are_invalid_params(rig: Rig, method: str) -> None:
    send(rig, 1, method, params_of(method))
    unknown = {"task_id": "codex-x-1", "status": "unknown", "message": "No such task."}
    rig.opened[-1].reply(unknown if method == "tasks/cancel" else {"tasks": [unknown]})
    assert answer(rig)["error"]["code"] == -32602
    for bad in ({}, {"taskId": 5}, {"taskId": ""}, {"taskId": "x" * 2_000}):
        (refused,) = send(rig, 2, method, {**params_of(method), "taskId": None, **bad})
        assert refused["error"]["code"] == -32602
    if method == "tasks/update":
        (refused,) = send(rig, 3, method, {"taskId": "t"})
        assert refused["error"]["code"] == -32602


@pytest.mark.parametrize("method", METHODS)
def test_a_caller_without_the_capability_is_told_which(rig: Rig, method: str) -> None:
    (refused,) = send(rig, 1, method, params_of(method), {})
    assert (refused["error"]["code"], refused["error"]["data"]) == (-32021, MISSING)
    assert rig.opened == []


@pytest.mark.parametrize("method", ["tasks/list", "tasks/result"])
def test_what_the_extension_does_not_have_is_not_found(rig: Rig, method: str) -> None:
    (refused,) = send(rig, 1, method, {"taskId": "t"})
    assert refused["error"]["code"] == -32601


@pytest.mark.parametrize("trouble", ["refused", "lost", "late", "unreadable", "ending"])
def test_trouble_with_the_host_is_an_internal_error_never_an_end_of_the_task(rig: Rig, trouble: str) -> None:
    send(rig, 1, "tasks/get", {"taskId": "codex-x-1"})
    if trouble == "refused":
        rig.last("status").refuse("busy", "Too much.")
    elif trouble == "lost":
        rig.last("status").fail(sent=True)
        rig.last("status").fail(sent=True)
    elif trouble == "late":
        rig.pass_time(10)
    elif trouble == "unreadable":
        rig.last("status").reply({"tasks": [{"task_id": "another", "status": "running"}]})
    else:
        rig.relay.give_up()
    error = answer(rig)["error"]
    assert error["code"] == -32603
    assert error["data"]["code"] == ("busy" if trouble == "refused" else "host_unavailable")
    assert error["message"]


def test_a_cancelled_look_is_never_answered_and_calls_are_bounded(rig: Rig) -> None:
    for at in range(MAX_OPEN_CALLS):
        send(rig, at, "tasks/get", {"taskId": "codex-x-1"})
    (refused,) = send(rig, "one more", "tasks/get", {"taskId": "codex-x-1"})
    assert refused["error"]["code"] == -32000
    rig.bench.notify("notifications/cancelled", {"requestId": 7})
    rig.relay.take_calls()
    assert rig.opened[7].closed
    for connection in rig.open_now():
        connection.reply({"tasks": [RUNNING]})
    assert sorted(item["id"] for item in rig.written()) == [at for at in range(MAX_OPEN_CALLS) if at != 7]
    assert not rig.relay.busy
