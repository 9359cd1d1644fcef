"""The buttons at the composer's right end: delegate, send or steer, stop.

Owns which of them show; what they do is told by `pressed` ("send", "queue", "delegate") and `stop_asked`.
"""

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from ui.theme import metrics
from ui.theme.icons import icon
from ui.viewmodels.composing import Buttons, Primary
from ui.widgets.controls import Button, IconButton, SplitButton, set_tip
from ui.widgets.controls.keys import cap_width, key_label
from ui.wording import key_text, tr

QUEUE_KEY, DELEGATE_KEY, STOP_KEY = "Ctrl+Return", "Ctrl+Shift+Return", "Ctrl+."


class SendButtons(QWidget):
    """They stand in the same order at the same edge, whatever applies."""

    pressed = Signal(str)
    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offer = Buttons("send", ready=False)
        self.delegate = Button(tr("Delegate now"), "outlined", icon="git-branch")
        self.delegate_icon = IconButton("git-branch", tr("Delegate now"), DELEGATE_KEY)
        self.delegate_icon.set_outlined(True)
        self.send = Button(tr("Send"), "filled", icon="arrow-up", key="Enter")
        self.steer = SplitButton(tr("Steer"), "filled", icon="message-square", key="Enter")
        self.steer.set_menu(self._menu)
        self.stop = IconButton("stop", tr("Stop this turn"), STOP_KEY)
        self.stop.set_icon("stop", "text.primary")
        self.stop.set_outlined(True)
        self._tight = 0
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.SPACE_4)
        for button in self._parts():
            row.addWidget(button)
        row.insertSpacing(2, metrics.SPACE_8)
        self.delegate.clicked.connect(lambda: self.pressed.emit("delegate"))
        self.delegate_icon.clicked.connect(lambda: self.pressed.emit("delegate"))
        self.send.clicked.connect(lambda: self.pressed.emit("send"))
        self.steer.clicked.connect(lambda: self.pressed.emit("send"))
        self.stop.clicked.connect(self.stop_asked)
        for button in self._parts():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a press leaves the caret in the text
        self.show_offer(self._offer)

    def show_offer(self, offer: Buttons, *, sending: bool = False) -> None:
        """Show what applies; `sending`: an order is on its way."""
        self._offer = offer
        self._show()
        ready = offer.ready and not sending
        for button in (self.send, self.steer, self.delegate, self.delegate_icon):
            button.setEnabled(ready)

    def set_tight(self, tight: int) -> None:
        """0: words and keys; 1: no keys; 2: *Delegate now* without its word."""
        if tight != self._tight:
            self._tight = tight
            self._show()

    def width_at(self, tight: int) -> int:
        """The room that it would ask for."""
        offer = self._offer
        key = cap_width(key_label("Enter")) + metrics.SPACE_8
        main = self.steer if offer.primary == "steer" else self.send
        width = main.sizeHint().width() + (0 if self._tight else -key) + (0 if tight else key) + metrics.SPACE_8
        if offer.delegate:
            button = self.delegate if tight < 2 else self.delegate_icon
            width += button.sizeHint().width() + metrics.SPACE_4
        if offer.stop:
            width += self.stop.sizeHint().width() + metrics.SPACE_4
        return math.ceil(width)

    def _parts(self) -> tuple[QWidget, ...]:
        return (self.delegate, self.delegate_icon, self.send, self.steer, self.stop)

    def _show(self) -> None:
        offer = self._offer
        split = offer.primary == "steer"
        self.send.setVisible(not split)
        self.steer.setVisible(split)
        self.stop.setVisible(offer.stop)
        self.delegate.setVisible(offer.delegate and self._tight < 2)
        self.delegate_icon.setVisible(offer.delegate and self._tight >= 2)
        text, drawing = _word(offer.primary)
        self.send.setText(text)
        self.send.set_icon(drawing)
        for button in (self.send, self.steer):
            button.set_key("Enter" if self._tight < 1 else None)

    def _menu(self) -> QMenu | None:
        if not self._offer.queue or not self._offer.ready:
            return None
        menu = QMenu(self)
        action = QAction(icon("clock"), f"{tr('Send after this turn')}\t{key_text(QUEUE_KEY)}", menu)
        action.triggered.connect(lambda: self.pressed.emit("queue"))
        menu.addAction(action)
        return menu

    def show_delegations(self, text: str) -> None:
        """Who would get what."""
        set_tip(self.delegate, text)
        set_tip(self.delegate_icon, text)


def _word(primary: Primary) -> tuple[str, str]:
    return {
        "queue": (tr("Send after this turn"), "clock"),
        "note": (tr("Leave a note"), "message-square"),
    }.get(primary, (tr("Send"), "arrow-up"))
