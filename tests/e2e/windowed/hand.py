"""A hand at a real window: keys and buttons go through the X server, as a person's do.

Owns no window; needs `xdotool` and a screen. Coordinates are asked of the widget at the moment of the press.
"""

import os
import subprocess

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget


def do(*words: str) -> str:
    """One command of xdotool; what it says."""
    done = subprocess.run(
        ["xdotool", *words], check=True, timeout=10, env=dict(os.environ), stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def place_of(widget: QWidget, at: QPoint | None = None) -> QPoint:
    """The point of a widget (the middle of what is seen of it) on the screen, in device pixels."""
    if at is None:
        seen = widget.visibleRegion().boundingRect()
        at = (QRect(QPoint(0, 0), widget.size()) if seen.isEmpty() else seen).center()
    on_screen = widget.mapToGlobal(at)
    ratio = QGuiApplication.primaryScreen().devicePixelRatio()
    return QPoint(round(on_screen.x() * ratio), round(on_screen.y() * ratio))


def click(widget: QWidget, at: QPoint | None = None, button: int = 1) -> None:
    """Press and release at a point of a widget."""
    point = place_of(widget, at)
    do("mousemove", str(point.x()), str(point.y()), "click", str(button))


def wheel(widget: QWidget, steps: int) -> None:
    """Turn the wheel over a widget: up with more than 0, else down."""
    point = place_of(widget)
    turn = ["click", "--repeat", str(abs(steps)), "--delay", "15", "4" if steps > 0 else "5"]
    do("mousemove", str(point.x()), str(point.y()), *turn)


def key(*names: str) -> None:
    """Press keys one after the other, such as `ctrl+k` or `Return`."""
    do("key", "--delay", "15", *names)


def write(text: str) -> None:
    """Type a text."""
    do("type", "--delay", "6", text)


def drag(widget: QWidget, start: QPoint, end_on: QWidget, end: QPoint) -> None:
    """Press at one point, go to another in steps, let go."""
    first, last = place_of(widget, start), place_of(end_on, end)
    do("mousemove", str(first.x()), str(first.y()), "mousedown", "1")
    for step in range(1, 9):
        x = first.x() + (last.x() - first.x()) * step // 8
        y = first.y() + (last.y() - first.y()) * step // 8
        do("mousemove", str(x), str(y))
    do("mouseup", "1")
