"""One line above the composer: whose ask is out of sight, how many there are, and the way there (design 7.5).

Owns which one shows; the oldest first. Never answers.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.marks import draw_mark
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.viewmodels.ask_desk import AskDesk, desk_of, found_desk
from ui.viewmodels.asking import wish_of
from ui.viewmodels.asks import Ask
from ui.viewmodels.states import State
from ui.viewmodels.world import World
from ui.widgets.asks.permission import paint_wish
from ui.widgets.controls import Button, IconButton, Label
from ui.widgets.mirror import put, turned
from ui.wording import tr

_PAD, _END = metrics.SPACE_12, metrics.INNER_6


class AskStrip(QWidget):
    """36 high; hidden while there is none. `shown`: the request whose card is wanted."""

    shown = Signal(str)

    def __init__(self, world: World, parent: QWidget | None = None, orders: Orders | None = None) -> None:
        super().__init__(parent)
        self._world, self._orders = world, orders
        self._asks: tuple[Ask, ...] = ()
        self._at = 0
        self._end = 0
        self._desk: AskDesk | None = None
        self.count = Label("", "small", "text.secondary", parent=self)
        self.back = IconButton("chevron-left", tr("Previous"), small=True, parent=self)
        self.forward = IconButton("chevron-right", tr("Next"), small=True, parent=self)
        self.show_button = Button(tr("Show"), small=True, parent=self)
        self.back.clicked.connect(lambda: self.walk(-1))
        self.forward.clicked.connect(lambda: self.walk(1))
        self.show_button.clicked.connect(self.ask_shown)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._refresh)
        self.hide()

    def show_asks(self, asks: Sequence[Ask]) -> None:
        """These are out of sight, oldest first."""
        held = self._asks[self._at].request_id if self._asks else ""
        self._asks = tuple(asks)
        self._at = next((number for number, ask in enumerate(self._asks) if ask.request_id == held), 0)
        self.setVisible(bool(self._asks))
        self._refresh()

    def walk(self, step: int) -> None:
        """The next or the one before."""
        if self._asks:
            self._at = (self._at + step) % len(self._asks)
            self._refresh()

    def ask_shown(self) -> None:
        """Show the card of this one."""
        if self._asks:
            self.shown.emit(self._asks[self._at].request_id)

    def words(self) -> tuple[str, str]:
        """Who, and what it wants."""
        ask = self._asks[self._at]
        detail = self._desk.detail(ask.request_id) if self._desk is not None and ask.kind == "permission" else None
        return self._world.agent_name(ask.session_id), wish_of(ask, detail)

    def _refresh(self) -> None:
        if not self._asks:
            return
        if self._desk is None:
            self._desk = desk_of(self._world, self._orders) if self._orders is not None else found_desk(self._world)
            if self._desk is not None:
                self._desk.changed.connect(self._told)
        several = len(self._asks) > 1
        for part in (self.back, self.forward, self.count):
            part.setVisible(several)
        self.count.setText(tr("{at} of {total}", at=str(self._at + 1), total=str(len(self._asks))))
        who, wish = self.words()
        self.setAccessibleName(f"{who} {wish}")
        self.show_button.setAccessibleName(tr("Show: {what}", what=f"{who} {wish}"))
        self._place()
        self.update()

    def _told(self, request_id: str) -> None:
        if self._asks and request_id == self._asks[self._at].request_id and self._world.ask(request_id) is not None:
            self._refresh()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(metrics.PANEL, theme().row(metrics.ASK_STRIP))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Everything ends at the trailing edge."""
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        """The layout turned round."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._place()

    def _place(self) -> None:
        at = self.width() - _END
        for part in (self.show_button, self.forward, self.back, self.count):
            if part.isHidden():
                continue
            size = part.sizeHint()
            at -= size.width()
            put(part, at, (self.height() - size.height()) / 2, size.width(), size.height())
            at -= 0 if part is self.forward else metrics.SPACE_8
        self._end = at

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Diamond, who, what."""
        if not self._asks:
            return
        painter = QPainter(self)
        tint, side = theme().color("waiting.tint"), metrics.MARK
        rounded(painter, QRectF(self.rect()), metrics.RADIUS_8, tint, theme().color("waiting.border"))
        place = QRectF(_PAD, (self.height() - side) / 2, side, side)
        draw_mark(painter, turned(self, place), State.WAITING, tint)
        left = _PAD + side + metrics.SPACE_8
        who, wish = self.words()
        paint_wish(self, painter, QRectF(left, 0, max(0, self._end - left), self.height()), who, wish)
        painter.end()
