"""A question goes to the asking program's own person where nobody sits before the host; the first answer wins."""

import json
from typing import Any

import pytest

from companion.forms import HASTY_S, MOST_OPEN
from tests.companion.modern import WITH_FORMS, answer, call
from tests.companion.relays import QUESTIONS, Rig, structured

COPY = [
    {
        "question": "Which?",
        "header": "Choice",
        "multiSelect": False,
        "options": [{"label": "a", "description": ""}, {"label": "b", "description": ""}],
    }
]
ANSWERS = [{"question": "Which?", "header": "Choice", "selected": ["a"]}]
SESSION = {"session_token": "s", "parent_connection_id": "p"}
SAID = [{"question": "Which?", "selected": ["a"]}]


def pending(question_id: str = "q1", elicit: bool = True) -> dict[str, Any]:
    return {"state": "pending", "question_id": question_id, "answers": [], "questions": COPY, "elicit": elicit}


def answered(question_id: str = "q1") -> dict[str, Any]:
    return {"state": "answered", "question_id": question_id, "answers": ANSWERS}


def result_of(rig: Rig, call_id: Any = 1) -> dict[str, Any]:
    """The result, with its mark run: what is committed must have been written."""
    for data, marks in list(rig.bench.core.out):
        message = json.loads(data)
        if message.get("id") == call_id and "method" not in message:
            rig.bench.core.out.clear()
            for mark in marks or ():
                mark()
            return message["result"]
    raise AssertionError("no answer")


# By 2026-07-28 rules: the call is answered with the form, and comes again.


def ask(rig: Rig, call_id: Any = 1, given: dict[str, Any] | None = None, **more: Any) -> Any:
    return call(
        rig, call_id, "ask_user_question", {"questions": QUESTIONS}, WITH_FORMS if given is None else given, **more
    )


def again(rig: Rig, call_id: Any, said: Any, state: str = "q1/1") -> Any:
    return ask(rig, call_id, inputResponses={"answers": said}, requestState=state)


def asked(rig: Rig, call_id: Any = 1) -> dict[str, Any]:
    """The form that a call was answered with."""
    result = answer(rig, call_id)["result"]
    assert result["resultType"] == "input_required"
    (request,) = result["inputRequests"].values()
    assert request["method"] == "elicitation/create"
    return result


@pytest.fixture
def guest(outside: Rig) -> Rig:
    """A registered companion that has said hello."""
    ask(outside, "hello", {})
    outside.last("hello").reply(SESSION)
    outside.bench.notify("notifications/cancelled", {"requestId": "hello"})
    outside.relay.take_calls()
    outside.opened.clear()
    return outside


def test_a_call_is_answered_with_the_form_and_comes_again_with_the_answer(guest: Rig) -> None:
    assert ask(guest) == []
    guest.last("ask").reply(pending())
    form = asked(guest)
    assert form["requestState"] == "q1/1"
    assert form["inputRequests"]["answers"]["params"]["requestedSchema"]["required"] == ["q1"]
    assert guest.open_now() == []
    assert again(guest, 2, {"action": "accept", "content": {"q1": "a"}}) == []
    check = guest.last("ask")
    assert (check.request["question_id"], check.request.get("questions")) == ("q1", None)
    check.reply(pending())
    said = guest.last("answer_question")
    assert (said.request["question_id"], said.request["answers"], said.request["token"]) == ("q1", SAID, "s")
    said.reply(answered())
    result = result_of(guest, 2)
    assert result["resultType"] == "complete"
    assert structured(result, "ask_user_question")["answers"] == ANSWERS
    assert guest.last("commit_feedback").request["ids"] == ["q1"]


def test_a_question_that_was_answered_elsewhere_first_brings_that_answer(guest: Rig) -> None:
    again(guest, 1, {"action": "accept", "content": {"q1": "b"}})
    guest.last("ask").reply(answered())
    assert result_of(guest)["structuredContent"]["answers"] == ANSWERS
    assert "answer_question" not in [connection.kind for connection in guest.opened]
    # Or in the moment between.
    again(guest, 2, {"action": "accept", "content": {"q1": "b"}})
    guest.last("ask").reply(pending())
    guest.last("answer_question").reply(answered())
    assert result_of(guest, 2)["structuredContent"]["answers"] == ANSWERS


def test_declining_declines_and_closing_answers_nothing(guest: Rig) -> None:
    again(guest, 1, {"action": "decline"})
    said = guest.last("answer_question")
    assert (said.request["decline"], said.request.get("answers")) == (True, None)
    said.reply({"state": "declined", "question_id": "q1", "answers": []})
    assert result_of(guest)["structuredContent"]["state"] == "declined"
    again(guest, 2, {"action": "cancel"}, "q2/1")
    wait = guest.last("ask")
    assert (wait.request["question_id"], wait.request["wait_ms"]) == ("q2", 30_000)
    wait.reply(answered("q2"))
    assert result_of(guest, 2)["structuredContent"]["state"] == "answered"


