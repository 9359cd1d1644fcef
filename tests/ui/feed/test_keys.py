"""The feed by keyboard: one stop, a current row, unfold, copy."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.feed.stand import Rows, a_context, a_feed, message, messages, one_of_each, tool
from ui.viewmodels.rows import DelegationRow
from ui.widgets.feed import Feed, RowView, factory_of, register_view

Show = Callable[[QWidget], None]


def press(feed: Feed, key: Qt.Key) -> None:
    """Press a key in the feed."""
    QTest.keyClick(feed, key)


def focused(feed: Feed) -> Feed:
    """The feed with the focus by keyboard."""
    feed.activateWindow()
    feed.clearFocus()
    feed.setFocus(Qt.FocusReason.TabFocusReason)
    return feed


def test_tab_enters_at_the_newest_row_and_shows_a_ring(show: Show, qtbot: QtBot) -> None:
    feed, _ = a_feed(show, messages(50))
    focused(feed)
    qtbot.waitUntil(feed._ring.isVisible, timeout=5000)
    assert feed.current == "m49"


def test_j_and_k_walk_the_rows_and_scroll_them_into_sight(show: Show) -> None:
    feed, model = a_feed(show, messages(50))
    feed.set_current("m49")
    for _ in range(45):
        press(feed, Qt.Key.Key_K)
    assert feed.current == "m4"
    view = feed.view_of("m4")
    assert view is not None
    assert 0 <= view.y() <= feed.viewport().height() - view.height()
    press(feed, Qt.Key.Key_Down)
    press(feed, Qt.Key.Key_J)
    assert feed.current == "m6"
    assert model.index_of("m6") == 6


def test_home_and_end_go_to_the_ends(show: Show) -> None:
    feed, _ = a_feed(show, messages(50))
    press(feed, Qt.Key.Key_Home)
    assert feed.current == "m0"
    assert feed.visible_keys()[0] == "m0"
    assert not feed.at_end()
    press(feed, Qt.Key.Key_End)
    assert feed.current == "m49"
    assert feed.at_end()


def test_page_keys_scroll_by_a_window(show: Show) -> None:
    feed, _ = a_feed(show, messages(50))
    before = feed.verticalScrollBar().value()
    press(feed, Qt.Key.Key_PageUp)
    assert before - feed.verticalScrollBar().value() > 400


def test_right_unfolds_and_left_folds(show: Show, qtbot: QtBot) -> None:
    feed, _ = a_feed(show, [tool("a", "execute", output="line\n" * 3)])
    feed.set_current("a")
    view = feed.view_of("a")
    assert view is not None
    press(feed, Qt.Key.Key_Right)
    assert view.is_open()
    qtbot.waitUntil(lambda: view.height() > 28, timeout=5000)
    press(feed, Qt.Key.Key_Left)
    assert not view.is_open()
    qtbot.waitUntil(lambda: view.height() == 28, timeout=5000)
    press(feed, Qt.Key.Key_Return)
    assert view.is_open()


def test_left_in_a_card_goes_out(show: Show, qtbot: QtBot) -> None:
    feed, _ = a_feed(show, [tool("a")], a_context(depth=1), size=(600, 200))
    feed.set_current("a")
    with qtbot.waitSignal(feed.leave_asked, timeout=5000):
        press(feed, Qt.Key.Key_Left)


def test_c_copies_the_current_row(show: Show) -> None:
    feed, _ = a_feed(show, [message("a", "some **bold** text"), tool("b", target="src/x.py")])
    feed.set_current("a")
    press(feed, Qt.Key.Key_C)
    assert QGuiApplication.clipboard().text() == "some **bold** text"
    feed.set_current("b")
    press(feed, Qt.Key.Key_C)
    assert QGuiApplication.clipboard().text() == "src/x.py"


def test_other_keys_go_to_the_page(show: Show) -> None:
    page, feed = QWidget(), Feed(a_context())
    QVBoxLayout(page).addWidget(feed)
    seen: list[int] = []

    class Page(QWidget):
        def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
            seen.append(event.key())

    outer = Page()
    QVBoxLayout(outer).addWidget(page)
    show(outer)
    press(feed, Qt.Key.Key_S)
    press(feed, Qt.Key.Key_Escape)
    assert seen == [Qt.Key.Key_S, Qt.Key.Key_Escape]


class _Card(RowView):
    """A row with a key and an inside of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self)
        self.keys: list[int] = []

    def height_for(self, width: int) -> int:
        return 62

    def can_open(self) -> bool:
        return True

    def is_open(self) -> bool:
        return True

    def go_in(self) -> bool:
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def take_key(self, event: QKeyEvent) -> bool:
        self.keys.append(event.key())
        return event.key() == Qt.Key.Key_X


def test_a_room_registers_its_own_view_and_gets_the_keys_of_its_row(show: Show, qtbot: QtBot) -> None:
    before = factory_of(DelegationRow)
    register_view(DelegationRow, _Card)
    try:
        feed, _ = a_feed(show, [one_of_each()[5]])
        view = feed.view_of("card")
        assert isinstance(view, _Card)
        assert view.height() == 62
        feed.set_current("card")
        press(feed, Qt.Key.Key_X)
        assert view.keys == [Qt.Key.Key_X]
        focused(feed)
        press(feed, Qt.Key.Key_Right)
        qtbot.waitUntil(view.field.hasFocus, timeout=5000)
    finally:
        register_view(DelegationRow, before)


def test_a_press_makes_a_row_the_current_one_without_a_ring(show: Show) -> None:
    feed, _ = a_feed(show, messages(3), size=(900, 400))
    view = feed.view_of("m1")
    assert view is not None
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(view.width() - 2, 2))
    assert feed.current == "m1"
    assert not feed._ring.isVisible()


def test_the_current_row_may_go_away(show: Show, qtbot: QtBot) -> None:
    feed, model = a_feed(show, messages(5))
    focused(feed)
    feed.set_current("m4")
    assert isinstance(model, Rows)
    model.remove(4)
    qtbot.waitUntil(lambda: feed.visible_keys()[-1] == "m3", timeout=5000)
    press(feed, Qt.Key.Key_K)
    assert feed.current == "m3"
