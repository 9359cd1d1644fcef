"""The desktop's application: first window, host, main window, and every way to the end.

Owns the order of start and end on the UI thread. Quitting, by whatever way and at any moment, ends the host in order
and the process within 8 s with exit code 0; `keep_running` closes the windows and keeps the host, until another `codeg`
raises them. What is asked of the person on the way stands in `desktop_questions`.
"""

import gc
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from ui.bridge_loading import Loading
from ui.interrupts import Interrupts
from ui.opening import OpeningWindow

if TYPE_CHECKING:
    from ui.bridge import Bridge
    from ui.desktop_questions import Face, WindowFace
    from ui.viewmodels.world import World

logger = logging.getLogger(__name__)

NAME = "Codeg"
END_S = 7.5
"""Of the 8 s that an end may take."""
UNPAINTED_MS = 1_000
"""A window that the desktop does not show (another workspace) is not waited for."""
_FACE = "ui.desktop_questions"
MakeFace = Callable[["World", "Bridge"], "Face"]


class Desktop(QObject):
    """One process. `make_face` builds the main window once the host has opened. `fault`: the library cannot be read."""

    finished = Signal(int)
    """The event loop has nothing to wait for any more; the exit code."""
    shown = Signal()
    """The main window took the first one's place."""

    def __init__(self, home: str | None, make_face: MakeFace | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._make_face = make_face or main_window
        self.opening: OpeningWindow | None = OpeningWindow(NAME)
        self.bridge: Bridge | None = None
        self.face: Face | None = None
        self._loading = Loading(self)
        self._begun = False
        self._ending_since: float | None = None
        self._kept = False
        self._restored = False
        self.fault: Exception | None = None
        self.opening.painted.connect(self._begin)
        self.opening.close_asked.connect(self.quit)
        self._loading.done.connect(self._loaded)
        self._unpainted = self._once(UNPAINTED_MS, self._begin)
        self._limit = self._once(int(END_S * 1000), lambda: self.finished.emit(0))
        self._unpainted.start()

    # ---- the start

    def show(self) -> None:
        """The first window."""
        if self.opening is not None:
            self.opening.show()

    def _once(self, milliseconds: int, act: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(act)
        return timer

    def _begin(self) -> None:
        self._unpainted.stop()
        if not self._begun and not self.ending:
            self._begun = True
            self._loading.begin()

    def _loaded(self, fault: Exception | None) -> None:
        if self.ending:
            return
        if fault is not None:
            self.fault = fault
            self.finished.emit(1)
            return
        from ui import translations  # noqa: PLC0415  # read in by now
        from ui.bridge import Bridge  # noqa: PLC0415  # likewise
        from ui.viewmodels.world import World  # noqa: PLC0415  # likewise
        from ui.wording import tr  # noqa: PLC0415  # likewise

        world = World(self)
        bridge = self.bridge = Bridge(world, self._home, self)
        bridge.opened.connect(self._opened)
        bridge.raise_asked.connect(self.raise_window)
        bridge.elsewhere.connect(self.quit)
        bridge.stopped.connect(self._stopped)
        bridge.host_running.connect(self._host_running)
        bridge.crashed.connect(self._crashed)
        bridge.start()
        if self.opening is not None:
            translations.install(translations.chosen("system"))  # until the settings are read
            self.opening.say(tr("Opening your sessions…"))
        if self._make_face is main_window:  # read in while the host opens; built with the language that it tells
            QTimer.singleShot(0, self, _read_in)

    def _build(self) -> bool:
        """The main window, made once: when the host has opened, or there is something to ask. False = there is none."""
        if self.face is not None or self.bridge is None or self.ending:
            return self.face is not None
        from ui import translations  # noqa: PLC0415  # it brings the host's library

        world = self.bridge.world
        translations.install(translations.chosen(world.settings().desktop.language))
        try:
            self.face = self._make_face(world, self.bridge)
        except Exception as error:  # without a window there is nothing to stay for
            logger.exception("the window cannot be built")
            self.fault = error
            self.quit()
            return False
        self.face.close_asked.connect(self.ask_to_close)
        return True

    def _opened(self) -> None:
        if not self._build() or self.face is None:
            return
        self.face.host_opened()
        if not self._restored:
            self._restored = True
            self.face.begin(self._show_face)

    def _show_face(self) -> None:
        """Replace the first window, once the main one lies as it was remembered."""
        if self.face is None or self.ending:
            return
        self._kept = False
        self.face.raise_window()
        if self.opening is not None:
            self.opening.hide()
            self.opening.deleteLater()
            self.opening = None
            self.shown.emit()

    # ---- what happens to the host

    def _host_running(self, pid: int, tasks: int) -> None:
        self._build()
        self._show_face()
        if self.face is not None:
            self.face.ask_to_take_over(pid, tasks, self._take_over, self.quit)

    def _take_over(self) -> None:
        if self.bridge is not None:
            self.bridge.take_over()

    def _crashed(self, reason: str, log: str) -> None:
        if self.ending:
            return
        self._build()
        self._show_face()
        if self.face is not None and self.bridge is not None:
            self.face.show_crash(reason, log, self.bridge.restart)

    def _stopped(self) -> None:
        """The host's last word: ours if we asked, else somebody asked the host to end; a crash has its own panel."""
        if self.ending:
            self.finished.emit(0)
        elif self.bridge is not None and self.bridge.ended_by_wish:
            self.quit()

    # ---- the end

    @property
    def ending(self) -> bool:
        """Nothing new is begun any more."""
        return self._ending_since is not None

    @property
    def kept(self) -> bool:
        """The host runs on without a window."""
        return self._kept

    def ask_to_close(self) -> None:
        """The person closes the window: with tasks running there is one question."""
        running = len(self.bridge.running_tasks()) if self.bridge is not None else 0
        if running == 0 or self.face is None:
            self.quit()
        else:
            self.face.ask_to_quit(running, self.quit, self.keep_running)

    def keep_running(self) -> None:
        """Close the windows and stay as the host."""
        if self.face is not None and not self.ending:
            self._kept = True
            self.face.save()
            self.face.hide()

    def raise_window(self) -> None:
        """Show the window again, in front."""
        if self.face is not None and not self.ending and self.opening is None:
            self._kept = False
            self.face.raise_window()
        elif self.opening is not None:
            self.opening.raise_()
            self.opening.activateWindow()

    def quit(self) -> None:
        """End everything in order, at any moment. Asks nothing."""
        if self.ending:
            return
        self._ending_since = monotonic()
        if self.face is not None:
            self.face.save()
            self.face.hide()
        if self.opening is not None:
            self.opening.hide()
        if self.bridge is None:
            QTimer.singleShot(0, self, lambda: self.finished.emit(0))
            return
        self._limit.start()
        self.bridge.begin_stop()

    def end(self) -> bool:
        """After the event loop: wait for what is still under way; False = the host did not end in time."""
        began = self._ending_since if self._ending_since is not None else monotonic()
        self._ending_since = began
        clean = True
        if self.bridge is not None:
            clean = self.bridge.stop(max(0.1, END_S - (monotonic() - began)))
        self._loading.join(max(0.1, END_S - (monotonic() - began)))
        if self.face is not None:
            self.face.end()
            self.face = None
        if self.opening is not None:
            self.opening.deleteLater()
            self.opening = None
        QCoreApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))
        return clean


