"""The sidebar: where to go, and all sessions with their children (design 7.1).

Owns the tree, its filter and the menu of a row; deeds that can be undone are told by `undoable` with what takes them
back. Ends with the window.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.painting import hairline
from ui.theme.theme import theme
from ui.viewmodels.sidebar import Filter, SidebarModel
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import Batch, World
from ui.widgets.controls import IconButton, Label
from ui.widgets.sidebar.places import PlaceRow
from ui.widgets.sidebar.tree import SidebarTree
from ui.wording import clean_line, tr

MINUTE_MS = 60_000


class Sidebar(QWidget):
    """288 wide."""

    open_session = Signal(str)
    open_beside = Signal(str)
    new_session = Signal()
    open_page = Signal(str)
    undoable = Signal(str, object, object)
    """What was done; what takes it back; what makes it final (None = it is)."""

    def __init__(self, world: World, orders: Orders, view: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world, self._orders, self._view = world, orders, view
        self.model = SidebarModel(world, self)
        self.tree = SidebarTree(self.model)
        self.places = {
            "new": PlaceRow("plus", tr("New session"), "Ctrl+N"),
            "search": PlaceRow("search", tr("Search"), "Ctrl+Shift+F"),
            "inbox": PlaceRow("inbox", tr("Needs you")),
            "board": PlaceRow("columns-3", tr("Board"), "Ctrl+2"),
            "settings": PlaceRow("sliders-horizontal", tr("Settings"), "Ctrl+,"),
        }
        self.filter_button = IconButton("list-filter", tr("Filter sessions"), small=True)
        self._ages = QTimer(self)
        self._ages.setInterval(MINUTE_MS)
        self._ages.timeout.connect(self.model.refresh_ages)
        self._arrange()
        self._connect()
        self.setFocusProxy(self.tree)
        self._count(Batch(asks=True))

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        pad = metrics.SIDEBAR_PAD
        column.setContentsMargins(pad, pad, pad + 1, pad)
        column.setSpacing(0)
        for name in ("new", "search", "inbox", "board"):
            column.addWidget(self.places[name])
        head = QHBoxLayout()
        head.setContentsMargins(8, metrics.SIDEBAR_HEADING_ABOVE, 4, 0)
        head.addWidget(Label(tr("Folders"), "small", "text.muted", weight=600), 1)
        head.addWidget(self.filter_button)
        column.addLayout(head)
        column.addWidget(self.tree, 1)
        column.addWidget(self.places["settings"])

    def _connect(self) -> None:
        self.places["new"].clicked.connect(self.new_session)
        for name in ("search", "inbox", "board", "settings"):
            self.places[name].clicked.connect(lambda _checked=False, page=name: self.open_page.emit(page))
        self.tree.opened.connect(self.open_session)
        self.tree.beside.connect(self.open_beside)
        self.tree.renamed.connect(self._orders.rename)
        self.tree.delete_asked.connect(self.delete)
        self.tree.menu_asked.connect(self._menu)
        self.filter_button.clicked.connect(self._filter_menu)
        self._world.changed.connect(self._count)
        theme().changed.connect(self.update)
        self._ages.start()

    def show_current(self, page: str, session_id: str | None) -> None:
        """Which place or session shows."""
        for name, row in self.places.items():
            row.set_current(name == page)
        self.tree.show_current(session_id)

    def _count(self, batch: Batch) -> None:
        if batch.asks:
            self.places["inbox"].set_count(len(self._world.asks()))

    # ---- the filter

    def _filter_menu(self) -> None:
        menu, now = QMenu(self), self.model.filter()
        for text, on, wanted in (
            (tr("Show archived"), now.archived, Filter(not now.archived, now.alive)),
            (tr("Only what is at work or waits"), now.alive, Filter(now.archived, not now.alive)),
        ):
            action = QAction(text, menu)
            action.setCheckable(True)
            action.setChecked(on)
            action.triggered.connect(lambda _checked=False, chosen=wanted: self.model.set_filter(chosen))
            menu.addAction(action)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.filter_button.mapToGlobal(QPoint(0, self.filter_button.height())))

    # ---- deeds

    def _menu(self, session_id: str, place: QPoint) -> None:
        menu = QMenu(self)
        record = self._world.session(session_id)
        self._add(menu, tr("Open"), lambda: self.open_session.emit(session_id))
        self._add(menu, tr("Open beside"), lambda: self.open_beside.emit(session_id))
        if record is not None and record.kind != "child":
            menu.addSeparator()
            pin = tr("Unpin") if record.pinned else tr("Pin")
            self._add(menu, pin, lambda: self._orders.mark(session_id, pinned=not record.pinned))
            self._add(menu, tr("Rename"), lambda: self.tree.edit(self.model.index_of(session_id)))
            name = tr("Put back") if record.archived else tr("Archive")
            self._add(menu, name, lambda: self.archive(session_id))
        menu.addSeparator()
        self._add(menu, tr("Copy id"), lambda: QGuiApplication.clipboard().setText(session_id))
        if record is not None and record.kind != "child":
            self._add(menu, tr("Delete"), lambda: self.delete(session_id))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    @staticmethod
    def _add(menu: QMenu, text: str, act: Callable[[], object]) -> None:
        action = QAction(text, menu)
        action.triggered.connect(lambda _checked=False: act())
        menu.addAction(action)

    def archive(self, session_id: str) -> None:
        """At once, with a way back."""
        record = self._world.session(session_id)
        if record is None or record.kind == "child":
            return
        archived = not record.archived
        self._orders.mark(session_id, archived=archived)
        words = tr("Archived “{title}”") if archived else tr("Put back “{title}”")
        text = words.replace("{title}", clean_line(self._world.title_of(session_id), 60))
        self.undoable.emit(text, lambda: self._orders.mark(session_id, archived=not archived), None)

    def delete(self, session_id: str) -> None:
        """The row goes at once; the session when it can no longer be undone."""
        record = self._world.session(session_id)
        if record is None or record.kind == "child":
            return
        self.model.hide(session_id, True)
        text = tr("Deleted “{title}”", title=clean_line(self._world.title_of(session_id), 60))
        self.undoable.emit(text, lambda: self.model.hide(session_id, False), lambda: self._orders.delete(session_id))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, and the line at its right."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.sidebar"))
        hairline(painter, self.width(), 0, self.width(), self.height(), theme().color("border.subtle"))
        painter.end()
