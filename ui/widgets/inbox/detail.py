"""One ask in full: who and where, the ask itself, what the agent did before it (design 7.7).

Owns the panel of the ask that is shown; it is made anew for another ask. Never answers by itself.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.badges import letters_of
from ui.theme.theme import theme
from ui.viewmodels.asks import Ask
from ui.viewmodels.inbox import InboxModel
from ui.viewmodels.transcript import Transcripts
from ui.viewmodels.world import World
from ui.widgets.asks import AskPanel
from ui.widgets.controls import AgentBadge, Button, Label, ScrollColumn
from ui.widgets.inbox.before import BeforeAsk
from ui.wording import tr

WIDEST = metrics.COLUMN_WIDE


class Detail(QWidget):
    """`back_asked`: only where the list has no room beside it."""

    open_session = Signal(str)
    back_asked = Signal()

    def __init__(
        self, asks: InboxModel, world: World, orders: Orders, transcripts: Transcripts, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._asks, self._world, self._orders, self._transcripts = asks, world, orders, transcripts
        self.panel: AskPanel | None = None
        self.back = Button(tr("Back"), "ghost", icon="arrow-left")
        self.badge = AgentBadge("", metrics.BADGE_CARD)
        self.agent = Label("", weight=600, elide=True)
        self.inside = Label(tr("in"), "ui", "text.muted")
        self.session = Label("", elide=True)
        self.folder = Label("", "ui", "text.muted", elide=True)
        self.open = Button(tr("Open conversation"), key="O")
        self.before = BeforeAsk(world)
        self.sheet = ScrollColumn()
        self._arrange()
        self.back.clicked.connect(self.back_asked)
        self.open.clicked.connect(self._open)
        self.before.filled.connect(self._fit)
        theme().changed.connect(self._fit)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(metrics.SPACE_8)
        for part in (self.back, self.badge, self.agent, self.inside, self.session, self.folder):
            head.addWidget(part)
        head.addStretch(1)
        head.addWidget(self.open)
        column = self.sheet.column
        column.setContentsMargins(metrics.SPACE_24, metrics.SPACE_16, metrics.SPACE_24, metrics.SPACE_24)
        column.setSpacing(0)
        column.addLayout(head)
        column.addSpacing(metrics.SPACE_12)
        self._place = column.count()
        column.addSpacing(metrics.SPACE_20)
        column.addWidget(self.before)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.sheet)

    # ---- which ask

    def show_ask(self, ask: Ask | None) -> None:
        """Show another ask; the same one only says anew where it stands."""
        if ask is not None:
            self._say(ask)
        if self.panel is not None and ask is not None and self.panel.ask.request_id == ask.request_id:
            return
        if self.panel is not None:
            self.sheet.column.removeWidget(self.panel)
            self.panel.hide()
            self.panel.deleteLater()
            self.panel = None
        if ask is None:
            self.before.show_ask(None, None)
            return
        self.panel = AskPanel(ask, self._world, self._orders)
        self.panel.resized.connect(self._fit)
        self.sheet.column.insertWidget(self._place, self.panel)
        self.before.show_ask(ask, self._transcripts.get(ask.session_id))
        self.sheet.verticalScrollBar().setValue(0)
        self._fit()

    def _say(self, ask: Ask) -> None:
        face = self._asks.face(ask)
        self.badge.set_letters(letters_of(face.slug, face.agent))
        self.agent.setText(" › ".join((*face.above, face.agent)))
        self.session.setText(face.session)
        self.folder.setText(f"· {face.folder}" if face.folder else "")

    def _open(self) -> None:
        if self.panel is not None:
            self.open_session.emit(self.panel.ask.session_id)

    def show_back(self, shown: bool) -> None:
        """The way back to the list, where there is no room for both."""
        self.back.setVisible(shown)

    # ---- keys and sizes

    def press(self, digit: int) -> bool:
        """Choose an option of the ask by its number."""
        return self.panel is not None and self.panel.press(digit)

    def enter(self) -> None:
        """The ask takes the keyboard."""
        if self.panel is not None:
            self.panel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fit(self) -> None:
        if self.panel is not None:
            self.panel.setFixedHeight(self.panel.height_for(self._inner()))

    def _inner(self) -> int:
        return max(80, self.sheet.viewport().width() - 2 * metrics.SPACE_24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The ask is as high as its width asks."""
        super().resizeEvent(event)
        self._fit()
