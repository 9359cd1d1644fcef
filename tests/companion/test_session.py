"""By what right the host is asked: hello and its lease, tokens, and the catalogue behind the listing."""

import os
from typing import Any

import pytest

from codeg.wire import discovery
from codeg.wire.discovery import Discovery
from codeg.wire.places import places
from companion.options import Options
from tests.companion.relays import FakeConnection, Rig, status, write

# Sessions.


def test_hello_comes_at_the_first_call_and_its_connection_stays(outside: Rig) -> None:
    outside.bench.initialize()
    assert outside.opened == []
    outside.call("check_user_feedback", {})
    outside.call("get_delegation_status", {"task_ids": ["a"]}, 2)
    (hello,) = outside.opened
    client = hello.request["client"]
    assert client == {"name": "bench", "version": "1", "pid": os.getpid(), "cwd": os.getcwd()}
    assert hello.request["token"] == "broker-token"
    hello.reply({"session_token": "s1", "parent_connection_id": "p1"})
    assert [c.kind for c in outside.opened] == ["hello", "feedback", "status"]
    assert {c.request["token"] for c in outside.opened[1:]} == {"s1"}
    assert not hello.closed
    outside.call("delegate_to_agent", {"agent_type": "codex", "task": "t"}, 3)
    assert outside.last("call").request["parent_connection_id"] == "p1"


def test_an_injected_companion_never_says_hello(rig: Rig) -> None:
    rig.call("check_user_feedback", {})
    assert [c.kind for c in rig.opened] == ["feedback"]


def greet(outside: Rig, token: str = "s1") -> FakeConnection:
    hello = outside.last("hello")
    hello.reply({"session_token": token, "parent_connection_id": f"of-{token}"})
    return hello


def test_a_lost_lease_means_hello_again_at_the_next_call(outside: Rig) -> None:
    outside.call("check_user_feedback", {})
    hello = greet(outside)
    outside.last("feedback").reply({"count": 0, "feedback": []})
    outside.written()
    assert hello.lost is not None
    hello.lost()
    outside.call("check_user_feedback", {}, 2)
    greet(outside, "s2")
    assert outside.last("feedback").request["token"] == "s2"


def test_a_token_that_the_host_does_not_know_means_hello_once_and_one_repeat(outside: Rig) -> None:
    outside.call("cancel_delegation", {"task_id": "a"})
    first = greet(outside)
    outside.last("cancel_task").refuse("not_authorized")
    assert first.closed
    greet(outside, "s2")
    outside.last("cancel_task").refuse("not_authorized")
    assert [c.kind for c in outside.opened] == ["hello", "cancel_task", "hello", "cancel_task"]
    assert outside.result()["structuredContent"]["error_code"] == "not_authorized"


def test_a_refused_connection_means_looking_for_the_host_anew(outside: Rig) -> None:
    outside.call("cancel_delegation", {"task_id": "a"})
    greet(outside)
    write(outside.place.discovery, discovery.dump(Discovery(1, outside.place.socket, "other-token", "0.1.0", "x")))
    outside.last("cancel_task").fail(sent=False)
    assert outside.last("hello").request["token"] == "other-token"


def test_calls_in_line_for_hello_all_hear_why_it_failed(outside: Rig) -> None:
    outside.call("check_user_feedback", {})
    outside.call("check_user_feedback", {}, 2)
    outside.last("hello").fail(sent=False)
    found = outside.written()
    assert [item["id"] for item in found] == [1, 2]
    for item in found:
        assert item["result"]["structuredContent"]["error_code"] == "host_unavailable"
        assert "codeg serve" in item["result"]["content"][0]["text"]


def test_hello_by_a_record_that_was_just_replaced_is_said_once_more(outside: Rig) -> None:
    outside.call("check_user_feedback", {})
    outside.last("hello").refuse("not_authorized")
    outside.last("hello").refuse("not_authorized")
    assert [c.kind for c in outside.opened] == ["hello", "hello"]
    assert outside.result()["structuredContent"]["error_code"] == "not_authorized"


def test_a_host_of_another_version_is_named(outside: Rig) -> None:
    outside.call("check_user_feedback", {})
    outside.last("hello").refuse("version_mismatch", "This host speaks version 2.")
    assert outside.result()["structuredContent"]["error_code"] == "version_mismatch"


def test_a_host_that_does_not_answer_hello_is_unavailable_within_two_seconds(outside: Rig) -> None:
    outside.call("check_user_feedback", {})
    outside.pass_time(1.9)
    assert outside.result()["structuredContent"]["error_code"] == "host_unavailable"
    assert outside.open_now() == []


def test_a_hello_that_is_not_answered_does_not_hold_up_the_end(outside: Rig) -> None:
    outside.call("delegate_to_agent", {"agent_type": "codex", "task": "t"})
    outside.relay.wind_down()
    assert outside.relay.busy
    outside.relay.give_up()
    assert outside.result()["structuredContent"]["error_code"] == "host_unavailable"
    assert not outside.relay.busy
    greet(outside)
    assert [c.kind for c in outside.opened] == ["hello"]


@pytest.mark.parametrize("outcome", [None, [], {}, {"session_token": 5}, {"session_token": "s"}])
def test_a_hello_whose_answer_cannot_be_read_is_told(outside: Rig, outcome: Any) -> None:
    outside.call("check_user_feedback", {})
    outside.last("hello").reply(outcome)
    assert outside.result()["structuredContent"]["error_code"] == "version_mismatch"
    assert outside.open_now() == []


