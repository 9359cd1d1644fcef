"""Pictures of what a painter does, for tests that look at pixels."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter


def painted(
    paint: Callable[[QPainter], object], width: int, height: int, scale: float = 1.0, ground: QColor | None = None
) -> QImage:
    """What `paint` draws on `ground` (white by default) at a device scale."""
    image = QImage(round(width * scale), round(height * scale), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(ground or QColor(Qt.GlobalColor.white))
    painter = QPainter(image)
    try:
        paint(painter)
    finally:
        painter.end()  # a painter that outlives its picture takes the process down
    return image


def greys(image: QImage) -> list[int]:
    """Lightness of each pixel, row by row."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    return [grey.pixelColor(x, y).red() for y in range(grey.height()) for x in range(grey.width())]


def inked(image: QImage, ground: QColor | None = None) -> list[tuple[int, int]]:
    """Where a picture is not its ground."""
    plain = (ground or QColor(Qt.GlobalColor.white)).rgb()
    return [(x, y) for y in range(image.height()) for x in range(image.width()) if image.pixel(x, y) != plain]
