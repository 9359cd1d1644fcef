"""The delegation card: a child in the place of the tool call, folded or live. Importing it registers it."""

from ui.viewmodels.rows import DelegationRow
from ui.widgets.cards.card import DelegationCard
from ui.widgets.feed.registry import register_view

register_view(DelegationRow, DelegationCard)

__all__ = ["DelegationCard"]
