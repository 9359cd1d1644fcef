"""Whether the overlay has room beside the column of a pane (design 11). Pure, in logical px."""

from ui.theme.metrics import COLUMN, GUTTER, OVERLAY
from ui.widgets.feed.geometry import OVERLAY_ROOM


def overlay_fits(width: int) -> bool:
    """The overlay stands beside the column without covering text."""
    return width >= GUTTER + COLUMN + OVERLAY + OVERLAY_ROOM
