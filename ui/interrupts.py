"""SIGINT and SIGTERM in a process whose main thread belongs to Qt.

Owns the wake-up descriptor: a plain Python handler would wait for ever behind Qt's event loop. Lets through what the
command line held back. `close` puts everything back. Windows has no notifier for pipes: there Python's own handler runs
with the next event (that way has not run on Windows).
"""

import os
import signal
import sys
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Signal

WATCHED = (signal.SIGINT, signal.SIGTERM)


class Interrupts(QObject):
    """`came`: one of the two has come."""

    came = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        self._notifier = QSocketNotifier(self._read, QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)
        self._wakeup = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False) if sys.platform != "win32" else -1
        self._before = [(number, signal.signal(number, self._handle)) for number in WATCHED]
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)

    def close(self) -> None:
        """Nothing is told any more."""
        self._notifier.setEnabled(False)
        if sys.platform != "win32":
            signal.set_wakeup_fd(self._wakeup)
        for number, handler in self._before:
            signal.signal(number, handler)
        os.close(self._read)
        os.close(self._write)

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        """Only that there is a handler lets Python write to the descriptor; elsewhere it is the word itself."""
        if sys.platform == "win32":
            self.came.emit()

    def _drain(self) -> None:
        try:
            heard = os.read(self._read, 512)
        except BlockingIOError:
            return
        if any(number in heard for number in WATCHED):
            self.came.emit()
