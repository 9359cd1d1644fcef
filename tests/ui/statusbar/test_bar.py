"""The status bar on the screen: clicks, undo, what has room."""

from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from codeg.api import AsksChanged, SessionDeleted
from tests.ui import scene as s
from tests.ui.worlds import a_world, changes
from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.theme import theme
from ui.viewmodels.world import World
from ui.widgets.statusbar import StatusBar

Show = Callable[[QWidget], None]


def a_bar(show: Show, world: World | None = None, width: int = 1440) -> StatusBar:
    bar = StatusBar(world or a_world())
    bar.resize(width, bar.height())
    show(bar)
    return bar


def shown(bar: StatusBar) -> list[str]:
    return [group.part.text for group in bar.groups if group.isVisible()]


def test_it_is_28_high_and_its_parts_can_be_hit(show: Show) -> None:
    bar = a_bar(show)
    assert bar.height() == metrics.STATUS_BAR
    assert all(group.height() >= metrics.TARGET for group in bar.groups)


def test_it_grows_with_the_font(show: Show, qtbot: QtBot) -> None:
    bar = a_bar(show)
    theme().set_ui_size(18)
    assert bar.height() > metrics.STATUS_BAR
    qtbot.waitUntil(lambda: all(group.width() >= group.sizeHint().width() for group in bar.groups), timeout=5000)


def test_clicks_lead_to_the_inbox_and_the_filtered_board(show: Show) -> None:
    bar = a_bar(show)
    asked: list[str] = []
    bar.open_page.connect(asked.append)
    for group in bar.groups:
        QTest.mouseClick(group, Qt.MouseButton.LeftButton)
    assert asked == ["board:running", "inbox", "board:queued"]


def test_it_follows_the_world(show: Show) -> None:
    world = a_world()
    bar = a_bar(show, world)
    world.apply(changes(AsksChanged(())))
    assert "4 need you" not in shown(bar)
    for session_id in (s.INCIDENT, s.SETTINGS, s.LOGIN, s.RETRY, s.FLAKY, s.NOTES_42):
        world.apply(
            changes(*(SessionDeleted(child) for child in world.children_of(session_id)), SessionDeleted(session_id))
        )
    bar.show_host("")
    assert "2 queued" not in shown(bar)


def test_undo_is_offered_and_taken_once(show: Show) -> None:
    bar = a_bar(show)
    undone: list[int] = []

    def undo() -> None:
        undone.append(1)

    bar.offer_undo("Deleted “Flaky”", undo)
    assert bar.said.text() == "Deleted “Flaky”"
    QTest.mouseClick(bar.undo_button, Qt.MouseButton.LeftButton)
    assert undone == [1]
    assert not bar.undo_button.isVisible()
    assert not bar.said.isVisible()


def test_the_way_back_goes_after_ten_seconds(show: Show, qtbot: QtBot) -> None:
    bar = a_bar(show)
    assert metrics.UNDO_MS == 10_000
    bar.offer_undo("Deleted “Flaky”", lambda: None)
    assert bar._ends.interval() == metrics.UNDO_MS
    bar._ends.setInterval(1)
    qtbot.waitUntil(lambda: not bar.undo_button.isVisible(), timeout=5000)


def test_a_sentence_does_not_take_the_place_of_a_way_back(show: Show) -> None:
    bar = a_bar(show)
    bar.offer_undo("Deleted “Flaky”", lambda: None)
    bar.tell("Saved")
    assert bar.said.text() == "Deleted “Flaky”"
    bar.clear_undo()
    bar.tell("Saved")
    assert bar.said.text() == "Saved"
    assert not bar.undo_button.isVisible()


def test_the_focus_does_not_go_into_nowhere_with_the_undo_button(show: Show, qtbot: QtBot) -> None:
    bar = a_bar(show)
    bar.activateWindow()
    bar.offer_undo("Deleted “Flaky”", lambda: None)
    bar.undo_button.setFocus()
    qtbot.waitUntil(bar.undo_button.hasFocus, timeout=5000)
    QTest.keyClick(bar.undo_button, Qt.Key.Key_Return)
    qtbot.waitUntil(bar.commands.hasFocus, timeout=5000)


def test_in_a_narrow_window_the_deed_is_more_than_the_cost(show: Show) -> None:
    bar = a_bar(show, width=720)
    assert bar.today.isVisible()
    bar.offer_undo("Deleted “Flaky checkout test on CI”", lambda: None)
    assert not bar.today.isVisible()
    parts: list[QWidget] = [
        *(group for group in bar.groups if group.isVisible()),
        bar.said,
        bar.undo_button,
        bar.commands,
    ]
    edges = sorted((part.geometry().left(), part.geometry().right()) for part in parts)
    assert all(before[1] < after[0] for before, after in pairwise(edges))
    assert edges[-1][1] <= bar.width()


def test_everything_has_a_name(show: Show) -> None:
    bar = a_bar(show)
    assert [group.accessibleName() for group in bar.groups] == ["Host running", "4 running", "4 need you", "2 queued"]
    assert bar.commands.accessibleName() == "Commands, Ctrl K"


def test_the_running_mark_turns_only_while_something_runs(show: Show) -> None:
    bar = a_bar(show)
    assert clock().running[1]
    bar.hide()
    quiet = a_bar(show, a_world("empty"))
    clock()._tell_frame()
    assert not clock().running[1]
    assert quiet.isVisible()


def test_space_and_enter_press_a_group(show: Show) -> None:
    bar = a_bar(show)
    asked: list[str] = []
    bar.open_page.connect(asked.append)
    press = QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
    bar.groups[2].keyPressEvent(press)
    assert asked == ["inbox"]
