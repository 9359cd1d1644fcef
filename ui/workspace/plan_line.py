"""The plan of the running turn, pinned under the header as one line while its card is out of sight (design 7.2).

Owns its look; a press leads to the card. Ends with its page.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, focus_ring, rounded
from ui.theme.theme import theme
from ui.viewmodels.rows import PlanRow, Step
from ui.viewmodels.states import State
from ui.widgets.controls.pressable import Pressable
from ui.widgets.feed.geometry import geometry
from ui.wording import clean_line, tr


class PlanLine(Pressable):
    """36 high: mark, the step under way, `1 of 4`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._row: PlanRow | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        clock().watch_frames(self)
        self.hide()

    @property
    def key(self) -> str:
        """Of the card."""
        return self._row.key if self._row is not None else ""

    def show_plan(self, row: PlanRow | None) -> None:
        """Show this plan, or nothing."""
        self._row = row
        self.setVisible(row is not None and bool(row.steps))
        if row is not None:
            self.setAccessibleName(f"{tr('Plan')}, {self._count(row)}, {clean_line(self._step(row).text)}")
        self.update()

    @staticmethod
    def _step(row: PlanRow) -> Step:
        """The step under way, else the next one, else the last."""
        steps = row.steps or (Step("", "completed"),)
        under_way = next((step for step in steps if step.status == "in_progress"), None)
        return under_way or next((step for step in steps if step.status != "completed"), steps[-1])

    @staticmethod
    def _count(row: PlanRow) -> str:
        done = sum(step.status == "completed" for step in row.steps)
        return tr("{done} of {all}", done=str(done), all=str(len(row.steps)))

    def sizeHint(self) -> QSize:
        """36, and 4 above and below."""
        return QSize(300, theme().row(metrics.OVERLAY_LINE) + metrics.SPACE_8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Box, mark, words, count."""
        row = self._row
        if row is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        at, step = geometry(self.width()), self._step(row)
        box = QRectF(at.left, metrics.SPACE_4, at.width, self.height() - metrics.SPACE_8)
        fill = theme().color("bg.hover" if self.under_pointer else "bg.surface")
        rounded(painter, box, metrics.RADIUS_8, fill, theme().color("border.default"))
        states = {"completed": State.COMPLETED, "in_progress": State.RUNNING}
        mark = QRectF(box.left() + metrics.SPACE_12, box.center().y() - 7, metrics.MARK_BADGE, metrics.MARK_BADGE)
        draw_mark(painter, mark, states.get(step.status, State.QUEUED), fill, clock().phase)
        line = box.adjusted(36, 0, -metrics.SPACE_12, 0)
        count = self._count(row)
        trailing = Qt.AlignmentFlag.AlignTrailing
        font = theme().numbers("small")
        taken = draw_text(painter, line, count, font, theme().color("text.muted"), None, trailing)
        line.setRight(line.right() - taken - metrics.SPACE_12)
        width = draw_text(painter, line, tr("Plan"), theme().font("ui", 600), theme().color("text.primary"))
        line.setLeft(line.left() + width + metrics.SPACE_8)
        draw_text(painter, line, clean_line(step.text, 300), theme().font("ui"), theme().color("text.secondary"))
        if self.hasFocus():
            focus_ring(painter, box, metrics.RADIUS_8, inside=True)
        painter.end()
