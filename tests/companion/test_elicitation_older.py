"""A question at the asking program by the rules of 2025: the form is a request of ours beside the wait, withdrawn when it is moot."""

import json
from typing import Any

import pytest

from companion.forms import HASTY_S, MOST_OPEN
from tests.companion.elicited import ANSWERS, SAID, SESSION, answered, pending, result_of
from tests.companion.modern import WITH_FORMS
from tests.companion.relays import QUESTIONS, Rig, structured


@pytest.fixture
def older(outside: Rig) -> Rig:
    return shaken(outside, "2025-11-25")


def shaken(rig: Rig, version: str, capabilities: dict[str, Any] | None = None) -> Rig:
    given = WITH_FORMS if capabilities is None else capabilities
    info = {"name": "codex-mcp-client", "version": "1"}
    params = {"protocolVersion": version, "capabilities": given, "clientInfo": info}
    rig.bench.request("i", "initialize", params)
    rig.call("ask_user_question", {"questions": QUESTIONS})
    rig.last("hello").reply(SESSION)
    return rig


def form_of(rig: Rig) -> dict[str, Any]:
    """Our request, and the wait of the call beside it."""
    (request,) = [item for item in rig.written() if item.get("method") == "elicitation/create"]
    return request


def fill(rig: Rig, request: dict[str, Any], result: Any) -> None:
    assert rig.bench.ask({"jsonrpc": "2.0", "id": request["id"], "result": result}) == []


def waits(rig: Rig) -> list[Any]:
    return [connection for connection in rig.open_now() if connection.kind == "ask"]


def test_the_form_is_shown_beside_the_wait_and_its_answer_ends_it_at_the_host(older: Rig) -> None:
    older.last("ask").reply(pending())
    request = form_of(older)
    assert request["params"]["mode"] == "form"
    (wait,) = waits(older)
    fill(older, request, {"action": "accept", "content": {"q1": "a"}})
    said = older.last("answer_question")
    assert (said.request["question_id"], said.request["answers"]) == ("q1", SAID)
    assert older.relay.busy
    said.reply(answered())
    wait.reply(answered())
    assert structured(result_of(older), "ask_user_question")["answers"] == ANSWERS
    assert older.written() == []


def test_an_answer_from_elsewhere_withdraws_the_form_and_a_late_response_does_nothing(older: Rig) -> None:
    older.last("ask").reply(pending())
    request = form_of(older)
    (wait,) = waits(older)
    wait.reply(answered())
    written = older.written()
    (note,) = [item for item in written if item.get("method") == "notifications/cancelled"]
    assert note["params"]["requestId"] == request["id"]
    assert [item["id"] for item in written if "result" in item] == [1]
    fill(older, request, {"action": "accept", "content": {"q1": "b"}})
    assert "answer_question" not in [connection.kind for connection in older.opened]


def test_older_forms_decline_and_are_closed_likewise(older: Rig) -> None:
    older.last("ask").reply(pending())
    (wait,) = waits(older)
    older.pass_time(HASTY_S)
    fill(older, form_of(older), {"action": "decline"})
    assert older.last("answer_question").request["decline"] is True
    older.last("answer_question").reply({"state": "declined", "question_id": "q1", "answers": []})
    wait.reply({"state": "declined", "question_id": "q1", "answers": []})
    assert result_of(older)["structuredContent"]["state"] == "declined"


@pytest.mark.parametrize(
    "response",
    [{"result": {"action": "cancel"}}, {"result": {"action": "decline"}}, {"error": {"code": -32601}}, {"result": 5}],
)
def test_a_closed_or_refused_form_leaves_the_wait_and_is_not_shown_again(older: Rig, response: dict[str, Any]) -> None:
    older.last("ask").reply(pending())
    request = form_of(older)
    assert older.bench.ask({"jsonrpc": "2.0", "id": request["id"], **response}) == []
    (wait,) = waits(older)
    older.pass_time(30)
    wait.reply({"state": "pending", "question_id": "q1", "answers": []})
    assert result_of(older)["structuredContent"]["state"] == "pending"
    older.call("ask_user_question", {"question_id": "q1"}, 2)
    older.last("ask").reply(pending())
    assert older.written() == []
    assert len(waits(older)) == 1


def test_at_the_limit_the_form_stays_and_the_next_call_goes_on_with_it(older: Rig) -> None:
    """Who is typing an answer must not lose it to the time limit of a call."""
    older.last("ask").reply(pending())
    request = form_of(older)
    older.pass_time(30)
    older.last("ask").reply({"state": "pending", "question_id": "q1", "answers": []})
    assert result_of(older)["structuredContent"]["state"] == "pending"
    older.call("ask_user_question", {"question_id": "q1"}, 2)
    older.last("ask").reply(pending())
    assert older.written() == []
    (wait,) = waits(older)
    fill(older, request, {"action": "accept", "content": {"q1": "a"}})
    older.last("answer_question").reply(answered())
    wait.reply(answered())
    assert result_of(older, 2)["structuredContent"]["answers"] == ANSWERS


