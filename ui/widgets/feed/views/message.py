"""What the agent said: prose on the canvas, pictures below.

Owns its parts; the feed paints the badge.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.rows import Image, MessageRow, Row
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.row_view import RowView
from ui.widgets.text.clean import clean
from ui.widgets.text.images import Pictures
from ui.widgets.text.message import MessageBody
from ui.wording import clean_line

_SPOKEN = 300


class MessageView(RowView):
    """A message of the agent."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = MessageBody(parent=self)
        self._pictures: Pictures | None = None
        self._images: tuple[Image, ...] = ()
        self._heights = (0, 0)
        self.message.resized.connect(self.resized)
        self.message.grows.connect(self.unfolded)
        self.message.link_asked.connect(self._follow)

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show this message."""
        super().show_row(row, ctx)
        assert isinstance(row, MessageRow), "registered for it"
        self.message.body.set_code_ground("bg.surface" if self.stand.depth else "bg.sunken")
        self.message.show_text(row.text, live=row.live)
        self._images = row.images
        if row.images and self._pictures is None:
            self._pictures = Pictures(self)
        if self._pictures is not None:
            self._pictures.show_images(row.images)
            self._pictures.setVisible(bool(row.images))
        self.setAccessibleName(clean_line(row.text, _SPOKEN))

    def height_for(self, width: int) -> int:
        """Prose and pictures."""
        pictures = 0
        if self._images and self._pictures is not None:
            pictures = self._pictures.height_for(min(width, metrics.IMAGE_WIDTH)) + metrics.SPACE_8
        self._heights = (self.message.height_for(width), pictures)
        self._place()
        return max(1, sum(self._heights))

    def rest(self) -> None:
        """Back to the pool."""
        super().rest()
        self.message.rest()

    def first_line(self) -> float:
        """Its middle."""
        return theme().line("prose") / 2

    def text_to_copy(self) -> str:
        """What is selected, else all of it."""
        if self.message.selected_text():
            return self.message.selected_text()
        return clean(self.row.text) if isinstance(self.row, MessageRow) else ""

    def _follow(self, address: str) -> None:
        if self.ctx is not None:
            self.ctx.open_link(address)

    def _place(self) -> None:
        text, pictures = self._heights
        self.message.setGeometry(0, 0, max(1, self.width()), text)
        if self._pictures is not None and pictures:
            top = text + metrics.SPACE_8
            self._pictures.setGeometry(0, top, self.width(), pictures - metrics.SPACE_8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Parts keep their places."""
        super().resizeEvent(event)
        self._place()
