"""The guards of the desktop's tests bite."""

from PySide6.QtCore import QTimer, qWarning
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui.conftest import left_behind
from ui.theme.theme import theme


def test_a_window_without_a_parent_is_seen() -> None:
    window = QWidget()
    window.show()
    assert window in left_behind(set())
    window.close()
    window.deleteLater()


def test_a_running_timer_without_an_owner_is_seen() -> None:
    timer = QTimer()
    timer.start(1000)
    assert timer in left_behind(set())
    timer.stop()
    assert timer not in left_behind(set())


def test_a_running_timer_of_a_widget_is_its_widgets(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    timer = QTimer(widget)
    timer.start(1000)
    assert timer not in left_behind(set())


def test_a_warning_of_qt_is_noted(qt_warnings: list[str]) -> None:
    qWarning("careful")
    assert qt_warnings == ["careful"]
    qt_warnings.clear()


def test_a_theme_is_changed_here() -> None:
    theme().set_scheme("dark")
    theme().set_ui_size(18)
    assert theme().dark


def test_and_is_plain_again_in_the_next_test() -> None:
    assert not theme().dark
    assert theme().ui_size == 13
