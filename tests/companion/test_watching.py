"""Subscriptions to tasks: what they are told, on how few connections, and that trouble never turns into a loop."""

from typing import Any

import pytest

from companion.mcp import MAX_WATCHED
from companion.watching import LONGEST_PAUSE_S, MARGIN_S, PAUSE_S, QUIET_MS, RESTLESS_MS, STARTING_MS
from tests.companion.modern import DONE, QUEUED, RUNNING, SUBSCRIPTION, TASKS, notes, send
from tests.companion.relays import Rig

A, B = "codex-x-1", "codex-x-2"


def listen(rig: Rig, call_id: Any = "l", *task_ids: str, **more: Any) -> list[Any]:
    return send(rig, call_id, "subscriptions/listen", {"notifications": {"taskIds": list(task_ids or [A]), **more}})


def other(report: dict[str, Any]) -> dict[str, Any]:
    return {**report, "task_id": B}


def told(rig: Rig) -> list[dict[str, Any]]:
    return notes(rig, "notifications/tasks")


def test_a_subscription_is_acknowledged_and_told_how_its_task_stands_and_ends(rig: Rig) -> None:
    (acknowledged,) = listen(rig, "l", A, toolsListChanged=True)
    assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
    assert acknowledged["params"]["notifications"] == {"toolsListChanged": True, "taskIds": [A]}
    assert acknowledged["params"]["_meta"] == {SUBSCRIPTION: "l"}
    assert "wait_ms" not in rig.last("status").request
    rig.last("status").reply({"tasks": [RUNNING]})
    (now,) = told(rig)
    assert (now["taskId"], now["status"], now["_meta"]) == (A, "working", {SUBSCRIPTION: "l"})
    # One wait at the host, no polling.
    wait = rig.last("status")
    assert wait.request["wait_ms"] == QUIET_MS
    rig.pass_time(40)
    wait.reply({"tasks": [{**DONE, "text": "cut"}]})
    fetch = rig.last("status")
    assert (fetch.request["task_ids"], fetch.request["max_bytes"]) == ([A], 9_000)
    fetch.reply({"tasks": [DONE]})
    (end,) = told(rig)
    assert (end["status"], end["result"]["structuredContent"], end["_meta"]) == ("completed", DONE, {SUBSCRIPTION: "l"})
    assert "resultType" not in end
    rig.pass_time(1_000)
    assert rig.open_now() == []


def test_a_notification_is_what_tasks_get_would_have_shown(rig: Rig) -> None:
    listen(rig)
    rig.last("status").reply({"tasks": [DONE]})
    rig.last("status").reply({"tasks": [DONE]})
    (note,) = told(rig)
    send(rig, 1, "tasks/get", {"taskId": A})
    rig.last("status").reply({"tasks": [DONE]})
    (shown,) = [item["result"] for item in rig.written()]
    del note["_meta"], shown["_meta"], shown["resultType"]
    assert note == shown


def test_all_tasks_of_all_subscriptions_wait_on_one_connection(rig: Rig) -> None:
    listen(rig, "l", A)
    rig.last("status").reply({"tasks": [RUNNING]})
    first = rig.last("status")
    listen(rig, "m", A, B)
    assert first.closed
    rig.last("status").reply({"tasks": [RUNNING, other(QUEUED)]})
    assert [(note["taskId"], note["_meta"][SUBSCRIPTION]) for note in told(rig)] == [(A, "l"), (A, "m"), (B, "m")]
    (wait,) = rig.open_now()
    assert (wait.request["task_ids"], wait.request["wait_ms"]) == ([A, B], RESTLESS_MS)
    rig.pass_time(5)
    wait.reply({"tasks": [RUNNING, other({**QUEUED, "queue_position": 1})]})
    (note,) = told(rig)
    assert (note["taskId"], note["statusMessage"]) == (B, "queued (1st)")
    (wait,) = rig.open_now()
    rig.pass_time(5)
    wait.reply({"tasks": [DONE, other(DONE)]})
    for task_id in (A, B):
        (fetch,) = rig.open_now()
        assert fetch.request["task_ids"] == [task_id]
        fetch.reply({"tasks": [{**DONE, "task_id": task_id}]})
    assert [(note["taskId"], note["_meta"][SUBSCRIPTION]) for note in told(rig)] == [(A, "l"), (A, "m"), (B, "m")]
    assert rig.open_now() == []


