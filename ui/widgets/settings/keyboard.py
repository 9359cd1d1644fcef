"""Settings, Keyboard: every action and its key, each can be changed (design 9).

Owns the fields; a key that another action has is refused with a sentence. Ends with the page.
"""

from collections.abc import Callable

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QKeySequenceEdit, QWidget

from ui.theme import metrics
from ui.viewmodels.commands import Command
from ui.viewmodels.preferences import Page
from ui.viewmodels.world import World
from ui.widgets.controls import Box, IconButton, Label
from ui.widgets.settings.sheet import Sheet
from ui.wording import tr


class KeyboardSheet(Sheet):
    """One row an action."""

    def __init__(self, page: Page, world: World, commands: Callable[[], list[Command]]) -> None:
        self._commands = commands
        self._edits: dict[str, QKeySequenceEdit] = {}
        self.problem = Label("", "small", "failed.text", wrap=True)
        super().__init__(page, world)

    def add_parts(self) -> None:
        """A box a section."""
        self.problem.hide()
        self.column.addWidget(self.problem)
        sections: dict[str, Box] = {}
        for command in self._commands():
            if command.section not in sections:
                self.column.addSpacing(8)
                self.column.addWidget(Label(command.section, "heading"))
                sections[command.section] = Box()
                self.column.addWidget(sections[command.section])
            sections[command.section].add_row(self._row(command))

    def _row(self, command: Command) -> QWidget:
        row = QWidget()
        row.setMinimumHeight(metrics.LIST_ROW)
        line = QHBoxLayout(row)
        line.setContentsMargins(16, 6, 16, 6)
        line.addWidget(Label(command.text, "ui"), 1)
        edit = QKeySequenceEdit(QKeySequence(command.key))
        edit.setMaximumSequenceLength(1)
        edit.setFixedWidth(180)
        edit.setAccessibleName(tr("Key of {action}", action=command.text))
        edit.editingFinished.connect(lambda: self._changed(command))
        self._edits[command.id] = edit
        line.addWidget(edit)
        reset = IconButton("rotate-ccw", tr("Back to the default key"), small=True)
        reset.clicked.connect(lambda: self._reset(command))
        line.addWidget(reset)
        return row

    def refresh(self) -> None:
        """The keys that hold."""
        keys = {command.id: command.key for command in self._commands()}
        for name, edit in self._edits.items():
            if not edit.hasFocus():
                edit.setKeySequence(QKeySequence(keys.get(name, "")))

    def _own(self) -> dict[str, str]:
        return dict(self.world.settings().desktop.keys)

    def _changed(self, command: Command) -> None:
        key = self._edits[command.id].keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        taken = next((c.text for c in self._commands() if c.id != command.id and key and c.key == key), None)
        self.problem.setVisible(taken is not None)
        if taken is not None:
            self.problem.setText(tr("{key} belongs to “{action}” already.", key=key, action=taken))
            self._edits[command.id].setKeySequence(QKeySequence(command.key))
        elif key != command.key:
            self.chosen.emit("desktop.keys", self._own() | {command.id: key}, self._own())

    def _reset(self, command: Command) -> None:
        before = self._own()
        keys = {name: key for name, key in before.items() if name != command.id}
        if keys != before:
            self.chosen.emit("desktop.keys", keys, before)
