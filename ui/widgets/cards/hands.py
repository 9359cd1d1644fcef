"""What a card's own parts do when an action is asked for: fields and questions that open in it (design 7.3).

Owns no widget; it opens and closes those of its card. Orders are in `deeds`.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from codeg.api import TaskView
from ui.viewmodels.rows import DelegationRow
from ui.widgets.cards.deeds import offer_agents, plain_deeds, stop_question
from ui.widgets.cards.lines import ConfirmLine, FieldLine, FollowUpField, SteerField
from ui.widgets.feed.context import FeedContext
from ui.wording import tr

if TYPE_CHECKING:
    from ui.widgets.cards.card import DelegationCard


class CardHands(QObject):
    """The hands of one card."""

    def __init__(self, card: "DelegationCard") -> None:
        super().__init__(card)
        self._card = card

    def do(self, name: str) -> None:
        """Carry an action out."""
        view, ctx = self._card.view_now(), self._card.ctx
        if ctx is None:
            return
        if view is None:
            self._do_without(name, ctx)
            return
        deed = plain_deeds(view, ctx).get(name)
        if deed is not None:
            deed()
            return
        match name:
            case "stop" | "cancel":
                self._stop(view, ctx)
            case "steer":
                self._open_field(SteerField, view, ctx)
            case "follow_up":
                self._open_field(FollowUpField, view, ctx)
            case "another":
                offer_agents(view, ctx, self._card.head.strip.more)
            case "task":
                self._show_task(ctx)
            case _:
                self._card.show_waiting()

    def _do_without(self, name: str, ctx: FeedContext) -> None:
        """The host does not know the child."""
        if name == "copy_error" and isinstance(self._card.row, DelegationRow):
            QGuiApplication.clipboard().setText(self._card.row.failure)
        elif name == "task":
            self._show_task(ctx)

    def _show_task(self, ctx: FeedContext) -> None:
        card = self._card
        if card.row is None:
            return
        if not card.can_open():
            self.do("beside")
            return
        ctx.view.set_open(ctx.session_id, f"{card.row.key}/task", True)
        card.set_open(True)
        card.fill()
        card.resized.emit()

    # ---- stop

    def _stop(self, view: TaskView, ctx: FeedContext) -> None:
        """At once; one line asks where there are living children."""
        card, question = self._card, stop_question(view, ctx)
        if not question:
            ctx.orders.cancel_task(view.record.task_id)
            return
        if card.confirm is None:
            card.confirm = ConfirmLine(question, tr("Stop"), card)
            card.confirm.answered.connect(self._confirmed)
            card.confirm.show()
            card.head.says = ()
            card.head.update()
            card.place(card.width())
        card.confirm.setFocus(Qt.FocusReason.OtherFocusReason)

    def _confirmed(self, yes: bool) -> None:
        card, view = self._card, self._card.view_now()
        if yes and view is not None and card.ctx is not None:
            card.ctx.orders.cancel_task(view.record.task_id)
        if card.confirm is not None:
            drop(card.confirm)
            card.confirm, card.head.says = None, None
            card.head.update()
            card.take_focus_back()

    # ---- fields

    def _open_field(self, kind: type[FieldLine], view: TaskView, ctx: FeedContext) -> None:
        card = self._card
        if not kind.is_kept(view.record.task_id, ctx):
            ctx.view.set_value(f"{kind.kind}-{view.record.task_id}", "")
        card.fill_field(ctx)
        card.resized.emit()
        card.place(card.width())
        if card.field is not None:
            card.field.take_focus()

    def shut_field(self) -> None:
        """The field is over."""
        card = self._card
        if card.field is not None:
            drop(card.field)
            card.field = None
            card.resized.emit()
            card.take_focus_back()


def drop(part: QWidget) -> None:
    """A part is over."""
    part.hide()
    part.deleteLater()


def has_focus_in(part: QWidget) -> bool:
    """The focus is on it or inside it."""
    focus = QApplication.focusWidget()
    return focus is not None and (focus is part or part.isAncestorOf(focus))  # pyright: ignore[reportUnnecessaryComparison]  # none at times
