"""The sidebar: where to go, and all sessions with their children (design 7.1).

Owns the tree, its filter, and what is done with a row; deeds that can be undone are told with what takes them back.
Ends with the window; `settle` performs what was still open to be undone.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable
from typing import Any, cast

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.painting import hairline
from ui.theme.theme import theme
from ui.viewmodels.sidebar import FOLDER, Filter, SidebarModel
from ui.viewmodels.states import State
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import Batch, World
from ui.widgets.controls import Button, IconButton, Label
from ui.widgets.controls.buttons import open_menu_below
from ui.widgets.sidebar.deletions import Deletions
from ui.widgets.sidebar.folds import Folds
from ui.widgets.sidebar.menus import filter_menu, row_menu
from ui.widgets.sidebar.places import PlaceRow
from ui.widgets.sidebar.tree import SidebarTree
from ui.wording import clean_line, tr

FILTER = "sidebar.filter"
_LINE = 1


class Sidebar(QWidget):
    """288 wide. `open_page`: search, inbox, board, settings; `new_session_in`: a folder."""

    open_session = Signal(str)
    open_beside = Signal(str)
    new_session = Signal()
    new_session_in = Signal(str)
    open_page = Signal(str)
    undoable = Signal(str, object)
    """What was done, and what takes it back (to be called within 10 s)."""

    def __init__(self, world: World, orders: Orders, view: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._world, self._orders, self._view = world, orders, view
        self._folds = Folds(view)
        self._asked_before = ""
        self.model = SidebarModel(world, self)
        self.tree = SidebarTree(self.model, self._folds)
        self.deletions = Deletions(self.model, world, orders)
        self.places = {
            "new": PlaceRow("plus", tr("New session"), "Ctrl+N"),
            "search": PlaceRow("search", tr("Search"), "Ctrl+Shift+F"),
            "inbox": PlaceRow("inbox", tr("Needs you"), "Ctrl+3"),
            "board": PlaceRow("square-kanban", tr("Board"), "Ctrl+2"),
            "settings": PlaceRow("sliders-horizontal", tr("Settings"), "Ctrl+,"),
        }
        self.filter_button = IconButton("list-filter", tr("Filter sessions"), small=True)
        self.empty = Label("", "small", "text.muted", wrap=True)
        self.show_all = Button(tr("Show all"), small=True)
        self._deeds = self._make_deeds()
        self._arrange()
        self._connect()
        self.setFocusProxy(self.tree)
        self.setAccessibleName(tr("Sidebar"))
        self._read_filter()
        self._changed(Batch(asks=True))

    def _arrange(self) -> None:
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self._column.addLayout(self._padded("new", "search", "inbox", "board"))
        self._column.addSpacing(metrics.SIDEBAR_HEADING_ABOVE)
        self._column.addWidget(self._heading())
        self._column.addWidget(self._hint())
        self._column.addWidget(self.tree, 1)
        self._column.addSpacing(metrics.SIDEBAR_PAD)
        self._column.addLayout(self._padded("settings"))
        self._turn_round()

    def _padded(self, *names: str) -> QHBoxLayout:
        row, rows = QHBoxLayout(), QVBoxLayout()
        row.setSpacing(0)
        rows.setSpacing(0)
        for name in names:
            rows.addWidget(self.places[name])
        row.addSpacing(metrics.SIDEBAR_PAD)  # margins are not mirrored, spaces are
        row.addLayout(rows)
        row.addSpacing(metrics.SIDEBAR_PAD - _LINE)
        return row

    def _heading(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addSpacing(2 * metrics.SIDEBAR_PAD)
        row.addWidget(Label(tr("Folders"), "small", "text.muted", weight=600), 1)
        row.addWidget(self.filter_button)
        row.addSpacing(metrics.SPACE_12 - _LINE)
        head.setMinimumHeight(theme().row(metrics.SIDEBAR_HEADING, "small"))
        return head

    def _hint(self) -> QWidget:
        self.hint = QWidget()
        column = QVBoxLayout(self.hint)
        column.setContentsMargins(2 * metrics.SIDEBAR_PAD, metrics.SPACE_4, 2 * metrics.SIDEBAR_PAD, 0)
        column.addWidget(self.empty)
        column.addWidget(self.show_all, 0, Qt.AlignmentFlag.AlignLeading)
        return self.hint

    def _turn_round(self) -> None:
        """The line beside the sidebar lies at its far edge."""
        left, right = (_LINE, 0) if self.isRightToLeft() else (0, _LINE)
        self._column.setContentsMargins(left, metrics.SIDEBAR_PAD, right, metrics.SIDEBAR_PAD)

    def _connect(self) -> None:
        self.places["new"].clicked.connect(self.new_session)
        for name in ("search", "inbox", "board", "settings"):
            self.places[name].clicked.connect(lambda _on=False, page=name: self.open_page.emit(page))
        self.tree.wanted.connect(self.do)
        self.tree.renamed.connect(self._orders.rename)
        self.tree.menu_asked.connect(self._open_menu)
        self.tree.at_end.connect(self._ask_older)
        self.filter_button.clicked.connect(self._open_filter)
        self.show_all.clicked.connect(lambda: self._set_filter(Filter(archived=self.model.filter().archived)))
        self.model.rowsInserted.connect(self._fit)
        self.model.rowsRemoved.connect(self._fit)
        self._world.changed.connect(self._changed)
        theme().changed.connect(self.update)

    # ---- for the window

    def show_current(self, page: str, session_id: str | None) -> None:
        """Which place or session shows."""
        self.restore()
        for name, row in self.places.items():
            row.set_current(name == page)
        self.tree.show_current(session_id or "")

    def restore(self) -> None:
        """Take over what the view remembers, if it was read since."""
        if self._folds.read():
            self.tree.apply_folds()
        self._read_filter()

    def settle(self) -> None:
        """The window closes for good: deletes that could still be undone are done."""
        self.deletions.settle()

    def set_key(self, place: str, key: str) -> None:
        """The key of a fixed row (new, search, inbox, board, settings), where the person chose another."""
        self.places[place].set_key(key)

    # ---- what shows

    def _changed(self, batch: Batch) -> None:
        if batch.asks:
            self.places["inbox"].set_count(len(self._world.asks()))

    def _fit(self) -> None:
        filtered = self.model.filter().hides
        is_empty = not self.model.rowCount()
        self.empty.setText(tr("The filter leaves nothing") if filtered else tr("No sessions yet"))
        self.hint.setVisible(is_empty)
        self.show_all.setVisible(is_empty and filtered)

    def _read_filter(self) -> None:
        kept: Any = self._view.value(FILTER)
        shape = cast("dict[str, Any]", kept) if isinstance(kept, dict) else {}
        self._take_filter(
            Filter(
                archived=shape.get("archived") is True,
                alive=shape.get("alive") is True,
                outside=shape.get("outside") is not False,
            )
        )

    def _set_filter(self, wanted: Filter) -> None:
        shape = {"archived": wanted.archived, "alive": wanted.alive, "outside": wanted.outside}
        self._view.set_value(FILTER, shape if wanted != Filter() else None)
        self._take_filter(wanted)

    def _take_filter(self, wanted: Filter) -> None:
        self.model.set_filter(wanted)
        self.filter_button.set_icon("list-filter", "accent.text" if wanted.hides else "text.secondary")
        self.filter_button.set_name(tr("Filter sessions, some are hidden") if wanted.hides else tr("Filter sessions"))
        self._fit()

    def _open_filter(self) -> None:
        open_menu_below(filter_menu(self.model.filter(), self._set_filter, self), self.filter_button)

    def _ask_older(self) -> None:
        """The end of the list was reached: the store may have more."""
        roots = [record for record in self._world.sessions() if record.kind != "child"]
        if roots and roots[-1].session_id != self._asked_before:
            self._asked_before = roots[-1].session_id
            self._orders.older_sessions(self._asked_before, lambda _found: None)

    # ---- what is done with a row

    def row_menu(self, key: str) -> QMenu | None:
        """The menu of a row."""
        node = self.tree.node_at(self.model.index_of(key))
        if node is None:
            return None
        own = State.IDLE if node.is_folder else self._world.state_of_session(key, tree=False)
        return row_menu(node, self.model, own, self.do, self)

    def _open_menu(self, key: str, at: QPoint) -> None:
        menu = self.row_menu(key)
        if menu is not None:
            menu.popup(at)

    def _make_deeds(self) -> dict[str, Callable[[str], object]]:
        orders, clipboard = self._orders, QGuiApplication.clipboard
        return {
            "open": self.open_session.emit,
            "beside": self.open_beside.emit,
            "new": lambda key: self.new_session_in.emit(key.removeprefix(FOLDER)),
            "copy_path": lambda key: clipboard().setText(key.removeprefix(FOLDER)),
            "copy_id": lambda key: clipboard().setText(self._id_of(key)),
            "pin": lambda key: orders.mark(key, pinned=True),
            "unpin": lambda key: orders.mark(key, pinned=False),
            "rename": lambda key: self.tree.edit(self.model.index_of(key)),
            "archive": lambda key: self.archive(key, archived=True),
            "unarchive": lambda key: self.archive(key, archived=False),
            "delete": self.delete,
            "stop": self.stop,
            "resume": self.resume,
        }

    def do(self, what: str, key: str) -> None:
        """One deed, by the name that the tree and the menu use."""
        self._deeds[what](key)

    def _id_of(self, session_id: str) -> str:
        """A child is called by the id of its task, everywhere."""
        view = self._world.task_of(session_id)
        return view.record.task_id if view is not None else session_id

    def archive(self, session_id: str, *, archived: bool) -> None:
        """At once, with a way back."""
        record = self._world.session(session_id)
        if record is None or record.kind == "child":
            return
        self._orders.mark(session_id, archived=archived)
        title = clean_line(self._world.title_of(session_id), 60)
        said = tr("Archived “{title}”", title=title) if archived else tr("Took “{title}” back", title=title)
        self.undoable.emit(said, lambda: self._orders.mark(session_id, archived=not archived))

    def delete(self, session_id: str) -> None:
        """The row goes at once; the session when it can no longer be undone."""
        record = self._world.session(session_id)
        if record is None or record.kind == "child":
            return
        title = clean_line(self._world.title_of(session_id), 60)
        self.undoable.emit(tr("Deleted “{title}”", title=title), self.deletions.ask(session_id))

    def stop(self, session_id: str) -> None:
        """Stop a child and its children, or a session's turn."""
        view, record = self._world.task_of(session_id), self._world.session(session_id)
        if view is not None:
            self._orders.cancel_task(view.record.task_id)
        elif record is not None and record.kind == "root":
            self._orders.cancel_turn(session_id)

    def resume(self, session_id: str) -> None:
        """Go on with a child."""
        view = self._world.task_of(session_id)
        if view is not None and view.record.ended_ms is not None:
            self._orders.resume_task(view.record.task_id)

    # ---- Qt

    def changeEvent(self, event: QEvent) -> None:
        """The layout turned round."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._turn_round()

    def sizeHint(self) -> QSize:
        """288 wide."""
        return QSize(metrics.SIDEBAR, metrics.SMALLEST_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, and the line at its edge."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.sidebar"))
        x = 0 if self.isRightToLeft() else self.width() - _LINE
        hairline(painter, x, 0, x, self.height(), theme().color("border.subtle"))
        painter.end()
