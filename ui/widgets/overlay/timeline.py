"""The timeline: one bar a child, labelled and coloured by state (design 7.6). Time always runs to the right.

Owns painting and the keyboard over its bars; never the times. Ends with the panel.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.marks import draw_mark, mark_color, state_color
from ui.theme.painting import draw_text, focus_ring, hairline, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.cards import first_line
from ui.viewmodels.overlay import Axis, Lane, axis_of, time_of
from ui.viewmodels.states import ALIVE, State
from ui.viewmodels.world import World
from ui.widgets.controls.tips import plain_tip
from ui.wording import clock_time, duration, state_word, tr

RIGHT = 40
"""Room for the mark behind a bar that reaches now."""
_LEAST_BAR = 4.0
_INSIDE = 60


class Timeline(QWidget):
    """`chosen`: a bar was pressed."""

    chosen = Signal(str)

    def __init__(self, world: World, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world = world
        self._lanes: tuple[Lane, ...] = ()
        self._axis = Axis(0, 10, 1)
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        clock().watch_seconds(self, self._tick)
        clock().watch_frames(self, self._turn)

    def show_lanes(self, lanes: tuple[Lane, ...]) -> None:
        """Show these."""
        self._lanes = lanes
        self._current = min(self._current, max(0, len(lanes) - 1))
        self._tick()
        self.updateGeometry()

    def _alive(self) -> bool:
        return any(lane.state in ALIVE for lane in self._lanes)

    def _tick(self) -> None:
        if not self._lanes:
            return
        now = self._world.now_ms()
        begin = min(lane.asked_ms for lane in self._lanes)
        end = now if self._alive() else max(lane.ended_ms or now for lane in self._lanes)
        self._axis = axis_of(begin, end)
        self._say()
        self.update()

    def _turn(self) -> None:
        if any(lane.state in {State.RUNNING, State.STARTING} for lane in self._lanes):
            self.update()

    def _say(self) -> None:
        if self._lanes:
            self.setAccessibleName(tr("Timeline") + ": " + self._words(self._lanes[self._current]).replace("\n", ", "))

    def sizeHint(self) -> QSize:
        """Axis 22, a lane of 25 each."""
        return QSize(300, theme().row(metrics.TIMELINE_AXIS, "small") + len(self._lanes) * self._lane() + 10)

    def _lane(self) -> int:
        return theme().row(metrics.TIMELINE_LANE, "small")

    def _x(self, ms: int) -> float:
        room = self.width() - metrics.TIMELINE_LEFT - RIGHT
        return metrics.TIMELINE_LEFT + self._axis.at(ms) * room

    def _top(self, number: int) -> float:
        return theme().row(metrics.TIMELINE_AXIS, "small") + number * self._lane()

    def _bar(self, number: int) -> QRectF:
        lane = self._lanes[number]
        left = self._x(lane.began_ms or lane.asked_ms)
        right = self._x(lane.ended_ms or self._world.now_ms())
        top = self._top(number) + (self._lane() - metrics.TIMELINE_BAR) / 2
        return QRectF(left, top, max(_LEAST_BAR, right - left), metrics.TIMELINE_BAR)

    # ---- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Axis, now, lanes."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._lanes:
            self._paint_axis(painter)
            for number, lane in enumerate(self._lanes):
                self._paint_lane(painter, number, lane)
        painter.end()

    def _paint_axis(self, painter: QPainter) -> None:
        height = theme().row(metrics.TIMELINE_AXIS, "small")
        font, color = theme().numbers("small"), theme().color("text.muted")
        room = self.width() - metrics.TIMELINE_LEFT - RIGHT
        for place, words in self._axis.labels():
            x = metrics.TIMELINE_LEFT + place * room
            hairline(painter, x, height, x, self.height() - 8, theme().color("border.subtle"))
            width = text_width(words, font)
            left = min(max(x - width / 2, metrics.TIMELINE_LEFT - 8), self.width() - width - 4)
            draw_text(painter, QRectF(left, 0, width + 2, height), words, font, color, None)
        if self._alive():
            x = self._x(self._world.now_ms())
            painter.setPen(QPen(color, 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, height - 2), QPointF(x, self.height() - 8))

    def _paint_lane(self, painter: QPainter, number: int, lane: Lane) -> None:
        view = self._world.task(lane.task_id)
        name = self._world.label_of(view.record.agent_type) if view is not None else ""
        indent = 12 + lane.level * metrics.TIMELINE_LEVEL
        room = QRectF(indent, self._top(number), metrics.TIMELINE_LEFT - indent - 4, self._lane())
        draw_text(painter, room, name, theme().font("small"), theme().color("text.secondary"))
        bar = self._bar(number)
        if lane.state is State.QUEUED:
            painter.setPen(QPen(mark_color(State.QUEUED), 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), metrics.RADIUS_4, metrics.RADIUS_4)
        else:
            self._paint_bar(painter, lane, bar)
        size = metrics.MARK_TIMELINE
        mark = QRectF(bar.right() + 6, bar.center().y() - size / 2, size, size)
        draw_mark(painter, mark, lane.state, theme().color("bg.surface"), clock().phase)
        self._paint_time(painter, lane, bar, mark)
        if self.hasFocus() and number == self._current:
            focus_ring(painter, bar.adjusted(-3, -2, 3, 2), metrics.RADIUS_4, inside=True)

    def _paint_bar(self, painter: QPainter, lane: Lane, bar: QRectF) -> None:
        state = State.RUNNING if lane.state is State.WAITING else lane.state
        outline, tint = mark_color(state), state_color(state, "tint")
        if lane.waits_ms is None:
            rounded(painter, bar, metrics.RADIUS_4, tint, outline)
            return
        at = max(bar.left() + 2, min(self._x(lane.waits_ms), bar.right() - _LEAST_BAR))
        rounded(
            painter, QRectF(bar.left(), bar.top(), at - bar.left() - 1, bar.height()), metrics.RADIUS_4, tint, outline
        )
        self._paint_hatch(painter, QRectF(at + 1, bar.top(), bar.right() - at - 1, bar.height()))

    @staticmethod
    def _paint_hatch(painter: QPainter, box: QRectF) -> None:
        """Stripes of 2, 6 apart, at 45 degrees."""
        painter.save()
        path = QPainterPath()
        path.addRoundedRect(box, metrics.RADIUS_4, metrics.RADIUS_4)
        painter.setClipPath(path)
        painter.fillRect(box, theme().color("waiting.tint"))
        painter.setPen(QPen(theme().color("waiting.fill"), metrics.HATCH_STRIPE))
        x = box.left() - box.height()
        while x < box.right() + box.height():
            painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()))
            x += metrics.HATCH_STEP
        painter.restore()
        rounded(painter, box, metrics.RADIUS_4, None, theme().color("waiting.mark"))

    def _paint_time(self, painter: QPainter, lane: Lane, bar: QRectF, mark: QRectF) -> None:
        font, words = theme().numbers("small"), time_of(lane, self._world.now_ms())
        width = text_width(words, font)
        color = state_color(State.RUNNING if lane.state is State.WAITING else lane.state)
        if bar.width() >= _INSIDE:
            room = QRectF(bar.left() + 6, bar.top(), bar.width() - 8, bar.height())
        elif lane.state in ALIVE:
            room = QRectF(max(metrics.TIMELINE_LEFT, bar.left() - width - 6), bar.top(), width + 2, bar.height())
        else:
            room = QRectF(mark.right() + 6, bar.top(), width + 2, bar.height())
        draw_text(painter, room, words, font, color, None)

    # ---- hand and keyboard

    def _at(self, y: float) -> int | None:
        number = int((y - self._top(0)) // self._lane())
        return number if 0 <= number < len(self._lanes) else None

    def _words(self, lane: Lane) -> str:
        view = self._world.task(lane.task_id)
        lines = [first_line(view.record.task_text) if view is not None else "", state_word(lane.state)]
        lines.append(tr("Began {time}", time=clock_time(lane.began_ms or lane.asked_ms, seconds=True)))
        if lane.ended_ms is not None:
            lines.append(tr("Ended {time}", time=clock_time(lane.ended_ms, seconds=True)))
        if lane.waits_ms is not None:
            lines.append(tr("Waits for {time}", time=duration(self._world.now_ms() - lane.waits_ms)))
        return "\n".join(line for line in lines if line)

    def event(self, event: QEvent) -> bool:
        """A tooltip for the bar under the pointer."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self._at(event.pos().y())
            if number is not None:
                QToolTip.showText(event.globalPos(), plain_tip(self._words(self._lanes[number])), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """To the card."""
        number = self._at(event.position().y())
        if number is not None:
            self._current = number
            self.chosen.emit(self._lanes[number].task_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk the bars, Enter goes to the card."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Left: -1}
        step = steps.get(Qt.Key(event.key()))
        if step is not None and self._lanes:
            self._current = max(0, min(len(self._lanes) - 1, self._current + step))
            self._say()
            self.update()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._lanes:
            self.chosen.emit(self._lanes[self._current].task_id)
        else:
            super().keyPressEvent(event)