def _read_in() -> None:
    with suppress(Exception):  # it is said when the window is built
        import_module(_FACE)


def main_window(world: "World", bridge: "Bridge") -> "Face":
    """The window of `ui.workspace`."""
    made: WindowFace = import_module(_FACE).WindowFace(world, bridge)  # it brings the whole window
    bridge.refused.connect(made.tell)
    return made


def run(home: str | None, make_face: MakeFace | None = None) -> int:
    """The event loop, from its first window to its end; the exit code."""
    QGuiApplication.setApplicationName(NAME)
    QGuiApplication.setDesktopFileName("codeg")
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    logging.getLogger("ui").addHandler(logging.NullHandler())  # never to stderr; the host's log has its own handler
    sys.excepthook = _log_fault
    interrupts = Interrupts()
    desktop = Desktop(home, make_face)
    interrupts.came.connect(desktop.quit)
    desktop.finished.connect(app.exit)
    desktop.shown.connect(gc.freeze)  # what was loaded stays: searching it for cycles again and again costs 50 ms each
    desktop.show()
    app.exec()
    clean = desktop.end()
    interrupts.close()
    if desktop.fault is not None:
        sys.stderr.write(f"codeg: the desktop cannot be loaded: {desktop.fault}\n")
        return 1
    if not clean:
        logging.shutdown()
        os._exit(0)  # the keepers end what still runs; waiting longer would break the word on 8 s
    return 0


def _log_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A fault in a slot ends that slot and nothing else; it is in the log."""
    logger.error("a fault of the window", exc_info=(kind, error, trace))
