"""The socket reads JSON exactly as the companion's other side does: two rooms, one meaning."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.jsonrpc import codec
from codeg.wire import payload

CASES = [
    b"{}",
    b' {"a":[1,2.5,true,null,"\xf0\x9f\x90\x9d"]}\r\n',
    b"18446744073709551617",
    rb'"\ud800 \ud83d\udc1d \uDFFF"',
    rb'{"\udead":"\\ud800"}',
    b"[" * 512 + b"1" + b"]" * 512,
    b"[" * 513 + b"1" + b"]" * 513,
    b'{"a":' * 513 + b"1" + b"}" * 513,
    b'[{"a":[]},' + b"{}," * 900 + b"1]",
    b"[" * 200_000,
    b"1" * 3000,
    b"1" * 5000,
    b"",
    b" ",
    b"\x0b1",
    b"\xef\xbb\xbf1",
    b"{} {}",
    b'{"a":}',
    b"\xff",
    b"NaN",
    b"-Infinity",
    b"1e999",
]


def outcome(module: Any, content: bytes) -> Any:
    try:
        return module.decode(content)
    except (codec.Undecodable, payload.Unreadable) as error:
        assert str(error).startswith(("It ", "The message "))
        return type(error).__base__


@pytest.mark.parametrize("content", CASES, ids=lambda content: repr(content[:12]))
def test_both_rooms_read_alike(content: bytes) -> None:
    assert outcome(payload, content) == outcome(codec, content)


@given(content=st.one_of(st.binary(max_size=30), st.text(alphabet='{}[]",:\\ud8c019eE+-.NaIntrufls ').map(str.encode)))
def test_both_rooms_read_any_bytes_alike(content: bytes) -> None:
    assert outcome(payload, content) == outcome(codec, content)


@pytest.mark.parametrize("value", [{"a": [1, 2**70, 1.5, None, True, "\u6f22\ud800"]}, "x", 0])
def test_both_rooms_write_alike(value: Any) -> None:
    assert payload.encode(value) == codec.encode(value)


@pytest.mark.parametrize(("value", "error"), [(math.nan, ValueError), ({"a": {1}}, TypeError)])
def test_both_rooms_refuse_to_write_alike(value: Any, error: type[Exception]) -> None:
    for module in (payload, codec):
        with pytest.raises(error):
            module.encode(value)
