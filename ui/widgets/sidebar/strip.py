"""The sidebar of narrow windows: a strip of 48 with icons and the amber count (design 11).

Owns nothing; says what was pressed. Ends with the window.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.badges import draw_count_box
from ui.theme.icons import draw_icon
from ui.theme.painting import hairline, rounded
from ui.theme.theme import theme
from ui.viewmodels.world import Batch, World
from ui.widgets.controls.keys import key_label
from ui.widgets.controls.pressable import Pressable
from ui.widgets.controls.tips import set_tip
from ui.widgets.sidebar.places import count_width
from ui.wording import tr


class StripButton(Pressable):
    """An icon of 32; its name and key are in the tooltip."""

    def __init__(self, icon: str, name: str, key: str, parent: QWidget | None = None) -> None:
        self._icon, self._name, self._count = icon, name, 0
        self.current = False
        super().__init__("", parent)
        set_tip(self, f"{name}  {key_label(key)}")
        self.setAccessibleName(name)

    def set_count(self, count: int) -> None:
        """How many wait."""
        if count != self._count:
            self._count = count
            waiting = tr("%n waiting", n=count) if count else ""
            self.setAccessibleName(", ".join(part for part in (self._name, waiting) if part))
            self.updateGeometry()
            self.update()

    def set_current(self, is_current: bool) -> None:
        """Its page shows."""
        if is_current != self.current:
            self.current = is_current
            self.setAccessibleDescription(tr("This page shows") if is_current else "")
            self.update()

    def sizeHint(self) -> QSize:
        """A square of 32, with room for the count under the icon."""
        below = theme().row(metrics.COUNT_BOX, "small") if self._count else 0
        return QSize(metrics.SIDEBAR_ROW, metrics.SIDEBAR_ROW + below)

    def minimumSizeHint(self) -> QSize:
        """It never gets smaller."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, icon, count below it."""
        painter = QPainter(self)
        token = "bg.selected" if self.current else self.ground_token()
        box = QRectF(self.rect())
        if token is not None:
            rounded(painter, box, metrics.RADIUS_6, theme().color(token))
        side = metrics.ICON
        top = (metrics.SIDEBAR_ROW - side) / 2
        draw_icon(
            painter, QRectF((box.width() - side) / 2, top, side, side), self._icon, theme().color("text.secondary")
        )
        if self._count:
            width = count_width(self._count)
            middle = metrics.SIDEBAR_ROW - metrics.SPACE_4 + metrics.COUNT_BOX / 2
            draw_count_box(painter, (box.width() + width) / 2, middle, self._count)
        painter.end()


class SidebarStrip(QWidget):
    """`sidebar_asked`: open the whole sidebar over the content."""

    open_page = Signal(str)
    new_session = Signal()
    sidebar_asked = Signal()

    def __init__(self, world: World, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world = world
        self.setFixedWidth(metrics.SIDEBAR_STRIP)
        self.setAccessibleName(tr("Sidebar"))
        self.buttons = {
            "sidebar": StripButton("panel-left", tr("Open sidebar"), "Ctrl+B"),
            "new": StripButton("plus", tr("New session"), "Ctrl+N"),
            "search": StripButton("search", tr("Search"), "Ctrl+Shift+F"),
            "inbox": StripButton("inbox", tr("Needs you"), "Ctrl+3"),
            "board": StripButton("square-kanban", tr("Board"), "Ctrl+2"),
            "settings": StripButton("sliders-horizontal", tr("Settings"), "Ctrl+,"),
        }
        column = QVBoxLayout(self)
        column.setContentsMargins(0, metrics.SIDEBAR_PAD, 0, metrics.SIDEBAR_PAD)
        column.setSpacing(metrics.SPACE_4)
        for name, button in self.buttons.items():
            if name == "settings":
                column.addStretch(1)
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        self.buttons["sidebar"].clicked.connect(self.sidebar_asked)
        self.buttons["new"].clicked.connect(self.new_session)
        for name in ("search", "inbox", "board", "settings"):
            self.buttons[name].clicked.connect(lambda _on=False, page=name: self.open_page.emit(page))
        self.setFocusProxy(self.buttons["sidebar"])
        world.changed.connect(self._changed)
        theme().changed.connect(self.update)
        self._changed(Batch(asks=True))

    def show_current(self, page: str) -> None:
        """Which page shows."""
        for name, button in self.buttons.items():
            button.set_current(name == page)

    def _changed(self, batch: Batch) -> None:
        if batch.asks:
            self.buttons["inbox"].set_count(len(self._world.asks()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, and the line at its edge."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.sidebar"))
        x = 0 if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else self.width() - 1
        hairline(painter, x, 0, x, self.height(), theme().color("border.subtle"))
        painter.end()
