"""The form of a plan: the plan as prose, at most half the window high; approve, ask for changes, reject.

Owns its parts; the options stay the agent's own words.
"""

from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.asks import Ask
from ui.widgets.asks.permission import PermissionForm
from ui.widgets.text import MessageBody


class PlanForm(PermissionForm):
    """A permission whose matter is prose."""

    def __init__(self, ask: Ask, framed: bool, parent: QWidget) -> None:
        self.body: MessageBody | None = None
        super().__init__(ask, framed, parent)

    def _fill(self) -> None:
        super()._fill()
        if self.body is None:
            self.body = MessageBody(parent=self.diff_room.body)
            self.diff_room.column.addWidget(self.body)
            self.body.resized.connect(self.resized)
        self.body.show_text(self.matter.plan)
        self.diff_room.setVisible(bool(self.matter.plan))

    def height_for(self, width: int) -> int:
        """Half the window for the plan at most."""
        inner = self._width(width)
        window = self.window().height() if self.window() is not None else 600
        top = metrics.ASK_PAD_TOP + theme().line("ui") + 6
        if self.body is not None and self.matter.plan:
            whole = self.body.height_for(inner - 24)
            self.body.setFixedSize(inner - 24, whole)
            tall = min(whole + 4, max(160, window // 2))
            self.diff_room.setGeometry(self.left, top, inner, tall)
            top += tall + 4
        return self._place_buttons(top + 6, inner) + metrics.ASK_PAD_BOTTOM