def test_a_form_that_the_program_closes_when_no_call_waits_is_shown_again_with_the_next(older: Rig) -> None:
    older.last("ask").reply(pending())
    request = form_of(older)
    older.pass_time(30)
    older.last("ask").reply({"state": "pending", "question_id": "q1", "answers": []})
    older.written()
    fill(older, request, {"action": "cancel"})
    older.call("ask_user_question", {"question_id": "q1"}, 2)
    older.last("ask").reply(pending())
    assert form_of(older)["id"] == request["id"] + 1


def test_a_program_that_says_it_runs_without_a_person_is_not_asked(older: Rig) -> None:
    older.last("ask").reply(pending())
    form_of(older)
    for at, trigger in enumerate(("exec", "user"), 2):
        older.call(
            "ask_user_question", {"questions": QUESTIONS}, at, **{"x-codex-turn-metadata": {"turn_trigger": trigger}}
        )
        older.last("ask").reply(pending(f"q-{at}"))
        assert len(older.written()) == (trigger == "user")


def test_a_cancelled_call_withdraws_its_form(older: Rig) -> None:
    older.last("ask").reply(pending())
    request = form_of(older)
    older.cancel(1)
    (note,) = older.written()
    assert (note["method"], note["params"]["requestId"]) == ("notifications/cancelled", request["id"])
    assert older.open_now() == [connection for connection in older.opened if connection.kind == "hello"]


def test_an_unreadable_answer_is_asked_again_and_in_the_end_left_to_the_host(older: Rig) -> None:
    older.last("ask").reply(pending())
    for _ in range(3):
        response = {"jsonrpc": "2.0", "id": form_of(older)["id"], "result": {"action": "accept"}}
        older.bench.core.feed(json.dumps(response).encode(), framed=False)
    assert older.written() == []
    assert len(waits(older)) == 1


@pytest.mark.parametrize("trouble", ["lost", "refused", "late"])
def test_an_answer_that_does_not_reach_the_host_is_asked_for_once_more(older: Rig, trouble: str) -> None:
    older.last("ask").reply(pending())
    fill(older, form_of(older), {"action": "accept", "content": {"q1": "a"}})
    said = older.last("answer_question")
    if trouble == "lost":
        said.fail(sent=True)
    elif trouble == "refused":
        said.reply({"status": "failed", "error_code": "invalid_arguments", "message": "could not be taken"})
    else:
        older.pass_time(1)
    assert said.closed
    assert "could not be" in form_of(older)["params"]["message"]


def test_a_question_settled_while_its_answer_is_under_way_is_not_shown_again(older: Rig) -> None:
    older.last("ask").reply(pending())
    (wait,) = waits(older)
    fill(older, form_of(older), {"action": "accept", "content": {"q1": "a"}})
    said = older.last("answer_question")
    wait.reply(answered())
    said.fail(sent=True)
    assert [item for item in older.written() if "method" in item] == []


def test_by_the_rules_of_2025_06_18_the_form_is_plain(outside: Rig) -> None:
    rig = shaken(outside, "2025-06-18", {"elicitation": {}})
    rig.last("ask").reply(pending())
    params = form_of(rig)["params"]
    assert "mode" not in params
    assert params["requestedSchema"]["properties"]["q1"]["enum"] == ["a", "b", "Other"]


@pytest.mark.parametrize(
    ("version", "capabilities"), [("2025-03-26", WITH_FORMS), ("2024-11-05", WITH_FORMS), ("2025-11-25", {})]
)
def test_a_client_that_knows_no_forms_gets_none(outside: Rig, version: str, capabilities: dict[str, Any]) -> None:
    rig = shaken(outside, version, capabilities)
    rig.written()
    rig.last("ask").reply(pending())
    assert rig.written() == []
    assert len(waits(rig)) == 1


def test_forms_are_bounded_and_all_are_withdrawn_at_the_end(older: Rig) -> None:
    older.last("ask").reply(pending("q-0"))
    written = older.written()
    for at in range(1, MOST_OPEN + 1):
        older.call("ask_user_question", {"questions": QUESTIONS}, at + 1)
        older.last("ask").reply(pending(f"q-{at}"))
        written += older.written()
    forms = [item["id"] for item in written if item.get("method") == "elicitation/create"]
    gone = [item["params"]["requestId"] for item in written if item.get("method") == "notifications/cancelled"]
    assert (len(forms), gone) == (MOST_OPEN + 1, forms[:1])
    older.relay.wind_down()
    written = older.written()
    gone += [item["params"]["requestId"] for item in written if item.get("method") == "notifications/cancelled"]
    assert gone == forms
    answers = [item["result"]["structuredContent"]["state"] for item in written if "result" in item]
    assert answers == ["pending"] * (MOST_OPEN + 1)
    assert not older.relay.busy


def test_responses_that_answer_nothing_of_ours_are_ignored(older: Rig) -> None:
    older.last("ask").reply(pending())
    request = form_of(older)
    assert request["id"] == 1
    for given in ("1", 1.0, 99, None):
        assert older.bench.ask({"jsonrpc": "2.0", "id": given, "result": {"action": "decline"}}) == []
    assert "answer_question" not in [connection.kind for connection in older.opened]
