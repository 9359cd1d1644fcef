"""Rows of tool calls: one line each, a fold for many, polls as a quiet line, plan, answered questions (design 7.2).

Owns their parts. What is unfolded has its own scroll from 320 px on.
"""
# ruff: noqa: N802, PLR0917  # Qt overrides; a painter, a place and what to paint

from collections import Counter

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, hairline, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.rows import AnsweredRow, PlanRow, PollRow, ToolGroupRow, ToolRow
from ui.viewmodels.states import State
from ui.widgets.feed.context import Geometry
from ui.widgets.feed.registry import register_view
from ui.widgets.feed.says import CHEVRON
from ui.widgets.feed.tool_body import ToolBody
from ui.widgets.feed.view import RowView
from ui.wording import age, clean_line, clock_time, state_word, tr

ICONS = {
    "read": "eye",
    "edit": "pencil",
    "delete": "trash",
    "move": "move",
    "search": "search",
    "execute": "terminal",
    "think": "brain",
    "fetch": "globe",
}
MARKS = {"running": State.RUNNING, "completed": State.COMPLETED, "failed": State.FAILED}


def kind_word(kind: str) -> str:
    """What a tool does."""
    words = {
        "read": tr("Read"),
        "edit": tr("Edit"),
        "delete": tr("Delete"),
        "move": tr("Move"),
        "search": tr("Search"),
        "execute": tr("Run"),
        "think": tr("Think"),
        "fetch": tr("Fetch"),
    }
    return words.get(kind, tr("Tool"))


def paint_tool_line(painter: QPainter, row: ToolRow, at: Geometry, top: float, ground: str) -> None:
    """Icon on the rail, kind, path or command; numbers and mark at the right."""
    line = theme().row(metrics.LINE_ROW)
    back = theme().color(ground)
    icon = QRectF(at.rail - 7, top + (line - 14) / 2, 14, 14)
    painter.fillRect(icon.adjusted(-1, -3, 1, 3), back)
    draw_icon(painter, icon, ICONS.get(row.kind, "wrench"), theme().color("text.muted"))
    mark = QRectF(at.right - 16, top + (line - 14) / 2, 14, 14)
    draw_mark(painter, mark, MARKS[row.status], back, clock().phase)
    right = _paint_counts(painter, row, mark.left() - 6, top, line)
    kind = kind_word(row.kind)
    font = theme().font("ui", 500)
    width = draw_text(painter, QRectF(at.text, top, at.text_width, line), kind, font, theme().color("text.primary"))
    left = at.text + width + 8
    target = clean_line(row.target or row.title, 1000)
    if target and target != kind:
        room = QRectF(left, top, right - 12 - left, line)
        cut = "right" if row.kind == "execute" or " " in target else "middle"
        draw_text(painter, room, target, theme().font("code.small"), theme().color("text.secondary"), cut)


def _paint_counts(painter: QPainter, row: ToolRow, right: float, top: float, line: int) -> float:
    """Lines added and removed, or the exit code; where the text must end."""
    if row.exit_code not in {None, 0}:
        return _right_text(painter, tr("Exit {code}", code=str(row.exit_code)), "failed.text", right, top, line)
    if row.removed:
        right = _right_text(painter, f"−{row.removed}", "failed.text", right, top, line) - 4
    if row.added:
        right = _right_text(painter, f"+{row.added}", "completed.text", right, top, line)
    return right


def _right_text(painter: QPainter, text: str, token: str, right: float, top: float, line: int) -> float:
    font = theme().numbers("small")
    width = text_width(text, font)
    draw_text(painter, QRectF(right - width - 1, top, width + 2, line), text, font, theme().color(token), None)
    return right - width - 2


