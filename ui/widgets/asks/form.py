"""The base of the forms of an ask: where its text stands, the lock while an answer is under way, the problem after it.

Owns what all kinds share; the desk has the state. A form never answers by itself.
"""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.paragraph import paragraph_height
from ui.viewmodels.ask_desk import AskDesk
from ui.viewmodels.asks import Ask
from ui.widgets.controls import Label
from ui.widgets.mirror import put
from ui.wording import clean_line

_OUTLINE = 1
"""A part of a card lies inside its outline."""


class AskForm(QWidget):
    """`framed`: it stands alone; else it is a part of a card, where all text starts on one line."""

    resized = Signal()

    def __init__(self, ask: Ask, desk: AskDesk, who: str, framed: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.ask, self.desk, self.who, self.framed = ask, desk, who, framed
        self.problem = Label("", "small", "failed.text", wrap=True, parent=self)
        self.problem.hide()

    @property
    def left(self) -> int:
        """Where text starts."""
        return metrics.SPACE_16 if self.framed else metrics.CARD_TEXT - _OUTLINE

    @property
    def right_pad(self) -> int:
        """What stays free behind it."""
        return metrics.SPACE_16 if self.framed else metrics.ASK_PAD_RIGHT

    def inner(self, width: int) -> int:
        """Room for text at a width."""
        return max(metrics.SPACE_32, width - self.left - self.right_pad)

    # ---- for kinds of asks

    def press(self, _digit: int) -> bool:
        """Choose by number, from 1; whether there is such an option."""
        return False

    def go_on(self) -> bool:
        """Enter."""
        return False

    def height_for(self, _width: int) -> int:
        """Height at a width; the parts are placed."""
        return 0

    def refresh(self) -> None:
        """The desk knows more, or an answer is under way."""
        sending, problem = self.desk.is_sending(self.ask.request_id), self.desk.problem(self.ask.request_id)
        self.setEnabled(not sending)
        self.problem.setText(clean_line(problem, 400))
        self.problem.setVisible(bool(problem))

    # ---- for them

    def place_problem(self, top: int, width: int) -> int:
        """Under everything; where that ends."""
        if self.problem.isHidden():
            return top
        tall = paragraph_height(self.problem.text(), "small", self.inner(width))
        put(self.problem, self.left, top + metrics.SPACE_8, self.inner(width), tall)
        return top + metrics.SPACE_8 + tall
