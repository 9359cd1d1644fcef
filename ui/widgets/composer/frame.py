"""The composer's box: its outline thickens while the text has the focus, and what is dropped on it is taken.

Owns the look of the box and its layout: text, attached images, a sentence, the foot. Ends with the composer.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.widgets.composer.editor import Editor
from ui.widgets.controls import Label


class Frame(QFrame):
    """`foot` is the row of buttons, `above` what stands over the text."""

    def __init__(self, editor: Editor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editor = editor
        self._focused = False
        self.problem = Label("", "small", "failed.text", wrap=True)
        self.problem.hide()
        self.above = QVBoxLayout()
        self.above.setContentsMargins(0, 0, 0, 0)
        self.foot = QHBoxLayout()
        self.foot.setContentsMargins(0, 0, 0, 0)
        self.foot.setSpacing(metrics.SPACE_4)
        self._arrange()
        self.setAcceptDrops(True)
        editor.focus_changed.connect(self._focus)
        theme().changed.connect(self.update)

    def _arrange(self) -> None:
        side = metrics.COMPOSER_PAD_SIDE
        column = QVBoxLayout(self)
        column.setContentsMargins(1, metrics.COMPOSER_PAD_TOP + 1, 1, metrics.COMPOSER_FOOT_PAD + 1)
        column.setSpacing(metrics.COMPOSER_PAD_BOTTOM)
        text = QVBoxLayout()
        text.setContentsMargins(side, 0, side, 0)
        text.setSpacing(metrics.SPACE_4)
        text.addLayout(self.above)
        text.addWidget(self.editor)
        text.addWidget(self.problem)
        foot = QVBoxLayout()
        pad = metrics.COMPOSER_FOOT_PAD
        foot.setContentsMargins(pad, pad, pad, 0)
        foot.addLayout(self.foot)
        column.addLayout(text)
        column.addLayout(foot)

    def say(self, sentence: str) -> None:
        """One sentence under the text; "" takes it away."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Surface and outline."""
        painter = QPainter(self)
        box = QRectF(self.rect())
        if not self._focused:
            rounded(painter, box, metrics.RADIUS_10, theme().color("bg.surface"), theme().color("border.control"))
            painter.end()
            return
        pen: QPen = theme().focus_pen()
        half = pen.widthF() / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen)
        painter.setBrush(theme().color("bg.surface"))
        painter.drawRoundedRect(
            box.adjusted(half, half, -half, -half), metrics.RADIUS_10 - half, metrics.RADIUS_10 - half
        )
        painter.end()

    def _focus(self, focused: bool) -> None:
        self._focused = focused
        self.update()

    def focus_text(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """A press beside the text is meant for it."""
        self.editor.setFocus(reason)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """What the text takes is taken here too."""
        if (
            self.editor.isEnabled()
            and not self.editor.isReadOnly()
            and self.editor.canInsertFromMimeData(event.mimeData())
        ):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """It falls into the text."""
        self.editor.insertFromMimeData(event.mimeData())
        event.acceptProposedAction()

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        """A press beside the text is meant for it."""
        self.focus_text(Qt.FocusReason.MouseFocusReason)
