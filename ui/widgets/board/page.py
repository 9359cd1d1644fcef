"""The board (design 7.9)."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ui.orders import Orders
from ui.viewmodels.world import World


class BoardPage(QWidget):
    """Columns or table."""

    open_task = Signal(str)
    open_ask = Signal(str)

    def __init__(self, world: World, orders: Orders, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world, self._orders = world, orders

    def show_only(self, name: str) -> None:
        """`running`, `queued`; "" shows everything."""
