"""One line of words with code in it: each part in its font, in the direction of the whole sentence.

Owns painting only. The line stands at the leading edge and is cut at its own end.
"""
# ruff: noqa: PLR0917  # a painter, a place and what to paint

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QWidget

from ui.theme.painting import draw_text, text_width
from ui.theme.script import is_rtl
from ui.theme.theme import theme
from ui.viewmodels.cards import Piece
from ui.widgets.mirror import is_mirrored, turned


def draw_pieces(
    widget: QWidget, painter: QPainter, room: QRectF, words: Sequence[Piece], role: str, token: str
) -> float:
    """Draw them into `room`, counted from the leading edge of the widget; returns the width they took."""
    whole = sum(text_width(piece.text, _font(piece, role)) for piece in words)
    used = min(whole, max(0.0, room.width()))
    place = turned(widget, QRectF(room.left(), room.top(), used, room.height()))
    backwards = is_rtl("".join(piece.text for piece in words))
    at, left, color = 0.0, used, theme().color(token)
    for piece in words:
        font = _font(piece, role)
        wide = min(text_width(piece.text, font), left)
        if wide <= 0:
            break
        x = place.right() - at - wide if backwards else place.left() + at
        align = Qt.AlignmentFlag.AlignTrailing if backwards != is_mirrored(widget) else Qt.AlignmentFlag.AlignLeading
        draw_text(painter, QRectF(x, place.top(), wide, place.height()), piece.text, font, color, "right", align)
        at, left = at + wide, left - wide
    return used


def pieces_width(words: Sequence[Piece], role: str) -> float:
    """Width that they would take with room to spare."""
    return sum(text_width(piece.text, _font(piece, role)) for piece in words)


def _font(piece: Piece, role: str) -> QFont:
    return theme().font("code.small") if piece.mono else theme().font(role)
