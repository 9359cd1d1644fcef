"""The strip of buttons at the end of a card's first line, and the menu under its three dots (design 7.3).

Owns the buttons, made once and used again for every face; what they do is told by `acted`. Under 620 px of pane only
what stops or resumes stays, the rest is in the menu.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget

from ui.theme import metrics
from ui.viewmodels.cards import CardFace, action_word
from ui.widgets.controls import Button, IconButton
from ui.widgets.controls.buttons import open_menu_below
from ui.widgets.mirror import put
from ui.wording import tr

_ICONS: dict[str, tuple[str, str]] = {
    "steer": ("message-square", "S"),
    "stop": ("stop", "X"),
    "cancel": ("x", "X"),
    "copy": ("copy", "C"),
    "beside": ("columns-2", "O"),
}
_STAYS = frozenset({"stop", "cancel", "resume", "again", "show", "start_again"})
_WORD_GAP = metrics.SPACE_4


class ActionStrip(QWidget):
    """`acted`: an action by its name. `resized`: it needs another width. `left`: the button with the focus goes."""

    acted = Signal(str)
    resized = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._face: CardFace | None = None
        self._narrow = False
        self.absent: frozenset[str] = frozenset()
        """Actions that the window has no place for."""
        self._shown: tuple[str, ...] = ()
        self._buttons: dict[str, Button | IconButton] = {}
        self.more = IconButton("ellipsis", tr("More"), small=True, parent=self)
        self.more.clicked.connect(self.open_menu)
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def show_face(self, face: CardFace, *, narrow: bool) -> None:
        """The actions of this face."""
        self._face, self._narrow = face, narrow
        wanted = tuple(name for name in face.buttons if not narrow or name in _STAYS)
        still = {name for name in wanted if not (face.busy and name in {"resume", "again"})}
        if any(button.hasFocus() and name not in still for name, button in self._buttons.items()):
            self.left.emit()  # before it is hidden: Qt would give the focus to whatever stands next
        for name in wanted:
            if name not in self._buttons:
                self._buttons[name] = self._made(name)
            self._buttons[name].setEnabled(name in still)
        if wanted != self._shown:
            self._shown = wanted
            for name, button in self._buttons.items():
                button.setVisible(name in wanted)
            self.resized.emit()
        self._place()

    def button(self, name: str) -> Button | IconButton | None:
        """The button of an action that shows."""
        return self._buttons[name] if name in self._shown else None

    def menu_names(self) -> tuple[str, ...]:
        """What stands under the three dots: what has no room, then the rest."""
        face = self._face
        if face is None:
            return ()
        hidden = [name for name in face.buttons if name not in self._shown]
        return tuple(name for name in dict.fromkeys((*hidden, *face.menu)) if name not in self.absent)

    def open_menu(self) -> None:
        """Open the menu under the dots."""
        names = self.menu_names()
        if not names:
            return
        menu = QMenu(self)
        for name in names:
            action = QAction(action_word(name), menu)
            action.triggered.connect(lambda _checked=False, chosen=name: self.acted.emit(chosen))
            menu.addAction(action)
        open_menu_below(menu, self.more)

    def sizeHint(self) -> QSize:
        """As wide as what shows."""
        return QSize(sum(self._width(name) for name in (*self._shown, "")), self.more.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """From the leading edge."""
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        """The layout turned round."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._place()

    def _made(self, name: str) -> Button | IconButton:
        word = action_word(name)
        if name in _ICONS:
            icon, key = _ICONS[name]
            button: Button | IconButton = IconButton(icon, word, key, small=True, parent=self)
        else:
            button = Button(word, small=True, parent=self)
        button.clicked.connect(lambda: self.acted.emit(name))
        return button

    def _width(self, name: str) -> int:
        if name in _ICONS or not name:
            return self.more.sizeHint().width()
        return self._buttons[name].sizeHint().width() + _WORD_GAP

    def _place(self) -> None:
        at, size = 0, self.more.sizeHint()
        for name in self._shown:
            button, width = self._buttons[name], self._width(name)
            room = width if name in _ICONS else width - _WORD_GAP
            put(button, at, 0, room, size.height())
            at += width
        put(self.more, at, 0, size.width(), size.height())
