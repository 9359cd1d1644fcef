"""Code is coloured where that is cheap, and the same text is shown and copied."""

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from ui.widgets.text.code import HIGHLIGHT_MOST, CodeBlock, by_line, highlight, language_of_path


def test_tokens_have_our_colours() -> None:
    code = 'def f(x):\n    return "a" + 1  # why'
    colors = {code[at : at + length]: color for at, length, color in highlight(code, "python")}
    assert colors["def"] == "keyword"
    assert colors["f"] == "function"
    assert colors["1"] == "number"
    assert colors["# why"] == "comment"


def test_what_is_not_known_or_too_long_stays_plain() -> None:
    assert highlight("x = 1", "no-such-language") == ()
    assert highlight("x = 1\n" * HIGHLIGHT_MOST, "python") == ()
    assert highlight("x" * 3_000, "python") == ()
    assert highlight("", "python") == ()


def test_tokens_fall_into_their_lines() -> None:
    code = '"""a\nb"""\nx = 1'
    lines = by_line(code, highlight(code, "python"))
    assert lines[0] == [(0, 4, "code.string")]
    assert lines[1] == [(0, 4, "code.string")]
    assert (4, 1, "code.number") in lines[2]


def test_a_file_tells_its_language() -> None:
    assert language_of_path("src/a.PY") == "python"
    assert language_of_path("Dockerfile") == "docker"
    assert language_of_path("README") == ""


def test_the_block_copies_its_code(show: Callable[[QWidget], None]) -> None:
    block = CodeBlock("x = 1\n\x1b[31my\x1b[0m = 2", "python")
    block.resize(300, block.sizeHint().height())
    show(block)
    block.copy_button.click()
    assert QGuiApplication.clipboard().text() == "x = 1\ny = 2"
    assert block.sheet.line_count() == 2