def test_a_call_that_is_cancelled_before_hello_ended_is_never_sent(outside: Rig) -> None:
    outside.call("delegate_to_agent", {"agent_type": "codex", "task": "t"})
    outside.cancel(1)
    greet(outside)
    assert [c.kind for c in outside.opened] == ["hello"]


def test_a_call_over_the_frame_limit_is_too_large(rig: Rig) -> None:
    rig.call("delegate_to_agent", {"agent_type": "codex", "task": "x" * 17 * 1024 * 1024})
    assert rig.opened == []
    assert rig.result()["structuredContent"]["error_code"] == "too_large"


def test_a_busy_host_is_told_as_busy(rig: Rig) -> None:
    status(rig)
    rig.last("status").refuse("busy", "Too many connections.")
    assert rig.result()["structuredContent"]["error_code"] == "busy"


# The catalogue.


def listing(rig: Rig, call_id: Any = "l") -> None:
    rig.bench.request(call_id, "tools/list")
    rig.relay.list(rig.bench.core.listings.pop())


def agents_of(answer: dict[str, Any]) -> list[str]:
    return answer["tools"][0]["inputSchema"]["properties"]["agent_type"]["enum"]


def test_a_listing_asks_the_host_and_several_at_once_ask_once(rig: Rig) -> None:
    listing(rig, "a")
    listing(rig, "b")
    assert rig.written() == []
    (catalog,) = rig.opened
    catalog.reply({"agents": ["gemini"], "groups": ["delegation"]})
    found = rig.written()
    assert [item["id"] for item in found] == ["a", "b"]
    assert agents_of(found[0]["result"]) == ["gemini"]


def test_listings_are_taken_as_they_are_read(rig: Rig) -> None:
    for call_id in ("a", "b"):
        rig.bench.request(call_id, "tools/list")
    rig.relay.take_listings()
    rig.relay.take_listings()
    assert rig.relay.busy
    rig.opened[0].reply({"agents": ["gemini"], "groups": ["delegation"]})
    assert [item["id"] for item in rig.written()] == ["a", "b"]
    assert not rig.relay.busy


def test_after_200_ms_the_last_answer_is_listed_and_a_late_change_is_announced(rig: Rig) -> None:
    listing(rig)
    rig.pass_time(0.19)
    assert rig.written() == []
    rig.pass_time(0.02)
    assert agents_of(rig.result("l")) == ["codex", "demo"]
    rig.bench.initialize()
    rig.opened[0].reply({"agents": ["gemini"], "groups": ["delegation"]})
    assert [item["method"] for item in rig.written()] == ["notifications/tools/list_changed"]
    listing(rig)
    rig.opened[1].reply({"agents": ["gemini"], "groups": ["delegation"]})
    assert [item["id"] for item in rig.written()] == ["l"]


@pytest.mark.parametrize("outcome", [None, {}, {"agents": "x", "groups": []}, {"agents": [1], "groups": []}])
def test_a_catalogue_that_cannot_be_read_leaves_the_last_one(rig: Rig, outcome: Any) -> None:
    listing(rig)
    rig.opened[0].reply(outcome)
    assert agents_of(rig.result("l")) == ["codex", "demo"]


@pytest.mark.parametrize("how", ["refused", "lost", "no JSON"])
def test_a_catalogue_that_does_not_come_leaves_the_last_one(rig: Rig, how: str) -> None:
    listing(rig)
    (catalog,) = rig.opened
    if how == "refused":
        catalog.refuse("not_authorized")
    elif how == "lost":
        catalog.fail(sent=True)
    else:
        catalog.answer(b"{")
    assert agents_of(rig.result("l")) == ["codex", "demo"]
    assert catalog.closed


def test_without_a_host_the_listing_comes_at_once(home: str) -> None:
    options = Options()
    options.home = home
    rig = Rig(places(home, "", os.getuid()), options, {})
    listing(rig)
    assert agents_of(rig.result("l")) == ["codex", "demo"]


def test_a_refused_agent_shows_that_the_listing_is_stale(rig: Rig) -> None:
    rig.bench.initialize()
    listing(rig)
    rig.opened[0].reply({"agents": ["codex", "gone"], "groups": ["delegation"]})
    rig.written()
    rig.call("delegate_to_agent", {"agent_type": "gone", "task": "t"})
    rig.last("call").reply({"status": "failed", "error_code": "agent_disabled", "message": "x"})
    rig.written()
    rig.last("catalog").reply({"agents": ["codex"], "groups": ["delegation"]})
    assert [item["method"] for item in rig.written()] == ["notifications/tools/list_changed"]


def test_a_new_session_asks_again_since_its_groups_may_be_fewer(outside: Rig) -> None:
    outside.bench.initialize()
    listing(outside)
    outside.opened[0].reply({"agents": ["codex"], "groups": ["delegation", "ask", "feedback"]})
    outside.written()
    outside.call("check_user_feedback", {})
    greet(outside)
    outside.last("catalog").reply({"agents": ["codex"], "groups": ["ask", "feedback"]})
    assert [item["method"] for item in outside.written()] == ["notifications/tools/list_changed"]
