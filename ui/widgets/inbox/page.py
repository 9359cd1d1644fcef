"""Needs you (design 7.7)."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ui.orders import Orders
from ui.viewmodels.transcript import Transcripts
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import World


class InboxPage(QWidget):
    """List and detail."""

    open_session = Signal(str)

    def __init__(
        self, world: World, orders: Orders, transcripts: Transcripts, view: ViewState, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._world, self._orders, self._transcripts, self._view = world, orders, transcripts, view

    def select(self, request_id: str) -> None:
        """Show this ask."""
