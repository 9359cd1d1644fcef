"""A question goes to the asking program's own person where nobody sits before the host (2026-07-28 rules).

The call is answered with the form, and comes again with what was filled in; the first answer wins.
"""

from typing import Any

import pytest

from companion.forms import HASTY_S
from tests.companion.elicited import ANSWERS, SAID, SESSION, answered, pending, result_of
from tests.companion.modern import WITH_FORMS, answer, call
from tests.companion.relays import QUESTIONS, Rig, structured


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
