"""Rows that are one line and may unfold: the common part of tool calls, groups, thoughts, polls.

Owns the head line's height, hover, chevron and click, what is unfolded (kept by the view state), and the body below.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QEnterEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.viewmodels.rows import Row
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.geometry import INLINE_TEXT
from ui.widgets.feed.row_view import RowView

BODY_GAP = metrics.SPACE_4


class LineView(RowView):
    """A head line and a body that is made when it is first unfolded."""

    high = metrics.LINE_ROW
    role = "ui"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._body: QWidget | None = None
        self._under = False
        self._wide = 1
        self.setMouseTracking(True)
        theme().changed.connect(self.update)

    # ---- for kinds of lines

    def paint_line(self, painter: QPainter, line: QRectF) -> None:
        """The head line."""

    def make_body(self) -> QWidget:
        """What shows below when unfolded."""
        raise NotImplementedError

    def fill_body(self) -> None:
        """Give the body its content: it was made, or the row changed."""

    def body_height(self, width: int) -> int:  # noqa: ARG002  # for kinds of lines
        """Height of the body at a width."""
        return 0

    def body_left(self) -> int:  # for kinds of lines
        """Where the body starts."""
        return 0

    # ---- the promise of a row

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show this row, unfolded as it was left."""
        super().show_row(row, ctx)
        self.setAccessibleName(self.spoken())
        self.setCursor(Qt.CursorShape.PointingHandCursor if self.can_open() else Qt.CursorShape.ArrowCursor)
        self._settle_body()
        self.update()

    def spoken(self) -> str:
        """Its accessible name."""
        return ""

    def rest(self) -> None:
        """Back to the pool."""
        super().rest()
        self._under = False
        if self._body is not None:
            self._body.hide()

    def head_height(self) -> int:
        """Height of the head line."""
        return theme().row(self.high, self.role)

    def first_line(self) -> float:
        """Its middle."""
        return self.head_height() / 2

    def height_for(self, width: int) -> int:
        """Head and body."""
        self._wide = width
        if self._body is None or not self.is_open():
            return self.head_height()
        inner = max(1, width - self.body_left())
        return self.head_height() + self.body_height(inner) + BODY_GAP

    def is_open(self) -> bool:
        """As the person left it."""
        if self.row is None or self.ctx is None or not self.can_open():
            return False
        return self.ctx.view.is_open(self.ctx.session_id, self.row.key)

    def set_open(self, is_open: bool) -> None:
        """Unfold or fold, and remember it."""
        if self.row is None or self.ctx is None or not self.can_open() or is_open == self.is_open():
            return
        self.ctx.view.set_open(self.ctx.session_id, self.row.key, is_open)
        self.unfolded.emit()
        self._settle_body()
        self.setAccessibleName(self.spoken())
        self.update()
        self.resized.emit()

    def body(self) -> QWidget | None:
        """What is below, once it was made."""
        return self._body

    def _settle_body(self) -> None:
        if not self.is_open():
            if self._body is not None:
                self._body.hide()
            return
        if self._body is None:
            self._body = self.make_body()
        self.fill_body()
        self._body.show()
        self._place_body()

    def _place_body(self) -> None:
        if self._body is not None and self.is_open():
            left, top = self.body_left(), self.head_height()
            self._body.setGeometry(left, top, max(1, self.width() - left), max(0, self.height() - top - BODY_GAP))

    # ---- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The head line, tinted under the pointer."""
        painter = QPainter(self)
        line = QRectF(0, 0, self.width(), self.head_height())
        if self._under and self.can_open():
            rounded(painter, line.adjusted(-1, 1, 1, -1), metrics.RADIUS_6, theme().color("bg.hover"))
        self.paint_line(painter, line)
        painter.end()

    def paint_chevron(self, painter: QPainter, line: QRectF) -> None:
        """The sign that it unfolds."""
        name = "chevron-down" if self.is_open() else "chevron-right"
        paint_sign(painter, line, name, "text.secondary")

    # ---- hands

    def resizeEvent(self, event: QEvent) -> None:
        """The body lies below."""
        self._place_body()
        del event

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the head unfolds."""
        if event.button() == Qt.MouseButton.LeftButton and self._on_head(event.position()):
            self.activate()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Only the head line is tinted."""
        self._hover(self._on_head(event.position()))

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer came."""
        self._hover(self._on_head(event.position()))

    def leaveEvent(self, _event: QEvent) -> None:
        """The pointer went."""
        self._hover(False)

    def _on_head(self, at: QPointF) -> bool:
        return 0 <= at.y() < self.head_height() and 0 <= at.x() <= self.width()

    def _hover(self, under: bool) -> None:
        if under != self._under:
            self._under = under
            self.update()


def paint_sign(painter: QPainter, line: QRectF, name: str, token: str) -> None:
    """An icon at the start of a line."""
    side = metrics.ICON_RAIL
    left = line.left()
    if painter.layoutDirection() == Qt.LayoutDirection.RightToLeft:
        left = line.right() - side
    draw_icon(painter, QRectF(left, line.center().y() - side / 2, side, side), name, theme().color(token))


def after_sign(painter: QPainter, line: QRectF) -> QRectF:
    """The rest of the line behind the icon."""
    if painter.layoutDirection() == Qt.LayoutDirection.RightToLeft:
        return line.adjusted(0, 0, -INLINE_TEXT, 0)
    return line.adjusted(INLINE_TEXT, 0, 0, 0)