def test_a_start_is_looked_at_sooner_than_work_and_told(rig: Rig) -> None:
    starting = {name: value for name, value in RUNNING.items() if name != "started_at"}
    listen(rig)
    for report, wait_ms in ((QUEUED, RESTLESS_MS), (starting, STARTING_MS), (RUNNING, QUIET_MS)):
        rig.last("status").reply({"tasks": [report]})
        assert rig.last("status").request["wait_ms"] == wait_ms
    assert [note["statusMessage"] for note in told(rig)] == ["queued (2nd)", "starting", "running: reads files"]


def test_a_prompt_to_the_person_is_told_once_and_its_answer_too(rig: Rig) -> None:
    blocked = {**RUNNING, "blocked_on": {"kind": "permission", "request_id": "p1", "title": "Write", "since": "s"}}
    listen(rig)
    for report in (RUNNING, blocked, blocked, RUNNING):
        rig.pass_time(2)
        rig.last("status").reply({"tasks": [report]})
    assert [note["statusMessage"].partition(":")[0] for note in told(rig)] == [
        "running",
        "waits for the person before Codeg",
        "running",
    ]


def test_what_an_agent_does_from_moment_to_moment_is_not_told(rig: Rig) -> None:
    listen(rig)
    for line in ("reads", "writes", "thinks"):
        rig.pass_time(5)
        rig.last("status").reply({"tasks": [{**RUNNING, "activity": {"line": line}}]})
    assert len(told(rig)) == 1


def test_an_unknown_task_is_left_out_without_a_word_and_the_rest_goes_on(rig: Rig) -> None:
    (acknowledged,) = listen(rig, "l", A, B)
    assert acknowledged["params"]["notifications"]["taskIds"] == [A, B]
    rig.last("status").reply({"tasks": [{"task_id": A, "status": "unknown"}, other(RUNNING)]})
    assert [note["taskId"] for note in told(rig)] == [B]
    assert rig.last("status").request["task_ids"] == [B]


def test_a_task_that_was_resumed_between_two_looks_goes_on_being_watched(rig: Rig) -> None:
    listen(rig)
    rig.last("status").reply({"tasks": [{**DONE, "status": "failed"}]})
    rig.last("status").reply({"tasks": [{**RUNNING, "attempt": 2}]})
    rig.last("status").reply({"tasks": [{**RUNNING, "attempt": 2}]})
    assert [note["status"] for note in told(rig)] == ["working"]
    assert rig.last("status").request["wait_ms"] == QUIET_MS


def test_the_number_of_watched_tasks_is_bounded_over_all_subscriptions(rig: Rig) -> None:
    many = [f"t-{at}" for at in range(MAX_WATCHED - 1)]
    (first,) = listen(rig, "l", *many, *many)
    assert first["params"]["notifications"]["taskIds"] == many
    (second,) = listen(rig, "m", A, B)
    assert second["params"]["notifications"]["taskIds"] == [A]
    (third,) = listen(rig, "n", B)
    assert third["params"]["notifications"] == {}
    assert len(rig.last("status").request["task_ids"]) == MAX_WATCHED
    rig.bench.notify("notifications/cancelled", {"requestId": "l"})
    rig.relay.take_calls()
    (fourth,) = listen(rig, "o", B)
    assert fourth["params"]["notifications"]["taskIds"] == [B]


def test_bad_filters_are_refused_and_nothing_is_watched(rig: Rig) -> None:
    (refused,) = send(rig, 1, "subscriptions/listen", {"notifications": {"taskIds": [A]}}, {})
    assert refused["error"]["code"] == -32021
    assert refused["error"]["data"] == {"requiredCapabilities": {"extensions": {TASKS: {}}}}
    (refused,) = send(rig, 2, "subscriptions/listen", {"notifications": {"taskIds": A}})
    assert refused["error"]["code"] == -32602
    (acknowledged,) = send(rig, 3, "subscriptions/listen", {"notifications": {"taskIds": [5, "", None]}})
    assert acknowledged["params"]["notifications"] == {}
    assert rig.opened == []


def test_a_cancelled_subscription_ends_its_wait_unless_another_needs_it(rig: Rig) -> None:
    listen(rig, "l", A)
    rig.last("status").reply({"tasks": [RUNNING]})
    listen(rig, "m", A)
    rig.last("status").reply({"tasks": [RUNNING]})
    rig.written()
    for call_id, left in (("l", 1), ("m", 0)):
        rig.bench.notify("notifications/cancelled", {"requestId": call_id})
        rig.relay.take_calls()
        assert len(rig.open_now()) == left
    assert rig.written() == []
    rig.pass_time(1_000)
    assert rig.open_now() == []


