"""Every action of the window with its key: shortcuts, menu and palette come from this one list (design 9).

Owns the list and the shortcuts; it never does anything itself: each action runs what the window gave. The person's own
keys (`[desktop.keys]`) stand above ours. Ends with the window.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from ui.viewmodels.commands import Command

Reason = Callable[[], str]


def always() -> str:
    """No reason against it."""
    return ""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done. `why_not`: the reason why it does not apply now, "" = it does.

    `key`: default key in Qt's portable form; `own_key`: the focused part listens for it, the window must not.
    """

    name: str
    text: str
    section: str
    run: Callable[[], None]
    key: str = ""
    icon: str = ""
    why_not: Reason = always
    own_key: bool = False


class Actions(QObject):
    """The list. `add` first, then `set_keys`."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._actions: dict[str, Action] = {}
        self._keys: dict[str, str] = {}
        self._shortcuts: list[QShortcut] = []

    def add(self, *actions: Action) -> None:
        """More actions."""
        for action in actions:
            self._actions[action.name] = action

    def key_of(self, name: str) -> str:
        """The key that an action has now."""
        return self._keys.get(name, self._actions[name].key)

    def all(self) -> tuple[Action, ...]:
        """All, in their order."""
        return tuple(self._actions.values())

    def run(self, name: str) -> None:
        """Do it if it applies."""
        action = self._actions[name]
        if not action.why_not():
            action.run()

    def commands(self) -> list[Command]:
        """As the palette lists them."""
        return [
            Command(
                id=action.name,
                text=action.text,
                section=action.section,
                key=self.key_of(action.name),
                icon=action.icon,
                enabled=not action.why_not(),
                reason=action.why_not(),
                run=action.run,
            )
            for action in self._actions.values()
        ]

    def set_keys(self, own: Mapping[str, str]) -> None:
        """Listen for the keys; `own`: what the person chose."""
        self._keys = {name: key for name, key in own.items() if name in self._actions}
        for shortcut in self._shortcuts:
            shortcut.setParent(None)
            shortcut.deleteLater()
        self._shortcuts = []
        for action in self._actions.values():
            key = self.key_of(action.name)
            if key and not action.own_key:
                self._listen(action.name, key)

    def _listen(self, name: str, key: str) -> None:
        shortcut = QShortcut(QKeySequence(key), self._window)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(lambda: self.run(name))
        self._shortcuts.append(shortcut)
