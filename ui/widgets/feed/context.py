"""What the views of rows are given, and where things lie in a row (design 6, 7.2, 7.3).

Frozen; owns nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ui.orders import Orders
from ui.theme import metrics
from ui.viewmodels.transcript import Transcripts
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import World

NESTED_RIGHT = 12
RAIL_TEXT = 22
"""From the beginning of the column to the text of a line whose icon is on the rail."""


@dataclass(frozen=True, slots=True)
class FeedContext:
    """`depth`: 0 in a pane, 1 inside a card. `open_link` asks first; `jump(session, key)` shows a row elsewhere."""

    world: World
    orders: Orders
    transcripts: Transcripts
    view: ViewState
    open_beside: Callable[[str], None]
    open_link: Callable[[str], None]
    jump: Callable[[str, str], None]
    session_id: str
    depth: int = 0
    open_log: Callable[[str], None] | None = None

    def inside(self, session_id: str) -> "FeedContext":
        """For the transcript of a child inside its card."""
        return replace(self, session_id=session_id, depth=self.depth + 1)


@dataclass(frozen=True, slots=True)
class Geometry:
    """Where a row's parts lie, from the left edge of the feed. `rail`: middle of the vertical line.

    `text`: where lines with an icon on the rail begin; `badge`: left edge of the gutter's badge, None = no gutter.
    """

    left: int
    width: int
    rail: int
    text: int
    badge: int | None

    @property
    def right(self) -> int:
        """Where everything ends."""
        return self.left + self.width

    @property
    def text_width(self) -> int:
        """From the text's beginning to the right edge."""
        return self.right - self.text


def column_of(width: int) -> tuple[int, int]:
    """Left edge and width (gutter included) of the column in a pane of this width (design 6 and 11)."""
    wide = metrics.COLUMN_LEFT + metrics.COLUMN_WIDE + metrics.OVERLAY + metrics.OVERLAY_RIGHT
    widest = metrics.COLUMN_WIDE if width >= wide else metrics.GUTTER + metrics.COLUMN
    room = min(widest, width - 2 * metrics.COLUMN_LEFT)
    if overlay_fits(width):
        return metrics.COLUMN_LEFT, room
    return max(metrics.COLUMN_LEFT, (width - room) // 2), room


def overlay_fits(width: int) -> bool:
    """The overlay stands beside the column without covering text (design 11)."""
    return width >= metrics.GUTTER + metrics.COLUMN + metrics.OVERLAY + 52


def geometry_of(width: int, depth: int) -> Geometry:
    """For a feed of this width in a pane, or inside a card."""
    if depth:
        left = metrics.CARD_TEXT
        return Geometry(left, max(120, width - left - NESTED_RIGHT), metrics.CARD_RAIL, left, None)
    edge, room = column_of(width)
    narrow = width < 480
    gutter = 0 if narrow else metrics.GUTTER
    left = edge + gutter
    return Geometry(left, max(120, room - gutter), left + 7, left + RAIL_TEXT, None if narrow else edge)
