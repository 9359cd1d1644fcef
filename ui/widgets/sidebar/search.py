"""Search everywhere: sessions whose title holds the text, and places in all conversations.

Owns the field and when it asks; the host searches. A late answer to an older text is dropped. Ends with the window.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.orders import Hit, Orders
from ui.theme import metrics
from ui.theme.painting import hairline
from ui.theme.theme import theme
from ui.viewmodels.world import World
from ui.widgets.controls import Label, SearchField
from ui.widgets.sidebar.found import FoundList, FoundModel, Place
from ui.wording import tr

SOON_MS = 200
MOST_TITLES = 50


class SearchPage(QWidget):
    """`open_session(id)`; `open_entry(id, seq)`."""

    open_session = Signal(str)
    open_entry = Signal(str, int)

    def __init__(self, world: World, orders: Orders, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world, self._orders, self._asked = world, orders, ""
        self.field = SearchField(tr("Search titles and conversations"))
        self.said = Label("", "small", "text.muted")
        self.model = FoundModel(world, self)
        self.list = FoundList(self.model)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self._search)
        self._arrange()
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(self._typed)
        self.field.returnPressed.connect(self._enter)
        self.list.chosen.connect(self._open)
        theme().changed.connect(self.update)

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(metrics.SPACE_24, 0, metrics.SPACE_24, 1)
        head.setSpacing(metrics.SPACE_16)
        title = Label(tr("Search"), "title")
        title.setMinimumHeight(theme().row(metrics.PAGE_HEADER - 1, "title"))
        self._head_height = title.minimumHeight()
        title.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading)
        self.field.setMaximumWidth(theme().px(metrics.PANEL))
        head.addWidget(title)
        head.addWidget(self.field, 1)
        head.addWidget(self.said)
        head.addStretch(1)
        column.addLayout(head)
        room = QVBoxLayout()
        room.setContentsMargins(metrics.SPACE_12, metrics.SPACE_12, metrics.SPACE_12, 0)
        room.addWidget(self.list)
        column.addLayout(room, 1)

    def _typed(self) -> None:
        self._soon.start()

    def _enter(self) -> None:
        """What was found is opened; what was not looked for yet is looked for."""
        if self.field.text().strip() != self._asked:
            self._search()
        elif self.model.rowCount():
            place = self.model.index(0, 0).data(Qt.ItemDataRole.UserRole)
            self._open(place)

    def _search(self) -> None:
        self._soon.stop()
        text = self._asked = self.field.text().strip()
        if not text:
            self._show(text, ())
            return
        self.said.setText(tr("Searching…"))
        self._orders.search(text, lambda hits: self._show(text, hits))

    def _show(self, text: str, hits: tuple[Hit, ...]) -> None:
        if text != self._asked:
            return
        titled = self._titled(text.casefold()) if text else ()
        self.model.show_hits(text, (*titled, *hits))
        found = self.model.rowCount()
        self.said.setText(tr("%n places", n=found) if found else tr("Nothing found") if text else "")

    def _titled(self, needle: str) -> tuple[Hit, ...]:
        """Sessions before children, both newest first."""
        world = self._world
        found = [record for record in world.sessions() if needle in world.title_of(record.session_id).casefold()]
        found.sort(key=lambda record: record.kind == "child")
        return tuple(Hit(record.session_id, -1, "") for record in found[:MOST_TITLES])

    def _open(self, place: object) -> None:
        if not isinstance(place, Place):
            return
        if place.seq < 0:
            self.open_session.emit(place.session_id)
        else:
            self.open_entry.emit(place.session_id, place.seq)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down goes from the field into the list."""
        if event.key() == Qt.Key.Key_Down and self.field.hasFocus():
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The canvas, and the line under the header."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        hairline(painter, 0, self._head_height, self.width(), self._head_height, theme().color("border.subtle"))
        painter.end()
