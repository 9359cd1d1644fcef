"""What an agent writes is safe to show, and nothing that a person should see is lost."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.widgets.text.clean import broken, clean, clean_terminal, has_marks
from ui.widgets.text.links import safe_link


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\r\nlines\rand more", "two\nlines\nand more"),
        ("tab\tstays", "tab\tstays"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]never closed, so nothing is swallowed", "never closed, so nothing is swallowed"),
        ("bell\x07 null\x00 c1\x9b2J", "bell null c1"),
        ("rtl \u202e override", "rtl [U+202E] override"),
        ("zero\u200bwidth", "zero[U+200B]width"),
        ("hidden \U000e0041\U000e0042", "hidden [U+E0041][U+E0042]"),
        ("lone \ud800 surrogate", "lone  surrogate"),
        ("👩‍👩‍👧 می‌خواهم 中文", "👩‍👩‍👧 می‌خواهم 中文"),
    ],
)
def test_texts_are_shown_like_this(text: str, shown: str) -> None:
    assert clean(text) == shown


@given(st.text(max_size=300))
def test_nothing_that_controls_a_screen_is_left(text: str) -> None:
    shown = clean(text)
    assert not any(ord(letter) < 32 and letter not in "\n\t" for letter in shown)
    assert not any(0x202A <= ord(letter) <= 0x202E or 0x2066 <= ord(letter) <= 0x2069 for letter in shown)
    assert clean(shown) == shown


@given(st.text(alphabet=string.printable.replace("\x0b", "").replace("\x0c", ""), max_size=300))
def test_plain_text_only_loses_its_carriage_returns(text: str) -> None:
    assert clean(text) == text.replace("\r\n", "\n").replace("\r", "\n")


def test_a_terminal_line_shows_what_was_written_last() -> None:
    assert clean_terminal("10 %\r50 %\r100 %\ndone\r\n") == "100 %\ndone\n"


def test_hidden_marks_are_noticed() -> None:
    assert has_marks("rm -rf \u202e/")
    assert not has_marks("rm -rf / 中文 👩‍👧")


def test_a_long_line_goes_on_in_the_next() -> None:
    assert broken("a" * 9_000) == "\n".join(["a" * 4_000, "a" * 4_000, "a" * 1_000])
    assert broken("short\nlines") == "short\nlines"


@pytest.mark.parametrize("address", ["https://example.org/a?b=c", "http://localhost:8080", "mailto:a@example.org"])
def test_web_and_mail_links_may_be_followed(address: str) -> None:
    assert safe_link(address) == address


@pytest.mark.parametrize(
    "address",
    [
        "",
        "file:///etc/passwd",
        "/etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "vscode://open",
        "https://",
        "https://a.example/\u202egnp.exe",
        "http://[broken",
        "https://example.org/" + "a" * 3_000,
        "mailto:nobody",
    ],
)
def test_other_links_are_text(address: str) -> None:
    assert safe_link(address) is None
