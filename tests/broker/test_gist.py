"""The gist of a result: its first sentence, one harmless line."""

import pytest

from codeg.broker.gist import MOST_CHARACTERS, gist_of


@pytest.mark.parametrize(
    ("text", "gist"),
    [
        ("", ""),
        (" \n\t\n", ""),
        ("Done.", "Done."),
        ("Done. And more.", "Done."),
        ("All is well! Really?", "All is well!"),
        ("A line\nthat wraps. Then another.", "A line that wraps."),
        ("No end here\n\nNext paragraph.", "No end here"),
        ("# What I found\n\nThree bugs.", "What I found"),
        ("Before\n# Heading", "Before"),
        ("- **First** item\n- second", "**First** item second"),
        ("1. First. 2. Second.", "First."),
        ("See a.py and v1.2 of it. Then stop.", "See a.py and v1.2 of it."),
        ('He said "yes." Then left.', 'He said "yes.'),
        ("修好了。还有测试。", "修好了。"),
        ("Wait… what", "Wait…"),
        ("tab\there.", "tab here."),
        ("\x1b[31mred\x1b[0m text.", "[31mred[0m text."),
        ("safe \u202eevil\u202c name.", "safe evil name."),
        ("a\u2028b.", "a b."),
        ("***\n\nReal words.", "***"),
    ],
)
def test_the_first_sentence(text: str, gist: str) -> None:
    assert gist_of(text.encode()) == gist


def test_it_is_short_whatever_the_text() -> None:
    assert gist_of(b"word " * 10_000) == ("word " * 40)[: MOST_CHARACTERS - 1].rstrip() + "…"
    assert len(gist_of("é".encode() * 1_000)) == MOST_CHARACTERS
    assert gist_of(b"x" * 4_095 + "é".encode()) == "x" * (MOST_CHARACTERS - 1) + "…"


def test_bytes_that_are_no_text_cost_only_themselves() -> None:
    assert gist_of(b"\xff\xfeok.") == "ok."
