"""One page of Settings: title, sentence, groups of rows in boxes (design 7.10).

Owns the rows; `chosen(name, value, before)` says what the person changed, in the form of the file. Ends with the page.
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.theme import metrics
from ui.viewmodels.preferences import Page, stored, value_of
from ui.viewmodels.states import State
from ui.viewmodels.world import World
from ui.widgets.controls import Box, Button, Label, MarkLabel, ScrollColumn
from ui.widgets.settings.rows import SettingRow
from ui.wording import tr


class Sheet(ScrollColumn):
    """Title and groups; subclasses add boxes of their own by `add_parts`."""

    chosen = Signal(str, object, object)
    undo_asked = Signal()

    def __init__(self, page: Page, world: World, parent: QWidget | None = None) -> None:
        super().__init__(parent, most=metrics.SETTINGS_PAGE)
        self.page, self.world = page, world
        self.rows: dict[str, SettingRow] = {}
        self.saved = self._saved_bar()
        self.column.setContentsMargins(24, 20, 24, 20)
        self.column.setSpacing(8)
        self.column.addLayout(self._head())
        for group in page.groups:
            if group.title:
                self.column.addSpacing(8)
                self.column.addWidget(Label(group.title, "heading"))
            box = Box()
            for setting in group.settings:
                row = SettingRow(setting)
                row.chosen.connect(self._chosen)
                self.rows[setting.name] = row
                box.add_row(row)
            self.column.addWidget(box)
        self.add_parts()
        self.column.addStretch(1)
        self.refresh()

    def add_parts(self) -> None:
        """More boxes, below the groups."""

    def refresh(self) -> None:
        """Show the values that hold."""
        settings = self.world.settings()
        for row in self.rows.values():
            row.show_value(value_of(settings, row.setting))

    def mark(self, names: Sequence[str]) -> None:
        """Rows that a search found: the first takes the focus of the eye."""
        for name in names:
            if name in self.rows:
                self.ensureWidgetVisible(self.rows[name])
                return

    def show_saved(self, is_saved: bool) -> None:
        """Say that a change holds, with the way back."""
        self.saved.setVisible(is_saved)

    def show_problem(self, name: str, sentence: str) -> None:
        """The host refused a value."""
        row = self.rows.get(name)
        if row is not None:
            row.problem.setText(sentence)
            row.problem.show()
            row.show_value(value_of(self.world.settings(), row.setting))

    def _chosen(self, name: str, shown: Any) -> None:
        row = self.rows[name]
        row.problem.hide()
        before = stored(row.setting, value_of(self.world.settings(), row.setting))
        value = stored(row.setting, shown)
        if value != before:
            self.chosen.emit(name, value, before)

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label(self.page.title, "title"))
        words.addWidget(Label(self.page.text, "ui", "text.secondary", wrap=True))
        row.addLayout(words, 1)
        row.addWidget(self.saved, 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def _saved_bar(self) -> QWidget:
        bar = QWidget()
        row = QHBoxLayout(bar)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(MarkLabel(State.COMPLETED, 14))
        row.addWidget(Label(tr("Saved"), "ui", "completed.text"))
        undo = Button(tr("Undo"), key="Ctrl+Z", small=True)
        undo.clicked.connect(self.undo_asked)
        row.addWidget(undo)
        bar.hide()
        return bar
