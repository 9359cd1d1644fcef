"""Any stream, split at any bytes, gives the same items as all at once."""

from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from codeg.jsonrpc.framing import Fault, Frame, Splitter, wrap

LIMIT = 60


def header_line(name: bytes, value: bytes) -> bytes:
    return name + b": " + value


def block(lines: list[bytes], end: bytes, last: bytes) -> bytes:
    return end.join([*lines, last]) + end


def padded_block(size: int) -> bytes:
    return b"Content-Length: 3\nX: " + b"a" * size + b"\n\n{}\n"


def long_line(size: int, end: bytes) -> bytes:
    return b"a" * size + end


def number(value: int) -> bytes:
    return b"%d" % value


json_texts = st.sampled_from(
    [b"{}", b"[1,2]", b'{"a":"\xf0\x9f\x90\x9d"}', b'{"x":"Content-Length: 3"}', b'{"long":"' + b"a" * 45 + b'"}']
)
bodies = st.one_of(json_texts, st.binary(max_size=LIMIT))
names = st.sampled_from([b"Content-Length", b"content-length", b"Content-Type", b"X-Y", b"bad name", b""])
values = st.one_of(st.builds(number, st.integers(-2, 90)), st.sampled_from([b"", b"x", b"9" * 20]))
header_lines = st.builds(header_line, names, values)
line_ends = st.sampled_from([b"\n", b"\r\n"])
good_messages = st.builds(wrap, json_texts, st.booleans())
rubbish = st.one_of(
    st.builds(block, st.lists(header_lines, max_size=4), line_ends, bodies),
    st.builds(header_line, st.binary(max_size=2 * LIMIT), line_ends),
    st.builds(padded_block, st.integers(8150, 8200)),
    st.builds(long_line, st.integers(LIMIT - 2, LIMIT + 3), line_ends),
    st.just(b"Content-Length: 70\r\n\r\n" + b"b" * 70),
    st.binary(max_size=10),
)
streams = st.lists(st.one_of(good_messages, rubbish), max_size=8).map(b"".join)


def read(stream: bytes, cuts: list[int], headers: bool) -> list[Frame | Fault]:
    splitter = Splitter(LIMIT, headers)
    found: list[Frame | Fault] = []
    edges = [0, *sorted({cut % (len(stream) + 1) for cut in cuts}), len(stream)]
    for start, stop in pairwise(edges):
        found += splitter.feed(stream[start:stop])
        assert splitter.held <= 8 * 1024 + 2
    return found + splitter.end()


@given(stream=streams, cuts=st.lists(st.integers(0, 20_000), max_size=30), headers=st.booleans())
@example(stream=b"Content-Length: x\n\n{}Content-Length: 2\n\n[]", cuts=[20, 21, 22], headers=True)
@settings(max_examples=300)
def test_pieces_give_what_the_whole_gives(stream: bytes, cuts: list[int], headers: bool) -> None:
    assert read(stream, cuts, headers) == read(stream, [], headers)


@given(stream=streams, headers=st.booleans())
@settings(max_examples=150)
def test_single_bytes_give_what_the_whole_gives(stream: bytes, headers: bool) -> None:
    assert read(stream, list(range(len(stream))), headers) == read(stream, [], headers)


@given(
    messages=st.lists(st.tuples(json_texts, st.booleans()), max_size=20),
    cuts=st.lists(st.integers(0, 2000), max_size=20),
)
def test_whole_messages_come_out_as_they_went_in(messages: list[tuple[bytes, bool]], cuts: list[int]) -> None:
    stream = b"".join(wrap(body, framed) for body, framed in messages)
    assert read(stream, cuts, headers=True) == [Frame(body, framed) for body, framed in messages]


@given(before=rubbish)
@settings(max_examples=150)
def test_a_blank_line_and_a_message_after_any_rubbish_are_served(before: bytes) -> None:
    # Whatever a body of at most 90 bytes or an endless line swallows, a peer that goes on gets through.
    stream = before + b"\n" * 100 + b'\n{"on":1}\n'
    assert read(stream, [], headers=True)[-1] == Frame(b'{"on":1}', framed=False)
