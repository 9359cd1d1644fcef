"""Plain text over several lines, with the design's line height and a limit of lines.

Owns a small store of finished layouts, by text, font and width. No rich text, no selection: that is `ui.widgets.text`.
"""
# ruff: noqa: PLR0917  # a painter, a place and what to paint

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption

from ui.theme.painting import font_key, font_of, mirrored
from ui.theme.script import has_han, is_rtl
from ui.theme.theme import theme

_MOST_LETTERS = 20_000  # a paragraph of the interface; longer texts are the transcript's
_ALL = 10_000
_HAN_PROSE = 2  # px more for each line of prose with Han (design 10)


@dataclass(frozen=True, slots=True)
class _Set:
    """A finished layout: its lines have the width they were broken at."""

    layout: QTextLayout
    lines: int
    width: float


def paragraph_height(text: str, role: str, width: float, weight: int | None = None, most: int = _ALL) -> int:
    """Height of `text` in a type role at `width`, cut after `most` lines."""
    return _set_of(text, role, width, weight, most).lines * line_of(text, role)


def paragraph_width(text: str, role: str, weight: int | None = None) -> float:
    """Width of `text` if only its own line breaks counted."""
    return _set_of(text, role, _ALL * 10.0, weight, _ALL).width


def line_of(text: str, role: str) -> int:
    """Line height of `text` in a role: prose with Han has 2 px more."""
    return theme().line(role) + (_HAN_PROSE if role == "prose" and has_han(text) else 0)


def draw_paragraph(
    painter: QPainter,
    rect: QRectF,
    text: str,
    role: str,
    color: QColor,
    weight: int | None = None,
    most: int = _ALL,
) -> float:
    """Draw `text` from the top of `rect`, broken at its width; returns the height it took.

    Each line starts at the leading edge of the layout; the text itself runs in its own direction.
    """
    done = _set_of(text, role, rect.width(), weight, most)
    line = line_of(text, role)
    rtl = mirrored(painter)
    painter.setPen(color)
    for number in range(done.lines):
        row = done.layout.lineAt(number)
        left = rect.width() - row.naturalTextWidth() if rtl else 0.0
        top = number * line + (line - row.height()) / 2
        row.draw(painter, QPointF(rect.left() + left, rect.top() + top))
    return float(done.lines * line)


def _set_of(text: str, role: str, width: float, weight: int | None, most: int) -> _Set:
    font = theme().font_for(text, theme().font(role, weight))
    return _set(text[:_MOST_LETTERS], font_key(font), max(1.0, width), most)


@lru_cache(maxsize=512)
def _set(text: str, key: str, width: float, most: int) -> _Set:
    font = font_of(key)
    shown = text.replace("\r\n", "\n").replace("\n", "\u2028")
    done = _broken(shown, font, width)
    if done.lineCount() <= most:
        return _Set(done, done.lineCount(), _widest(done))
    start = done.lineAt(most - 1).textStart()
    rest = QFontMetricsF(font).elidedText(shown[start:].replace("\u2028", " "), Qt.TextElideMode.ElideRight, width)
    if not rest.endswith("…"):
        rest += "…"
    cut = _broken(shown[:start] + rest, font, width)
    return _Set(cut, min(most, cut.lineCount()), _widest(cut))


def _broken(text: str, font: QFont, width: float) -> QTextLayout:
    layout = QTextLayout(text, font)
    option = QTextOption(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setTextDirection(Qt.LayoutDirection.RightToLeft if is_rtl(text) else Qt.LayoutDirection.LeftToRight)
    layout.setTextOption(option)
    layout.setCacheEnabled(True)
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, 0))
    layout.endLayout()
    return layout


def _widest(layout: QTextLayout) -> float:
    return max((layout.lineAt(at).naturalTextWidth() for at in range(layout.lineCount())), default=0.0)
