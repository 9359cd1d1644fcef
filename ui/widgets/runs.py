"""Lines of a painted row: parts placed from the leading edge, and texts of several looks one behind the other.

Owns no state. The last text that does not fit is cut; what stands behind it is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from ui.theme.painting import draw_text, mirrored, text_width
from ui.theme.theme import theme

_LEAST, _GAP = 12.0, 4.0


@dataclass(frozen=True, slots=True)
class Run:
    """One text in one look."""

    text: str
    font: QFont
    color: QColor


def run(text: str, token: str, weight: int | None = None, role: str = "ui") -> Run:
    """A text by the names of its look."""
    return Run(text, theme().font(role, weight), theme().color(token))


def across(painter: QPainter, line: QRectF, at: float, width: float) -> QRectF:
    """A part of a line, `at` from its leading edge; mirrored with the layout."""
    left = line.right() - at - width if mirrored(painter) else line.left() + at
    return QRectF(left, line.top(), width, line.height())


def square(painter: QPainter, line: QRectF, at: float, side: float) -> QRectF:
    """The same for a mark or badge, in the middle of the line's height."""
    part = across(painter, line, at, side)
    return QRectF(part.left(), line.center().y() - side / 2, side, side)


def draw_runs(painter: QPainter, line: QRectF, runs: Sequence[Run], gap: float = _GAP) -> float:
    """Texts behind each other, `gap` apart; the width they took."""
    at = 0.0
    for one in runs:
        room = line.width() - at
        if room < _LEAST or not one.text:
            continue
        whole = text_width(one.text, one.font)
        draw_text(painter, across(painter, line, at, room), one.text, one.font, one.color)
        at += min(whole, room) + gap
    return max(0.0, at - gap)


def fitted_path(above: Sequence[str], agent: str, room: float) -> list[Run]:
    """Agents from the root down, the last one strong; where there is no room the first ones give way."""
    last, names = run(agent, "text.primary", 600), [run(f"{name} ›", "text.muted") for name in above]
    needed = sum(text_width(one.text, one.font) + _GAP for one in (*names, last))
    cut = bool(names) and needed > room
    while names and needed > room:
        needed -= text_width(names[0].text, names[0].font) + _GAP
        del names[0]
    return [*([run("… ›", "text.muted")] if cut else []), *names, last]


def draw_end(painter: QPainter, line: QRectF, pad: float, one: Run) -> float:
    """A text that ends `pad` before the trailing edge; the width it took."""
    width = text_width(one.text, one.font) + 1
    place = across(painter, line, line.width() - pad - width, width)
    draw_text(painter, place, one.text, one.font, one.color, None, Qt.AlignmentFlag.AlignTrailing)
    return width
