"""The text itself: chips, input methods, pasting, growing, directions."""

import pytest
from PySide6.QtCore import QCoreApplication, QMimeData, Qt, QUrl
from PySide6.QtGui import QImage, QInputMethodEvent, QTextCursor
from PySide6.QtWidgets import QApplication

from tests.ui.composer.desk import BACK, CTRL, ENTER, ESC, IDLE, Desk, Show
from ui.theme.theme import theme
from ui.viewmodels.composing import MOST_TEXT, Mention
from ui.widgets.composer.editor import Editor

FILE = Mention("file", "retry/paths.py", "retry/paths.py")
CODEX = Mention("agent", "codex", "Codex")


@pytest.fixture
def desk(show: Show) -> Desk:
    made = Desk(IDLE)
    show(made.room)
    made.orders.settle()
    made.composer.setFocus()
    return made


@pytest.fixture
def editor(desk: Desk) -> Editor:
    return desk.composer.editor


def compose(editor: Editor, text: str, commit: str = "") -> None:
    event = QInputMethodEvent(text, [])
    if commit:
        event.setCommitString(commit)
    QCoreApplication.sendEvent(editor, event)


def test_one_backspace_selects_a_mention_the_next_deletes_it(desk: Desk, editor: Editor) -> None:
    editor.set_pieces(("see ", FILE))
    desk.press(BACK)
    assert editor.textCursor().hasSelection()
    assert editor.pieces() == ("see ", FILE)
    desk.press(BACK)
    assert editor.pieces() == ("see ",)
    editor.undo()
    assert editor.pieces() == ("see ", FILE)


def test_delete_does_the_same_forwards(desk: Desk, editor: Editor) -> None:
    editor.set_pieces((FILE, " x"))
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    desk.press(Qt.Key.Key_Delete)
    desk.press(Qt.Key.Key_Delete)
    assert editor.pieces() == (" x",)


def test_a_mention_is_copied_as_it_is_written(editor: Editor) -> None:
    editor.set_pieces(("see ", FILE, " and ", CODEX))
    editor.selectAll()
    editor.copy()
    assert QApplication.clipboard().text() == "see retry/paths.py and @codex"


def test_while_an_input_method_composes_enter_and_esc_are_its_own(desk: Desk, editor: Editor) -> None:
    desk.type("a")
    compose(editor, "ni")
    assert editor.composing
    desk.press(ENTER)
    desk.press(ENTER, CTRL)
    desk.press(ESC)
    assert desk.orders.all("prompt") == []
    compose(editor, "", "你")
    assert not editor.composing
    assert editor.pieces() == ("a你",)
    desk.press(ENTER)
    assert desk.orders.last("prompt").given["text"] == "a你"


def test_no_popup_opens_for_what_is_still_being_composed(desk: Desk, editor: Editor) -> None:
    desk.type("@")
    assert desk.composer.mentioning.popup.isVisible()
    compose(editor, "ke")
    assert not desk.composer.mentioning.popup.isVisible()
    compose(editor, "", "科")
    assert editor.query == "科"


def test_it_grows_from_one_line_to_ten_and_then_scrolls(desk: Desk, editor: Editor) -> None:
    line = theme().line("prose")
    assert editor.height() == line
    editor.set_pieces(("\n".join("abc"),))
    assert editor.height() == 3 * line
    editor.set_pieces(("\n".join(str(n) for n in range(40)),))
    assert editor.height() == 10 * line
    assert editor.verticalScrollBar().maximum() > 0
    editor.set_pieces(())
    assert editor.height() == line


def test_lines_with_chinese_are_two_pixels_higher(editor: Editor) -> None:
    editor.set_pieces(("修复登录页",))
    assert editor.height() == theme().line("prose") + 2
    editor.set_pieces(("plain",))
    assert editor.height() == theme().line("prose")


def test_a_chip_does_not_make_its_line_higher(editor: Editor) -> None:
    editor.set_pieces((CODEX, " look"))
    assert editor.height() == theme().line("prose")


def test_arabic_begins_at_the_right(editor: Editor) -> None:
    editor.set_pieces(("مراجعة نصوص",))
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    assert editor.cursorRect().left() > editor.viewport().width() / 2


