"""The board: all delegated tasks in five columns, or as a table; an ask opens at the side (design 7.9).

Owns the arrangement and what an action of a card orders. Ends with the window.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFocusEvent, QGuiApplication, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.board import Board, BoardFilter, Column
from ui.viewmodels.board_table import TableModel
from ui.viewmodels.restarts import restarts_of
from ui.viewmodels.states import ALIVE, state_of_task
from ui.viewmodels.world import World
from ui.widgets.board.ask_side import AskSide
from ui.widgets.board.card import word_of
from ui.widgets.board.columns import Columns
from ui.widgets.board.filters import Filters
from ui.widgets.board.table import BoardTable
from ui.widgets.controls import Button, Label
from ui.widgets.page_head import PageHead
from ui.wording import tr

MINUTE_MS = 60_000


class _Nothing(QWidget):
    """What the page says when it has nothing to show."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.label = Label("", wrap=True)
        self.clear = Button(tr("Show all"))
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.SPACE_24, metrics.SPACE_24, metrics.SPACE_24, 0)
        column.setSpacing(metrics.SPACE_12)
        column.addWidget(self.label)
        column.addWidget(self.clear)
        column.addStretch(1)


class BoardPage(QWidget):
    """`open_task(task_id)`: its card in the conversation; `open_ask(request_id)`: among all that waits."""

    open_task = Signal(str)
    open_ask = Signal(str)

    def __init__(self, world: World, orders: Orders, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world, self._orders = world, orders
        self.board = Board(world, orders, self)
        self.rows = TableModel(self.board, self)
        self.head = PageHead(tr("Board"))
        self.filters = Filters(self.board)
        self.head.trailing.addWidget(self.filters)
        self.head.setParent(self)
        self.columns = Columns(self.board, self)
        self.table = BoardTable(self.rows, self)
        self.side = AskSide(world, orders, self)
        self.nothing = _Nothing(self)
        self._from: QWidget | None = None
        self._as_table = False
        self._minute = QTimer(self)
        self._minute.setInterval(MINUTE_MS)
        self._connect()
        self._changed()

    def _connect(self) -> None:
        for view in self.columns.views.values():
            view.list.question = self.question
            view.list.opened.connect(self.open_task)
            view.list.acted.connect(self.act)
            view.list.menu_asked.connect(self._menu)
        self.table.opened.connect(self.open_task)
        self.table.acted.connect(self._act_row)
        self.table.menu_asked.connect(self._menu)
        self.side.closed.connect(self._side_closed)
        self.side.open_ask.connect(self.open_ask)
        self.filters.table_wanted.connect(self.show_table)
        self.nothing.clear.clicked.connect(self._show_all)
        self.board.changed.connect(self._changed)
        self._minute.timeout.connect(self._minute_over)
        theme().changed.connect(self._place)

    # ---- what is shown

    def show_only(self, name: str) -> None:
        """One column alone: `queued`, `running`, `waiting`, `done`, `failed`; "" = all."""
        only = name if name in set(Column) else ""
        self.board.set_filter(replace(self.board.filter(), only=only))
        self.filters.refresh()
        self._changed()

    def show_table(self, shown: bool) -> None:
        """As a table, or as columns."""
        self._as_table = shown
        self.filters.show_table(shown)
        self.rows.set_active(shown and self.isVisible())
        self._place()

    def _show_all(self) -> None:
        self.board.set_filter(BoardFilter(span="all"))
        self.filters.refresh()

    def _changed(self) -> None:
        self.head.say(self.board.summary())
        some = bool(self._world.tasks())
        self.nothing.label.setText(tr("No task fits these filters.") if some else tr("Nothing was delegated yet."))
        self.nothing.clear.setVisible(some)
        self._place()

    def _minute_over(self) -> None:
        if self.isVisible():
            self.board.refresh()

    # ---- what cards do

    def question(self, task_id: str, action: str) -> str:
        """What is asked before a child with children is stopped."""
        view = self._world.task(task_id)
        if view is None or action != "stop":
            return ""
        below = sum(state_of_task(each) in ALIVE for each in self._world.descendants(view.record.child_id))
        name = self._world.label_of(view.record.agent_type)
        return tr("Stop {agent} and its %n children?", n=below, agent=name) if below else ""

    def act(self, task_id: str, action: str) -> None:
        """Do what a card offers."""
        view, orders = self._world.task(task_id), self._orders
        if view is None:
            return
        record = view.record
        deeds: dict[str, Callable[[], object]] = {
            "answer": lambda: self.answer(task_id),
            "cancel": lambda: orders.cancel_task(task_id),
            "stop": lambda: orders.cancel_task(task_id),
            "start_again": lambda: restarts_of(self._world, orders).start_again(task_id),
            "resume": lambda: orders.resume_task(task_id),
            "again": lambda: orders.delegate(record.parent_id, record.agent_type, record.task_text, record.working_dir),
            "copy": lambda: orders.result(task_id, QGuiApplication.clipboard().setText),
        }
        if action in deeds:
            deeds[action]()

    def answer(self, task_id: str) -> None:
        """Open the ask of a task at the side."""
        face = self.rows.face(task_id)
        if face is None:
            return
        focus = QGuiApplication.focusObject()
        if self.side.isHidden():
            self._from = focus if isinstance(focus, QWidget) and self.isAncestorOf(focus) else None
        self.side.show_ask(face.request_id)
        self._place()

    def _side_closed(self) -> None:
        self._place()
        back, self._from = self._from, None
        target = back if back is not None and back.isVisible() else self._first()
        if target is not None and self.isVisible():
            target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _act_row(self, task_id: str) -> None:
        face = self.rows.face(task_id)
        if face is None or not face.action:
            return
        if self.question(task_id, face.action):
            at = self.table.visualRect(self.table.currentIndex()).bottomLeft()
            self._menu(task_id, self.table.viewport().mapToGlobal(at))
        else:
            self.act(task_id, face.action)

    def _menu(self, task_id: str, place: QPoint) -> None:
        face = self.rows.face(task_id)
        if face is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add(menu, tr("Open in the conversation"), lambda: self.open_task.emit(task_id))
        if face.action:
            words = self.question(task_id, face.action).rstrip("?") or word_of(face.action)
            self._add(menu, words, lambda: self.act(task_id, face.action))
        self._add(menu, tr("Copy id"), lambda: QGuiApplication.clipboard().setText(task_id))
        menu.popup(place)

    @staticmethod
    def _add(menu: QMenu, text: str, act: Callable[[], object]) -> None:
        action = QAction(text.replace("&", "&&"), menu)
        action.triggered.connect(lambda _checked=False: act())
        menu.addAction(action)

    # ---- where things lie

    def _place(self) -> None:
        width, top = self.width(), self.head.height()
        height = max(0, self.height() - top)
        side = min(metrics.PANEL, width) if not self.side.isHidden() else 0
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left, room = (side if rtl else 0), width - side
        self.head.setGeometry(0, 0, width, top)
        self.side.setGeometry(0 if rtl else room, top, side, height)
        nothing = not self.board.total
        self.nothing.setVisible(nothing)
        self.nothing.setGeometry(left, top, room, height)
        self.columns.setVisible(not nothing and not self._as_table)
        self.columns.setGeometry(left, top, room, height)
        self.table.setVisible(not nothing and self._as_table)
        pad = metrics.SPACE_12
        inner = room - 2 * metrics.SPACE_20
        self.table.setGeometry(left + metrics.SPACE_20, top + pad, max(0, inner), max(0, height - pad))
        self.update()

    def _first(self) -> QWidget | None:
        if self._as_table:
            return self.table
        return self.columns.first()

    # ---- Qt

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The page was opened: the keyboard goes to the first cards."""
        super().focusInEvent(event)
        first = self._first()
        if first is not None:
            first.setFocus(event.reason())

    def showEvent(self, event: QShowEvent) -> None:
        """Time went on while it was hidden."""
        super().showEvent(event)
        self.rows.set_active(self._as_table)
        self.board.refresh()
        self.board.read_older()
        self._minute.start()

    def hideEvent(self, event: object) -> None:
        """Nothing ticks while nobody looks."""
        del event
        self._minute.stop()
        self.rows.set_active(False)

    def changeEvent(self, event: QEvent) -> None:
        """Mirrored with the layout."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Head, columns, panel."""
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The canvas."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        painter.end()