def test_a_subscription_that_is_cancelled_in_one_burst_is_never_begun(rig: Rig) -> None:
    rig.bench.request(
        "l", "subscriptions/listen", {"notifications": {"taskIds": [A]}, "_meta": with_tasks()}, modern=True
    )
    rig.bench.notify("notifications/cancelled", {"requestId": "l"})
    rig.relay.take_calls()
    assert rig.opened == []


def with_tasks() -> dict[str, Any]:
    return {"io.modelcontextprotocol/clientCapabilities": {"extensions": {TASKS: {}}}}


# Trouble.


@pytest.mark.parametrize("trouble", ["lost", "refused", "unreadable", "silent"])
def test_a_wait_that_fails_is_taken_up_again_later_and_later(rig: Rig, trouble: str) -> None:
    listen(rig)
    rig.last("status").reply({"tasks": [RUNNING]})
    pauses: list[float] = []
    for _ in range(8):
        wait = rig.last("status")
        if trouble == "lost":
            wait.fail(sent=True)
        elif trouble == "refused":
            wait.refuse("not_authorized")
        elif trouble == "unreadable":
            wait.answer(b"\xff")
        else:
            rig.pass_time(QUIET_MS / 1000 + MARGIN_S)
            assert wait.closed
        waited = 0.0
        while not rig.open_now():
            rig.pass_time(0.5)
            waited += 0.5
        pauses.append(waited)
    assert pauses == [1, 2, 4, 8, 16, LONGEST_PAUSE_S, LONGEST_PAUSE_S, LONGEST_PAUSE_S]
    told(rig)
    # What happened meanwhile is told with the next answer; trouble begins anew with the shortest pause.
    rig.last("status").reply({"tasks": [{**DONE, "status": "interrupted"}]})
    rig.last("status").reply({"tasks": [{**DONE, "status": "interrupted"}]})
    (end,) = told(rig)
    assert (end["status"], end["result"]["isError"]) == ("completed", True)


def test_a_host_that_ends_waits_at_once_without_news_is_not_asked_without_a_pause(rig: Rig) -> None:
    listen(rig)
    rig.last("status").reply({"tasks": [RUNNING]})
    for _ in range(5):
        rig.last("status").reply({"tasks": [RUNNING]})
        assert rig.open_now() == []
        rig.pass_time(PAUSE_S)
        assert len(rig.open_now()) == 1


def test_without_a_host_it_looks_now_and_then_and_starts_with_the_next_session(outside: Rig) -> None:
    listen(outside)
    hello = outside.last("hello")
    hello.fail(sent=False)
    assert outside.open_now() == []
    send(outside, 1, "tasks/get", {"taskId": A})
    session = {"session_token": "s", "parent_connection_id": "p"}
    outside.last("hello").reply(session)
    outside.pass_time(0)
    asked = [connection for connection in outside.open_now() if connection.kind == "status"]
    assert sorted(connection.request["max_bytes"] for connection in asked) == [2_048, 9_000]
    assert {connection.request["token"] for connection in asked} == {"s"}


def test_a_lost_lease_means_hello_again_and_the_wait_goes_on(outside: Rig) -> None:
    listen(outside)
    outside.last("hello").reply({"session_token": "s1", "parent_connection_id": "p"})
    outside.last("status").reply({"tasks": [RUNNING]})
    outside.last("status").refuse("not_authorized")
    outside.pass_time(PAUSE_S)
    outside.last("hello").reply({"session_token": "s2", "parent_connection_id": "p"})
    assert outside.last("status").request["token"] == "s2"


def test_at_the_end_of_the_companion_the_wait_ends_and_nothing_is_begun(rig: Rig) -> None:
    listen(rig)
    rig.last("status").reply({"tasks": [RUNNING]})
    assert not rig.relay.busy
    rig.bench.core.end_subscriptions()
    rig.relay.wind_down()
    assert rig.open_now() == []
    (closing,) = [item for item in rig.written() if item.get("id") == "l"]
    assert closing["result"]["resultType"] == "complete"
    listen(rig, "m", B)
    rig.pass_time(1_000)
    assert rig.open_now() == []
