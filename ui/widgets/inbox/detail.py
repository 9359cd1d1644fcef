"""One ask in full: who and where, the ask itself, what the agent did before it (design 7.7).

Owns the panel of the ask that is shown; it is made anew for another ask. Never answers by itself.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, letters_of
from ui.theme.theme import theme
from ui.viewmodels.asks import Ask
from ui.viewmodels.inbox import AskFace, InboxModel
from ui.viewmodels.transcript import Transcripts
from ui.viewmodels.world import World
from ui.widgets.asks import AskPanel
from ui.widgets.controls import Button, ScrollColumn
from ui.widgets.controls.tips import plain_tip
from ui.widgets.inbox.before import BeforeAsk
from ui.widgets.inbox.place import AskPlace
from ui.widgets.runs import across, draw_runs, fitted_path, run, square
from ui.wording import tr


class _Who(QWidget):
    """Who asks, in which session, in which folder: one line."""

    def __init__(self) -> None:
        super().__init__()
        self._face: AskFace | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        theme().changed.connect(self.update)

    def say(self, face: AskFace) -> None:
        """Say this."""
        self._face = face
        path = " › ".join((*face.above, face.agent))
        self.setAccessibleName(tr("{agent} in {session}", agent=path, session=face.place))
        self.setToolTip(plain_tip(self.accessibleName()))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Badge and names; the session gives way before the agent does."""
        face = self._face
        if face is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QRectF(self.rect())
        draw_agent_badge(painter, square(painter, line, 0, metrics.BADGE_CARD), letters_of(face.slug, face.agent))
        start = metrics.BADGE_CARD + metrics.SPACE_8
        room = across(painter, line, start, line.width() - start)
        path = fitted_path(face.above, face.agent, room.width() * 0.6)
        places = [run(tr("in"), "text.muted"), run(face.session, "text.primary")]
        folder = [run(f"· {face.folder}", "text.muted")] if face.folder else []
        draw_runs(painter, room, [*path, *places, *folder], metrics.INNER_6)
        painter.end()


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
        self.who = _Who()
        self.open = Button(tr("Open conversation"), key="O")
        self.open.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.before = BeforeAsk(world)
        self.sheet = ScrollColumn()
        self._arrange()
        self.back.clicked.connect(self.back_asked)
        self.open.clicked.connect(self._open)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(metrics.SPACE_8)
        head.addWidget(self.back)
        head.addWidget(self.who, 1)
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
            self.who.say(self._asks.face(ask))
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
