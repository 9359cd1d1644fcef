"""The window put together, on the records of the design's scene: pages, panes, cards, asks, keys."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui.doubles import OrdersDouble
from tests.ui.worlds import a_desk
from ui.viewmodels.rows import DelegationRow
from ui.viewmodels.states import State
from ui.viewmodels.world import World
from ui.widgets.cards import DelegationCard
from ui.workspace.new_session import NewSession
from ui.workspace.panels import Scrim
from ui.workspace.window import MainWindow

Show = Callable[[QWidget], QWidget]


@pytest.fixture
def desk() -> tuple[World, OrdersDouble]:
    return a_desk()


@pytest.fixture
def window(desk: tuple[World, OrdersDouble], qtbot: QtBot) -> Iterator[MainWindow]:
    world, orders = desk
    made = MainWindow(world, orders)
    made.resize(1440, 900)
    made.show()
    made.memory.restore()
    qtbot.waitUntil(lambda: bool(made.sessions.area.layout_now.focused.tabs), timeout=5000)
    yield made
    made.may_close = True
    made.close()
    made.deleteLater()


def root_titled(world: World, words: str) -> str:
    return next(r.session_id for r in world.sessions() if r.kind == "root" and words in world.title_of(r.session_id))


def opened(window: MainWindow, qtbot: QtBot, words: str = "Retry policy") -> str:
    session_id = root_titled(window.world, words)
    window.deeds.open_session(session_id)
    page = window.sessions.conversation()
    assert page is not None
    qtbot.waitUntil(lambda: not page.transcript.loading, timeout=5000)
    qtbot.waitUntil(lambda: bool(page.feed.visible_keys()), timeout=5000)
    return session_id


def test_a_conversation_shows_a_card_for_each_delegation(window: MainWindow, qtbot: QtBot) -> None:
    session_id = opened(window, qtbot)
    page = window.sessions.conversation()
    assert page is not None
    cards = [view for view in page.feed.findChildren(DelegationCard) if view.isVisible()]
    assert len(cards) == len(window.world.tasks_of(session_id))
    assert page.overlay.isVisible()


def test_cards_stand_complete_though_the_parent_printed_no_tool_call(
    desk: tuple[World, OrdersDouble], qtbot: QtBot
) -> None:
    world, orders = desk
    orders.entries_held.clear()
    window = MainWindow(world, orders)
    window.resize(1440, 900)
    window.show()
    window.memory.restore()
    session_id = root_titled(world, "Retry policy")
    window.deeds.open_session(session_id)
    page = window.sessions.conversation()
    assert page is not None
    qtbot.waitUntil(lambda: page.transcript.rowCount() >= len(world.tasks_of(session_id)), timeout=5000)
    rows = [page.transcript.row_at(number) for number in range(page.transcript.rowCount())]
    shown = [row.task_id for row in rows if isinstance(row, DelegationRow)]
    assert shown == [view.record.task_id for view in world.tasks_of(session_id)]
    window.may_close = True
    window.close()
    window.deleteLater()


def test_a_session_splits_closes_and_comes_back(window: MainWindow, qtbot: QtBot) -> None:
    session_id = opened(window, qtbot)
    child = window.world.children_of(session_id)[0]
    window.deeds.open_beside(child)
    assert [group.shown for group in window.sessions.area.layout_now.groups()] == [session_id, child]
    window.actions_run("close_tab")
    assert len(window.sessions.area.layout_now.groups()) == 1
    window.actions_run("reopen_tab")
    assert window.sessions.current_session() == child


def test_a_tab_is_remembered_without_waiting_for_the_end(
    window: MainWindow, desk: tuple[World, OrdersDouble], qtbot: QtBot
) -> None:
    session_id = root_titled(window.world, "Retry policy")
    window.view.set_value("draft-x", "text")  # what is written later already waits
    window.deeds.open_session(session_id)
    qtbot.waitUntil(lambda: any(session_id in order.given["text"] for order in desk[1].all("keep")), timeout=5000)


def test_every_page_shows_and_the_sidebar_says_which(window: MainWindow) -> None:
    for name in ("board", "inbox", "settings", "search", "conversation"):
        window.show_page(name)
        assert window.page_name() == name
    window.show_page("settings:appearance")
    assert window.page_name() == "settings"


def test_a_new_session_keeps_its_text_until_the_host_took_it(
    window: MainWindow, desk: tuple[World, OrdersDouble], qtbot: QtBot
) -> None:
    del qtbot
    window.deeds.new_session()
    page = window.sessions.page()
    assert isinstance(page, NewSession)
    page.composer.set_text("count the files")
    page.composer.submit("send")
    order = desk[1].last("open_session")
    assert order.given["agent"]
    desk[1].refuse(order, "There is no such folder.")
    assert page.composer.text() == "count the files"
    assert page.problem.text() == "There is no such folder."


def test_a_narrow_window_has_a_strip_in_place_of_the_sidebar(window: MainWindow) -> None:
    window.resize(860, 600)
    assert window.strip.isVisible()
    assert not window.sidebar.isVisible()
    window.actions_run("sidebar")
    assert window.sidebar.isVisible()
    window.resize(1440, 900)
    assert window.sidebar.isVisible()


def test_closing_asks_first_and_a_link_is_never_opened_by_itself(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.close_asked, timeout=5000):
        window.close()
    assert window.isVisible()
    window.deeds.open_link("https://example.org/")
    scrim = window.findChild(Scrim)
    assert isinstance(scrim, Scrim)
    copy = scrim.panel.buttons[1]
    copy.click()
    assert QGuiApplication.clipboard().text() == "https://example.org/"


def test_the_oldest_ask_is_one_key_away(window: MainWindow) -> None:
    window.actions_run("oldest_ask")
    assert window.page_name() == "inbox"


def test_tabs_say_title_and_state(window: MainWindow, qtbot: QtBot) -> None:
    session_id = opened(window, qtbot)
    assert window.world.state_of_session(session_id) is State.WAITING
    bar = window.sessions.area.strips()[0].bar
    assert "Waiting for you" in bar.accessibleTabName(bar.currentIndex())
