"""The promise of every view of a row: it is given rows one after another and lies in the text column of a feed.

Owns the common part: the row it shows, its height by width, what the gutter beside it holds. A view never scrolls the
feed and never knows its place. Ends with the feed's pool.
"""
# ruff: noqa: N802  # Qt overrides

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from ui.viewmodels.rows import Row
from ui.widgets.feed.context import FeedContext


@dataclass(frozen=True, slots=True)
class Sign:
    """An icon on the rail. `y`: of its middle from the view's top; `joined`: a short line leads from it to the view."""

    icon: str
    y: float
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Stand:
    """How the feed places a view. `inline`: icons stand in the line, not on a rail; `head`: the very first row."""

    depth: int = 0
    inline: bool = False
    head: bool = False


class RowView(QWidget):
    """A view of rows of one type.

    A kind of row overrides `show_row` (call it first), `height_for` and what follows. `resized`: my height changed, ask
    again; `unfolded`: told before it where the person folded or unfolded me, so that my head stays where it is;
    `touched`: the person pressed on me.
    """

    resized = Signal()
    unfolded = Signal()
    touched = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row: Row | None = None
        self.ctx: FeedContext | None = None
        self.stand = Stand()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show this row."""
        self.row, self.ctx = row, ctx

    def height_for(self, width: int) -> int:  # noqa: ARG002  # for kinds of rows
        """Height at a width of the text column, in px. The view is given that size."""
        return max(1, self.sizeHint().height())

    def rest(self) -> None:
        """Back to the pool: nothing is shown, nothing ticks."""
        self.row = None
        self.ctx = None

    # ---- what the feed paints beside it

    def signs(self) -> tuple[Sign, ...]:
        """Icons on the rail."""
        return ()

    def first_line(self) -> float:
        """Middle of the first line of text, from the top: where the badge stands."""
        return 0.0

    # ---- keys, given by the feed to the current row

    def can_open(self) -> bool:
        """Whether there is something to unfold."""
        return False

    def is_open(self) -> bool:
        """Whether it is unfolded."""
        return False

    def set_open(self, is_open: bool) -> None:
        """Unfold or fold."""

    def activate(self) -> None:
        """Enter."""
        if self.can_open():
            self.set_open(not self.is_open())

    def go_in(self) -> bool:
        """Right on an unfolded row: put the focus inside. False = there is no inside."""
        return False

    def text_to_copy(self) -> str:
        """What C copies."""
        return ""

    def take_key(self, event: QKeyEvent) -> bool:  # noqa: ARG002  # for kinds of rows
        """A key that the feed does not know. True = done."""
        return False

    # ---- hands

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The row becomes the current one."""
        self.touched.emit()
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Done with."""
        event.accept()
