"""The sidebar of narrow windows: a strip of 48 with icons and the amber count (design 11).

Owns nothing; says what was pressed. Ends with the window.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.badges import draw_count_box
from ui.theme.painting import hairline
from ui.theme.theme import theme
from ui.viewmodels.world import World
from ui.widgets.controls import IconButton
from ui.wording import tr


class SidebarStrip(QWidget):
    """Icons only; each has its name in the tooltip."""

    open_page = Signal(str)
    new_session = Signal()
    sidebar_asked = Signal()

    def __init__(self, world: World, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world = world
        self.setFixedWidth(metrics.SIDEBAR_STRIP)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(8)
        buttons = {
            "sidebar": IconButton("panel-left", tr("Sidebar"), "Ctrl+B"),
            "new": IconButton("plus", tr("New session"), "Ctrl+N"),
            "search": IconButton("search", tr("Search"), "Ctrl+Shift+F"),
            "inbox": IconButton("inbox", tr("Needs you"), "Ctrl+3"),
            "board": IconButton("columns-3", tr("Board"), "Ctrl+2"),
            "settings": IconButton("sliders-horizontal", tr("Settings"), "Ctrl+,"),
        }
        self.buttons = buttons
        for name, button in buttons.items():
            if name == "settings":
                column.addStretch(1)
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        buttons["sidebar"].clicked.connect(self.sidebar_asked)
        buttons["new"].clicked.connect(self.new_session)
        for name in ("search", "inbox", "board", "settings"):
            buttons[name].clicked.connect(lambda _checked=False, page=name: self.open_page.emit(page))
        world.changed.connect(lambda _batch: self.update())
        theme().changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, the line, the count below its icon."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), theme().color("bg.sidebar"))
        hairline(painter, self.width(), 0, self.width(), self.height(), theme().color("border.subtle"))
        waiting = len(self._world.asks())
        if waiting:
            below = self.buttons["inbox"].geometry()
            draw_count_box(painter, below.center().x() + 11, below.bottom() + 6, waiting)
        painter.end()
