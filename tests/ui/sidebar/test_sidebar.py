"""The sidebar on the screen: places, rows, keys, deeds."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from codeg.api import AsksChanged, SessionChanged, SessionDeleted
from tests.ui import making as m
from tests.ui import scene as s
from tests.ui.doubles import OrdersDouble
from tests.ui.worlds import a_desk, changes, many
from ui.theme import metrics
from ui.viewmodels.sidebar import FOLDER, Filter
from ui.viewmodels.view_state import ViewState
from ui.widgets.controls import Field
from ui.widgets.sidebar import Sidebar
from ui.widgets.sidebar.rows import CHEVRON, indent_of, title_at

Show = Callable[[QWidget], None]
HARBOR = FOLDER + m.HARBOR


class Rig:
    """A sidebar, the orders behind it, and what it told."""

    def __init__(self, show: Show, view: ViewState | None = None) -> None:
        self.world, self.orders = a_desk()
        self.view = view or ViewState()
        self.bar = Sidebar(self.world, self.orders, self.view)
        self.bar.resize(metrics.SIDEBAR, 900)
        self.told: list[tuple[str, str]] = []
        self.undo: list[Callable[[], None]] = []
        self.bar.open_session.connect(partial(self._note, "open"))
        self.bar.open_beside.connect(partial(self._note, "beside"))
        self.bar.new_session.connect(partial(self._note, "new"))
        self.bar.new_session_in.connect(partial(self._note, "new"))
        self.bar.open_page.connect(partial(self._note, "page"))
        self.bar.undoable.connect(self._undoable)
        show(self.bar)

    def _note(self, what: str, key: str = "") -> None:
        self.told.append((what, key))

    def _undoable(self, text: str, undo: Callable[[], None]) -> None:
        self.told.append(("undoable", text))
        self.undo.append(undo)

    def click(self, key: str, x: float | None = None, *, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
        row = self.bar.tree.row_rect(self.bar.model.index_of(key))
        at = QPoint(round(x if x is not None else row.center().x()), round(row.center().y()))
        QTest.mouseClick(self.bar.tree.viewport(), button, Qt.KeyboardModifier.NoModifier, at)

    def chevron(self, key: str) -> float:
        node = self.bar.tree.node_at(self.bar.model.index_of(key))
        assert node is not None
        return self.bar.tree.row_rect(self.bar.model.index_of(key)).left() + indent_of(node) + CHEVRON / 2

    def is_open(self, key: str) -> bool:
        return self.bar.tree.isExpanded(self.bar.model.index_of(key))

    def stand_on(self, key: str) -> None:
        self.bar.tree.setFocus(Qt.FocusReason.TabFocusReason)
        self.bar.tree.setCurrentIndex(self.bar.model.index_of(key))

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.bar.tree, key, modifier)

    def is_shown(self, key: str) -> bool:
        return self.bar.model.index_of(key).isValid()

    def menu(self, key: str) -> dict[str, QAction]:
        menu = self.bar.row_menu(key)
        assert menu is not None
        return {action.objectName(): action for action in menu.actions() if not action.isSeparator()}


@pytest.fixture
def rig(show: Show) -> Rig:
    return Rig(show)


def orders_of(rig: Rig, name: str) -> list[dict[str, object]]:
    return [order.given for order in rig.orders.all(name)]


# ---- sizes


def test_rows_have_the_sizes_of_the_design(rig: Rig) -> None:
    def sizes(key: str) -> tuple[int, int, int]:
        node = rig.bar.tree.node_at(rig.bar.model.index_of(key))
        assert node is not None
        height = rig.bar.tree.sizeHintForIndex(rig.bar.model.index_of(key)).height()
        return height, indent_of(node), title_at(node)

    assert sizes(HARBOR) == (32, 0, 44)
    assert sizes(s.RETRY) == (32, 12, 60)
    assert sizes(m.child_of(s.POLICY)) == (28, 28, 74)
    assert sizes(m.child_of(s.PROPERTY)) == (28, 46, 92)
    row = rig.bar.tree.visualRect(rig.bar.model.index_of(s.RETRY))
    assert row.height() == 32
    assert rig.bar.tree.row_rect(rig.bar.model.index_of(s.RETRY)).left() == 8


def test_rows_end_eight_before_the_edge(rig: Rig) -> None:
    row = rig.bar.tree.row_rect(rig.bar.model.index_of(s.RETRY))
    right = rig.bar.tree.viewport().mapTo(rig.bar, row.topRight().toPoint()).x()
    assert right == metrics.SIDEBAR - metrics.SIDEBAR_PAD


def test_the_fixed_rows_are_32_high_and_stand_first(rig: Rig) -> None:
    tops = [rig.bar.places[name].mapTo(rig.bar, QPoint()).y() for name in ("new", "search", "inbox", "board")]
    assert tops == [8, 40, 72, 104]
    assert rig.bar.tree.mapTo(rig.bar, QPoint()).y() == 176


# ---- places


def test_places_lead_to_pages(rig: Rig) -> None:
    for name in ("new", "search", "inbox", "board", "settings"):
        QTest.mouseClick(rig.bar.places[name], Qt.MouseButton.LeftButton)
    assert rig.told == [("new", ""), ("page", "search"), ("page", "inbox"), ("page", "board"), ("page", "settings")]


def test_needs_you_counts(rig: Rig) -> None:
    assert rig.bar.places["inbox"].accessibleName() == "Needs you, 4 waiting"
    rig.world.apply(changes(AsksChanged(())))
    assert rig.bar.places["inbox"].accessibleName() == "Needs you"


def test_the_current_page_is_said(rig: Rig) -> None:
    rig.bar.show_current("board", None)
    assert [name for name, row in rig.bar.places.items() if row.current] == ["board"]
    assert rig.bar.places["board"].accessibleDescription()


# ---- the pointer


def test_a_click_opens_and_the_middle_button_opens_beside(rig: Rig) -> None:
    rig.click(s.FLAKY)
    rig.click(s.RETRY, button=Qt.MouseButton.MiddleButton)
    assert rig.told == [("open", s.FLAKY), ("beside", s.RETRY)]


def test_the_chevron_folds_without_opening(rig: Rig) -> None:
    rig.click(s.RETRY, rig.chevron(s.RETRY))
    assert rig.is_open(s.RETRY)
    rig.click(m.child_of(s.POLICY), rig.chevron(m.child_of(s.POLICY)))
    assert rig.is_open(m.child_of(s.POLICY))
    rig.click(s.RETRY, rig.chevron(s.RETRY))
    assert not rig.is_open(s.RETRY)
    assert rig.told == []


def test_a_folder_folds_wherever_it_is_pressed(rig: Rig) -> None:
    assert rig.is_open(HARBOR)
    rig.click(HARBOR)
    assert not rig.is_open(HARBOR)
    assert rig.told == []


def test_tooltips_are_plain_text(rig: Rig) -> None:
    record = rig.world.session(s.FLAKY)
    assert record is not None
    rig.world.apply(changes(SessionChanged(replace(record, title="<b>bold</b>"))))
    text = rig.bar.model.index_of(s.FLAKY).data(Qt.ItemDataRole.ToolTipRole)
    assert text.startswith("<b>bold</b>\n")


# ---- what is shown


def test_the_conversation_that_shows_is_marked_and_found(rig: Rig) -> None:
    rig.bar.tree.collapse(rig.bar.model.index_of(HARBOR))
    rig.bar.show_current("conversation", m.child_of(s.PROPERTY))
    assert rig.is_open(HARBOR)
    assert rig.is_open(s.RETRY)
    assert rig.is_open(m.child_of(s.POLICY))
    assert rig.bar.tree.currentIndex() == rig.bar.model.index_of(m.child_of(s.PROPERTY))


def test_folding_by_hand_is_not_undone_by_what_happens(rig: Rig) -> None:
    rig.bar.show_current("conversation", s.RETRY)
    rig.bar.tree.collapse(rig.bar.model.index_of(HARBOR))
    rig.bar.show_current("conversation", s.RETRY)
    rig.world.apply(changes(SessionChanged(m.session("fresh", "Fresh", age=0))))
    assert not rig.is_open(HARBOR)


def test_what_is_unfolded_survives_a_restart(rig: Rig, show: Show) -> None:
    rig.bar.tree.expand(rig.bar.model.index_of(s.RETRY))
    rig.bar.tree.collapse(rig.bar.model.index_of(FOLDER + m.ATLAS))
    later = ViewState()
    again = Rig(show, later)
    assert not again.is_open(s.RETRY)
    later.load(rig.view.dump())
    again.bar.show_current("conversation", None)
    assert again.is_open(s.RETRY)
    assert not again.is_open(FOLDER + m.ATLAS)


# ---- keys


def test_j_and_k_walk_and_enter_opens(rig: Rig) -> None:
    rig.stand_on(s.RETRY)
    rig.key(Qt.Key.Key_J)
    rig.key(Qt.Key.Key_Return)
    rig.key(Qt.Key.Key_K)
    rig.key(Qt.Key.Key_O)
    assert rig.told == [("open", s.FLAKY), ("beside", s.RETRY)]


def test_right_unfolds_and_goes_in_and_left_goes_out(rig: Rig) -> None:
    rig.stand_on(s.RETRY)
    rig.key(Qt.Key.Key_Right)
    assert rig.is_open(s.RETRY)
    rig.key(Qt.Key.Key_Right)
    assert rig.bar.tree.currentIndex() == rig.bar.model.index_of(m.child_of(s.CALLERS))
    rig.key(Qt.Key.Key_Left)
    assert rig.bar.tree.currentIndex() == rig.bar.model.index_of(s.RETRY)
    rig.key(Qt.Key.Key_Left)
    assert not rig.is_open(s.RETRY)


def test_enter_folds_a_folder(rig: Rig) -> None:
    rig.stand_on(HARBOR)
    rig.key(Qt.Key.Key_Return)
    assert not rig.is_open(HARBOR)


def test_x_stops_and_r_resumes(rig: Rig) -> None:
    for task, key in ((s.POLICY, Qt.Key.Key_X), (s.MERGED, Qt.Key.Key_R), (s.CALLERS, Qt.Key.Key_R)):
        view = rig.world.task(task)
        assert view is not None
        rig.bar.tree.expand(rig.bar.model.index_of(view.record.parent_id))
        rig.stand_on(view.record.child_id)
        rig.key(key)
    rig.stand_on(s.RETRY)
    rig.key(Qt.Key.Key_X)
    assert orders_of(rig, "cancel_task") == [{"task_id": s.POLICY}]
    assert {"task_id": s.MERGED} in orders_of(rig, "resume_task")
    assert orders_of(rig, "cancel_turn") == [{"session_id": s.RETRY}]


def test_the_keyboard_finds_a_row_when_it_comes(rig: Rig) -> None:
    rig.bar.tree.clearFocus()
    rig.bar.tree.setFocus(Qt.FocusReason.TabFocusReason)
    assert rig.bar.tree.currentIndex().isValid()


# ---- renaming


def editor(rig: Rig) -> Field:
    field = rig.bar.tree.viewport().findChild(Field)
    assert isinstance(field, Field)
    return field


def test_f2_renames_in_place(rig: Rig, qtbot: QtBot) -> None:
    rig.stand_on(s.FLAKY)
    rig.key(Qt.Key.Key_F2)
    field = editor(rig)
    assert field.text() == "Flaky checkout test on CI"
    field.setText("  Cart   race ")
    QTest.keyClick(field, Qt.Key.Key_Return)
    wanted = [{"session_id": s.FLAKY, "title": "Cart race"}]
    qtbot.waitUntil(lambda: orders_of(rig, "rename") == wanted, timeout=5000)


def test_esc_leaves_the_title_and_an_unchanged_one_is_no_order(rig: Rig) -> None:
    for key, text in ((Qt.Key.Key_Escape, "Other"), (Qt.Key.Key_Return, None)):
        rig.stand_on(s.FLAKY)
        rig.key(Qt.Key.Key_F2)
        field = editor(rig)
        if text is not None:
            field.setText(text)
        QTest.keyClick(field, key)
        QApplication.processEvents()
    assert orders_of(rig, "rename") == []


def test_letters_in_the_field_are_letters(rig: Rig) -> None:
    rig.stand_on(s.FLAKY)
    rig.key(Qt.Key.Key_F2)
    QTest.keyClicks(editor(rig), "xrojk")
    assert editor(rig).text() == "xrojk"
    assert rig.told == []


def test_children_keep_the_title_of_their_task(rig: Rig) -> None:
    rig.bar.tree.expand(rig.bar.model.index_of(s.RETRY))
    rig.stand_on(m.child_of(s.CALLERS))
    rig.key(Qt.Key.Key_F2)
    assert rig.bar.tree.viewport().findChild(Field) is None


# ---- the menu


def test_the_menu_offers_what_can_be_done(rig: Rig) -> None:
    assert list(rig.menu(s.RETRY)) == [
        "Open", "Open beside", "Stop", "Pin", "Rename", "Archive", "Copy id", "Delete",
    ]  # fmt: skip
    assert list(rig.menu(m.child_of(s.MERGED))) == ["Open", "Open beside", "Resume", "Copy id"]
    assert list(rig.menu(m.child_of(s.RECEIPTS)))[2] == "Cancel"
    assert list(rig.menu(HARBOR)) == ["New session here", "Copy path"]


def test_the_menu_opens_by_key_and_by_pointer(rig: Rig) -> None:
    asked: list[str] = []
    rig.bar.tree.menu_asked.disconnect()

    def asked_for(key: str, _at: QPoint) -> None:
        asked.append(key)

    rig.bar.tree.menu_asked.connect(asked_for)
    rig.stand_on(s.RETRY)
    rig.key(Qt.Key.Key_Menu)
    rig.key(Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    place = rig.bar.tree.visualRect(rig.bar.model.index_of(s.FLAKY)).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, place)
    rig.bar.tree.contextMenuEvent(event)
    assert asked == [s.RETRY, s.RETRY, s.FLAKY]


def test_pinning_copying_and_a_new_session_in_a_folder(rig: Rig) -> None:
    rig.menu(s.RETRY)["Pin"].trigger()
    rig.menu(m.child_of(s.POLICY))["Copy id"].trigger()
    assert QGuiApplication.clipboard().text() == s.POLICY
    rig.menu(HARBOR)["New session here"].trigger()
    assert orders_of(rig, "mark") == [{"session_id": s.RETRY, "pinned": True}]
    assert rig.told == [("new", m.HARBOR)]


# ---- archive and delete


def test_archive_can_be_taken_back(rig: Rig) -> None:
    rig.menu(s.FLAKY)["Archive"].trigger()
    assert rig.told == [("undoable", "Archived “Flaky checkout test on CI”")]
    rig.undo[0]()
    marks = [given["archived"] for given in orders_of(rig, "mark")]
    assert marks == [True, False]


def test_delete_takes_the_row_at_once_and_the_session_later(rig: Rig, qtbot: QtBot) -> None:
    rig.stand_on(s.FLAKY)
    rig.key(Qt.Key.Key_Delete)
    assert not rig.is_shown(s.FLAKY)
    assert rig.told == [("undoable", "Deleted “Flaky checkout test on CI”")]
    assert orders_of(rig, "delete") == []
    timer = rig.bar.deletions._pending[s.FLAKY]
    assert timer.interval() == metrics.UNDO_MS
    timer.setInterval(1)
    qtbot.waitUntil(lambda: orders_of(rig, "delete") == [{"session_id": s.FLAKY}], timeout=5000)
    assert not rig.is_shown(s.FLAKY)
    rig.world.apply(changes(SessionDeleted(s.FLAKY)))
    assert not rig.is_shown(s.FLAKY)


def test_a_delete_that_is_taken_back_never_happens(rig: Rig) -> None:
    rig.bar.delete(s.FLAKY)
    rig.undo[0]()
    assert rig.is_shown(s.FLAKY)
    rig.bar.settle()
    rig.undo[0]()
    assert orders_of(rig, "delete") == []


def test_closing_the_window_does_what_was_still_open(rig: Rig) -> None:
    rig.bar.delete(s.FLAKY)
    rig.bar.delete(s.CONTRAST)
    rig.bar.settle()
    assert orders_of(rig, "delete") == [{"session_id": s.FLAKY}, {"session_id": s.CONTRAST}]
    rig.undo[0]()
    assert not rig.is_shown(s.FLAKY)


def test_a_refused_delete_brings_the_row_back(rig: Rig, qtbot: QtBot) -> None:
    rig.bar.delete(s.FLAKY)
    rig.bar.settle()
    waiting = [timer for timer in rig.bar.deletions.findChildren(QTimer) if timer.isActive()]
    assert len(waiting) == 1
    waiting[0].setInterval(1)
    qtbot.waitUntil(lambda: rig.is_shown(s.FLAKY), timeout=5000)


def test_children_are_deleted_with_their_session_only(rig: Rig) -> None:
    rig.bar.delete(m.child_of(s.POLICY))
    assert rig.told == []
    assert rig.is_shown(m.child_of(s.POLICY))


# ---- filter, empty, older


def test_the_filter_is_remembered_and_says_that_it_hides(rig: Rig, show: Show) -> None:
    rig.bar._set_filter(Filter(alive=True))
    assert not rig.is_shown(s.FLAKY)
    assert "hidden" in rig.bar.filter_button.accessibleName()
    later = ViewState()
    later.load(rig.view.dump())
    assert not Rig(show, later).is_shown(s.FLAKY)


def test_an_empty_tree_says_why(rig: Rig, show: Show) -> None:
    world, orders = a_desk("empty")
    bar = Sidebar(world, orders, ViewState())
    show(bar)
    assert (bar.hint.isVisible(), bar.empty.text(), bar.show_all.isVisible()) == (True, "No sessions yet", False)
    bar._set_filter(Filter(alive=True))
    world.apply(changes(SessionChanged(m.session("one", "One"))))
    assert bar.empty.text() == "The filter leaves nothing"
    QTest.mouseClick(bar.show_all, Qt.MouseButton.LeftButton)
    assert bar.model.index_of("one").isValid()
    assert not bar.hint.isVisible()


def test_the_end_of_the_list_asks_for_older_ones_once(show: Show, qtbot: QtBot) -> None:
    world = many(20, roots=100)
    orders = OrdersDouble(world)
    bar = Sidebar(world, orders, ViewState())
    bar.resize(metrics.SIDEBAR, 500)
    show(bar)
    scroll = bar.tree.verticalScrollBar()
    qtbot.waitUntil(lambda: scroll.maximum() > 0, timeout=5000)
    for _ in range(2):
        scroll.setValue(0)
        scroll.setValue(scroll.maximum())
    assert [order.given for order in orders.all("older_sessions")] == [{"before": "root-99"}]
    orders.settle()


def test_ages_move_on_once_a_minute(rig: Rig) -> None:
    told: list[QModelIndex] = []

    def changed(index: QModelIndex) -> None:
        told.append(index)

    rig.bar.model.dataChanged.connect(changed)
    for _ in range(59):
        rig.bar.tree._tick()
    assert told == []
    rig.bar.tree._tick()
    assert told
