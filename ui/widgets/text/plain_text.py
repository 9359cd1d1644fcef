"""Text in one font that can be selected and scrolled, nothing else: a command in an ask, for one.

Owns fonts and colours. The text must be cleaned by its owner; it is never rich.
"""

from PySide6.QtGui import QPalette, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from ui.theme.theme import theme


class PlainText(QPlainTextEdit):
    """Lines that do not wrap; what is too wide scrolls."""

    def __init__(self, role: str = "code", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self._retheme()
        theme().changed.connect(self._retheme)

    def _retheme(self) -> None:
        self.setFont(theme().font(self._role))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Text, theme().color("text.primary"))
        palette.setColor(QPalette.ColorRole.Highlight, theme().color("bg.selected"))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme().color("text.primary"))
        self.setPalette(palette)
