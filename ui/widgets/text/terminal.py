"""What a command printed: its last 200 lines, more on demand, without escape sequences.

Owns the sheet and the button above it. Only what is shown is cut out of the text and cleaned.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.theme import theme
from ui.widgets.controls import Button
from ui.widgets.text.clean import clean_terminal
from ui.widgets.text.sheet import LINE_MOST, LineSheet, cut_lines
from ui.wording import tr

STEP = 5_000
"""Lines that are added at once."""


class TerminalView(QWidget):
    """Output. `resized`: it is higher now."""

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._most = metrics.TERMINAL_LINES
        self._left = 0
        self._lines: list[str] = []
        self.sheet = LineSheet("code", (metrics.MESSAGE_PAD_V, metrics.MESSAGE_PAD_H), self)
        self.sheet.setAccessibleName(tr("Output"))
        self.open_all = Button("", "ghost", icon="chevron-up", small=True, parent=self)
        self.open_all.clicked.connect(self.show_more)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def show_text(self, text: str) -> None:
        """Show this output."""
        if text == self._text:
            return
        if not text.startswith(self._text[:200]):
            self._most = metrics.TERMINAL_LINES
        self._text = text
        self._fill()

    def show_more(self) -> None:
        """More lines before those that are shown."""
        self._most += STEP
        self._fill()
        self.resized.emit()

    @property
    def left_out(self) -> int:
        """Lines before the first one shown."""
        return self._left

    def text(self) -> str:
        """What is shown."""
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The lines shown."""
        return list(self._lines)

    def height_for(self, width: int) -> int:  # noqa: ARG002  # lines do not wrap
        """Lines and the button."""
        return self._head() + self.sheet.sizeHint().height()

    def sizeHint(self) -> QSize:
        """All lines shown."""
        return QSize(self.sheet.sizeHint().width(), self.height_for(0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The button, then the lines."""
        super().resizeEvent(event)
        self._place()

    def _fill(self) -> None:
        text = self._text.rstrip()
        tail = text.rsplit("\n", self._most)
        if len(tail) > self._most:
            self._left = tail[0].count("\n") + 1
            tail = tail[1:]
        else:
            self._left = 0
        room = self._most * LINE_MOST
        kept = "\n".join(tail)
        if len(kept) > room:  # one line of many megabytes: its end
            kept = kept[-room:]
        self._lines = cut_lines(clean_terminal(kept).split("\n"), 10 * self._most)[-self._most :]
        self.sheet.show_lines(self._lines)
        self.open_all.setVisible(self._left > 0)
        whole = self._left <= STEP
        self.open_all.setText(tr("Open all") if whole else tr("Show %n earlier lines", n=STEP))
        self.updateGeometry()
        self._place()

    def _head(self) -> int:
        return self.open_all.sizeHint().height() + metrics.SPACE_4 if self._left else 0

    def _place(self) -> None:
        size, head = self.open_all.sizeHint(), self._head()
        self.open_all.setGeometry(metrics.SPACE_4, 2, min(size.width(), max(1, self.width())), size.height())
        self.sheet.setGeometry(0, head, self.width(), self.sheet.sizeHint().height())
