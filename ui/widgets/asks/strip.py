"""One line above the composer: whose ask is out of sight, how many, and the way there (design 7.5).

Owns which one shows; the oldest first. Never answers.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, rounded
from ui.theme.theme import theme
from ui.viewmodels.asking import wish_of
from ui.viewmodels.asks import Ask
from ui.viewmodels.states import State
from ui.viewmodels.world import World
from ui.widgets.controls import Button, IconButton, Label
from ui.wording import tr


class AskStrip(QWidget):
    """36 high; hidden while there is none."""

    shown = Signal(str)

    def __init__(self, world: World, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world = world
        self._asks: tuple[Ask, ...] = ()
        self._at = 0
        self.back = IconButton("chevron-left", tr("Previous"), small=True, parent=self)
        self.forward = IconButton("chevron-right", tr("Next"), small=True, parent=self)
        self.count = Label("", "small", "text.secondary", parent=self)
        self.show_button = Button(tr("Show"), small=True, parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 6, 0)
        row.setSpacing(4)
        row.addStretch(1)
        for part in (self.count, self.back, self.forward, self.show_button):
            row.addWidget(part)
        self.back.clicked.connect(lambda: self._walk(-1))
        self.forward.clicked.connect(lambda: self._walk(1))
        self.show_button.clicked.connect(lambda: self.shown.emit(self._asks[self._at].request_id))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)
        self.hide()

    def show_asks(self, asks: Sequence[Ask]) -> None:
        """These are out of sight, oldest first."""
        held = self._asks[self._at].request_id if self._asks else ""
        self._asks = tuple(asks)
        self._at = next((n for n, ask in enumerate(self._asks) if ask.request_id == held), 0)
        self.setVisible(bool(self._asks))
        self._refresh()

    def _walk(self, step: int) -> None:
        self._at = (self._at + step) % len(self._asks)
        self._refresh()

    def _refresh(self) -> None:
        if not self._asks:
            return
        several = len(self._asks) > 1
        for part in (self.back, self.forward, self.count):
            part.setVisible(several)
        self.count.setText(tr("{at} of {total}", at=str(self._at + 1), total=str(len(self._asks))))
        ask = self._asks[self._at]
        self.setAccessibleName(f"{self._world.agent_name(ask.session_id)} {wish_of(ask)}")
        self.update()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(400, theme().row(metrics.ASK_STRIP))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Diamond, who, what."""
        if not self._asks:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ask, tint = self._asks[self._at], theme().color("waiting.tint")
        box = QRectF(self.rect())
        rounded(painter, box, metrics.RADIUS_8, tint, theme().color("waiting.border"))
        middle = self.height() / 2
        draw_mark(painter, QRectF(12, middle - 8, 16, 16), State.WAITING, tint)
        edge = self.back.x() if self.back.isVisible() else self.show_button.x()
        edge = min(edge, self.count.x()) if self.count.isVisible() else edge
        room = QRectF(36, 0, edge - 44, self.height())
        name = self._world.agent_name(ask.session_id)
        width = draw_text(painter, room, name, theme().font("ui", 600), theme().color("text.primary"))
        rest = room.adjusted(width + 5, 0, 0, 0)
        draw_text(painter, rest, wish_of(ask), theme().font("ui"), theme().color("text.primary"))
        painter.end()
