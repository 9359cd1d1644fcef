"""Search everywhere: sessions whose title holds the text, and places in all conversations.

Owns the field and the list; the host searches. Ends with the window.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ui.orders import Hit, Orders
from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, letters_of
from ui.theme.painting import draw_text, focus_ring, rounded
from ui.theme.theme import theme
from ui.viewmodels.world import World
from ui.widgets.controls import Label, SearchField
from ui.wording import clean_line, tr

SOON_MS = 200
_HIT = Qt.ItemDataRole.UserRole
MOST_TITLES = 50


class _Rows(QStyledItemDelegate):
    def __init__(self, world: World, parent: QWidget) -> None:
        super().__init__(parent)
        self._world = world

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, theme().row(52, "ui", 2))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        hit = index.data(_HIT)
        if not isinstance(hit, Hit):
            return
        rect = QRectF(option.rect)  # pyright: ignore[reportAttributeAccessIssue]  # the stubs leave the fields out
        state = option.state  # pyright: ignore[reportAttributeAccessIssue]  # likewise
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            rounded(painter, rect, metrics.RADIUS_8, theme().color("bg.selected"))
        elif state & QStyle.StateFlag.State_MouseOver:
            rounded(painter, rect, metrics.RADIUS_8, theme().color("bg.hover"))
        world, line = self._world, theme().line("ui")
        slug = world.agent_of(hit.session_id)
        draw_agent_badge(
            painter, QRectF(rect.left() + 12, rect.top() + 6, 20, 20), letters_of(slug, world.label_of(slug))
        )
        room = QRectF(rect.left() + 42, rect.top() + 6, rect.width() - 54, line)
        title = clean_line(world.title_of(hit.session_id))
        draw_text(painter, room, title, theme().font("ui", 500), theme().color("text.primary"))
        record = world.session(hit.session_id)
        below = clean_line(hit.excerpt) or (clean_line(record.folder) if record is not None else "")
        draw_text(painter, room.translated(0, line), below, theme().font("small"), theme().color("text.muted"))
        if state & QStyle.StateFlag.State_HasFocus:
            focus_ring(painter, rect, metrics.RADIUS_8, inside=True)
        painter.restore()


class SearchPage(QWidget):
    """`open_session(id)`; `open_entry(id, seq)`."""

    open_session = Signal(str)
    open_entry = Signal(str, int)

    def __init__(self, world: World, orders: Orders, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world, self._orders, self._asked = world, orders, ""
        self.field = SearchField(tr("Search titles and conversations"))
        self.said = Label("", "small", "text.muted")
        self.list = QListWidget()
        self.list.setItemDelegate(_Rows(world, self.list))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setMouseTracking(True)
        self.list.setAccessibleName(tr("Found places"))
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self._search)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(8)
        column.addWidget(Label(tr("Search"), "title"))
        column.addWidget(self.field)
        column.addWidget(self.said)
        column.addWidget(self.list, 1)
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(lambda _text: self._soon.start())
        self.field.returnPressed.connect(self._search)
        self.list.itemActivated.connect(self._open)
        self.list.itemClicked.connect(self._open)
        self._retheme()
        theme().changed.connect(self._retheme)

    def _retheme(self) -> None:
        palette = self.list.palette()
        palette.setColor(QPalette.ColorRole.Base, theme().color("bg.canvas"))
        self.list.setPalette(palette)

    def _search(self) -> None:
        text = self.field.text().strip()
        self._asked = text
        if not text:
            self._show(text, ())
            return
        self._orders.search(text, lambda hits: self._show(text, hits))

    def _show(self, text: str, hits: tuple[Hit, ...]) -> None:
        if text != self._asked:
            return
        needle = text.casefold()
        titled = [
            Hit(record.session_id, -1, "")
            for record in self._world.sessions()
            if needle and needle in self._world.title_of(record.session_id).casefold()
        ][:MOST_TITLES]
        self.list.clear()
        for hit in [*titled, *hits]:
            item = QListWidgetItem(clean_line(f"{self._world.title_of(hit.session_id)} {hit.excerpt}", 300))
            item.setData(_HIT, hit)
            self.list.addItem(item)
        found = len(titled) + len(hits)
        self.said.setText(tr("%n places", n=found) if found else tr("Nothing found") if text else "")

    def _open(self, item: QListWidgetItem) -> None:
        hit = item.data(_HIT)
        if isinstance(hit, Hit):
            if hit.seq < 0:
                self.open_session.emit(hit.session_id)
            else:
                self.open_entry.emit(hit.session_id, hit.seq)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The canvas."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        painter.end()
