"""The @ popup: opens while one types, lists by tabs, gives its choice to the text, never takes the focus."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest

from tests.ui.composer.desk import DOWN, ENTER, ESC, IDLE, UP, Desk, Show
from ui.theme import metrics
from ui.viewmodels.composing import Mention
from ui.widgets.composer.mention_popup import MentionPopup


@pytest.fixture
def desk(show: Show) -> Desk:
    made = Desk(IDLE)
    show(made.room)
    made.room.activateWindow()
    made.orders.settle()
    made.composer.setFocus()
    return made


@pytest.fixture
def popup(desk: Desk) -> MentionPopup:
    desk.type("Ask @co")
    desk.orders.settle()
    return desk.composer.mentioning.popup


def texts(popup: MentionPopup) -> list[str]:
    return [row.text for row in popup.list.rows()]


def test_it_stands_over_the_composer_and_the_text_keeps_the_focus(desk: Desk, popup: MentionPopup) -> None:
    assert popup.isVisible()
    assert desk.composer.editor.hasFocus()
    frame = desk.composer.frame
    top = frame.mapTo(desk.room, QPoint(0, 0)).y()
    assert popup.geometry().bottom() < top
    assert popup.width() == metrics.MENTION_POPUP
    assert popup.list.height() <= metrics.MENTION_ROWS * metrics.POPUP_ROW


def test_it_lists_what_matches_with_counts(popup: MentionPopup) -> None:
    assert texts(popup)[0] == "Codex"
    assert {"config.py", "contract_test.py", "Contrast audit, dark theme"} <= set(texts(popup))
    assert "Files 2" in popup.tabs.accessibleName()


def test_arrows_and_enter_take_a_row_instead_of_sending(desk: Desk, popup: MentionPopup) -> None:
    first = texts(popup)[0]
    desk.press(DOWN)
    desk.press(UP)
    desk.press(ENTER)
    assert not popup.isVisible()
    assert desk.orders.all("prompt") == []
    assert desk.composer.editor.pieces() == ("Ask ", Mention("agent", "codex", first), " ")


def test_tab_takes_as_well(desk: Desk, popup: MentionPopup) -> None:
    desk.press(Qt.Key.Key_Tab)
    assert desk.composer.text() == "Ask @codex "


def test_a_click_takes_and_leaves_the_focus_in_the_text(desk: Desk, popup: MentionPopup) -> None:
    at = texts(popup).index("config.py")
    place = popup.list.visualRect(popup.list.model().index(at, 0)).center()
    QTest.mouseClick(popup.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert desk.composer.text() == "Ask services/payments/config.py "
    assert desk.composer.editor.hasFocus()


def test_esc_closes_it_until_the_next_at_sign(desk: Desk, popup: MentionPopup) -> None:
    desk.press(ESC)
    assert not popup.isVisible()
    desk.type("d")
    assert not popup.isVisible()
    desk.type(" @")
    assert popup.isVisible()
    assert desk.composer.text() == "Ask @cod @"


def test_tabs_limit_the_rows_by_key_and_by_pointer(desk: Desk, popup: MentionPopup) -> None:
    desk.press(Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert popup.tabs.tab == "agent"
    assert "config.py" not in texts(popup)
    popup.tabs.chosen.emit("file")
    assert texts(popup) == ["config.py", "contract_test.py"]


def test_nothing_found_says_so_and_enter_sends(desk: Desk, popup: MentionPopup) -> None:
    desk.type("qqq")
    assert popup.nothing.text() == "No agent, file or session called “coqqq”"
    desk.press(ENTER)
    assert desk.orders.last("prompt").given["text"] == "Ask @coqqq"


def test_a_row_that_is_not_ready_is_not_taken(desk: Desk) -> None:
    desk.type("@gemini")
    popup = desk.composer.mentioning.popup
    row = popup.list.rows()[0]
    assert (row.text, row.detail, row.enabled) == ("Gemini CLI", "Not installed", False)
    assert "not available" in row.spoken()
    desk.press(ENTER)
    assert desk.composer.text() == "@gemini"


def test_a_space_after_a_whole_name_makes_a_mention(desk: Desk) -> None:
    desk.type("@demo survey")
    assert desk.composer.editor.pieces() == (Mention("agent", "demo", "Demo"), " survey")
    assert not desk.composer.mentioning.popup.isVisible()


def test_it_closes_when_the_focus_goes(desk: Desk, popup: MentionPopup) -> None:
    desk.composer.buttons.send.setFocus()
    assert not popup.isVisible()


def test_files_are_asked_for_once_and_shown_when_they_come(desk: Desk) -> None:
    desk.type("@read")
    assert len(desk.orders.all("files")) == 1
    popup = desk.composer.mentioning.popup
    assert "README.md" not in texts(popup)
    desk.orders.settle()
    assert "README.md" in texts(popup)
    desk.type(" @read")
    assert len(desk.orders.all("files")) == 1


def test_a_composer_that_goes_takes_its_popup_along(desk: Desk, popup: MentionPopup) -> None:
    gone: list[bool] = []
    popup.destroyed.connect(lambda: gone.append(True))
    desk.composer.deleteLater()
    QCoreApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))
    QCoreApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))
    assert gone == [True]


def test_the_plus_menu_begins_a_mention(desk: Desk) -> None:
    desk.type("look")
    desk.composer.pickers.mention_asked.emit()
    assert desk.composer.text() == "look @"
    assert desk.composer.mentioning.popup.isVisible()
