"""Fields, steppers, selects: what is typed and chosen, and what is only shown."""
# pyright: reportUnknownMemberType=false

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ui.theme.theme import theme
from ui.widgets.controls import Field, SearchField, Select, Stepper

Show = Callable[[QWidget], None]


def wheel(widget: QWidget) -> None:
    middle = QPointF(widget.rect().center())
    buttons, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    turn = QWheelEvent(
        middle,
        widget.mapToGlobal(middle),
        QPoint(),
        QPoint(0, -120),
        buttons,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, turn)


def test_a_field_is_28_high_and_grows_with_the_font(qtbot: QtBot) -> None:
    field = Field("Name")
    qtbot.addWidget(field)
    assert field.sizeHint().height() == 28
    theme().set_ui_size(18)
    assert field.sizeHint().height() == 36


def test_a_wrong_value_stays_and_is_outlined(qtbot: QtBot, show: Show) -> None:
    field = Field()
    show(field)
    qtbot.keyClicks(field, "999")
    field.set_wrong(True)
    assert field.text() == "999"
    picture = field.grab().toImage()
    assert picture.pixelColor(field.width() // 2, 0) == theme().color("failed.mark")
    field.set_wrong(False)
    assert field.grab().toImage().pixelColor(field.width() // 2, 0) == theme().color("border.control")


def test_the_unit_leaves_room_for_the_text_in_both_directions(qtbot: QtBot) -> None:
    field = Field(suffix="min")
    qtbot.addWidget(field)
    start, end = field.textMargins().left(), field.textMargins().right()
    assert end > start
    field.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert (field.textMargins().left(), field.textMargins().right()) == (end, start)


def test_esc_empties_a_search_first_and_is_then_its_holders(qtbot: QtBot, show: Show) -> None:
    keys: list[int] = []

    class Holder(QWidget):
        def keyPressEvent(self, event: object) -> None:  # noqa: N802  # Qt override
            keys.append(1)

    holder = Holder()
    field = SearchField("Find")
    QVBoxLayout(holder).addWidget(field)
    show(holder)
    qtbot.keyClicks(field, "stop")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert keys == []
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert keys == [1]


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_the_cross_empties_a_search(qtbot: QtBot, show: Show, direction: Qt.LayoutDirection) -> None:
    field = SearchField("Find")
    field.setLayoutDirection(direction)
    show(field)
    field.setText("stop")
    at = QPoint(field.width() - 12, 14) if direction == Qt.LayoutDirection.LeftToRight else QPoint(12, 14)
    with qtbot.waitSignal(field.cleared, timeout=5000):
        qtbot.mouseClick(field, Qt.MouseButton.LeftButton, pos=at)
    assert field.text() == ""


def test_a_stepper_steps_by_buttons_keys_and_typing(qtbot: QtBot, show: Show) -> None:
    stepper = Stepper(0, 5)
    told: list[int] = []
    stepper.changed.connect(told.append)
    stepper.set_value(3)
    assert told == []
    show(stepper)
    qtbot.mouseClick(stepper, Qt.MouseButton.LeftButton, pos=QPoint(stepper.width() - 10, 14))
    qtbot.mouseClick(stepper, Qt.MouseButton.LeftButton, pos=QPoint(10, 14))
    qtbot.keyClick(stepper, Qt.Key.Key_Down)
    qtbot.keyClick(stepper, Qt.Key.Key_Up)
    assert told == [4, 3, 2, 3]
    stepper.selectAll()
    qtbot.keyClicks(stepper, "5")
    qtbot.keyClick(stepper, Qt.Key.Key_Return)
    assert told[-1] == 5


def test_a_stepper_ends_at_its_limits(qtbot: QtBot, show: Show) -> None:
    stepper = Stepper(0, 2)
    show(stepper)
    for _ in range(4):
        qtbot.mouseClick(stepper, Qt.MouseButton.LeftButton, pos=QPoint(stepper.width() - 10, 14))
    assert stepper.value() == 2


def test_a_steppers_buttons_are_mirrored(qtbot: QtBot, show: Show) -> None:
    stepper = Stepper(0, 5)
    stepper.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    stepper.set_value(3)
    show(stepper)
    qtbot.mouseClick(stepper, Qt.MouseButton.LeftButton, pos=QPoint(10, 14))
    assert stepper.value() == 4


def test_the_number_stands_between_the_buttons(show: Show) -> None:
    stepper = Stepper(0, 5)
    show(stepper)
    assert stepper.lineEdit().x() >= 29
    assert stepper.lineEdit().geometry().right() <= stepper.width() - 29
    stepper.setStyle(stepper.style())
    assert stepper.lineEdit().x() >= 29


def test_the_wheel_never_changes_a_value_by_the_way(qtbot: QtBot, show: Show) -> None:
    window = QWidget()
    column = QVBoxLayout(window)
    stepper, select = Stepper(0, 5), Select([("a", "A"), ("b", "B")])
    column.addWidget(stepper)
    column.addWidget(select)
    stepper.set_value(3)
    show(window)
    wheel(stepper)
    wheel(select)
    assert stepper.value() == 3
    assert select.value() == "a"


def test_a_select_tells_what_was_chosen_not_what_was_set(qtbot: QtBot, show: Show) -> None:
    select = Select([("ask", "Ask first"), ("read", "Read only"), ("own", "As its own default")])
    told: list[str] = []
    select.changed.connect(told.append)
    select.set_value("read")
    assert (select.value(), told) == ("read", [])
    show(select)
    qtbot.keyClick(select, Qt.Key.Key_Down)
    assert (select.value(), told) == ("own", ["own"])
    qtbot.keyClick(select, Qt.Key.Key_A)
    assert select.value() == "ask"


def test_a_select_is_chosen_from_in_its_popup(qtbot: QtBot, show: Show) -> None:
    select = Select([("ask", "Ask first"), ("read", "Read only")])
    show(select)
    select.showPopup()
    qtbot.waitUntil(select.view().isVisible, timeout=5000)
    qtbot.keyClick(select.view(), Qt.Key.Key_Down)
    with qtbot.waitSignal(select.changed, timeout=5000) as chosen:
        qtbot.keyClick(select.view(), Qt.Key.Key_Return)
    assert chosen.args == ["read"]


def test_a_selects_popup_is_round_under_it_and_the_same_each_time(qtbot: QtBot, show: Show) -> None:
    select = Select([("ask", "Ask first"), ("read", "Read only")])
    show(select)
    places: list[QRect] = []
    for _ in range(3):
        select.showPopup()
        qtbot.waitUntil(select.view().isVisible, timeout=5000)
        frame = select.view().window()
        places.append(frame.geometry())
        assert frame.height() >= 2 * 28 + 2 * 4
        assert not frame.mask().contains(QPoint(0, 0))
        select.hidePopup()
    assert places[0] == places[1] == places[2]
    assert places[0].top() >= select.mapToGlobal(QPoint(0, 28)).y()


def test_a_select_keeps_its_value_when_its_choices_change(qtbot: QtBot) -> None:
    select = Select([("a", "A"), ("b", "B")])
    qtbot.addWidget(select)
    select.set_value("b")
    select.set_items([("c", "C"), ("b", "B")])
    assert select.value() == "b"
    select.set_items([("x", "X")])
    assert select.value() == "x"
    select.set_items([])
    assert select.value() == ""


def test_a_select_is_as_wide_as_its_widest_label(qtbot: QtBot) -> None:
    short, long = Select([("a", "A")]), Select([("a", "A"), ("b", "Wie vom Agenten selbst voreingestellt")])
    qtbot.addWidget(short)
    qtbot.addWidget(long)
    assert long.sizeHint().width() > short.sizeHint().width() + 100


@pytest.mark.parametrize(
    ("make", "role"),
    [
        (lambda: Field("Name"), QAccessible.Role.EditableText),
        (lambda: Stepper(0, 1), QAccessible.Role.SpinBox),
        (lambda: Select([("a", "A")]), QAccessible.Role.ComboBox),
    ],
)
def test_roles(qtbot: QtBot, make: Callable[[], QWidget], role: QAccessible.Role) -> None:
    widget = make()
    qtbot.addWidget(widget)
    assert QAccessible.queryAccessibleInterface(widget).role() == role
