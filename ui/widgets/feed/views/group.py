"""Three or more settled tool calls in one line: how many, of which kinds; unfolded a line for each.

Owns the line and, unfolded, one `ToolView` for each call.
"""
# ruff: noqa: N802  # Qt overrides

from collections import Counter

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.painting import draw_text
from ui.theme.theme import theme
from ui.viewmodels.rows import ToolGroupRow, ToolRow
from ui.viewmodels.states import State
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.lines import LineView, after_sign
from ui.widgets.feed.row_view import Sign, Stand
from ui.widgets.feed.views.tool import ToolView, paint_counts, paint_end, paint_mark
from ui.wording import tr

_KINDS = ("read", "search", "edit", "execute", "fetch", "delete", "move", "think")


class GroupView(LineView):
    """A group of calls."""

    def paint_line(self, painter: QPainter, line: QRectF) -> None:
        """Chevron, number, kinds, counts, mark."""
        row = self.row
        if not isinstance(row, ToolGroupRow):
            return
        self.paint_chevron(painter, line)
        line = after_sign(painter, line)
        failed = sum(1 for call in row.calls if call.status == "failed")
        line = paint_mark(painter, line, State.FAILED if failed == len(row.calls) else State.COMPLETED, None)
        if failed and failed < len(row.calls):
            line = paint_end(painter, line, tr("%n failed", n=failed), "failed.text")
        added, removed = sum(call.added for call in row.calls), sum(call.removed for call in row.calls)
        if added or removed:
            line = paint_counts(painter, line, added, removed)
        ink = theme().color("text.primary")
        used = draw_text(painter, line, _number(row), theme().font("ui", 500), ink) + metrics.SPACE_8
        rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        rest = line.adjusted(0, 0, -used, 0) if rtl else line.adjusted(used, 0, 0, 0)
        draw_text(painter, rest, kinds_of(row.calls), theme().font("ui"), theme().color("text.secondary"))

    def spoken(self) -> str:
        """Number and kinds."""
        row = self.row
        if not isinstance(row, ToolGroupRow):
            return ""
        state = tr("unfolded") if self.is_open() else tr("folded")
        return ", ".join([_number(row), kinds_of(row.calls), state])

    def can_open(self) -> bool:
        """Always."""
        return isinstance(self.row, ToolGroupRow)

    def signs(self) -> tuple[Sign, ...]:
        """Those of the calls, while unfolded."""
        body = self.body()
        if not isinstance(body, Calls) or not self.is_open():
            return ()
        return body.signs(self.head_height())

    def make_body(self) -> QWidget:
        """The lines of the calls."""
        body = Calls(self)
        body.resized.connect(self.resized)
        body.unfolded.connect(self.unfolded)
        return body

    def fill_body(self) -> None:
        """Show the calls."""
        body = self.body()
        if isinstance(body, Calls) and isinstance(self.row, ToolGroupRow) and self.ctx is not None:
            body.show_calls(self.row.calls, self.ctx, Stand(self.stand.depth, self.stand.inline))

    def body_height(self, width: int) -> int:
        """All lines."""
        body = self.body()
        return body.height_for(width) if isinstance(body, Calls) else 0

    def rest(self) -> None:
        """Back to the pool, with the lines."""
        super().rest()
        body = self.body()
        if isinstance(body, Calls):
            body.rest()

    def text_to_copy(self) -> str:
        """Targets of all calls."""
        return "\n".join(call.target for call in self.row.calls) if isinstance(self.row, ToolGroupRow) else ""


class Calls(QWidget):
    """Lines of calls, each of which unfolds."""

    resized = Signal()
    unfolded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views: list[ToolView] = []
        self._shown = 0

    def show_calls(self, calls: tuple[ToolRow, ...], ctx: FeedContext, stand: Stand) -> None:
        """Show these."""
        while len(self._views) < len(calls):
            view = ToolView(self)
            view.resized.connect(self._changed)
            view.unfolded.connect(self.unfolded)
            self._views.append(view)
        for view, call in zip(self._views, calls, strict=False):
            view.stand = stand
            if view.row is not call:
                view.show_row(call, ctx)
            view.show()
        for view in self._views[len(calls) : self._shown]:
            view.hide()
            view.rest()
        self._shown = len(calls)
        self._place()

    def rest(self) -> None:
        """Nothing is shown."""
        for view in self._views[: self._shown]:
            view.hide()
            view.rest()
        self._shown = 0

    def height_for(self, width: int) -> int:
        """All lines."""
        return sum(view.height_for(width) for view in self._views[: self._shown])

    def signs(self, above: int) -> tuple[Sign, ...]:
        """Icons on the rail, from the top of the group."""
        return tuple(
            Sign(sign.icon, above + view.y() + sign.y) for view in self._views[: self._shown] for sign in view.signs()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines are as wide as the group."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        top = 0
        for view in self._views[: self._shown]:
            height = view.height_for(max(1, self.width()))
            view.setGeometry(0, top, max(1, self.width()), height)
            top += height

    def _changed(self) -> None:
        self._place()
        self.resized.emit()


def _number(row: ToolGroupRow) -> str:
    return tr("%n tool calls", n=len(row.calls))


def kinds_of(calls: tuple[ToolRow, ...]) -> str:
    """`4 reads, 2 searches, 1 edit`, the most first."""
    counted = Counter(call.kind if call.kind in _KINDS else "other" for call in calls)
    return ", ".join(_counted(kind, count) for kind, count in counted.most_common())


def _counted(kind: str, count: int) -> str:
    match kind:
        case "read":
            return tr("%n reads", n=count)
        case "search":
            return tr("%n searches", n=count)
        case "edit":
            return tr("%n edits", n=count)
        case "execute":
            return tr("%n commands", n=count)
        case "fetch":
            return tr("%n fetches", n=count)
        case "delete":
            return tr("%n deletions", n=count)
        case "move":
            return tr("%n moves", n=count)
        case "think":
            return tr("%n thoughts", n=count)
        case _:
            return tr("%n others", n=count)
