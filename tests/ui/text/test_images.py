"""Pictures of a message are shown small, and bad ones say so."""

import base64
from collections.abc import Callable

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage, QImageWriter
from PySide6.QtWidgets import QWidget

from ui.viewmodels.rows import Image
from ui.widgets.text.images import Pictures, size_of


def a_picture(width: int, height: int) -> Image:
    """A blue picture as a message brings it."""
    picture = QImage(width, height, QImage.Format.Format_RGB32)
    picture.fill(QColor(0, 0, 255))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(picture)
    return Image("image/png", base64.b64encode(data.data()).decode())


def test_a_picture_is_at_most_480_by_320() -> None:
    assert size_of(a_picture(100, 50)) == (100, 50)
    assert size_of(a_picture(960, 640)) == (480, 320)
    assert size_of(a_picture(200, 640)) == (100, 320)


def test_what_is_no_raster_picture_is_not_decoded() -> None:
    assert size_of(Image("image/svg+xml", a_picture(10, 10).data)) is None
    assert size_of(Image("image/png", "not base64 at all")) is None
    assert size_of(Image("image/png", "")) is None
    assert size_of(Image("image/jpeg", a_picture(10, 10).data)) is None


def test_pictures_stand_below_each_other(show: Callable[[QWidget], None]) -> None:
    view = Pictures()
    view.show_images((a_picture(100, 50), a_picture(100, 70), Image("image/png", "bad")))
    assert view.height_for(480) == 50 + 8 + 70 + 8 + 28
    view.resize(480, view.height_for(480))
    show(view)
    seen = view.grab().toImage()
    assert seen.pixelColor(50, 25).blue() == 255
    assert seen.pixelColor(300, 25).blue() != 255 or seen.pixelColor(300, 25).red() > 0


def test_a_narrow_place_makes_them_smaller() -> None:
    view = Pictures()
    view.show_images((a_picture(400, 200),))
    assert view.height_for(200) == 100
    view.deleteLater()
