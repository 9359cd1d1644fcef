"""Calls on their way to the host: limits, repeats, cancels and commits, with a clock that the test turns."""

import json
from typing import Any

import pytest

from tests.companion.relays import DONE, QUESTIONS, RUNNING, Rig, status, structured

# Delegation.


def test_a_delegation_carries_the_arguments_and_the_tool_call(rig: Rig) -> None:
    rig.call(
        "delegate_to_agent",
        {"agent_type": "codex", "task": "do", "working_dir": None, "x": 1},
        **{"claudecode/toolUseId": "toolu_1"},
    )
    request = rig.last("call").request
    assert request["input"] == {"agent_type": "codex", "task": "do"}
    assert request["parent_tool_use_id"] == "toolu_1"
    assert request["parent_connection_id"] == "parent-1"
    assert request["token"] == "session-token"
    assert len(request["external_handle"]) == 32
    rig.last("call").reply(RUNNING)
    result = rig.result()
    assert structured(result, "delegate_to_agent") == RUNNING
    text = result["content"][0]["text"]
    assert text.startswith("task_id=codex-x-1 status=running")
    assert "get_delegation_status" in text
    assert "codex" in text
    assert not result["isError"]


def test_what_the_hosts_own_message_says_is_not_said_twice(rig: Rig) -> None:
    message = "task_id=codex-x-1\nStarting. Call get_delegation_status with wait_ms 0."
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "do"})
    rig.last("call").reply({**RUNNING, "message": message})
    result = rig.result()
    text = result["content"][0]["text"]
    assert text.startswith("task_id=codex-x-1 status=running")
    assert text.count("task_id=") == text.count("get_delegation_status") == 1
    assert result["structuredContent"]["message"] == message


@pytest.mark.parametrize(
    ("meta", "found"),
    [
        ({"claudecode/toolUseId": "a", "callId": "b"}, "a"),
        ({"callId": "b", "tool_use_id": "c"}, "b"),
        ({"tool_use_id": "c"}, "c"),
        ({"tool_use_id": 5}, ""),
        ({"callId": "x" * 2_000}, ""),
        ({}, ""),
    ],
)
def test_the_parents_tool_call_is_read_from_any_known_key(rig: Rig, meta: dict[str, Any], found: str) -> None:
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "do"}, **meta)
    assert rig.last("call").request["parent_tool_use_id"] == found


def test_a_refused_delegation_is_an_error_with_its_code(rig: Rig) -> None:
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "do"})
    rig.last("call").reply({"status": "failed", "error_code": "live_limit", "message": "Eight are running."})
    result = rig.result()
    assert structured(result, "delegate_to_agent")["error_code"] == "live_limit"
    assert result["isError"]
    assert result["content"][0]["text"] == "live_limit: Eight are running."


def test_what_somebody_wished_is_no_error(rig: Rig) -> None:
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "do"})
    rig.last("call").reply({"status": "canceled", "error_code": "canceled", "message": "The user refused the folder."})
    assert not rig.result()["isError"]


def test_wrong_arguments_are_a_result_that_the_model_can_mend(rig: Rig) -> None:
    params = {"name": "delegate_to_agent", "arguments": {"agent_type": "codex"}}
    rig.bench.request(1, "tools/call", params)
    rig.relay.start(rig.bench.core.started.pop())
    result = rig.result()
    assert result["isError"]
    assert structured(result, "delegate_to_agent")["error_code"] == "invalid_arguments"
    assert "task" in result["content"][0]["text"]
    assert rig.opened == []


def test_a_cancelled_set_up_is_cancelled_at_the_host_by_its_handle(rig: Rig) -> None:
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "do", "idempotency_key": "k"})
    call = rig.last("call")
    rig.cancel(1)
    assert call.closed
    cancel = rig.last("cancel")
    assert cancel.request["external_handle"] == call.request["external_handle"]
    assert rig.relay.busy
    cancel.reply(None)
    assert not rig.relay.busy
    assert rig.written() == []


def test_an_acknowledged_delegation_is_not_cancelled(rig: Rig) -> None:
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "do"})
    rig.last("call").reply(RUNNING)
    rig.bench.notify("notifications/cancelled", {"requestId": 1})
    assert rig.bench.core.dropped == []
    assert "cancel" not in [connection.kind for connection in rig.opened]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_delegation_status", {"task_ids": ["a"], "wait_ms": 0}),
        ("ask_user_question", {"questions": QUESTIONS}),
        ("check_user_feedback", {}),
    ],
)
def test_any_other_cancelled_call_is_merely_dropped(rig: Rig, tool: str, arguments: Any) -> None:
    rig.call(tool, arguments)
    (connection,) = rig.opened
    rig.cancel(1)
    assert connection.closed
    assert rig.opened == [connection]
    assert not rig.relay.busy
    assert rig.written() == []


