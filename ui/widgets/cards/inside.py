"""The inside of an unfolded card: the task, the result or the error, the child's live transcript with its own cards.

Owns a nested feed, made when it is first seen. A child that has ended shows its result first. Ends with the card.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from codeg.api import TaskView
from ui.theme import metrics
from ui.theme.painting import hairline, rounded
from ui.theme.theme import theme
from ui.viewmodels.cards import tool_calls
from ui.viewmodels.rows import DelegationRow
from ui.viewmodels.states import ALIVE, State, state_of_task
from ui.widgets.controls import Button, Label
from ui.widgets.feed.context import NESTED_RIGHT, FeedContext
from ui.widgets.feed.feed import Feed
from ui.widgets.text import MessageBody, TerminalView
from ui.wording import end_reason, tr

ERROR_LINES = 6


class CardInside(QWidget):
    """Sunken ground. `acted`: a button inside."""

    resized = Signal()
    acted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._row: DelegationRow | None = None
        self._context: FeedContext | None = None
        self._result_of = ""
        self.task_line = Button("", "ghost", icon="chevron-right", small=True, parent=self)
        self.task = MessageBody("ui", "text.secondary", self)
        self.result = MessageBody(parent=self)
        self.error = TerminalView(self)
        self.copy = Button(tr("Copy result"), icon="copy", small=True, parent=self)
        self.changes = Label("", "small", "text.secondary", parent=self)
        self.again = Button(tr("Run again"), icon="rotate-ccw", small=True, parent=self)
        self.another = Button(tr("Run with another agent…"), small=True, parent=self)
        self.log = Button(tr("Open log"), "ghost", icon="text-align-start", small=True, parent=self)
        self.more = Button("", "ghost", icon="chevron-right", small=True, parent=self)
        self.feed: Feed | None = None
        self._connect()
        theme().changed.connect(self.update)

    def _connect(self) -> None:
        self.task_line.clicked.connect(lambda: self._toggle("task"))
        self.more.clicked.connect(lambda: self._toggle("transcript"))
        self.copy.clicked.connect(lambda: self.acted.emit("copy"))
        self.again.clicked.connect(lambda: self.acted.emit("again"))
        self.another.clicked.connect(lambda: self.acted.emit("another"))
        self.log.clicked.connect(lambda: self.acted.emit("log"))
        for body in (self.task, self.result, self.error):
            body.resized.connect(self.resized)

    # ---- what it shows

    def show_task(self, row: DelegationRow, context: FeedContext) -> None:
        """Show this delegation; called again at each change."""
        self._row, self._context = row, context
        view = context.world.task(row.task_id) if row.task_id else None
        state = state_of_task(view) if view is not None else (State.FAILED if row.failure else State.STARTING)
        self._show_task_text(view.record.task_text if view is not None else row.task)
        self._show_result(view, state)
        self._show_error(row, view, state)
        self._show_transcript(view, state)

    def _is_open(self, part: str, default: bool = False) -> bool:
        if self._context is None or self._row is None:
            return default
        return self._context.view.is_open(self._context.session_id, f"{self._row.key}/{part}", default)

    def _toggle(self, part: str) -> None:
        if self._context is not None and self._row is not None:
            key = f"{self._row.key}/{part}"
            self._context.view.set_open(self._context.session_id, key, not self._is_open(part))
            self.show_task(self._row, self._context)
            self.resized.emit()

    def _show_task_text(self, text: str) -> None:
        opened = self._is_open("task")
        self.task_line.setText(tr("Task"))
        self.task_line.set_icon("chevron-down" if opened else "chevron-right")
        self.task.setVisible(opened)
        if opened:
            self.task.show_text(text)

    def _show_result(self, view: TaskView | None, state: State) -> None:
        done = view is not None and state is State.COMPLETED
        self.result.setVisible(done)
        self.copy.setVisible(done)
        end = view.record.end if view is not None else None
        self.changes.setVisible(done and end is not None and bool(end.files))
        if not done or view is None or self._context is None:
            return
        if end is not None and end.files:
            counts = [f"+{end.added}" if end.added else "", f"−{end.removed}" if end.removed else ""]
            text = "  ".join([tr("%n files changed", n=end.files), *(part for part in counts if part)])
            self.changes.setText(text)
        mark = f"{view.record.task_id}/{view.record.attempt}"
        if self._result_of != mark:
            self._result_of = mark
            self.result.show_text(end.gist if end is not None else "")
            self._context.orders.result(view.record.task_id, lambda text: self._take_result(mark, text))

    def _take_result(self, mark: str, text: str) -> None:
        if mark == self._result_of:
            self.result.show_text(text)
            self.resized.emit()

    def _show_error(self, row: DelegationRow, view: TaskView | None, state: State) -> None:
        failed = state is State.FAILED
        end = view.record.end if view is not None else None
        code, message = (end.code or "", end.message or "") if end is not None else ("", row.failure)
        for part in (self.error, self.again, self.another):
            part.setVisible(failed)
        self.log.setVisible(failed and self._context is not None and self._context.open_log is not None)
        if failed:
            self.error.show_text(end_reason(code, message))

    def _show_transcript(self, view: TaskView | None, state: State) -> None:
        ended = state not in ALIVE
        opened = not ended or self._is_open("transcript")
        calls = tool_calls(view, self._context.world) if view is not None and self._context is not None else None
        self.more.setVisible(ended and view is not None)
        words = tr("Transcript, %n tool calls", n=calls) if calls else tr("Transcript")
        self.more.setText(words)
        self.more.set_icon("chevron-down" if opened else "chevron-right")
        if opened and view is not None and self._context is not None and self.feed is None:
            child = view.record.child_id
            self.feed = Feed(self._context.inside(child), nested=True, parent=self)
            self.feed.height_changed.connect(self.resized)
            self.feed.set_transcript(self._context.transcripts.get(child))
        if self.feed is not None:
            self.feed.setVisible(opened)

    def show_child(self, task_id: str) -> None:
        """Jump to a grandchild's card."""
        if self.feed is not None and self.feed.transcript is not None:
            key = self.feed.transcript.key_of_task(task_id)
            if key is not None:
                self.feed.jump_to(key)

    # ---- where things lie

    def height_for(self, width: int) -> int:
        """Padding 8/12/12/8; the live part at most 480 high."""
        left = metrics.CARD_TEXT - 1
        inner = max(80, width - left - NESTED_RIGHT)
        top = self._place_line(self.task_line, left - 8, metrics.CARD_HEAD_PAD)
        if not self.task.isHidden():
            top = self._place_body(self.task, left, top, inner)
        if not self.result.isHidden():
            top = self._place_body(self.result, left, top + 4, inner)
            top = self._place_row((self.copy, self.changes), left, top + 4)
        if not self.error.isHidden():
            most = ERROR_LINES * theme().line("code") + 2 * metrics.MESSAGE_PAD_V
            tall = min(self.error.height_for(inner), most)
            self.error.setGeometry(left, top + 4, inner, tall)
            top = self._place_row((self.again, self.another, self.log), left, top + tall + 12)
        if not self.more.isHidden():
            top = self._place_line(self.more, left - 8, top + 4)
        if self.feed is not None and not self.feed.isHidden():
            tall = min(self.feed.content_height(width - 1), metrics.CARD_LIVE_MOST)
            self.feed.setGeometry(0, top, width - 1, tall)
            top += tall
        return top + metrics.SPACE_8

    @staticmethod
    def _place_line(line: Button, left: int, top: int) -> int:
        size = line.sizeHint()
        line.setGeometry(left, top, size.width(), size.height())
        return top + size.height()

    @staticmethod
    def _place_body(body: MessageBody, left: int, top: int, width: int) -> int:
        tall = body.height_for(width)
        body.setGeometry(left, top, width, tall)
        return top + tall + 4

    @staticmethod
    def _place_row(parts: "tuple[QWidget, ...]", left: int, top: int) -> int:
        tall = 0
        for part in parts:
            if not part.isHidden():
                size = part.sizeHint()
                part.setGeometry(left, top, size.width(), max(size.height(), metrics.BUTTON_SMALL))
                left += size.width() + 8
                tall = max(tall, metrics.BUTTON_SMALL)
        return top + tall + 4

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground and the rail, round at the lower corners."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0, -10, 0, 0)
        painter.setClipRect(self.rect())
        rounded(painter, box, metrics.RADIUS_8 - 1, theme().color("bg.sunken"))
        if self.feed is not None and not self.feed.isHidden():
            rail = metrics.CARD_RAIL
            hairline(painter, rail, 0, rail, self.height(), theme().color("border.default"))
        painter.end()
