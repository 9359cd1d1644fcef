"""The base of every view of a row: placed and pooled by the feed.

Owns what all share: geometry, the badge in the gutter, the inner ring of the current row, the outline after a jump.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, letters_of
from ui.theme.painting import focus_ring, hairline
from ui.theme.theme import theme
from ui.viewmodels.rows import Row
from ui.viewmodels.transcript.finding import text_of
from ui.widgets.feed.context import FeedContext, Geometry, geometry_of
from ui.wording import clean_line


class RowView(QWidget):
    """`resized`: the height may have changed by itself (unfolded, loaded)."""

    resized = Signal()
    rail = False
    """The transcript's vertical line runs through this view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row: Row | None = None
        self.context: FeedContext | None = None
        self.current = self.jumped = self.found = False
        theme().changed.connect(self.update)

    # ---- what the feed asks

    def show_row(self, row: Row, context: FeedContext) -> None:
        """Show this row; called again whenever it changes."""
        self.row, self.context = row, context
        self.setAccessibleName(clean_line(text_of(row), 400))
        self.fill()
        self.update()

    def fill(self) -> None:
        """Put what `row` says into the parts."""

    def height_for(self, width: int) -> int:
        """Height at this width of the feed, placing the parts."""
        return self.place(self.geometry_at(width))

    def place(self, _at: Geometry) -> int:
        """Place the parts; the height."""
        return metrics.LINE_ROW

    def rest(self) -> None:
        """Back to the pool: let go of what it showed."""
        self.row = self.context = None
        self.current = self.jumped = self.found = False

    def toggle(self) -> bool:
        """Unfold or fold, where the row can; whether it could."""
        return False

    def fold(self, is_open: bool) -> bool:
        """Unfold (True) or fold; whether that changed something."""
        return False if self.is_open() == is_open else self.toggle()

    def is_open(self) -> bool:
        """Whether it is unfolded."""
        return bool(self.context and self.row and self.context.view.is_open(self.context.session_id, self.row.key))

    def copy_text(self) -> str:
        """What C copies."""
        return text_of(self.row) if self.row is not None else ""

    def act(self, _key: str) -> bool:
        """A single letter while it is the current row (S, X, R, O, T); whether it did something."""
        return False

    # ---- for views

    def set_open(self, is_open: bool) -> None:
        """Remember the folding and say that the height changed."""
        if self.context is not None and self.row is not None:
            self.context.view.set_open(self.context.session_id, self.row.key, is_open)
            self.fill()
            self.resized.emit()
            self.update()

    def geometry_at(self, width: int) -> Geometry:
        """Where things lie."""
        return geometry_of(width, self.context.depth if self.context is not None else 0)

    @property
    def lies(self) -> Geometry:
        """Where things lie now."""
        return self.geometry_at(self.width())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Rail, badge, content, rings."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.rail or (self.context is not None and self.context.depth):
            line = theme().color("border.default")
            hairline(painter, self.lies.rail, 0, self.lies.rail, self.height(), line)
        if self.row is not None and getattr(self.row, "first", False):
            self._paint_badge(painter)
        self.paint(painter)
        box = QRectF(self.lies.left - 4, 1, self.lies.width + 8, self.height() - 2)
        if self.current or self.jumped:
            focus_ring(painter, box, metrics.RADIUS_8, inside=True)
        painter.end()

    def paint(self, _painter: QPainter) -> None:
        """What the view itself paints."""

    def _paint_badge(self, painter: QPainter) -> None:
        at, context = self.lies, self.context
        if at.badge is None or context is None:
            return
        slug = context.world.agent_of(context.session_id)
        letters = letters_of(slug, context.world.label_of(slug))
        size = metrics.BADGE_MESSAGE
        draw_agent_badge(painter, QRectF(at.badge, self.badge_top(), size, size), letters)

    def badge_top(self) -> float:
        """Where the gutter's badge stands."""
        return 0.0
