"""The protocol in all five revisions, without a process (contract 4)."""

import json
from typing import Any

import pytest

from codeg.jsonrpc.framing import Fault
from companion.mcp import MAX_OPEN_CALLS
from companion.rendering import Result
from tests.companion.cores import MODERN, Bench, one_call

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
OLD = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


def error_of(answers: list[Any]) -> dict[str, Any]:
    (answer,) = answers
    assert "result" not in answer
    return answer["error"]


@pytest.mark.parametrize("version", OLD)
def test_a_known_version_is_spoken(version: str) -> None:
    result = Bench().initialize(version)
    assert result["protocolVersion"] == version
    assert result["capabilities"] == {"tools": {"listChanged": True}}
    assert result["serverInfo"]["name"] == "codeg-mcp"
    assert "@Agent" in result["instructions"]
    assert "resultType" not in result


@pytest.mark.parametrize(("groups", "words"), [((), ""), (("ask",), ""), (("feedback",), "check_user_feedback")])
def test_the_instructions_speak_of_the_tools_that_are_on(groups: tuple[str, ...], words: str) -> None:
    said = Bench(groups).initialize()["instructions"]
    assert words in said
    assert "@Agent" not in said
    assert bool(said) is bool(words)


@pytest.mark.parametrize("version", ["2026-07-28", "1999-01-01", "", None, 5])
def test_any_other_version_asked_for_by_initialize_gets_the_last_with_a_handshake(version: Any) -> None:
    assert Bench().initialize(version)["protocolVersion"] == "2025-11-25"


def test_without_a_handshake_a_request_goes_by_the_rules_of_2025_11_25() -> None:
    bench = Bench()
    assert bench.request(1, "ping") == [{"jsonrpc": "2.0", "id": 1, "result": {}}]
    bench.request(2, "tools/list")
    (listed,) = bench.list_now()
    assert "resultType" not in listed["result"]
    assert error_of(bench.ask([{"jsonrpc": "2.0", "id": 3, "method": "ping"}]))["code"] == -32600


def test_discovery_tells_all_versions_and_may_be_cached() -> None:
    (answer,) = Bench().request("probe", "server/discover", modern=True)
    result = answer["result"]
    assert result["supportedVersions"] == ["2026-07-28", *reversed(OLD)]
    assert result["resultType"] == "complete"
    assert result["ttlMs"] >= 0
    assert result["cacheScope"] == "private"
    assert result["capabilities"]["tools"] == {"listChanged": True}


def test_every_modern_result_says_its_type_and_a_list_how_long_it_keeps() -> None:
    bench = Bench()
    (pong,) = bench.request(1, "ping", modern=True)
    assert pong["result"]["resultType"] == "complete"
    bench.request(2, "tools/list", modern=True)
    (listed,) = bench.list_now()
    assert listed["result"]["resultType"] == "complete"
    assert listed["result"]["ttlMs"] == 60_000
    assert listed["result"]["cacheScope"] == "private"
    bench.request(3, "tools/call", {"name": "check_user_feedback"}, modern=True)
    (called,) = bench.answer()
    assert called["result"]["resultType"] == "complete"
    assert called["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "codeg-mcp"


def test_an_unknown_version_in_meta_is_refused_with_what_is_served() -> None:
    error = error_of(Bench().request(1, "tools/list", {"_meta": {**MODERN, VERSION_KEY: "2031-01-01"}}))
    assert error["code"] == -32022
    assert error["data"] == {"supported": ["2026-07-28", *reversed(OLD)], "requested": "2031-01-01"}


@pytest.mark.parametrize(
    "meta",
    [
        {VERSION_KEY: 5},
        {VERSION_KEY: None},
        {VERSION_KEY: "2026-07-28"},
        {**MODERN, "io.modelcontextprotocol/clientCapabilities": []},
        {**MODERN, "io.modelcontextprotocol/clientInfo": "me"},
    ],
)
def test_a_broken_envelope_is_a_wrong_parameter(meta: dict[str, Any]) -> None:
    assert error_of(Bench().request(1, "ping", {"_meta": meta}))["code"] == -32602


def test_eras_are_chosen_per_request() -> None:
    bench = Bench()
    bench.initialize("2025-06-18")
    assert "resultType" in bench.request(1, "ping", modern=True)[0]["result"]
    assert bench.request(2, "ping")[0]["result"] == {}
    assert bench.request(3, "ping", {"_meta": {VERSION_KEY: "2025-03-26"}})[0]["result"] == {}


@pytest.mark.parametrize("method", ["resources/list", "prompts/list", "logging/setLevel", "tasks/get", "", "x" * 500])
def test_methods_that_we_do_not_have_are_not_found(method: str) -> None:
    assert error_of(Bench().request(1, method))["code"] == -32601


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":NaN}}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":1e400}}', -32700),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"ping"}', -32700),
        (b"[" * 100_000 + b"]" * 100_000, -32700),
        (b"42", -32600),
        (b'"text"', -32600),
        (b"null", -32600),
        (b"{}", -32600),
        (b"[]", -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":7}}', -32602),
    ],
)
def test_bad_input_costs_that_message_alone(message: bytes, code: int) -> None:
    bench = Bench()
    assert error_of(bench.ask(message))["code"] == code
    assert bench.request("after", "ping")[0]["result"] == {}


