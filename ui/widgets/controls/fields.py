"""Fields for one line of text.

Owns their look; everything else is QLineEdit's. A wrong value keeps the field and gets an outline; the reason is the
caller's to show.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.focus import focus_came, focus_went
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, rounded, text_width
from ui.theme.theme import theme

_PAD = 8
_INNER = 2  # QLineEdit's own margin at both ends


class Field(QLineEdit):
    """28 high. `suffix` is a unit at its end, `icon` a drawing at its start."""

    def __init__(
        self, placeholder: str = "", suffix: str = "", icon: str | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._suffix, self._icon, self._wrong = suffix, icon, False
        self._mono = False
        self.setFrame(False)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._retheme()
        theme().changed.connect(self._retheme)

    def set_wrong(self, wrong: bool) -> None:
        """Outline a value that cannot be taken. The field keeps it."""
        if wrong != self._wrong:
            self._wrong = wrong
            self.update()

    @property
    def wrong(self) -> bool:
        """Whether it is outlined as wrong."""
        return self._wrong

    def sizeHint(self) -> QSize:
        """28 high at the default font size."""
        return QSize(super().sizeHint().width(), theme().row(metrics.FIELD))

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters."""
        return QSize(theme().px(48), theme().row(metrics.FIELD))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Box, icon and unit under Qt's text."""
        painter = QPainter(self)
        enabled = self.isEnabled()
        line = "failed.mark" if self._wrong else "border.control" if enabled else "border.default"
        fill = theme().color("bg.surface") if enabled else None
        rounded(painter, QRectF(self.rect()), metrics.RADIUS_6, fill, theme().color(line))
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if self._icon:
            side = metrics.ICON_RAIL
            left = self.width() - _PAD - side if rtl else _PAD
            ink = theme().color("text.secondary" if enabled else "text.muted")
            draw_icon(painter, QRectF(left, (self.height() - side) / 2, side, side), self._icon, ink)
        if self._suffix:
            body = QRectF(self.rect()).adjusted(_PAD, 0, -_PAD, 0)
            font, muted = theme().font("ui"), theme().color("text.muted")
            draw_text(painter, body, self._suffix, font, muted, None, Qt.AlignmentFlag.AlignTrailing)
        painter.end()
        super().paintEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A field shows its ring however the focus came: one types into it."""
        focus_came(self, event, always=True)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes with the focus."""
        focus_went(self, event)
        super().focusOutEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """The layout turned round."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._retheme()

    def _place_text(self, start: int, end: int) -> None:
        """At the leading edge of the layout, whatever the direction of the text."""
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        side = Qt.AlignmentFlag.AlignRight if rtl else Qt.AlignmentFlag.AlignLeft
        self.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)
        if rtl:
            start, end = end, start
        self.setTextMargins(start, 0, end, 0)

    def _trail(self) -> int:
        """Room kept at the end."""
        return round(text_width(self._suffix, theme().font("ui"))) + metrics.SPACE_4 if self._suffix else 0

    def _retheme(self) -> None:
        lead = metrics.ICON_RAIL + metrics.INNER_6 if self._icon else 0
        self._place_text(_PAD - _INNER + lead, _PAD - _INNER + self._trail())
        self.setFont(theme().font("code.small" if self._mono else "ui"))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, theme().color("text.primary"))
        palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text, theme().color("text.muted"))
        palette.setColor(QPalette.ColorRole.PlaceholderText, theme().color("text.muted"))
        palette.setColor(QPalette.ColorRole.Highlight, theme().color("bg.selected"))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme().color("text.primary"))
        self.setPalette(palette)
        self.updateGeometry()
        self.update()


class SearchField(Field):
    """A field that searches while one types. Esc empties it first; the cross does the same."""

    cleared = Signal()

    def __init__(self, placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(placeholder, icon="search", parent=parent)
        self.textChanged.connect(self.update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc empties; in an empty field it belongs to whoever holds the field."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self._empty()
            return
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The cross empties."""
        if self.text() and self._cross().contains(event.position()):
            self._empty()
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """An arrow over the cross, a beam over the text."""
        over = bool(self.text()) and self._cross().contains(event.position())
        self.setCursor(Qt.CursorShape.ArrowCursor if over else Qt.CursorShape.IBeamCursor)
        super().mouseMoveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The cross keeps its end."""
        super().resizeEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The cross shows while there is something to empty."""
        super().paintEvent(event)
        if self.text():
            painter = QPainter(self)
            middle, side = self._cross().center(), metrics.ICON_RAIL
            place = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
            draw_icon(painter, place, "x", theme().color("text.secondary"))
            painter.end()

    def _empty(self) -> None:
        self.clear()
        self.cleared.emit()

    def _trail(self) -> int:
        return metrics.TARGET - _PAD + _INNER

    def _cross(self) -> QRectF:
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = 2 if rtl else self.width() - metrics.TARGET - 2
        return QRectF(left, (self.height() - metrics.TARGET) / 2, metrics.TARGET, metrics.TARGET)
