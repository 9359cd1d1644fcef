"""Output of a command: mono text, the last 200 lines, the rest on request.

Owns the text. Ends with its row.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.widgets.controls import Button
from ui.widgets.text.clean import broken, clean
from ui.widgets.text.code import PlainText
from ui.wording import tr

MOST = 256 * 1024


class TerminalView(QWidget):
    """The box. `resized`: all was asked for."""

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._all = "", False
        self.body = PlainText("code", self)
        self.body.setAccessibleName(tr("Output"))
        self.more = Button("", "link", small=True, parent=self)
        self.more.hide()
        self.more.clicked.connect(self._show_all)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    def show_text(self, text: str) -> None:
        """Show this output."""
        if text != self._text:
            self._text = text
            self._lay()

    def _lay(self) -> None:
        most = MOST if self._all else 64 * 1024
        lines = broken(clean(self._text[-most:])).rstrip("\n").split("\n")
        hidden = 0 if self._all else max(0, len(lines) - metrics.TERMINAL_LINES)
        self.body.setPlainText("\n".join(lines[hidden:]))
        self.more.setVisible(bool(hidden))
        self.more.setText(tr("Open all, %n more lines", n=hidden))
        self.updateGeometry()

    def _show_all(self) -> None:
        self._all = True
        self._lay()
        self.resized.emit()

    def height_for(self, width: int) -> int:
        """Padding, lines, and the way to the rest."""
        more = metrics.BUTTON_SMALL if not self.more.isHidden() else 0
        inner = width - 2 * metrics.MESSAGE_PAD_H
        return self.body.wanted_height(inner) + 2 * metrics.MESSAGE_PAD_V + more

    def sizeHint(self) -> QSize:
        """By its width."""
        return QSize(400, self.height_for(max(80, self.width())))

    def resizeEvent(self, _event: object) -> None:
        """The way to the rest stands first."""
        pad, more = metrics.MESSAGE_PAD_H, metrics.BUTTON_SMALL if not self.more.isHidden() else 0
        top = metrics.MESSAGE_PAD_V
        self.more.setGeometry(pad, top, self.width() - 2 * pad, more)
        self.body.setGeometry(pad, top + more, self.width() - 2 * pad, self.height() - 2 * top - more)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A sunken box."""
        painter = QPainter(self)
        rounded(
            painter, QRectF(self.rect()), metrics.RADIUS_8, theme().color("bg.sunken"), theme().color("border.subtle")
        )
        painter.end()
