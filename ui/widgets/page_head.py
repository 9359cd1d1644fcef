"""The header of a page: title, a muted summary, controls at the trailing end (design 6).

Owns the row and the line under it. Ends with its page.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.painting import hairline
from ui.theme.theme import theme
from ui.widgets.controls import Label


class PageHead(QWidget):
    """56 high. Put controls into `trailing`."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = Label(title, "title")
        self.summary = Label("", "ui", "text.muted", elide=True)
        self.trailing = QHBoxLayout()
        self.trailing.setSpacing(metrics.SPACE_12)
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.SPACE_24, 0, metrics.SPACE_24, 0)
        row.setSpacing(metrics.SPACE_12)
        row.addWidget(self.title)
        row.addWidget(self.summary, 1)
        row.addLayout(self.trailing)
        self.setAccessibleName(title)
        self._retheme()
        theme().changed.connect(self._retheme)

    def say(self, summary: str) -> None:
        """The summary; a change of it is for the eye only, its facts stand in the page."""
        self.summary.setText(summary)

    def _retheme(self) -> None:
        self.setFixedHeight(theme().row(metrics.PAGE_HEADER, "title"))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The canvas and the line below."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        hairline(painter, 0, self.height(), self.width(), self.height(), theme().color("border.subtle"))
        painter.end()
