"""Images that go with a prompt: small squares above the text, each with a cross; and reading them from files.

Owns the images until they are sent. A file that is no image, or an image that the agent does not take, is not kept
here. Ends with the composer.
"""
# ruff: noqa: N802  # Qt overrides

import base64
from collections.abc import Sequence

from PySide6.QtCore import QBuffer, QByteArray, QFile, QFileInfo, QIODevice, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.viewmodels.composing import MOST_IMAGE_BYTES, MOST_IMAGES
from ui.viewmodels.rows import Image
from ui.widgets.controls import IconButton
from ui.wording import number, tr

MIMES = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
_MB = 1024 * 1024
_PIXELS_MOST = 64_000_000


class _Chip(QWidget):
    """A square of 48 with a cross in the corner."""

    removed = Signal()

    def __init__(self, picture: QImage, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = picture
        side = metrics.ATTACHED
        self.setFixedSize(QSize(side, side))
        self.setAccessibleName(name)
        self.close_button = IconButton("x", tr("Remove {name}", name=name), small=True, parent=self)
        self.close_button.set_outlined(True)
        size = self.close_button.sizeHint()
        self.close_button.setGeometry(side - size.width(), 0, size.width(), size.height())
        self.close_button.clicked.connect(self.removed)
        theme().changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The picture fills the square; an outline holds it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        box = QRectF(self.rect())
        path = QPainterPath()
        path.addRoundedRect(box, metrics.RADIUS_6, metrics.RADIUS_6)
        painter.save()
        painter.setClipPath(path)
        painter.fillRect(box, theme().color("bg.sunken"))
        side = min(self._picture.width(), self._picture.height())
        source = QRectF((self._picture.width() - side) / 2, (self._picture.height() - side) / 2, side, side)
        painter.drawImage(box, self._picture, source)
        painter.restore()
        rounded(painter, box, metrics.RADIUS_6, None, theme().color("border.default"))
        painter.end()


class Attachments(QWidget):
    """`changed`: another number of images. `refused`: one sentence why an image was not taken."""

    changed = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._images: list[Image] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, metrics.SPACE_4)
        self._row.setSpacing(metrics.SPACE_8)
        self._row.addStretch(1)
        self.setAccessibleName(tr("Attached images"))
        self.hide()

    def images(self) -> tuple[Image, ...]:
        """In the order in which they came."""
        return tuple(self._images)

    def set_images(self, images: Sequence[Image]) -> None:
        """These instead of those that are there."""
        self.clear()
        for image in images:
            picture = QImage.fromData(QByteArray.fromBase64(image.data.encode()))
            self._add(image, picture)

    def clear(self) -> None:
        """None any more."""
        had = bool(self._images)
        self._images = []
        for chip in self.findChildren(_Chip, options=Qt.FindChildOption.FindDirectChildrenOnly):
            chip.hide()
            chip.setParent(None)
            chip.deleteLater()
        self.hide()
        if had:
            self.changed.emit()

    def add_picture(self, picture: QImage) -> None:
        """One from the clipboard, kept as PNG."""
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        picture.save(buffer, "PNG")  # pyright: ignore[reportArgumentType, reportCallIssue]  # the stubs want bytes
        buffer.close()
        self._offer("image/png", bytes(data.data()), picture)

    def add_file(self, path: str) -> bool:
        """One from a file; False = it is no image that agents read."""
        mime = MIMES.get(QFileInfo(path).suffix().lower())
        if mime is None:
            return False
        if QFileInfo(path).size() > MOST_IMAGE_BYTES:
            self.refused.emit(_too_large())
            return True
        reader = QImageReader(path)
        reader.setAutoTransform(True)
        size = reader.size()
        if not size.isValid() or size.width() * size.height() > _PIXELS_MOST:
            return False
        reader.setScaledSize(size.scaled(256, 256, Qt.AspectRatioMode.KeepAspectRatioByExpanding).boundedTo(size))
        picture = reader.read()
        file = QFile(path)
        if picture.isNull() or not file.open(QIODevice.OpenModeFlag.ReadOnly):
            return False
        data = bytes(file.readAll().data())
        file.close()
        self._offer(mime, data, picture)
        return True

    def _offer(self, mime: str, data: bytes, picture: QImage) -> None:
        if len(self._images) >= MOST_IMAGES:
            self.refused.emit(tr("%n images are the most of one prompt.", n=MOST_IMAGES))
            return
        held = sum(len(image.data) for image in self._images) * 3 // 4
        if held + len(data) > MOST_IMAGE_BYTES:
            self.refused.emit(_too_large())
            return
        self._add(Image(mime, base64.b64encode(data).decode()), picture)

    def _add(self, image: Image, picture: QImage) -> None:
        self._images.append(image)
        chip = _Chip(picture, tr("Image {position}", position=number(len(self._images))), self)
        chip.removed.connect(lambda: self._remove(image, chip))
        self._row.insertWidget(self._row.count() - 1, chip)
        self.show()
        self.changed.emit()

    def _remove(self, image: Image, chip: _Chip) -> None:
        self._images = [held for held in self._images if held is not image]
        chip.hide()
        chip.setParent(None)
        chip.deleteLater()
        self.setVisible(bool(self._images))
        self.changed.emit()


def _too_large() -> str:
    return tr("The images are too large: %n MB are the most of one prompt.", n=MOST_IMAGE_BYTES // _MB)
