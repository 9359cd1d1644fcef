"""One row of a settings box: name, explanation, control at the right edge.

Owns its control and the reason under a wrong value; says what the person chose by `chosen(name, value)`. Never writes
anything. Ends with its page.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.theme import metrics
from ui.viewmodels.preferences import Setting, problem_of
from ui.widgets.controls import Field, Label, Select, Stepper, Switch
from ui.wording import tr


class SettingRow(QWidget):
    """At least 56 high; the control follows the kind of the setting."""

    chosen = Signal(str, object)

    def __init__(self, setting: Setting, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setting = setting
        self._show: Callable[[Any], None] = lambda _value: None
        self.problem = Label("", "small", "failed.text", wrap=True)
        self.problem.hide()
        self.control = self._made()
        self.setMinimumHeight(metrics.SETTINGS_ROW)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(16)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label(setting.title, "ui", weight=500, wrap=True))
        words.addWidget(Label(setting.text, "small", "text.secondary", wrap=True))
        words.addWidget(self.problem)
        row.addLayout(words, 1)
        if setting.later:
            row.addWidget(Label(tr("For new sessions"), "small", "text.muted"))
        row.addWidget(self.control, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_value(self, value: Any) -> None:
        """The value that holds; one that the person is typing stays."""
        self._show(value)

    def _say(self, value: object) -> None:
        self.chosen.emit(self.setting.name, value)

    def _made(self) -> QWidget:
        setting = self.setting
        match setting.kind:
            case "switch":
                switch = Switch(setting.title)
                switch.toggled.connect(self._say)
                self._show = lambda value: _quietly(switch, lambda: switch.setChecked(bool(value)))
                return switch
            case "stepper":
                stepper = Stepper(setting.least, setting.most)
                stepper.setAccessibleName(setting.title)
                stepper.changed.connect(self._say)
                self._show = lambda value: stepper.set_value(int(value))
                return stepper
            case "choice":
                select = Select(list(setting.choices))
                select.setAccessibleName(setting.title)
                select.changed.connect(self._say)
                self._show = lambda value: select.set_value(str(value))
                return select
            case _:
                return self._number()

    def _number(self) -> QWidget:
        setting = self.setting
        field = Field("")
        field.setFixedWidth(88)
        field.setAccessibleName(f"{setting.title}, {setting.unit}")
        field.editingFinished.connect(lambda: self._typed(field))
        field.textEdited.connect(lambda: self._judge(field, field.text()))
        self._show = lambda value: None if field.hasFocus() and field.isModified() else field.setText(str(value))
        room = QWidget()
        row = QHBoxLayout(room)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(field)
        row.addWidget(Label(setting.unit, "ui", "text.muted"))
        return room

    def _judge(self, field: Field, text: str) -> str:
        problem = problem_of(self.setting, text)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        field.set_wrong(bool(problem))
        return problem

    def _typed(self, field: Field) -> None:
        if field.isModified() and not self._judge(field, field.text()):
            field.setModified(False)
            self.chosen.emit(self.setting.name, int(field.text()))


def _quietly(widget: QWidget, act: Callable[[], None]) -> None:
    before = widget.blockSignals(True)
    act()
    widget.blockSignals(before)
