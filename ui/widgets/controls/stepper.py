"""A number with minus and plus beside it.

Owns its look; typing, arrows, Home and End are QSpinBox's. `changed` tells what the person chose, never what was set.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QSizePolicy, QSpinBox, QWidget

from ui.theme import metrics
from ui.theme.focus import focus_came, focus_went
from ui.theme.icons import draw_icon
from ui.theme.painting import hairline, rounded
from ui.theme.theme import theme

_WIDTH = 94
_ICON = 12
_FIRST_MS, _NEXT_MS = 400, 80


class Stepper(QSpinBox):
    """Steps of one; a held button repeats."""

    changed = Signal(int)

    def __init__(self, minimum: int, maximum: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quiet = False
        self._held = 0
        self._under = 0
        self._repeat = QTimer(self)
        self._repeat.timeout.connect(self._step_again)
        self.setRange(minimum, maximum)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setFrame(False)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setKeyboardTracking(False)
        self.lineEdit().installEventFilter(self)
        self.valueChanged.connect(self._tell)
        self._retheme()
        theme().changed.connect(self._retheme)

    def set_value(self, value: int) -> None:
        """Show a value without telling `changed`."""
        self._quiet = True
        self.setValue(value)
        self._quiet = False

    def sizeHint(self) -> QSize:
        """Two buttons of 29 and the number."""
        return QSize(theme().px(_WIDTH), theme().row(metrics.FIELD))

    def minimumSizeHint(self) -> QSize:
        """It never gets smaller."""
        return self.sizeHint()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The number stays between the buttons whatever Qt's style thinks."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
            self._place_number()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The number between the buttons."""
        super().resizeEvent(event)
        self._place_number()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A button steps at once, then repeats while it is held."""
        side = self._side(event.position().x()) if event.button() == Qt.MouseButton.LeftButton else 0
        if not side:
            super().mousePressEvent(event)
            return
        self._held = side
        self.stepBy(side)
        self._repeat.start(_FIRST_MS)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Enough."""
        self._held = 0
        self._repeat.stop()
        self.update()
        super().mouseReleaseEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tint the button under the pointer."""
        under = self._side(event.position().x())
        if under != self._under:
            self._under = under
            self.update()
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        self._under = 0
        self.update()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls the page, it never changes a number by the way."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A number is typed into: its ring shows however the focus came."""
        focus_came(self, event, always=True)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes with the focus."""
        focus_went(self, event)
        super().focusOutEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Box, lines, signs."""
        painter = QPainter(self)
        enabled = self.isEnabled()
        line = theme().color("border.control" if enabled else "border.default")
        box = QRectF(self.rect())
        rounded(painter, box, metrics.RADIUS_6, theme().color("bg.surface") if enabled else None, line)
        for side, name in ((-1, "minus"), (1, "plus")):
            part = self._button(side)
            can = enabled and self.minimum() <= self.value() + side <= self.maximum()
            token = "bg.selected" if self._held == side else "bg.hover" if self._under == side else None
            if token and can:
                rounded(painter, QRectF(part).adjusted(2, 2, -2, -2), metrics.RADIUS_4, theme().color(token))
            edge = part.right() + 1 if part.left() == 0 else part.left()
            hairline(painter, edge, 1, edge, self.height() - 1, theme().color("border.default"))
            middle = QRectF(part).center()
            place = QRectF(middle.x() - _ICON / 2, middle.y() - _ICON / 2, _ICON, _ICON)
            draw_icon(painter, place, name, theme().color("text.secondary" if can else "text.muted"))
        painter.end()

    def _button(self, side: int) -> QRect:
        width = metrics.STEPPER_BUTTON
        at_end = (side > 0) != (self.layoutDirection() == Qt.LayoutDirection.RightToLeft)
        return QRect(self.width() - width if at_end else 0, 0, width, self.height())

    def _side(self, x: float) -> int:
        return next((side for side in (-1, 1) if self._button(side).contains(round(x), self.height() // 2)), 0)

    def _place_number(self) -> None:
        width = metrics.STEPPER_BUTTON
        place = QRect(width + 1, 1, self.width() - 2 * width - 2, self.height() - 2)
        if self.lineEdit().geometry() != place:
            self.lineEdit().setGeometry(place)

    def _step_again(self) -> None:
        self.stepBy(self._held)
        self._repeat.start(_NEXT_MS)

    def _tell(self, value: int) -> None:
        self.update()
        if not self._quiet:
            self.changed.emit(value)

    def _retheme(self) -> None:
        self.setFont(theme().numbers("ui", 500))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, theme().color("text.primary"))
        palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text, theme().color("text.muted"))
        palette.setColor(QPalette.ColorRole.Highlight, theme().color("bg.selected"))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme().color("text.primary"))
        self.setPalette(palette)
        self.updateGeometry()
