"""The fixed rows of the sidebar: New session, Search, Needs you, Board, Settings (design 7.1).

Owns painting; what a row does is told by `clicked`. Ends with the sidebar.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.badges import draw_count_box
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, focus_ring, rounded, text_width
from ui.theme.theme import theme
from ui.widgets.controls.keys import key_label
from ui.widgets.controls.pressable import Pressable
from ui.widgets.controls.tips import set_tip
from ui.wording import tr

_PAD, _GAP = metrics.SPACE_8, metrics.INNER_10
_RETURNS = frozenset({
    Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason, Qt.FocusReason.MenuBarFocusReason,
})  # fmt: skip


def count_width(count: int) -> float:
    """Width of the amber box."""
    room = text_width(str(count), theme().numbers("small", 600)) + 2 * metrics.INNER_6
    return float(max(metrics.COUNT_BOX_LEAST, round(room)))


class PlaceRow(Pressable):
    """Icon, name, and its key at the right end, or an amber count."""

    def __init__(self, icon: str, text: str, key: str = "", parent: QWidget | None = None) -> None:
        self._icon, self._key, self._count = icon, key, 0
        self.current = self._ring = False
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._say()

    def set_count(self, count: int) -> None:
        """How many wait; 0 shows the key again."""
        if count != self._count:
            self._count = count
            self._say()
            self.update()

    def set_key(self, key: str) -> None:
        """The key that the action has now."""
        self._key = key
        self._say()
        self.update()

    def set_current(self, is_current: bool) -> None:
        """Its page shows."""
        if is_current != self.current:
            self.current = is_current
            self._say()
            self.update()

    def _say(self) -> None:
        waiting = tr("%n waiting", n=self._count) if self._count else ""
        self.setAccessibleName(", ".join(part for part in (self.text(), waiting) if part))
        self.setAccessibleDescription(tr("This page shows") if self.current else "")
        set_tip(self, f"{self.text()}  {key_label(self._key)}" if self._key else self.text())

    def sizeHint(self) -> QSize:
        """32 high."""
        return QSize(theme().px(metrics.SIDEBAR_NARROW), theme().row(metrics.SIDEBAR_ROW))

    def minimumSizeHint(self) -> QSize:
        """Cut in need: it is as wide as the sidebar."""
        return QSize(metrics.SIDEBAR_STRIP, theme().row(metrics.SIDEBAR_ROW))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """One row."""
        painter = QPainter(self)
        rect = QRectF(self.rect())
        token = "bg.selected" if self.current else self.ground_token()
        if token is not None:
            rounded(painter, rect, metrics.RADIUS_6, theme().color(token))
        draw_icon(painter, self._place(_PAD, metrics.ICON), self._icon, theme().color("text.secondary"))
        used = self._paint_end(painter, rect)
        left = _PAD + metrics.ICON + _GAP
        room = self._place(left, rect.width() - left - used - _PAD, rect.height())
        draw_text(painter, room, self.text(), theme().font("ui"), theme().color("text.primary"))
        if self._ring and self.hasFocus():
            focus_ring(painter, rect, metrics.RADIUS_6, inside=True)
        painter.end()

    def _paint_end(self, painter: QPainter, rect: QRectF) -> float:
        """The count or the key; the room it took."""
        middle = rect.center().y()
        if self._count:
            width = count_width(self._count)
            draw_count_box(painter, self._place(rect.width() - _PAD - width, width).right(), middle, self._count)
            return width + _PAD
        if not self._key:
            return 0.0
        label, font = key_label(self._key), theme().font("small")
        width = text_width(label, font) + 1
        room = self._place(rect.width() - _PAD - width, width, rect.height())
        draw_text(painter, room, label, font, theme().color("text.muted"), None, Qt.AlignmentFlag.AlignTrailing)
        return width + _PAD

    def _place(self, at: float, width: float, height: float | None = None) -> QRectF:
        """A part at `at` from the leading edge, mirrored with the layout."""
        tall = width if height is None else height
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        return QRectF(self.width() - at - width if rtl else at, (self.height() - tall) / 2, width, tall)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Rows have their ring inside."""
        if event.reason() not in _RETURNS:
            self._ring = event.reason() != Qt.FocusReason.MouseFocusReason
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: ARG002  # Qt's signature
        """The ring goes with the focus."""
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Who uses keys sees where they go; arrows walk the rows."""
        self._ring = True
        self.update()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        elif event.key() in {Qt.Key.Key_Down, Qt.Key.Key_J}:
            self.focusNextChild()
        elif event.key() in {Qt.Key.Key_Up, Qt.Key.Key_K}:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)
