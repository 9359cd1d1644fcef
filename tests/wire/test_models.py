"""What the host takes for a request, held together with what the companion builds."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from codeg.wire import models, requests
from codeg.wire.frames import MAX_FRAME
from codeg.wire.models import WireFault, authority_fields, decode_request, parse_request, validate
from codeg.wire.payload import encode

QUESTION = {
    "question": "Which?",
    "header": "Choice",
    "multiSelect": True,
    "options": [{"label": "a", "description": "A"}, {"label": "b"}],
}
CLIENT = requests.client_of("claude-code", 12, "/folder/x", version="2.1", session_id="s")
BUILT: list[tuple[dict[str, Any], type[Any]]] = [
    (requests.hello("t", CLIENT), models.Hello),
    (requests.hello("t", requests.client_of("codex", 1, "C:\\x")), models.Hello),
    (requests.catalog("t"), models.Catalog),
    (requests.call("t", "p", "h", {"agent_type": "demo", "n": [1]}, "toolu_1"), models.Call),
    (requests.call("t", "p", "h", {}), models.Call),
    (requests.status("t", ["a", "b"]), models.Status),
    (requests.listen("t", ["a", "b"], 5, 1), models.Status),
    (requests.status("t", ["a"], wait_ms=0, result_offset=0, max_bytes=1), models.Status),
    (requests.cancel_task("t", "a"), models.CancelTask),
    (requests.resume_task("t", "a"), models.ResumeTask),
    (requests.cancel("t", "h"), models.Cancel),
    (requests.cancel("t", "h", "why"), models.Cancel),
    (requests.feedback("t"), models.Feedback),
    (requests.commit_feedback("t", ["n1"]), models.CommitFeedback),
    (requests.ask("t", questions=[QUESTION]), models.Ask),
    (requests.ask("t", question_id="q", wait_ms=5), models.Ask),
    (requests.answer_question("t", "q", answers=[{"question": "Which?", "selected": ["a"]}]), models.AnswerQuestion),
    (requests.answer_question("t", "q", None), models.AnswerQuestion),
    *[(requests.operator("t", op, task_id="a"), models.Operator) for op in requests.OPERATIONS],
]


def fault(**fields: Any) -> WireFault:
    with pytest.raises(WireFault) as caught:
        validate({"token": "s3cret", **fields})
    assert "s3cret" not in caught.value.message
    assert caught.value.message.endswith(".")
    return caught.value


@pytest.mark.parametrize(("built", "model"), BUILT)
def test_each_built_request_is_read_as_its_model_with_all_its_fields(built: dict[str, Any], model: type[Any]) -> None:
    found = parse_request(encode(built))
    assert type(found) is model
    kept = found.model_dump(mode="json", exclude_unset=True)
    expected = {name: value for name, value in built.items() if name != "v"}
    if isinstance(found, models.Operator):
        expected["args"] = {"task_id": expected.pop("task_id")}
    assert kept == expected


def test_every_kind_is_built_and_every_op_is_known() -> None:
    assert {built["kind"] for built, _ in BUILT} == models.KINDS
    assert get_args(models.Op) == requests.OPERATIONS
    assert get_args(models.FaultCode) == requests.ERROR_CODES


@pytest.mark.parametrize(("built", "model"), BUILT)
def test_unknown_fields_are_ignored_and_an_absent_version_is_one(built: dict[str, Any], model: type[Any]) -> None:
    fields = {name: value for name, value in built.items() if name != "v"} | {"later": [1]}
    found = validate(fields)
    assert type(found) is model
    if not isinstance(found, models.Operator):
        assert found == validate(built)


def test_requests_are_frozen_and_do_not_show_their_token() -> None:
    found = validate({"kind": "catalog", "token": "s3cret"})
    assert "s3cret" not in repr(found)
    with pytest.raises(ValidationError, match="frozen"):
        found.token = "x"  # pyright: ignore[reportAttributeAccessIssue]  # what the test is about


def test_an_operators_fields_are_collected_whatever_they_are_called() -> None:
    found = validate({"kind": "operator", "token": "t", "v": 1, "op": "run", "prompt": "x", "args": [1]})
    assert isinstance(found, models.Operator)
    assert found.args == {"prompt": "x", "args": [1]}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "The field kind is missing."),
        ({"kind": None}, "The field kind must be one of answer_question, ask, call, cancel, "),
        ({"kind": "nope"}, "The field kind must be one of "),
        ({"kind": ["call"]}, "The field kind must be one of "),
        ({"kind": "hello"}, "The field client is missing."),
        ({"kind": "hello", "client": "x"}, "The field client must be an object."),
        ({"kind": "hello", "client": {**CLIENT, "name": ""}}, "The field client.name must have at least 1 character."),
        (
            {"kind": "hello", "client": {**CLIENT, "name": "n" * 201}},
            "The field client.name takes at most 200 characters.",
        ),
        ({"kind": "hello", "client": {**CLIENT, "pid": "12"}}, "The field client.pid must be an integer."),
        ({"kind": "hello", "client": {**CLIENT, "pid": 0}}, "The field client.pid must be more than 0."),
        ({"kind": "call"}, "The field parent_connection_id is missing."),
        (
            {"kind": "call", "parent_connection_id": "p", "external_handle": "h", "input": []},
            "The field input must be an object.",
        ),
        (
            {"kind": "call", "parent_connection_id": "p", "external_handle": ""},
            "The field external_handle must have at least 1 ",
        ),
        ({"kind": "status"}, "The field task_ids is missing."),
        ({"kind": "status", "task_ids": "a"}, "The field task_ids must be a list."),
        ({"kind": "status", "task_ids": {"a": 1}}, "The field task_ids must be a list."),
        ({"kind": "status", "task_ids": []}, "The field task_ids needs at least 1 of them."),
        ({"kind": "status", "task_ids": ["a"] * 1001}, "The field task_ids takes at most 1000 of them."),
        ({"kind": "status", "task_ids": ["a", 1]}, "The field task_ids.1 must be text."),
        ({"kind": "status", "task_ids": ["a"], "wait_ms": -1}, "The field wait_ms must be at least 0."),
        ({"kind": "status", "task_ids": ["a"], "wait_ms": True}, "The field wait_ms must be an integer."),
        ({"kind": "status", "task_ids": ["a"], "wait_ms": 1.0}, "The field wait_ms must be an integer."),
        ({"kind": "status", "task_ids": ["a"], "max_bytes": "9"}, "The field max_bytes must be an integer."),
        (
            {"kind": "status", "task_ids": ["a", "b"], "result_offset": 0},
            "The field result_offset needs exactly one id in task_ids.",
        ),
        ({"kind": "cancel_task"}, "The field task_id is missing."),
        ({"kind": "resume_task", "task_id": 5}, "The field task_id must be text."),
        ({"kind": "cancel", "external_handle": "h" * 1025}, "The field external_handle takes at most 1024 characters."),
        ({"kind": "commit_feedback", "ids": []}, "The field ids needs at least 1 of them."),
        ({"kind": "ask"}, "Exactly one of the fields questions and question_id is needed."),
        (
            {"kind": "ask", "questions": [QUESTION], "question_id": "q"},
            "Exactly one of the fields questions and question_id ",
        ),
        ({"kind": "ask", "questions": [QUESTION] * 5}, "The field questions takes at most 4 of them."),
        (
            {"kind": "ask", "questions": [{**QUESTION, "header": "thirteen char"}]},
            "The field questions.0.header takes at most 12 ",
        ),
        (
            {"kind": "ask", "questions": [{**QUESTION, "multiSelect": 1}]},
            "The field questions.0.multiSelect must be true or false.",
        ),
        (
            {"kind": "ask", "questions": [{**QUESTION, "options": [{"label": "a"}]}]},
            "The field questions.0.options needs at least 2 ",
        ),
        ({"kind": "operator"}, "The field op is missing."),
        ({"kind": "operator", "op": "sudo"}, "The field op must be one of 'sessions', 'tasks', "),
        ({"kind": "catalog", "v": "1"}, "The field v must be an integer."),
        ({"kind": "catalog", "v": None}, "The field v must be an integer."),
        ({"kind": "catalog", "v": True}, "The field v must be an integer."),
    ],
)
def test_each_wrong_field_is_named_in_a_sentence(fields: dict[str, Any], says: str) -> None:
    found = fault(**fields)
    assert found.code == "invalid_request"
    assert found.message.startswith(says)


def test_a_kind_of_failure_without_words_is_still_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(models._WORDS, "string_type")
    found = fault(kind="cancel_task", task_id=5)
    assert found.code == "invalid_request"
    assert found.message == "The field task_id is not valid."


def test_another_version_is_a_mismatch_before_its_fields_are_read() -> None:
    found = fault(v=2, kind="of the future")
    assert found.code == "version_mismatch"
    assert found.message == "The request speaks version 2 of the socket protocol, this host version 1."


@pytest.mark.parametrize("fields", [{}, {"token": None}, {"token": 5}, {"token": ""}, {"token": ["t"]}])
def test_without_a_token_nothing_else_is_looked_at(fields: dict[str, Any]) -> None:
    for request in (fields, {**fields, "kind": "nope", "v": 9}):
        with pytest.raises(WireFault) as caught:
            parse_request(encode(request))
        assert caught.value.code == "not_authorized"


def test_the_token_is_read_before_the_kind_is_known_to_exist() -> None:
    assert authority_fields({"token": "t", "kind": "nope", "v": "x"}) == ("t", "nope")
    assert authority_fields({"token": "t", "kind": 5}) == ("t", "")


@pytest.mark.parametrize(
    "payload", [b"", b"{", b"\xff", b"[]", b"null", b'"x"', b'{"token":"s3cret","a":NaN}', b"[" * 100_000]
)
def test_unreadable_payloads_are_invalid_requests(payload: bytes) -> None:
    with pytest.raises(WireFault) as caught:
        decode_request(payload)
    assert caught.value.code == "invalid_request"
    assert "s3cret" not in caught.value.message


def test_a_payload_over_sixteen_mib_is_too_large() -> None:
    with pytest.raises(WireFault) as caught:
        decode_request(b" " * (MAX_FRAME + 1))
    assert caught.value.code == "too_large"


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)
FIELDS = sorted({name for built, _ in BUILT for name in built})


@given(
    kind=st.sampled_from(sorted(models.KINDS)), fields=st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=8)
)
def test_any_object_is_a_request_or_one_fault(kind: str, fields: dict[str, Any]) -> None:
    try:
        found = validate({"token": "t", **fields, "kind": kind})
    except WireFault as error:
        assert error.message.endswith(".")
    else:
        assert found.kind == kind
