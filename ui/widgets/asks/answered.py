"""An answered ask: one line with a mark, what was answered, and when.

Owns the line only.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, text_width
from ui.theme.theme import theme
from ui.viewmodels.ask_desk import Given
from ui.widgets.mirror import turned
from ui.wording import clock_time, tr

_GOOD = frozenset({"allowed", "answered"})


class AnsweredLine(QWidget):
    """28 high. `left`: where its mark stands."""

    def __init__(self, given: Given, left: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.given, self._left = given, left
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("{answer}, {time}", answer=given.text, time=clock_time(given.at_ms)))
        theme().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(metrics.PANEL, theme().row(metrics.LINE_ROW))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Mark, words, time."""
        painter = QPainter(self)
        side, middle = metrics.ICON_RAIL, self.height() / 2
        icon, token = ("check", "completed.mark") if self.given.verdict in _GOOD else ("x", "canceled.mark")
        place = QRectF(self._left, middle - side / 2, side, side)
        draw_icon(painter, turned(self, place), icon, theme().color(token))
        time, font = clock_time(self.given.at_ms), theme().numbers("small")
        wide = text_width(time, font) + 1
        end = QRectF(self.width() - metrics.ASK_PAD_RIGHT - wide, 0, wide, self.height())
        muted, trailing = theme().color("text.muted"), Qt.AlignmentFlag.AlignTrailing
        draw_text(painter, turned(self, end), time, font, muted, None, trailing)
        room = QRectF(self._left + side + metrics.INNER_6, 0, 0, self.height())
        room.setRight(end.left() - metrics.SPACE_8)
        draw_text(painter, turned(self, room), self.given.text, theme().font("ui"), theme().color("text.secondary"))
        painter.end()
