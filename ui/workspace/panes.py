"""The panes of the window: splitters over tab strips over pages, as the layout says.

Owns the widgets that stand for groups and splits, and keeps a page alive while its tab lives, wherever it is moved. It
never decides what a page is: `make_page` does. Ends with the window.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSplitter, QSplitterHandle, QStackedLayout, QVBoxLayout, QWidget

from ui.theme.theme import theme
from ui.viewmodels import layout as trees
from ui.viewmodels.layout import Group, Layout, Node, Split
from ui.workspace.tabs import MIME, TabFace, TabStrip, read_drop

MakePage = Callable[[str], QWidget]
FaceOf = Callable[[str], TabFace]


class Pane(QWidget):
    """One group: its strip and the page of its active tab."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.strip = TabStrip(name, self)
        self._room = QWidget(self)
        self._stack = QStackedLayout(self._room)
        self._stack.setContentsMargins(0, 0, 0, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.strip)
        column.addWidget(self._room, 1)
        self.setMinimumSize(320, 240)
        self.setAcceptDrops(True)

    def show_page(self, page: QWidget) -> None:
        """This page, and no other of this pane, is seen."""
        if self._stack.indexOf(page) < 0:
            self._stack.addWidget(page)
        self._stack.setCurrentWidget(page)

    def page(self) -> QWidget | None:
        """The page that is seen."""
        return self._stack.currentWidget()

    def let_go(self, page: QWidget) -> None:
        """The page moves to another pane or ends."""
        self._stack.removeWidget(page)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Tabs only."""
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """On the page: after the last tab."""
        end = self.strip.bar.count()
        read_drop(event, lambda pane, tab: self.strip.dropped.emit(tab, pane, end))


class _Handle(QSplitterHandle):
    """A line of one pixel in a wider grip."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("border.subtle"))
        painter.end()


