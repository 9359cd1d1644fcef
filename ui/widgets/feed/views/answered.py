"""A set of questions that was asked and closed: one line with what was picked.

Owns the line; an open set is answered elsewhere (the ask panel).
"""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from ui.theme.marks import draw_mark
from ui.theme.metrics import ICON_RAIL, SPACE_8
from ui.theme.painting import draw_text, text_width
from ui.theme.theme import theme
from ui.viewmodels.rows import AnsweredRow
from ui.viewmodels.states import State
from ui.widgets.feed.lines import LineView, after_sign, paint_sign
from ui.wording import clean_line, clock_time, tr


class AnsweredView(LineView):
    """Sign, what was picked, time."""

    def paint_line(self, painter: QPainter, line: QRectF) -> None:
        """The line."""
        row = self.row
        if not isinstance(row, AnsweredRow):
            return
        if row.state == "open":
            side = ICON_RAIL
            rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
            left = line.right() - side if rtl else line.left()
            place = QRectF(left, line.center().y() - side / 2, side, side)
            draw_mark(painter, place, State.WAITING, theme().color("bg.canvas"))
        else:
            paint_sign(painter, line, "check" if row.state == "answered" else "x", "text.muted")
        time, font, muted = clock_time(row.at_ms), theme().numbers("small"), theme().color("text.muted")
        draw_text(painter, line, time, font, muted, align=Qt.AlignmentFlag.AlignTrailing)
        used = text_width(time, font) + SPACE_8
        body = after_sign(painter, line)
        rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        body = body.adjusted(used, 0, 0, 0) if rtl else body.adjusted(0, 0, -used, 0)
        draw_text(painter, body, self.spoken(), theme().font("ui"), theme().color("text.primary"))

    def spoken(self) -> str:
        """What was asked and picked."""
        row = self.row
        if not isinstance(row, AnsweredRow):
            return ""
        headers = ", ".join(clean_line(header, 60) for header, _ in row.picks)
        match row.state:
            case "open":
                return tr("Asked you: {questions}", questions=headers)
            case "declined":
                return tr("You skipped: {questions}", questions=headers)
            case "withdrawn":
                return tr("Withdrawn: {questions}", questions=headers)
            case _:
                picks = (f"{clean_line(header, 60)}: {clean_line(chosen, 120) or '–'}" for header, chosen in row.picks)
                return tr("You answered {picks}", picks=" · ".join(picks))

    def text_to_copy(self) -> str:
        """The line."""
        return self.spoken()
