"""The agent's plan: a card with its steps; done ones are muted.

Owns painting and heights. `PlanCard` is for other places too (it pins under the header while the turn runs).
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, hairline, rounded
from ui.theme.paragraph import draw_paragraph, paragraph_height
from ui.theme.theme import theme
from ui.viewmodels.rows import PlanRow, Row, Step
from ui.viewmodels.states import State
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.row_view import RowView
from ui.wording import clean_line, number, state_word, tr

_PAD = metrics.MESSAGE_PAD_H + 1
_TEXT = _PAD + metrics.MARK_BADGE + metrics.INNER_10
_ENDS = metrics.SPACE_4
_STEP_LINES = 4
_STATES = {"completed": State.COMPLETED, "in_progress": State.RUNNING}
_TEXT_MOST = 600


class PlanCard(QWidget):
    """Head line and steps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: tuple[Step, ...] = ()
        self._texts: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    def show_plan(self, row: PlanRow) -> None:
        """Show this plan."""
        self._steps = row.steps
        self._texts = tuple(clean_line(step.text, _TEXT_MOST) for step in row.steps)
        self.setAccessibleName(f"{tr('Plan')}, {self._done()}")
        spoken = (f"{state_word(_state(step))}: {text}" for step, text in zip(self._steps, self._texts, strict=True))
        self.setAccessibleDescription("\n".join(spoken))
        if any(step.status == "in_progress" for step in self._steps):
            clock().watch_frames(self)
        else:
            clock().unwatch_frames(self)
        self.updateGeometry()
        self.update()

    def height_for(self, width: int) -> int:
        """Head and steps."""
        return self._head() + sum(self._step_height(text, width) for text in self._texts) + 2 * _ENDS + 1

    def hasHeightForWidth(self) -> bool:
        """Long steps break."""
        return True

    def heightForWidth(self, width: int) -> int:
        """For layouts."""
        return self.height_for(width)

    def sizeHint(self) -> QSize:
        """As wide as the column."""
        return QSize(metrics.COLUMN, self.height_for(metrics.COLUMN))

    def text(self) -> str:
        """All steps as lines."""
        return "\n".join(self._texts)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The card."""
        painter = QPainter(self)
        box, head = QRectF(self.rect()), self._head()
        rounded(painter, box, metrics.RADIUS_8, theme().color("bg.surface"), theme().color("border.default"))
        line = QRectF(_PAD, 0, box.width() - 2 * _PAD, head)
        draw_text(painter, line, tr("Plan"), theme().font("ui", 600), theme().color("text.primary"))
        done = theme().numbers("small")
        draw_text(painter, line, self._done(), done, theme().color("text.muted"), align=Qt.AlignmentFlag.AlignTrailing)
        if self._steps:
            hairline(painter, 1, head, box.width() - 1, head, theme().color("border.subtle"))
        top = float(head + _ENDS)
        for step, text in zip(self._steps, self._texts, strict=True):
            height = self._step_height(text, self.width())
            self._paint_step(painter, QRectF(0, top, box.width(), height), step, text)
            top += height
        painter.end()

    def _paint_step(self, painter: QPainter, row: QRectF, step: Step, text: str) -> None:
        state, side = _state(step), metrics.MARK_BADGE
        rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        line, pad = theme().line("ui"), (theme().row(metrics.LINE_ROW) - theme().line("ui")) / 2
        left = row.right() - _PAD - side if rtl else row.left() + _PAD
        mark = QRectF(left, row.top() + pad + (line - side) / 2, side, side)
        draw_mark(painter, mark, state, theme().color("bg.surface"), clock().phase)
        body = row.adjusted(_PAD, pad, -_TEXT, -pad) if rtl else row.adjusted(_TEXT, pad, -_PAD, -pad)
        ink = theme().color("text.muted" if state is State.COMPLETED else "text.primary")
        draw_paragraph(painter, body, text, "ui", ink, most=_STEP_LINES)

    def _step_height(self, text: str, width: int) -> int:
        body = paragraph_height(text or " ", "ui", max(1, width - _TEXT - _PAD), most=_STEP_LINES)
        return theme().row(metrics.LINE_ROW) - theme().line("ui") + body

    @staticmethod
    def _head() -> int:
        return theme().row(metrics.MESSAGE_BAR)

    def _done(self) -> str:
        done = sum(1 for step in self._steps if step.status == "completed")
        return tr("{done} of {all}", done=number(done), all=number(len(self._steps)))


class PlanView(RowView):
    """The card in the feed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.card = PlanCard(self)

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show this plan."""
        super().show_row(row, ctx)
        assert isinstance(row, PlanRow), "registered for it"
        self.card.show_plan(row)
        self.setAccessibleName(self.card.accessibleName())
        self.setAccessibleDescription(self.card.accessibleDescription())

    def height_for(self, width: int) -> int:
        """The card."""
        return self.card.height_for(width)

    def first_line(self) -> float:
        """Middle of the head."""
        return theme().row(metrics.MESSAGE_BAR) / 2

    def text_to_copy(self) -> str:
        """The steps."""
        return self.card.text()

    def resizeEvent(self, event: object) -> None:
        """The card fills it."""
        self.card.setGeometry(self.rect())
        del event


def _state(step: Step) -> State:
    return _STATES.get(step.status, State.QUEUED)
