"""The effects of one event, collected while it is applied and put in order at its end.

Owns the order that effects.py promises. Views are taken when the event is done with, so that nothing is shown which a
later step of the same event changed. Never decides an effect.
"""

from collections.abc import Callable

from codeg.broker.cells import Cell
from codeg.broker.effects import (
    Announce,
    AskFolder,
    Effect,
    Persist,
    Reply,
    SendPrompt,
    SpawnChild,
    StopChild,
    WithdrawAsk,
)
from codeg.broker.tasks import Answer, TaskView

Act = AskFolder | WithdrawAsk | SpawnChild | SendPrompt | StopChild
Item = Cell | Answer
"""A cell is answered with its view."""


class Outbox:
    """One event's effects."""

    def __init__(self) -> None:
        self._texts: dict[Cell, bytes | None] = {}
        self._acts: list[Act] = []
        self._told: dict[Cell, None] = {}
        self._replies: list[tuple[int, tuple[Item, ...]]] = []

    def persist(self, cell: Cell, text: bytes | None) -> None:
        """The task changed: it is stored and announced. A later None keeps the text of an earlier change."""
        self._texts[cell] = self._texts.get(cell) if text is None else text
        self.tell(cell)

    def act(self, effect: Act) -> None:
        """Something is to be done."""
        self._acts.append(effect)

    def tell(self, cell: Cell) -> None:
        """The task looks different."""
        self._told[cell] = None

    def reply(self, ref: int, *items: Item) -> None:
        """The asker of `ref` has its answer."""
        self._replies.append((ref, items))

    def effects(self, view: Callable[[Cell], TaskView]) -> list[Effect]:
        """All of it in order."""
        views: dict[Cell, TaskView] = {}

        def seen(cell: Cell) -> TaskView:
            if cell not in views:
                views[cell] = view(cell)
            return views[cell]

        def answer(item: Item) -> Answer:
            return seen(item) if isinstance(item, Cell) else item

        found: list[Effect] = [Persist(cell.record, text) for cell, text in self._texts.items()]
        found += self._acts
        found += [Announce(seen(cell)) for cell in self._told]
        found += [Reply(ref, tuple(map(answer, items))) for ref, items in self._replies]
        return found
