"""A hand at a real window: keys and buttons go through the X server, as a person's do.

Owns no window; needs `xdotool` and a screen. Coordinates are asked of the widget at the moment of the press.
"""

import os
import subprocess

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget


def _do(*words: str) -> None:
    subprocess.run(["xdotool", *words], check=True, timeout=10, env=dict(os.environ))


def place_of(widget: QWidget, at: QPoint | None = None) -> QPoint:
    """The point of a widget (its middle) on the screen, in device pixels."""
    inside = at if at is not None else QRect(QPoint(0, 0), widget.size()).center()
    on_screen = widget.mapToGlobal(inside)
    ratio = QGuiApplication.primaryScreen().devicePixelRatio()
    return QPoint(round(on_screen.x() * ratio), round(on_screen.y() * ratio))


def click(widget: QWidget, at: QPoint | None = None, button: int = 1) -> None:
    """Press and release at a point of a widget."""
    point = place_of(widget, at)
    _do("mousemove", "--sync", str(point.x()), str(point.y()), "click", str(button))


def key(*names: str) -> None:
    """Press keys one after the other, such as `ctrl+k` or `Return`."""
    _do("key", "--delay", "15", *names)


def write(text: str) -> None:
    """Type a text."""
    _do("type", "--delay", "8", text)


def drag(widget: QWidget, start: QPoint, end_on: QWidget, end: QPoint) -> None:
    """Press at one point, go to another in steps, let go."""
    first, last = place_of(widget, start), place_of(end_on, end)
    _do("mousemove", "--sync", str(first.x()), str(first.y()), "mousedown", "1")
    for step in range(1, 9):
        x = first.x() + (last.x() - first.x()) * step // 8
        y = first.y() + (last.y() - first.y()) * step // 8
        _do("mousemove", "--sync", str(x), str(y))
    _do("mouseup", "1")
