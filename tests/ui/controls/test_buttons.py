"""Buttons: pressed by mouse and keyboard, named, as large as their text asks."""
# pyright: reportUnknownMemberType=false

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QWidget
from pytestqt.qtbot import QtBot

from ui.theme.icons import icon_names
from ui.theme.theme import theme
from ui.widgets.controls import Button, CheckMark, Chip, IconButton, MenuButton, SplitButton, Switch

Show = Callable[[QWidget], None]


def role_and_name(widget: QWidget) -> tuple[QAccessible.Role, str]:
    shown = QAccessible.queryAccessibleInterface(widget)
    return shown.role(), shown.text(QAccessible.Text.Name)


@pytest.mark.parametrize(
    ("make", "role", "name"),
    [
        (lambda: Button("Stop"), QAccessible.Role.Button, "Stop"),
        (lambda: Button("Save & go"), QAccessible.Role.Button, "Save & go"),
        (lambda: IconButton("copy", "Copy result"), QAccessible.Role.Button, "Copy result"),
        (lambda: IconButton("pin", "Pin", checkable=True), QAccessible.Role.CheckBox, "Pin"),
        (lambda: Switch("Let agents delegate"), QAccessible.Role.CheckBox, "Let agents delegate"),
        (lambda: CheckMark("Option A"), QAccessible.Role.CheckBox, "Option A"),
        (lambda: CheckMark("Option A", one=True), QAccessible.Role.RadioButton, "Option A"),
        (lambda: Chip("Failed", checkable=True), QAccessible.Role.CheckBox, "Failed"),
        (lambda: MenuButton("Model"), QAccessible.Role.Button, "Model"),
    ],
)
def test_a_button_tells_its_role_and_name(
    qtbot: QtBot, make: Callable[[], QWidget], role: QAccessible.Role, name: str
) -> None:
    widget = make()
    qtbot.addWidget(widget)
    assert role_and_name(widget) == (role, name)


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter])
@pytest.mark.parametrize("make", [lambda: Button("Stop"), lambda: IconButton("x", "Close"), lambda: Chip("All")])
def test_space_and_enter_press(qtbot: QtBot, show: Show, make: Callable[[], QAbstractButton], key: Qt.Key) -> None:
    button = make()
    show(button)
    with qtbot.waitSignal(button.clicked, timeout=5000):
        qtbot.keyClick(button, key)


def test_a_disabled_button_does_nothing(qtbot: QtBot, show: Show) -> None:
    button = Button("Stop")
    pressed: list[bool] = []
    button.clicked.connect(pressed.append)
    button.setEnabled(False)
    show(button)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    button.click()
    assert pressed == []
    assert not button.hasFocus()


def test_an_ampersand_is_text_and_no_shortcut(qtbot: QtBot) -> None:
    button = Button("Read & write")
    qtbot.addWidget(button)
    assert button.text() == "Read & write"
    assert button.shortcut().isEmpty()


def test_the_accessible_name_follows_the_text_unless_it_is_its_own(qtbot: QtBot) -> None:
    button = Button("Stop")
    qtbot.addWidget(button)
    button.setText("Stop all")
    assert button.accessibleName() == "Stop all"
    button.setAccessibleName("Stop all children of Codex")
    button.setText("Stop")
    assert button.accessibleName() == "Stop all children of Codex"


def test_buttons_have_the_heights_of_the_design(qtbot: QtBot) -> None:
    for button, height in (
        (Button("A"), 28),
        (Button("A", small=True), 24),
        (IconButton("x", "n"), 28),
        (Chip("A"), 24),
    ):
        qtbot.addWidget(button)
        assert button.sizeHint().height() == height
    small = IconButton("x", "Close", small=True)
    qtbot.addWidget(small)
    assert small.sizeHint().width() == 24


def test_a_button_grows_with_the_font(qtbot: QtBot) -> None:
    button = Button("Resume")
    qtbot.addWidget(button)
    before = button.sizeHint()
    theme().set_ui_size(18)
    assert button.sizeHint().height() > before.height()
    assert button.sizeHint().width() > before.width()


