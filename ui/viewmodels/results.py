"""Texts of ended children that were read already: a card that comes into sight again need not ask for them.

Owns the newest few; one shelf a world. A result belongs to an attempt: after a resume it is read anew.
"""

from collections import OrderedDict
from functools import partial

from PySide6.QtCore import QObject, Signal

from codeg.api import TaskView
from ui.orders import Orders
from ui.viewmodels.world import World

KEPT = 24
Mark = tuple[str, int, int]


class Results(QObject):
    """`came`: the text of this task is here."""

    came = Signal(str)

    def __init__(self, world: World, orders: Orders) -> None:
        super().__init__(world)
        self._orders = orders
        self._texts: OrderedDict[Mark, str] = OrderedDict()
        self._asked: set[Mark] = set()

    def text(self, view: TaskView) -> str | None:
        """The whole result; None = it is being read."""
        mark = view.record.task_id, view.record.attempt, view.record.ended_ms or 0
        found = self._texts.get(mark)
        if found is not None:
            self._texts.move_to_end(mark)
        elif mark not in self._asked:
            self._asked.add(mark)
            self._orders.result(view.record.task_id, partial(self._take, mark))
        return found

    def _take(self, mark: Mark, text: str) -> None:
        self._asked.discard(mark)
        self._texts[mark] = text
        while len(self._texts) > KEPT:
            self._texts.popitem(last=False)
        self.came.emit(mark[0])


def results_of(world: World, orders: Orders) -> Results:
    """The one of this world, made when first asked for."""
    found = (child for child in world.children() if isinstance(child, Results))
    return next(found, None) or Results(world, orders)