def test_a_host_that_does_not_answer_a_delegation_in_time_is_told_to_forget_it(rig: Rig) -> None:
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "do"})
    call = rig.last("call")
    rig.pass_time(10)
    assert call.closed
    assert rig.last("cancel").request["external_handle"] == call.request["external_handle"]
    assert rig.result()["structuredContent"]["error_code"] == "host_unavailable"


def test_with_a_key_it_is_kept_and_found_again(rig: Rig) -> None:
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "do", "idempotency_key": "k"})
    rig.pass_time(10)
    assert [connection.kind for connection in rig.opened] == ["call"]
    assert "idempotency_key" in rig.result()["content"][0]["text"]


def test_a_lost_delegation_is_repeated_once_with_the_same_handle(rig: Rig) -> None:
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "do"})
    first = rig.last("call")
    first.fail(sent=True)
    second = rig.last("call")
    assert second is not first
    assert second.request["external_handle"] == first.request["external_handle"]
    second.fail(sent=True)
    assert len(rig.opened) == 2
    assert rig.result()["isError"]


# Waiting.


@pytest.mark.parametrize("wait", [{}, {"wait_ms": None}])
def test_without_a_wait_it_is_a_snapshot(rig: Rig, wait: dict[str, Any]) -> None:
    status(rig, **wait)
    assert "wait_ms" not in rig.last("status").request
    rig.last("status").reply({"tasks": [RUNNING]})
    result = rig.result()
    assert structured(result, "get_delegation_status") == {"tasks": [RUNNING]}
    assert json.loads(result["content"][0]["text"]) == {"tasks": [RUNNING]}


@pytest.mark.parametrize(
    ("given", "asked"),
    [(0, 0), (-1, 0), (1, 1), ("3000", 3000), (29_999, 29_999), (30_000, 0), (600_000, 0), (10**12, 0)],
)
def test_any_wait_is_asked_for_within_the_programs_limit(rig: Rig, given: Any, asked: int) -> None:
    status(rig, wait_ms=given)
    assert rig.last("status").request["wait_ms"] == asked


def test_at_the_limit_the_wait_is_closed_and_the_snapshot_says_to_call_again(rig: Rig) -> None:
    status(rig, wait_ms=0)
    wait = rig.last("status")
    rig.pass_time(29.9)
    assert not wait.closed
    rig.pass_time(0.2)
    assert wait.closed
    snapshot = rig.last("status")
    assert "wait_ms" not in snapshot.request
    snapshot.reply({"tasks": [RUNNING, {**RUNNING, "task_id": "b"}]})
    result = rig.result()
    tasks = structured(result, "get_delegation_status")["tasks"]
    assert "again" in tasks[0]["message"]
    assert "message" not in tasks[1]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert not result["isError"]


def test_a_wait_that_brought_news_does_not_say_to_call_again(rig: Rig) -> None:
    blocked = {**RUNNING, "blocked_on": {"kind": "permission", "request_id": "r", "title": "t", "since": "s"}}
    for call_id, report in ((1, DONE), (2, blocked)):
        rig.call("get_delegation_status", {"task_ids": ["codex-x-1"], "wait_ms": 0}, call_id)
        rig.last("status").reply({"tasks": [report]})
        assert "again" not in rig.result(call_id)["content"][0]["text"]


def test_the_note_finds_room_within_the_size_of_the_reply(rig: Rig) -> None:
    status(rig, wait_ms=0)
    size = rig.last("status").request["max_bytes"]
    rig.last("status").reply({"tasks": [{**RUNNING, "message": ""}]})
    rig.result()
    rig.call("get_delegation_status", {"task_ids": ["a"]}, 2)
    assert rig.last("status").request["max_bytes"] == 9_000
    assert size < 9_000


@pytest.mark.parametrize(("given", "sent"), [(None, 9_000), (500, 500), (50_000, 50_000), (10**9, 1024 * 1024)])
def test_the_size_of_a_reply_is_always_sent_and_bounded(rig: Rig, given: Any, sent: int) -> None:
    status(rig, max_bytes=given)
    assert rig.last("status").request["max_bytes"] == sent


def test_ids_are_trimmed_and_each_asked_once_in_order(rig: Rig) -> None:
    rig.call("get_delegation_status", {"task_ids": [" b ", "a", "", "b"]})
    assert rig.last("status").request["task_ids"] == ["b", "a"]


