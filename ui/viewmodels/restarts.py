"""A child that does not answer is started again: it is stopped, and once it has ended it goes on under the same id.

Owns the wait between the two orders; one a world. A task whose agent never took a prompt begins with its own text
(contract 6, resume), so its parent gets the result it waits for. Forgets a task that ends in another way.
"""

from PySide6.QtCore import QObject

from ui.orders import Orders
from ui.viewmodels.states import ALIVE, State, state_of_task
from ui.viewmodels.world import Batch, World


class Restarts(QObject):
    """Tasks that are stopped so as to be started."""

    def __init__(self, world: World, orders: Orders) -> None:
        super().__init__(world)
        self._world, self._orders = world, orders
        self._waiting: set[str] = set()
        world.changed.connect(self._changed)

    def start_again(self, task_id: str) -> None:
        """Stop it now, resume it when it is over. Asked twice, it happens once."""
        if task_id not in self._waiting:
            self._waiting.add(task_id)
            self._orders.cancel_task(task_id)

    def _changed(self, batch: Batch) -> None:
        for task_id in self._waiting & batch.tasks:
            view = self._world.task(task_id)
            if view is not None and (view.stopping or state_of_task(view) in ALIVE):
                continue
            self._waiting.discard(task_id)
            if view is not None and state_of_task(view) is State.CANCELED:
                self._orders.resume_task(task_id)


def restarts_of(world: World, orders: Orders) -> Restarts:
    """The one of this world, made when first asked for."""
    found = (child for child in world.children() if isinstance(child, Restarts))
    return next(found, None) or Restarts(world, orders)
