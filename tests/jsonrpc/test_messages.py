"""What a JSON value means in JSON-RPC 2.0."""

from typing import Any

import pytest

from codeg.jsonrpc import messages
from codeg.jsonrpc.messages import Invalid, Notification, Request, Response, RpcError, classify


def v2(**fields: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", **fields}


@pytest.mark.parametrize("call_id", [0, 1, -1, 2**64 + 1, 1.5, 42.0, "", "a\U0001f41d"])
@pytest.mark.parametrize("params", [{}, [], {"a": 1}, [1]])
def test_a_method_with_an_id_is_a_request(call_id: Any, params: Any) -> None:
    found = classify(v2(id=call_id, method="m", params=params))
    assert found == Request(call_id, "m", params)
    assert isinstance(found, Request)
    assert type(found.id) is type(call_id)


def test_params_may_be_absent_and_further_fields_are_ignored() -> None:
    assert classify(v2(id=1, method="m", extra=1)) == Request(1, "m", None)
    assert classify(v2(method="m", extra=1)) == Notification("m", None)


def test_a_method_without_an_id_is_a_notification() -> None:
    assert classify(v2(method="m", params={"a": 1})) == Notification("m", {"a": 1})


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "x", [], [v2(id=1, method="m")]])
def test_a_value_that_is_no_object_is_invalid(value: Any) -> None:
    assert classify(value) == Invalid(None, "A message must be one JSON object.")


@pytest.mark.parametrize("call_id", [None, True, False, [], {}, [1]])
def test_a_request_with_an_unusable_id_is_invalid_without_an_id(call_id: Any) -> None:
    assert classify(v2(id=call_id, method="m")) == Invalid(None, "The field id must be a string or a number.")


@pytest.mark.parametrize("version", [None, 2.0, 2, "1.0", "2", ["2.0"]])
@pytest.mark.parametrize(("call_id", "known"), [(7, 7), ("a", "a"), (None, None), (True, None), ([], None)])
def test_another_version_is_invalid_with_the_id_where_it_is_usable(version: Any, call_id: Any, known: Any) -> None:
    found = classify({"jsonrpc": version, "id": call_id, "method": "m"})
    assert found == Invalid(known, 'The field jsonrpc must be "2.0".')
    assert classify({"id": call_id, "method": "m"}) == found


@pytest.mark.parametrize("method", [None, 1, [], {}, True])
def test_a_method_that_is_no_string_is_invalid(method: Any) -> None:
    assert classify(v2(id=3, method=method)) == Invalid(3, "The field method must be a string.")
    assert classify(v2(method=method)) == Invalid(None, "The field method must be a string.")


@pytest.mark.parametrize("params", [None, 1, "x", True, 1.5])
def test_params_of_another_kind_are_invalid(params: Any) -> None:
    says = "The field params must be an object or an array."
    assert classify(v2(id=3, method="m", params=params)) == Invalid(3, says)
    assert classify(v2(method="m", params=params)) == Invalid(None, says)


@pytest.mark.parametrize("fields", [{}, {"id": 5}, {"id": 5, "params": {}}])
def test_an_object_that_is_neither_call_nor_answer_is_invalid(fields: dict[str, Any]) -> None:
    assert classify(v2(**fields)) == Invalid(fields.get("id"), "The field method is missing.")


@pytest.mark.parametrize("result", [None, 0, "", {}, {"a": 1}])
def test_an_answer_carries_its_result(result: Any) -> None:
    assert classify(v2(id=1, result=result)) == Response(1, result, None)
    assert classify(v2(id=1, result=result, error=None)) == Response(1, result, None)


def test_an_answer_carries_its_error_whatever_stands_beside_it() -> None:
    found = classify(v2(id="a", result=None, error={"code": -32000, "message": "no", "data": [1]}))
    assert isinstance(found, Response)
    assert found.id == "a"
    assert found.error is not None
    assert (found.error.code, found.error.message, found.error.data) == (-32000, "no", [1])
    assert str(found.error) == "no"


def test_an_answer_without_an_id_names_no_call() -> None:
    assert classify(v2(id=None, result=1)) == Response(None, 1, None)
    assert classify(v2(result=1)) == Response(None, 1, None)
    assert classify(v2(id=True, result=1)) == Invalid(None, "The field id must be a string or a number.")


@pytest.mark.parametrize(
    ("value", "code", "message"),
    [
        ({"code": 5, "message": "x"}, 5, "x"),
        ({"code": "5", "message": "x"}, -32603, "x"),
        ({"code": True, "message": 1}, -32603, "The peer gave no reason."),
        ({"code": 5, "message": ""}, 5, "The peer gave no reason."),
        ({}, -32603, "The peer gave no reason."),
        ("broken", -32603, "broken"),
        ("", -32603, "The peer gave no reason."),
        (None, -32603, "The peer gave no reason."),
        ([1], -32603, "The peer gave no reason."),
    ],
)
def test_errors_of_peers_are_read_however_odd(value: Any, code: int, message: str) -> None:
    found = RpcError.from_object(value)
    assert (found.code, found.message, found.data) == (code, message, None)


def test_builders_make_what_classify_reads() -> None:
    assert classify(messages.request(1, "m", {"a": 1})) == Request(1, "m", {"a": 1})
    assert messages.request("a", "m") == v2(id="a", method="m")
    assert classify(messages.notification("m", [])) == Notification("m", [])
    assert messages.notification("m") == v2(method="m")
    assert classify(messages.result(1, None)) == Response(1, None, None)
    assert messages.error(None, messages.PARSE_ERROR, "no") == v2(id=None, error={"code": -32700, "message": "no"})
    assert messages.error(2, -1, "no", {"x": 1}) == v2(id=2, error={"code": -1, "message": "no", "data": {"x": 1}})


def test_messages_compare_by_kind_and_content_and_show_themselves() -> None:
    assert Notification("m", None) != Request(1, "m", None)
    assert Notification("m", None) != "m"
    assert Request(1, "m", None) != Request(2, "m", None)
    assert repr(Invalid(1, "x")) == "Invalid(id=1, message='x')"
    with pytest.raises(TypeError, match="unhashable"):
        hash(Notification("m", None))