def test_what_is_declined_sooner_than_it_can_be_read_is_no_word_of_a_person(guest: Rig) -> None:
    for call_id, seconds in ((1, 0.0), (3, HASTY_S)):
        ask(guest, call_id)
        guest.last("ask").reply(pending(f"q{call_id}"))
        asked(guest, call_id)
        guest.pass_time(seconds)
        again(guest, call_id + 1, {"action": "decline"}, f"q{call_id}/1")
        assert guest.opened[-1].kind == ("answer_question" if seconds else "ask")


def test_a_closed_form_is_not_put_again_when_the_call_comes_with_the_id(guest: Rig) -> None:
    again(guest, 1, {"action": "cancel"})
    guest.pass_time(30)
    guest.last("ask").reply({"state": "pending", "question_id": "q1", "answers": []})
    assert result_of(guest)["structuredContent"]["state"] == "pending"
    call(guest, 2, "ask_user_question", {"question_id": "q1"}, WITH_FORMS)
    guest.last("ask").reply(pending())
    assert guest.last("ask").request["wait_ms"] == 30_000
    assert guest.written() == []


@pytest.mark.parametrize("said", [{"action": "accept"}, {"action": "accept", "content": {"q1": "Other"}}, {}, 5])
def test_what_cannot_be_read_is_asked_again_and_in_the_end_left_to_the_host(guest: Rig, said: Any) -> None:
    for count in (1, 2):
        again(guest, count, said, f"q1/{count}")
        guest.last("ask").reply(pending())
        form = asked(guest, count)
        assert form["requestState"] == f"q1/{count + 1}"
        assert form["inputRequests"]["answers"]["params"]["message"].startswith("Please choose")
    again(guest, 3, said, "q1/3")
    guest.last("ask").reply(pending())
    assert guest.last("ask").request["wait_ms"] == 30_000
    assert guest.written() == []


def test_an_answer_that_the_host_refuses_is_asked_for_again_with_its_reason(guest: Rig) -> None:
    again(guest, 1, {"action": "accept", "content": {"q1": "a"}})
    guest.last("ask").reply(pending())
    guest.last("answer_question").reply(
        {"status": "failed", "error_code": "invalid_arguments", "message": "It takes less text."}
    )
    assert asked(guest)["inputRequests"]["answers"]["params"]["message"].startswith("It takes less text.")


@pytest.mark.parametrize("state", ["", "q1", "q1/", "/1", "q1/x", "q1/12", "q1/-", "q9/1"])
def test_a_state_that_is_not_ours_is_refused(guest: Rig, state: str) -> None:
    more = {"inputResponses": {"answers": {"action": "decline"}}, "requestState": state}
    (refused,) = call(guest, 1, "ask_user_question", {"question_id": "q1"}, WITH_FORMS, **more)
    assert refused["error"]["code"] == -32602
    assert guest.opened == []


def test_a_foreign_question_in_the_state_is_the_hosts_to_refuse(guest: Rig) -> None:
    again(guest, 1, {"action": "decline"}, "question-of-another/1")
    guest.last("answer_question").reply(
        {"status": "failed", "error_code": "invalid_arguments", "message": "No question of yours has that id."}
    )
    result = result_of(guest)
    assert (result["isError"], result["structuredContent"]["error_code"]) == (True, "invalid_arguments")


@pytest.mark.parametrize("more", [{"inputResponses": []}, {"requestState": 5}, {"requestState": {}}])
def test_repeated_calls_of_a_wrong_form_are_invalid_params(guest: Rig, more: dict[str, Any]) -> None:
    (refused,) = ask(guest, 1, **more)
    assert refused["error"]["code"] == -32602


@pytest.mark.parametrize("moment", ["refused", "lost", "late", "unreadable"])
def test_an_answer_that_cannot_be_brought_names_the_question(guest: Rig, moment: str) -> None:
    again(guest, 1, {"action": "decline"})
    said = guest.last("answer_question")
    if moment == "refused":
        said.refuse("busy")
    elif moment == "lost":
        said.fail(sent=False)
        guest.last("hello").fail(sent=False)
    elif moment == "late":
        guest.pass_time(10)
    else:
        said.reply({"state": 5})
    result = result_of(guest)
    assert structured(result, "ask_user_question")["question_id"] == "q1"
    assert result["isError"]


def test_nobody_is_asked_who_did_not_offer_or_where_somebody_sits_before_the_host(guest: Rig) -> None:
    cases: list[tuple[dict[str, Any], bool]] = [
        ({}, True),
        ({"elicitation": {"url": {}}}, True),
        ({"elicitation": 5}, True),
        (WITH_FORMS, False),
    ]
    for at, (given, elicit) in enumerate(cases):
        ask(guest, at, given)
        guest.last("ask").reply(pending(f"q-{at}", elicit))
        assert guest.last("ask").request["wait_ms"] == 30_000
        assert guest.written() == []
    ask(guest, "old host", WITH_FORMS)
    guest.last("ask").reply({"state": "pending", "question_id": "q9", "answers": []})
    assert guest.last("ask").request["wait_ms"] == 30_000


def test_an_empty_capability_means_forms(guest: Rig) -> None:
    ask(guest, 1, {"elicitation": {}})
    guest.last("ask").reply(pending())
    asked(guest)


# By older rules: a request of ours beside the wait.


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
