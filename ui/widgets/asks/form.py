"""The base of the forms of an ask: where text begins, the note and the problem below it.

Owns what they share. Never sends anything: it says what the person chose.
"""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.asks import Ask, AskDetail
from ui.widgets.controls import Label


class AskForm(QWidget):
    """`option_chosen(id, note)`, `picked(tuple of Picked)`, `declined`."""

    resized = Signal()
    option_chosen = Signal(str, str)
    picked = Signal(object)
    declined = Signal()
    on_surface = False
    """The body stands on the surface colour instead of the tint."""

    def __init__(self, ask: Ask, framed: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.ask, self.framed = ask, framed
        self.problem = Label("", "small", "failed.text", wrap=True, parent=self)
        self.problem.hide()

    @property
    def left(self) -> int:
        """Text inside a card begins where all its text does."""
        return metrics.SPACE_16 if self.framed else metrics.CARD_TEXT - 1

    def show_detail(self, detail: AskDetail) -> None:
        """What the permission is about has come."""

    def lock(self, is_locked: bool) -> None:
        """While an answer is under way no second one can be given."""
        self.setEnabled(not is_locked)

    def show_problem(self, sentence: str) -> None:
        """Why an answer was not taken."""
        self.problem.setText(sentence)
        self.problem.show()

    def press(self, _digit: int) -> bool:
        """Choose by number."""
        return False

    def go_on(self) -> None:
        """Enter."""

    def height_for(self, _width: int) -> int:
        """Place the parts; the height."""
        return 0

    def place_problem(self, top: int, width: int) -> int:
        """Below everything."""
        if self.problem.isHidden():
            return top
        line = theme().line("small") * 2
        self.problem.setGeometry(self.left, top + 4, width, line)
        return top + line + 4


class Flow:
    """Places buttons in rows, 8 apart."""

    def __init__(self, left: int, top: int, width: int, height: int) -> None:
        self._left, self._right, self._height = left, left + width, height
        self._x, self._y = left, top
        self.bottom = top

    def put(self, part: QWidget) -> None:
        """One more."""
        wide = min(part.sizeHint().width(), self._right - self._left)
        if self._x > self._left and self._x + wide > self._right:
            self._x, self._y = self._left, self._y + self._height + metrics.SPACE_8
        part.setGeometry(self._x, self._y, wide, self._height)
        self._x += wide + metrics.SPACE_8
        self.bottom = self._y + self._height
