"""The feed: a virtual scroll area over the rows of a transcript, with pooled views."""

from ui.widgets.feed import says, tools  # their views register themselves
from ui.widgets.feed.context import FeedContext, Geometry
from ui.widgets.feed.feed import Feed
from ui.widgets.feed.registry import register_view
from ui.widgets.feed.view import RowView

__all__ = ["Feed", "FeedContext", "Geometry", "RowView", "register_view", "says", "tools"]
