"""Which view shows which row.

Owns the table; views register themselves. A row without a view is shown as one line of text.
"""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from ui.viewmodels.rows import Row
from ui.widgets.feed.view import RowView

Factory = Callable[[QWidget], RowView]
_factories: dict[type, Factory] = {}


def register_view(row_type: type, factory: Factory) -> None:
    """Rows of this type are shown by views of this factory."""
    _factories[row_type] = factory


def view_for(row: Row, parent: QWidget) -> RowView:
    """A fresh view for a row."""
    return _factories[type(row)](parent)