class Splitter(QSplitter):
    """A splitter whose divider is a hairline."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        """The hairline."""
        return _Handle(self.orientation(), self)


class PaneArea(QWidget):
    """All panes. `changed`: the person changed the layout; the new one is in `layout_now`."""

    changed = Signal()
    new_asked = Signal(str)
    """A new session is wanted in this pane."""
    page_shown = Signal(object)
    """The page that has the focus changed."""

    def __init__(self, make_page: MakePage, face_of: FaceOf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make_page, self._face_of = make_page, face_of
        self._layout = trees.empty()
        self._panes: dict[str, Pane] = {}
        self._pages: dict[tuple[str, str], QWidget] = {}
        self._root: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._shape: object = None

    # ---- what is asked of it

    @property
    def layout_now(self) -> Layout:
        """How it lies now."""
        return self._layout

    def set_layout(self, wanted: Layout) -> None:
        """Lie like this. The keyboard goes along, if it was in here: into the page that now has the focus."""
        before, held = self._layout, QApplication.focusWidget()
        within = held is not None and self.isAncestorOf(held) and not self._in_strip(held)
        self._layout = wanted
        self._move_pages(before)
        self._build()
        self.refresh()
        page = self.page()
        moved = (before.focus, before.focused.shown) != (wanted.focus, wanted.focused.shown)
        if within and page is not None and (moved or QApplication.focusWidget() is not held):
            page.setFocus(Qt.FocusReason.OtherFocusReason)
        if before != wanted:
            self.changed.emit()
        self.page_shown.emit(page)

    def _in_strip(self, widget: QWidget) -> bool:
        """Arrows walk the tabs: they keep the keyboard."""
        return any(pane.strip.isAncestorOf(widget) for pane in self._panes.values())

    def page(self) -> QWidget | None:
        """The page of the focused pane."""
        pane = self._panes.get(self._layout.focused.name)
        return pane.page() if pane is not None else None

    def pages(self) -> tuple[QWidget, ...]:
        """All pages that were made."""
        return tuple(self._pages.values())

    def strips(self) -> tuple[TabStrip, ...]:
        """The strips of all panes, in reading order."""
        return tuple(self._panes[group.name].strip for group in self._layout.groups())

    def refresh(self) -> None:
        """Titles and states may have changed."""
        if self._root is None:  # the world is told before it is known how the panes lay
            return
        groups = self._layout.groups()
        for group in groups:
            pane = self._panes[group.name]
            strong = len(groups) == 1 or group.name == self._layout.focused.name
            pane.strip.show_faces([self._face_of(tab) for tab in group.tabs], group.active, strong=strong)
            if group.shown is not None:
                pane.show_page(self._page(group.name, group.shown))

    # ---- building

    def _page(self, group: str, tab: str) -> QWidget:
        key = (group, tab)
        if key not in self._pages:
            self._pages[key] = self._make_page(tab)
        return self._pages[key]

    def _move_pages(self, before: Layout) -> None:
        """A page goes with its tab; one whose tab is gone ends."""
        wanted = {(group.name, tab) for group in self._layout.groups() for tab in group.tabs}
        for key in [key for key in self._pages if key not in wanted]:
            page = self._pages.pop(key)
            if key[0] in self._panes:
                self._panes[key[0]].let_go(page)
            heir = next((pair for pair in wanted if pair[1] == key[1] and pair not in self._pages), None)
            if heir is not None and before.where(key[1]) is not None:
                self._pages[heir] = page
            else:
                page.setParent(None)
                page.deleteLater()

    def _build(self) -> None:
        shape = _shape_of(self._layout.root)
        if shape == self._shape:
            return
        self._shape = shape
        names = {group.name for group in self._layout.groups()}
        kept = {name: pane for name, pane in self._panes.items() if name in names}
        dropped = [pane for name, pane in self._panes.items() if name not in names]
        for pane in self._panes.values():
            pane.setParent(None)
        self._panes = kept
        if self._root is not None and not isinstance(self._root, Pane):
            self._column.removeWidget(self._root)
            self._root.deleteLater()
        for pane in dropped:
            pane.deleteLater()
        self._root = self._made(self._layout.root, ())
        self._column.addWidget(self._root)
        self._root.show()

    def _made(self, node: Node, path: tuple[int, ...]) -> QWidget:
        if isinstance(node, Group):
            pane = self._panes.get(node.name) or self._new_pane(node.name)
            pane.show()
            return pane
        return self._made_split(node, path)

    def _made_split(self, node: Split, path: tuple[int, ...]) -> QWidget:
        across = Qt.Orientation.Horizontal if node.direction == "row" else Qt.Orientation.Vertical
        splitter = Splitter(across)
        for number, child in enumerate(node.children):
            splitter.addWidget(self._made(child, (*path, number)))
        splitter.setSizes([round(share * 10_000) for share in node.shares])

        def dragged(_position: int, _number: int) -> None:
            self._dragged(splitter, path)

        splitter.splitterMoved.connect(dragged)
        return splitter

    def _new_pane(self, name: str) -> Pane:
        pane = Pane(name, self)
        self._panes[name] = pane
        strip = pane.strip

        def chosen(tab: str) -> None:
            self.set_layout(trees.open_tab(self._layout, tab, name))

        def closed(tab: str) -> None:
            self.set_layout(trees.close_tab(self._layout, name, tab))

        def moved(tab: str, at: int) -> None:
            self.set_layout(trees.move_tab(self._layout, tab, name, name, at))

        def dropped(tab: str, of: str, at: int) -> None:
            self.set_layout(trees.move_tab(self._layout, tab, of, name, at))

        strip.chosen.connect(chosen)
        strip.closed.connect(closed)
        strip.moved.connect(moved)
        strip.dropped.connect(dropped)
        strip.new_asked.connect(lambda: self.new_asked.emit(name))
        pane.installEventFilter(self)
        return pane

    def _dragged(self, splitter: QSplitter, path: tuple[int, ...]) -> None:
        self._layout = trees.set_shares(self._layout, path, [float(max(1, size)) for size in splitter.sizes()])
        self.changed.emit()

    def focus_moved(self, widget: QWidget | None) -> None:
        """The keyboard's focus went to this widget: its pane becomes the focused one."""
        for name, pane in self._panes.items():
            if widget is not None and pane.isAncestorOf(widget) and name != self._layout.focus:
                self._layout = trees.focus(self._layout, name)
                self.refresh()
                self.changed.emit()
                self.page_shown.emit(self.page())
                return

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click anywhere in a pane gives it the focus."""
        if event.type() is QEvent.Type.MouseButtonPress and isinstance(watched, QWidget):
            self.focus_moved(watched)
        return super().eventFilter(watched, event)


def _shape_of(node: Node) -> object:
    """What a rebuild depends on: panes and splits, not tabs and shares."""
    if isinstance(node, Group):
        return node.name
    return (node.direction, tuple(_shape_of(child) for child in node.children))
