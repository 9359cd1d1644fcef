"""Chips: small facts and filters in a row.

Owns their look. A checkable one tells `toggled`.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, rounded, text_width
from ui.theme.theme import theme
from ui.widgets.controls.pressable import Pressable


class Chip(Pressable):
    """24 high. One that is checked has the accent's tint and outline."""

    def __init__(
        self, text: str, checkable: bool = False, icon: str | None = None, parent: QWidget | None = None
    ) -> None:
        self._icon = icon
        super().__init__(text, parent)
        self.setCheckable(checkable)

    def set_icon(self, name: str | None) -> None:
        """An icon before the text: a check when answered."""
        self._icon = name
        self._retheme()

    def sizeHint(self) -> QSize:
        """As wide as its text."""
        width = 2 * metrics.CHIP_PAD + text_width(self.text(), theme().font("small", 500)) + 1 + self._lead()
        return QSize(round(width), theme().row(metrics.CHIP, "small"))

    def minimumSizeHint(self) -> QSize:
        """Cut in need only."""
        return QSize(min(self.sizeHint().width(), theme().px(48)), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, icon, text."""
        painter = QPainter(self)
        enabled, checked = self.isEnabled(), self.isChecked()
        fill = theme().color(self.ground_token() or ("accent.tint" if checked else "bg.surface")) if enabled else None
        line = "border.default" if not enabled else "accent.fill" if checked else "border.control"
        rounded(painter, QRectF(self.rect()), metrics.RADIUS_6, fill, theme().color(line))
        ink = theme().color("text.muted" if not enabled else "text.primary" if checked else "text.secondary")
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if self._icon:
            left = self.width() - metrics.CHIP_PAD - metrics.ICON_RAIL if rtl else metrics.CHIP_PAD
            side = metrics.ICON_RAIL
            draw_icon(painter, QRectF(left, (self.height() - side) / 2, side, side), self._icon, ink)
        body = QRectF(self.rect()).adjusted(metrics.CHIP_PAD, 0, -metrics.CHIP_PAD, 0)
        body.adjust(*((0, 0, -self._lead(), 0) if rtl else (self._lead(), 0, 0, 0)))
        draw_text(painter, body, self.text(), theme().font("small", 500), ink)
        painter.end()

    def _lead(self) -> int:
        return metrics.ICON_RAIL + metrics.SPACE_4 if self._icon else 0
