"""The palette in a window: keys, focus, running what is picked."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from tests.ui import scene
from tests.ui.worlds import a_world
from ui.theme import metrics
from ui.viewmodels.commands import Command
from ui.widgets.palette import CommandPalette, KeyMap

Show = Callable[[QWidget], None]


class Room:
    """A window with a field and a palette."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.window = QWidget()
        self.window.resize(900, 700)
        self.field = QLineEdit()
        QVBoxLayout(self.window).addWidget(self.field)
        self.commands = [
            Command("palette", "Commands", "Go to", "Ctrl+K"),
            Command("stop", "Stop this turn", "Conversation", "Ctrl+.", "stop", run=lambda: self.ran.append("stop")),
            Command("board", "Board", "Go to", "Ctrl+2", run=lambda: self.ran.append("board")),
            Command("restart", "Restart the host", "Host", "", "", False, "only while it is stopped"),
        ]
        self.palette = CommandPalette(lambda: self.commands, a_world(), self.window)

    def type(self, text: str) -> None:
        QTest.keyClicks(self.palette.field, text)

    def press(self, key: Qt.Key) -> None:
        QTest.keyClick(self.palette.field, key)

    def texts(self) -> list[str]:
        return [row.text for row in self.palette.list.rows()]


@pytest.fixture
def room(show: Show) -> Room:
    made = Room()
    show(made.window)
    made.window.activateWindow()
    made.field.setFocus()
    made.palette.open()
    return made


def test_it_opens_centred_with_the_focus_in_its_field(room: Room) -> None:
    place = room.palette.geometry()
    assert (place.width(), place.top()) == (metrics.PALETTE, metrics.PALETTE_TOP)
    assert place.center().x() == pytest.approx(450, abs=1)
    assert room.palette.field.hasFocus()
    assert "Commands" not in room.texts()


def test_enter_runs_the_current_row_and_the_focus_goes_back(room: Room) -> None:
    room.type("stop")
    assert room.texts()[0] == "Stop this turn"
    room.press(Qt.Key.Key_Return)
    assert room.ran == ["stop"]
    assert not room.palette.isVisible()
    assert room.field.hasFocus()


def test_what_was_used_last_comes_first(room: Room) -> None:
    room.type("board")
    room.press(Qt.Key.Key_Return)
    room.palette.open()
    assert room.texts()[0] == "Board"


def test_arrows_move_and_go_round(room: Room) -> None:
    room.type(">")
    rows = room.palette.list
    assert rows.current() == 0
    room.press(Qt.Key.Key_Up)
    assert rows.current() == len(rows.rows()) - 1
    room.press(Qt.Key.Key_Down)
    assert rows.current() == 0


def test_what_does_not_apply_says_why_and_does_nothing(room: Room) -> None:
    room.type("restart")
    row = room.palette.list.rows()[0]
    assert (row.enabled, row.detail, row.key) == (False, "only while it is stopped", "")
    room.press(Qt.Key.Key_Return)
    assert room.palette.isVisible()


def test_sessions_and_asks_are_told(room: Room) -> None:
    told: list[str] = []
    room.palette.open_session.connect(told.append)
    room.palette.open_ask.connect(told.append)
    room.type("@retry policy")
    room.press(Qt.Key.Key_Return)
    room.palette.open("#alembic")
    room.press(Qt.Key.Key_Return)
    assert told == [scene.RETRY, scene.ASK_ALEMBIC]


def test_esc_closes_and_so_does_losing_the_focus(room: Room) -> None:
    room.press(Qt.Key.Key_Escape)
    assert not room.palette.isVisible()
    assert room.field.hasFocus()
    room.palette.open()
    room.field.setFocus()
    assert not room.palette.isVisible()


def test_a_press_outside_closes(room: Room) -> None:
    QTest.mouseClick(room.window, Qt.MouseButton.LeftButton)
    assert not room.palette.isVisible()


def test_a_click_on_a_row_runs_it(room: Room) -> None:
    room.type("board")
    rows = room.palette.list
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(rows.model().index(0, 0)).center())
    assert room.ran == ["board"]


def test_nothing_found_says_so(room: Room) -> None:
    room.type("zzqq")
    assert room.palette.nothing.isVisible()
    assert room.palette.nothing.text() == "No action, session or ask called “zzqq”"
    room.press(Qt.Key.Key_Return)
    assert room.palette.isVisible()


def test_it_shows_ten_rows_at_most(room: Room) -> None:
    room.type("@")
    assert room.palette.list.height() == metrics.PALETTE_ROWS * metrics.POPUP_ROW


def test_it_fits_a_narrow_window(room: Room) -> None:
    room.press(Qt.Key.Key_Escape)
    room.window.resize(440, 400)
    room.palette.open()
    assert room.palette.geometry().left() >= 0
    assert room.palette.geometry().right() <= 440
    assert room.palette.geometry().bottom() < 400


def test_rows_have_names_for_a_screen_reader(room: Room) -> None:
    room.type("stop")
    index = room.palette.list.model().index(0, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Stop this turn, Conversation, Ctrl ."


# ---- the map of keys


def test_the_map_shows_every_key_and_finds_one(show: Show) -> None:
    room = Room()
    show(room.window)
    room.window.activateWindow()
    room.field.setFocus()
    page = KeyMap(room.commands, room.window)
    page.open()
    shown = {row.accessibleName() for row, _text in page._rows if row.isVisibleTo(page)}
    assert {"Board, Ctrl 2", "Stop this turn, Ctrl ."} <= shown
    assert not any("Restart" in name for name in shown)
    QTest.keyClicks(page.field, "delegate")
    left = [row.accessibleName() for row, _text in page._rows if row.isVisibleTo(page)]
    assert left == ["Delegate now, Ctrl Shift Enter"]
    QTest.keyClick(page.field, Qt.Key.Key_Escape)  # empties the field first
    assert page.isVisible()
    QTest.keyClick(page.field, Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert room.field.hasFocus()
