"""The overlay as a line of 36 under the header: how many, and marks with counts (design 7.6).

Owns nothing but its look. Ends with its page.
"""
# ruff: noqa: N802  # Qt overrides

from collections import Counter

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, focus_ring, rounded
from ui.theme.theme import theme
from ui.viewmodels.states import URGENCY, State, state_of_task
from ui.viewmodels.world import Batch, World
from ui.widgets.controls.pressable import Pressable
from ui.widgets.feed.geometry import column_of
from ui.wording import state_word, tr

_ORDER = (*URGENCY, State.COMPLETED, State.CANCELED)


class SubAgentsLine(Pressable):
    """`opened`: the panel is wanted."""

    opened = Signal()

    def __init__(self, session_id: str, world: World, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._session_id, self._world = session_id, world
        self._counts: tuple[tuple[State, int], ...] = ()
        self._total = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.opened)
        world.changed.connect(self._changed)
        clock().watch_frames(self, self._turn)
        self._refresh()

    def _turn(self) -> None:
        if any(state in {State.RUNNING, State.STARTING} for state, _ in self._counts):
            self.update()

    def _changed(self, batch: Batch) -> None:
        if batch.tasks or batch.asks or batch.gone:
            self._refresh()

    def _refresh(self) -> None:
        counted = Counter(state_of_task(view) for view in self._world.descendants(self._session_id))
        self._counts = tuple((state, counted[state]) for state in _ORDER if counted[state])
        self._total = sum(counted.values())
        words = ", ".join(f"{count} {state_word(state).lower()}" for state, count in self._counts)
        self.setAccessibleName(f"{tr('%n sub-agents', n=self._total)}: {words}")
        self.update()

    def sizeHint(self) -> QSize:
        """36, and 4 above and below."""
        return QSize(300, theme().row(metrics.OVERLAY_LINE) + 8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Box, count, marks, chevron."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, width = column_of(self.width())
        box = QRectF(left, 4, width, self.height() - 8)
        fill = theme().color("bg.hover" if self.under_pointer else "bg.surface")
        rounded(painter, box, metrics.RADIUS_8, fill, theme().color("border.default"))
        room = QRectF(box.left() + 12, box.top(), 200, box.height())
        words = tr("%n sub-agents", n=self._total)
        at = room.left() + draw_text(painter, room, words, theme().font("ui", 600), theme().color("text.primary")) + 16
        middle = box.center().y()
        for state, count in self._counts:
            draw_mark(painter, QRectF(at, middle - 7, 14, 14), state, fill, clock().phase)
            number = QRectF(at + 20, box.top(), 60, box.height())
            at += 20 + draw_text(painter, number, str(count), theme().numbers("ui"), theme().color("text.primary")) + 14
        icon = QRectF(box.right() - 28, middle - 8, 16, 16)
        draw_icon(painter, icon, "chevron-down", theme().color("text.secondary"))
        if self.hasFocus():
            focus_ring(painter, box, metrics.RADIUS_8, inside=True)
        painter.end()
