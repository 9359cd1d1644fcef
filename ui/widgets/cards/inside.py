"""The inside of an unfolded card: the task, the result or the error, the child's live transcript with its own cards.

Owns a nested feed, made when it is first seen. A child that has ended shows its result first, the transcript folded.
Ends with the card, or rests when the card does.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QWidget

from codeg.api import End, TaskView
from ui.theme import metrics
from ui.theme.painting import draw_text, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.ask_desk import desk_of
from ui.viewmodels.card_numbers import tool_calls
from ui.viewmodels.cards import shown_state
from ui.viewmodels.results import Results, results_of
from ui.viewmodels.rows import DelegationRow
from ui.viewmodels.states import ALIVE, State
from ui.widgets.asks import AnsweredLine
from ui.widgets.asks.command import CommandBox
from ui.widgets.controls import Button
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.feed import Feed
from ui.widgets.mirror import put, turned
from ui.widgets.text.clean import clean
from ui.widgets.text.looks import Look
from ui.widgets.text.markdown import MarkdownBody
from ui.wording import end_reason, tr

ERROR_LINES, ANSWERS_SHOWN = 6, 3
_LEFT = metrics.CARD_TEXT - 1
_NO_BAR = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
_RIGHT, _BOTTOM, _GAP = metrics.SPACE_12, metrics.SPACE_12, metrics.SPACE_8


class CardInside(QWidget):
    """Lies within the card's outline. `acted`: a button inside; `resized`: it needs another height."""

    resized = Signal()
    acted = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._row: DelegationRow | None = None
        self._ctx: FeedContext | None = None
        self._results: Results | None = None
        self._end: End | None = None
        self._changes = QRectF()
        self.task_line = self._fold_line("task")
        self.task = MarkdownBody(Look("ui", "text.secondary", code_ground="bg.hover"), self)
        self.result = MarkdownBody(Look(code_ground="bg.surface"), self)
        self.error = CommandBox(self, ERROR_LINES, tr("Error"))
        self.copy_button = self._button("copy", tr("Copy result"), "copy")
        self.again = self._button("again", tr("Run again"), "rotate-ccw")
        self.another = self._button("another", tr("Run with another agent…"))
        self.log = self._button("log", tr("Open log"), "text-align-start", kind="ghost")
        self.more = self._fold_line("transcript")
        self.answers: list[AnsweredLine] = []
        self.feed: Feed | None = None
        for body in (self.task, self.result):
            body.resized.connect(self.resized)
            body.link_asked.connect(self._follow)
        theme().changed.connect(self.update)

    def _button(self, action: str, word: str, icon: str | None = None, kind: str = "outlined") -> Button:
        button = Button(word, kind, icon, small=True, parent=self)
        button.clicked.connect(lambda: self.acted.emit(action))
        return button

    def _fold_line(self, part: str) -> Button:
        line = Button("", "ghost", "chevron-right", small=True, parent=self)
        line.clicked.connect(lambda: self.toggle(part))
        return line

    # ---- what it shows

    def show_task(self, row: DelegationRow, ctx: FeedContext) -> None:
        """Show this delegation; called again at each change."""
        if self._ctx is None or self._ctx.world is not ctx.world:
            self._results = results_of(ctx.world, ctx.orders)
            self._results.came.connect(self._came)
        self._row, self._ctx = row, ctx
        view = ctx.world.task(row.task_id) if row.task_id else None
        state = shown_state(view) if view is not None else State.FAILED if row.failure else State.STARTING
        self._end = view.record.end if view is not None and state not in ALIVE else None
        self._show_result(view, state)
        self._show_error(row, state)
        self._show_transcript(view, state)
        self._show_answers(view)
        self._show_text(view.record.task_text if view is not None else row.task)
        self.update()

    def rest(self) -> None:
        """Let go of everything that is read."""
        if self._results is not None:
            self._results.came.disconnect(self._came)
        self._results = self._row = self._ctx = self._end = None
        self._drop_feed()

    def is_open(self, part: str) -> bool:
        """Whether a folded part is unfolded."""
        if self._ctx is None or self._row is None:
            return False
        return self._ctx.view.is_open(self._ctx.session_id, f"{self._row.key}/{part}")

    def toggle(self, part: str) -> None:
        """Unfold or fold a part."""
        if self._ctx is not None and self._row is not None:
            key = f"{self._row.key}/{part}"
            self._ctx.view.set_open(self._ctx.session_id, key, not self.is_open(part))
            self.show_task(self._row, self._ctx)
            self.resized.emit()

    def unfold(self, part: str) -> None:
        """Have a part unfolded; the transcript of a living child is anyway."""
        if not self.is_open(part) and not (part == "transcript" and self.feed is not None):
            self.toggle(part)

    def _follow(self, address: str) -> None:
        if self._ctx is not None:
            self._ctx.open_link(address)

    def _show_text(self, text: str) -> None:
        """The task by itself, where no transcript begins with it."""
        transcript = self.feed.transcript if self.feed is not None else None
        empty = transcript is not None and transcript.rowCount() == 0 and not transcript.loading
        alone = empty or (transcript is None and self.more.isHidden())
        opened = self.is_open("task")
        self.task_line.setVisible(opened or alone)
        self.task_line.setText(tr("Task"))
        self.task_line.set_icon("chevron-down" if opened else "chevron-right")
        self.task.setVisible(opened)
        if opened:
            self.task.show_text(text)

    def _show_result(self, view: TaskView | None, state: State) -> None:
        done = view is not None and state is State.COMPLETED
        self.copy_button.setVisible(done)
        text = ""
        if done and view is not None and self._results is not None:
            end = view.record.end
            told = self._results.text(view)
            text = told if told is not None else end.gist if end is not None else ""
            text = text or (end.message if end is not None and end.message else "")
        self.result.setVisible(bool(text))
        if text:
            self.result.show_text(text)

    def _came(self, task_id: str) -> None:
        if self._row is not None and self._ctx is not None and self._row.task_id == task_id and self.isVisible():
            self.show_task(self._row, self._ctx)
            self.resized.emit()

    def _show_error(self, row: DelegationRow, state: State) -> None:
        failed, end = state is State.FAILED, self._end
        self.error.setVisible(failed)
        known = failed and row.task_id is not None
        for part in (self.again, self.another):
            part.setVisible(known)
        self.log.setVisible(known and self._ctx is not None and self._ctx.open_log is not None)
        if failed:
            text = end_reason(end.code or "", end.message or "") if end is not None else row.failure
            self.error.show_command(clean(text))

    def _show_transcript(self, view: TaskView | None, state: State) -> None:
        ctx, ended = self._ctx, state not in ALIVE
        opened = view is not None and (not ended or self.is_open("transcript"))
        calls = tool_calls(view, ctx.world) if view is not None and ctx is not None else None
        self.more.setVisible(ended and view is not None)
        self.more.setText(tr("Transcript, %n tool calls", n=calls) if calls else tr("Transcript"))
        self.more.set_icon("chevron-down" if opened else "chevron-right")
        if not opened or view is None or ctx is None:
            self._drop_feed()
        elif (
            self.feed is None or self.feed.transcript is None or self.feed.transcript.session_id != view.record.child_id
        ):
            self._drop_feed()
            self._make_feed(view.record.child_id, ctx)

    def _make_feed(self, child_id: str, ctx: FeedContext) -> None:
        self.feed = Feed(ctx.inside(child_id), nested=True, parent=self)
        self.feed.content_resized.connect(self._feed_resized)
        self.feed.leave_asked.connect(self.left)
        transcript = ctx.transcripts.get(child_id)
        transcript.loaded.connect(self._feed_resized)
        self.feed.set_transcript(transcript)
        self.feed.show()

    def _drop_feed(self) -> None:
        feed, self.feed = self.feed, None
        if feed is not None:
            if feed.transcript is not None:
                feed.transcript.loaded.disconnect(self._feed_resized)
            feed.content_resized.disconnect(self._feed_resized)
            feed.hide()
            feed.deleteLater()

    def _feed_resized(self) -> None:
        if self._row is not None and self._ctx is not None:
            view = self._ctx.world.task(self._row.task_id) if self._row.task_id else None
            self._show_text(view.record.task_text if view is not None else self._row.task)
        self.resized.emit()

    def _show_answers(self, view: TaskView | None) -> None:
        """What this window answered here, the latest ones."""
        given = ()
        if view is not None and self._ctx is not None:
            given = desk_of(self._ctx.world, self._ctx.orders).given_to(view.record.child_id)[-ANSWERS_SHOWN:]
        if tuple(line.given for line in self.answers) == given:
            return
        for line in self.answers:
            line.hide()
            line.deleteLater()
        self.answers = [AnsweredLine(one, _LEFT, self) for one in given]
        for line in self.answers:
            line.show()

    # ---- where things lie

    def height_for(self, width: int) -> int:
        """Padding 8/12/12/8; the live part at most 480 high."""
        inner = max(metrics.SPACE_32, width - _LEFT - _RIGHT)
        top = metrics.CARD_HEAD_PAD
        if not self.task_line.isHidden():
            top = self._put_line(self.task_line, top)
        if not self.task.isHidden():
            top = self._put_body(self.task, top, inner) + _GAP
        for line in self.answers:
            put(line, 0, top, width, line.sizeHint().height())
            top += line.sizeHint().height()
        if not self.result.isHidden():
            top = self._put_body(self.result, top, inner) + _GAP
        top = self._put_row((self.copy_button,), top, inner)
        if not self.error.isHidden():
            tall = self.error.height_for(inner)
            put(self.error, _LEFT, top, inner, tall)
            top = self._put_row((self.again, self.another, self.log), top + tall + _GAP, inner)
        if not self.more.isHidden():
            top = self._put_line(self.more, top)
        if self.feed is None:
            return top + _BOTTOM - metrics.SPACE_4
        if top == metrics.CARD_HEAD_PAD:
            top = 0  # the feed brings its own
        tall = self.feed.content_height(width, metrics.CARD_LIVE_MOST)
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if tall >= metrics.CARD_LIVE_MOST else _NO_BAR
        self.feed.setVerticalScrollBarPolicy(policy)
        self.feed.setGeometry(0, top, width, tall)
        self.feed.setMask(_round_below(width, tall))
        return top + tall

    @staticmethod
    def _put_line(line: Button, top: int) -> int:
        size = line.sizeHint()
        put(line, _LEFT - metrics.BUTTON_SMALL_PAD, top, size.width(), size.height())
        return top + size.height() + metrics.SPACE_4

    @staticmethod
    def _put_body(body: MarkdownBody, top: int, width: int) -> int:
        tall = body.height_for(width)
        put(body, _LEFT, top - body.rise(), width, tall + body.rise())
        return top + tall

    def _put_row(self, parts: "tuple[Button, ...]", top: int, width: int) -> int:
        """Buttons side by side, 8 apart; where they end, with what is free below."""
        shown = [part for part in parts if not part.isHidden()]
        at, tall = _LEFT, 0
        for part in shown:
            size = part.sizeHint()
            if at > _LEFT and at + size.width() > _LEFT + width:
                at, top = _LEFT, top + tall + metrics.SPACE_4
            put(part, at, top, min(size.width(), width), size.height())
            at, tall = at + size.width() + metrics.SPACE_8, size.height()
        if self.copy_button in shown:
            self._changes = QRectF(at, top, max(0, _LEFT + width - at), tall)
        return top + tall + (metrics.SPACE_4 if shown else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Everything has its place by width."""
        super().resizeEvent(event)
        self.height_for(self.width())

    # ---- painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground, round at the lower corners, and the files changed."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(self.rect())
        reach = metrics.RADIUS_8
        rounded(painter, QRectF(self.rect()).adjusted(0, -reach, 0, 0), reach - 1, theme().color("bg.sunken"))
        end = self._end
        if not self.copy_button.isHidden() and end is not None and end.files:
            self._paint_changes(painter, end)
        painter.end()

    def _paint_changes(self, painter: QPainter, end: End) -> None:
        room, font = QRectF(self._changes), theme().numbers("small")
        parts = (
            (tr("%n files changed", n=end.files or 0), "text.secondary"),
            (f"+{end.added}" if end.added else "", "completed.text"),
            (f"−{end.removed}" if end.removed else "", "failed.text"),
        )
        for at, (text, token) in enumerate(parts):
            if text:
                draw_text(painter, turned(self, room), text, font, theme().color(token))
                gap = metrics.SPACE_8 if at == 0 else metrics.SPACE_4
                room.setLeft(room.left() + text_width(text, font) + gap)


def _round_below(width: int, height: int) -> QRegion:
    """A rectangle with round lower corners, so that nothing is painted over the card's outline."""
    path, reach = QPainterPath(), metrics.RADIUS_8
    path.addRoundedRect(QRectF(0, -reach, width, height + reach), reach - 1, reach - 1)
    return QRegion(path.toFillPolygon().toPolygon())
