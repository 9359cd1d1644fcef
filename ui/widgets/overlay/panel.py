"""The panel: all delegations of a conversation as a list and a timeline, with what they cost (design 7.6).

Owns which rows are folded and the question before *Stop all*. Fed by the world; deeds are orders. Ends with its page.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, letters_of
from ui.theme.clock import clock
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, focus_ring, hairline, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.card_numbers import sum_of
from ui.viewmodels.cards import first_line, second_line
from ui.viewmodels.overlay import Folded, Lane, lanes_of, listed, time_of
from ui.viewmodels.states import ALIVE, State, state_of_task
from ui.viewmodels.world import Batch, World
from ui.widgets.controls import Button, IconButton, Label
from ui.widgets.overlay.timeline import Timeline
from ui.wording import duration, state_word, tr


class Rows(QWidget):
    """The list, painted; arrows walk it."""

    chosen = Signal(str)
    unfold_asked = Signal()

    def __init__(self, world: World, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world = world
        self._rows: tuple[Lane | Folded, ...] = ()
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        clock().watch_seconds(self)
        clock().watch_frames(self, self._turn)

    def _turn(self) -> None:
        if any(isinstance(row, Lane) and row.state in {State.RUNNING, State.STARTING} for row in self._rows):
            self.update()

    def show_rows(self, rows: "tuple[Lane | Folded, ...]") -> None:
        """Show these."""
        self._rows = rows
        self._current = min(self._current, max(0, len(rows) - 1))
        self._say()
        self.updateGeometry()
        self.update()

    def _say(self) -> None:
        row = self._rows[self._current] if self._rows else None
        view = self._world.task(row.task_id) if isinstance(row, Lane) else None
        if view is not None and isinstance(row, Lane):
            name = self._world.label_of(view.record.agent_type)
            self.setAccessibleName(f"{name}, {first_line(view.record.task_text)}, {state_word(row.state).lower()}")

    def _tall(self) -> int:
        return theme().line("ui") + theme().line("small") + 12

    def sizeHint(self) -> QSize:
        """Two lines a row, 6 above and below."""
        return QSize(300, len(self._rows) * self._tall() + 8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Row by row."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, row in enumerate(self._rows):
            box = QRectF(0, 4 + number * self._tall(), self.width(), self._tall())
            if isinstance(row, Folded):
                text = tr("%n ended, show them", n=row.count)
                room = box.adjusted(10, 0, -12, 0)
                draw_text(painter, room, text, theme().font("small"), theme().color("accent.text"))
            else:
                self._paint(painter, row, box)
            if self.hasFocus() and number == self._current:
                focus_ring(painter, box.adjusted(4, 1, -4, -1), metrics.RADIUS_6, inside=True)
        painter.end()

    def _paint(self, painter: QPainter, lane: Lane, box: QRectF) -> None:
        view = self._world.task(lane.task_id)
        if view is None:
            return
        ground, left = theme().color("bg.surface"), 10 + lane.level * metrics.OVERLAY_LEVEL
        top, line = box.top() + 6, theme().line("ui")
        middle = top + line / 2
        if lane.level:
            rail = left - metrics.OVERLAY_LEVEL + 8
            hairline(painter, rail, box.top() - 6, rail, middle, theme().color("border.default"))
            hairline(painter, rail, middle, left - 2, middle, theme().color("border.default"))
        draw_mark(painter, QRectF(left, middle - 8, 16, 16), lane.state, ground, clock().phase)
        slug = view.record.agent_type
        badge = QRectF(left + 24, middle - 10, 20, 20)
        draw_agent_badge(painter, badge, letters_of(slug, self._world.label_of(slug)))
        time, font = time_of(lane, self._world.now_ms()), theme().numbers("small")
        width = text_width(time, font)
        place = QRectF(box.right() - 12 - width, top, width + 1, line)
        draw_text(painter, place, time, font, theme().color("text.muted"), None)
        text = badge.right() + 8
        room = QRectF(text, top, place.left() - 8 - text, line)
        draw_text(
            painter, room, first_line(view.record.task_text), theme().font("ui", 500), theme().color("text.primary")
        )
        self._paint_second(painter, lane, QRectF(text, top + line, box.right() - 12 - text, theme().line("small")))

    def _paint_second(self, painter: QPainter, lane: Lane, room: QRectF) -> None:
        view = self._world.task(lane.task_id)
        if view is None:
            return
        small, muted = theme().font("small"), theme().color("text.muted")
        words = state_word(lane.state)
        if lane.state is State.WAITING:
            since = duration(self._world.now_ms() - lane.waits_ms) if lane.waits_ms is not None else ""
            strong = theme().numbers("small", 600)
            used = draw_text(painter, room, f"{words} {since}".strip(), strong, theme().color("waiting.text"))
        else:
            used = draw_text(painter, room, words, small, muted)
        latest = second_line(view, self._world)
        draw_text(painter, room.adjusted(used, 0, 0, 0), f" · {latest}", small, muted)

    def _act(self, number: int) -> None:
        row = self._rows[number]
        if isinstance(row, Folded):
            self.unfold_asked.emit()
        else:
            self.chosen.emit(row.task_id)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """To the card."""
        number = int((event.position().y() - 4) // self._tall())
        if 0 <= number < len(self._rows):
            self._current = number
            self._act(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows and Enter."""
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_J: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_K: -1}
        step = steps.get(Qt.Key(event.key()))
        if step is not None and self._rows:
            self._current = max(0, min(len(self._rows) - 1, self._current + step))
            self._say()
            self.update()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._rows:
            self._act(self._current)
        else:
            super().keyPressEvent(event)


