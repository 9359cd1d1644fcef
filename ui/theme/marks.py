"""The eight state marks: shapes that can be told apart in grey (design 5).

Owns their drawing on a unit square of 16. Each is drawn as a vector at the device's resolution, with no state.
"""
# ruff: noqa: PLR0917  # a painter, a place and what to paint

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from ui.theme.metrics import TURN_STEPS
from ui.theme.painting import mix
from ui.theme.theme import theme
from ui.viewmodels.states import State

_UNIT = 16.0
_MIDDLE = QPointF(8, 8)
_RING = QRectF(8 - 5.6, 8 - 5.6, 11.2, 11.2)
_PALE = 0.38
_CIRCLE = 5760  # Qt counts sixteenths of a degree
_TOP = 1440


def draw_mark(
    painter: QPainter, rect: QRectF, state: State, ground: QColor, phase: int = 0, on_fill: bool = False
) -> None:
    """Draw the mark of `state` into `rect`, centred. `idle` has none.

    `ground`: the colour under the mark, for what is cut out of it. `phase`: step of the turn, 0 to 11. `on_fill`: dark
    ink for the filled badge.
    """
    draw = _DRAW.get(state)
    if draw is None:
        return
    color = theme().color("waiting.on-fill" if on_fill else f"{state.value}.mark")
    side = min(rect.width(), rect.height())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center().x() - side / 2, rect.center().y() - side / 2)
    painter.scale(side / _UNIT, side / _UNIT)
    draw(painter, color, ground, phase)
    painter.restore()


def mark_color(state: State) -> QColor:
    """The colour of a state's mark; muted for `idle`."""
    return theme().color("text.muted" if state is State.IDLE else f"{state.value}.mark")


def state_color(state: State, part: str = "text") -> QColor:
    """A state's `text`, `tint` or `mark` colour; plain ones for `idle`."""
    if state is State.IDLE:
        return theme().color("bg.hover" if part == "tint" else "text.muted")
    return theme().color(f"{state.value}.{part}")


def _stroke(painter: QPainter, color: QColor, width: float, *, round_ends: bool = True) -> None:
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap if round_ends else Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _fill(painter: QPainter, color: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)


def _dashes(painter: QPainter, color: QColor, width: float, dash: float) -> None:
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([dash / width, dash / width])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _queued(painter: QPainter, color: QColor, _ground: QColor, _phase: int) -> None:
    _dashes(painter, color, 1.6, 2.2)
    painter.drawEllipse(_RING)


def _starting(painter: QPainter, color: QColor, ground: QColor, phase: int) -> None:
    _stroke(painter, mix(color, ground, _PALE), 1.9)
    painter.drawEllipse(_RING)
    _stroke(painter, color, 1.9)
    painter.drawArc(_RING, _turned(phase), -_CIRCLE // 4)


def _running(painter: QPainter, color: QColor, _ground: QColor, phase: int) -> None:
    _stroke(painter, color, 1.8)
    painter.drawArc(_RING, _turned(phase), -_CIRCLE * 3 // 4)
    _fill(painter, color)
    painter.drawEllipse(_MIDDLE, 2.3, 2.3)


def _turned(phase: int) -> int:
    return _TOP - (phase % TURN_STEPS) * _CIRCLE // TURN_STEPS


def _waiting(painter: QPainter, color: QColor, ground: QColor, _phase: int) -> None:
    # The stroke rounds the corners.
    pen = QPen(color, 1.6)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(color)
    painter.drawPolygon([QPointF(8, 1.1), QPointF(14.9, 8), QPointF(8, 14.9), QPointF(1.1, 8)])
    _stroke(painter, ground, 1.7)
    painter.drawLine(QPointF(8, 4.7), QPointF(8, 8.5))
    _fill(painter, ground)
    painter.drawEllipse(QPointF(8, 11.1), 1.05, 1.05)


def _completed(painter: QPainter, color: QColor, ground: QColor, _phase: int) -> None:
    _fill(painter, color)
    painter.drawEllipse(_MIDDLE, 6.6, 6.6)
    _stroke(painter, ground, 1.7)
    painter.drawPolyline([QPointF(5.0, 8.3), QPointF(7.1, 10.4), QPointF(11.0, 5.9)])


def _failed(painter: QPainter, color: QColor, ground: QColor, _phase: int) -> None:
    _fill(painter, color)
    painter.drawRoundedRect(QRectF(1.7, 1.7, 12.6, 12.6), 2.6, 2.6)
    _stroke(painter, ground, 1.8)
    painter.drawLine(QPointF(5.5, 5.5), QPointF(10.5, 10.5))
    painter.drawLine(QPointF(10.5, 5.5), QPointF(5.5, 10.5))


def _canceled(painter: QPainter, color: QColor, _ground: QColor, _phase: int) -> None:
    _stroke(painter, color, 1.6)
    painter.drawEllipse(_RING)
    painter.drawLine(QPointF(4.2, 11.8), QPointF(11.8, 4.2))


def _interrupted(painter: QPainter, color: QColor, _ground: QColor, _phase: int) -> None:
    _fill(painter, color)
    half = QPainterPath(QPointF(8.3, 1.6))
    half.arcTo(QRectF(1.6, 1.6, 12.8, 12.8), 90, 180)
    half.lineTo(8.3, 14.4)
    half.closeSubpath()
    painter.drawPath(half)
    _dashes(painter, color, 1.6, 2.2)
    painter.drawArc(_RING, _TOP - 10 * 16, -(_CIRCLE // 2 - 10 * 16))


_DRAW: dict[State, Callable[[QPainter, QColor, QColor, int], None]] = {
    State.QUEUED: _queued,
    State.STARTING: _starting,
    State.RUNNING: _running,
    State.WAITING: _waiting,
    State.COMPLETED: _completed,
    State.FAILED: _failed,
    State.CANCELED: _canceled,
    State.INTERRUPTED: _interrupted,
}
