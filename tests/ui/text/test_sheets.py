"""Diffs and output: bounded at first, all of it on demand, copied without their margins."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ui.theme.theme import theme
from ui.viewmodels.rows import Diff
from ui.widgets.text import DiffView, TerminalView


def test_a_diff_shows_400_lines_and_then_more_in_steps(show: Callable[[QWidget], None]) -> None:
    view = DiffView(Diff("a.py", None, "line\n" * 5_000))
    show(view)
    assert view.sheet.line_count() == 400
    assert view.left_out == 4_600
    assert view.more.text() == "Show 2,000 more lines of 4,600"
    view.more.click()
    assert view.sheet.line_count() == 2_400
    view.more.click()
    view.more.click()
    assert view.sheet.line_count() == 5_000
    assert not view.more.isVisible()


def test_a_diff_copies_its_text_without_numbers(show: Callable[[QWidget], None]) -> None:
    view = DiffView(Diff("a.css", "width: 1px;\n", "width: 2px;\n"))
    view.resize(400, view.height_for(400))
    show(view)
    sheet = view.sheet
    QTest.mouseDClick(sheet, Qt.MouseButton.LeftButton, pos=QPoint(120, 4 + sheet.line_height() // 2))
    QTest.keyClick(sheet, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "width: 1px;"
    assert view.text() == "-width: 1px;\n+width: 2px;"


def test_lines_of_a_diff_are_20_high_and_their_numbers_36_wide(show: Callable[[QWidget], None]) -> None:
    view = DiffView(Diff("a", "1\n2\n", "1\n3\n"))
    show(view)
    assert view.sheet.sizeHint().height() == 3 * 20 + 2 * 4
    theme().set_ui_size(18)
    assert view.sheet.line_height() > 20


def test_output_shows_its_last_200_lines(show: Callable[[QWidget], None]) -> None:
    view = TerminalView()
    view.show_text("".join(f"line {number}\n" for number in range(1_000)))
    show(view)
    assert view.lines()[0] == "line 800"
    assert view.lines()[-1] == "line 999"
    assert view.left_out == 800
    assert view.open_all.text() == "Open all"
    view.open_all.click()
    assert len(view.lines()) == 1_000
    assert not view.open_all.isVisible()


def test_output_has_no_escape_sequences_and_no_long_lines(show: Callable[[QWidget], None]) -> None:
    view = TerminalView()
    view.show_text("\x1b[1mbold\x1b[0m\r\n1 %\r99 %\n" + "x" * 5_000_000)
    show(view)
    assert view.lines()[:1] != ["\x1b[1mbold"]
    assert max(map(len, view.lines())) <= 2_000
    assert len(view.lines()) <= 200


def test_output_that_goes_on_keeps_what_was_opened(show: Callable[[QWidget], None]) -> None:
    text = "line\n" * 1_000
    view = TerminalView()
    view.show_text(text)
    view.show_more()
    view.show_text(text + "more\n")
    show(view)
    assert len(view.lines()) == 1_001
