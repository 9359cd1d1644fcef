"""What a card opens at its head: a field for a note, one for a follow-up, one line that asks before a stop.

Own their fields; what is typed is kept by the view state, since cards are pooled. Enter sends, Esc closes; what could
not be sent stays. They never touch the card: `closed` and `answered` tell it.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget
from shiboken6 import isValid

from codeg.api import NoteRecord, TaskView
from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text
from ui.theme.theme import theme
from ui.viewmodels.world import Batch
from ui.widgets.controls import Button, Field, IconButton, Label
from ui.widgets.feed.context import FeedContext
from ui.widgets.mirror import put, turned
from ui.wording import clean_line, clock_time, tr

NOTES_SHOWN = 3
_RIGHT = metrics.CARD_HEAD_PAD
_GAP = metrics.SPACE_4


class FieldLine(QWidget):
    """One field where all text of a card starts. `kind`: names what is typed in the view state."""

    closed = Signal()
    resized = Signal()
    kind = "line"

    def __init__(self, task_id: str, placeholder: str, ctx: FeedContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._task_id, self._ctx = task_id, ctx
        self._problem = ""
        self.field = Field(placeholder, parent=self)
        self.field.setText(ctx.view.value(f"{self.kind}-{task_id}", "") or "")
        self.field.returnPressed.connect(self.send)
        self.field.textEdited.connect(self._keep)
        self.close_button = IconButton("x", tr("Close"), "Escape", small=True, parent=self)
        self.close_button.clicked.connect(self.shut)
        self._keep(self.field.text())
        theme().changed.connect(self.update)

    @classmethod
    def is_kept(cls, task_id: str, ctx: FeedContext) -> bool:
        """It was open when the card was last seen."""
        return ctx.view.value(f"{cls.kind}-{task_id}") is not None

    # ---- for kinds of lines

    def order(self, text: str) -> None:
        """Send it."""
        raise NotImplementedError

    def said(self) -> tuple[tuple[str, str], ...]:
        """Lines under the field: icon and text."""
        return ()

    # ---- what happens

    def take_focus(self) -> None:
        """Into the field."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def send(self) -> None:
        """Enter."""
        text = self.field.text().strip()
        if text:
            self._problem = ""
            self.field.setEnabled(False)
            self.order(text)

    def sent(self) -> None:
        """The host took it."""
        if not isValid(self):  # the card went out of sight meanwhile
            self._ctx.view.set_value(f"{self.kind}-{self._task_id}", None)
            return
        self.field.setEnabled(True)
        self.field.clear()
        self._keep("")
        self.take_focus()
        self.resized.emit()

    def refused(self, sentence: str) -> None:
        """It did not; what was typed stays."""
        if not isValid(self):
            return
        self.field.setEnabled(True)
        self._problem = clean_line(sentence)
        self.take_focus()
        self.resized.emit()
        self.update()

    def shut(self) -> None:
        """Esc."""
        self._ctx.view.set_value(f"{self.kind}-{self._task_id}", None)
        if isValid(self):
            self.closed.emit()

    def _keep(self, text: str) -> None:
        self._ctx.view.set_value(f"{self.kind}-{self._task_id}", text)

    # ---- Qt

    def height_for(self) -> int:
        """36, and a line for each thing said."""
        lines = self._lines()
        below = len(lines) * (theme().line("small") + _GAP) + (metrics.SPACE_4 if lines else 0)
        return theme().row(metrics.STEER_FIELD) + below

    def _lines(self) -> tuple[tuple[str, str], ...]:
        return (("circle-x", self._problem),) if self._problem else self.said()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes; every other key that the field does not take stays here."""
        if event.key() == Qt.Key.Key_Escape:
            self.shut()
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The field fills the line."""
        super().resizeEvent(event)
        tall, side = self.field.sizeHint().height(), self.close_button.sizeHint().width()
        top = (theme().row(metrics.STEER_FIELD) - tall) // 2
        left, right = metrics.CARD_TEXT, self.width() - _RIGHT - side
        put(self.field, left, top, right - _GAP - left, tall)
        put(self.close_button, right, top + (tall - side) // 2, side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """What became of it."""
        painter = QPainter(self)
        line, side = theme().line("small"), metrics.ICON_RAIL
        top = float(theme().row(metrics.STEER_FIELD))
        token = "failed.text" if self._problem else "text.muted"
        for icon, text in self._lines():
            place = turned(self, QRectF(metrics.CARD_TEXT, top + (line - side) / 2, side, side))
            draw_icon(painter, place, icon, theme().color(token))
            left = metrics.CARD_TEXT + side + metrics.INNER_6
            room = turned(self, QRectF(left, top, self.width() - left - _RIGHT, line))
            draw_text(painter, room, text, theme().font("small"), theme().color(token))
            top += line + _GAP
        painter.end()


class SteerField(FieldLine):
    """A note for a running child."""

    kind = "steer"

    def __init__(self, view: TaskView, ctx: FeedContext, parent: QWidget) -> None:
        self._session_id = view.record.child_id
        name = ctx.world.label_of(view.record.agent_type)
        super().__init__(view.record.task_id, tr("Note for {agent}", agent=name), ctx, parent)
        ctx.orders.notes(self._session_id)
        ctx.world.changed.connect(self._changed)

    def order(self, text: str) -> None:
        """Leave the note."""
        self._ctx.orders.note(self._session_id, text, then=lambda _note: self.sent(), failed=self.refused)

    def said(self) -> tuple[tuple[str, str], ...]:
        """The latest notes, pending or delivered."""
        return tuple(_note_line(note) for note in self._ctx.world.notes(self._session_id)[-NOTES_SHOWN:])

    def _changed(self, batch: Batch) -> None:
        if self._session_id in batch.notes:
            self.resized.emit()
            self.update()


class FollowUpField(FieldLine):
    """What an ended child shall do next, in its own session."""

    kind = "follow-up"

    def __init__(self, view: TaskView, ctx: FeedContext, parent: QWidget) -> None:
        super().__init__(view.record.task_id, tr("What should it do next?"), ctx, parent)

    def order(self, text: str) -> None:
        """Go on with it."""
        self._ctx.orders.follow_up(self._task_id, text, then=lambda _answer: self.shut(), failed=self.refused)


def kept_field(view: TaskView, offered: Sequence[str], ctx: FeedContext) -> "type[SteerField | FollowUpField] | None":
    """The field that was open when the card was last seen, where its action is still offered."""
    task_id = view.record.task_id
    if "steer" in offered and SteerField.is_kept(task_id, ctx):
        return SteerField
    return FollowUpField if "follow_up" in offered and FollowUpField.is_kept(task_id, ctx) else None


class ConfirmLine(QWidget):
    """Asks in place of a card's second line before several are stopped. Esc keeps them running."""

    answered = Signal(bool)

    def __init__(self, question: str, verb: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.question = Label(question, elide=True)
        self.yes = Button(verb, small=True)
        self.no = Button(tr("Keep running"), "ghost", small=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.SPACE_8)
        row.addWidget(self.question)
        row.addWidget(self.yes)
        row.addWidget(self.no)
        row.addStretch(1)
        self.yes.clicked.connect(lambda: self.answered.emit(True))
        self.no.clicked.connect(lambda: self.answered.emit(False))
        self.setFocusProxy(self.yes)
        self.setAccessibleName(question)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc is no."""
        if event.key() == Qt.Key.Key_Escape:
            self.answered.emit(False)
        event.accept()


def _note_line(note: NoteRecord) -> tuple[str, str]:
    text = clean_line(note.text, 120)
    if note.delivered_ms is None:
        return "clock", tr("{note} · pending", note=text)
    return "check", tr("{note} · delivered {time}", note=text, time=clock_time(note.delivered_ms))
