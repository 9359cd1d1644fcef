"""The timeline: one bar a child, coloured and marked by state (design 7.6). Time runs to the right in every language.

Owns painting, the keyboard over its bars and their tooltips; the times are the view model's. Ends with the panel.
"""
# ruff: noqa: N802  # Qt overrides

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.marks import draw_mark, mark_color, state_color
from ui.theme.painting import draw_text, focus_ring, hairline, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.cards import first_line
from ui.viewmodels.overlay import Branch
from ui.viewmodels.states import State
from ui.viewmodels.timeline import Axis, Bar, Part, axis_of, bar_of
from ui.viewmodels.world import World
from ui.widgets.controls.tips import plain_tip
from ui.wording import clock_time, duration, state_word, tr

RIGHT = 36
"""Room for the mark behind a bar that reaches the end."""
INSIDE = 60
"""A bar of this width holds its time."""
_LEAST, _STUB, _GAP, _ENDS = 4.0, 6.0, metrics.INNER_6, metrics.INNER_6
_NAME_LEFT = metrics.SPACE_12
_TURNING = frozenset({State.RUNNING, State.STARTING})


@dataclass(frozen=True, slots=True)
class Lane:
    """One child and its bar."""

    branch: Branch
    bar: Bar
    name: str


class Timeline(QWidget):
    """`chosen`: the task of a bar."""

    chosen = Signal(str)

    def __init__(self, world: World, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world = world
        self._lanes: tuple[Lane, ...] = ()
        self.axis = Axis(0, 10, 1)
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setMouseTracking(True)
        self._tell()
        clock().watch_seconds(self, self._tick)
        clock().watch_frames(self, self._turn)
        theme().changed.connect(self.updateGeometry)
        theme().changed.connect(self.update)

    # ---- what it shows

    def show_branches(self, branches: tuple[Branch, ...]) -> None:
        """Show these, in this order."""
        held = self.current_task
        self._lanes = tuple(
            Lane(branch, bar_of(branch.view), self._world.label_of(branch.view.record.agent_type))
            for branch in branches
        )
        ids = [lane.branch.view.record.task_id for lane in self._lanes]
        self._current = ids.index(held) if held in ids else min(self._current, max(0, len(ids) - 1))
        self._measure()
        self.updateGeometry()

    @property
    def current_task(self) -> str:
        """The task of the current bar, "" = there is none."""
        return self._lanes[self._current].branch.view.record.task_id if self._lanes else ""

    def _alive(self) -> bool:
        return any(lane.bar.alive for lane in self._lanes)

    def _end_ms(self) -> int:
        now = self._world.now_ms()
        return now if self._alive() else max((lane.bar.end_ms or now for lane in self._lanes), default=now)

    def _measure(self) -> None:
        if self._lanes:
            self.axis = axis_of(min(lane.bar.begin_ms for lane in self._lanes), self._end_ms())
        self._tell()
        self.update()

    def _tick(self) -> None:
        if self._alive():
            self._measure()

    def _turn(self) -> None:
        for number, lane in enumerate(self._lanes):
            if lane.bar.state in _TURNING:
                self.update(self._mark(self.bar_room(number)).toAlignedRect())

    def _tell(self) -> None:
        """What the current bar says is the name for screen readers."""
        words = self.words(self._current).replace("\n", ", ") if self._lanes else ""
        name = f"{tr('Timeline')}: {words}" if words else tr("Timeline")
        if name != self.accessibleName():
            self.setAccessibleName(name)

    # ---- places

    def sizeHint(self) -> QSize:
        """Axis 22, a lane of 25 each."""
        return QSize(metrics.OVERLAY, round(self._top(len(self._lanes))) + 2 * _ENDS if self._lanes else 0)

    def minimumSizeHint(self) -> QSize:
        """Never lower."""
        return QSize(metrics.BOARD_COLUMN, self.sizeHint().height())

    @staticmethod
    def _axis_height() -> int:
        return theme().row(metrics.TIMELINE_AXIS, "small")

    @staticmethod
    def _lane_height() -> int:
        return theme().row(metrics.TIMELINE_LANE, "small")

    def _top(self, number: int) -> float:
        return _ENDS + self._axis_height() + number * self._lane_height()

    def _x(self, ms: int) -> float:
        return metrics.TIMELINE_LEFT + self.axis.at(ms) * self._span()

    def _span(self) -> float:
        return max(1.0, self.width() - metrics.TIMELINE_LEFT - RIGHT)

    def _part_room(self, number: int, part: Part) -> QRectF:
        left, right = self._x(part.begin_ms), self._x(part.end_ms or self._end_ms())
        top = self._top(number) + (self._lane_height() - metrics.TIMELINE_BAR) / 2
        return QRectF(left, top, max(_LEAST, right - left), metrics.TIMELINE_BAR)

    def bar_room(self, number: int) -> QRectF:
        """Where a whole bar lies."""
        parts = self._lanes[number].bar.parts
        return self._part_room(number, parts[0]).united(self._part_room(number, parts[-1]))

    @staticmethod
    def _mark(bar: QRectF) -> QRectF:
        side = metrics.MARK_TIMELINE
        return QRectF(bar.right() + _GAP, bar.center().y() - side / 2, side, side)

    # ---- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Axis, bars, now."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._lanes:
            self._paint_axis(painter)
            for number, lane in enumerate(self._lanes):
                self._paint_lane(painter, number, lane)
            self._paint_now(painter)
        painter.end()

    def _paint_axis(self, painter: QPainter) -> None:
        font, foot = theme().numbers("small"), self._top(len(self._lanes)) + 1
        for place, words in self.axis.labels():
            x = metrics.TIMELINE_LEFT + place * self._span()
            hairline(painter, x, self._top(0), x, foot, theme().color("border.subtle"))
            wide = text_width(words, font) + 1
            left = min(x - wide / 2, self.width() - wide - metrics.SPACE_4)
            room = QRectF(left, _ENDS, wide, self._axis_height())
            draw_text(painter, room, words, font, theme().color("text.secondary"), None)

    def _paint_now(self, painter: QPainter) -> None:
        if not self._alive():
            return
        pen = QPen(theme().color("text.muted"), 1)
        pen.setDashPattern([1.5, 3])
        painter.setPen(pen)
        x = round(self._x(self._world.now_ms())) + 0.5
        painter.drawLine(QPointF(x, self._top(0) - 2), QPointF(x, self._top(len(self._lanes)) + 2))

    def _paint_lane(self, painter: QPainter, number: int, lane: Lane) -> None:
        indent = _NAME_LEFT + lane.branch.level * metrics.TIMELINE_LEVEL
        wide = min(metrics.TIMELINE_NAME_MOST, metrics.TIMELINE_LEFT - indent - metrics.SPACE_4)
        room = QRectF(indent, self._top(number), wide, self._lane_height())
        draw_text(painter, room, lane.name, theme().font("small"), theme().color("text.secondary"))
        for part in lane.bar.parts:
            room = self._part_room(number, part)
            if part is lane.bar.parts[-1] or room.width() >= _STUB:
                self._paint_part(painter, lane.bar.state, part, room)
        bar = self.bar_room(number)
        mark = self._mark(bar)
        draw_mark(painter, mark, lane.bar.state, theme().color("bg.surface"), clock().phase)
        self._paint_time(painter, number, lane.bar, mark)
        if self.hasFocus() and number == self._current:
            focus_ring(painter, bar, metrics.RADIUS_4)

    def _paint_part(self, painter: QPainter, state: State, part: Part, room: QRectF) -> None:
        if part.kind == "queued":
            pen = QPen(mark_color(State.QUEUED), 1)
            pen.setDashPattern([3, 2])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(room.adjusted(0.5, 0.5, -0.5, -0.5), metrics.RADIUS_4, metrics.RADIUS_4)
        elif part.kind == "waiting":
            _paint_hatch(painter, room.adjusted(1, 0, 0, 0))
        else:
            shown = State.RUNNING if state is State.WAITING else state
            rounded(painter, room, metrics.RADIUS_4, state_color(shown, "tint"), mark_color(shown))

    def _paint_time(self, painter: QPainter, number: int, bar: Bar, mark: QRectF) -> None:
        """In the bar if it has room, else behind the mark of an ended one, before the bar of a living one."""
        part = bar.labelled()
        words = duration((part.end_ms or self._end_ms()) - part.begin_ms)
        font, room = theme().numbers("small"), self._part_room(number, part)
        wide = text_width(words, font) + 1
        worked = State.RUNNING if bar.state is State.WAITING else bar.state
        shown = {"queued": State.QUEUED, "waiting": State.WAITING}.get(part.kind, worked)
        left, right = self.bar_room(number).left() - wide - _GAP, mark.right() + _GAP
        fits_before, fits_behind = left >= metrics.TIMELINE_LEFT - metrics.SPACE_8, right + wide <= self.width()
        if room.width() >= INSIDE:
            room.adjust(_GAP + 1, 0, -_GAP, 0)
        elif (bar.alive and fits_before) or not fits_behind:
            room = QRectF(left, room.top(), wide, room.height())
        else:
            room = QRectF(right, room.top(), wide, room.height())
        draw_text(painter, room, words, font, state_color(shown), None)

    # ---- hands

    def lane_at(self, at: QPointF) -> int | None:
        """The lane under a point."""
        number = int((at.y() - self._top(0)) // self._lane_height())
        return number if at.y() >= self._top(0) and 0 <= number < len(self._lanes) else None

    def words(self, number: int) -> str:
        """Task, state, start, end, time waiting: lines of a tooltip."""
        lane, now = self._lanes[number], self._world.now_ms()
        bar, waited = lane.bar, lane.bar.waited_ms(now)
        began = bar.labelled().begin_ms
        lines = (
            f"{lane.name}: {first_line(lane.branch.view.record.task_text)}",
            state_word(bar.state),
            tr("Began {time}", time=clock_time(began, seconds=True)),
            tr("Ended {time}", time=clock_time(bar.end_ms, seconds=True)) if bar.end_ms is not None else "",
            tr("Waiting for you for {time}", time=duration(waited)) if waited else "",
        )
        return "\n".join(line for line in lines if line)

    def event(self, event: QEvent) -> bool:
        """A tooltip for the lane under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self.lane_at(QPointF(event.pos()))
            if number is not None:
                QToolTip.showText(event.globalPos(), plain_tip(self.words(number)), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A hand over what can be pressed."""
        over = self.lane_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """To the card."""
        number = self.lane_at(event.position())
        if number is not None and event.button() == Qt.MouseButton.LeftButton:
            self._current = number
            self.update()
            self.chosen.emit(self.current_task)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk the bars, Enter goes to the card."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None and self._lanes:
            self._current = max(0, min(len(self._lanes) - 1, self._current + step))
            self._tell()
            self._show_tip()
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))
            self.update()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._lanes:
            self.chosen.emit(self.current_task)
        else:
            event.ignore()

    def _show_tip(self) -> None:
        corner = self.bar_room(self._current).bottomLeft().toPoint()
        QToolTip.showText(self.mapToGlobal(corner), plain_tip(self.words(self._current)), self)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring of the current bar."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """It goes."""
        super().focusOutEvent(event)
        QToolTip.hideText()
        self.update()


_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_J: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_K: -1,
}


def _paint_hatch(painter: QPainter, box: QRectF) -> None:
    """Stripes of 2, 6 apart, at 45 degrees, in a box."""
    painter.save()
    path = QPainterPath()
    path.addRoundedRect(box, metrics.RADIUS_4, metrics.RADIUS_4)
    painter.setClipPath(path)
    painter.fillRect(box, theme().color("waiting.tint"))
    painter.setPen(QPen(theme().color("waiting.fill"), metrics.HATCH_STRIPE))
    step = metrics.HATCH_STEP * 2**0.5
    x = box.left() - box.height()
    while x < box.right():
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()))
        x += step
    painter.restore()
    rounded(painter, box, metrics.RADIUS_4, None, theme().color("waiting.mark"))
