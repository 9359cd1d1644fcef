"""What the agent said: prose on the canvas, pictures below, and what of a long text is left out.

Owns the body; the feed paints the badge.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.rows import Image, MessageRow, Row
from ui.widgets.controls import Button
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.row_view import RowView
from ui.widgets.text.clean import clean
from ui.widgets.text.images import Pictures
from ui.widgets.text.markdown import CLAMP, MarkdownBody
from ui.wording import clean_line, number, tr

_SPOKEN = 300


class MessageView(RowView):
    """A message of the agent."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = MarkdownBody(parent=self)
        self._more: Button | None = None
        self._pictures: Pictures | None = None
        self._images: tuple[Image, ...] = ()
        self._heights = (0, 0, 0)
        self.body.resized.connect(self.resized)
        self.body.link_asked.connect(self._follow)

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show this message."""
        super().show_row(row, ctx)
        assert isinstance(row, MessageRow), "registered for it"
        self.body.show_text(row.text, live=row.live)
        self._show_images(row.images)
        self._show_more_button()
        self.setAccessibleName(clean_line(row.text, _SPOKEN))

    def height_for(self, width: int) -> int:
        """Prose, what is left out, pictures."""
        text = self.body.height_for(width)
        more = self._more.sizeHint().height() + metrics.SPACE_8 if self._more is not None and self.body.left_out else 0
        pictures = 0
        if self._images and self._pictures is not None:
            pictures = self._pictures.height_for(min(width, metrics.IMAGE_WIDTH)) + metrics.SPACE_8
        self._heights = (text, more, pictures)
        self._place()
        return max(1, text + more + pictures)

    def rest(self) -> None:
        """Back to the pool."""
        super().rest()
        self.body.rest()

    def first_line(self) -> float:
        """Its middle."""
        return theme().line("prose") / 2

    def text_to_copy(self) -> str:
        """What is selected, else all of it."""
        if self.body.selected_text():
            return self.body.selected_text()
        return clean(self.row.text) if isinstance(self.row, MessageRow) else ""

    def take_key(self, event: QKeyEvent) -> bool:  # noqa: ARG002, PLR6301  # a message has no keys of its own
        """None."""
        return False

    def _show_images(self, images: tuple[Image, ...]) -> None:
        self._images = images
        if images and self._pictures is None:
            self._pictures = Pictures(self)
        if self._pictures is not None:
            self._pictures.show_images(images)
            self._pictures.setVisible(bool(images))

    def _show_more_button(self) -> None:
        left = self.body.left_out
        if left and self._more is None:
            self._more = Button("", "ghost", icon="chevron-down", small=True, parent=self)
            self._more.clicked.connect(self._show_more)
        if self._more is not None:
            words = tr("Show all") if left <= CLAMP else tr("Show more ({left} characters left)", left=number(left))
            self._more.setText(words)
            self._more.setVisible(bool(left))

    def _show_more(self) -> None:
        self.unfolded.emit()
        self.body.show_more()
        self._show_more_button()

    def _follow(self, address: str) -> None:
        if self.ctx is not None:
            self.ctx.open_link(address)

    def _place(self) -> None:
        text, more, pictures = self._heights
        self.body.setGeometry(0, -self.body.rise(), max(1, self.width()), text + self.body.rise())
        if self._more is not None and more:
            size = self._more.sizeHint()
            rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            self._more.setGeometry(self.width() - size.width() if rtl else 0, text + 4, size.width(), size.height())
        if self._pictures is not None and pictures:
            top = text + more + metrics.SPACE_8
            self._pictures.setGeometry(0, top, self.width(), pictures - metrics.SPACE_8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Parts keep their places."""
        super().resizeEvent(event)
        self._place()
