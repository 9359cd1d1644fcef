"""The tail of stderr: the last lines at a bounded cost, fed in any pieces."""

import sys

from hypothesis import given
from hypothesis import strategies as st

from codeg.sessions.stderr_tail import MAX_BYTES, MAX_LINES, StderrTail


def tail(*pieces: bytes) -> tuple[str, ...]:
    made = StderrTail()
    for piece in pieces:
        made.feed(piece)
    return made.lines()


@given(st.lists(st.binary(max_size=30), max_size=20))
def test_the_pieces_in_which_it_comes_make_no_difference(pieces: list[bytes]) -> None:
    assert tail(*pieces) == tail(b"".join(pieces))


def test_the_last_hundred_lines_are_kept() -> None:
    assert tail(*(b"%d\n" % number for number in range(1000))) == tuple(str(number) for number in range(900, 1000))


def test_a_last_line_without_an_end_counts_and_blank_ones_at_the_end_do_not() -> None:
    assert tail(b"one\r\n\ntwo") == ("one", "", "two")
    assert tail(b"one\n\n \n\n") == ("one",)
    assert tail() == ()


def test_a_line_cut_at_its_beginning_is_left_out_unless_it_is_the_only_one() -> None:
    assert tail(b"x" * MAX_BYTES + b"\nwhole\n") == ("whole",)
    assert tail(b"x" * (10 * MAX_BYTES)) == ("x" * MAX_BYTES,)


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert tail(b"\xff\xfe ok \xe2\x82\xac\n") == ("\ufffd\ufffd ok €",)


def test_a_flood_costs_a_bounded_amount_of_memory() -> None:
    made = StderrTail()
    for _ in range(2000):
        made.feed(b"x" * 65_536)
        assert sys.getsizeof(made._held) < 8 * MAX_BYTES
    assert len(made.lines()) <= MAX_LINES
