"""Where the column of a conversation lies in a pane, and whether the overlay has room beside it (design 6 and 11).

Pure numbers in logical pixels.
"""

from ui.theme.metrics import COLUMN, COLUMN_MOST, GUTTER, OVERLAY

LEFT = 24
"""From the pane's edge to the gutter."""
_ROOM = 52
"""Between the column, the overlay and the edge."""


def column_of(width: int) -> tuple[int, int]:
    """Left edge and width (gutter included) of the column in a pane of this width."""
    widest = COLUMN_MOST if width >= LEFT + COLUMN_MOST + OVERLAY + _ROOM else GUTTER + COLUMN
    room = min(widest, width - 2 * LEFT)
    if overlay_fits(width):
        return LEFT, room
    return max(LEFT, (width - room) // 2), room


def overlay_fits(width: int) -> bool:
    """The overlay stands beside the column without covering text."""
    return width >= GUTTER + COLUMN + OVERLAY + _ROOM
