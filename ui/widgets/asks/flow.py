"""Buttons side by side that go on in the next line where there is no room, and a scroll that passes the wheel on."""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from ui.theme.metrics import SPACE_8
from ui.widgets.mirror import put


class Flow:
    """Places parts 8 apart, from the leading edge. `bottom`: where they end."""

    def __init__(self, left: int, top: int, width: int, height: int) -> None:
        self._left, self._right, self._height = left, left + width, height
        self._at, self._top = left, top
        self.bottom = top

    def put(self, part: QWidget) -> None:
        """One more."""
        wide = min(part.sizeHint().width(), self._right - self._left)
        if self._at > self._left and self._at + wide > self._right:
            self._at, self._top = self._left, self._top + self._height + SPACE_8
        put(part, self._at, self._top, wide, self._height)
        self._at += wide + SPACE_8
        self.bottom = self._top + self._height


class Scroll(QScrollArea):
    """A window on one widget. At its ends the wheel scrolls what is around it."""

    def __init__(self, inside: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setWidget(inside)
        inside.setAutoFillBackground(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Passed on at the ends."""
        bar, step = self.verticalScrollBar(), event.angleDelta().y() or event.pixelDelta().y()
        if bar.value() == (bar.minimum() if step > 0 else bar.maximum()):
            event.ignore()
            return
        super().wheelEvent(event)