def test_a_long_word_is_cut_only_when_there_is_no_room(show: Show) -> None:
    window = QWidget()
    row = QHBoxLayout(window)
    button = Button("Allow every command of this kind in this session")
    row.addWidget(button)
    window.resize(120, 60)
    show(window)
    assert button.width() < button.sizeHint().width()
    window.resize(800, 60)
    assert button.width() == button.sizeHint().width()


def test_the_key_is_shown_and_told_but_not_bound(qtbot: QtBot) -> None:
    button = IconButton("search", "Find", "Ctrl+F")
    qtbot.addWidget(button)
    assert "Find" in button.toolTip()
    assert button.toolTip() != "Find"
    assert button.shortcut().isEmpty()
    assert Button("Once").sizeHint().width() < Button("Once", key="1").sizeHint().width()


def picture(widget: QWidget) -> QImage:
    return widget.grab().toImage()


@pytest.mark.parametrize("kind", ["outlined", "filled", "ghost"])
def test_states_look_different(qtbot: QtBot, show: Show, kind: str) -> None:
    button = Button("Stop", kind)
    show(button)
    rest = picture(button)
    button._under = True
    under = picture(button)
    button.setDown(True)
    down = picture(button)
    button.setDown(False)
    button._under = False
    button.setEnabled(False)
    off = picture(button)
    assert rest != under
    assert rest != down
    assert rest != off


def test_the_filled_button_has_the_accent(show: Show) -> None:
    button = Button("Send", "filled")
    show(button)
    assert picture(button).pixelColor(4, 14) == theme().color("accent.fill")
    theme().set_scheme("dark")
    assert picture(button).pixelColor(4, 14) == theme().color("accent.fill")


def test_a_switch_mirrors_and_tells_on_from_off_by_shape(show: Show) -> None:
    switch = Switch("Delegate")
    show(switch)
    off = picture(switch)
    assert off.pixelColor(9, 12) == theme().color("border.control")
    switch.setChecked(True)
    assert picture(switch).pixelColor(23, 12) == theme().color("text.on-accent")
    switch.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert picture(switch).pixelColor(9, 12) == theme().color("text.on-accent")


def menu_of(button: MenuButton) -> Callable[[], QMenu]:
    def make() -> QMenu:
        menu = QMenu(button)
        menu.addAction("One")
        return menu

    return make


def test_a_menu_button_opens_its_menu_under_it_and_lets_it_go(qtbot: QtBot, show: Show) -> None:
    button = MenuButton("Model")
    button.set_menu(menu_of(button))
    show(button)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    menu = button.findChild(QMenu)
    assert menu is not None
    assert menu.isVisible()
    with qtbot.waitSignal(menu.destroyed, timeout=5000):
        menu.close()
    qtbot.keyClick(button, Qt.Key.Key_Down)
    again = button.findChild(QMenu)
    assert again is not None
    again.close()


def test_a_split_button_acts_on_its_word_and_opens_on_its_chevron(qtbot: QtBot, show: Show) -> None:
    button = SplitButton("Steer", key="Enter")
    asked: list[str] = []
    button.clicked.connect(lambda: asked.append("act"))
    button.menu_asked.connect(lambda: asked.append("menu"))
    show(button)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(20, 14))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(button.width() - 10, 14))
    qtbot.keyClick(button, Qt.Key.Key_Down)
    qtbot.keyClick(button, Qt.Key.Key_Return)
    assert asked == ["act", "menu", "menu", "act"]


def test_radio_dots_of_one_parent_exclude_each_other(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    first, second = CheckMark("A", one=True, parent=parent), CheckMark("B", one=True, parent=parent)
    first.setChecked(True)
    second.setChecked(True)
    assert not first.isChecked()


def test_a_tooltip_with_tags_shows_them(qtbot: QtBot) -> None:
    button = IconButton("copy", "<b>Copy</b> & go")
    qtbot.addWidget(button)
    assert "&lt;b&gt;" in button.toolTip()
    assert {"copy", "pin"} <= icon_names()
