"""Where a message begins and ends, in both framings, whatever the peer does wrong."""

import pytest

from codeg.jsonrpc.framing import EXCERPT, MAX_HEADER, MAX_LENGTH, Fault, Frame, Splitter, wrap

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


def split(*pieces: bytes, limit: int = 1000, headers: bool = True) -> list[Frame | Fault]:
    splitter = Splitter(limit, headers)
    found = [item for piece in pieces for item in splitter.feed(piece)]
    found += splitter.end()
    assert splitter.held == 0
    return found


def line(payload: bytes = PING) -> Frame:
    return Frame(payload, framed=False)


def framed(payload: bytes = PING) -> Frame:
    return Frame(payload, framed=True)


def bad(excerpt: bytes) -> Fault:
    return Fault("bad_header", True, excerpt)


def test_both_framings_stand_in_one_stream_each_told_apart() -> None:
    assert split(PING + b"\n" + wrap(PING, True) + PING + b"\r\n" + wrap(PING, True)) == [
        line(),
        framed(),
        line(),
        framed(),
    ]


@pytest.mark.parametrize("is_framed", [True, False])
def test_what_was_wrapped_is_split_again(is_framed: bool) -> None:
    assert split(wrap(PING, is_framed)) == [Frame(PING, is_framed)]


def test_only_a_line_feed_ends_a_line() -> None:
    odd = b'{"a":"\x0b\x0c\x1c\x1d\x85\xe2\x80\xa8"}\r{}'
    assert split(odd + b"\n") == [line(odd)]


def test_one_carriage_return_before_the_line_feed_is_dropped_also_when_split() -> None:
    assert split(b"{}\r\n") == [line(b"{}")]
    assert split(b"{}\r", b"\n") == [line(b"{}")]
    assert split(b"{}", b"\r\n") == [line(b"{}")]
    assert split(b"{}\r\r\n") == [line(b"{}\r")]


def test_blank_lines_are_skipped() -> None:
    assert split(b"\n\r\n \t \r\n\n{}\n\n", b"\r", b"\n", b" ") == [line(b"{}")]


def test_the_last_line_is_served_without_its_newline() -> None:
    assert split(PING) == [line()]
    assert split(b"{}\n" + PING + b"\r") == [line(b"{}"), line()]


def test_a_splitter_starts_afresh_after_the_end() -> None:
    splitter = Splitter()
    assert splitter.feed(b"Content-Length: 10\n\n{") == []
    assert splitter.held == 1
    assert [type(item) for item in splitter.end()] == [Fault]
    assert splitter.end() == []
    assert splitter.feed(b"{}\n") == [line(b"{}")]


@pytest.mark.parametrize(
    "block",
    [
        b"Content-Length: 40\r\n\r\n",
        b"content-length:40\n\n",
        b"CONTENT-LENGTH \t:\t 0040 \r\n\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 40\r\n\r\n",
        b'Content-Type: a; charset="utf-8"\r\nContent-Length: 40\r\n\r\n',
        b"Content-Length: 40\r\nX-Trace_1: a:b\r\nContent-Length: 40\r\n\r\n",
    ],
)
def test_header_blocks_that_are_understood(block: bytes) -> None:
    assert split(block + PING + b"{}\n") == [framed(), line(b"{}")]


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"abc",
        b"-5",
        b"+5",
        b"5 bytes",
        b"0x10",
        b"1_0",
        b"5.0",
        b"9" * 5000,
        str(MAX_LENGTH + 1).encode(),
        b"\xb2",
    ],
)
def test_a_block_without_a_good_length_costs_one_fault(value: bytes) -> None:
    block = b"Content-Length: " + value
    assert split(block + b"\r\n\r\n" + PING + b"\n", limit=9000) == [bad((block + b"\n")[:EXCERPT]), line()]


@pytest.mark.parametrize(
    "wrong", [b"Content-Length: 3\nContent-Length: 4", b"Content-Type: x", b"Content-Length: 3\nhm"]
)
def test_contradiction_absence_and_rubbish_in_a_block_cost_one_fault(wrong: bytes) -> None:
    assert split(wrong + b"\n\n" + PING + b"\n") == [bad(wrong + b"\n"), line()]


@pytest.mark.parametrize("name", [b": 5", b"Content Length: 5", b"Content-L\xc3\xa4nge: 5", b"Content-Length"])
def test_only_header_names_make_a_header(name: bytes) -> None:
    if name.startswith(b"Content-"):
        assert split(name + b"\n{}\n") == [line(name), line(b"{}")]
    assert split(b"Content-Type: a\n" + name + b"\n\n{}\n")[1:] == [line(b"{}")]


def test_other_lines_with_a_colon_are_lines() -> None:
    noise = b"Error: no such file\n" + b'"Content-Length: 5"\n' + b'{"Content-Length":5}\n' + b"Connection: x\n"
    assert split(noise) == [line(part) for part in noise.splitlines()]


def test_a_json_line_inside_a_block_ends_it_and_is_served() -> None:
    assert split(b"Content-Length: 40\r\n" + PING + b"\r\n" + PING + b"\n") == [
        bad(b"Content-Length: 40\n"),
        line(),
        line(),
    ]
    assert split(b"Content-Length: 40\r\n", b"[", b"]\n") == [bad(b"Content-Length: 40\n"), line(b"[]")]


def test_a_body_glued_to_the_next_header_block_does_not_cost_that_block() -> None:
    stream = b"Content-Length: x\r\n\r\n" + PING + wrap(b"{}", True) + b"[1]" + wrap(b"[2]", True)
    assert split(stream) == [bad(b"Content-Length: x\n"), line(), framed(b"{}"), line(b"[1]"), framed(b"[2]")]


