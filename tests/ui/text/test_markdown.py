"""Prose of agents: set by the design, safe, cheap while it grows."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QTextCursor, QTextDocument, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from ui.theme.theme import theme
from ui.widgets.controls import Button
from ui.widgets.text import MarkdownBody, MessageBody
from ui.widgets.text.rendering import CLAMP

WIDTH = 700


@pytest.fixture
def body(qtbot: QtBot) -> MarkdownBody:
    """A body that is as wide as the column."""
    made = MarkdownBody()
    qtbot.addWidget(made)
    made.resize(WIDTH, 100)
    return made


def settled(qtbot: QtBot, body: MarkdownBody) -> str:
    """Its text, once all slices are written."""
    qtbot.waitUntil(lambda: not body._rendering.waits, timeout=5000)
    return body.toPlainText()


def texts(body: MarkdownBody) -> list[str]:
    """Its paragraphs."""
    return [line for line in body.toPlainText().split("\n") if line]


# ---- the look


def test_a_line_of_prose_is_22_high_and_a_gap_8(body: MarkdownBody) -> None:
    body.show_text("one")
    assert body.height_for(WIDTH) == 22
    body.show_text("one\n\ntwo")
    assert body.height_for(WIDTH) == 22 + 8 + 22


def test_rows_of_a_table_are_28_high(body: MarkdownBody) -> None:
    rows = "| a | b |\n|---|---|\n"
    body.show_text(rows + "| 1 | 2 |\n")
    low = body.height_for(WIDTH)
    body.show_text(rows + "| 1 | 2 |\n| 3 | 4 |\n")
    assert body.height_for(WIDTH) - low == 28


def test_a_block_of_code_has_a_head_of_28_and_padding(body: MarkdownBody) -> None:
    body.show_text("```py\nx = 1\n```")
    assert abs(body.height_for(WIDTH) - (28 + 8 + 20 + 8)) <= 2
    (frame,) = body._frames()
    assert frame.language == "py"
    assert abs(frame.place.height() - (28 + 8 + 20 + 8)) <= 2


def test_prose_around_code_stands_8_from_its_box(body: MarkdownBody) -> None:
    body.show_text("above\n\n```\ncode\n```\n\nbelow")
    body.height_for(WIDTH)
    (frame,) = body._frames()
    above, below = body._area(0), body._area(body.document().characterCount() - 2)
    assert 8 <= frame.place.top() - (above.top() + 22) <= 11
    assert 5 <= below.top() - frame.place.bottom() <= 8


def test_text_grows_with_the_font_size(body: MarkdownBody) -> None:
    body.show_text("one\n\ntwo")
    low = body.height_for(WIDTH)
    theme().set_ui_size(18)
    assert body.height_for(WIDTH) > low


def test_prose_with_han_has_higher_lines(body: MarkdownBody) -> None:
    body.show_text("中文")
    assert body.height_for(WIDTH) == 24


# ---- safety


@pytest.mark.parametrize(
    "text",
    [
        "<b>bold</b>",
        "<script>alert(1)</script>",
        "<img src='http://evil/x.png'>",
        "<table><tr><td>x</td></tr></table>",
        "text <a href='http://evil'>here</a>",
    ],
)
def test_html_is_shown_as_it_is_written(body: MarkdownBody, text: str) -> None:
    body.show_text(text)
    assert body.toPlainText() == text
    assert not body._rendering.pieces[0].spans


def test_a_picture_in_the_text_is_its_description(body: MarkdownBody) -> None:
    body.show_text("![a chart](http://evil.example/x.png) and ![local](file:///etc/passwd)")
    assert body.toPlainText() == "a chart and local"
    cursor = QTextCursor(body.document())
    cursor.setPosition(3)
    assert not cursor.charFormat().isImageFormat()
    assert cursor.charFormat().anchorHref() == "http://evil.example/x.png"


def test_nothing_is_loaded(body: MarkdownBody) -> None:
    kind = QTextDocument.ResourceType.ImageResource
    assert body.loadResource(kind.value, QUrl("file:///etc/hostname")) is None
    assert body.document().loadResource(kind.value, QUrl("file:///etc/hostname")) is None


def test_entities_do_not_bring_back_what_was_taken_out(body: MarkdownBody) -> None:
    body.show_text("a &#x202E;b&#x7; c")
    assert body.toPlainText() == "a [U+202E]b c"


def test_a_link_is_told_and_never_followed(body: MarkdownBody, show: Callable[[QWidget], None]) -> None:
    show(body)
    body.show_text("[here](https://example.org)")
    body.height_for(WIDTH)
    told: list[str] = []
    body.link_asked.connect(told.append)
    QTest.mouseClick(body.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(8, 10))
    assert told == ["https://example.org"]
    assert texts(body) == ["here"]


def test_a_bad_link_is_only_text(body: MarkdownBody) -> None:
    body.show_text("[here](javascript:alert(1)) [there](file:///etc/passwd)")
    assert texts(body) == ["here there"]
    assert "link" not in {name for piece in body._rendering.pieces for _, _, name in piece.spans}


def test_what_looks_like_front_matter_is_shown(body: MarkdownBody) -> None:
    body.show_text("---\nsecret: yes\n---\n\ntext")
    assert "secret: yes" in body.toPlainText()


# ---- contents


def test_lists_code_and_paragraphs_come_in_order(body: MarkdownBody) -> None:
    body.show_text(
        "# Title\n\ntext `code`\n\n- one\n- two\n\n  ```sh\n  ls\n  ```\n\n1. first\n\n> quoted\n\n---\n\nend"
    )
    assert texts(body) == ["Title", "text code", "one", "two", "ls", "first", "quoted", "end"]


def test_blank_lines_of_code_are_kept(body: MarkdownBody) -> None:
    body.show_text("```\n\n  a\n\n\nb\n```")
    assert body.code_blocks() == ("\n  a\n\n\nb",)
    assert body.toPlainText() == "\n  a\n\n\nb"


def test_a_link_defined_below_works_above(body: MarkdownBody) -> None:
    body.show_text("see [the page][1]\n\n" + "word " * 400 + "\n\nMore\n\n[1]: https://example.org\n")
    cursor = QTextCursor(body.document())
    cursor.setPosition(6)
    assert cursor.charFormat().anchorHref() == "https://example.org"


def test_a_very_wide_table_is_text(body: MarkdownBody, qtbot: QtBot) -> None:
    body.show_text("|" + "a|" * 100 + "\n|" + "-|" * 100 + "\n|" + "b|" * 100)
    assert not any(piece.tables for piece in body._rendering.pieces)
    assert settled(qtbot, body).count("b") == 100


# ---- growing and long texts


def test_a_growing_text_ends_as_if_it_had_come_at_once(body: MarkdownBody, qtbot: QtBot) -> None:
    text = (
        "A paragraph with `code` and **bold**.\n\n- one\n- two\n\n```py\nx = 1\n\ny = 2\n```\n\n| a |\n|---|\n| 1 |\n\nEnd.\n"
        * 12
    )
    for end in range(0, len(text), 97):
        body.show_text(text[:end], live=True)
    body.show_text(text)
    grown = settled(qtbot, body)
    other = MarkdownBody()
    qtbot.addWidget(other)
    other.show_text(text)
    assert grown == settled(qtbot, other)
    assert body.height_for(WIDTH) == other.height_for(WIDTH)


def test_a_growing_text_keeps_what_is_done(body: MarkdownBody) -> None:
    text = "word " * 400 + "\n\n" + "more " * 400 + "\n\n"
    body.show_text(text + "and", live=True)
    first = body._rendering.pieces[0]
    body.show_text(text + "and more and more", live=True)
    assert body._rendering.pieces[0] is first
    assert body.toPlainText().endswith("and more and more")


def test_a_long_text_is_clamped_and_opened_in_steps(body: MarkdownBody, qtbot: QtBot) -> None:
    body.show_text("word " * 1_000_000)
    assert body.left_out == 5_000_000 - CLAMP
    assert len(settled(qtbot, body)) <= CLAMP
    body.show_more()
    assert body.left_out == 5_000_000 - 2 * CLAMP
    assert len(settled(qtbot, body)) > CLAMP


def test_the_end_of_a_text_that_grows_stays_in_sight(body: MarkdownBody, qtbot: QtBot) -> None:
    text = "word " * 20_000
    body.show_text(text, live=True)
    body.show_text(text + "the end", live=True)
    assert settled(qtbot, body).endswith("the end")
    assert body.left_out == 0


def test_many_short_lines_are_clamped_as_well(body: MarkdownBody, qtbot: QtBot) -> None:
    body.show_text("- item\n" * 30_000)
    assert settled(qtbot, body).count("item") == 1_000


def test_one_turn_never_lays_out_more_than_a_slice(body: MarkdownBody, qtbot: QtBot) -> None:
    body.show_text("word " * 12_000)
    assert len(body.toPlainText()) < 25_000
    assert len(settled(qtbot, body)) > 59_000


# ---- hands


def test_selected_text_is_copied_as_plain_text(body: MarkdownBody) -> None:
    body.show_text("some **bold** text")
    body.selectAll()
    QTest.keyClick(body, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "some bold text"
    mime = body.createMimeDataFromSelection()
    assert not mime.hasHtml()


def test_a_block_of_code_has_a_copy_button(body: MarkdownBody, show: Callable[[QWidget], None]) -> None:
    show(body)
    body.show_text("text\n\n```py\nx = 1\n```\n")
    body.resize(WIDTH, body.height_for(WIDTH) + 1)
    buttons = [button for button in body.viewport().findChildren(Button) if button.isVisible()]
    assert [button.accessibleName() for button in buttons] == ["Copy code"]
    buttons[0].click()
    assert QGuiApplication.clipboard().text() == "x = 1"
    assert not body.viewport().findChildren(QPushButton)


def test_the_wheel_is_left_to_the_feed(body: MarkdownBody) -> None:
    body.show_text("text")
    event = _wheel()
    body.wheelEvent(event)
    assert not event.isAccepted()


def test_keys_are_left_to_the_feed(body: MarkdownBody) -> None:
    body.show_text("text")
    event = _key(Qt.Key.Key_J)
    body.keyPressEvent(event)
    assert not event.isAccepted()


# ---- theme


def test_colours_follow_the_theme_and_nothing_moves(body: MarkdownBody, show: Callable[[QWidget], None]) -> None:
    show(body)
    body.show_text("a [link](https://example.org) and `code`\n\n```py\nx = 1\n```\n")
    height = body.height_for(WIDTH)
    assert _ink(body, 3) == theme().color("accent.text")
    theme().set_scheme("dark")
    assert _ink(body, 3) == theme().color("accent.text")
    assert body.height_for(WIDTH) == height
    assert texts(body) == ["a link and code", "x = 1"]


def test_code_is_coloured_once_it_is_seen(body: MarkdownBody, show: Callable[[QWidget], None], qtbot: QtBot) -> None:
    body.show_text("```py\ndef f(): ...\n```")
    body.resize(WIDTH, body.height_for(WIDTH))
    assert not body._rendering.pieces[0].highlighted
    show(body)
    qtbot.waitUntil(lambda: body._rendering.pieces[0].highlighted, timeout=5000)
    formats = body.document().begin().layout().formats()
    assert formats[0].format.foreground().color() == theme().color("code.keyword")


# ---- a message with its button


def test_a_message_offers_the_rest_of_a_long_text(show: Callable[[QWidget], None]) -> None:
    message = MessageBody()
    message.show_text("word " * 20_000)
    message.resize(WIDTH, message.height_for(WIDTH))
    show(message)
    (more,) = [button for button in message.findChildren(Button) if button.isVisible()]
    assert more.text() == "Show all"
    more.click()
    message.height_for(WIDTH)
    assert not more.isVisible()


def _ink(body: MarkdownBody, position: int) -> QColor:
    cursor = QTextCursor(body.document())
    cursor.setPosition(position + 1)
    return cursor.charFormat().foreground().color()


def _wheel() -> QWheelEvent:
    return QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip


def _key(key: Qt.Key) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier)
