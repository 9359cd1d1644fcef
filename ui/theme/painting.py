"""Strokes that every painter needs: text in one line, hairlines on the device grid, rounded boxes.

Owns no state and no colour. Everything is drawn as vectors at the device's resolution.
"""
# ruff: noqa: PLR0917  # a painter, a place and what to paint

from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from ui.theme.script import is_rtl
from ui.theme.theme import theme

Elide = Literal["right", "middle"] | None
_TEXT_MOST = 4000  # letters that one line can ever need; longer ones only cost
_MODES = {"right": Qt.TextElideMode.ElideRight, "middle": Qt.TextElideMode.ElideMiddle}
_ONE_PIXEL_TO, _TWO_PIXELS_TO = 1.25, 2.0


def mirrored(painter: QPainter) -> bool:
    """Whether the painted widget is laid out from right to left; off a widget, what the painter was told.

    A painter on a widget knows only the application's direction, but code and times keep theirs in their own widgets.
    """
    device = painter.device()
    direction = device.layoutDirection() if isinstance(device, QWidget) else painter.layoutDirection()
    return direction == Qt.LayoutDirection.RightToLeft


def hairline_px(painter: QPainter) -> float:
    """Width of a hairline in logical px: 1 device px up to 125 %, 2 up to 200 %."""
    scale = painter.deviceTransform().m11() or 1.0
    device = 1 if scale <= _ONE_PIXEL_TO else 2 if scale <= _TWO_PIXELS_TO else round(scale)
    return device / scale


def hairline(painter: QPainter, x1: float, y1: float, x2: float, y2: float, color: QColor) -> None:
    """A level or upright line to the right of x1 or below y1, snapped to the device grid.

    One that would lie on the far edge of the painted area is pulled inside it.
    """
    shape, thick = painter.deviceTransform(), hairline_px(painter)
    window = painter.window()
    if y1 == y2:
        y = _snap(min(y1, window.height() - thick) if window.height() > 0 else y1, shape.m22(), shape.dy())
        rect = QRectF(min(x1, x2), y, abs(x2 - x1), thick)
    else:
        x = _snap(min(x1, window.width() - thick) if window.width() > 0 else x1, shape.m11(), shape.dx())
        rect = QRectF(x, min(y1, y2), thick, abs(y2 - y1))
    smooth = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(rect, color)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)


def rounded(
    painter: QPainter, rect: QRectF, radius: float, fill: QColor | None = None, outline: QColor | None = None
) -> None:
    """A rounded box; its outline is a hairline inside `rect`."""
    shape = painter.deviceTransform()
    left, top = _snap(rect.left(), shape.m11(), shape.dx()), _snap(rect.top(), shape.m22(), shape.dy())
    right, bottom = _snap(rect.right(), shape.m11(), shape.dx()), _snap(rect.bottom(), shape.m22(), shape.dy())
    box = QRectF(left, top, right - left, bottom - top)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    if outline is None:
        painter.setPen(Qt.PenStyle.NoPen)
    else:
        thick = hairline_px(painter)
        painter.setPen(QPen(outline, thick))
        box.adjust(thick / 2, thick / 2, -thick / 2, -thick / 2)
        radius -= thick / 2
    painter.drawRoundedRect(box, radius, radius)
    painter.restore()


def focus_ring(painter: QPainter, rect: QRectF, radius: float, *, inside: bool = False) -> None:
    """The focus ring: 2 px wide, 2 px outside `rect`, or inside it for rows."""
    pen = theme().focus_pen()
    half = pen.widthF() / 2
    grow = -half if inside else pen.widthF() + half
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(-grow, -grow, grow, grow), max(0.0, radius + grow), max(0.0, radius + grow))
    painter.restore()


def draw_text(
    painter: QPainter,
    rect: QRectF,
    text: str,
    font: QFont,
    color: QColor,
    elide: Elide = "right",
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeading,
) -> float:
    """One line of plain text, centred in the height of `rect`; returns the width it took.

    `align`: AlignLeading, AlignTrailing or AlignHCenter, by the direction of the layout. The text itself runs in its
    own direction and is cut at its own end. Text with Han is set by the rules for Han (design 10).
    """
    if not text or rect.width() <= 0:
        return 0.0
    shown, width, font = fit_text(text, font, rect.width(), elide)
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute | _across(painter, align)
    direction = painter.layoutDirection()
    painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if is_rtl(text) else Qt.LayoutDirection.LeftToRight)
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(rect, int(flags.value) | int(Qt.TextFlag.TextSingleLine.value), shown)
    painter.setLayoutDirection(direction)
    return width


def text_width(text: str, font: QFont) -> float:
    """Width that `draw_text` would take with room to spare."""
    return _measure(text[:_TEXT_MOST], font_key(theme().font_for(text, font)))[1] if text else 0.0


def fit_text(text: str, font: QFont, room: float, elide: Elide = "right") -> tuple[str, float, QFont]:
    """What of `text` fits into `room`, its width, and the font it is set in."""
    fitting = theme().font_for(text, font)
    shown, width = _measure(text[:_TEXT_MOST], font_key(fitting))
    if elide is None or width <= room:
        return shown, width, fitting
    shown, width = _cut(text[:_TEXT_MOST], font_key(fitting), room, elide)
    return shown, width, fitting


def mix(color: QColor, ground: QColor, share: float) -> QColor:
    """`share` of `color` laid on `ground`, as one opaque colour."""
    rest = 1.0 - share
    return QColor.fromRgbF(
        color.redF() * share + ground.redF() * rest,
        color.greenF() * share + ground.greenF() * rest,
        color.blueF() * share + ground.blueF() * rest,
    )


def _across(painter: QPainter, align: Qt.AlignmentFlag) -> Qt.AlignmentFlag:
    if align & Qt.AlignmentFlag.AlignHCenter:
        return Qt.AlignmentFlag.AlignHCenter
    trailing = bool(align & Qt.AlignmentFlag.AlignTrailing)
    return Qt.AlignmentFlag.AlignRight if trailing != mirrored(painter) else Qt.AlignmentFlag.AlignLeft


def _snap(at: float, scale: float, shift: float) -> float:
    return (round(at * scale + shift) - shift) / scale if scale else at


_fonts: dict[str, QFont] = {}


def font_key(font: QFont) -> str:
    """A font as a part of a cache key; `font_of` finds it again."""
    key = f"{theme().language}/{font.key()}"  # the key of Qt leaves the stand-in families out
    if key not in _fonts:
        _fonts[key] = QFont(font)
    return key


def font_of(key: str) -> QFont:
    """The font of a key."""
    return _fonts[key]


@lru_cache(maxsize=8192)
def _measure(text: str, key: str) -> tuple[str, float]:
    return text, QFontMetricsF(font_of(key)).horizontalAdvance(text)


@lru_cache(maxsize=4096)
def _cut(text: str, key: str, room: float, elide: Literal["right", "middle"]) -> tuple[str, float]:
    measure = QFontMetricsF(font_of(key))
    shown = measure.elidedText(text, _MODES[elide], room)
    return shown, measure.horizontalAdvance(shown)