@pytest.mark.parametrize(
    "arguments",
    [{"task_ids": [" ", ""]}, {"task_ids": ["a", "b"], "result_offset": 5}, {"task_ids": [1]}, {}],
)
def test_a_status_that_cannot_be_asked_is_a_result_of_its_schema(rig: Rig, arguments: Any) -> None:
    rig.bench.request(1, "tools/call", {"name": "get_delegation_status", "arguments": arguments})
    rig.relay.start(rig.bench.core.started.pop())
    result = rig.result()
    assert structured(result, "get_delegation_status")["error_code"] == "invalid_arguments"
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert result["isError"]


def test_only_if_all_ids_are_unknown_it_is_an_error(rig: Rig) -> None:
    unknown = {"task_id": "b", "status": "unknown"}
    for call_id, tasks, is_error in ((1, [unknown, unknown], True), (2, [unknown, RUNNING], False), (3, [DONE], False)):
        rig.call("get_delegation_status", {"task_ids": ["a", "b"]}, call_id)
        rig.last("status").reply({"tasks": tasks})
        assert rig.result(call_id)["isError"] is is_error


def test_a_snapshot_that_the_host_does_not_give_in_time_is_told(rig: Rig) -> None:
    status(rig)
    rig.pass_time(10)
    assert structured(rig.result(), "get_delegation_status")["error_code"] == "host_unavailable"
    assert rig.open_now() == []


def test_a_failed_task_is_no_error_of_the_question(rig: Rig) -> None:
    status(rig)
    rig.last("status").reply(
        {"tasks": [{"task_id": "a", "status": "failed", "error_code": "agent_crashed", "message": "x"}]}
    )
    assert not rig.result()["isError"]


def test_a_lost_wait_is_asked_again_once(rig: Rig) -> None:
    status(rig, wait_ms=0)
    rig.last("status").fail(sent=True)
    rig.last("status").reply({"tasks": [DONE]})
    assert rig.result()["structuredContent"]["tasks"] == [DONE]


@pytest.mark.parametrize("outcome", [None, [], {}, {"tasks": None}, {"tasks": [5]}, {"tasks": [{"status": "odd"}]}])
def test_an_answer_that_cannot_be_read_is_told_and_fits_the_schema(rig: Rig, outcome: Any) -> None:
    status(rig)
    rig.last("status").reply(outcome)
    result = rig.result()
    assert result["isError"]
    assert structured(result, "get_delegation_status")["error_code"] == "host_unavailable"


# Progress.


def test_waiting_calls_report_progress_only_with_a_token(rig: Rig) -> None:
    status(rig, wait_ms=0)
    rig.call("get_delegation_status", {"task_ids": ["a"], "wait_ms": 0}, 2, progressToken="tok")
    numbers: list[int] = []
    for _ in range(5):
        rig.pass_time(5)
        numbers += [note["params"]["progress"] for note in rig.written() if note["params"]["progressToken"] == "tok"]
    assert numbers == [1, 2, 3, 4, 5]
    rig.opened[1].reply({"tasks": [DONE]})
    assert [item["id"] for item in rig.written()] == [2]
    rig.opened[0].reply({"tasks": [DONE]})
    rig.written()
    rig.pass_time(20)
    assert rig.written() == []
    assert rig.timers.wait_s() is None


def test_a_cancelled_call_reports_no_more(rig: Rig) -> None:
    rig.call("get_delegation_status", {"task_ids": ["a"], "wait_ms": 0}, 2, progressToken="tok")
    rig.cancel(2)
    rig.pass_time(20)
    assert rig.written() == []


# Cancel and resume.


def test_cancel_and_resume_return_the_report(rig: Rig) -> None:
    rig.call("cancel_delegation", {"task_id": " codex-x-1 "})
    assert rig.last("cancel_task").request["task_id"] == "codex-x-1"
    rig.last("cancel_task").reply({**RUNNING, "stopping": True})
    result = rig.result()
    assert structured(result, "cancel_delegation") == {**RUNNING, "stopping": True}
    assert "stopping" in result["content"][0]["text"]
    rig.call("resume_delegation", {"task_id": "codex-x-1"}, 2)
    rig.last("resume_task").reply({**RUNNING, "attempt": 2})
    assert not rig.result(2)["isError"]


def test_a_resume_that_is_not_possible_is_an_error_with_the_unchanged_report(rig: Rig) -> None:
    report = {**DONE, "error_code": "resume_unavailable", "message": "It is completed."}
    rig.call("resume_delegation", {"task_id": "codex-x-1"})
    rig.last("resume_task").reply(report)
    result = rig.result()
    assert result["isError"]
    assert structured(result, "resume_delegation") == report
    assert "resume_unavailable" in result["content"][0]["text"]


