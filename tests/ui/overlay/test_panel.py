"""The panel of sub-agents, its line, and what they ask of the window."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from codeg.api import Activity, Status, TaskChanged
from tests.ui import making as m
from tests.ui import scene
from tests.ui.cards.stand import Show, click
from tests.ui.doubles import OrdersDouble
from tests.ui.worlds import a_desk, a_world, changes, many
from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.overlay import SubAgent
from ui.viewmodels.world import World
from ui.widgets.overlay import SubAgentsLine, SubAgentsPanel
from ui.widgets.overlay.rows import row_height


def a_panel(show: Show, world: World | None = None, session: str = scene.RETRY) -> tuple[SubAgentsPanel, OrdersDouble]:
    """A panel at its own height."""
    known, orders = (world, OrdersDouble(world)) if world is not None else a_desk()
    panel = SubAgentsPanel(session, known, orders)
    panel.resize(metrics.OVERLAY, panel.wanted_height(metrics.OVERLAY))
    show(panel)
    return panel, orders


def row_room(panel: SubAgentsPanel, number: int) -> QRect:
    return panel.rows.visualRect(panel.model.index(number, 0))


# ---- what it shows


def test_heights_are_those_of_the_design(show: Show) -> None:
    panel, _ = a_panel(show)
    assert row_height() == 48
    rows, lanes = 4 * 48 + 8, metrics.TIMELINE_AXIS + 4 * metrics.TIMELINE_LANE + 18
    assert panel.rows.height() == rows
    assert panel.timeline.height() == lanes
    assert panel.height() == metrics.OVERLAY_HEAD + rows + 1 + lanes + metrics.OVERLAY_FOOT + 2
    assert panel._scroll.verticalScrollBar().maximum() == 0


def test_it_counts_and_sums_up(show: Show) -> None:
    panel, _ = a_panel(show)
    assert panel.count.text() == "4"
    assert panel.sum.text() == "All children: 142k tokens · $0.81"


def test_list_and_timeline_scroll_together(show: Show) -> None:
    panel, _ = a_panel(show)
    panel.resize(metrics.OVERLAY, 200)
    QTest.qWait(0)
    assert panel._scroll.verticalScrollBar().maximum() > 0
    assert panel.rows.height() == 4 * 48 + 8


def test_it_grows_with_the_font(show: Show) -> None:
    panel, _ = a_panel(show)
    before = panel.wanted_height()
    theme().set_ui_size(16)
    assert panel.wanted_height() > before
    assert row_height() == theme().line("ui") + theme().line("small") + 12


def test_a_world_without_children_is_no_crash(show: Show) -> None:
    panel, _ = a_panel(show, a_world("empty"), "nobody")
    panel.grab()
    assert panel.count.text() == "0"
    assert not panel.stop.isVisible()


# ---- live


def test_it_follows_the_world(show: Show, qtbot: QtBot) -> None:
    panel, orders = a_panel(show)
    new = m.task("codex-new-ffff0000ffff", scene.RETRY, "New", age=m.SECOND)
    with qtbot.waitSignal(panel.size_changed, timeout=5000):
        orders.world.apply(changes(TaskChanged(new)))
    assert panel.count.text() == "5"
    orders.world.apply((), {scene.POLICY: Activity("Reading", m.NOW, 15)})
    row = panel.model.row_at(1)
    assert isinstance(row, SubAgent)
    assert row.line == "Reading"


def test_a_hidden_panel_catches_up_when_it_shows(show: Show) -> None:
    panel, orders = a_panel(show)
    panel.hide()
    orders.world.apply((), {scene.POLICY: Activity("Reading", m.NOW, 15)})
    row = panel.model.row_at(1)
    assert isinstance(row, SubAgent)
    assert row.line != "Reading"
    panel.show()
    row = panel.model.row_at(1)
    assert isinstance(row, SubAgent)
    assert row.line == "Reading"


def test_other_conversations_do_not_disturb_it(show: Show) -> None:
    panel, orders = a_panel(show)
    told: list[int] = []
    panel.model.dataChanged.connect(lambda: told.append(1))
    orders.world.apply((), {scene.INCIDENT_TASK: Activity("Other", m.NOW, 3)})
    assert not told


# ---- hands


def test_a_row_leads_to_its_card(show: Show) -> None:
    panel, _ = a_panel(show)
    chosen: list[str] = []
    panel.task_chosen.connect(chosen.append)
    click(panel.rows.viewport(), row_room(panel, 2).center())
    assert chosen == [scene.PROPERTY]


def test_arrows_and_enter(show: Show) -> None:
    panel, _ = a_panel(show)
    chosen: list[str] = []
    panel.task_chosen.connect(chosen.append)
    panel.rows.setFocus()
    panel.rows.setCurrentIndex(panel.model.index(0, 0))
    QTest.keyClick(panel.rows, Qt.Key.Key_Down)
    QTest.keyClick(panel.rows, Qt.Key.Key_Return)
    QTest.keyClicks(panel.rows, "jk")
    QTest.keyClicks(panel.rows, "j")
    QTest.keyClick(panel.rows, Qt.Key.Key_Return)
    assert chosen == [scene.POLICY, scene.PROPERTY]


def test_the_fold_opens_in_place(show: Show) -> None:
    panel, _ = a_panel(show, many(20, roots=1, live=5), "root-0")
    assert panel.model.rowCount() == 6
    click(panel.rows.viewport(), row_room(panel, 5).center())
    assert panel.model.rowCount() == 21
    click(panel.rows.viewport(), row_room(panel, 20).center())
    assert panel.model.rowCount() == 6


def test_stop_all_asks_once_in_place(show: Show) -> None:
    panel, orders = a_panel(show)
    tall = panel.height()
    click(panel.stop)
    assert panel.confirm is not None
    assert panel.confirm.question.text() == "Stop 3 children?"
    assert not orders.all("cancel_task")
    assert panel.height() == tall
    QTest.keyClick(panel.confirm, Qt.Key.Key_Escape)
    assert panel.confirm is None
    assert panel.stop.isVisible()
    click(panel.stop)
    assert panel.confirm is not None
    click(panel.confirm.yes)
    assert [order.given["task_id"] for order in orders.all("cancel_task")] == [scene.POLICY, scene.SETTLEMENT]


def test_the_question_goes_when_nothing_is_left_to_stop(show: Show) -> None:
    world = many(2, roots=1, live=2)
    panel, _ = a_panel(show, world, "root-0")
    click(panel.stop)
    assert panel.confirm is not None
    for view in world.tasks_of("root-0"):
        record = m.task(view.record.task_id, "root-0", "x", "demo", Status.COMPLETED).record
        world.apply(changes(TaskChanged(replace(view, record=record, status=Status.COMPLETED))))
    assert panel.confirm is None
    assert not panel.stop.isVisible()


def test_esc_closes_only_what_floats(show: Show) -> None:
    panel, _ = a_panel(show)
    closed: list[bool] = []
    panel.closed.connect(lambda: closed.append(True))
    panel.rows.setFocus()
    QTest.keyClick(panel.rows, Qt.Key.Key_Escape)
    assert not closed
    panel.float_over()
    QTest.keyClick(panel.rows, Qt.Key.Key_Escape)
    assert closed == [True]
    assert not panel.floating


def test_head_buttons(show: Show) -> None:
    panel, _ = a_panel(show)
    told: list[str] = []
    panel.pane_asked.connect(lambda: told.append("pane"))
    panel.closed.connect(lambda: told.append("closed"))
    click(panel.keep)
    click(panel.close_button)
    assert told == ["pane", "closed"]


def test_right_to_left(show: Show) -> None:
    panel, _ = a_panel(show)
    panel.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    QTest.qWait(0)
    panel.grab()
    assert panel.close_button.x() < panel.keep.x() < panel.title.x()


# ---- the line


def test_the_line_counts_by_state(show: Show) -> None:
    world = a_world()
    line = SubAgentsLine(scene.RETRY, world)
    line.resize(900, line.sizeHint().height())
    show(line)
    assert line.accessibleName() == "4 sub-agents: 1 waiting for you, 2 running, 1 completed"
    opened: list[bool] = []
    line.opened.connect(lambda: opened.append(True))
    click(line, QPoint(200, 20))
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert opened == [True, True]
    world.apply(changes(TaskChanged(m.task("codex-new-ffff0000ffff", scene.RETRY, "New"))))
    assert line.accessibleName().startswith("5 sub-agents: 1 waiting for you, 3 running")


@pytest.mark.parametrize("width", [300, 720, 1600])
def test_the_line_paints_at_any_width(show: Show, width: int) -> None:
    line = SubAgentsLine(scene.RETRY, a_world())
    line.resize(width, line.sizeHint().height())
    show(line)
    assert not line.grab().isNull()
