"""Which view shows which type of row.

Owns the table; rooms add theirs with `register_view`. A type without a view gets the plain one, so that nothing is ever
missing from a transcript.
"""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from ui.viewmodels.rows import Row
from ui.widgets.feed.plain_row import PlainRowView
from ui.widgets.feed.row_view import RowView

Factory = Callable[[QWidget], RowView]
_views: dict[type[Row], Factory] = {}


def register_view(row_type: type[Row], factory: Factory) -> None:
    """Show rows of this type by what `factory` makes, given its parent."""
    _views[row_type] = factory


def factory_of(row_type: type[Row]) -> Factory:
    """What makes views of this type."""
    return _views.get(row_type, PlainRowView)
