"""One line of text in which the letters that matched stand out: the accent's colour, 600.

Owns its drawing only; weight and colour both say it, so that it does not rest on colour.
"""
# ruff: noqa: PLR0917  # a painter, a place and what to paint

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption

from ui.theme.painting import fit_text, mirrored
from ui.theme.script import is_rtl
from ui.theme.theme import theme


def draw_hits(painter: QPainter, rect: QRectF, text: str, hits: Sequence[int], font: QFont, color: QColor) -> float:
    """Draw `text` from the leading edge, cut at its end; returns the width it took."""
    if not text or rect.width() <= 0:
        return 0.0
    shown, _width, fitting = fit_text(text, font, rect.width() - _bolder(hits))
    layout = QTextLayout(shown, fitting)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTextDirection(Qt.LayoutDirection.RightToLeft if is_rtl(text) else Qt.LayoutDirection.LeftToRight)
    layout.setTextOption(option)
    layout.setFormats(_formats(shown, text, hits))
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    line.setPosition(QPointF(0, 0))
    layout.endLayout()
    width = line.naturalTextWidth()
    # A line set from right to left ends at its far right edge: it is moved back by what it does not use.
    unused = 1e6 - width if is_rtl(text) else 0.0
    left = rect.right() - width if mirrored(painter) else rect.left()
    painter.setPen(color)
    layout.draw(painter, QPointF(left - unused, rect.center().y() - line.height() / 2))
    return width


def _formats(shown: str, text: str, hits: Sequence[int]) -> list[QTextLayout.FormatRange]:
    same = len(shown) if shown == text else max(0, len(shown) - 1)
    form = QTextCharFormat()
    form.setForeground(theme().color("accent.text"))
    form.setFontWeight(QFont.Weight.DemiBold)
    made: list[QTextLayout.FormatRange] = []
    for start, length in _runs([hit for hit in hits if hit < same]):
        range_of = QTextLayout.FormatRange()
        range_of.start, range_of.length, range_of.format = start, length, form  # pyright: ignore[reportAttributeAccessIssue]  # fields are missing in the stubs
        made.append(range_of)
    return made


def _runs(hits: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for hit in sorted(hits):
        if runs and sum(runs[-1]) == hit:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((hit, 1))
    return runs


def _bolder(hits: Sequence[int]) -> float:
    """Room for letters that get wider."""
    return len(hits) * 0.6
