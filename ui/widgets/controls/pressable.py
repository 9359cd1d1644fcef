"""What all buttons share: hover, the focus ring by keyboard, names that keep their ampersands.

Owns no look of its own. Ends with its parent.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from ui.theme.focus import focus_came, focus_went, ring_of, show_ring
from ui.theme.metrics import RADIUS_6
from ui.theme.theme import theme


class Pressable(QAbstractButton):
    """A button that repaints when its state or the theme changes."""

    ring_radius: float = RADIUS_6

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._under = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setText(text)
        theme().changed.connect(self._retheme)

    def text(self) -> str:
        """The text as it was given."""
        return self._text

    def setText(self, text: str) -> None:
        """Show `text` as it is: an ampersand makes no shortcut."""
        if text == self._text and super().text():
            return
        self._text = text
        super().setText(text.replace("&", "&&"))
        self.updateGeometry()
        self.update()

    @property
    def under_pointer(self) -> bool:
        """Whether the pointer is over it and it can be pressed."""
        return self._under and self.isEnabled()

    def ground_token(self) -> str | None:
        """The fill by state: pressed, under the pointer, none."""
        if not self.isEnabled():
            return None
        if self.isDown():
            return "bg.selected"
        return "bg.hover" if self._under else None

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer came."""
        self._under = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        self._under = False
        self.update()
        super().leaveEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """A hidden button has no pointer over it."""
        self._under = False
        super().hideEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring shows when the keyboard brought the focus."""
        focus_came(self, event, self.ring_radius)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes with the focus."""
        focus_went(self, event)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses as Space does; who uses keys sees where they go."""
        if ring_of(self) is None and self.hasFocus():
            show_ring(self, self.ring_radius)
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers() & _CHORDS:
            if not event.isAutoRepeat():
                self.click()
            return
        super().keyPressEvent(event)

    def _retheme(self) -> None:
        self.updateGeometry()
        self.update()


_CHORDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
