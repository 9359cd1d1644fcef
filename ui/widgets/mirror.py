"""Places counted from the leading edge, turned round where the layout runs from right to left (design 10)."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtWidgets import QWidget


def is_mirrored(widget: QWidget) -> bool:
    """The widget is laid out from right to left."""
    return widget.layoutDirection() == Qt.LayoutDirection.RightToLeft


def turned(widget: QWidget, place: QRectF) -> QRectF:
    """Where `place` lies in the widget."""
    if not is_mirrored(widget):
        return place
    return QRectF(widget.width() - place.right(), place.top(), place.width(), place.height())


def put(part: QWidget, left: float, top: float, width: float, height: float) -> None:
    """Give a part of its parent a place counted from the leading edge."""
    place = QRect(round(left), round(top), round(width), round(height))
    holder = part.parentWidget()
    if holder is not None and is_mirrored(holder):
        place.moveLeft(holder.width() - place.x() - place.width())
    part.setGeometry(place)
