"""The ring around the current row, or around one that was jumped to, laid over the rows of a feed.

Owns its place and, for a jump, the time that it is held. Never takes a click.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.painting import focus_ring
from ui.theme.theme import theme

_OUT = metrics.SPACE_4


class Ring(QWidget):
    """Inside the row's edge for the current row; a little outside for a jump."""

    released = Signal()
    """The jump is over."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.key = ""
        self._row: QRect | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._end = QTimer(self)
        self._end.setSingleShot(True)
        self._end.setInterval(metrics.JUMP_HOLD_MS)
        self._end.timeout.connect(self._let_go)
        theme().changed.connect(self.update)
        self.hide()

    def hold(self, key: str) -> None:
        """Mark this row for 1.2 s."""
        self.key = key
        self._end.start()

    def put(self, row: QRect | None) -> None:
        """Lie around a row; None = nowhere."""
        self._row = row
        if row is None:
            self.hide()
            return
        self.setGeometry(row.adjusted(-_OUT, -_OUT, _OUT, _OUT))
        self.show()
        self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ring."""
        painter = QPainter(self)
        focus_ring(painter, QRectF(self.rect()), metrics.RADIUS_8, inside=True)
        painter.end()

    def _let_go(self) -> None:
        self.key = ""
        self.released.emit()
