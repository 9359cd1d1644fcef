"""What the window remembers over a restart: panes, tabs, drafts, what is unfolded, its size (issue 3, panes).

Owns when it is written: soon after a change, and at once on closing. The store keeps it. Ends with the window.
"""

import base64
import json
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QByteArray, QObject, QTimer

from ui.orders import Orders
from ui.viewmodels import layout as trees

if TYPE_CHECKING:
    from ui.workspace.window import MainWindow

NAME = "window"
SOON_MS = 800
LAYOUT_MS = 100
"""Tabs and panes are written sooner: a session that was just opened is looked for where it stood."""


class Memory(QObject):
    """Reads once, writes when something changed."""

    def __init__(self, window: "MainWindow", orders: Orders) -> None:
        super().__init__(window)
        self._window, self._orders = window, orders
        self._last = ""
        self._restored = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.save_now)
        window.sessions.area.changed.connect(self._touch_layout)
        window.view.changed.connect(self.touch)

    def restore(self) -> None:
        """Ask for what was remembered; the window lies that way once it comes."""
        self._orders.kept(NAME, self._take)

    def touch(self) -> None:
        """Something changed."""
        if self._restored and not self._soon.isActive():
            self._soon.start(SOON_MS)

    def _touch_layout(self) -> None:
        if self._restored and not 0 <= self._soon.remainingTime() <= LAYOUT_MS:
            self._soon.start(LAYOUT_MS)

    def save_now(self) -> None:
        """Write it, if it differs."""
        self._soon.stop()
        if not self._restored:
            return
        text = json.dumps(self._shape())
        if text != self._last:
            self._last = text
            self._orders.keep(NAME, text)

    def _shape(self) -> dict[str, Any]:
        window = self._window
        return {
            "layout": trees.dump(window.sessions.area.layout_now),
            "view": window.view.dump(),
            "geometry": base64.b64encode(window.saveGeometry().data()).decode(),
            "split": window.split.sizes(),
            "sidebar": window.deeds.sidebar_open,
            "overlay": window.deeds.overlay_open,
            "welcomed": window.deeds.welcomed,
        }

    def _take(self, text: str | None) -> None:
        shape = _read(text)
        window = self._window
        window.view.load(str(shape.get("view", "")))
        window.sessions.restore(trees.load(str(shape.get("layout", ""))))
        geometry = shape.get("geometry")
        if isinstance(geometry, str):
            window.restoreGeometry(QByteArray(base64.b64decode(geometry, validate=False)))
        window.deeds.restored(shape)
        self._last = text or ""
        self._restored = True


def _read(text: str | None) -> dict[str, Any]:
    try:
        shape: Any = json.loads(text or "{}")
    except ValueError:
        return {}
    return cast("dict[str, Any]", shape) if isinstance(shape, dict) else {}
