"""The page "Needs you": what is shown, what follows an answer, keys, narrow windows."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from codeg.api import AsksChanged
from tests.ui import scene as s
from tests.ui.doubles import OrdersDouble
from tests.ui.worlds import Kind, a_desk, changes
from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.transcript import Transcripts
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import World
from ui.widgets.inbox import InboxPage
from ui.widgets.inbox.ask_list import row_height

Show = Callable[[QWidget], None]


@pytest.fixture
def opened(show: Show, qtbot: QtBot) -> Callable[..., tuple[InboxPage, World, OrdersDouble]]:
    def made(kind: Kind = "main", width: int = 1152) -> tuple[InboxPage, World, OrdersDouble]:
        world, orders = a_desk(kind)
        page = InboxPage(world, orders, Transcripts(world, orders), ViewState())
        page.resize(width, 860)
        show(page)
        page.setFocus(Qt.FocusReason.OtherFocusReason)
        return page, world, orders

    return made


Opened = Callable[..., tuple[InboxPage, World, OrdersDouble]]


def shown(page: InboxPage) -> str:
    return page.detail.panel.ask.request_id if page.detail.panel is not None else ""


def without(world: World, request_id: str) -> None:
    world.apply(changes(AsksChanged(tuple(ask for ask in s.ASKS if ask["request_id"] != request_id))))


def test_the_oldest_is_open_at_first(opened: Opened) -> None:
    page, _, _ = opened()
    assert page.list.current_id() == shown(page) == s.ASK_WIDTHS
    assert page.head.summary.text() == "4 asks in 3 sessions, oldest first"
    assert [chip.text() for chip in page.chips.values()] == ["All 4", "Permissions 2", "Questions 1", "Plans 1"]


def test_numbers_of_the_design(opened: Opened) -> None:
    page, _, _ = opened()
    assert page.body.line == metrics.INBOX_LIST
    assert page.head.height() == metrics.PAGE_HEADER
    assert row_height() == 80
    first, second = (page.list.visualRect(page.asks.index(row)) for row in (0, 1))
    assert second.top() - first.top() == row_height() + metrics.SPACE_4


def test_after_an_answer_the_next_oldest_is_shown(opened: Opened) -> None:
    page, world, _ = opened()
    page.select(s.ASK_ALEMBIC)
    without(world, s.ASK_ALEMBIC)
    assert shown(page) == page.list.current_id() != ""
    page.select(s.ASK_WIDTHS)
    without(world, s.ASK_WIDTHS)
    assert shown(page) == page.list.current_id() == s.ASK_GRID


def test_digits_choose_and_j_k_walk(opened: Opened, qtbot: QtBot) -> None:
    page, _, orders = opened()
    QTest.keyClick(page.list, Qt.Key.Key_J)
    assert shown(page) == s.ASK_GRID
    QTest.keyClick(page.list, Qt.Key.Key_1)
    assert orders.last("answer_option").given == {"request_id": s.ASK_GRID, "option_id": "once", "note": ""}
    QTest.keyClick(page.list, Qt.Key.Key_K)
    QTest.keyClick(page.list, Qt.Key.Key_K)
    assert shown(page) == s.ASK_WIDTHS


def test_o_and_the_button_open_the_conversation(opened: Opened, qtbot: QtBot) -> None:
    page, _, _ = opened()
    told: list[str] = []
    page.open_session.connect(told.append)
    QTest.keyClick(page.list, Qt.Key.Key_O)
    assert told == [s.SETTINGS]
    with qtbot.waitSignal(page.open_session, timeout=5000):
        page.detail.open.click()


def test_enter_goes_into_the_ask_and_esc_comes_back_without_an_answer(opened: Opened, qtbot: QtBot) -> None:
    page, _, orders = opened()
    QTest.keyClick(page.list, Qt.Key.Key_Return)
    panel = page.detail.panel
    assert panel is not None
    assert panel.hasFocus()
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert not panel.hasFocus()
    assert not [name for name in orders.names() if name.startswith(("answer", "decline"))]


def test_chips_filter_and_select_takes_a_filter_off(opened: Opened, qtbot: QtBot) -> None:
    page, _, _ = opened()
    QTest.mouseClick(page.chips["plan_approval"], Qt.MouseButton.LeftButton)
    assert shown(page) == s.ASK_PLAN
    assert page.asks.rowCount() == 1
    page.select(s.ASK_GRID)
    assert page.asks.rowCount() == 4
    assert shown(page) == s.ASK_GRID
    assert page.chips[""].isChecked()


def test_what_it_did_before_it_asked(opened: Opened, qtbot: QtBot) -> None:
    page, _, _ = opened()
    qtbot.waitUntil(page.detail.before.isVisible, timeout=5000)
    names = [child.accessibleName() for child in page.detail.before.box.findChildren(QWidget)]
    assert any("The page has a fixed width today" in name for name in names)
    assert any(name.startswith("Edit src/settings/layout.css, completed") for name in names)
    assert page.detail.before.count.text() == "last 3 entries"


def test_nobody_waits(opened: Opened) -> None:
    page, world, _ = opened()
    world.apply(changes(AsksChanged(())))
    assert page.list.isHidden()
    assert page.detail.isHidden()
    assert page.body.accessibleName() == "Nobody is waiting for you. 4 children are running"
    assert not page.grab().isNull()


def test_a_narrow_page_shows_list_or_detail(opened: Opened, qtbot: QtBot) -> None:
    page, _, _ = opened(width=852)
    assert page.list.isVisible()
    assert not page.detail.isVisible()
    row = page.list.visualRect(page.asks.index(2)).center()
    QTest.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(row.x(), row.y()))
    assert page.detail.isVisible()
    assert not page.list.isVisible()
    assert shown(page) == s.ASK_PLAN
    page.detail.back.click()
    assert page.list.isVisible()
    assert page.list.hasFocus()


def test_a_middle_page_has_a_narrow_list(opened: Opened) -> None:
    page, _, _ = opened(width=952)
    assert page.body.line == metrics.INBOX_LIST_NARROW
    assert page.detail.isVisible()
    assert page.detail.back.isHidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_paints_at_any_size_and_direction(opened: Opened, scheme: str) -> None:
    theme().set_scheme(scheme)
    theme().set_ui_size(18)
    page, _, _ = opened("flood", 720)
    page.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    for width in (720, 900, 1152):
        page.resize(width, 520)
        assert not page.grab().isNull()
