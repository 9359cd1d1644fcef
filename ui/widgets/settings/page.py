"""The page itself: navigation, one sheet a page, "Saved" and Undo (design 7.10).

Owns which sheet shows and the last change, so that it can be taken back. Changes are orders; what holds is what the
world tells. Ends with the window.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.painting import hairline
from ui.theme.theme import theme
from ui.viewmodels.commands import Command
from ui.viewmodels.preferences import Page, found, pages, stored
from ui.viewmodels.world import Batch, World
from ui.widgets.controls import Label, SearchField
from ui.widgets.settings.agents import AgentsSheet
from ui.widgets.settings.integrations import IntegrationsSheet
from ui.widgets.settings.keyboard import KeyboardSheet
from ui.widgets.settings.nav import Nav
from ui.widgets.settings.sheet import Sheet
from ui.wording import tr

UNDO_MS = 10_000


class SettingsPage(QWidget):
    """All of Settings."""

    welcome_asked = Signal()

    def __init__(
        self, world: World, orders: Orders, commands: Callable[[], list[Command]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._world, self._orders, self._commands = world, orders, commands
        self._pages = pages()
        self._sheets: dict[str, Sheet] = {}
        self._last: tuple[str, Any] | None = None
        self.search = SearchField(tr("Find a setting"))
        self.nav = Nav(self._pages)
        self._stack = QStackedWidget()
        self._undo_ends = QTimer(self)
        self._undo_ends.setSingleShot(True)
        self._undo_ends.setInterval(UNDO_MS)
        self._undo_ends.timeout.connect(self._forget)
        self._arrange()
        self.nav.chosen.connect(self.show_sheet)
        self.search.textChanged.connect(self._find)
        world.changed.connect(self._changed)
        theme().changed.connect(self.update)
        self.setFocusProxy(self.nav)
        self.show_sheet("delegation")
        self.nav.setFocus(Qt.FocusReason.OtherFocusReason)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(24, 0, 24, 1)
        head.addWidget(Label(tr("Settings"), "title"))
        head.addStretch(1)
        self.search.setFixedWidth(240)
        head.addWidget(self.search)
        bar = QWidget()
        bar.setFixedHeight(metrics.PAGE_HEADER - 1)
        bar.setLayout(head)
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(1)
        body.addWidget(self.nav)
        body.addWidget(self._stack, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addSpacing(1)
        column.addLayout(body, 1)

    # ---- pages

    def show_sheet(self, name: str) -> None:
        """Show one page."""
        if name not in self._sheets:
            sheet = self._made(next(page for page in self._pages if page.name == name))
            self._sheets[name] = sheet
            self._stack.addWidget(sheet)
        self._stack.setCurrentWidget(self._sheets[name])
        self.nav.show_current(name)

    def _made(self, page: Page) -> Sheet:
        match page.name:
            case "agents":
                sheet: Sheet = AgentsSheet(page, self._world, self._orders)
            case "integrations":
                made = IntegrationsSheet(page, self._world, self._orders)
                made.welcome_asked.connect(self.welcome_asked)
                sheet = made
            case "keyboard":
                sheet = KeyboardSheet(page, self._world, self._commands)
            case _:
                sheet = Sheet(page, self._world)
        sheet.chosen.connect(self._choose)
        sheet.undo_asked.connect(self.undo)
        return sheet

    def _find(self, text: str) -> None:
        hits = found(text, self._pages)
        if hits:
            self.show_sheet(hits[0][0])
        for sheet in self._sheets.values():
            sheet.mark([setting.name for _, setting in hits])

    # ---- changes

    def _choose(self, name: str, value: Any, before: Any) -> None:
        sheet = self._stack.currentWidget()

        def refused(sentence: str) -> None:
            if isinstance(sheet, Sheet):
                sheet.show_problem(name, sentence)

        def taken(_settings: object) -> None:
            self._last = (name, before)
            if isinstance(sheet, Sheet):
                sheet.show_saved(True)
            self._undo_ends.start()

        self._orders.change_settings({name: value}, then=taken, failed=refused)

    def undo(self) -> None:
        """Take the last change back."""
        if self._last is not None:
            name, before = self._last
            self._forget()
            self._orders.change_settings({name: before})

    def _forget(self) -> None:
        self._last = None
        for sheet in self._sheets.values():
            sheet.show_saved(False)

    def _changed(self, batch: Batch) -> None:
        if batch.settings or batch.agents:
            for sheet in self._sheets.values():
                sheet.refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The canvas, and the line under the header."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        line = theme().color("border.subtle")
        head, nav = metrics.PAGE_HEADER - 1, metrics.SETTINGS_NAV
        hairline(painter, 0, head, self.width(), head, line)
        hairline(painter, nav, head, nav, self.height(), line)
        painter.end()


__all__ = ["SettingsPage", "stored"]