def test_what_cannot_be_decoded_is_answered_with_id_null() -> None:
    (answer,) = Bench().ask(b"{")
    assert answer["id"] is None


@pytest.mark.parametrize("call_id", [0, -1, 2**64 + 1, 10**300, 42, "42", "", "ü😀", 1.5, 42.0])
def test_ids_come_back_unchanged(call_id: Any) -> None:
    bench = Bench()
    bench.core.feed(json.dumps({"jsonrpc": "2.0", "id": call_id, "method": "ping"}).encode(), framed=False)
    data, _ = bench.core.out[0]
    found = json.loads(data)["id"]
    assert found == call_id
    assert type(found) is type(call_id)


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    bench = Bench()
    (answer,) = bench.ask(b'{"jsonrpc":"2.0","id":"\\ud800x","method":"ping"}')
    assert answer["id"] == "\ufffdx"


def test_responses_and_unknown_notifications_are_ignored() -> None:
    bench = Bench()
    assert bench.ask({"jsonrpc": "2.0", "id": 9, "result": {}}) == []
    assert bench.ask({"jsonrpc": "2.0", "id": 9, "error": {"code": 1, "message": "x"}}) == []
    assert bench.notify("notifications/initialized", {}) == []
    assert bench.notify("notifications/anything", {"a": 1}) == []


@pytest.mark.parametrize("reason", ["too_long", "bad_header", "unfinished"])
def test_an_item_that_became_no_message_is_one_parse_error_in_its_framing(reason: Any) -> None:
    bench = Bench()
    bench.core.refuse(Fault(reason, True, b"x"))
    ((data, marks),) = bench.core.out
    head, _, body = data.partition(b"\r\n\r\n")
    assert head == b"Content-Length: %d" % len(body)
    assert json.loads(body)["error"]["code"] == -32700
    assert json.loads(body)["id"] is None
    assert marks is None


# Calls.


@pytest.mark.parametrize("name", ["nope", "", None, 5, ["x"]])
def test_an_unknown_tool_is_an_error(name: Any) -> None:
    error = error_of(Bench().request(1, "tools/call", {"name": name}))
    assert error["code"] == -32602


def test_a_tool_of_an_absent_group_is_unknown_in_the_same_words() -> None:
    bench = Bench(groups=("ask",))
    absent = error_of(bench.call(1, "check_user_feedback"))
    unknown = error_of(bench.call(2, "check_user_nothing"))
    assert absent["code"] == unknown["code"] == -32602
    assert absent["message"].replace("feedback", "nothing") == unknown["message"]


def test_at_most_256_calls_are_open_and_pings_and_lists_go_on() -> None:
    bench = Bench()
    for at in range(MAX_OPEN_CALLS):
        assert bench.call(at) == []
    error = error_of(bench.call("more"))
    assert (error["code"], error["message"]) == (-32000, "too many open calls")
    assert bench.request("p", "ping")[0]["result"] == {}
    bench.request("l", "tools/list")
    assert bench.list_now()[0]["id"] == "l"
    assert len(bench.answer()) == 1
    assert bench.call("again") == []


def test_an_id_that_is_still_open_is_refused_and_the_first_call_stays() -> None:
    bench = Bench()
    bench.call(7)
    assert error_of(bench.call(7))["code"] == -32600
    assert error_of(bench.request(7, "ping"))["code"] == -32600
    assert bench.call("7") == []
    (answer,) = bench.answer()
    assert answer["id"] == 7


