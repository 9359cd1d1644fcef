"""The board: where columns lie, what cards order, keys, the ask at the side, the table."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from codeg.api import AsksChanged, Code, Status, TaskChanged
from tests.ui import making as m
from tests.ui import scene as s
from tests.ui.doubles import OrdersDouble
from tests.ui.worlds import Kind, a_desk, changes
from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.board import Column
from ui.viewmodels.world import World
from ui.widgets.board import BoardPage
from ui.widgets.board.card import action_rect, card_height
from ui.widgets.board.card_list import CardList

Opened = Callable[..., tuple[BoardPage, World, OrdersDouble]]


@pytest.fixture
def opened(show: Callable[[QWidget], None]) -> Opened:
    def made(kind: Kind = "main", width: int = 1152) -> tuple[BoardPage, World, OrdersDouble]:
        world, orders = a_desk(kind)
        page = BoardPage(world, orders)
        page.resize(width, 860)
        show(page)
        return page, world, orders

    return made


def cards(page: BoardPage, column: Column) -> CardList:
    return page.columns.views[column].list


def press(qtbot: QtBot, at: CardList, task_id: str) -> None:
    """Press the action of a card."""
    face, box = at.face(task_id), at.box_of(at.cards.row_of(task_id))
    assert face is not None
    place = action_rect(face, box, rtl=False).center().toPoint()
    QTest.mouseClick(at.viewport(), Qt.MouseButton.LeftButton, pos=place)


# ---- where things lie


def test_five_columns_share_the_room_at_1440(opened: Opened) -> None:
    page, _, _ = opened()
    views = [page.columns.views[column] for column in Column]
    assert not page.columns.scrolls
    assert [view.x() for view in views] == sorted(view.x() for view in views)
    assert views[0].x() == metrics.SPACE_20
    assert len({view.width() for view in views}) == 1


def test_who_needs_the_person_is_pinned_first_when_it_scrolls(opened: Opened) -> None:
    page, _, _ = opened(width=900)
    assert page.columns.scrolls
    assert page.columns.shown()[0] is Column.WAITING
    before = page.columns.views[Column.DONE].x()
    page.columns.bar.setValue(120)
    assert page.columns.views[Column.WAITING].x() == metrics.SPACE_20
    assert page.columns.views[Column.DONE].x() == before - 120


def test_the_keyboard_brings_a_column_into_sight(opened: Opened) -> None:
    page, _, _ = opened(width=720)
    cards(page, Column.FAILED).setFocus(Qt.FocusReason.TabFocusReason)
    view = page.columns.views[Column.FAILED]
    assert view.x() + metrics.BOARD_COLUMN <= page.columns.width()
    cards(page, Column.QUEUED).setFocus(Qt.FocusReason.TabFocusReason)
    pinned = page.columns.views[Column.WAITING]
    assert page.columns.views[Column.QUEUED].x() >= pinned.x() + metrics.BOARD_COLUMN


def test_an_empty_column_shrinks(opened: Opened) -> None:
    page, _, _ = opened("scripts")
    queued = page.columns.views[Column.QUEUED]
    assert queued.width() == metrics.BOARD_EMPTY + metrics.BOARD_GAP
    assert queued.list.isHidden()
    assert queued.accessibleName() == "Queued, 0"


def test_a_card_is_as_high_as_its_text(opened: Opened) -> None:
    page, _, _ = opened()
    one, two = (cards(page, Column.QUEUED).face(task_id) for task_id in (s.RECEIPTS, s.EXAMPLES))
    assert one is not None
    assert two is not None
    assert (card_height(one, 216), card_height(two, 216)) == (92, 112)
    policy = cards(page, Column.RUNNING).face(s.POLICY)
    assert policy is not None
    assert card_height(policy, 216) == 130
    long = replace(policy, title="word " * 100)
    assert card_height(long, 216) == 150


# ---- what cards do


def test_actions_are_orders(opened: Opened, qtbot: QtBot) -> None:
    page, _, orders = opened()
    press(qtbot, cards(page, Column.QUEUED), s.RECEIPTS)
    assert orders.last("cancel_task").given == {"task_id": s.RECEIPTS}
    press(qtbot, cards(page, Column.RUNNING), s.INCIDENT_TASK)
    assert orders.last("cancel_task").given == {"task_id": s.INCIDENT_TASK}
    press(qtbot, cards(page, Column.FAILED), s.MERGED)
    assert orders.last("resume_task").given == {"task_id": s.MERGED}
    press(qtbot, cards(page, Column.DONE), s.CALLERS)
    orders.answer(orders.last("result"), "all of it")
    assert QGuiApplication.clipboard().text() == "all of it"


def test_a_failed_one_runs_again_with_the_same_task(opened: Opened, qtbot: QtBot) -> None:
    page, world, orders = opened()
    end = m.failed(Code.SUBAGENT_ERROR, "Model error, 3 tries")
    world.apply(changes(TaskChanged(m.task("codex-bad", s.RETRY, "Try it", status=Status.FAILED, age=m.HOUR, end=end))))
    qtbot.waitUntil(lambda: cards(page, Column.FAILED).visualRect(page.board.columns[Column.FAILED].index(0)).isValid())
    press(qtbot, cards(page, Column.FAILED), "codex-bad")
    assert orders.last("delegate").given == {
        "session_id": s.RETRY, "agent": "codex", "task": "Try it", "folder": m.HARBOR,
    }  # fmt: skip


def test_one_with_children_asks_before_it_stops(opened: Opened, qtbot: QtBot) -> None:
    page, _, orders = opened()
    running = cards(page, Column.RUNNING)
    press(qtbot, running, s.POLICY)
    assert orders.all("cancel_task") == []
    face = running.face(s.POLICY)
    assert face is not None
    assert face.line == "Stop Codex and its child?"
    press(qtbot, running, s.POLICY)
    assert orders.last("cancel_task").given == {"task_id": s.POLICY}


def test_a_question_goes_with_esc(opened: Opened, qtbot: QtBot) -> None:
    page, _, orders = opened()
    running = cards(page, Column.RUNNING)
    running.setFocus(Qt.FocusReason.TabFocusReason)
    running.choose(0)
    QTest.keyClick(running, Qt.Key.Key_X)
    assert running.asking == s.POLICY
    QTest.keyClick(running, Qt.Key.Key_Escape)
    assert running.asking == ""
    assert orders.all("cancel_task") == []


def test_a_click_opens_the_task(opened: Opened, qtbot: QtBot) -> None:
    page, _, _ = opened()
    done = cards(page, Column.DONE)
    told: list[str] = []
    page.open_task.connect(told.append)
    place = (done.box_of(1).topLeft() + QPointF(60, 20)).toPoint()
    QTest.mouseClick(done.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told == [s.RACE]


def test_keys_walk_between_columns(opened: Opened, qtbot: QtBot) -> None:
    page, _, orders = opened()
    page.setFocus(Qt.FocusReason.OtherFocusReason)
    waiting = cards(page, Column.WAITING)
    assert waiting.hasFocus()
    QTest.keyClick(waiting, Qt.Key.Key_J)
    assert waiting.current_id() == s.SETTLEMENT
    QTest.keyClick(waiting, Qt.Key.Key_Right)
    done = cards(page, Column.DONE)
    assert done.hasFocus()
    assert done.current_id() == s.RACE
    with qtbot.waitSignal(page.open_task, timeout=5000):
        QTest.keyClick(done, Qt.Key.Key_Return)
    QTest.keyClick(done, Qt.Key.Key_C)
    assert orders.last("result").given == {"task_id": s.RACE}


# ---- the ask


def test_answer_opens_the_ask_at_the_side(opened: Opened, qtbot: QtBot) -> None:
    page, world, orders = opened()
    waiting = cards(page, Column.WAITING)
    waiting.setFocus(Qt.FocusReason.TabFocusReason)
    press(qtbot, waiting, s.GRID)
    assert page.side.isVisible()
    assert page.side.width() == metrics.PANEL
    assert page.side.request_id() == s.ASK_GRID
    panel = page.side.place.panel
    assert panel is not None
    QTest.keyClick(panel, Qt.Key.Key_3)
    assert orders.last("answer_option").given["option_id"] == "reject"
    world.apply(changes(AsksChanged(tuple(ask for ask in s.ASKS if ask["request_id"] != s.ASK_GRID))))
    assert page.side.isHidden()
    assert waiting.hasFocus()


def test_the_side_leads_to_all_that_waits(opened: Opened, qtbot: QtBot) -> None:
    page, _, _ = opened()
    page.answer(s.SETTLEMENT)
    told: list[str] = []
    page.open_ask.connect(told.append)
    page.side.all.click()
    assert told == [s.ASK_ALEMBIC]
    assert page.side.isHidden()


def test_esc_closes_the_side_and_never_answers(opened: Opened, qtbot: QtBot) -> None:
    page, _, orders = opened()
    page.answer(s.SETTLEMENT)
    QTest.keyClick(page.side, Qt.Key.Key_Escape)
    assert page.side.isHidden()
    assert not [name for name in orders.names() if name.startswith(("answer", "decline"))]


# ---- filters and the table


def test_one_column_alone(opened: Opened, qtbot: QtBot) -> None:
    page, _, _ = opened()
    page.show_only("running")
    assert page.columns.shown() == [Column.RUNNING]
    assert page.filters.only.text() == "Only Running"
    assert page.head.summary.text() == "4 delegated tasks"
    QTest.mouseClick(page.filters.only, Qt.MouseButton.LeftButton)
    assert len(page.columns.shown()) == 5
    page.show_only("nonsense")
    assert len(page.columns.shown()) == 5


def test_nothing_fits(opened: Opened) -> None:
    page, _, _ = opened()
    page.board.set_filter(replace(page.board.filter(), folder="/nowhere"))
    assert page.nothing.isVisible()
    page.nothing.clear.click()
    assert page.nothing.isHidden()
    assert page.columns.isVisible()
    assert page.filters.folder.text() == "All folders"


def test_nothing_was_delegated(opened: Opened) -> None:
    page, _, _ = opened("empty")
    assert page.nothing.label.text() == "Nothing was delegated yet."
    assert page.nothing.clear.isHidden()


def test_the_table(opened: Opened, qtbot: QtBot) -> None:
    page, _, orders = opened()
    page.filters.as_table.click()
    table = page.table
    assert table.isVisible()
    assert page.columns.isHidden()
    assert table.rowHeight(0) == metrics.BOARD_TABLE_ROW
    table.setCurrentIndex(page.rows.index(page.rows.row_of(s.MERGED), 0))
    told: list[str] = []
    page.open_task.connect(told.append)
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert told == [s.MERGED]
    QTest.keyClick(table, Qt.Key.Key_R)
    assert orders.last("resume_task").given == {"task_id": s.MERGED}
    table.setCurrentIndex(page.rows.index(page.rows.row_of(s.GRID), 0))
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert page.side.request_id() == s.ASK_GRID


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["main", "states", "scripts"])
def test_it_paints_at_any_size_and_direction(opened: Opened, kind: Kind, scheme: str) -> None:
    theme().set_scheme(scheme)
    page, _, _ = opened(kind)
    page.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    theme().set_ui_size(18)
    for table in (False, True):
        page.show_table(table)
        for width in (720, 1152):
            page.resize(width, 520)
            assert not page.grab().isNull()
