"""Pictures that came in a message itself: decoded in memory, at the size they are shown.

Owns a small store of decoded pictures. Only raster formats; nothing is read from disk or network; a picture that cannot
be read is one muted line.
"""
# ruff: noqa: N802  # Qt overrides

import base64
import binascii
from functools import lru_cache

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.painting import draw_text, rounded
from ui.theme.theme import theme
from ui.viewmodels.rows import Image
from ui.wording import tr

_FORMATS = {
    "image/png": (b"png", b"\x89PNG\r\n"),
    "image/jpeg": (b"jpeg", b"\xff\xd8"),
    "image/jpg": (b"jpeg", b"\xff\xd8"),
    "image/gif": (b"gif", b"GIF8"),
    "image/webp": (b"webp", b"RIFF"),
}
"""Format and first bytes by type: a picture must be what it says."""
_PIXELS_MOST = 64_000_000
GAP = metrics.SPACE_8


def _reader(image: Image) -> "tuple[QImageReader, QBuffer] | None":
    kind, begins = _FORMATS.get(image.mime.lower().strip(), (b"", b""))
    if not kind or kind not in {bytes(name.data()) for name in QImageReader.supportedImageFormats()}:
        return None
    try:
        data = base64.b64decode(image.data, validate=False)
    except (binascii.Error, ValueError):
        return None
    if not data.startswith(begins):
        return None
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(kind))
    reader.setAutoDetectImageFormat(False)
    reader.setAutoTransform(True)
    return reader, buffer


@lru_cache(maxsize=256)
def size_of(image: Image) -> tuple[int, int] | None:
    """Width and height in px as shown, at most 480 by 320; None = it cannot be read."""
    found = _reader(image)
    if found is None:
        return None
    size = found[0].size()
    if size.width() <= 0 or size.height() <= 0 or size.width() * size.height() > _PIXELS_MOST:
        return None
    most = QSize(metrics.IMAGE_WIDTH, metrics.IMAGE_HEIGHT)
    if size.width() > most.width() or size.height() > most.height():
        size = size.scaled(most, Qt.AspectRatioMode.KeepAspectRatio)
    return max(1, size.width()), max(1, size.height())


@lru_cache(maxsize=24)
def _decoded(image: Image, width: int, height: int) -> QImage:
    found = _reader(image)
    if found is None:
        return QImage()
    reader, _buffer = found
    reader.setScaledSize(QSize(width, height))
    return reader.read()


class Pictures(QWidget):
    """Pictures one below the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._images: tuple[Image, ...] = ()
        theme().changed.connect(self.update)

    def show_images(self, images: tuple[Image, ...]) -> None:
        """Show these."""
        self._images = images
        self.setAccessibleName(tr("%n pictures", n=len(images)) if images else "")
        self.update()

    def height_for(self, width: int) -> int:
        """Height of all at a width."""
        heights = [self._size(image, width)[1] for image in self._images]
        return sum(heights) + GAP * max(0, len(heights) - 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Each in its outline; only what is exposed is decoded."""
        painter = QPainter(self)
        top = 0
        for image in self._images:
            width, height = self._size(image, self.width())
            box = QRectF(0, top, width, height)
            if box.intersects(QRectF(event.rect())):
                self._paint(painter, box, image)
            top += height + GAP
        painter.end()

    @staticmethod
    def _size(image: Image, width: int) -> tuple[int, int]:
        size = size_of(image)
        if size is None:
            return width, theme().row(metrics.LINE_ROW)
        if size[0] <= width:
            return size
        return max(1, width), max(1, size[1] * width // size[0])

    def _paint(self, painter: QPainter, box: QRectF, image: Image) -> None:
        if size_of(image) is None:
            muted = theme().color("text.muted")
            draw_text(painter, box, tr("A picture that cannot be shown"), theme().font("ui"), muted)
            return
        scale = self.devicePixelRatioF()
        picture = _decoded(image, round(box.width() * scale), round(box.height() * scale))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        shape = QPainterPath()
        shape.addRoundedRect(box, metrics.RADIUS_8, metrics.RADIUS_8)
        painter.setClipPath(shape)
        painter.drawImage(box, picture)
        painter.restore()
        rounded(painter, box, metrics.RADIUS_8, None, theme().color("border.default"))
