"""One frame out of a stream: length first, judged before anything is held."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.wire.frames import MAX_FRAME, FrameReader, FrameTooLarge, encode, pack


def read(frame: bytes, piece: int, reader: FrameReader) -> tuple[list[bytes], bytes]:
    found = [reader.feed(frame[at : at + piece]) for at in range(0, len(frame), piece)]
    return [payload for payload in found if payload is not None], reader.extra


def test_a_frame_is_a_little_endian_length_and_utf8_json() -> None:
    frame = encode({"kind": "call", "task": "\u6f22\ud800"})
    assert frame[:4] == (len(frame) - 4).to_bytes(4, "little")
    assert json.loads(frame[4:]) == {"kind": "call", "task": "\u6f22\ufffd"}
    assert pack(frame[4:]) == frame


@given(payload=st.binary(max_size=60), cuts=st.lists(st.integers(0, 70), max_size=10), extra=st.binary(max_size=5))
def test_a_frame_split_anywhere_is_given_once(payload: bytes, cuts: list[int], extra: bytes) -> None:
    reader = FrameReader()
    frame = pack(payload)
    edges = [0, *sorted(cut for cut in cuts if cut < len(frame)), len(frame)]
    found: list[bytes] = []
    for start, stop in pairwise(edges):
        data = frame[start:stop] + (extra if stop == len(frame) else b"")
        given_now = reader.feed(data)
        found += [given_now] if given_now is not None else []
        assert reader.held <= max(3, len(payload))
    assert found == [payload]
    assert reader.extra == extra
    assert reader.feed(b"more") is None
    assert reader.extra == extra
    assert reader.held == 0


@pytest.mark.parametrize("piece", [1, 3, 4, 5, 1000])
def test_an_empty_payload_is_a_payload(piece: int) -> None:
    assert read(pack(b"") + b"x", 5, FrameReader()) == ([b""], b"x")
    assert read(pack(b""), piece, FrameReader()) == ([b""], b"")


def test_the_length_is_known_before_the_payload() -> None:
    reader = FrameReader()
    assert reader.feed(b"\x05\x00\x00") is None
    assert reader.announced is None
    assert reader.feed(b"\x00a") is None
    assert reader.announced == 5
    assert reader.held == 1


def test_a_length_over_the_limit_is_refused_before_anything_is_held() -> None:
    reader = FrameReader()
    with pytest.raises(FrameTooLarge) as caught:
        reader.feed((MAX_FRAME + 1).to_bytes(4, "little") + b"a" * 1000)
    assert (caught.value.size, caught.value.limit) == (MAX_FRAME + 1, MAX_FRAME)
    assert str(caught.value) == "The frame holds 16777217 bytes; at most 16777216 are taken."
    assert reader.held == 0
    with pytest.raises(FrameTooLarge):
        reader.feed(b"a")
    assert reader.held == 0


def test_a_lower_limit_holds_until_it_is_raised() -> None:
    reader = FrameReader(limit=10)
    reader.feed(b"\x0b\x00\x00")
    with pytest.raises(FrameTooLarge, match="at most 10"):
        reader.feed(b"\x00")
    reader.limit = MAX_FRAME
    assert reader.feed(b"a" * 11) == b"a" * 11


def test_a_payload_of_exactly_the_limit_passes_and_one_byte_more_is_not_made() -> None:
    payload = b"a" * MAX_FRAME
    assert FrameReader().feed(pack(payload)) == payload
    with pytest.raises(FrameTooLarge):
        pack(payload + b"a")
    with pytest.raises(FrameTooLarge):
        encode("a" * (MAX_FRAME - 1))
