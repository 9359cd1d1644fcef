"""The fixed rows of the sidebar: New session, Search, Needs you, Board, Settings (design 7.1).

Owns painting; what a row does is told by `clicked`.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.badges import draw_count_box
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, focus_ring, rounded
from ui.theme.theme import theme
from ui.widgets.controls.pressable import Pressable
from ui.wording import key_text, tr


class PlaceRow(Pressable):
    """Icon, name, key at the right end, or an amber count."""

    def __init__(self, icon: str, text: str, key: str = "", parent: QWidget | None = None) -> None:
        self._icon, self._key, self._count, self.current = icon, key, 0, False
        super().__init__(text, parent)
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_count(self, count: int) -> None:
        """How many wait; 0 shows the key again."""
        if count != self._count:
            self._count = count
            self.setAccessibleName(f"{self.text()}, {tr('%n waiting', n=count)}" if count else self.text())
            self.update()

    def set_current(self, is_current: bool) -> None:
        """Its page shows."""
        if is_current != self.current:
            self.current = is_current
            self.update()

    def sizeHint(self) -> QSize:
        """32 high."""
        return QSize(180, theme().row(metrics.SIDEBAR_ROW))

    def minimumSizeHint(self) -> QSize:
        """32 high."""
        return QSize(60, theme().row(metrics.SIDEBAR_ROW))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """One row."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        if self.current:
            rounded(painter, rect, metrics.RADIUS_6, theme().color("bg.selected"))
        elif self.isDown() or self.underMouse():
            rounded(painter, rect, metrics.RADIUS_6, theme().color("bg.hover"))
        middle = rect.center().y()
        draw_icon(painter, QRectF(8, middle - 8, 16, 16), self._icon, theme().color("text.secondary"))
        right = rect.right() - 8
        if self._count:
            right = draw_count_box(painter, right, middle, self._count).left()
        elif self._key:
            room = QRectF(rect.width() - 110, 0, 102, rect.height())
            muted, align = theme().color("text.muted"), Qt.AlignmentFlag.AlignTrailing
            right -= draw_text(painter, room, key_text(self._key), theme().font("small"), muted, None, align)
        room = QRectF(34, 0, right - 40, rect.height())
        draw_text(painter, room, self.text(), theme().font("ui"), theme().color("text.primary"))
        if self.hasFocus():
            focus_ring(painter, rect, metrics.RADIUS_6, inside=True)
        painter.end()
