"""What the buttons and keys of a card do: orders, the clipboard, another place of the window (design 7.3, 9).

Owns nothing; every deed is an order and the card changes when the world does.
"""

from collections.abc import Callable

from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from codeg.api import TaskView
from ui.viewmodels.cards import ActionName, CardFace
from ui.viewmodels.restarts import restarts_of
from ui.viewmodels.results import results_of
from ui.viewmodels.states import ALIVE, state_of_task
from ui.widgets.controls.buttons import open_menu_below
from ui.widgets.feed.context import FeedContext
from ui.wording import clean_line, end_reason, tr

KEYS: dict[str, tuple[ActionName, ...]] = {
    "S": ("steer", "follow_up"),
    "X": ("stop", "cancel"),
    "R": ("resume", "again"),
    "C": ("copy", "copy_error"),
    "O": ("beside",),
    "T": ("task",),
}
"""Which action of a face a key means: the first that applies."""


def action_of(key: str, face: CardFace) -> ActionName | None:
    """What a key does on a card."""
    offered = (*face.buttons, *face.menu)
    return next((name for name in KEYS.get(key, ()) if name in offered), None)


def alive_below(view: TaskView, ctx: FeedContext) -> int:
    """Children of a child that are not over."""
    below = ctx.world.descendants(view.record.child_id)
    return sum(1 for each in below if state_of_task(each) in ALIVE)


def stop_question(view: TaskView, ctx: FeedContext) -> str:
    """What is asked before a child with children is stopped; "" = nothing."""
    below = alive_below(view, ctx)
    name = ctx.world.label_of(view.record.agent_type)
    return tr("Stop {agent} and its %n children?", n=below, agent=name) if below else ""


def run_again(view: TaskView, ctx: FeedContext, agent: str | None = None) -> None:
    """The same task in a new session, with the same agent or another."""
    record = view.record
    ctx.orders.delegate(record.parent_id, agent or record.agent_type, record.task_text, record.working_dir)


def copy_error(view: TaskView) -> None:
    """The failure as it came."""
    end = view.record.end
    if end is not None:
        QGuiApplication.clipboard().setText(end_reason(end.code or "", end.message or ""))


def copy_result(view: TaskView, ctx: FeedContext) -> None:
    """The whole result."""
    text = results_of(ctx.world, ctx.orders).text(view)
    if text is not None:
        QGuiApplication.clipboard().setText(text)
    else:
        ctx.orders.result(view.record.task_id, QGuiApplication.clipboard().setText)


def offer_agents(view: TaskView, ctx: FeedContext, anchor: QWidget) -> None:
    """A menu of the other agents; the chosen one runs the same task."""
    menu = QMenu(anchor)
    for agent in ctx.world.agents():
        if agent.installed and agent.enabled and agent.slug != view.record.agent_type:
            action = QAction(clean_line(agent.label, 60), menu)
            action.triggered.connect(lambda _checked=False, slug=agent.slug: run_again(view, ctx, slug))
            menu.addAction(action)
    if menu.isEmpty():
        menu.addAction(tr("No other agent is ready")).setEnabled(False)
    open_menu_below(menu, anchor)


def plain_deeds(view: TaskView, ctx: FeedContext) -> dict[str, Callable[[], None]]:
    """Deeds that need nothing of the card."""
    record, orders = view.record, ctx.orders
    return {
        "resume": lambda: orders.resume_task(record.task_id),
        "start_now": lambda: orders.start_now(record.task_id),
        "start_again": lambda: restarts_of(ctx.world, orders).start_again(record.task_id),
        "again": lambda: run_again(view, ctx),
        "beside": lambda: ctx.open_beside(record.child_id),
        "log": lambda: ctx.open_log(record.child_id) if ctx.open_log is not None else None,
        "copy": lambda: copy_result(view, ctx),
        "copy_id": lambda: QGuiApplication.clipboard().setText(record.task_id),
        "copy_error": lambda: copy_error(view),
    }
