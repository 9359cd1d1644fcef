"""Deletes that can still be taken back: the row goes at once, the session after ten seconds (design 7.1).

Owns what is pending. Nothing is lost by closing the window: `settle` does what is still open, as the person wanted.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from ui.orders import Orders
from ui.theme.metrics import UNDO_MS
from ui.viewmodels.sidebar import SidebarModel
from ui.viewmodels.world import World


class Deletions(QObject):
    """`ask` begins one and returns what takes it back."""

    def __init__(self, model: SidebarModel, world: World, orders: Orders) -> None:
        super().__init__(model)
        self._model, self._world, self._orders = model, world, orders
        self._pending: dict[str, QTimer] = {}

    def ask(self, session_id: str) -> Callable[[], None]:
        """Hide the row; the order follows when nobody takes it back in time."""
        self._model.hide(session_id, True)
        if session_id not in self._pending:
            self._pending[session_id] = self._after(UNDO_MS, lambda: self._perform(session_id))
        return lambda: self._take_back(session_id)

    def settle(self) -> None:
        """The window closes: what was asked for is done now."""
        for session_id in tuple(self._pending):
            self._perform(session_id)

    def _take_back(self, session_id: str) -> None:
        timer = self._pending.pop(session_id, None)
        if timer is not None:
            timer.stop()
            timer.deleteLater()
            self._model.hide(session_id, False)

    def _perform(self, session_id: str) -> None:
        timer = self._pending.pop(session_id, None)
        if timer is None:
            return
        timer.stop()
        timer.deleteLater()
        if self._world.session(session_id) is not None:
            self._orders.delete(session_id)
            self._after(UNDO_MS, lambda: self._model.hide(session_id, False))  # it was refused if it is still there

    def _after(self, ms: int, act: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(ms)
        timer.timeout.connect(act)
        timer.start()
        return timer
