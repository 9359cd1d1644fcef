"""The head of a card: two painted lines and a strip of buttons; folded, a card is nothing else (design 7.3, 11).

Owns the strip and the blend of the badge. Never reads the world: it is given a face. Presses beside the buttons are
the card's.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, draw_state_badge, letters_of, state_badge_width
from ui.theme.icons import draw_icon
from ui.theme.marks import state_color
from ui.theme.painting import draw_text, mix, text_width
from ui.theme.theme import theme
from ui.viewmodels.cards import CardFace, Piece
from ui.viewmodels.states import State
from ui.widgets.asks.pieces import draw_pieces
from ui.widgets.cards.actions import ActionStrip
from ui.widgets.controls.tips import plain_tip
from ui.widgets.mirror import is_mirrored, put, turned

_PANE = 48
"""A card is so much narrower than the pane that it lies in, where panes are narrow."""
_PAD, _GAP = metrics.CARD_HEAD_PAD, metrics.SPACE_8
_EDGE = _PAD + metrics.CARD_NUMBERS_RIGHT
_TITLE_GAP, _BADGE_GAP = metrics.SPACE_8, metrics.SPACE_12
_NAME_SHARE = 0.6
_SOFT = frozenset({State.RUNNING, State.STARTING, State.COMPLETED, State.FAILED, State.CANCELED, State.INTERRUPTED})


class CardHead(QWidget):
    """`strip`: the buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.face: CardFace | None = None
        self.is_open = False
        self.says: tuple[Piece, ...] | None = None
        """Not None: something else stands in the place of line two."""
        self._badge = QRectF()
        self._fill: QColor | None = None
        self._ends = (QColor(), QColor())
        self._blend = QVariantAnimation(self)
        self._blend.setDuration(metrics.BADGE_BLEND_MS)
        self._blend.valueChanged.connect(self._blended)
        self._blend.finished.connect(self._blend_over)
        self.strip = ActionStrip(self)
        self.strip.resized.connect(self._place)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme().changed.connect(self._retheme)

    # ---- what it says

    def show_face(self, face: CardFace, *, is_open: bool) -> None:
        """Say this."""
        before, self.face, self.is_open = self.face, face, is_open
        if before is not None and before.full_id == face.full_id and before.state is not face.state:
            self._begin_blend(before.state, face.state)
        self.strip.show_face(face, narrow=self.pane < metrics.PANE_ACTIONS)
        self.update()

    def forget(self) -> None:
        """Nothing is shown."""
        self.face = self.says = None
        self._blend.stop()
        self._fill = None

    @property
    def pane(self) -> int:
        """Width of the pane that a card of this width lies in."""
        return self.width() + _PANE

    def height_for(self) -> int:
        """Two lines and their padding, with the outline."""
        return theme().row(metrics.CARD_COLLAPSED, "ui", 2)

    def badge_room(self) -> QRectF:
        """Where the state stands."""
        return self._badge

    def first_line(self) -> float:
        """Middle of line one."""
        return _PAD + theme().row(metrics.CARD_LINE_1) / 2 + 1

    # ---- the badge's blend

    def _begin_blend(self, old: State, new: State) -> None:
        if theme().reduce_motion or not self.isVisible() or old not in _SOFT or new not in _SOFT:
            return
        self._ends = state_color(old, "tint"), state_color(new, "tint")
        self._blend.stop()
        self._blend.setStartValue(0.0)
        self._blend.setEndValue(1.0)
        self._blend.start()

    def _blended(self, share: float) -> None:
        self._fill = mix(self._ends[1], self._ends[0], share)
        self.update(self._badge.toAlignedRect())

    def _blend_over(self) -> None:
        self._fill = None
        self.update()

    # ---- places

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow cards have fewer buttons."""
        super().resizeEvent(event)
        if self.face is not None:
            self.strip.show_face(self.face, narrow=self.pane < metrics.PANE_ACTIONS)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        """The layout turned round."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._place()

    def _place(self) -> None:
        size = self.strip.sizeHint()
        top = self.first_line() - size.height() / 2
        put(self.strip, self.width() - _PAD - size.width(), top, size.width(), size.height())
        self.update()

    def _retheme(self) -> None:
        self._place()
        self.update()

    # ---- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Chevron, badge, name and task, state; latest line and numbers."""
        face = self.face
        if face is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first, second = theme().row(metrics.CARD_LINE_1), theme().line("ui")
        line = QRectF(metrics.CARD_TEXT, _PAD + 1, self.width() - metrics.CARD_TEXT - _EDGE, first)
        self._paint_signs(painter, face, line)
        narrow = self.pane < metrics.PANE_BADGE
        right = self.width() - _PAD - self.strip.sizeHint().width() - _GAP
        if not narrow:
            right = self._paint_state(painter, face, right, line.center().y()) - _BADGE_GAP
        self._paint_title(painter, face, QRectF(line.left(), line.top(), right - line.left(), first))
        below = QRectF(line.left(), line.bottom(), line.width(), second)
        if narrow:
            width = state_badge_width(face.state, face.word, face.number)
            self._paint_state(painter, face, below.left() + width, below.center().y())
            below.setLeft(below.left() + width + _BADGE_GAP)
        else:
            below.setRight(self._paint_numbers(painter, face, below) - _BADGE_GAP)
        self._paint_line(painter, face, below)
        painter.end()

    def _paint_signs(self, painter: QPainter, face: CardFace, line: QRectF) -> None:
        side, size = metrics.CARD_CHEVRON, metrics.BADGE_CARD
        place = turned(self, QRectF(_PAD, line.center().y() - side / 2, side, side))
        draw_icon(painter, place, "chevron-down" if self.is_open else "chevron-right", theme().color("text.secondary"))
        left = metrics.CARD_TEXT - _GAP - size
        box = turned(self, QRectF(left, line.center().y() - size / 2, size, size))
        draw_agent_badge(painter, box, letters_of(face.slug, face.name))

    def _paint_state(self, painter: QPainter, face: CardFace, right: float, middle: float) -> float:
        """The badge; where it begins."""
        width = state_badge_width(face.state, face.word, face.number)
        end = right if not is_mirrored(self) else self.width() - right + width
        self._badge = draw_state_badge(painter, end, middle, face.state, face.word, face.number, self._fill)
        return right - width

    def _paint_title(self, painter: QPainter, face: CardFace, room: QRectF) -> None:
        strong, ink = theme().font("ui", 600), theme().color("text.primary")
        name = QRectF(room)
        name.setWidth(max(metrics.SPACE_32, room.width() * _NAME_SHARE) if face.title else room.width())
        used = draw_text(painter, turned(self, name), face.name, strong, ink)
        rest = room.adjusted(used + _TITLE_GAP, 0, 0, 0)
        draw_text(painter, turned(self, rest), face.title, theme().font("ui"), ink)

    def _paint_numbers(self, painter: QPainter, face: CardFace, room: QRectF) -> float:
        """The numbers; where they begin."""
        shown = face.brief_numbers if self.pane <= metrics.PANE_NUMBERS else face.numbers
        text, font = " · ".join(shown), theme().numbers("small")
        width = text_width(text, font)
        place = QRectF(room.right() - width - 1, room.top(), width + 1, room.height())
        end = Qt.AlignmentFlag.AlignTrailing
        draw_text(painter, turned(self, place), text, font, theme().color("text.muted"), None, end)
        return place.left()

    def _paint_line(self, painter: QPainter, face: CardFace, room: QRectF) -> None:
        token = "failed.text" if face.reason else "text.secondary"
        if self.says is None:
            draw_pieces(self, painter, room, face.line, "ui", token)

    # ---- more in tooltips

    def event(self, event: QEvent) -> bool:
        """Over the numbers the whole id, elsewhere what is cut."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tip_at(QPointF(event.pos()))
            if text:
                QToolTip.showText(event.globalPos(), plain_tip(text), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def tip_at(self, at: QPointF) -> str:
        """The whole of what stands there."""
        face = self.face
        if face is None:
            return ""
        below = at.y() > _PAD + theme().row(metrics.CARD_LINE_1)
        across = self.width() - at.x() if is_mirrored(self) else at.x()
        numbers = text_width(" · ".join(face.numbers), theme().numbers("small"))
        if below:
            return face.full_id if across > self.width() - _EDGE - numbers else face.line_text
        return face.title