class ToolView(RowView):
    """One call. Unfolds its diff, output, pictures."""

    rail = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._body: ToolBody | None = None
        clock().watch_frames(self, self._turn)

    def _turn(self) -> None:
        if isinstance(self.row, ToolRow) and self.row.status == "running":
            self.update(0, 0, self.width(), metrics.LINE_ROW)

    def fill(self) -> None:
        """The body only where it is unfolded."""
        row = self.row
        if not isinstance(row, ToolRow):
            return
        self.setAccessibleName(f"{kind_word(row.kind)} {clean_line(row.target)}, {state_word(MARKS[row.status])}")
        if self.is_open():
            if self._body is None:
                self._body = ToolBody(self)
                self._body.resized.connect(self.resized)
            self._body.show_call(row)
        if self._body is not None:
            self._body.setVisible(self.is_open())

    def toggle(self) -> bool:
        """Fold or unfold."""
        self.set_open(not self.is_open())
        return True

    def place(self, at: Geometry) -> int:
        """The line, and the body under it."""
        line = theme().row(metrics.LINE_ROW)
        if not self.is_open() or self._body is None:
            return line
        height = self._body.height_for(at.text_width)
        self._body.setGeometry(at.text, line, at.text_width, height)
        return line + height + (8 if height else 0)

    def paint(self, painter: QPainter) -> None:
        """The line."""
        if isinstance(self.row, ToolRow):
            paint_tool_line(painter, self.row, self.lies, 0, "bg.sunken" if self.lies.badge is None else "bg.canvas")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The line folds and unfolds."""
        if event.position().y() <= metrics.LINE_ROW and event.button() is Qt.MouseButton.LeftButton:
            self.toggle()

    def copy_text(self) -> str:
        """The command or path."""
        return self.row.target if isinstance(self.row, ToolRow) else ""


def _counted(kind: str, n: int) -> str:
    """So many calls of a kind, "" for one without a word of its own."""
    match kind:
        case "read":
            return tr("%n reads", n=n)
        case "edit":
            return tr("%n edits", n=n)
        case "search":
            return tr("%n searches", n=n)
        case "execute":
            return tr("%n commands", n=n)
        case "fetch":
            return tr("%n fetches", n=n)
        case _:
            return ""


class GroupView(RowView):
    """Three or more settled calls: one line, unfolding to a line each."""

    rail = True

    def toggle(self) -> bool:
        """Fold or unfold."""
        self.set_open(not self.is_open())
        return True

    def place(self, _at: Geometry) -> int:
        """A line, and one for each call."""
        line = theme().row(metrics.LINE_ROW)
        calls = len(self.row.calls) if isinstance(self.row, ToolGroupRow) and self.is_open() else 0
        return line * (1 + calls)

    def fill(self) -> None:
        """Its name for a screen reader."""
        if isinstance(self.row, ToolGroupRow):
            self.setAccessibleName(f"{tr('%n tool calls', n=len(self.row.calls))}, {self._what(self.row)}")

    def _what(self, row: ToolGroupRow) -> str:
        counts = Counter(call.kind for call in row.calls)
        known = [word for kind, n in counts.most_common() if (word := _counted(kind, n))]
        others = sum(n for kind, n in counts.items() if not _counted(kind, n))
        return ", ".join([*known, *([tr("%n others", n=others)] if others else [])])

    def paint(self, painter: QPainter) -> None:
        """Chevron, count, kinds; sums and mark at the right."""
        row, at = self.row, self.lies
        if not isinstance(row, ToolGroupRow):
            return
        line = theme().row(metrics.LINE_ROW)
        ground = "bg.sunken" if at.badge is None else "bg.canvas"
        icon = QRectF(at.rail - 7, (line - CHEVRON) / 2, CHEVRON, CHEVRON)
        painter.fillRect(icon.adjusted(-1, -3, 1, 3), theme().color(ground))
        draw_icon(painter, icon, "chevron-down" if self.is_open() else "chevron-right", theme().color("text.secondary"))
        failed = any(call.status == "failed" for call in row.calls)
        mark = QRectF(at.right - 16, (line - 14) / 2, 14, 14)
        draw_mark(painter, mark, State.FAILED if failed else State.COMPLETED, theme().color(ground))
        added, removed = sum(call.added for call in row.calls), sum(call.removed for call in row.calls)
        right = mark.left() - 6
        if removed:
            right = _right_text(painter, f"−{removed}", "failed.text", right, 0, line) - 4
        if added:
            right = _right_text(painter, f"+{added}", "completed.text", right, 0, line)
        count = tr("%n tool calls", n=len(row.calls))
        font = theme().font("ui", 500)
        width = draw_text(painter, QRectF(at.text, 0, at.text_width, line), count, font, theme().color("text.primary"))
        rest = QRectF(at.text + width + 8, 0, right - 12 - at.text - width - 8, line)
        draw_text(painter, rest, self._what(row), theme().font("ui"), theme().color("text.secondary"))
        if self.is_open():
            for number, call in enumerate(row.calls):
                paint_tool_line(painter, call, at, line * (number + 1), ground)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Folds and unfolds."""
        if event.button() is Qt.MouseButton.LeftButton and event.position().y() <= metrics.LINE_ROW:
            self.toggle()


