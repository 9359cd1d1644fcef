"""What is unfolded in the tree, remembered over a restart.

Owns the rows that the person left otherwise than they come: folders come open, sessions and children folded. Bounded;
ends with the sidebar.
"""

from collections import OrderedDict
from typing import Any, cast

from ui.viewmodels.sidebar import Node
from ui.viewmodels.view_state import ViewState

NAME = "sidebar.folds"
MOST = 400


class Folds:
    """By key of the row."""

    def __init__(self, view: ViewState) -> None:
        self._view = view
        self._held: OrderedDict[str, bool] = OrderedDict()
        self.read()

    def read(self) -> bool:
        """Take over what was remembered; whether it differs from what holds now."""
        kept: Any = self._view.value(NAME)
        shape = cast("dict[str, Any]", kept) if isinstance(kept, dict) else {}
        held = OrderedDict((key, value) for key, value in list(shape.items())[-MOST:] if isinstance(value, bool))
        changed, self._held = dict(held) != dict(self._held), held
        return changed

    def is_open(self, node: Node) -> bool:
        """Whether its rows are shown."""
        return self._held.get(node.key, node.is_folder)

    def set_open(self, node: Node, *, is_open: bool) -> None:
        """The person, or what they opened, changed it."""
        if self.is_open(node) is is_open:
            return
        self._held.pop(node.key, None)
        if is_open is not node.is_folder:
            self._held[node.key] = is_open
        while len(self._held) > MOST:
            self._held.popitem(last=False)
        self._view.set_value(NAME, dict(self._held))
