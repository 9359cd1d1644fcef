"""The tree of folders, sessions and children: painted rows, keyboard, renaming in place (design 7.1).

Owns painting and what the person did, told by signals. Ends with the sidebar.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from ui.orders import Orders
from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, letters_of
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, focus_ring, hairline, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.sidebar import Node, SidebarModel
from ui.viewmodels.states import State
from ui.wording import tr

DEEPEST_INDENT = 6
Index = QModelIndex | QPersistentModelIndex
CHEVRON = 16


def indent_of(node: Node) -> int:
    """From the row's left edge to its chevron."""
    if node.is_folder:
        return 0
    if node.level == 1:
        return metrics.SIDEBAR_INDENT
    return metrics.SIDEBAR_CHILD_INDENT + metrics.SIDEBAR_LEVEL * (min(node.level, DEEPEST_INDENT) - 2)


class Rows(QStyledItemDelegate):
    """Paints one row."""

    def __init__(self, model: SidebarModel, tree: "SidebarTree") -> None:
        super().__init__(tree)
        self._model, self._tree = model, tree

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """32 for folders and sessions, 28 for children."""
        node = index.data(Qt.ItemDataRole.UserRole)
        tall = metrics.SIDEBAR_CHILD if isinstance(node, Node) and node.level > 1 else metrics.SIDEBAR_ROW
        return QSize(200, theme().row(tall))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Chevron, badge, title, age, mark."""
        node = index.data(Qt.ItemDataRole.UserRole)
        if not isinstance(node, Node):
            return
        rect = QRectF(option.rect)  # pyright: ignore[reportAttributeAccessIssue]  # the stubs leave the fields out
        state = option.state  # pyright: ignore[reportAttributeAccessIssue]  # likewise
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = theme().color("bg.sidebar")
        if state & QStyle.StateFlag.State_Selected:
            ground = theme().color("bg.selected")
            rounded(painter, rect, metrics.RADIUS_6, ground)
        elif state & QStyle.StateFlag.State_MouseOver:
            ground = theme().color("bg.hover")
            rounded(painter, rect, metrics.RADIUS_6, ground)
        self._rails(painter, node, rect)
        left = self._chevron(painter, node, index, rect)
        if node.is_folder:
            self._folder(painter, node, index, rect, left, ground)
        else:
            self._session(painter, node, rect, left, ground)
        if state & QStyle.StateFlag.State_HasFocus and self._tree.hasFocus():
            focus_ring(painter, rect, metrics.RADIUS_6, inside=True)
        painter.restore()

    def _rails(self, painter: QPainter, node: Node, rect: QRectF) -> None:
        for level in range(2, min(node.level, DEEPEST_INDENT) + 1):
            x = rect.left() + metrics.SIDEBAR_RAIL - metrics.SIDEBAR_PAD + metrics.SIDEBAR_LEVEL * (level - 2)
            hairline(painter, x, rect.top(), x, rect.bottom() + 1, theme().color("border.default"))

    def _chevron(self, painter: QPainter, node: Node, index: Index, rect: QRectF) -> float:
        left = rect.left() + indent_of(node)
        if node.rows:
            box = QRectF(left, rect.center().y() - CHEVRON / 2, CHEVRON, CHEVRON)
            if node.level > 1:
                painter.fillRect(box.adjusted(2, 0, -2, 0), theme().color("bg.sidebar"))
            is_open = self._tree.isExpanded(QModelIndex(index))
            draw_icon(painter, box, "chevron-down" if is_open else "chevron-right", theme().color("text.secondary"))
        return left + CHEVRON + metrics.ROW_GAP

    def _folder(self, painter: QPainter, node: Node, index: Index, rect: QRectF, left: float, ground: QColor) -> None:
        box = QRectF(left, rect.center().y() - 8, 16, 16)
        draw_icon(painter, box, "folder", theme().color("text.secondary"))
        right = rect.right() - 8
        if not self._tree.isExpanded(QModelIndex(index)):
            right = self._mark(painter, self._model.state(node), rect, ground)
        room = QRectF(left + 22, rect.top(), right - left - 28, rect.height())
        draw_text(painter, room, self._model.title(node), theme().font("ui", 600), theme().color("text.primary"))

    def _session(self, painter: QPainter, node: Node, rect: QRectF, left: float, ground: QColor) -> None:
        child = node.level > 1
        size = metrics.BADGE_CHILD if child else metrics.BADGE_ROW
        slug, label = self._model.agent(node)
        if node.level > DEEPEST_INDENT:
            font, color = theme().font("small"), theme().color("text.muted")
            left += (
                draw_text(painter, QRectF(left, rect.top(), 24, rect.height()), str(node.level - 1), font, color) + 4
            )
        badge = QRectF(left, rect.center().y() - size / 2, size, size)
        draw_agent_badge(painter, badge, letters_of(slug, label))
        right = self._mark(painter, self._model.state(node), rect, ground)
        if not child:
            right = self._age(painter, node, rect, right)
        weight = 600 if self._model.unread(node) else 400
        room = QRectF(badge.right() + metrics.ROW_GAP, rect.top(), right - badge.right() - 12, rect.height())
        draw_text(painter, room, self._model.title(node), theme().font("ui", weight), theme().color("text.primary"))

    def _mark(self, painter: QPainter, state: State, rect: QRectF, ground: QColor) -> float:
        """Draw the mark at the right end; where the rest must stop."""
        box = QRectF(rect.right() - 8 - 16 + 1, rect.center().y() - 8, 16, 16)
        if state is State.IDLE:
            return rect.right() - 8
        draw_mark(painter, box, state, ground, clock().phase)
        return box.left() - metrics.ROW_GAP

    def _age(self, painter: QPainter, node: Node, rect: QRectF, right: float) -> float:
        font, color, text = theme().numbers("small"), theme().color("text.muted"), self._model.age(node)
        width = text_width(text, font)
        draw_text(painter, QRectF(right - width - 1, rect.top(), width + 2, rect.height()), text, font, color, None)
        right -= width + metrics.ROW_GAP
        if self._model.is_outside(node):
            box = QRectF(right - 14, rect.center().y() - 7, 14, 14)
            draw_icon(painter, box, "terminal", theme().color("text.secondary"))
            right = box.left() - metrics.ROW_GAP
        return right

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index) -> QWidget:
        """Renaming in place."""
        edit = QLineEdit(parent)
        edit.setFont(theme().font("ui"))
        edit.setAccessibleName(tr("Title"))
        return edit

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Where the title stands."""
        rect: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]  # the stubs leave the fields out
        node = index.data(Qt.ItemDataRole.UserRole)
        left = indent_of(node) + CHEVRON + metrics.BADGE_ROW + 2 * metrics.ROW_GAP if isinstance(node, Node) else 0
        editor.setGeometry(rect.adjusted(left, 2, -8, -2))

    def setModelData(self, editor: QWidget, _model: object, index: Index) -> None:
        """The new title is an order."""
        node = index.data(Qt.ItemDataRole.UserRole)
        if isinstance(editor, QLineEdit) and isinstance(node, Node):
            self._tree.renamed.emit(node.key, editor.text().strip())