class PollView(RowView):
    """All polls between two entries: one quiet line, a click lists them."""

    rail = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        clock().watch_seconds(self)

    def toggle(self) -> bool:
        """List the polls, or not."""
        self.set_open(not self.is_open())
        return True

    def place(self, _at: Geometry) -> int:
        """24, and 20 for each check."""
        checks = len(self.row.checks) if isinstance(self.row, PollRow) and self.is_open() else 0
        return theme().row(metrics.POLL_LINE, "small") + min(checks, 100) * theme().row(20, "small")

    def fill(self) -> None:
        """Its name for a screen reader."""
        self.setAccessibleName(self._line())

    def _line(self) -> str:
        row, context = self.row, self.context
        if not isinstance(row, PollRow) or context is None:
            return ""
        children = len({check.task_id for check in row.checks}) or 1
        said = tr("Checked on %n children", n=children) + ", " + tr("%n times", n=row.times)
        if row.open:
            return f"{said} · {tr('waiting now')}"
        last = row.checks[-1].at_ms if row.checks else 0
        passed = age(context.world.now_ms() - last) if last else ""
        return f"{said} · {tr('last {age} ago', age=passed)}" if passed and passed != tr("now") else said

    def paint(self, painter: QPainter) -> None:
        """Clock and words; below them the checks."""
        row, at = self.row, self.lies
        if not isinstance(row, PollRow):
            return
        line = theme().row(metrics.POLL_LINE, "small")
        color = theme().color("text.muted")
        ground = "bg.sunken" if at.badge is None else "bg.canvas"
        icon = QRectF(at.rail - 7, (line - 14) / 2, 14, 14)
        painter.fillRect(icon.adjusted(-1, -2, 1, 2), theme().color(ground))
        draw_icon(painter, icon, "clock", color)
        draw_text(painter, QRectF(at.text, 0, at.text_width, line), self._line(), theme().numbers("small"), color)
        if self.is_open():
            step = theme().row(20, "small")
            for number, check in enumerate(row.checks[-100:]):
                words = (
                    f"{clock_time(check.at_ms, seconds=True)}  {self._child(check.task_id)}  {self._word(check.word)}"
                )
                room = QRectF(at.text, line + number * step, at.text_width, step)
                draw_text(painter, room, words, theme().numbers("small"), color)

    def _child(self, task_id: str) -> str:
        context = self.context
        view = context.world.task(task_id) if context is not None else None
        if view is None or context is None:
            return clean_line(task_id, 20)
        return f"{context.world.label_of(view.record.agent_type)} · {clean_line(view.record.task_text, 60)}"

    @staticmethod
    def _word(word: str) -> str:
        return {"running": tr("was running"), "queued": tr("was queued")}.get(word, word)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Lists them."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.toggle()


