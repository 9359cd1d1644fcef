"""The bar that finds text in one conversation (design 7.2).

Owns the field and where the search stands; the transcript searches, the feed shows. Ends with its page.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.painting import hairline
from ui.theme.theme import theme
from ui.widgets.controls import IconButton, Label, SearchField
from ui.wording import tr


class FindBar(QWidget):
    """Field, count, up, down, close."""

    searched = Signal(str)
    stepped = Signal(int)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(metrics.FIND_BAR)
        self.field = SearchField(tr("Find in this conversation"))
        self.field.setFixedWidth(240)
        self.count = Label("", "small", "text.muted")
        self.up = IconButton("chevron-up", tr("Previous"), "Shift+Enter", small=True)
        self.down = IconButton("chevron-down", tr("Next"), "Enter", small=True)
        self.close_button = IconButton("x", tr("Close"), "Esc", small=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 12, 1)
        row.setSpacing(8)
        row.addWidget(self.field)
        row.addWidget(self.count)
        row.addStretch(1)
        for button in (self.up, self.down, self.close_button):
            row.addWidget(button)
        self.field.textChanged.connect(self.searched)
        self.up.clicked.connect(lambda: self.stepped.emit(-1))
        self.down.clicked.connect(lambda: self.stepped.emit(1))
        self.close_button.clicked.connect(self.closed)
        self.hide()

    def open(self) -> None:
        """Show it and take the focus."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_count(self, at: int, total: int) -> None:
        """`at` from 0; a total of 0 with a text says that there is nothing."""
        if not self.field.text():
            self.count.setText("")
        elif total:
            self.count.setText(tr("{at} of {total}", at=str(at + 1), total=str(total)))
        else:
            self.count.setText(tr("Not found"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter walks, Esc closes."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground and the line below."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        hairline(painter, 0, self.height(), self.width(), self.height(), theme().color("border.subtle"))
        painter.end()
