"""The tree of folders, sessions and children: keyboard, pointer, renaming in place (design 7.1).

Owns what is unfolded and where the keyboard is; what the person wants is told by signals. Ends with the sidebar.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPalette,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QStyleOptionViewItem, QToolTip, QTreeView, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.theme import theme
from ui.viewmodels.sidebar import Node, SidebarModel
from ui.widgets.controls.tips import plain_tip
from ui.widgets.sidebar.folds import Folds
from ui.widgets.sidebar.rows import CHEVRON, Lane, Look, RowDelegate, RowPainter, indent_of
from ui.wording import tr

Index = QModelIndex | QPersistentModelIndex
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_CHORD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_DEEDS = {
    Qt.Key.Key_O: "beside",
    Qt.Key.Key_Delete: "delete",
    Qt.Key.Key_X: "stop",
    Qt.Key.Key_R: "resume",
}
_AGES_S = 60
_STEPS = {Qt.Key.Key_J: Qt.Key.Key_Down, Qt.Key.Key_K: Qt.Key.Key_Up}


class SidebarTree(QTreeView):
    """One click opens, the chevron folds, F2 renames. `wanted`: what to do, session id or folder key."""

    wanted = Signal(str, str)
    renamed = Signal(str, str)
    menu_asked = Signal(str, QPoint)
    at_end = Signal()

    def __init__(self, model: SidebarModel, folds: Folds, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows, self._folds = model, folds
        self._painter = RowPainter(model)
        self._shown = ""
        self._hovered = ""
        self._turning: set[str] = set()
        self._ring = False
        self._seconds = 0
        self.setModel(model)
        self._delegate = RowDelegate(model, lambda index: self.row_rect(index).toRect(), self)
        self.setItemDelegate(self._delegate)
        self._look()
        self._delegate.renamed.connect(self.renamed)
        model.rowsInserted.connect(self._inserted)
        self.expanded.connect(self._opened)
        self.collapsed.connect(self._closed)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        clock().watch_frames(self, self._turn)
        clock().watch_seconds(self, self._tick)
        self.apply_folds()
        theme().changed.connect(self._retheme)
        self._retheme()

    def _look(self) -> None:
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setAnimated(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setExpandsOnDoubleClick(False)
        self.setAccessibleName(tr("Sessions"))

    def _retheme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, theme().color("bg.sidebar"))
        self.setPalette(palette)
        self._delegate.measure()
        self.verticalScrollBar().setSingleStep(theme().row(metrics.SIDEBAR_ROW))
        self.scheduleDelayedItemsLayout()

    # ---- what moves by itself

    def _turn(self) -> None:
        for key in tuple(self._turning):
            self._repaint(self._rows.index_of(key))
        self._turning.clear()  # those that are still to be seen come back with the painting

    def _tick(self) -> None:
        self._seconds = (self._seconds + 1) % _AGES_S
        if not self._seconds:
            self._rows.refresh_ages()

    def _repaint(self, index: Index) -> None:
        if index.isValid():
            self.viewport().update(self.visualRect(index))

    # ---- what is unfolded

    def apply_folds(self) -> None:
        """Unfold what was unfolded last time."""
        self._inserted(QModelIndex(), 0, self._rows.rowCount() - 1)

    def _inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        for row in range(first, last + 1):
            index = self._rows.index(row, 0, parent)
            node = self.node_at(index)
            if node is None:
                continue
            is_open = self._folds.is_open(node)
            if is_open != self.isExpanded(index):
                self.setExpanded(index, is_open)
            self._inserted(index, 0, len(node.rows) - 1)

    def _opened(self, index: QModelIndex) -> None:
        node = self.node_at(index)
        if node is not None:
            self._folds.set_open(node, is_open=True)

    def _closed(self, index: QModelIndex) -> None:
        node = self.node_at(index)
        if node is not None:
            self._folds.set_open(node, is_open=False)

    def show_current(self, key: str) -> None:
        """The session that the person looks at, unfolding what is above it; "" = none."""
        before, self._shown = self._shown, key
        self._rows.set_shown(key)
        self._repaint(self._rows.index_of(before))
        index = self._rows.index_of(key)
        if not index.isValid() or before == key:
            return
        above = index.parent()
        while above.isValid():
            self.expand(above)
            above = above.parent()
        self.setCurrentIndex(index)
        self._repaint(index)

    def _scrolled(self, value: int) -> None:
        if value and value == self.verticalScrollBar().maximum():
            self.at_end.emit()

    # ---- painting

    def node_at(self, index: Index) -> Node | None:
        """The node of a row."""
        return self._rows.node_of(index)

    def row_rect(self, index: Index) -> QRectF:
        """A row without the margins of the sidebar; the scroll bar takes the place of one."""
        far = 0 if self.verticalScrollBar().isVisible() else metrics.SIDEBAR_PAD - 1  # the line beside the sidebar is 1
        place = QRectF(self.visualRect(index))
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            return place.adjusted(far, 0, -metrics.SIDEBAR_PAD, 0)
        return place.adjusted(metrics.SIDEBAR_PAD, 0, -far, 0)

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:  # noqa: ARG002  # Qt's signature
        """The whole row is ours: Qt's own ground would show at its ends."""
        node = self.node_at(index)
        if node is None:
            return
        look = Look(
            is_open=self.isExpanded(index),
            current=node.key == self._shown,
            hovered=node.key == self._hovered,
            ring=self._ring and self.hasFocus() and index == self.currentIndex(),
        )
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._painter.paint(painter, node, Lane(self.row_rect(index), rtl=rtl), look):
            self._turning.add(node.key)

    # ---- the pointer

    def _is_chevron(self, index: QModelIndex, node: Node, at: QPoint) -> bool:
        if not node.rows:
            return False
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        place = Lane(self.row_rect(index), rtl=rtl).at(indent_of(node), CHEVRON)
        grown = (metrics.TARGET - CHEVRON) / 2
        return place.adjusted(-grown, -grown, grown, grown).contains(at)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The chevron folds, and a folder anywhere."""
        at = event.position().toPoint()
        index = self.indexAt(at)
        node = self.node_at(index)
        self._ring = False
        left = event.button() is Qt.MouseButton.LeftButton
        if node is not None and left and (node.is_folder or self._is_chevron(index, node, at)):
            self.setExpanded(index, not self.isExpanded(index))
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click opens; with Ctrl, or the middle button, beside."""
        super().mouseReleaseEvent(event)
        at = event.position().toPoint()
        index = self.indexAt(at)
        node = self.node_at(index)
        if node is None or node.is_folder or index != self.currentIndex() or self._is_chevron(index, node, at):
            return
        if event.button() is Qt.MouseButton.MiddleButton or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.wanted.emit("beside", node.key)
        elif event.button() is Qt.MouseButton.LeftButton:
            self.wanted.emit("open", node.key)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the row under the pointer."""
        node = self.node_at(self.indexAt(event.pos()))
        if node is not None and event.reason() is not QContextMenuEvent.Reason.Keyboard:
            self.menu_asked.emit(node.key, event.globalPos())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The row under the pointer."""
        super().mouseMoveEvent(event)
        self._hover(self.indexAt(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        """None."""
        super().leaveEvent(event)
        self._hover(QModelIndex())

    def _hover(self, index: QModelIndex) -> None:
        node = self.node_at(index)
        before, self._hovered = self._hovered, node.key if node is not None else ""
        if before != self._hovered:
            self._repaint(self._rows.index_of(before))
            self._repaint(index)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tooltips as plain text, at the row."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.indexAt(event.pos())
            text = str(index.data(Qt.ItemDataRole.ToolTipRole) or "") if index.isValid() else ""
            QToolTip.showText(event.globalPos(), plain_tip(text), self.viewport(), self.visualRect(index))
            return True
        return super().viewportEvent(event)

    # ---- the keyboard

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring stands where the keyboard is."""
        if event.reason() not in {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}:
            self._ring = event.reason() is not Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)
        if self._ring and not self.currentIndex().isValid() and self._rows.rowCount():
            self.setCurrentIndex(self._rows.index(0, 0))
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """J and K walk, Enter opens, O beside, Del deletes; folding and typing ahead are Qt's."""
        key, node = event.key(), self.node_at(self.currentIndex())
        self._ring = True
        self._repaint(self.currentIndex())
        if self.state() is QAbstractItemView.State.EditingState or event.modifiers() & _CHORD or node is None:
            super().keyPressEvent(event)
        elif key in _STEPS:
            super().keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, _STEPS[Qt.Key(key)], Qt.KeyboardModifier.NoModifier))
        elif key == Qt.Key.Key_Menu or (key == Qt.Key.Key_F10 and event.modifiers() == _SHIFT):
            place = self.row_rect(self.currentIndex()).bottomLeft().toPoint()
            self.menu_asked.emit(node.key, self.viewport().mapToGlobal(place))
        elif node.is_folder and key in _ENTER:
            self.setExpanded(self.currentIndex(), not self.isExpanded(self.currentIndex()))
        elif not node.is_folder and key in _ENTER:
            self.wanted.emit("open", node.key)
        elif not node.is_folder and key in _DEEDS:
            self.wanted.emit(_DEEDS[Qt.Key(key)], node.key)
        else:
            super().keyPressEvent(event)
