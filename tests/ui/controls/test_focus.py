"""The focus ring: shown by the keyboard, around one control, never left behind."""
# pyright: reportUnknownMemberType=false

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ui.theme.focus import FocusRing, ring_of
from ui.theme.metrics import FOCUS_MARGIN
from ui.theme.theme import theme
from ui.widgets.controls import Button, Chip, Field, IconButton, ScrollColumn, Select, Stepper, Switch

Show = Callable[[QWidget], None]
CONTROLS = [
    lambda: Button("Stop"),
    lambda: IconButton("x", "Close"),
    lambda: Switch("On"),
    lambda: Chip("All"),
    lambda: Field("Name"),
    lambda: Stepper(0, 5),
    lambda: Select([("a", "A")]),
]


def beside_another(control: QWidget) -> QWidget:
    window = QWidget()
    row = QHBoxLayout(window)
    row.addWidget(Button("First"))
    row.addWidget(control)
    return window


@pytest.mark.parametrize("make", CONTROLS)
def test_tab_brings_a_ring_two_px_outside(qtbot: QtBot, show: Show, make: Callable[[], QWidget]) -> None:
    control = make()
    window = beside_another(control)
    show(window)
    control.setFocus(Qt.FocusReason.TabFocusReason)
    ring = ring_of(control)
    assert ring is not None
    assert ring.isVisible()
    around = QRect(control.mapTo(window, QPoint(0, 0)), control.size())
    margin = FOCUS_MARGIN
    assert ring.geometry() == around.adjusted(-margin, -margin, margin, margin)
    picture = window.grab().toImage()
    left, middle = around.left() - margin, around.center().y()
    assert picture.pixelColor(left, middle) == theme().color("focus.ring")
    assert picture.pixelColor(left + 1, middle) == theme().color("focus.ring")
    assert picture.pixelColor(left + 2, middle) == picture.pixelColor(left + 3, middle)


def test_a_click_brings_no_ring_to_a_button_but_one_to_a_field(qtbot: QtBot, show: Show) -> None:
    button, field = Button("Stop"), Field("Name")
    window = QWidget()
    column = QVBoxLayout(window)
    column.addWidget(field)
    column.addWidget(button)
    show(window)
    button.setFocus(Qt.FocusReason.MouseFocusReason)
    assert ring_of(button) is None
    field.setFocus(Qt.FocusReason.MouseFocusReason)
    assert ring_of(field) is not None


def test_the_ring_goes_with_the_focus_and_there_is_one(qtbot: QtBot, show: Show) -> None:
    second = Button("Second")
    window = beside_another(second)
    show(window)
    first = window.findChildren(Button)[0]
    first.setFocus(Qt.FocusReason.TabFocusReason)
    second.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring_of(first) is None
    assert ring_of(second) is not None
    qtbot.waitUntil(lambda: len(window.findChildren(FocusRing)) == 1, timeout=5000)


def test_the_ring_follows_its_control(qtbot: QtBot, show: Show) -> None:
    button = Button("Stop")
    window = beside_another(button)
    show(window)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    button.move(button.x() + 30, button.y())
    ring = ring_of(button)
    assert ring is not None
    assert ring.x() == button.x() - FOCUS_MARGIN
    button.hide()
    assert ring_of(button) is None or not ring.isVisible()


def test_a_deleted_control_takes_its_ring_along(qtbot: QtBot, show: Show) -> None:
    button = Button("Stop")
    window = beside_another(button)
    show(window)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    button.deleteLater()
    qtbot.waitUntil(lambda: not window.findChildren(FocusRing), timeout=5000)


def test_a_ring_in_a_scrolled_column_scrolls_along(qtbot: QtBot, show: Show) -> None:
    column = ScrollColumn()
    column.column.setContentsMargins(12, 12, 12, 12)
    buttons = [Button(f"Row {number}") for number in range(40)]
    for button in buttons:
        column.column.addWidget(button)
    column.resize(200, 150)
    show(column)
    buttons[3].setFocus(Qt.FocusReason.TabFocusReason)
    ring = ring_of(buttons[3])
    assert ring is not None
    before = ring.mapTo(column, QPoint(0, 0)).y()
    column.verticalScrollBar().setValue(40)
    assert ring.mapTo(column, QPoint(0, 0)).y() == before - 40
    assert column.body.isAncestorOf(ring)


def test_tab_walks_all_controls(qtbot: QtBot, show: Show) -> None:
    window = QWidget()
    column = QVBoxLayout(window)
    controls = [make() for make in CONTROLS]
    for control in controls:
        column.addWidget(control)
    show(window)
    controls[0].setFocus(Qt.FocusReason.TabFocusReason)
    walked = [window.focusWidget()]
    for _ in controls[1:]:
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        walked.append(window.focusWidget())
    assert walked == controls
