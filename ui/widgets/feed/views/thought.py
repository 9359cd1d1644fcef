"""A thought: one line, folded; unfolded its text in a quiet colour on a rail of its own.

Owns the line and the body.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.painting import draw_text, hairline
from ui.theme.theme import theme
from ui.viewmodels.rows import ThoughtRow
from ui.widgets.feed.lines import LineView, after_sign
from ui.widgets.text.clean import clean
from ui.widgets.text.looks import Look
from ui.widgets.text.markdown import MarkdownBody
from ui.wording import tr

_RAIL = metrics.ICON_RAIL // 2
_TEXT = _RAIL + metrics.SPACE_12


class ThoughtView(LineView):
    """A thought of the agent."""

    def paint_line(self, painter: QPainter, line: QRectF) -> None:
        """Chevron and words."""
        if self.can_open():
            self.paint_chevron(painter, line)
        color = theme().color("text.muted")
        draw_text(painter, after_sign(painter, line), self._words(), theme().numbers("small"), color)

    def spoken(self) -> str:
        """The words."""
        return self._words()

    def can_open(self) -> bool:
        """Whether it says anything."""
        return isinstance(self.row, ThoughtRow) and bool(self.row.text.strip())

    def make_body(self) -> QWidget:
        """Its text."""
        body = ThoughtBody(self)
        body.text.link_asked.connect(self._follow)
        body.text.resized.connect(self.resized)
        return body

    def fill_body(self) -> None:
        """Show the text."""
        body = self.body()
        if isinstance(body, ThoughtBody) and isinstance(self.row, ThoughtRow):
            body.text.show_text(self.row.text, live=self.row.live)

    def body_height(self, width: int) -> int:
        """Height of the text."""
        body = self.body()
        return body.text.height_for(max(1, width - _TEXT)) if isinstance(body, ThoughtBody) else 0

    def rest(self) -> None:
        """Back to the pool."""
        super().rest()
        body = self.body()
        if isinstance(body, ThoughtBody):
            body.text.rest()

    def text_to_copy(self) -> str:
        """The thought."""
        return clean(self.row.text) if isinstance(self.row, ThoughtRow) else ""

    def _words(self) -> str:
        if not isinstance(self.row, ThoughtRow):
            return ""
        if self.row.live:
            return tr("Thinking…")
        if self.row.seconds is None:
            return tr("Thought")
        return tr("Thought for {seconds} s", seconds=str(max(1, self.row.seconds)))

    def _follow(self, address: str) -> None:
        if self.ctx is not None:
            self.ctx.open_link(address)


class ThoughtBody(QWidget):
    """Text beside a 1 px line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = MarkdownBody(Look("ui", "text.secondary"), parent=self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The text fills it."""
        super().resizeEvent(event)
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        rise = self.text.rise()
        self.text.setGeometry(0 if rtl else _TEXT, -rise, max(1, self.width() - _TEXT), self.height() + rise)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line."""
        painter = QPainter(self)
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = self.width() - _RAIL if rtl else _RAIL
        hairline(painter, x, 0, x, self.height(), theme().color("border.default"))
        painter.end()
