"""One ask in full: who and where, the ask itself, what the agent did before it (design 7.7).

Owns the panel of the ask that is shown; it is made anew for another ask. Never answers by itself.
"""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.badges import letters_of
from ui.viewmodels.asks import Ask
from ui.viewmodels.inbox import InboxModel
from ui.viewmodels.transcript import Transcripts
from ui.viewmodels.world import World
from ui.widgets.asks import AskPanel
from ui.widgets.controls import AgentBadge, Button, Label, ScrollColumn
from ui.widgets.inbox.before import BeforeAsk
from ui.widgets.inbox.place import AskPlace
from ui.wording import tr


class Detail(QWidget):
    """`back_asked`: only where the list has no room beside it."""

    open_session = Signal(str)
    back_asked = Signal()

    def __init__(
        self, asks: InboxModel, world: World, orders: Orders, transcripts: Transcripts, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._asks, self._world, self._orders, self._transcripts = asks, world, orders, transcripts
        self.place = AskPlace()
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
        column.addWidget(self.place)
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
        if ask is None:
            self.place.show_panel(None)
            self.before.show_ask(None, None)
        elif self.panel is None or self.panel.ask.request_id != ask.request_id:
            self.place.show_panel(AskPanel(ask, self._world, self._orders))
            self.before.show_ask(ask, self._transcripts.get(ask.session_id))
            self.sheet.verticalScrollBar().setValue(0)

    @property
    def panel(self) -> AskPanel | None:
        """The ask that is shown."""
        return self.place.panel

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

    # ---- keys

    def press(self, digit: int) -> bool:
        """Choose an option of the ask by its number."""
        return self.panel is not None and self.panel.press(digit)

    def enter(self) -> None:
        """The ask takes the keyboard."""
        self.place.enter()
