"""Gaps between rows, and heights of rows that were not shown yet (design 3, 7.2, 7.3).

Pure.
"""

from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.rows import (
    DelegationRow,
    MessageRow,
    NoteRow,
    PlanRow,
    PollRow,
    Row,
    ThoughtRow,
    ToolGroupRow,
    ToolRow,
    UserRow,
)

_LINES = (ToolRow, ToolGroupRow, ThoughtRow, PollRow)
_LETTER = 7.0
"""Mean width of a letter of prose in px."""


def gap_before(before: Row | None, row: Row) -> int:
    """Px above a row."""
    if before is None:
        return metrics.ENTRY_GAP
    if isinstance(before, _LINES) and isinstance(row, _LINES):
        return 0
    if isinstance(before, DelegationRow) or isinstance(row, DelegationRow):
        return metrics.CARD_GAP
    return metrics.ENTRY_GAP


def estimate(row: Row, width: int) -> int:
    """Height of a row that was never laid out, gap included."""
    match row:
        case MessageRow() | UserRow() | NoteRow():
            lines = row.text.count("\n", 0, 20_000) + 1 + int(min(len(row.text), 20_000) * _LETTER / max(200, width))
            pad = 0 if isinstance(row, MessageRow) else 2 * metrics.MESSAGE_PAD_V
            return lines * theme().line("prose") + pad + metrics.ENTRY_GAP
        case DelegationRow():
            return metrics.CARD_COLLAPSED + metrics.CARD_GAP
        case PlanRow():
            return (len(row.steps) + 1) * metrics.LINE_ROW + metrics.ENTRY_GAP
        case PollRow():
            return metrics.POLL_LINE
        case _:
            return metrics.LINE_ROW
