"""The feed: one conversation as a virtual list of views, one for each type of row.

`Feed` shows a `Transcript`; `register_view` says what shows a type of row.
"""

from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.feed import Feed
from ui.widgets.feed.geometry import Geometry, column_of, geometry
from ui.widgets.feed.registry import factory_of, register_view
from ui.widgets.feed.row_view import RowView, Sign, Stand
from ui.widgets.feed.views import register_views

register_views()

__all__ = [
    "Feed",
    "FeedContext",
    "Geometry",
    "RowView",
    "Sign",
    "Stand",
    "column_of",
    "factory_of",
    "geometry",
    "register_view",
    "register_views",
]