def test_pasted_text_is_plain_and_shows_what_would_hide(editor: Editor) -> None:
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bo\x1b[31mld\u202egnp\x07\r\nnext")
    editor.insertFromMimeData(data)
    assert editor.pieces() == ("bold[U+202E]gnp\nnext",)


def test_a_text_that_is_too_long_is_refused_with_a_sentence_and_the_rest_stays(desk: Desk, editor: Editor) -> None:
    editor.set_pieces(("before",))
    data = QMimeData()
    data.setText("x" * (MOST_TEXT + 1))
    editor.insertFromMimeData(data)
    assert editor.pieces() == ("before",)
    assert "100,000" in desk.composer.frame.problem.text()


def test_a_long_text_stands_as_one_chip_and_leaves_whole(desk: Desk, editor: Editor) -> None:
    text = "x" * 50_000 + "\nend"
    data = QMimeData()
    data.setText(text)
    desk.type("See: ")
    editor.insertFromMimeData(data)
    assert editor.height() == theme().line("prose")
    assert editor.pieces()[1] == Mention("text", text, "Pasted text, 50,004 characters")
    assert desk.composer.text() == "See: " + text
    desk.press(ENTER)
    assert desk.orders.last("prompt").given["text"] == "See: " + text


def test_a_pasted_picture_is_attached_and_can_be_taken_away(desk: Desk, editor: Editor) -> None:
    data = QMimeData()
    picture = QImage(40, 30, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.blue)
    data.setImageData(picture)
    editor.insertFromMimeData(data)
    (image,) = desk.composer.attachments.images()
    assert image.mime == "image/png"
    assert desk.composer.attachments.isVisible()
    assert desk.composer.buttons.send.isEnabled()
    from ui.widgets.controls import IconButton

    desk.composer.attachments.findChildren(IconButton)[0].click()
    assert desk.composer.attachments.images() == ()
    assert not desk.composer.attachments.isVisible()


def test_dropped_files_are_named_and_images_attached(desk: Desk, editor: Editor, tmp_path: object) -> None:
    picture = QImage(4, 4, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.red)
    place = f"{tmp_path}/shot.png"
    assert picture.save(place)
    data = QMimeData()
    urls = [QUrl.fromLocalFile("/home/ada/harbor-api/retry/policy.py"), QUrl.fromLocalFile("/etc/hosts")]
    data.setUrls([*urls, QUrl.fromLocalFile(place)])
    assert editor.canInsertFromMimeData(data)
    editor.insertFromMimeData(data)
    assert desk.composer.text().split() == ["retry/policy.py", "/etc/hosts"]
    assert [image.mime for image in desk.composer.attachments.images()] == ["image/png"]


def test_an_agent_without_images_gets_a_sentence_or_a_path(show: Show) -> None:
    from dataclasses import replace

    from tests.ui.composer.desk import FACTS

    desk = Desk(IDLE, facts=replace(FACTS, images=False))
    show(desk.room)
    desk.orders.settle()
    desk.composer.editor.images_given.emit(QImage(4, 4, QImage.Format.Format_RGB32))
    assert desk.composer.frame.problem.text() == "Codex takes no images here."
    assert desk.composer.attachments.images() == ()


def test_a_change_of_theme_and_size_keeps_the_text(desk: Desk, editor: Editor) -> None:
    editor.set_pieces(("see ", FILE, "\n\n", CODEX))
    theme().set_scheme("dark")
    theme().set_ui_size(18)
    assert editor.pieces() == ("see ", FILE, "\n\n", CODEX)
    assert editor.height() == 3 * theme().line("prose")


def test_the_outline_is_two_pixels_with_the_focus(desk: Desk) -> None:
    frame = desk.composer.frame
    ring = theme().color("focus.ring")
    image = frame.grab().toImage()
    assert image.pixelColor(frame.width() // 2, 1) == ring
    desk.composer.editor.clearFocus()
    image = frame.grab().toImage()
    assert image.pixelColor(frame.width() // 2, 0) == theme().color("border.control")
    assert image.pixelColor(frame.width() // 2, 1) == theme().color("bg.surface")
