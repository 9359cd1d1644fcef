"""Views of rows, used again and again: a feed of 10,000 rows has some thirty of them.

Owns the views that rest. They are children of the feed's viewport and end with it.
"""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from ui.viewmodels.rows import Row
from ui.widgets.feed.registry import factory_of
from ui.widgets.feed.row_view import RowView

_RESTING_MOST = 16
"""Of each type."""


class Pool:
    """Hands out views by type of row. `greet` is called once for each new view."""

    def __init__(self, parent: QWidget, greet: Callable[[RowView], None]) -> None:
        self._parent, self._greet = parent, greet
        self._resting: dict[type[Row], list[RowView]] = {}

    def take(self, kind: type[Row]) -> RowView:
        """A view for rows of this type."""
        resting = self._resting.get(kind)
        if resting:
            return resting.pop()
        view = factory_of(kind)(self._parent)
        self._greet(view)
        return view

    def give_back(self, kind: type[Row], view: RowView) -> None:
        """It shows nothing now."""
        view.hide()
        view.rest()
        resting = self._resting.setdefault(kind, [])
        if len(resting) < _RESTING_MOST:
            resting.append(view)
        else:
            view.deleteLater()
