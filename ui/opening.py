"""The window that stands there at once, until the real one is built (budget: twice a bare Qt program).

Owns a few flat areas where the sidebar, the conversation and the status bar will be, and after a moment one line that
says what happens. Knows nothing of the host. Ends when the main window is shown.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.theme import theme

QUIET_MS = 200
"""A start that is quicker says nothing."""


class OpeningWindow(QWidget):
    """`painted`: once, when it has been on the screen; `close_asked`: the person does not want to wait."""

    painted = Signal()
    close_asked = Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(metrics.WINDOW_LEAST_WIDTH, metrics.WINDOW_LEAST_HEIGHT)
        self.resize(first_size())
        self._line = ""
        self._said = False
        self._told = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(QUIET_MS)
        self._soon.timeout.connect(self._say)

    def say(self, line: str) -> None:
        """One line of what happens, shown when it takes longer than a moment."""
        self._line = line
        self.setAccessibleDescription(line)
        self._soon.start()

    def _say(self) -> None:
        self._said = True
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The areas, and the line."""
        painter = QPainter(self)
        look, box = theme(), self.rect()
        painter.fillRect(box, look.color("bg.canvas"))
        side = QRect(0, 0, metrics.SIDEBAR if box.width() >= metrics.NARROW else metrics.SIDEBAR_STRIP, box.height())
        foot = QRect(0, box.height() - metrics.STATUS_BAR, box.width(), metrics.STATUS_BAR)
        for area in (side, foot):
            painter.fillRect(area, look.color("bg.sidebar"))
        line = look.color("border.subtle")
        painter.fillRect(QRect(side.right(), 0, 1, foot.top()), line)
        painter.fillRect(QRect(0, foot.top(), box.width(), 1), line)
        if self._said:
            painter.setFont(look.font("ui"))
            painter.setPen(look.color("text.muted"))
            room = box.adjusted(side.width(), 0, 0, -foot.height())
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, self._line)
        painter.end()
        if not self._told:
            self._told = True
            QTimer.singleShot(0, self, self.painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing it is giving up the start."""
        event.ignore()
        self.close_asked.emit()

    def changeEvent(self, event: QEvent) -> None:
        """A minimised window is never painted; the start goes on all the same."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.WindowStateChange and self.isMinimized() and not self._told:
            self._told = True
            QTimer.singleShot(0, self, self.painted.emit)


def first_size() -> QSize:
    """Of a window whose size is not remembered."""
    room = QGuiApplication.primaryScreen().availableGeometry().size()
    return QSize(min(1440, room.width()), min(900, room.height()))
