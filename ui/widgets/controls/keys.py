"""Key caps: how a key looks on a button, in a list, in the status bar.

Owns their drawing and widths. Keys come in Qt's portable form ("Ctrl+Shift+F") and are shown as the
platform writes them.
"""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, hairline_px, rounded, text_width
from ui.theme.theme import theme
from ui.wording import key_text

_SIGNS = {"Up": "↑", "Down": "↓", "Left": "←", "Right": "→", "Escape": "Esc"}
_ENTER = frozenset({"Enter", "Return", "↵"})
_GAP = 4


def key_parts(key: str) -> tuple[str, ...]:
    """The caps of a key such as "Ctrl+Shift+F" or "Ctrl++"."""
    written = key_text(key) or key.strip()
    return tuple(_SIGNS.get(part, part) for part in written.split())


def key_label(key: str) -> str:
    """The key in one text: "Ctrl Shift F"."""
    return " ".join(key_parts(key))


def cap_width(text: str) -> float:
    """Width of one cap."""
    if text in _ENTER:
        return float(metrics.KEY_CAP + 2)
    return max(float(metrics.KEY_CAP), round(text_width(text, theme().font("small")) + 2 * metrics.KEY_CAP_PAD))


def caps_width(parts: tuple[str, ...]) -> float:
    """Width of caps side by side."""
    return sum(cap_width(part) for part in parts) + _GAP * max(0, len(parts) - 1)


def cap_height() -> int:
    """Height of a cap at the chosen font size."""
    return theme().row(metrics.KEY_CAP, "small")


def draw_cap(painter: QPainter, left: float, center_y: float, text: str, ink: QColor | None = None) -> float:
    """Draw one cap from `left`; returns its width. With `ink` it is a bare outline in that colour."""
    width, height = cap_width(text), cap_height()
    box = QRectF(left, round(center_y - height / 2), width, height)
    if ink is not None:
        rounded(painter, box, metrics.RADIUS_4, None, ink)
    else:
        rounded(painter, box, metrics.RADIUS_4, theme().color("bg.surface"), theme().color("border.control"))
        _draw_upper_edge(painter, box)
    color = ink or theme().color("text.secondary")
    if text in _ENTER:
        side = 12.0
        place = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
        draw_icon(painter, place, "corner-down-left", color)
    else:
        draw_text(painter, box, text, theme().font("small"), color, None, Qt.AlignmentFlag.AlignHCenter)
    return width


def draw_caps(painter: QPainter, left: float, center_y: float, parts: tuple[str, ...]) -> None:
    """Draw caps side by side; keys run from left to right in every language."""
    for part in parts:
        left += draw_cap(painter, left, center_y, part) + _GAP


def _draw_upper_edge(painter: QPainter, box: QRectF) -> None:
    """All but the lower edge of a cap is lighter."""
    painter.save()
    painter.setClipRect(box.adjusted(-1, -1, 1, -2 * hairline_px(painter)))
    rounded(painter, box, metrics.RADIUS_4, theme().color("bg.surface"), theme().color("border.default"))
    painter.restore()
