"""How high a row will be before it was ever shown, and how far it stands from the one above.

Owns numbers about rows, cheap enough for 10,000 at once: a row's height is estimated from its letters and the width of
the column, and corrected when it is first shown. No widgets.
"""

from dataclasses import dataclass
from enum import IntEnum

from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.rows import (
    AnsweredRow,
    DelegationRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    PlanRow,
    PollRow,
    Row,
    ThoughtRow,
    ToolGroupRow,
    ToolRow,
    UserRow,
)
from ui.widgets.feed.geometry import Geometry

_LETTER = 0.49  # mean width of a letter of prose, of its font size
_BOX = 2 * metrics.MESSAGE_PAD_V + 2
_BADGE_ABOVE = metrics.BADGE_MESSAGE + metrics.SPACE_4
_CHARACTERS_MOST = 64_000


class Kind(IntEnum):
    """What stands next to what: prose, lines of the rail, cards."""

    PROSE = 0
    LINE = 1
    CARD = 2


@dataclass(frozen=True, slots=True)
class Shape:
    """What an estimate needs of a row. `fixed`: px that no width changes; `first`: the badge stands beside it."""

    kind: Kind
    fixed: int
    letters: int = 0
    breaks: int = 0
    lines_most: int = 0
    first: bool = False
    own: bool = False


def shape_of(row: Row) -> Shape:
    """The shape of a row."""
    match row:
        case MessageRow():
            return _prose(row.text, len(row.images) * metrics.IMAGE_HEIGHT, first=row.first)
        case UserRow():
            fixed = _BOX + len(row.images) * metrics.IMAGE_HEIGHT
            return _prose(row.text, fixed, most=metrics.MESSAGE_FOLD_LINES + 1, own=True)
        case NoteRow():
            return _prose(row.text, _BOX + theme().line("small"), most=metrics.MESSAGE_FOLD_LINES + 1, own=True)
        case NoticeRow():
            return _prose(row.text, metrics.SPACE_8)
        case DelegationRow():
            return Shape(Kind.CARD, metrics.CARD_COLLAPSED, first=row.first)
        case PlanRow():
            rows = theme().row(metrics.LINE_ROW) * len(row.steps)
            return Shape(Kind.CARD, metrics.MESSAGE_BAR + rows + metrics.SPACE_12, first=row.first)
        case PollRow():
            return Shape(Kind.LINE, theme().row(metrics.POLL_LINE, "small"), first=row.first)
        case ThoughtRow() | ToolRow() | ToolGroupRow() | AnsweredRow():
            return Shape(Kind.LINE, theme().row(metrics.LINE_ROW), first=row.first)


def task_shape() -> Shape:
    """A child's task, the first row of its transcript: one folded line."""
    return Shape(Kind.LINE, theme().row(metrics.LINE_ROW))


def _prose(text: str, fixed: int, *, most: int = 0, first: bool = False, own: bool = False) -> Shape:
    letters = min(len(text), _CHARACTERS_MOST)
    return Shape(Kind.PROSE, fixed, letters, text.count("\n", 0, _CHARACTERS_MOST), most, first, own)


def gap_above(before: Shape | None, shape: Shape, place: Geometry) -> int:
    """From the bottom of the row before to the top of this one, in px."""
    if before is None:
        return place.top
    kinds = {before.kind, shape.kind}
    if kinds == {Kind.LINE}:
        return 0
    if shape.own or before.own:
        return metrics.ENTRY_GAP
    if Kind.CARD in kinds:
        return place.card_gap
    return metrics.SPACE_8 if Kind.LINE in kinds else metrics.ENTRY_GAP


def badge_above(shape: Shape, place: Geometry) -> int:
    """Room for the badge above the text, where there is no gutter."""
    return _BADGE_ABOVE if place.above and (shape.first or shape.own) else 0


def estimated(shape: Shape, width: int) -> int:
    """Height of a row at a width, without its gap."""
    if not shape.letters:
        return shape.fixed
    per_line = max(8.0, width / (theme().size("prose") * _LETTER))
    lines = int(shape.letters / per_line) + shape.breaks + 1
    if shape.lines_most:
        lines = min(lines, shape.lines_most)
    return shape.fixed + lines * theme().line("prose")


def estimate_all(shapes: "list[Shape]", place: Geometry) -> list[int]:
    """Heights of all rows with their gaps."""
    heights: list[int] = []
    before: Shape | None = None
    per_line = max(8.0, place.width / (theme().size("prose") * _LETTER))
    line = theme().line("prose")
    for shape in shapes:
        height = shape.fixed
        if shape.letters:
            lines = int(shape.letters / per_line) + shape.breaks + 1
            height += min(lines, shape.lines_most or lines) * line
        heights.append(height + gap_above(before, shape, place) + badge_above(shape, place))
        before = shape
    return heights
