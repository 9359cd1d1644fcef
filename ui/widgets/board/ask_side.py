"""The ask of a card in a panel at the side of the board (design 7.9).

Owns the panel while it is open; it closes when the ask is answered, wherever that was. Never answers by itself.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.badges import letters_of
from ui.theme.painting import hairline
from ui.theme.theme import theme
from ui.viewmodels.world import Batch, World
from ui.widgets.asks import AskPanel
from ui.widgets.controls import AgentBadge, Button, IconButton, Label, ScrollColumn
from ui.widgets.inbox.place import AskPlace
from ui.wording import clean_line, tr


class AskSide(QWidget):
    """`closed`: it went. `open_ask(request_id)`: shown among all that waits."""

    closed = Signal()
    open_ask = Signal(str)

    def __init__(self, world: World, orders: Orders, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world, self._orders = world, orders
        self.place = AskPlace()
        self.badge = AgentBadge("", metrics.BADGE_CARD)
        self.agent = Label("", weight=600, elide=True)
        self.session = Label("", "small", "text.muted", elide=True)
        self.shut = IconButton("x", tr("Close"), "Esc")
        self.all = Button(tr("Show in Needs you"), "ghost", icon="inbox", small=True)
        self._arrange()
        self.setAccessibleName(tr("What it asks"))
        self.hide()
        self.shut.clicked.connect(self.close_ask)
        self.all.clicked.connect(self._show_all)
        world.changed.connect(self._changed)
        theme().changed.connect(self.update)

    def _arrange(self) -> None:
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self.agent)
        names.addWidget(self.session)
        head = QHBoxLayout()
        head.setContentsMargins(metrics.SPACE_16, metrics.SPACE_12, metrics.SPACE_12, metrics.SPACE_12)
        head.setSpacing(metrics.SPACE_8)
        head.addWidget(self.badge)
        head.addLayout(names, 1)
        head.addWidget(self.shut)
        sheet = ScrollColumn()
        sheet.column.setContentsMargins(metrics.SPACE_16, 0, metrics.SPACE_16, metrics.SPACE_16)
        sheet.column.addWidget(self.place)
        below = QHBoxLayout()
        below.addWidget(self.all)
        below.addStretch(1)
        sheet.column.addLayout(below)
        sheet.column.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(sheet, 1)

    def request_id(self) -> str:
        """The ask that is shown, "" = none."""
        panel = self.place.panel
        return panel.ask.request_id if panel is not None else ""

    def show_ask(self, request_id: str) -> bool:
        """Open an ask; False where it does not wait any more."""
        ask = self._world.ask(request_id)
        if ask is None:
            return False
        name = clean_line(self._world.agent_name(ask.session_id), 60)
        self.badge.set_letters(letters_of(self._world.agent_of(ask.session_id), name))
        self.agent.setText(name)
        self.session.setText(clean_line(self._world.title_of(ask.session_id), 200))
        if request_id != self.request_id():
            self.place.show_panel(AskPanel(ask, self._world, self._orders))
        self.show()
        self.place.enter()
        return True

    def close_ask(self) -> None:
        """Close without an answer."""
        if not self.isHidden():
            self.hide()
            self.place.show_panel(None)
            self.closed.emit()

    def _show_all(self) -> None:
        request_id = self.request_id()
        self.close_ask()
        self.open_ask.emit(request_id)

    def _changed(self, batch: Batch) -> None:
        if batch.asks and self.request_id() and self._world.ask(self.request_id()) is None:
            self.close_ask()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes and never answers."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_ask()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Its parts follow."""
        super().resizeEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The canvas and the line beside the columns."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        edge = self.width() if rtl else 0
        hairline(painter, edge, 0, edge, self.height(), theme().color("border.subtle"))
        painter.end()
