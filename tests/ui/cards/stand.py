"""A feed with cards in a window: the world, its orders, and what was opened elsewhere.

Owns the assembly for tests of cards.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from codeg.api import Activity, AsksChanged, Phase, Status, TaskChanged, TaskView
from tests.ui import making as m
from tests.ui import worlds
from tests.ui.doubles import OrdersDouble
from tests.ui.worlds import STATES_ROOT, Kind, a_desk, changes, eight_tasks
from ui.viewmodels.states import State, state_of_task
from ui.viewmodels.transcript import Transcripts
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import World
from ui.widgets.cards import DelegationCard
from ui.widgets.feed import Feed, FeedContext

Show = Callable[[QWidget], None]
BY_STATE = {state_of_task(view): view for view in eight_tasks()}


@dataclass
class Stand:
    """`beside`, `links`, `logs`: what was asked to be opened."""

    world: World
    orders: OrdersDouble
    ctx: FeedContext
    feed: Feed
    beside: list[str] = field(default_factory=list[str])
    logs: list[str] = field(default_factory=list[str])

    def card(self, task_id: str) -> DelegationCard:
        """The card of a task, wherever it stands."""
        found = [
            card
            for card in self.feed.findChildren(DelegationCard)
            if card.isVisible() and card.face is not None and card.face.full_id == task_id
        ]
        assert found, f"no card of {task_id} is seen"
        return found[-1]

    def in_state(self, state: State) -> DelegationCard:
        """The card of the task in this state."""
        return self.card(BY_STATE[state].record.task_id)

    def tell(self, *views: TaskView, activities: "dict[str, Activity | None] | None" = None) -> None:
        """The host tells these tasks."""
        self.world.apply(changes(*(TaskChanged(view) for view in views)), activities)

    def tell_asks(self, *asks: "dict[str, Any]") -> None:
        """The host tells what waits."""
        self.world.apply(changes(AsksChanged(tuple(asks))))


def a_stand(show: Show, kind: Kind = "states", root: str = STATES_ROOT, width: int = 900, height: int = 1_100) -> Stand:
    """A conversation of a world, shown and read."""
    world, orders = a_desk(kind)
    beside: list[str] = []
    logs: list[str] = []
    ctx = FeedContext(
        world=world,
        orders=orders,
        transcripts=Transcripts(world, orders),
        view=ViewState(),
        open_beside=beside.append,
        open_link=lambda _link: None,
        jump=lambda _session, _key: None,
        session_id=root,
        open_log=logs.append,
    )
    feed = Feed(ctx)
    feed.resize(width, height)
    feed.set_transcript(ctx.transcripts.get(root))
    show(feed)
    stand = Stand(world, orders, ctx, feed, beside, logs)
    settle(stand)
    return stand


def settle(stand: Stand) -> None:
    """Everything that was asked for is read and laid out."""
    for _ in range(6):
        stand.orders.settle()
        QTest.qWait(0)


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """One press of the left button."""
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at or widget.rect().center())


def click_head(card: DelegationCard) -> None:
    """A press on the head, beside the buttons."""
    click(card, QPoint(100, 20))


def key(widget: QWidget, text: str) -> None:
    """A letter or digit."""
    QTest.keyClicks(widget, text)


def running(view: TaskView, **more: Any) -> TaskView:
    """It runs now."""
    record = replace(view.record, phase=Phase.RUNNING, started_ms=m.NOW, end=None, ended_ms=None)
    return replace(view, record=record, status=Status.RUNNING, queue_position=None, blocks=(), **more)


def ended(view: TaskView, status: Status, **end: Any) -> TaskView:
    """It is over."""
    made = m.task(view.record.task_id, view.record.parent_id, view.record.task_text, status=status, end=end)
    return replace(made, record=replace(view.record, phase=Phase.ENDED, end=made.record.end, ended_ms=m.NOW))


__all__ = ["BY_STATE", "Show", "Stand", "a_stand", "click", "click_head", "ended", "key", "running", "settle", "worlds"]
