"""A line of the host's in a transcript: an icon and a sentence, neutral unless it is an error.

Owns painting. Nothing of it is amber: a notice asks nobody to act.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme.metrics import SPACE_4
from ui.theme.paragraph import draw_paragraph, paragraph_height
from ui.theme.theme import theme
from ui.viewmodels.rows import NoticeRow, Row
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.geometry import INLINE_TEXT
from ui.widgets.feed.lines import paint_sign
from ui.widgets.feed.row_view import RowView
from ui.widgets.text.clean import clean

_LINES = 30
_TEXT_MOST = 8_000


class NoticeView(RowView):
    """An icon and a sentence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        theme().changed.connect(self.update)

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show this notice."""
        super().show_row(row, ctx)
        assert isinstance(row, NoticeRow), "registered for it"
        self._text = clean(row.text[:_TEXT_MOST]).strip()
        self.setAccessibleName(self._text)
        self.update()

    def height_for(self, width: int) -> int:
        """Its lines."""
        body = paragraph_height(self._text or " ", "ui", max(1, width - INLINE_TEXT), most=_LINES)
        return body + 2 * SPACE_4

    def first_line(self) -> float:
        """Middle of the first one."""
        return SPACE_4 + theme().line("ui") / 2

    def text_to_copy(self) -> str:
        """The sentence."""
        return self._text

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Icon and text."""
        painter = QPainter(self)
        error = isinstance(self.row, NoticeRow) and self.row.severity == "error"
        line = QRectF(0, SPACE_4, self.width(), theme().line("ui"))
        paint_sign(painter, line, "circle-x" if error else "info", "failed.mark" if error else "text.muted")
        rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        body = QRectF(0 if rtl else INLINE_TEXT, SPACE_4, self.width() - INLINE_TEXT, self.height())
        ink = theme().color("failed.text" if error else "text.secondary")
        draw_paragraph(painter, body, self._text, "ui", ink, most=_LINES)
        painter.end()
