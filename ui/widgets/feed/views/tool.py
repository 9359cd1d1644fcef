"""One tool call: a line with its kind and target; unfolded what it changed, printed or saw.

Owns the line; the body is `ToolBody`. The icon stands on the rail, or in the line where there is none.
"""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, text_width
from ui.theme.theme import theme
from ui.viewmodels.rows import Row, ToolRow
from ui.viewmodels.states import State
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.lines import LineView, after_sign, paint_sign
from ui.widgets.feed.row_view import Sign
from ui.widgets.feed.views.tool_body import ToolBody
from ui.wording import clean_line, number, state_word, tr

ICONS = {
    "read": "eye",
    "edit": "pencil",
    "delete": "trash-2",
    "move": "move",
    "search": "search",
    "execute": "terminal",
    "think": "brain",
    "fetch": "globe",
}
_STATES = {"running": State.RUNNING, "completed": State.COMPLETED, "failed": State.FAILED}
_PATHS = frozenset({"read", "edit", "delete", "move"})
_MINUS = "−"
_TARGET_MOST = 400


def icon_of(kind: str) -> str:
    """The icon of a kind of tool."""
    return ICONS.get(kind, "wrench")


def kind_word(kind: str) -> str:
    """What a tool does, as a verb."""
    return {
        "read": tr("Read"),
        "edit": tr("Edit"),
        "delete": tr("Delete"),
        "move": tr("Move"),
        "search": tr("Search"),
        "execute": tr("Run"),
        "think": tr("Think"),
        "fetch": tr("Fetch"),
    }.get(kind, tr("Tool"))


def state_of_tool(row: ToolRow) -> State:
    """The state whose mark a call has."""
    return _STATES[row.status]


class ToolView(LineView):
    """A tool call."""

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show this call."""
        super().show_row(row, ctx)
        if isinstance(row, ToolRow) and row.status == "running":
            clock().watch_frames(self)
        else:
            clock().unwatch_frames(self)

    def rest(self) -> None:
        """Back to the pool: nothing turns, no output is held."""
        super().rest()
        clock().unwatch_frames(self)
        body = self.body()
        if isinstance(body, ToolBody):
            body.rest()

    def signs(self) -> tuple[Sign, ...]:
        """The icon of its kind."""
        return (Sign(icon_of(self.row.kind), self.first_line()),) if isinstance(self.row, ToolRow) else ()

    def can_open(self) -> bool:
        """Whether there is more than the line says."""
        row = self.row
        return isinstance(row, ToolRow) and ToolBody.has_content(row)

    def paint_line(self, painter: QPainter, line: QRectF) -> None:
        """Kind, target, numbers, mark."""
        if not isinstance(self.row, ToolRow):
            return
        ground = theme().color("bg.sunken" if self.stand.depth else "bg.canvas")
        if self.stand.inline:
            paint_sign(painter, line, icon_of(self.row.kind), "text.secondary")
            line = after_sign(painter, line)
        line = paint_mark(painter, line, state_of_tool(self.row), ground)
        line = self._paint_numbers(painter, line, self.row)
        paint_call(painter, line, self.row)

    def spoken(self) -> str:
        """Kind, target, state, numbers."""
        row = self.row
        if not isinstance(row, ToolRow):
            return ""
        parts = [kind_word(row.kind), clean_line(row.target or row.title), state_word(state_of_tool(row))]
        if row.added or row.removed:
            parts.append(tr("{added} lines added, {removed} removed", added=str(row.added), removed=str(row.removed)))
        if row.exit_code:
            parts.append(tr("Exit {code}", code=str(row.exit_code)))
        if self.can_open():
            parts.append(tr("unfolded") if self.is_open() else tr("folded"))
        return ", ".join(parts)

    def make_body(self) -> QWidget:
        """What it did."""
        body = ToolBody(self)
        body.resized.connect(self.resized)
        body.link_asked.connect(self._follow)
        return body

    def fill_body(self) -> None:
        """Show what it did."""
        body = self.body()
        if isinstance(body, ToolBody) and isinstance(self.row, ToolRow):
            body.show_call(self.row, self.stand.depth)

    def body_height(self, width: int) -> int:
        """At most 320."""
        body = self.body()
        return body.height_for(width) if isinstance(body, ToolBody) else 0

    def text_to_copy(self) -> str:
        """Output or changes, else the target."""
        body = self.body()
        if isinstance(body, ToolBody) and self.is_open():
            return body.text()
        return clean_line(self.row.target, 4_000) if isinstance(self.row, ToolRow) else ""

    def _paint_numbers(self, painter: QPainter, line: QRectF, row: ToolRow) -> QRectF:
        if row.exit_code is not None and row.kind == "execute" and row.exit_code != 0:
            line = paint_end(painter, line, tr("Exit {code}", code=str(row.exit_code)), "failed.text")
        if row.added or row.removed:
            return paint_counts(painter, line, row.added, row.removed)
        if row.kind == "read" and row.output and row.status == "completed":
            lines = row.output.count("\n") + 1
            return paint_end(painter, line, tr("%n lines", n=lines), "text.muted")
        return line

    def _follow(self, address: str) -> None:
        if self.ctx is not None:
            self.ctx.open_link(address)


def paint_call(painter: QPainter, line: QRectF, row: ToolRow) -> None:
    """Kind and target of a call."""
    rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
    ink, font = theme().color("text.primary"), theme().font("ui", 500)
    used = draw_text(painter, line, kind_word(row.kind), font, ink) + metrics.SPACE_8
    rest = line.adjusted(0, 0, -used, 0) if rtl else line.adjusted(used, 0, 0, 0)
    target = clean_line(row.target or row.title, _TARGET_MOST)
    is_path = row.kind in _PATHS and "/" in target
    code = theme().font("code.small") if row.kind in ICONS and row.target else theme().font("ui")
    draw_text(painter, rest, target, code, ink, "middle" if is_path else "right")


def paint_mark(painter: QPainter, line: QRectF, state: State, ground: object) -> QRectF:
    """A mark at the end of a line; returns the rest of the line."""
    side = metrics.MARK_BADGE
    rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
    left = line.left() if rtl else line.right() - side
    del ground
    draw_mark(
        painter,
        QRectF(left, line.center().y() - side / 2, side, side),
        state,
        theme().color("bg.canvas"),
        clock().phase,
    )
    used = side + metrics.SPACE_8
    return line.adjusted(used, 0, 0, 0) if rtl else line.adjusted(0, 0, -used, 0)


def paint_end(painter: QPainter, line: QRectF, words: str, token: str, gap: int = metrics.SPACE_12) -> QRectF:
    """Small words at the end of a line; returns the rest of the line."""
    font = theme().numbers("small")
    draw_text(painter, line, words, font, theme().color(token), None, Qt.AlignmentFlag.AlignTrailing)
    used = text_width(words, font) + gap
    rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
    return line.adjusted(used, 0, 0, 0) if rtl else line.adjusted(0, 0, -used, 0)


def paint_counts(painter: QPainter, line: QRectF, added: int, removed: int) -> QRectF:
    """Lines added and removed at the end of a line; returns the rest of the line."""
    if removed:
        line = paint_end(painter, line, f"{_MINUS}{number(removed)}", "failed.text", metrics.SPACE_4)
    if added:
        line = paint_end(painter, line, f"+{number(added)}", "completed.text", metrics.SPACE_4)
    rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
    return line.adjusted(metrics.SPACE_8, 0, 0, 0) if rtl else line.adjusted(0, 0, -metrics.SPACE_8, 0)