def test_cancel_of_an_ended_task_is_no_error_and_of_an_unknown_one_is(rig: Rig) -> None:
    rig.call("cancel_delegation", {"task_id": "a"})
    rig.last("cancel_task").reply(DONE)
    assert not rig.result()["isError"]
    rig.call("cancel_delegation", {"task_id": "b"}, 2)
    rig.last("cancel_task").reply({"task_id": "b", "status": "unknown"})
    assert rig.result(2)["isError"]


@pytest.mark.parametrize("tool", ["cancel_delegation", "resume_delegation"])
def test_what_may_have_been_done_is_not_repeated(rig: Rig, tool: str) -> None:
    rig.call(tool, {"task_id": "a"})
    rig.opened[0].fail(sent=True)
    assert len(rig.opened) == 1
    assert rig.result()["structuredContent"]["error_code"] == "host_unavailable"
    rig.call(tool, {"task_id": "a"}, 2)
    rig.opened[1].fail(sent=False)
    assert len(rig.opened) == 3


# The end.


def test_at_the_end_waits_are_answered_with_the_present_and_short_calls_go_on(rig: Rig) -> None:
    status(rig, wait_ms=0)
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "t"}, 2)
    rig.call("ask_user_question", {"questions": QUESTIONS}, 3)
    wait, call, ask = rig.opened
    rig.relay.wind_down()
    assert wait.closed
    assert not call.closed
    assert not ask.closed
    rig.last("status").reply({"tasks": [RUNNING]})
    call.reply(RUNNING)
    ask.reply({"state": "pending", "question_id": "q1", "answers": []})
    rig.pass_time(0)
    found = {item["id"]: item["result"] for item in rig.written()}
    assert found[1]["structuredContent"]["tasks"][0]["status"] == "running"
    assert found[2]["structuredContent"]["task_id"] == "codex-x-1"
    assert found[3]["structuredContent"] == {"state": "pending", "question_id": "q1", "answers": []}
    assert not rig.relay.busy


def test_a_wait_that_starts_at_the_end_is_a_snapshot(rig: Rig) -> None:
    rig.relay.wind_down()
    status(rig, wait_ms=0)
    rig.pass_time(0)
    assert "wait_ms" not in rig.last("status").request


def test_a_call_that_is_read_when_patience_is_over_is_answered_and_never_sent(rig: Rig) -> None:
    """Also when it is the first: what carries calls is loaded with it."""
    rig.relay.wind_down()
    rig.relay.give_up()
    for call_id in (1, 2):
        rig.call("delegate_to_agent", {"agent_type": "codex", "task": "t", "idempotency_key": "k"}, call_id)
        assert structured(rig.result(call_id), "delegate_to_agent")["error_code"] == "host_unavailable"
    assert rig.opened == []
    assert not rig.relay.busy


def test_calls_are_taken_in_order_and_what_was_cancelled_in_the_same_burst_is_never_begun(rig: Rig) -> None:
    for at in range(4):
        rig.bench.request(at, "tools/call", {"name": "get_delegation_status", "arguments": {"task_ids": [f"t{at}"]}})
    rig.bench.notify("notifications/cancelled", {"requestId": 1})
    rig.relay.take_calls()
    assert [c.request["task_ids"] for c in rig.opened] == [["t0"], ["t2"], ["t3"]]
    rig.bench.notify("notifications/cancelled", {"requestId": 2})
    rig.relay.take_calls()
    rig.relay.take_calls()
    assert [c.closed for c in rig.opened] == [False, True, False]
    assert rig.bench.core.started == rig.bench.core.dropped == []


def test_a_blank_key_is_no_key(rig: Rig) -> None:
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "do", "idempotency_key": "  "})
    assert "idempotency_key" not in rig.last("call").request["input"]


def test_with_no_more_patience_set_ups_are_cancelled_and_all_is_answered(rig: Rig) -> None:
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "t"})
    rig.call("cancel_delegation", {"task_id": "a"}, 2)
    call = rig.opened[0]
    rig.relay.wind_down()
    rig.relay.give_up()
    found = rig.written()
    assert [item["id"] for item in found] == [1, 2]
    for item, tool in zip(found, ("delegate_to_agent", "cancel_delegation"), strict=True):
        assert structured(item["result"], tool)["error_code"] == "host_unavailable"
    assert rig.last("cancel").request["external_handle"] == call.request["external_handle"]
    assert rig.relay.busy
    rig.pass_time(1.1)
    assert not rig.relay.busy