class SidebarTree(QTreeView):
    """One click opens; the chevron folds; F2, Del, Menu act on the row."""

    opened = Signal(str)
    beside = Signal(str)
    renamed = Signal(str, str)
    delete_asked = Signal(str)
    menu_asked = Signal(str, QPoint)

    def __init__(self, model: SidebarModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sidebar = model
        self.setModel(model)
        self.setItemDelegate(Rows(model, self))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(False)
        self.setMouseTracking(True)
        self.setAnimated(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setExpandsOnDoubleClick(False)
        self.setAccessibleName(tr("Sessions"))
        model.rowsInserted.connect(self._inserted)
        self.expandToDepth(0)
        clock().watch_frames(self, self._turn)
        self._retheme()
        theme().changed.connect(self._retheme)

    def _retheme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, theme().color("bg.sidebar"))
        self.setPalette(palette)
        self.scheduleDelayedItemsLayout()

    def _turn(self) -> None:
        if self._sidebar.counts()[0]:
            self.viewport().update()

    def _inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        if not parent.isValid():
            for row in range(first, last + 1):
                self.expand(self._sidebar.index(row, 0))

    def drawBranches(self, _painter: QPainter, _rect: QRect, _index: Index) -> None:
        """The rows paint their own."""

    def node_at(self, index: Index) -> Node | None:
        """The node of a row."""
        node = index.data(Qt.ItemDataRole.UserRole) if index.isValid() else None
        return node if isinstance(node, Node) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The chevron folds; elsewhere the row is chosen."""
        index = self.indexAt(event.position().toPoint())
        node = self.node_at(index)
        if node is not None and event.button() is Qt.MouseButton.LeftButton and node.rows:
            left = self.visualRect(index).left() + indent_of(node)
            if node.is_folder or left <= event.position().x() <= left + CHEVRON + 4:
                self.setExpanded(index, not self.isExpanded(index))
                if not node.is_folder:
                    return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click opens a session."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        node = self.node_at(index)
        if node is None or node.is_folder or index != self.currentIndex():
            return
        if event.button() is Qt.MouseButton.MiddleButton or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.beside.emit(node.key)
        elif event.button() is Qt.MouseButton.LeftButton:
            left = self.visualRect(index).left() + indent_of(node)
            if not node.rows or not left <= event.position().x() <= left + CHEVRON + 4:
                self.opened.emit(node.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens, O beside, Del deletes, J and K walk."""
        node = self.node_at(self.currentIndex())
        key = event.key()
        if self.state() is QAbstractItemView.State.EditingState or node is None:
            super().keyPressEvent(event)
        elif key in {Qt.Key.Key_J, Qt.Key.Key_K}:
            step = Qt.Key.Key_Down if key == Qt.Key.Key_J else Qt.Key.Key_Up
            super().keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, step, Qt.KeyboardModifier.NoModifier))
        elif node.is_folder and key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.setExpanded(self.currentIndex(), not self.isExpanded(self.currentIndex()))
        elif node.is_folder:
            super().keyPressEvent(event)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit(node.key)
        elif key == Qt.Key.Key_O:
            self.beside.emit(node.key)
        elif key == Qt.Key.Key_Delete:
            self.delete_asked.emit(node.key)
        elif key == Qt.Key.Key_Menu or (
            key == Qt.Key.Key_F10 and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            place = self.visualRect(self.currentIndex()).bottomLeft()
            self.menu_asked.emit(node.key, self.viewport().mapToGlobal(place))
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: object) -> None:
        """The menu of the row under the pointer."""
        from PySide6.QtGui import QContextMenuEvent  # noqa: PLC0415  # only here

        if isinstance(event, QContextMenuEvent):
            node = self.node_at(self.indexAt(event.pos()))
            if node is not None and not node.is_folder:
                self.menu_asked.emit(node.key, event.globalPos())

    def show_current(self, key: str | None) -> None:
        """Select a session's row, unfolding what is above it."""
        index = self._sidebar.index_of(key) if key is not None else QModelIndex()
        if not index.isValid():
            self.setCurrentIndex(QModelIndex())
            return
        if index != self.currentIndex():
            above = index.parent()
            while above.isValid():
                self.expand(above)
                above = above.parent()
            self.setCurrentIndex(index)


def orders_of(tree: SidebarTree, orders: Orders) -> None:
    """Renaming is the one deed that needs no question."""
    tree.renamed.connect(orders.rename)