@pytest.mark.parametrize("cancelled", [42, "42"])
def test_a_cancelled_call_is_dropped_and_never_answered(cancelled: Any) -> None:
    bench = Bench()
    bench.call(42)
    bench.call("42")
    assert bench.notify("notifications/cancelled", {"requestId": cancelled, "reason": "x"}) == []
    dropped = one_call(bench.core.dropped)
    assert dropped.call_id == cancelled
    assert type(dropped.call_id) is type(cancelled)
    assert not bench.core.answer(dropped, Result("late", {}))
    assert bench.written() == []
    assert bench.core.open_calls == 1


@pytest.mark.parametrize(
    "params", [{"requestId": 5}, {"requestId": None}, {"requestId": [1]}, {}, [1], {"requestId": True}]
)
def test_an_unknown_cancel_does_nothing(params: Any) -> None:
    bench = Bench()
    bench.call(1)
    assert bench.notify("notifications/cancelled", params) == []
    assert bench.core.dropped == []
    assert bench.core.open_calls == 1


def test_a_late_or_repeated_cancel_does_nothing() -> None:
    bench = Bench()
    bench.call(1)
    assert len(bench.answer()) == 1
    bench.notify("notifications/cancelled", {"requestId": 1})
    bench.notify("notifications/cancelled", {"requestId": 1})
    assert bench.core.dropped == []
    assert bench.core.open_calls == 0


def test_a_reused_id_is_not_answered_by_the_cancelled_call() -> None:
    bench = Bench()
    bench.call(1)
    first = bench.begun()
    bench.core.started.clear()
    bench.notify("notifications/cancelled", {"requestId": 1})
    bench.call(1)
    assert not bench.core.answer(first, Result("late", {}))
    assert len(bench.answer()) == 1


def test_a_cancelled_listing_is_not_answered() -> None:
    bench = Bench()
    bench.request(1, "tools/list")
    bench.notify("notifications/cancelled", {"requestId": 1})
    assert bench.list_now() == []


# Progress.


@pytest.mark.parametrize("token", ["t", 7, 0])
def test_progress_goes_to_the_token_with_rising_numbers_and_never_after_the_reply(token: Any) -> None:
    bench = Bench()
    bench.call(1, progressToken=token)
    call = bench.begun()
    bench.core.report_progress(call, "waiting")
    bench.core.report_progress(call, "waiting")
    found = bench.written()
    assert [note["params"]["progress"] for note in found] == [1, 2]
    assert all(note["params"]["progressToken"] == token and note["params"]["message"] for note in found)
    bench.answer()
    bench.core.report_progress(call, "waiting")
    assert bench.written() == []


@pytest.mark.parametrize("meta", [{}, {"progressToken": None}, {"progressToken": 1.5}, {"progressToken": True}])
def test_there_is_no_progress_without_a_token(meta: dict[str, Any]) -> None:
    bench = Bench()
    bench.call(1, **meta)
    bench.core.report_progress(bench.begun(), "waiting")
    assert bench.written() == []


# Batches.


def ping(call_id: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": call_id, "method": "ping"}


@pytest.mark.parametrize("version", [version for version in OLD if version != "2025-03-26"])
def test_a_batch_is_invalid_in_revisions_without_them(version: str) -> None:
    bench = Bench()
    bench.initialize(version)
    assert error_of(bench.ask([ping(1)]))["code"] == -32600


def test_a_batch_is_answered_as_one_array() -> None:
    bench = Bench()
    bench.initialize("2025-03-26")
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    (answers,) = bench.ask([ping(1), note, 42, {"jsonrpc": "2.0", "id": 2, "method": "nope"}, ping("x")])
    assert [(item["id"], item.get("error", {}).get("code")) for item in answers] == [
        (1, None),
        (None, -32600),
        (2, -32601),
        ("x", None),
    ]


def test_a_batch_waits_for_its_calls_and_leaves_out_the_cancelled_ones() -> None:
    bench = Bench()
    bench.initialize("2025-03-26")
    calls = [
        {"jsonrpc": "2.0", "id": at, "method": "tools/call", "params": {"name": "check_user_feedback"}} for at in (1, 2)
    ]
    assert bench.ask([*calls, ping(3)]) == []
    assert bench.request("p", "ping")[0]["id"] == "p"
    bench.notify("notifications/cancelled", {"requestId": 2})
    (answers,) = bench.answer()
    assert [item["id"] for item in answers] == [3, 1]


def test_marks_of_a_batch_run_once_it_is_written() -> None:
    bench = Bench()
    bench.initialize("2025-03-26")
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "check_user_feedback"}}
    bench.ask([call, ping(2)])
    ran: list[int] = []
    bench.core.answer(bench.begun(), Result("x", {}), lambda: ran.append(1))
    ((_, marks),) = bench.core.out
    assert ran == []
    assert marks is not None
    for mark in marks:
        mark()
    assert ran == [1]


