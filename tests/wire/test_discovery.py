"""The record of the running host."""

import json
from typing import Any

import pytest

from codeg.wire import discovery
from codeg.wire.discovery import BadDiscovery, Discovery

RECORD = {
    "v": 1,
    "pid": 42,
    "socket": "/run/broker.sock",
    "token": "s3cret",
    "version": "0.1.0",
    "started_at": "2026-01-02T03:04:05.678Z",
}


def test_what_is_dumped_is_parsed() -> None:
    record = Discovery(42, "/run/broker.sock", "s3cret", "0.1.0", started_at="2026-01-02T03:04:05.678Z")
    content = discovery.dump(record)
    assert json.loads(content) == RECORD
    assert content.endswith(b"}\n")
    again = discovery.parse(content)
    assert discovery.dump(again) == content


def test_unknown_fields_are_ignored() -> None:
    assert discovery.read({**RECORD, "more": [1]}).pid == 42


def test_the_token_is_not_shown() -> None:
    assert "s3cret" not in repr(discovery.read(RECORD))


def test_another_protocol_version_is_said_before_anything_else() -> None:
    with pytest.raises(BadDiscovery) as caught:
        discovery.read({"v": 2, "shape": "of the future"})
    assert caught.value.code == "version_mismatch"
    assert str(caught.value) == "The running host speaks version 2 of the socket protocol, this program version 1."


@pytest.mark.parametrize("name", list(RECORD))
@pytest.mark.parametrize("value", [None, "", 0, [], True, {}])
def test_a_field_of_the_wrong_kind_is_named_and_its_value_is_not(name: str, value: Any) -> None:
    with pytest.raises(BadDiscovery, match=f"lacks a usable {name};") as caught:
        discovery.read({**RECORD, name: value} if value != 0 or name != "v" else {**RECORD, "v": None})
    assert caught.value.code == "host_unavailable"
    assert "s3cret" not in caught.value.message


@pytest.mark.parametrize("name", list(RECORD))
def test_a_missing_field_is_named(name: str) -> None:
    fields = {key: value for key, value in RECORD.items() if key != name}
    with pytest.raises(BadDiscovery, match=f"lacks a usable {name};"):
        discovery.read(fields)


@pytest.mark.parametrize("content", [b"", b"{", b'{"token":"s3cret"', b"\xff", b"NaN", b"[]", b"null", b"[" * 5000])
def test_unreadable_content_is_one_sentence(content: bytes) -> None:
    with pytest.raises(BadDiscovery, match=r"^The discovery file (cannot be read|holds no record); ") as caught:
        discovery.parse(content)
    assert caught.value.code == "host_unavailable"
    assert "s3cret" not in caught.value.message
