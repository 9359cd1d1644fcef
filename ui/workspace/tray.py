"""The icon in the system's tray, and notifications while the window is not in front.

Owns the icon; a desktop without a tray has none, and nothing is lost by it: what waits also stands in the window.
Never answers anything. Ends with the application.
"""

from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from ui.theme.marks import draw_mark
from ui.theme.theme import theme
from ui.viewmodels.states import State
from ui.wording import clean_line, tr

SIZES = (16, 22, 24, 32, 48)


class Tray(QObject):
    """`raised`: the person wants the window; `quit_asked`: the person wants all to end."""

    raised = Signal()
    quit_asked = Signal()
    ask_opened = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._icon: QSystemTrayIcon | None = None
        self._waiting, self._running = -1, -1
        self._menu = QMenu(window)
        self._show = QAction(tr("Show the window"), self._menu)
        self._quit = QAction(tr("Quit"), self._menu)
        self._menu.addActions([self._show, self._quit])
        self._show.triggered.connect(self.raised)
        self._quit.triggered.connect(self.quit_asked)

    @property
    def there(self) -> bool:
        """This desktop shows our icon."""
        return self._icon is not None

    def begin(self) -> None:
        """Show the icon, where there is a tray."""
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        self._icon = QSystemTrayIcon(_drawn(State.IDLE), self)
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(self._activated)
        self._icon.messageClicked.connect(self.ask_opened)
        self._icon.show()

    def show_counts(self, running: int, waiting: int) -> None:
        """The icon says whether anybody waits, its tooltip how many."""
        if self._icon is None or (running, waiting) == (self._running, self._waiting):
            return
        self._running, self._waiting = running, waiting
        state = State.WAITING if waiting else State.RUNNING if running else State.IDLE
        self._icon.setIcon(_drawn(state))
        parts = [tr("Codeg")]
        if waiting:
            parts.append(tr("%n need you", n=waiting))
        if running:
            parts.append(tr("%n running", n=running))
        self._icon.setToolTip(" · ".join(parts))

    def tell(self, title: str, text: str) -> None:
        """A notification of the system."""
        if self._icon is not None:
            kind = QSystemTrayIcon.MessageIcon.NoIcon
            self._icon.showMessage(clean_line(title), clean_line(text, 300), kind)

    def end(self) -> None:
        """Take the icon away."""
        if self._icon is not None:
            self._icon.hide()

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.raised.emit()


def _drawn(state: State) -> QIcon:
    icon = QIcon()
    for size in SIZES:
        pixmap = QPixmap(QSize(size, size))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shown = State.COMPLETED if state is State.IDLE else state
        draw_mark(painter, QRectF(0, 0, size, size), shown, theme().color("bg.surface"))
        painter.end()
        icon.addPixmap(pixmap)
    return icon
