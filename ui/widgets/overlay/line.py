"""The sub-agents as a line of 36 under the header: how many, and marks with counts (design 7.6).

Owns nothing but its look. A press opens the panel over the feed. Ends with its page.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, focus_ring, rounded
from ui.theme.theme import theme
from ui.viewmodels.overlay import counted, counts_of
from ui.viewmodels.states import State
from ui.viewmodels.world import Batch, World
from ui.widgets.controls.pressable import Pressable
from ui.widgets.feed.geometry import geometry
from ui.widgets.mirror import turned
from ui.wording import number, tr

_TURNING = frozenset({State.RUNNING, State.STARTING})
_ABOVE, _PAD, _GAP = metrics.SPACE_8, metrics.SPACE_12, metrics.INNER_6


class SubAgentsLine(Pressable):
    """`opened`: the panel is wanted."""

    opened = Signal()

    def __init__(self, session_id: str, world: World, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._session_id, self._world = session_id, world
        self._total = 0
        self._counts: tuple[tuple[State, int], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.opened)
        world.changed.connect(self._changed)
        clock().watch_frames(self, self._turn)
        self.refresh()

    def refresh(self) -> None:
        """As the world is now."""
        views = self._world.descendants(self._session_id)
        self._total, self._counts = len(views), counts_of(views)
        words = ", ".join(counted(state, count) for state, count in self._counts)
        self.setAccessibleName(f"{self._words()}: {words}")
        self.update()

    def _words(self) -> str:
        return tr("%n sub-agents", n=self._total)

    def _changed(self, batch: Batch) -> None:
        if batch.tasks or batch.asks or batch.gone:
            self.refresh()

    def _turn(self) -> None:
        if any(state in _TURNING for state, _ in self._counts):
            self.update()

    def sizeHint(self) -> QSize:
        """36, and 8 above."""
        return QSize(metrics.OVERLAY, theme().row(metrics.OVERLAY_LINE) + _ABOVE)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Its ring is inside."""
        super(Pressable, self).focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super(Pressable, self).focusOutEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Box, count, marks, chevron."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lies = geometry(self.width())
        box = QRectF(lies.left, _ABOVE, lies.width, self.height() - _ABOVE)
        fill = theme().color(self.ground_token() or "bg.surface")
        place = turned(self, box)
        rounded(painter, place, metrics.RADIUS_8, fill, theme().color("border.default"))
        room = QRectF(box.left() + _PAD, box.top(), box.width() - 2 * _PAD, box.height())
        ink, side = theme().color("text.primary"), metrics.MARK_BADGE
        used = draw_text(painter, turned(self, room), self._words(), theme().font("ui", 600), ink)
        at = room.left() + used + metrics.SPACE_12
        for state, count in self._counts:
            mark = QRectF(at, box.center().y() - side / 2, side, side)
            draw_mark(painter, turned(self, mark), state, fill, clock().phase)
            rest = QRectF(mark.right() + _GAP, box.top(), metrics.SPACE_32, box.height())
            used = draw_text(painter, turned(self, rest), number(count), theme().numbers("ui"), ink)
            at = rest.left() + used + metrics.SPACE_12
        side = metrics.ICON
        icon = QRectF(box.right() - _PAD - side, box.center().y() - side / 2, side, side)
        draw_icon(painter, turned(self, icon), "chevron-down", theme().color("text.secondary"))
        if self.hasFocus():
            focus_ring(painter, place, metrics.RADIUS_8, inside=True)
        painter.end()