@pytest.mark.parametrize("text", [b'"x}content-length: 5"', b"[]content-x", b"x content-length: 5", b'{"a":1} '])
def test_a_line_is_cut_only_behind_a_json_text(text: bytes) -> None:
    assert split(text + b"\n") == [line(text)]


def test_an_empty_body_is_a_message() -> None:
    assert split(b"Content-Length: 0\r\n\r\n" + PING + b"\n") == [framed(b""), line()]


def test_lines_only_knows_no_headers() -> None:
    stream = wrap(PING, True) + b"\n"
    assert split(stream, headers=False) == [line(b"Content-Length: 40"), line()]


def test_a_body_may_hold_line_feeds_and_headers() -> None:
    body = b'{\n"Content-Length: 3"\n}\n\n'
    assert split(wrap(body, True) + wrap(body, True)) == [framed(body), framed(body)]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_line_of_exactly_the_limit_is_served_and_one_byte_more_is_not(end: bytes) -> None:
    assert split(b"a" * 10 + end + b"{}" + end, limit=10) == [line(b"a" * 10), line(b"{}")]
    assert split(b"a" * 11 + end + b"{}" + end, limit=10) == [Fault("too_long", False, b"a" * 10), line(b"{}")]


def test_a_fault_tells_of_an_endless_line_at_once_and_nothing_of_it_is_held() -> None:
    splitter = Splitter(limit=1000)
    found: list[Frame | Fault] = []
    for _ in range(1000):
        found += splitter.feed(b"a" * 999)
        assert splitter.held <= 1001
    assert found == [Fault("too_long", False, b"a" * EXCERPT)]
    assert splitter.held == 0
    assert splitter.feed(b"\n{}\n") == [line(b"{}")]


def test_a_body_over_the_limit_is_one_fault_and_is_skipped_unheld() -> None:
    splitter = Splitter(limit=1000)
    assert splitter.feed(b"Content-Length: 1001\r\n\r\n") == [Fault("too_long", True, b"Content-Length: 1001\n")]
    assert splitter.feed(b"\n" * 1000) == []
    assert splitter.held == 0
    assert splitter.feed(b"x" + PING + b"\n") == [line()]
    assert splitter.feed(wrap(b"a" * 1000, True)) == [framed(b"a" * 1000)]


def test_a_limit_above_the_plausible_length_is_believed() -> None:
    splitter = Splitter(limit=2 * MAX_LENGTH)
    assert splitter.feed(b"Content-Length: %d\n\n{" % (MAX_LENGTH + 5)) == []
    assert splitter.held == 1


@pytest.mark.parametrize("pieces", [1, 7, 100_000])
def test_a_block_over_eight_kib_is_one_fault_up_to_its_blank_line(pieces: int) -> None:
    block = b"Content-Length: 40\r\n" + b"X-Pad: " + b"a" * 3 * MAX_HEADER + b"\r\n" + b"X-More: b\r\n" * 2000
    stream = block + b"\r\n" + PING + b"\n"
    found = split(*(stream[at : at + pieces] for at in range(0, len(stream), pieces)), limit=100_000)
    assert found == [bad((b"Content-Length: 40\nX-Pad: " + b"a" * EXCERPT)[:EXCERPT]), line()]


def test_a_header_line_that_never_ends_is_not_held() -> None:
    splitter = Splitter()
    assert splitter.feed(b"Content-Type: a\n" + b"x" * MAX_HEADER)[0].__class__ is Fault
    for _ in range(10):
        assert splitter.feed(b"x" * MAX_HEADER) == []
        assert splitter.held == 0
    assert splitter.feed(b"\n\n{}\n") == [line(b"{}")]


@pytest.mark.parametrize("spare", range(4))
def test_the_blank_line_counts_for_nothing_at_the_edge_of_eight_kib(spare: int) -> None:
    first = b"Content-Length: 2\n"
    pad = b"X: " + b"a" * (MAX_HEADER - len(first) - 3 - spare)
    for pieces in ([first + pad + b"\n\r\n{}"], [first, pad, b"\n", b"\r", b"\n", b"{", b"}"]):
        assert split(*pieces, limit=10_000) == [framed(b"{}")]


@pytest.mark.parametrize(
    "cut", [b"Content-Length: 9", b"Content-Length: 9\n", b"Content-Length: 9\r\nX", b"Content-Length: 9\n\r"]
)
def test_a_stream_that_ends_in_a_header_block_is_a_fault(cut: bytes) -> None:
    (found,) = split(b"{}\n" + cut)[1:]
    assert isinstance(found, Fault)
    assert (found.reason, found.framed) == ("unfinished", True)
    assert found.excerpt.startswith(b"Content-Length: 9")


def test_a_stream_that_ends_in_a_body_is_a_fault_that_quotes_the_body() -> None:
    assert split(b"Content-Length: 900\n\n" + b"a" * 899) == [Fault("unfinished", True, b"a" * EXCERPT)]


@pytest.mark.parametrize("skipped", [b"a" * 1001, b"Content-Length: 1001\n\nabc", b"Content-Type: x\n" + b"a" * 9000])
def test_what_was_refused_is_not_refused_again_at_the_end(skipped: bytes) -> None:
    assert len(split(skipped)) == 1
    assert len(split(skipped[:-1], skipped[-1:])) == 1


def test_items_compare_by_content_and_show_themselves() -> None:
    assert len({line(), line(), framed()}) == 2
    assert len({bad(b"a"), bad(b"a"), bad(b"b")}) == 2
    assert line() != bad(b"")
    assert bad(b"") != line()
    assert repr(line(b"{}")) == "Frame(b'{}', framed=False)"
    assert repr(bad(b"x")) == "Fault('bad_header', framed=True, excerpt=b'x')"