def test_a_batch_of_notifications_or_of_cancelled_calls_gets_no_answer() -> None:
    bench = Bench()
    bench.initialize("2025-03-26")
    assert bench.ask([{"jsonrpc": "2.0", "method": "notifications/initialized"}]) == []
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "check_user_feedback"}}
    assert bench.ask([call]) == []
    assert bench.notify("notifications/cancelled", {"requestId": 1}) == []


def test_an_empty_or_endless_batch_is_invalid_and_so_is_a_handshake_within_one() -> None:
    bench = Bench()
    bench.initialize("2025-03-26")
    assert error_of(bench.ask([]))["code"] == -32600
    assert error_of(bench.ask([ping(at) for at in range(1001)]))["code"] == -32600
    (answers,) = bench.ask([{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}])
    assert answers[0]["error"]["code"] == -32600


# Changes.


def listen(bench: Bench, call_id: Any, **wanted: Any) -> dict[str, Any]:
    (note,) = bench.request(call_id, "subscriptions/listen", {"notifications": wanted}, modern=True)
    return note


def test_listening_is_acknowledged_first_and_is_no_open_call() -> None:
    bench = Bench()
    note = listen(bench, "listen:0", toolsListChanged=True, promptsListChanged=True)
    assert note["method"] == "notifications/subscriptions/acknowledged"
    assert note["params"] == {"_meta": {SUBSCRIPTION: "listen:0"}, "notifications": {"toolsListChanged": True}}
    assert bench.core.open_calls == 0


def test_a_change_is_told_to_who_asked_for_it() -> None:
    bench = Bench()
    listen(bench, 1, toolsListChanged=True)
    listen(bench, 2)
    bench.core.tools_changed()
    assert bench.written() == []
    bench.request(3, "tools/list", modern=True)
    bench.list_now()
    bench.core.tools_changed()
    (note,) = bench.written()
    assert note["method"] == "notifications/tools/list_changed"
    assert note["params"]["_meta"] == {SUBSCRIPTION: 1}


def test_a_client_of_the_older_revisions_is_told_plainly() -> None:
    bench = Bench()
    bench.initialize()
    bench.request(1, "tools/list")
    bench.list_now()
    bench.core.tools_changed()
    assert bench.written() == [{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}]


def test_a_subscription_ends_by_cancel_without_and_at_the_end_with_a_result() -> None:
    bench = Bench()
    listen(bench, 1, toolsListChanged=True)
    listen(bench, 2, toolsListChanged=True)
    bench.notify("notifications/cancelled", {"requestId": 1})
    bench.core.end_subscriptions()
    (answer,) = bench.written()
    assert answer["id"] == 2
    assert answer["result"]["resultType"] == "complete"
    assert answer["result"]["_meta"][SUBSCRIPTION] == 2


def test_listening_without_a_filter_is_a_wrong_parameter_and_subscriptions_are_bounded() -> None:
    bench = Bench()
    assert error_of(bench.request(1, "subscriptions/listen", {}, modern=True))["code"] == -32602
    for at in range(64):
        listen(bench, f"l{at}")
    assert error_of(bench.request(2, "subscriptions/listen", {"notifications": {}}, modern=True))["code"] == -32000


def test_the_diary_names_events_and_no_text_of_the_peer() -> None:
    bench = Bench()
    bench.request(1, "secret/method", {"password": "hunter2"})
    bench.request(2, "tools/call", {"name": "check_user_feedback", "arguments": {"x": "hunter2"}})
    bench.answer()
    bench.ask(b"hunter2")
    assert "hunter2" not in " ".join(bench.lines)
    assert "secret" not in " ".join(bench.lines)
    assert {line.split()[0] for line in bench.lines} == {"request", "response", "parse_error"}
