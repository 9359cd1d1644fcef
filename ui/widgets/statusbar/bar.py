"""The status bar: 28 high (design 6).

Owns its parts and the one sentence that it says for a while, with a way back where there is one. It never does or
undoes anything itself. Ends with the window.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.painting import hairline
from ui.theme.theme import theme
from ui.viewmodels.status import parts_of, today
from ui.viewmodels.world import Batch, World
from ui.widgets.controls import Button, Label
from ui.widgets.statusbar.groups import PAD, Commands, Group
from ui.wording import tr

TOLD_MS = 8_000


class StatusBar(QWidget):
    """`open_page`: the inbox, or the board with a filter (`board:running`); `commands_asked`: the palette."""

    open_page = Signal(str)
    commands_asked = Signal()

    def __init__(self, world: World, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world, self._host = world, ""
        self.groups: list[Group] = []
        self._undo: Callable[[], None] | None = None
        self.said = Label("", "small", "text.secondary", elide=True)
        self.undo_button = Button(tr("Undo"), "ghost", key="Ctrl+Z", small=True)
        self.today = Label("", "small", "text.secondary")
        self.commands = Commands(tr("Commands"), "Ctrl+K")
        self._ends = QTimer(self)
        self._ends.setSingleShot(True)
        self._ends.timeout.connect(self.clear_undo)
        self._left = QHBoxLayout()
        self._arrange()
        self.undo_button.clicked.connect(self._press_undo)
        self.commands.clicked.connect(self.commands_asked)
        world.changed.connect(self._changed)
        theme().changed.connect(self._retheme)
        self._retheme()

    def _arrange(self) -> None:
        gap = metrics.SPACE_16 - 2 * PAD
        self._left.setSpacing(gap)
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.SPACE_12 - PAD, 1, metrics.SPACE_12 - PAD, 0)
        row.setSpacing(gap)
        row.addLayout(self._left)
        self.said.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row.addSpacing(gap)
        row.addWidget(self.said, 100)
        row.addWidget(self.undo_button)
        row.addStretch(1)
        row.addWidget(self.today)
        row.addSpacing(PAD)
        row.addWidget(self.commands)
        self.said.hide()
        self.undo_button.hide()
        self.setAccessibleName(tr("Status"))
        self.setFocusProxy(self.commands)

    def sizeHint(self) -> QSize:
        """28 high."""
        return QSize(metrics.SMALLEST_WIDTH, theme().row(metrics.STATUS_BAR, "small"))

    # ---- what it says

    def show_host(self, text: str) -> None:
        """What to say of the host when it does not run; "" = it runs."""
        self._host = text
        self._refresh()

    def set_commands_key(self, key: str) -> None:
        """The key of the palette, where the person chose another."""
        self.commands.set_key(key)

    def _changed(self, batch: Batch) -> None:
        if batch.tasks or batch.asks or batch.day or batch.sessions or batch.gone:
            self._refresh()

    def _refresh(self) -> None:
        parts = parts_of(self._world, host=self._host)
        while len(self.groups) < len(parts):
            self._add_group()
        for number, group in enumerate(self.groups):
            if number < len(parts):
                group.show_part(parts[number])
            group.setVisible(number < len(parts))
        self.today.setText(today(self._world))
        self._fit()

    def _add_group(self) -> None:
        group = Group(self)
        group.clicked.connect(lambda: self.open_page.emit(group.part.page))
        self._left.addWidget(group)
        self.groups.append(group)

    def _fit(self) -> None:
        """Where there is no room for both, what was done is more than what the day cost."""
        talks = (self.said, self.undo_button) if self.said.text() else ()
        parts = [group for group in self.groups if not group.isHidden()]
        used = sum(part.sizeHint().width() + metrics.SPACE_16 for part in (*parts, *talks, self.today, self.commands))
        self.today.setVisible(bool(self.today.text()) and (not talks or used <= self.width()))

    def _retheme(self) -> None:
        self.setFixedHeight(theme().row(metrics.STATUS_BAR, "small"))
        self._refresh()
        self.update()

    # ---- a sentence for a while

    def tell(self, text: str) -> None:
        """A sentence for some seconds. It does not take the place of a way back that is still open."""
        if self._undo is None:
            self._say(text, TOLD_MS)

    def offer_undo(self, text: str, undo: Callable[[], None]) -> None:
        """`Deleted "…"` with a way back, for 10 s. A newer deed takes the place."""
        self._undo = undo
        self._say(text, metrics.UNDO_MS)

    def clear_undo(self) -> None:
        """It was taken back, or the time is over."""
        self._undo = None
        self._say("", 0)

    def _say(self, text: str, ms: int) -> None:
        had_focus = self.undo_button.hasFocus()
        self.said.setText(text)
        self.said.setVisible(bool(text))
        self.undo_button.setVisible(self._undo is not None)
        if had_focus and self._undo is None:
            self.commands.setFocus()  # not into nowhere
        if text:
            self._ends.start(ms)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))
        else:
            self._ends.stop()
        self._fit()

    def _press_undo(self) -> None:
        undo = self._undo
        self.clear_undo()
        if undo is not None:
            undo()

    # ---- Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What has room."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground and the line above."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.sidebar"))
        hairline(painter, 0, 0, self.width(), 0, theme().color("border.subtle"))
        painter.end()
