"""The composer's foot: pickers at the left, buttons at the right; what has no room folds, the same in any language.

Owns which of its two ends folds first. Ends with the composer.
"""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.theme import metrics
from ui.widgets.composer.buttons import SendButtons
from ui.widgets.composer.pickers import PickerBar

_STEPS = ((0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (2, 2))
"""How far pickers and buttons are folded, the widest first."""


class Foot(QWidget):
    """`fit` is told the composer's width."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pickers = PickerBar()
        self.buttons = SendButtons()
        self.setMinimumWidth(1)  # it folds: no pane is kept wide for its sake
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.SPACE_4)
        row.addWidget(self.pickers)
        row.addStretch(1)
        row.addWidget(self.buttons)

    def fit(self, width: int) -> None:
        """Fold as far as needed. Under 520 px the pickers are one menu at least (design 7.8)."""
        steps = _STEPS if width >= metrics.COMPOSER_MENU else _STEPS[2:]
        room = width - 2 * (metrics.COMPOSER_FOOT_PAD + 1)
        fitting = (step for step in steps if self._width_at(step) <= room)
        narrow, tight = next(fitting, steps[-1])
        self.pickers.set_narrow(narrow)
        self.buttons.set_tight(tight)

    def _width_at(self, step: tuple[int, int]) -> int:
        return self.pickers.width_at(step[0]) + metrics.SPACE_8 + self.buttons.width_at(step[1])