class SubAgentsPanel(QWidget):
    """`task_chosen`: to its card; `pane_asked`: keep it as a pane; `closed`."""

    task_chosen = Signal(str)
    pane_asked = Signal()
    closed = Signal()
    size_changed = Signal()

    def __init__(self, session_id: str, world: World, orders: Orders, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session_id, self._world, self._orders = session_id, world, orders
        self._unfolded = False
        self.floating = False
        self.count = Label("", "ui", "text.muted")
        self.keep = IconButton("panel-right", tr("Keep as pane"), small=True)
        self.close_button = IconButton("x", tr("Close"), "Esc", small=True)
        self.rows, self.timeline = Rows(world), Timeline(world)
        self.sum = Label("", "small", "text.secondary", elide=True)
        self.stop = Button(tr("Stop all"), "ghost", icon="stop", small=True)
        self._asked = False
        self._scroll = QScrollArea()
        self._arrange()
        self._connect()
        self.refresh()

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, 8, 0)
        head.setSpacing(8)
        head.addWidget(Label(tr("Sub-agents"), "ui", weight=600))
        head.addWidget(self.count, 1)
        head.addWidget(self.keep)
        head.addWidget(self.close_button)
        top = QWidget()
        top.setFixedHeight(theme().row(metrics.OVERLAY_HEAD))
        top.setLayout(head)
        inside = QWidget()
        inside.setAutoFillBackground(False)
        body = QVBoxLayout(inside)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(6)
        body.addWidget(self.rows)
        body.addWidget(self.timeline)
        self._scroll.setWidget(inside)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.viewport().setAutoFillBackground(False)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 0, 8, 0)
        foot.addWidget(self.sum, 1)
        foot.addWidget(self.stop)
        low = QWidget()
        low.setFixedHeight(theme().row(metrics.OVERLAY_FOOT, "small"))
        low.setLayout(foot)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(top)
        column.addWidget(self._scroll, 1)
        column.addWidget(low)
        self.setAccessibleName(tr("Sub-agents"))
        self.setFocusProxy(self.rows)

    def _connect(self) -> None:
        self.close_button.clicked.connect(self.closed)
        self.keep.clicked.connect(self.pane_asked)
        self.rows.chosen.connect(self.task_chosen)
        self.rows.unfold_asked.connect(self._unfold)
        self.timeline.chosen.connect(self.task_chosen)
        self.stop.clicked.connect(self._stop_all)
        self._world.changed.connect(self._changed)
        theme().changed.connect(self.update)

    def _changed(self, batch: Batch) -> None:
        if batch.tasks or batch.asks or batch.gone:
            self.refresh()
        elif batch.activity or batch.usage:
            self.rows.update()
            self._count()

    def _unfold(self) -> None:
        self._unfolded = True
        self.refresh()

    def refresh(self) -> None:
        """All delegations, always current."""
        lanes = lanes_of(self._session_id, self._world)
        before = self.wanted_height(self.width())
        self.rows.show_rows(listed(lanes, unfolded=self._unfolded))
        self.timeline.show_lanes(lanes)
        self.count.setText(str(len(lanes)))
        self._count()
        if before != self.wanted_height(self.width()):
            self.size_changed.emit()

    def _count(self) -> None:
        views = self._world.descendants(self._session_id)
        total = sum_of(views, self._world)
        self.sum.setText(tr("All children: {sum}", sum=total) if total else "")
        alive = [view for view in views if state_of_task(view) in ALIVE]
        self.stop.setVisible(bool(alive))
        if not alive:
            self._asked = False
        self.stop.setText(tr("Stop %n children?", n=len(alive)) if self._asked else tr("Stop all"))

    def _stop_all(self) -> None:
        """Asks once, in place."""
        if not self._asked:
            self._asked = True
        else:
            self._asked = False
            for view in self._world.tasks_of(self._session_id):
                if state_of_task(view) in ALIVE:
                    self._orders.cancel_task(view.record.task_id)
        self._count()

    def wanted_height(self, _width: int) -> int:
        """Head, list, timeline, foot."""
        head, foot = theme().row(metrics.OVERLAY_HEAD), theme().row(metrics.OVERLAY_FOOT, "small")
        return head + foot + self.rows.sizeHint().height() + self.timeline.sizeHint().height() + 10

    def float_over(self) -> None:
        """Wanted over the text, where there is no room beside it."""
        self.floating = True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.floating = False
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Surface, outline, the lines between."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box, line = QRectF(self.rect()), theme().color("border.subtle")
        rounded(painter, box, metrics.RADIUS_8, theme().color("bg.surface"), theme().color("border.default"))
        head = theme().row(metrics.OVERLAY_HEAD)
        hairline(painter, 1, head, self.width() - 1, head, line)
        foot = self.height() - theme().row(metrics.OVERLAY_FOOT, "small")
        hairline(painter, 1, foot, self.width() - 1, foot, line)
        painter.end()
