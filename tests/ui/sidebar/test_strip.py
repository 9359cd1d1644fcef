"""The strip of narrow windows."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from codeg.api import AsksChanged
from tests.ui.worlds import a_world, changes
from ui.theme import metrics
from ui.widgets.sidebar import SidebarStrip

Show = Callable[[QWidget], None]


def test_it_is_48_wide_and_leads_to_the_same_places(show: Show) -> None:
    strip = SidebarStrip(a_world())
    strip.resize(strip.width(), 600)
    asked: list[str] = []
    strip.open_page.connect(asked.append)
    strip.new_session.connect(lambda: asked.append("new"))
    strip.sidebar_asked.connect(lambda: asked.append("sidebar"))
    show(strip)
    assert strip.width() == metrics.SIDEBAR_STRIP
    for button in strip.buttons.values():
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked == ["sidebar", "new", "search", "inbox", "board", "settings"]


def test_its_count_follows_the_world_and_is_said(show: Show) -> None:
    world = a_world()
    strip = SidebarStrip(world)
    show(strip)
    inbox = strip.buttons["inbox"]
    assert inbox.accessibleName() == "Needs you, 4 waiting"
    assert inbox.sizeHint().height() > metrics.SIDEBAR_ROW
    world.apply(changes(AsksChanged(())))
    assert inbox.accessibleName() == "Needs you"
    assert inbox.sizeHint().height() == metrics.SIDEBAR_ROW


def test_the_current_page_is_said(show: Show) -> None:
    strip = SidebarStrip(a_world())
    show(strip)
    strip.show_current("board")
    assert [name for name, button in strip.buttons.items() if button.accessibleDescription()] == ["board"]
