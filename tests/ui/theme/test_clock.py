"""The one clock: it runs while somebody watches, and only then."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ui.theme.clock import clock
from ui.theme.theme import theme

Show = Callable[[QWidget], None]


def test_it_stands_still_when_nobody_watches() -> None:
    assert clock().running == (False, False)


def test_a_hidden_widget_starts_nothing(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    clock().watch_frames(widget)
    clock().watch_seconds(widget)
    assert clock().running == (False, False)


def test_a_visible_widget_is_ticked(qtbot: QtBot, show: Show) -> None:
    widget, ticks = QWidget(), list[int]()
    clock().watch_frames(widget, lambda: ticks.append(clock().phase))
    show(widget)
    assert clock().running == (False, True)
    qtbot.waitUntil(lambda: len(ticks) >= 2, timeout=5000)
    assert ticks[:2] == [1, 2]


def test_seconds_are_told(qtbot: QtBot, show: Show) -> None:
    widget, ticks = QWidget(), list[int]()
    show(widget)
    clock().watch_seconds(widget, lambda: ticks.append(1))
    with qtbot.waitSignal(clock().second, timeout=5000):
        pass
    assert ticks == [1]


def test_a_hidden_watcher_stops_the_timer_and_starts_it_again(qtbot: QtBot, show: Show) -> None:
    widget = QWidget()
    clock().watch_frames(widget)
    show(widget)
    widget.hide()
    qtbot.waitUntil(lambda: clock().running == (False, False), timeout=5000)
    widget.show()
    qtbot.waitUntil(lambda: clock().running == (False, True), timeout=5000)


def test_a_deleted_watcher_is_forgotten(qtbot: QtBot, show: Show) -> None:
    window = QWidget()
    child = QWidget(window)
    clock().watch_seconds(child)
    clock().watch_frames(child)
    show(window)
    child.deleteLater()
    qtbot.waitUntil(lambda: not clock()._seconds and not clock()._frames, timeout=5000)


def test_unwatching_ends_the_ticks(qtbot: QtBot, show: Show) -> None:
    widget = QWidget()
    clock().watch_frames(widget)
    show(widget)
    clock().unwatch_frames(widget)
    qtbot.waitUntil(lambda: clock().running == (False, False), timeout=5000)


def test_with_reduced_motion_marks_stand_still_and_clocks_count(qtbot: QtBot, show: Show) -> None:
    widget = QWidget()
    clock().watch_frames(widget)
    clock().watch_seconds(widget)
    show(widget)
    theme().set_reduce_motion(True)
    assert clock().running == (True, False)
    assert clock().phase == 0
    theme().set_reduce_motion(False)
    assert clock().running == (True, True)


def test_twelve_frames_are_a_turn() -> None:
    for _ in range(12):
        clock()._tell_frame()
    assert clock().phase == 0
