"""The line of 44 above a conversation: folder, title, what its turn costs, and its actions (design 6).

Owns the widgets; what they do is told by signals. Ends with its page.
"""
# ruff: noqa: N802  # Qt overrides

import os

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from codeg.api import SessionRecord, TurnUsage
from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, hairline
from ui.theme.theme import theme
from ui.widgets.controls import IconButton, Label
from ui.widgets.controls.tips import set_tip
from ui.wording import clean_line, duration, money, tr


class Trail(QWidget):
    """Folder, a chevron, the title: the folder gives way first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder, self._title = "", ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self.update)

    def show_place(self, folder: str, title: str) -> None:
        """Say where we are."""
        self._folder, self._title = clean_line(folder), clean_line(title)
        set_tip(self, f"{self._folder}\n{self._title}".strip())
        self.setAccessibleName(f"{self._folder}, {self._title}".strip(", "))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """One line, cut at its end."""
        painter = QPainter(self)
        plain, strong = theme().font("ui"), theme().font("ui", 600)
        left, height = 0.0, float(self.height())
        if self._folder:
            room = min(QFontMetricsF(plain).horizontalAdvance(self._folder) + 1, self.width() / 3)
            muted = theme().color("text.muted")
            draw_text(painter, QRectF(0, 0, room, height), self._folder, plain, muted, elide="middle")
            draw_icon(painter, QRectF(room + 8, height / 2 - 7, 14, 14), "chevron-right", muted)
            left = room + 30
        rest = QRectF(left, 0, self.width() - left, height)
        draw_text(painter, rest, self._title, strong, theme().color("text.primary"), elide="right")
        painter.end()


class Header(QWidget):
    """The line itself."""

    find_asked = Signal()
    overlay_asked = Signal(bool)
    split_asked = Signal()
    more_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(metrics.HEADER)
        self.trail = Trail()
        self.numbers = Label("", "small", "text.secondary")
        self.find_button = IconButton("search", tr("Find in this conversation"), "Ctrl+F")
        self.overlay = IconButton("panel-right", tr("Sub-agents"), "Ctrl+Shift+A", checkable=True)
        self.split = IconButton("columns-2", tr("Split right"), "Ctrl+\\")
        self.more = IconButton("ellipsis", tr("More"), "Shift+F10")
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 12, 1)
        row.setSpacing(8)
        row.addWidget(self.trail, 1)
        row.addWidget(self.numbers, 0, Qt.AlignmentFlag.AlignVCenter)
        for button in (self.find_button, self.overlay, self.split, self.more):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.find_button.clicked.connect(self.find_asked)
        self.overlay.clicked.connect(self.overlay_asked)
        self.split.clicked.connect(self.split_asked)
        self.more.clicked.connect(self.more_asked)
        theme().changed.connect(self.update)

    def show_session(self, record: SessionRecord | None, title: str) -> None:
        """Whose conversation it is."""
        folder = os.path.basename(record.folder.rstrip("/")) or record.folder if record is not None else ""
        self.trail.show_place(folder, title)

    def show_numbers(self, turn_ms: int | None, usage: TurnUsage | None) -> None:
        """Time of the running turn and cost so far; what is not known is left out."""
        parts: list[str] = []
        if turn_ms is not None:
            parts.append(tr("Turn {time}", time=duration(turn_ms)))
        if usage is not None and usage.cost_amount is not None:
            parts.append(money(usage.cost_amount, usage.cost_currency or "USD"))
        self.numbers.setText(" · ".join(parts))

    def show_overlay_open(self, is_open: bool) -> None:
        """The button says whether the panel is open."""
        self.overlay.setChecked(is_open)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground and the line below."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        hairline(painter, 0, self.height(), self.width(), self.height(), theme().color("border.subtle"))
        painter.end()
