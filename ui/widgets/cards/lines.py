"""Lines that a card opens under its head: a field for a note, one for a follow-up, a question before a stop.

Own their field. Enter sends, Esc closes; what could not be sent stays. End with the card or when they are closed.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from codeg.api import TaskView
from ui.theme import metrics
from ui.theme.theme import theme
from ui.widgets.controls import Button, Field, IconButton, Label
from ui.widgets.feed.context import FeedContext
from ui.wording import clean_line, clock_time, tr


class _FieldLine(QWidget):
    """A field at the text's line, and a way out."""

    closed = Signal()

    def __init__(self, placeholder: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = Field(placeholder, parent=self)
        self.field.setAccessibleName(placeholder)
        self.said = Label("", "small", "text.muted", parent=self)
        self.said.hide()
        close = IconButton("x", tr("Close"), "Esc", small=True, parent=self)
        close.clicked.connect(self.closed)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        row.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.CARD_TEXT - 1, 2, 8, 6)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.said)
        self.field.returnPressed.connect(self._send)

    def height_for(self, _width: int) -> int:
        """36, and a line for what became of it."""
        said = theme().line("small") + 4 if not self.said.isHidden() else 0
        return theme().row(metrics.STEER_FIELD) + said

    def take_focus(self) -> None:
        """Into the field."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def tell(self, text: str) -> None:
        """What became of it."""
        self.said.setText(text)
        self.said.setVisible(bool(text))
        self.updateGeometry()

    def _send(self) -> None:
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


class SteerField(_FieldLine):
    """A note for a running child; sent notes show as pending, then delivered."""

    def __init__(self, session_id: str, context: FeedContext, parent: QWidget) -> None:
        name = context.world.agent_name(session_id)
        super().__init__(tr("Note for {agent}", agent=name), parent)
        self._session_id, self._context = session_id, context
        context.world.changed.connect(self._changed)
        context.orders.notes(session_id)
        self._changed(None)

    def _send(self) -> None:
        text = self.field.text().strip()
        if text:
            self._context.orders.note(self._session_id, text, then=lambda _id: self._sent(), failed=self.tell)

    def _sent(self) -> None:
        self.field.clear()

    def _changed(self, _batch: object) -> None:
        notes = self._context.world.notes(self._session_id)
        if not notes:
            return
        last = notes[-1]
        state = tr("delivered {time}", time=clock_time(last.delivered_ms)) if last.delivered_ms else tr("pending")
        self.tell(f"{clean_line(last.text, 80)} · {state}")


class FollowUpField(_FieldLine):
    """What an ended child shall do next."""

    def __init__(self, task_id: str, context: FeedContext, parent: QWidget) -> None:
        super().__init__(tr("What should it do next?"), parent)
        self._task_id, self._context = task_id, context

    def _send(self) -> None:
        text = self.field.text().strip()
        if text:
            order = self._context.orders.follow_up
            order(self._task_id, text, then=lambda _answer: self.closed.emit(), failed=self.tell)


class ConfirmLine(QWidget):
    """One line that asks before a stop of several. Esc is no."""

    answered = Signal(bool)

    def __init__(self, text: str, verb: str, parent: QWidget) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.CARD_TEXT - 1, 2, 8, 6)
        row.setSpacing(8)
        row.addWidget(Label(text, "ui"), 1)
        self.yes = Button(verb, small=True)
        self.no = Button(tr("Keep running"), "ghost", small=True)
        row.addWidget(self.yes)
        row.addWidget(self.no)
        self.yes.clicked.connect(lambda: self.answered.emit(True))
        self.no.clicked.connect(lambda: self.answered.emit(False))
        self.setFocusProxy(self.yes)

    def height_for(self, _width: int) -> int:
        """One line."""
        return theme().row(metrics.STEER_FIELD)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc keeps it running."""
        if event.key() == Qt.Key.Key_Escape:
            self.answered.emit(False)
        else:
            super().keyPressEvent(event)


def agent_menu(anchor: QWidget, context: FeedContext, view: TaskView) -> None:
    """Run the same task with another agent."""
    menu = QMenu(anchor)
    record = view.record
    for agent in context.world.agents():
        if agent.installed and agent.enabled and agent.slug != record.agent_type:
            action = QAction(agent.label, menu)
            action.triggered.connect(
                lambda _checked=False, slug=agent.slug: context.orders.delegate(
                    record.parent_id, slug, record.task_text, record.working_dir
                )
            )
            menu.addAction(action)
    if menu.isEmpty():
        menu.addAction(tr("No other agent is ready")).setEnabled(False)
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(anchor.mapToGlobal(QPoint(0, anchor.height() + 2)))
