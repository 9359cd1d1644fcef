"""The panel of sub-agents: all delegations of a conversation as a list and a timeline, and their cost (design 7.6).

Owns the arrangement and the question before *Stop all*. Fed by the world; deeds are orders. Ends with its page.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.painting import hairline, rounded
from ui.theme.theme import theme
from ui.viewmodels.card_numbers import sum_of
from ui.viewmodels.overlay import SubAgentsModel
from ui.viewmodels.states import ALIVE, state_of_task
from ui.viewmodels.world import Batch, World
from ui.widgets.cards.lines import ConfirmLine
from ui.widgets.controls import Button, IconButton, Label
from ui.widgets.mirror import put
from ui.widgets.overlay.rows import SubAgentsList
from ui.widgets.overlay.timeline import Timeline
from ui.wording import number, tr

_OUTLINE, _PAD = 1, metrics.SPACE_12


class SubAgentsPanel(QWidget):
    """`task_chosen`: to its card; `pane_asked`: keep it as a pane; `size_changed`: it wants another height.

    `floating`: it lies over the text because there is no room beside it; Esc closes it.
    """

    task_chosen = Signal(str)
    pane_asked = Signal()
    closed = Signal()
    size_changed = Signal()

    def __init__(self, session_id: str, world: World, orders: Orders, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session_id, self._world, self._orders = session_id, world, orders
        self._stale = self._spent = False
        self._wanted = 0
        self.floating = False
        self.model = SubAgentsModel(session_id, world, self)
        self.title = Label(tr("Sub-agents"), weight=600, parent=self)
        self.count = Label("", "ui", "text.muted", parent=self)
        self.keep = IconButton("panel-right", tr("Keep as pane"), parent=self)
        self.close_button = IconButton("x", tr("Close"), "Escape", parent=self)
        self.rows, self.timeline = SubAgentsList(self.model), Timeline(world)
        self._scroll = self._made_scroll()
        self.sum = Label("", "small", "text.secondary", elide=True, parent=self)
        self.stop = Button(tr("Stop all"), "ghost", icon="stop", small=True, parent=self)
        self.confirm: ConfirmLine | None = None
        self.setAccessibleName(tr("Sub-agents"))
        self.setFocusProxy(self.rows)
        self._connect()
        self.refresh()

    def _made_scroll(self) -> QScrollArea:
        inside = _Column()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_OUTLINE)
        column.addWidget(self.rows)
        column.addWidget(self.timeline)
        column.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        return scroll

    def _connect(self) -> None:
        self.close_button.clicked.connect(self.close_panel)
        self.keep.clicked.connect(self.pane_asked)
        self.rows.chosen.connect(self.task_chosen)
        self.rows.fold_asked.connect(self._fold)
        self.rows.selectionModel().currentChanged.connect(self._row_changed)
        self.timeline.chosen.connect(self.task_chosen)
        self.stop.clicked.connect(self._ask_stop)
        self._world.changed.connect(self._changed)
        theme().changed.connect(self._retheme)
        clock().watch_seconds(self, self._sum_up)

    # ---- what is live

    def _changed(self, batch: Batch) -> None:
        if batch.tasks or batch.asks or batch.gone or batch.agents:
            self._soon()
        elif not self.isVisible():
            self._stale = self._stale or bool(batch.activity or batch.usage)
        elif self.model.touch(batch.activity) or batch.usage:
            self._spent = True

    def _soon(self) -> None:
        """What is not seen is found anew when it is."""
        if self.isVisible():
            self.refresh()
        else:
            self._stale = True
            self._measure()

    def refresh(self) -> None:
        """All delegations, always current."""
        self._stale = False
        self.model.refresh()
        self.timeline.show_branches(self.model.branches)
        self.count.setText(number(len(self.model.views)))
        self._spent = True
        self._sum_up()
        alive = self._alive()
        self.stop.setVisible(alive > 0 and self.confirm is None)
        if self.confirm is not None and not alive:
            self._drop_confirm()
        self._measure()

    def _sum_up(self) -> None:
        """What all of them have spent; once a second is enough."""
        if self._spent:
            self._spent = False
            total = sum_of(self.model.views, self._world)
            self.sum.setText(tr("All children: {sum}", sum=total) if total else "")

    def _measure(self) -> None:
        self._place()
        wanted = self.wanted_height(self.width())
        if wanted != self._wanted:
            self._wanted = wanted
            self.updateGeometry()
            self.size_changed.emit()

    def _alive(self) -> int:
        return sum(1 for view in self.model.views if state_of_task(view) in ALIVE and not view.stopping)

    def _fold(self) -> None:
        self.model.fold(not self.model.is_open)
        self.refresh()

    def _row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid() and self.rows.hasFocus():
            place = self.rows.visualRect(current)
            self._scroll.ensureVisible(place.center().x(), self.rows.y() + place.center().y(), 0, place.height())

    # ---- stop all

    def _ask_stop(self) -> None:
        """Asks once, in place."""
        if self.confirm is None:
            question = tr("Stop %n children?", n=self._alive())
            self.confirm = ConfirmLine(question, tr("Stop all"), self)
            self.confirm.answered.connect(self._answered)
            self.confirm.show()
            self.sum.hide()
            self.stop.hide()
            self._place()
        self.confirm.setFocus(Qt.FocusReason.OtherFocusReason)

    def _answered(self, yes: bool) -> None:
        if yes:
            for view in self._world.tasks_of(self._session_id):
                if state_of_task(view) in ALIVE and not view.stopping:
                    self._orders.cancel_task(view.record.task_id)
        self._drop_confirm()
        self.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def _drop_confirm(self) -> None:
        if self.confirm is not None:
            self.confirm.hide()
            self.confirm.deleteLater()
            self.confirm = None
        self.sum.show()
        self.stop.setVisible(self._alive() > 0)

    # ---- where things lie

    def wanted_height(self, _width: int = 0) -> int:
        """Head, list, timeline, foot."""
        body = self.rows.sizeHint().height() + self.timeline.sizeHint().height() + _OUTLINE
        return self._head() + body + self._foot() + 2 * _OUTLINE

    def sizeHint(self) -> QSize:
        """All of it."""
        return QSize(metrics.OVERLAY, self.wanted_height())

    @staticmethod
    def _head() -> int:
        return theme().row(metrics.OVERLAY_HEAD)

    @staticmethod
    def _foot() -> int:
        return theme().row(metrics.OVERLAY_FOOT, "small")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Head and foot stay, what is between scrolls."""
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        """The layout turned round."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._place()

    def _place(self) -> None:
        head, foot, width = self._head(), self._foot(), self.width()
        tall = self.title.sizeHint()
        put(self.title, _PAD, 0, tall.width(), head)
        put(self.count, _PAD + tall.width() + metrics.SPACE_8, 0, self.count.sizeHint().width(), head)
        at = width - metrics.INNER_6
        for button in (self.close_button, self.keep):
            size = button.sizeHint()
            at -= size.width()
            put(button, at, (head - size.height()) / 2, size.width(), size.height())
            at -= metrics.SPACE_4
        self._scroll.setGeometry(_OUTLINE, head, max(0, width - 2 * _OUTLINE), max(0, self.height() - head - foot))
        top, inner = self.height() - foot, width - metrics.SPACE_4
        stop = self.stop.sizeHint()
        put(self.stop, inner - stop.width(), top + (foot - stop.height()) / 2, stop.width(), stop.height())
        put(self.sum, _PAD, top, max(0, inner - stop.width() - metrics.SPACE_8 - _PAD), foot)
        if self.confirm is not None:
            size = self.confirm.sizeHint()
            put(self.confirm, _PAD, top + (foot - size.height()) / 2, inner - _PAD, size.height())

    def _retheme(self) -> None:
        self._measure()
        self.update()

    # ---- Qt

    def float_over(self) -> None:
        """Wanted over the text, where there is no room beside it."""
        self.floating = True

    def close_panel(self) -> None:
        """It is not wanted any more."""
        self.floating = False
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes what lies over the text."""
        if event.key() == Qt.Key.Key_Escape and self.floating:
            self.close_panel()
            event.accept()
        else:
            event.ignore()

    def showEvent(self, event: QShowEvent) -> None:
        """What changed meanwhile."""
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """A question that nobody sees is not asked."""
        super().hideEvent(event)
        self._drop_confirm()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Surface, outline, the lines between."""
        painter = QPainter(self)
        line = theme().color("border.subtle")
        rounded(
            painter, QRectF(self.rect()), metrics.RADIUS_8, theme().color("bg.surface"), theme().color("border.default")
        )
        for y in (self._head() - 1, self.height() - self._foot() - 1):
            hairline(painter, _OUTLINE, y, self.width() - _OUTLINE, y, line)
        painter.end()


class _Column(QWidget):
    """List above timeline, a line between them."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        timeline = self.findChild(Timeline)
        if timeline is not None and timeline.height() > 0:
            painter = QPainter(self)
            hairline(painter, 0, timeline.y() - 1, self.width(), timeline.y() - 1, theme().color("border.subtle"))
            painter.end()
