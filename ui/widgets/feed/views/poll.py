"""All polls between two other entries: one quiet line that counts; unfolded each check with its answer.

Owns the line and, unfolded, the lines of checks, 20 at first.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.painting import draw_text, text_width
from ui.theme.theme import theme
from ui.viewmodels.rows import Check, PollRow
from ui.viewmodels.states import State
from ui.widgets.controls import Button
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.lines import LineView, after_sign, paint_sign
from ui.wording import clean_line, clock_time, duration, short_id, state_word, tr

_CHECKS = 20
_TIME_GAP = metrics.SPACE_8


class PollView(LineView):
    """The quiet line."""

    high = metrics.POLL_LINE
    role = "small"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        clock().watch_seconds(self, self._tick)

    def paint_line(self, painter: QPainter, line: QRectF) -> None:
        """Clock and words."""
        paint_sign(painter, line, "clock", "text.muted")
        color = theme().color("text.muted")
        draw_text(painter, after_sign(painter, line), self._words(), theme().numbers("small"), color)

    def spoken(self) -> str:
        """The words, without the age that ticks."""
        return self._counted()

    def can_open(self) -> bool:
        """Whether a check is known."""
        return isinstance(self.row, PollRow) and bool(self.row.checks)

    def make_body(self) -> QWidget:
        """The lines of checks."""
        body = Checks(self)
        body.more.clicked.connect(self.unfolded)
        body.grown = self.resized.emit
        return body

    def fill_body(self) -> None:
        """Show the checks."""
        body = self.body()
        if isinstance(body, Checks) and isinstance(self.row, PollRow) and self.ctx is not None:
            body.show_checks(self.row.checks, self.ctx)

    def body_height(self, width: int) -> int:  # noqa: ARG002  # lines
        """Height of the checks."""
        body = self.body()
        return body.wanted_height() if isinstance(body, Checks) else 0

    def text_to_copy(self) -> str:
        """The words."""
        return self._words()

    def _counted(self) -> str:
        if not isinstance(self.row, PollRow):
            return ""
        children = len({check.task_id for check in self.row.checks})
        if not children:
            return tr("Checked %n times", n=self.row.times)
        times = tr("%n times", n=self.row.times)
        return tr("Checked on %n children, {times}", n=children, times=times)

    def _words(self) -> str:
        if not isinstance(self.row, PollRow) or self.ctx is None:
            return ""
        if not self.row.checks:
            return self._counted()
        ago = self.ctx.world.now_ms() - self.row.checks[-1].at_ms
        return f"{self._counted()} · {tr('last {time} ago', time=duration(ago))}"

    def _tick(self) -> None:
        if isinstance(self.row, PollRow):
            self.update(0, 0, self.width(), self.head_height())


class Checks(QWidget):
    """Time, child, answer of each check, newest first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._checks: tuple[Check, ...] = ()
        self._ctx: FeedContext | None = None
        self._shown = _CHECKS
        self.grown = self.update
        self.more = Button("", "ghost", icon="chevron-down", small=True, parent=self)
        self.more.clicked.connect(self._show_more)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.ICON_RAIL, 0, 0, 0)
        column.addStretch(1)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeading)
        theme().changed.connect(self.update)

    def show_checks(self, checks: tuple[Check, ...], ctx: FeedContext) -> None:
        """Show these."""
        self._checks, self._ctx = checks, ctx
        self._settle()

    def wanted_height(self) -> int:
        """Lines, and the button where there are more."""
        lines = min(self._shown, len(self._checks)) * self._line()
        return lines + (self.more.sizeHint().height() if len(self._checks) > self._shown else 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The exposed lines."""
        painter = QPainter(self)
        line = self._line()
        for number, check in enumerate(self._checks[::-1][: self._shown]):
            if number * line <= event.rect().bottom() and (number + 1) * line >= event.rect().top():
                self._paint_check(painter, QRectF(0, number * line, self.width(), line), check)
        painter.end()

    def _paint_check(self, painter: QPainter, line: QRectF, check: Check) -> None:
        row, font, muted = after_sign(painter, line), theme().numbers("small"), theme().color("text.muted")
        rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        for words in (clock_time(check.at_ms, seconds=True), self._child(check), _answer(check.word)):
            draw_text(painter, row, words, font, muted)
            used = text_width(words, font) + _TIME_GAP
            row = row.adjusted(0, 0, -used, 0) if rtl else row.adjusted(used, 0, 0, 0)

    def _child(self, check: Check) -> str:
        if self._ctx is None:
            return short_id(check.task_id)
        view = self._ctx.world.task(check.task_id)
        if view is None:
            return short_id(check.task_id)
        label = self._ctx.world.label_of(view.record.agent_type)
        return f"{label}, {clean_line(view.record.task_text, 60)}"

    @staticmethod
    def _line() -> int:
        return theme().row(metrics.POLL_LINE, "small")

    def _show_more(self) -> None:
        self._shown += 10 * _CHECKS
        self._settle()
        self.grown()

    def _settle(self) -> None:
        left = len(self._checks) - self._shown
        self.more.setVisible(left > 0)
        self.more.setText(tr("Show %n more", n=max(0, left)))
        self.update()


_WORDS = {
    "completed": State.COMPLETED,
    "failed": State.FAILED,
    "canceled": State.CANCELED,
    "interrupted": State.INTERRUPTED,
    "queued": State.QUEUED,
}


def _answer(word: str) -> str:
    """What the poll was told: a child that ran then is not a state now."""
    if word in _WORDS:
        return state_word(_WORDS[word])
    return tr("was running when asked") if word == "running" else clean_line(word, 40)
