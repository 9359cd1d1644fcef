"""One ask in a window.

Owns the assembly for tests of asks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from codeg.api import AsksChanged
from tests.ui import making as m
from tests.ui.doubles import OrdersDouble
from tests.ui.worlds import a_world, changes
from ui.viewmodels.world import World
from ui.widgets.asks import AskPanel

Show = Callable[[QWidget], None]
REQUEST, SESSION = "the-ask", "session-retry"


@dataclass
class Stand:
    """A panel in its window."""

    world: World
    orders: OrdersDouble
    panel: AskPanel
    window: QWidget

    def settle(self) -> None:
        """What was asked for is read."""
        self.orders.settle()
        QTest.qWait(0)

    def gone(self) -> None:
        """The host has no ask any more."""
        self.world.apply(changes(AsksChanged(())))


def an_ask(show: Show, kind: str, framed: bool = True, detail: "dict[str, Any] | None" = None, **more: Any) -> Stand:
    """An ask of the root session of the picture."""
    world = a_world()
    told = m.ask(REQUEST, kind, SESSION, more.pop("title", "alembic upgrade head"), 38_000, **more)
    world.apply(changes(AsksChanged((told,))))
    orders = OrdersDouble(world, details={REQUEST: detail or {}})
    window = QWidget()
    window.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window.resize(760, 700)
    ask = world.ask(REQUEST)
    assert ask is not None
    panel = AskPanel(ask, world, orders, framed)
    column = QVBoxLayout(window)
    column.addWidget(panel)
    column.addStretch(1)
    show(window)
    stand = Stand(world, orders, panel, window)
    stand.settle()
    return stand
