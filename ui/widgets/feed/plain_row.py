"""One line for a row that nobody has a view for: what it is can still be read.

Owns nothing beyond its row.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent

from ui.theme import metrics
from ui.theme.painting import draw_text
from ui.theme.theme import theme
from ui.viewmodels.rows import Row
from ui.viewmodels.transcript.finding import text_of
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.row_view import RowView
from ui.wording import clean_line


class PlainRowView(RowView):
    """The row's text in one line."""

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show this row."""
        super().show_row(row, ctx)
        self.setAccessibleName(clean_line(text_of(row)))
        self.update()

    def height_for(self, width: int) -> int:  # noqa: ARG002  # one line
        """One line."""
        return theme().row(metrics.LINE_ROW)

    def first_line(self) -> float:
        """Its middle."""
        return theme().row(metrics.LINE_ROW) / 2

    def text_to_copy(self) -> str:
        """All of it."""
        return text_of(self.row) if self.row is not None else ""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line."""
        painter = QPainter(self)
        draw_text(
            painter, QRectF(self.rect()), self.accessibleName(), theme().font("ui"), theme().color("text.primary")
        )
        painter.end()
