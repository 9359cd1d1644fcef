"""The real process with tasks and forms: bytes split anywhere, cancel against answer, the end, and no idle wait."""

import json
import os
import signal
from typing import Any

import pytest

from tests.companion.conftest import Start
from tests.companion.driver import MODERN_META, Companion
from tests.companion.modern import CAPABILITIES, DONE, RUNNING, WITH_FORMS, WITH_TASKS
from tests.companion.relays import QUESTIONS
from tests.fakes.socket_host import SocketHost

pytestmark = pytest.mark.e2e

A = "codex-x-1"
COPY = [{**QUESTIONS[0], "multiSelect": False}]
PENDING: dict[str, Any] = {"state": "pending", "question_id": "q1", "answers": [], "questions": COPY, "elicit": True}
ANSWERED = {
    "state": "answered",
    "question_id": "q1",
    "answers": [{"question": "Which?", "header": "Choice", "selected": ["a"]}],
}


def message(call_id: Any, method: str, **params: Any) -> bytes:
    meta = {**MODERN_META, CAPABILITIES: {**WITH_TASKS, **WITH_FORMS}}
    body = {"jsonrpc": "2.0", "id": call_id, "method": method, "params": {**params, "_meta": meta}}
    return json.dumps(body).encode() + b"\n"


def listen(companion: Companion, call_id: Any = "l") -> None:
    companion.write(message(call_id, "subscriptions/listen", notifications={"taskIds": [A]}))
    assert companion.read()["method"] == "notifications/subscriptions/acknowledged"


def test_requests_of_the_extension_may_come_byte_by_byte(start: Start, host: SocketHost) -> None:
    host.on("call", lambda _request: RUNNING)
    host.on("status", lambda _request: {"tasks": [DONE]})
    companion = start()
    delegation = {"agent_type": "codex", "task": "größer 😀"}
    for byte in message(1, "tools/call", name="delegate_to_agent", arguments=delegation) + message(
        2, "tasks/get", taskId=A
    ):
        companion.write(bytes([byte]))
    assert companion.result(1)["resultType"] == "task"
    assert companion.result(2)["result"]["structuredContent"]["text"] == "fertig 😀"
    assert host.of_kind("call")[0]["input"] == delegation


def test_of_a_cancel_and_an_answer_exactly_one_wins(start: Start, host: SocketHost) -> None:
    companion = start()
    for at in range(20):
        companion.write(message(at, "tasks/get", taskId=A))
        pending = host.take("status")
        pending.reply({"tasks": [RUNNING]})
        companion.notify("notifications/cancelled", {"requestId": at})
    companion.request("ping", "ping")
    companion.answer("ping")
    ids = [item["id"] for item in companion.others]
    assert len(ids) == len(set(ids))
    assert set(ids) <= set(range(20))


def test_a_watch_is_no_open_call_and_does_not_keep_an_idle_companion(start: Start, host: SocketHost) -> None:
    companion = start("--idle-timeout-ms", "600")
    listen(companion)
    host.take("status").reply({"tasks": [RUNNING]})
    assert companion.read()["params"]["status"] == "working"
    wait = host.take("status")
    assert wait.request["wait_ms"] == 60_000
    (closing,) = companion.rest()
    assert (closing["id"], closing["result"]["resultType"]) == ("l", "complete")
    assert companion.wait() == 0
    assert wait.closed.wait(10)
    assert "idle_timeout" in companion.log()


@pytest.mark.parametrize("how", ["eof", "signal"])
def test_at_the_end_a_watch_a_look_and_a_form_are_over_at_once(start: Start, host: SocketHost, how: str) -> None:
    companion = start()
    companion.start()
    companion.write(message(1, "subscriptions/listen", notifications={"taskIds": [A]}))
    host.take("status").reply({"tasks": [RUNNING]})
    host.take("status")
    companion.write(message(2, "tasks/get", taskId=A))
    host.take("status")
    if how == "eof":
        companion.end_input()
    else:
        os.kill(companion.process.pid, signal.SIGTERM)
    answers = {item["id"]: item for item in companion.rest() if "id" in item}
    assert answers[1]["result"]["resultType"] == "complete"
    assert answers[2]["error"]["data"]["code"] == "host_unavailable"
    assert companion.wait() == 0


def test_a_host_that_restarts_while_a_task_is_watched_is_found_again_and_the_end_is_told(
    start: Start, home: str
) -> None:
    companion = start()
    with SocketHost(home) as host:
        listen(companion)
        host.take("status").reply({"tasks": [RUNNING]})
        assert companion.read()["params"]["status"] == "working"
        host.take("status")
    with SocketHost(home) as host:
        ended = {**DONE, "status": "interrupted", "text": "half"}
        host.on("status", lambda _request: {"tasks": [ended]})
        told = companion.read()["params"]
        assert (told["status"], told["result"]["isError"]) == ("completed", True)
        assert len(host.of_kind("hello")) == 1
        assert len(host.of_kind("status")) == 2


def test_a_form_of_the_older_rules_goes_out_as_a_request_and_its_answer_comes_back(
    start: Start, host: SocketHost
) -> None:
    host.on("commit_feedback", lambda _request: None)
    companion = start()
    info = {"name": "driver", "version": "1"}
    given = {"protocolVersion": "2025-11-25", "capabilities": WITH_FORMS, "clientInfo": info}
    companion.request("i", "initialize", given)
    companion.answer("i")
    companion.call(1, "ask_user_question", {"questions": QUESTIONS})
    host.take("ask").reply(PENDING)
    request = companion.read()
    assert (request["method"], request["id"]) == ("elicitation/create", 1)
    wait = host.take("ask")
    # The ids of both directions are apart: 1 is ours here, and theirs.
    companion.send({"jsonrpc": "2.0", "id": 1, "result": {"action": "accept", "content": {"q1": "a"}}})
    host.take("answer_question").reply(ANSWERED)
    wait.reply(ANSWERED)
    assert companion.result(1)["structuredContent"]["answers"] == ANSWERED["answers"]
    companion.end_input()
    assert companion.wait() == 0
    assert [request["ids"] for request in host.of_kind("commit_feedback")] == [["q1"]]


def test_by_the_rules_of_2026_the_call_is_answered_with_the_form_and_comes_again(
    start: Start, host: SocketHost
) -> None:
    host.on("ask", lambda _request: PENDING)
    host.on("answer_question", lambda _request: ANSWERED)
    host.on("commit_feedback", lambda _request: None)
    companion = start()
    call: dict[str, Any] = {"name": "ask_user_question", "arguments": {"questions": QUESTIONS}}
    companion.write(message(1, "tools/call", **call))
    asked = companion.result(1)
    assert asked["resultType"] == "input_required"
    said = {"answers": {"action": "accept", "content": {"q1": "a"}}}
    companion.write(message(2, "tools/call", **call, inputResponses=said, requestState=asked["requestState"]))
    assert companion.result(2)["structuredContent"]["state"] == "answered"
    (answer,) = host.of_kind("answer_question")
    assert answer["answers"] == [{"question": "Which?", "selected": ["a"]}]
