"""The dicts that are sent, and what is made of the answers."""

from typing import Any

import pytest

from codeg.wire import requests
from codeg.wire.payload import encode
from codeg.wire.requests import BadResponse, RemoteError


def test_every_request_names_its_kind_version_and_token() -> None:
    assert requests.catalog("t") == {"kind": "catalog", "v": 1, "token": "t"}


def test_absent_options_are_left_out_and_zero_is_not_absent() -> None:
    assert requests.status("t", ["a"]) == {"kind": "status", "v": 1, "token": "t", "task_ids": ["a"]}
    asked = requests.status("t", ["a"], wait_ms=0, result_offset=0, max_bytes=5)
    assert (asked["wait_ms"], asked["result_offset"], asked["max_bytes"]) == (0, 0, 5)


def test_an_operator_request_carries_its_fields_beside_the_op() -> None:
    found = requests.operator("t", "answer", request_id="q1", options=None, decline=False)
    assert found == {"kind": "operator", "v": 1, "token": "t", "op": "answer", "request_id": "q1", "decline": False}


@pytest.mark.parametrize("value", [None, 0, {"a": 1}, [], "x"])
def test_an_outcome_is_given_back(value: Any) -> None:
    assert requests.parse_response(encode(requests.outcome(value))) == value


def test_an_error_frame_is_raised() -> None:
    with pytest.raises(RemoteError) as caught:
        requests.parse_response(encode(requests.refusal("busy", "Too many connections.")))
    assert (caught.value.code, caught.value.message) == ("busy", "Too many connections.")
    assert not isinstance(caught.value, BadResponse)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no JSON"),
        (b"\xff", "no UTF-8"),
        (b"[]", "no object"),
        (b"{}", "neither an outcome nor an error"),
        (b'{"error":null}', "neither"),
        (b'{"error":"x"}', "error is no object"),
        (b'{"error":{"code":1,"message":"x"}}', "lacks a code or a message"),
        (b'{"error":{"code":"busy"}}', "lacks a code or a message"),
    ],
)
def test_what_is_no_response_is_said_so(content: bytes, says: str) -> None:
    with pytest.raises(BadResponse, match=says) as caught:
        requests.parse_response(content)
    assert caught.value.code == "host_unavailable"
    assert caught.value.message.startswith("The answer of the host cannot be used: It")
