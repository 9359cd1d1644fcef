"""What Qt draws itself looks ours too."""
# pyright: reportUnknownMemberType=false

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFontInfo, QIcon, QPalette
from PySide6.QtWidgets import QApplication, QMenu, QScrollArea, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from ui.theme import metrics
from ui.theme.apply import Look, apply
from ui.theme.icons import icon
from ui.theme.theme import theme

Show = Callable[[QWidget], None]


def test_the_palette_follows_the_theme(qapp: QApplication) -> None:
    theme().set_scheme("dark")
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme().color("bg.canvas")
    theme().set_scheme("light")
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme().color("bg.canvas")


def test_the_base_font_follows_the_size(qapp: QApplication) -> None:
    assert QFontInfo(qapp.font()).family() == "Inter"
    theme().set_ui_size(16)
    assert qapp.font().pixelSize() == 16


def test_applying_twice_is_once(qapp: QApplication) -> None:
    apply(qapp)
    assert len(qapp.findChildren(Look)) == 1


def test_a_menu_is_round_and_its_rows_are_28_high(qtbot: QtBot, show: Show) -> None:
    window = QWidget()
    show(window)
    menu = QMenu(window)
    first = menu.addAction(icon("copy"), "Copy id\tCtrl+C")
    menu.addSeparator()
    menu.addAction("Stop && wait").setEnabled(False)
    menu.popup(QPoint(0, 0))
    qtbot.waitUntil(menu.isVisible, timeout=5000)
    assert menu.actionGeometry(first).height() == metrics.MENU_ROW
    assert not menu.mask().isEmpty()
    assert not menu.mask().contains(QPoint(0, 0))
    picture = menu.grab().toImage()
    assert picture.pixelColor(menu.width() // 2, 0) == theme().color("border.control")
    menu.close()


def test_a_scroll_bar_is_slim_and_works_without_buttons(qtbot: QtBot, show: Show) -> None:
    area, inside = QScrollArea(), QWidget()
    inside.setFixedSize(100, 4000)
    area.setWidget(inside)
    area.resize(200, 200)
    show(area)
    bar = area.verticalScrollBar()
    assert bar.width() == metrics.SCROLL_BAR
    assert bar.grab().toImage().pixelColor(6, 8) == theme().color("border.default")
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(6, 150))
    assert bar.value() == bar.pageStep()
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=QPoint(6, 12))
    qtbot.mouseMove(bar, QPoint(6, 100))
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(6, 100))
    assert bar.value() > bar.pageStep()


def test_a_scroll_bar_of_what_fits_draws_nothing(show: Show) -> None:
    bar = QScrollBar(Qt.Orientation.Vertical)
    bar.setRange(0, 0)
    bar.resize(12, 100)
    show(bar)
    picture = bar.grab().toImage()
    assert len({picture.pixel(x, y) for x in range(12) for y in range(0, 100, 5)}) == 1


def test_an_icon_follows_the_theme_and_is_crisp(qapp: QApplication) -> None:
    def darkest(shown: QIcon) -> int:
        picture = shown.pixmap(QSize(16, 16), 2.0).toImage()
        assert picture.width() == 32
        return max(
            picture.pixelColor(x, y).lightness()
            for x in range(32)
            for y in range(32)
            if picture.pixelColor(x, y).alpha() > 200
        )

    shown = icon("search")
    light = darkest(shown)
    theme().set_scheme("dark")
    assert darkest(QIcon(shown)) > light
    copy = QIcon(shown)
    copy.addPixmap(shown.pixmap(QSize(16, 16)))  # makes Qt clone the engine
    assert not copy.isNull()
