"""The focus ring outside a control: one light widget laid over the focused control's surroundings.

Owns the ring while a control has the focus; it follows the control's moves and is deleted when the focus goes. It never
takes a click. Rows paint their own ring inside instead (`painting.focus_ring`).
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget
from shiboken6 import isValid

from ui.theme.metrics import FOCUS_MARGIN, RADIUS_6
from ui.theme.painting import focus_ring
from ui.theme.theme import theme

_MOVES = frozenset({
    QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.ZOrderChange,
})  # fmt: skip
_RETURNS = frozenset({
    Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason, Qt.FocusReason.MenuBarFocusReason,
})  # fmt: skip


class FocusRing(QWidget):
    """Painted around `control` on the nearest ancestor in which it fits."""

    def __init__(self, control: QWidget, radius: float) -> None:
        super().__init__(_ground_of(control))
        self._control, self._radius = control, radius
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        at: QWidget | None = control
        while at is not None and at is not self.parentWidget():
            at.installEventFilter(self)
            at = at.parentWidget()
        theme().changed.connect(self.update)
        control.destroyed.connect(self.deleteLater)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The control, or something between it and the ground, moved."""
        if event.type() in _MOVES and isValid(self._control):
            self._follow()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ring alone."""
        painter = QPainter(self)
        inner = QRectF(self.rect()).adjusted(FOCUS_MARGIN, FOCUS_MARGIN, -FOCUS_MARGIN, -FOCUS_MARGIN)
        focus_ring(painter, inner, self._radius)
        painter.end()

    def _follow(self) -> None:
        ground = self.parentWidget()
        if ground is None or not ground.isAncestorOf(self._control):
            self.hide()
            return
        self.setGeometry(_ring_rect(self._control, ground))
        self.setVisible(self._control.isVisibleTo(ground))
        self.raise_()


_rings: list[FocusRing] = []


_returning: list[int] = []  # the control that had the ring when a window or menu took the focus for a while


def focus_came(control: QWidget, event: QFocusEvent, radius: float = RADIUS_6, *, always: bool = False) -> None:
    """Draw the ring if the keyboard (or the program) brought the focus; `always` for what is typed into.

    A focus that only comes back, from another window or a menu, gets its ring back if it had one.
    """
    reason = event.reason()
    back = reason in _RETURNS
    if always or (id(control) in _returning if back else reason != Qt.FocusReason.MouseFocusReason):
        show_ring(control, radius)
    _returning.clear()


def focus_went(control: QWidget, event: QFocusEvent) -> None:
    """Take the ring away, and remember it if the focus will come back."""
    if event.reason() in _RETURNS and ring_of(control) is not None:
        _returning[:] = [id(control)]
    hide_ring(control)


def show_ring(control: QWidget, radius: float = RADIUS_6) -> None:
    """Draw the ring around `control`, and around nothing else."""
    hide_ring()
    if control.parentWidget() is not None or control.isWindow():
        _rings.append(FocusRing(control, radius))


def hide_ring(control: QWidget | None = None) -> None:
    """Take the ring away; with a `control` only if it is that one's."""
    for ring in tuple(_rings):
        if not isValid(ring):
            _rings.remove(ring)
        elif control is None or ring._control is control:  # noqa: SLF001  # same module
            _rings.remove(ring)
            ring.hide()
            ring.deleteLater()


def ring_of(control: QWidget) -> FocusRing | None:
    """The ring that is drawn around `control`."""
    return next((ring for ring in _rings if isValid(ring) and ring._control is control), None)  # noqa: SLF001  # same module


def _ring_rect(control: QWidget, ground: QWidget) -> QRect:
    rect = QRect(control.mapTo(ground, QPoint(0, 0)), control.size())
    return rect.adjusted(-FOCUS_MARGIN, -FOCUS_MARGIN, FOCUS_MARGIN, FOCUS_MARGIN)


def _ground_of(control: QWidget) -> QWidget:
    """The nearest ancestor with room for the ring; what scrolls is not left."""
    ground = control.parentWidget() or control
    while not ground.isWindow() and not ground.rect().contains(_ring_rect(control, ground)):
        above = ground.parentWidget()
        if above is None or isinstance(above, QAbstractScrollArea):
            break
        ground = above
    return ground
