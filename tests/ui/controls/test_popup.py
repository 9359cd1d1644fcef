"""A popup: where it opens, what closes it, and that it leaves the focus alone."""
# pyright: reportUnknownMemberType=false

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ui.widgets.controls import Field, Label, Popup

Show = Callable[[QWidget], None]


@pytest.fixture
def field(show: Show) -> Field:
    window = QWidget()
    window.resize(500, 400)
    field = Field("Ask", parent=window)
    field.setGeometry(40, 60, 200, 28)
    show(window)
    field.setFocus()
    return field


def opened(field: Field, above: bool = False) -> tuple[Popup, list[int]]:
    popup, closed = Popup(), list[int]()
    QVBoxLayout(popup).addWidget(Label("Row"))
    popup.closed.connect(lambda: closed.append(1))
    popup.open_at(field, above=above)
    return popup, closed


def test_it_opens_under_its_anchor_and_leaves_the_focus(field: Field) -> None:
    popup, _ = opened(field)
    assert popup.isVisible()
    assert popup.pos() == QPoint(40, 92)
    assert field.hasFocus()
    assert not popup.isWindow()


def test_it_opens_above_when_asked_and_when_there_is_no_room(field: Field) -> None:
    popup, _ = opened(field, above=True)
    assert popup.geometry().bottom() < field.y()
    popup.hide()
    field.move(40, 360)
    low, _ = opened(field)
    assert low.geometry().bottom() < field.y()


def test_it_stays_in_the_window(field: Field) -> None:
    field.move(480, 60)
    popup, _ = opened(field)
    assert popup.geometry().right() <= field.window().width()


def test_a_press_outside_closes_it_and_one_inside_does_not(qtbot: QtBot, field: Field) -> None:
    popup, closed = opened(field)
    qtbot.mousePress(popup, Qt.MouseButton.LeftButton)
    assert popup.isVisible()
    qtbot.mousePress(field.window(), Qt.MouseButton.LeftButton, pos=QPoint(450, 350))
    assert not popup.isVisible()
    assert closed == [1]


def test_esc_closes_it_once(qtbot: QtBot, field: Field) -> None:
    popup, closed = opened(field)
    qtbot.keyClick(popup, Qt.Key.Key_Escape)
    popup.hide()
    assert closed == [1]


def test_the_windows_resizing_closes_it(field: Field) -> None:
    popup, closed = opened(field)
    field.window().resize(520, 420)
    assert not popup.isVisible()
    assert closed == [1]


def test_it_opens_again(field: Field) -> None:
    popup, closed = opened(field)
    popup.hide()
    popup.open_at(field)
    assert popup.isVisible()
    popup.hide()
    assert closed == [1, 1]
