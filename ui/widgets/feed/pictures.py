"""Pictures that came in a message itself: at most 480 x 320 each, one below the other (design 7.2).

Owns the decoded pictures; a decoder's limits keep a hostile one small. Nothing is ever fetched.
"""
# ruff: noqa: N802  # Qt overrides

import base64
import binascii
from functools import lru_cache

from PySide6.QtCore import QBuffer, QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.viewmodels.rows import Image
from ui.wording import tr

MOST_MB = 64


@lru_cache(maxsize=32)
def decoded(image: Image) -> QImage | None:
    """The picture, made small enough; None where it cannot be read."""
    try:
        data = QByteArray(base64.b64decode(image.data, validate=False))
    except (binascii.Error, ValueError):
        return None
    buffer = QBuffer(data)
    buffer.open(QBuffer.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setAllocationLimit(MOST_MB)
    reader.setAutoTransform(True)
    size = reader.size()
    room = QSize(metrics.IMAGE_WIDTH * 2, metrics.IMAGE_HEIGHT * 2)
    if size.isValid() and (size.width() > room.width() or size.height() > room.height()):
        reader.setScaledSize(size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio))
    found = reader.read()
    return None if found.isNull() else found


class Pictures(QWidget):
    """The column of pictures."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._images: tuple[QImage, ...] = ()
        self.hide()

    def show_images(self, images: tuple[Image, ...]) -> None:
        """Show these."""
        self._images = tuple(found for found in map(decoded, images) if found is not None)
        self.setVisible(bool(self._images))
        self.setAccessibleName(tr("%n pictures", n=len(self._images)))
        self.update()

    def _sizes(self, width: int) -> list[QSize]:
        room = QSize(min(width, metrics.IMAGE_WIDTH), metrics.IMAGE_HEIGHT)
        return [
            image.size()
            if image.width() <= room.width() and image.height() <= room.height()
            else image.size().scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
            for image in self._images
        ]

    def height_for(self, width: int) -> int:
        """Of all of them, 8 between."""
        sizes = self._sizes(width)
        return sum(size.height() for size in sizes) + max(0, len(sizes) - 1) * metrics.SPACE_8

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Rounded, with an outline."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = 0
        for image, size in zip(self._images, self._sizes(self.width()), strict=True):
            box = QRectF(0, top, size.width(), size.height())
            path = QPainterPath()
            path.addRoundedRect(box, metrics.RADIUS_8, metrics.RADIUS_8)
            painter.save()
            painter.setClipPath(path)
            painter.drawImage(box, image)
            painter.restore()
            rounded(painter, box, metrics.RADIUS_8, None, theme().color("border.default"))
            top += size.height() + metrics.SPACE_8
        painter.end()
