"""What a tool call unfolds: its diffs, its output, its pictures; at most 320 high with a scroll of its own.

Owns the parts and reuses them. Ends with its view.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from ui.theme import metrics
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.viewmodels.rows import ToolRow
from ui.widgets.feed.pictures import Pictures
from ui.widgets.text import DiffView, TerminalView
from ui.wording import tr


class ToolBody(QScrollArea):
    """The parts, one below the other."""

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self._inside = _Inside()
        self._inside.setAutoFillBackground(False)
        self.setWidget(self._inside)
        self.setAccessibleName(tr("What the tool did"))
        self._diffs: list[DiffView] = []
        self._output: TerminalView | None = None
        self._pictures = Pictures(self._inside)

    def show_call(self, row: ToolRow) -> None:
        """Show what this call did."""
        for number, diff in enumerate(row.diffs):
            if number == len(self._diffs):
                view = DiffView(self._inside)
                view.resized.connect(self.resized)
                view.show()
                self._diffs.append(view)
            self._diffs[number].show_diff(diff)
        for view in self._diffs[len(row.diffs) :]:
            view.setParent(None)
            view.deleteLater()
        del self._diffs[len(row.diffs) :]
        text = row.output if row.output.strip() else "" if row.diffs or row.images else self._raw(row)
        if text and self._output is None:
            self._output = TerminalView(self._inside)
            self._output.resized.connect(self.resized)
        if self._output is not None:
            self._output.setVisible(bool(text))
            self._output.show_text(text)
        self._pictures.show_images(row.images)

    @staticmethod
    def _raw(row: ToolRow) -> str:
        return row.target if row.target != row.title else ""

    def height_for(self, width: int) -> int:
        """Of all parts, 320 at most."""
        top = 0
        for view in self._diffs:
            height = view.wanted_height()
            view.setGeometry(1, top + 1, width - 2, height)
            top += height + 2 + metrics.SPACE_8
        if self._output is not None and not self._output.isHidden():
            height = self._output.height_for(width)
            self._output.setGeometry(0, top, width, height)
            top += height + metrics.SPACE_8
        pictures = self._pictures.height_for(width)
        if pictures:
            self._pictures.setGeometry(0, top, width, pictures)
            top += pictures + metrics.SPACE_8
        whole = max(0, top - metrics.SPACE_8)
        self._inside.boxes = [QRectF(0, view.y() - 1, width, view.height() + 2) for view in self._diffs]
        self._inside.resize(width, whole)
        return min(whole, metrics.TOOL_BODY_MOST)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Passes on at its ends."""
        bar = self.verticalScrollBar()
        down = event.angleDelta().y() < 0
        if bar.maximum() == 0 or bar.value() == (bar.maximum() if down else 0):
            event.ignore()
            return
        super().wheelEvent(event)


class _Inside(QWidget):
    """Outlines around the diffs."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: list[QRectF] = []

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        for box in self.boxes:
            rounded(painter, box, metrics.RADIUS_4, theme().color("bg.surface"), theme().color("border.subtle"))
        painter.end()
