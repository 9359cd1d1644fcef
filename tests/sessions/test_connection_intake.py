"""Bytes of an agent to messages: noise, faults and bounds."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.jsonrpc.messages import Notification, Response
from codeg.sessions.intake import MAX_NOISE_BYTES, Intake, ProtocolBroken

NOTE = b'{"jsonrpc":"2.0","method":"m","params":{"n":1}}'


def intake(limit: int = 1 << 20) -> Intake:
    return Intake(lambda _quoted: None, limit)


def read(*pieces: bytes) -> list[object]:
    reader = intake()
    return [*(message for piece in pieces for message in reader.feed(piece)), *reader.end()]


def broken(*pieces: bytes, limit: int = 1 << 20) -> str:
    reader = intake(limit)
    with pytest.raises(ProtocolBroken) as caught:
        for piece in pieces:
            list(reader.feed(piece))
    return caught.value.what


@pytest.mark.parametrize("line", [NOTE, b"  " + NOTE, b"\xef\xbb\xbf" + NOTE, NOTE + b"\r", NOTE[:1] + b" " + NOTE[1:]])
def test_a_message_is_read_with_whatever_space_is_around_it(line: bytes) -> None:
    assert read(line + b"\n") == [Notification("m", {"n": 1})]


def test_a_last_line_without_its_end_counts_unless_it_is_cut() -> None:
    assert read(NOTE) == [Notification("m", {"n": 1})]
    assert read(NOTE[:-3]) == []


def test_the_version_may_be_missing() -> None:
    [message] = read(b'{"id":1,"result":{}}\n')
    assert isinstance(message, Response)


@pytest.mark.parametrize(
    "line", [b"hello", b"[1]", b"42", b"null", b"\xff\xfe", b'{"level":"info"}', b"\x1b[0m{}", b"{}"]
)
def test_noise_is_passed_over_and_told(line: bytes) -> None:
    told: list[str] = []
    reader = Intake(told.append)
    assert list(reader.feed(line + b"\n" + NOTE + b"\n")) == [Notification("m", {"n": 1})]
    assert len(told) == 1


def test_a_thousand_lines_of_noise_in_a_row_are_borne_and_one_more_is_not() -> None:
    reader = intake()
    list(reader.feed(b"first\n" + b"more\n" * 999))
    list(reader.feed(NOTE + b"\n"))
    list(reader.feed(b"again\n" + b"more\n" * 999))
    with pytest.raises(ProtocolBroken, match="'again'"):
        list(reader.feed(b"last\n"))


def test_a_mebibyte_of_noise_is_borne_and_more_is_not() -> None:
    line = b"x" * (MAX_NOISE_BYTES // 2)
    assert read(line + b"\n" + line + b"\n" + NOTE + b"\n")
    assert "'xxx" in broken(line + b"\n", line + b"\n", b"y\n")


def test_noise_is_told_a_few_times_only() -> None:
    told: list[str] = []
    list(Intake(told.append).feed(b"noise\n" * 900))
    assert len(told) == 5


def test_messages_before_a_fault_are_given_out() -> None:
    messages = intake().feed(NOTE + b"\n{broken\n")
    assert next(messages) == Notification("m", {"n": 1})
    with pytest.raises(ProtocolBroken):
        next(messages)


@pytest.mark.parametrize(
    "line", [b"{broken", b'{"jsonrpc"', b'{"a": NaN}', b'{"a": 1e999}', b'{"a":"\xff"}', b"{" + b'"a":{' * 5000]
)
def test_a_line_that_begins_like_a_message_and_is_none_is_a_fault_that_quotes_it(line: bytes) -> None:
    assert repr(line[:10].decode("utf-8", "replace"))[1:-1] in broken(line + b"\n")


def test_a_line_of_noise_without_an_end_is_not_held() -> None:
    reader = intake(1 << 26)
    with pytest.raises(ProtocolBroken, match="'AAAA"):
        for _ in range(40):
            list(reader.feed(b"A" * 65536))


def test_a_line_of_noise_behind_a_long_message_is_not_held_either() -> None:
    reader = intake(1 << 26)
    long = b'{"jsonrpc":"2.0","method":"m","params":{"t":"' + b"x" * 300
    assert list(reader.feed(long)) == []
    assert len(list(reader.feed(b'"}}\nAA'))) == 1
    with pytest.raises(ProtocolBroken, match="'AAAA"):
        for _ in range(40):
            list(reader.feed(b"A" * 65536))


def test_a_message_without_an_end_is_held_to_the_limit_only() -> None:
    assert "more than 100000 bytes" in broken(b'{"a":"', *[b"x" * 65536] * 4, limit=100_000)


def test_a_large_message_in_pieces_is_no_noise() -> None:
    message = json.dumps({"jsonrpc": "2.0", "method": "m", "params": {"t": "x" * (3 << 20)}}).encode() + b"\n"
    reader = intake(1 << 26)
    pieces = [message[at : at + 65536] for at in range(0, len(message), 65536)]
    assert len([found for piece in pieces for found in reader.feed(piece)]) == 1


LINES = st.lists(
    st.sampled_from([NOTE, b"noise", b"", b"{}", b"[1]", " ünï".encode(), b'{"jsonrpc":"2.0","id":1,"result":2}'])
)


@given(LINES, st.lists(st.integers(1, 40)))
def test_pieces_of_any_size_give_the_same_messages(lines: list[bytes], cuts: list[int]) -> None:
    data = b"\n".join(lines)
    pieces: list[bytes] = []
    at = 0
    for cut in cuts:
        pieces.append(data[at : at + cut])
        at += cut
    pieces.append(data[at:])
    assert read(*pieces) == read(data)
