"""A box that opens over the window's content: pickers, the @ popup, small panels.

It is a child of the window, not a window of its own, so that its corners are round and the caret stays where it is.
Owns its place and its closing; it never takes the focus by itself.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from ui.theme import metrics
from ui.theme.painting import rounded
from ui.theme.theme import theme

_EDGE = 4


class Popup(QFrame):
    """Open it with `open_at`; Esc, a press outside, or the window's resizing closes it. `closed` is told once."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameStyle(QFrame.Shape.NoFrame)
        self.setContentsMargins(1, 1, 1, 1)
        self._window: QWidget | None = None
        self.hide()
        theme().changed.connect(self.update)

    def open_at(self, anchor: QWidget, rect: QRect | None = None, above: bool = False) -> None:
        """Open beside `rect` of `anchor` (all of it by default): under it, or above it where asked or needed."""
        window = anchor.window()
        self._window = window
        self.setParent(window)
        self.setLayoutDirection(anchor.layoutDirection())
        self.adjustSize()
        self.move(self._place(anchor, rect or anchor.rect(), window, above))
        self.show()
        self.raise_()
        QApplication.instance().installEventFilter(self)  # pyright: ignore[reportOptionalMemberAccess]  # it runs

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A press outside closes, and does what it would have done."""
        if (
            event.type() == QEvent.Type.MouseButtonPress
            and isinstance(event, QMouseEvent)
            and isinstance(watched, QWidget)
        ):
            if watched is not self and not self.isAncestorOf(watched) and watched.window() is self._window:
                self.hide()
        elif event.type() == QEvent.Type.Resize and watched is self._window:
            self.hide()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on the popup's own ground goes no further: it is not outside."""
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            return
        super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Told once, however it closed."""
        super().hideEvent(event)
        app = QApplication.instance()
        if self._window is not None and app is not None:
            app.removeEventFilter(self)
            self._window = None
            self.closed.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The surface with a control's outline."""
        painter = QPainter(self)
        outline = theme().color("border.control")
        rounded(painter, QRectF(self.rect()), metrics.RADIUS_8, theme().color("bg.surface"), outline)
        painter.end()

    def _place(self, anchor: QWidget, rect: QRect, window: QWidget, above: bool) -> QPoint:
        at = QRect(anchor.mapTo(window, rect.topLeft()), rect.size())
        rtl = anchor.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = at.right() + 1 - self.width() if rtl else at.left()
        left = max(_EDGE, min(left, window.width() - self.width() - _EDGE))
        over, under = at.top() - self.height() - metrics.SPACE_4, at.bottom() + 1 + metrics.SPACE_4
        fits_under = under + self.height() <= window.height() - _EDGE
        top = over if (above and over >= _EDGE) or (not fits_under and over >= _EDGE) else under
        return QPoint(left, max(_EDGE, top))
