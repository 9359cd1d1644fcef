"""One line in the composer's place while nothing can be said: which agent lacks what, and what helps (design 7.8).

Owns the line; its button is told by `acted`.
"""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.viewmodels.composing import Lack
from ui.widgets.controls import MessageBar
from ui.wording import tr


class LackLine(QWidget):
    """`acted`: settings or check."""

    acted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lack: Lack = ""
        self._checking = False
        self.bar = MessageBar("")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.bar)
        self.bar.acted.connect(self._act)
        self.hide()

    @property
    def lack(self) -> Lack:
        """What is missing."""
        return self._lack

    def show_lack(self, lack: Lack, name: str) -> None:
        """Say it, or go."""
        if lack != self._lack:
            self._checking = False
        self._lack = lack
        self.setVisible(bool(lack))
        if lack:
            text, button = _words(lack, name)
            self.bar.show_text(text, action=tr("Looking…") if self._checking else button)
            self.bar.action.setEnabled(not self._checking)

    def show_checking(self, checking: bool) -> None:
        """The agent is being started to find out."""
        self._checking = checking

    def _act(self) -> None:
        self.acted.emit("check" if self._lack == "signed_out" else "settings")


def _words(lack: Lack, name: str) -> tuple[str, str]:
    match lack:
        case "none":
            return tr("No agent is chosen"), tr("Choose an agent")
        case "missing":
            return tr("{name} is not installed", name=name), tr("Show how to install it")
        case "disabled":
            return tr("{name} is switched off", name=name), tr("Open Settings")
        case "signed_out":
            return tr("{name} is not signed in", name=name), tr("Check again")
        case "":
            return "", ""
