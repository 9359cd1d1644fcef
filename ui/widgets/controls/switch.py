"""A switch, and the box or dot of an option.

Owns their look; a click, Space or Enter toggles.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.widgets.controls.pressable import Pressable

_KNOB = 14
_KNOB_GAP = 2


class Switch(Pressable):
    """On or off, at once. The track is 32 by 18, the target 24 high."""

    ring_radius = metrics.SWITCH_HEIGHT / 2

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """The smallest target is 24 high."""
        return QSize(metrics.SWITCH_WIDTH, metrics.TARGET)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Track and knob; the knob's side is the shape that tells on from off."""
        painter = QPainter(self)
        top = (self.height() - metrics.SWITCH_HEIGHT) / 2
        track = QRectF((self.width() - metrics.SWITCH_WIDTH) / 2, top, metrics.SWITCH_WIDTH, metrics.SWITCH_HEIGHT)
        radius = metrics.SWITCH_HEIGHT / 2
        on, enabled = self.isChecked(), self.isEnabled()
        held = enabled and (self.isDown() or self.under_pointer)
        if on and enabled:
            rounded(painter, track, radius, theme().color("accent.hover" if held else "accent.fill"))
            knob = theme().color("text.on-accent")
        else:
            fill = theme().color("bg.hover" if held else "bg.surface") if enabled else None
            rounded(painter, track, radius, fill, theme().color("border.control" if enabled else "border.default"))
            knob = theme().color("border.control" if enabled else "border.default")
        ends = on != (self.layoutDirection() == Qt.LayoutDirection.RightToLeft)
        left = track.right() - _KNOB_GAP - _KNOB if ends else track.left() + _KNOB_GAP
        rounded(painter, QRectF(left, track.top() + _KNOB_GAP, _KNOB, _KNOB), _KNOB / 2, knob)
        painter.end()


class CheckMark(Pressable):
    """The 16 px box (many) or dot (one) of an option. `name` is what it chooses."""

    ring_radius = metrics.RADIUS_4

    def __init__(self, name: str, one: bool = False, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setCheckable(True)
        self.setAutoExclusive(one)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        if one:
            self.ring_radius = metrics.CHECK_BOX / 2

    def sizeHint(self) -> QSize:
        """A target of 24 around 16."""
        return QSize(metrics.TARGET, metrics.TARGET)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The box or dot."""
        painter = QPainter(self)
        side = metrics.CHECK_BOX
        place = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        draw_check(painter, place, self.isChecked(), one=self.autoExclusive(), enabled=self.isEnabled())
        painter.end()


def draw_check(painter: QPainter, rect: QRectF, checked: bool, one: bool = False, enabled: bool = True) -> None:
    """A check box, or with `one` a radio dot, in `rect` (16 by 16)."""
    radius = rect.height() / 2 if one else metrics.RADIUS_4
    if not checked or not enabled:
        line = theme().color("border.control" if enabled else "border.default")
        rounded(painter, rect, radius, theme().color("bg.surface") if enabled else None, line)
    else:
        rounded(painter, rect, radius, theme().color("accent.fill"))
    if not checked:
        return
    ink = theme().color("text.on-accent" if enabled else "text.muted")
    if one:
        inset = rect.height() * 0.3125
        rounded(painter, rect.adjusted(inset, inset, -inset, -inset), rect.height(), ink)
    else:
        draw_icon(painter, rect.adjusted(2, 2, -2, -2), "check", ink)
