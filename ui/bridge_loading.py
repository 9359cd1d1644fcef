"""The host's library is read in while the first window is painted already.

Owns one short thread that imports it; what it finds is kept by Python. Ends by itself; `done` is told on the UI thread.
"""

from importlib import import_module
from threading import Thread

from PySide6.QtCore import QObject, Qt, Signal

HEAVY = ("codeg.api", "anyio._backends._asyncio", "ui.bridge")


class Loading(QObject):
    """`done`: the error that came of it, None = all is there."""

    done = Signal(object)
    _over = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = Thread(target=self._load, name="codeg-loading", daemon=True)
        self._over.connect(self.done, Qt.ConnectionType.QueuedConnection)

    def begin(self) -> None:
        """Start reading."""
        self._thread.start()

    def join(self, seconds: float) -> None:
        """Before the process ends: an import is not to be cut short."""
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _load(self) -> None:
        fault: Exception | None = None
        try:
            for name in HEAVY:
                import_module(name)
        except Exception as error:  # noqa: BLE001  # told where it can be shown
            fault = error
        self._over.emit(fault)