class PlanView(RowView):
    """The plan as a checklist in a card."""

    def place(self, _at: Geometry) -> int:
        """A head and a row for each step."""
        steps = len(self.row.steps) if isinstance(self.row, PlanRow) else 0
        return theme().row(metrics.LINE_ROW + 8) + steps * theme().row(metrics.LINE_ROW) + 8

    def fill(self) -> None:
        """Its name for a screen reader."""
        if isinstance(self.row, PlanRow):
            done = sum(step.status == "completed" for step in self.row.steps)
            self.setAccessibleName(tr("Plan, {done} of {all}", done=str(done), all=str(len(self.row.steps))))

    def paint(self, painter: QPainter) -> None:
        """Marks: ring, three-quarter arc, disc; done steps are muted, not struck out."""
        row, at = self.row, self.lies
        if not isinstance(row, PlanRow):
            return
        surface = theme().color("bg.surface")
        box = QRectF(at.left, 0, at.width, self.height())
        rounded(painter, box, metrics.RADIUS_8, surface, theme().color("border.default"))
        head, line = theme().row(metrics.LINE_ROW + 8), theme().row(metrics.LINE_ROW)
        room = QRectF(at.left + 12, 0, at.width - 24, head)
        draw_text(painter, room, tr("Plan"), theme().font("ui", 600), theme().color("text.primary"))
        done = sum(step.status == "completed" for step in row.steps)
        count = tr("{done} of {all}", done=str(done), all=str(len(row.steps)))
        align = Qt.AlignmentFlag.AlignTrailing
        draw_text(painter, room, count, theme().numbers("small"), theme().color("text.muted"), None, align)
        hairline(painter, at.left + 1, head, at.right - 1, head, theme().color("border.subtle"))
        marks = {"completed": State.COMPLETED, "in_progress": State.RUNNING}
        for number, step in enumerate(row.steps):
            top = head + 4 + number * line
            state = marks.get(step.status, State.QUEUED)
            draw_mark(painter, QRectF(at.left + 12, top + (line - 14) / 2, 14, 14), state, surface, clock().phase)
            color = theme().color("text.muted" if state is State.COMPLETED else "text.primary")
            place = QRectF(at.left + 36, top, at.width - 48, line)
            draw_text(painter, place, clean_line(step.text, 400), theme().font("ui"), color)


class AnsweredView(RowView):
    """A question set that is closed: one line, what was chosen."""

    rail = True

    def place(self, _at: Geometry) -> int:
        """One line."""
        return theme().row(metrics.LINE_ROW)

    def _line(self, row: AnsweredRow) -> str:
        if row.state == "open":
            return tr("Asked you: {what}", what=", ".join(header for header, _ in row.picks))
        if row.state == "declined":
            return tr("You skipped the questions")
        if row.state == "withdrawn":
            return tr("The question was withdrawn")
        said = [f"{clean_line(header, 40)}: {clean_line(chosen, 80) or tr('nothing')}" for header, chosen in row.picks]
        return tr("You answered {answers}", answers=" · ".join(said))

    def fill(self) -> None:
        """Its name for a screen reader."""
        if isinstance(self.row, AnsweredRow):
            self.setAccessibleName(self._line(self.row))

    def paint(self, painter: QPainter) -> None:
        """Mark, words, time."""
        row, at = self.row, self.lies
        if not isinstance(row, AnsweredRow):
            return
        line = theme().row(metrics.LINE_ROW)
        ground = theme().color("bg.sunken" if at.badge is None else "bg.canvas")
        state = {"open": State.WAITING, "answered": State.COMPLETED}.get(row.state, State.CANCELED)
        icon = QRectF(at.rail - 7, (line - 14) / 2, 14, 14)
        painter.fillRect(icon.adjusted(-1, -3, 1, 3), ground)
        draw_mark(painter, icon, state, ground)
        time = clock_time(row.at_ms)
        right = _right_text(painter, time, "text.muted", at.right - 2, 0, line)
        room = QRectF(at.text, 0, right - 8 - at.text, line)
        draw_text(painter, room, self._line(row), theme().font("ui"), theme().color("text.secondary"))


register_view(ToolRow, ToolView)
register_view(ToolGroupRow, GroupView)
register_view(PollRow, PollView)
register_view(PlanRow, PlanView)
register_view(AnsweredRow, AnsweredView)
