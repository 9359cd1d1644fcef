"""The main window as the application needs it, and what the person is asked on the way: take over, quit, crash.

Owns the joints between `desktop` and `ui.workspace`. Never ends anything by itself: each choice is a call that it was
given. Ends with the window.
"""

from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from ui.orders import Orders
from ui.theme.apply import apply
from ui.viewmodels.world import World
from ui.wording import clock_time, tr
from ui.workspace.memory import NAME
from ui.workspace.panels import Matter, Scrim, crash_matter, quit_matter, takeover_matter
from ui.workspace.window import MainWindow

Act = Callable[[], None]


class Face(Protocol):
    """All that the application asks of its main window."""

    @property
    def close_asked(self) -> Any:
        """A signal: the person closes the window."""
        ...

    def begin(self, ready: Act) -> None:
        """Lie as remembered; `ready` follows."""
        ...

    def host_opened(self) -> None:
        """The host runs, for the first time or again."""
        ...

    def raise_window(self) -> None:
        """Show it, in front."""
        ...

    def hide(self) -> None:
        """No window for now."""
        ...

    def save(self) -> None:
        """Remember how it lies."""
        ...

    def end(self) -> None:
        """It is not needed any more."""
        ...

    def ask_to_quit(self, running: int, stop: Act, keep: Act) -> None:
        """Tasks run: stop them, keep them running, or stay."""
        ...

    def ask_to_take_over(self, pid: int, tasks: int, take: Act, leave: Act) -> None:
        """A host without a window is in the way."""
        ...

    def show_crash(self, reason: str, log: str, restart: Act) -> None:
        """The host stopped."""
        ...


class WindowFace(QObject):
    """Keeps `Face` by `MainWindow` and its panels; one panel at a time."""

    close_asked = Signal()

    def __init__(self, world: World, orders: Orders) -> None:
        super().__init__()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply(application)
        self._world, self._orders = world, orders
        self.window = MainWindow(world, orders)
        self.window.close_asked.connect(self.close_asked)
        self._panel: Scrim | None = None

    def begin(self, ready: Act) -> None:
        """The memory is read by two orders in a row, and answers keep their order."""
        self.window.memory.restore()
        self._orders.kept(NAME, lambda _text: ready())

    def host_opened(self) -> None:
        """The status bar says so until a question says otherwise."""
        self.window.status.show_host("")

    def tell(self, sentence: str) -> None:
        """Something was refused."""
        self.window.tell(sentence, "warning")

    def raise_window(self) -> None:
        """As the tray does it."""
        self.window.deeds.raise_window()

    def hide(self) -> None:
        """The tray icon stays."""
        self.window.hide()

    def save(self) -> None:
        """Panes, drafts, sizes."""
        self.window.memory.save_now()

    def end(self) -> None:
        """Close for good."""
        self.window.may_close = True
        self.window.close()
        self.window.deleteLater()

    def ask_to_quit(self, running: int, stop: Act, keep: Act) -> None:
        """One question."""
        self.raise_window()
        self._ask(quit_matter(running), {"stop": stop, "keep": keep})

    def ask_to_take_over(self, pid: int, tasks: int, take: Act, leave: Act) -> None:
        """One question."""
        self.window.status.show_host(tr("No host in this window"))
        self._ask(takeover_matter(pid, tasks), {"take": take, "quit": leave})

    def show_crash(self, reason: str, log: str, restart: Act) -> None:
        """It stands until the host is started again."""
        self.window.status.show_host(tr("The host stopped"))

        def look() -> None:
            self.window.deeds.open_log(log)
            self.show_crash(reason, log, restart)

        stored = clock_time(self._world.now_ms(), seconds=True)
        self._ask(crash_matter(reason, stored), {"restart": restart, "log": look})

    def _ask(self, matter: Matter, ways: dict[str, Act]) -> None:
        if self._panel is not None:
            self._panel.hide()
            self._panel.deleteLater()
        panel = self._panel = Scrim(matter, self.window)

        def chosen(way: str) -> None:
            self._panel = None
            act = ways.get(way)
            if act is not None:
                act()

        panel.chosen.connect(chosen)
