"""Where the parts of a transcript lie across: gutter, rail, text (design 6, 7.2, 7.3, 11).

Pure numbers in logical px.
"""

from dataclasses import dataclass

from ui.theme.metrics import (
    BADGE_MESSAGE,
    CARD_GAP,
    CARD_NESTED_GAP,
    CARD_RAIL,
    CARD_TEXT,
    COLUMN,
    COLUMN_LEFT,
    COLUMN_WIDE,
    GUTTER,
    ICON_RAIL,
    NARROW,
    OVERLAY,
    SIDEBAR_STRIP,
    SPACE_8,
    SPACE_12,
)

OVERLAY_ROOM = 52
"""Between the column, the overlay and the edge."""
INLINE_TEXT = ICON_RAIL + SPACE_8
"""Where a line's text starts when its icon stands in the line."""
NESTED_RIGHT = SPACE_12
"""From the right edge of a nested feed to its text."""
_OUTLINE = 1


@dataclass(frozen=True, slots=True)
class Geometry:
    """Across one feed, from its left edge. `above`: badges stand above the text and icons in the line."""

    left: int
    width: int
    rail: int
    badge: int
    above: bool
    depth: int
    top: int
    bottom: int

    @property
    def right(self) -> int:
        """Right edge of the text."""
        return self.left + self.width

    @property
    def card_gap(self) -> int:
        """Between a card and its neighbours."""
        return CARD_GAP if self.depth == 0 else CARD_NESTED_GAP


def overlay_fits(width: int) -> bool:
    """The overlay stands beside the column of a pane of this width without covering text (design 11)."""
    return width >= GUTTER + COLUMN + OVERLAY + OVERLAY_ROOM


def column_of(width: int) -> tuple[int, int]:
    """Left edge and width, gutter included, of the column in a pane of this width."""
    widest = COLUMN_WIDE if width >= COLUMN_LEFT + COLUMN_WIDE + OVERLAY + OVERLAY_ROOM else GUTTER + COLUMN
    room = min(widest, width - 2 * COLUMN_LEFT)
    return (COLUMN_LEFT if overlay_fits(width) else max(COLUMN_LEFT, (width - room) // 2)), room


def geometry(width: int, depth: int = 0) -> Geometry:
    """For a feed of this width. A nested one lies inside the 1 px outline of its card, from edge to edge."""
    if depth > 0:
        left = CARD_TEXT - _OUTLINE
        wide = max(1, width - left - NESTED_RIGHT)
        return Geometry(left, wide, CARD_RAIL - _OUTLINE, 0, False, depth, SPACE_8, SPACE_12)
    left, room = column_of(width)
    if width <= NARROW - SIDEBAR_STRIP:
        return Geometry(left, max(1, room), left + ICON_RAIL // 2, left, True, 0, SPACE_12, SPACE_12)
    text = left + GUTTER
    return Geometry(text, max(1, room - GUTTER), left + BADGE_MESSAGE // 2, left, False, 0, SPACE_12, SPACE_12)
