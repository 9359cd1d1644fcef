"""The cards of one column: a list that scrolls by itself, with the pointer and the keyboard (design 7.9).

Owns which card is current and what is under the pointer; what was wanted is told by signals. Cards that run repaint
their marks only. Ends with the page.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPalette,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.painting import draw_text, focus_ring
from ui.theme.theme import theme
from ui.viewmodels.board import MORE, Column, ColumnModel, column_name
from ui.viewmodels.board_faces import Face
from ui.viewmodels.states import State
from ui.widgets.board.card import KEYS, action_rect, card_height, mark_rect, paint_card, word_of
from ui.widgets.controls.tips import plain_tip
from ui.wording import key_text

Index = QModelIndex | QPersistentModelIndex
Question = Callable[[str, str], str]
_TICKS = frozenset({Column.QUEUED, Column.RUNNING, Column.WAITING})
_TURNS = frozenset({State.RUNNING, State.STARTING})
_CHORDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class _Cards(QStyledItemDelegate):
    """Paints one card, or the row that offers the rest."""

    def __init__(self, view: "CardList") -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(metrics.TARGET, self._view.height_of(index.row()) + metrics.BOARD_CARD_GAP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view, task_id = self._view, index.data(Qt.ItemDataRole.UserRole)
        state = option.state  # pyright: ignore[reportAttributeAccessIssue]  # the stubs leave the fields out
        box = view.box_of(index.row())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if task_id == MORE:
            font, ink = theme().font("small", 500), theme().color("accent.text")
            font.setUnderline(bool(state & QStyle.StateFlag.State_MouseOver))
            draw_text(painter, box, view.cards.more_text(), font, ink, "right", Qt.AlignmentFlag.AlignHCenter)
        elif (face := view.face(task_id)) is not None:
            paint_card(painter, box, face, hot=view.hot == task_id, held=view.held == task_id)
        if state & QStyle.StateFlag.State_HasFocus and view.hasFocus():
            focus_ring(painter, box, metrics.RADIUS_8, inside=True)
        painter.restore()


class CardList(QListView):
    """`opened(task_id)`; `acted(task_id, action)`; `sideways(step)`: to the next column; `menu_asked(task_id, place)`.

    `question`: asked in a card before its action is done, "" = it is done at once.
    """

    opened = Signal(str)
    acted = Signal(str, str)
    sideways = Signal(int)
    menu_asked = Signal(str, QPoint)
    reached = Signal()

    def __init__(self, cards: ColumnModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards = cards
        self.hot = self.held = self.asking = ""
        self.question: Question = lambda _task_id, _action: ""
        self._card_width = metrics.BOARD_COLUMN
        self._heights: dict[str, int] = {}
        self._seconds = 0
        self.setModel(cards)
        self.setItemDelegate(_Cards(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAccessibleName(column_name(cards.column))
        self._retheme()
        theme().changed.connect(self._retheme)
        clock().watch_seconds(self.viewport(), self._tick)
        if cards.column is Column.RUNNING:
            clock().watch_frames(self.viewport(), self._turn)

    def _retheme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, theme().color("bg.canvas"))
        self.setPalette(palette)
        self._heights.clear()
        self.scheduleDelayedItemsLayout()

    # ---- where cards lie

    def set_card_width(self, width: int) -> None:
        """Cards are this wide; the scroll bar stands in the gap beside them."""
        if width != self._card_width:
            self._card_width = width
            self._heights.clear()
            self.scheduleDelayedItemsLayout()

    def face(self, task_id: str) -> Face | None:
        """What a card says; while it asks, the question and its answer."""
        face = self.cards.face(task_id)
        if face is not None and self.asking == task_id and face.action:
            return replace(face, line=self.question(task_id, face.action), action="confirm", reason=False)
        return face

    def height_of(self, row: int) -> int:
        """Height of a row's card; measured when it changed, not at each layout."""
        task_id = self.cards.index(row).data(Qt.ItemDataRole.UserRole)
        known = self._heights.get(task_id)
        return self._measure(task_id) if known is None else known

    def _measure(self, task_id: str) -> int:
        face = self.face(task_id) if task_id else None
        tall = card_height(face, self._card_width) if face is not None else theme().row(metrics.BUTTON, "small")
        self._heights[task_id] = tall
        return tall

    def box_of(self, row: int) -> QRectF:
        """A row's card in the viewport."""
        rect = QRectF(self.visualRect(self.cards.index(row)))
        rect.setHeight(rect.height() - metrics.BOARD_CARD_GAP)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            rect.setLeft(rect.right() - self._card_width)
        rect.setWidth(self._card_width)
        return rect

    def dataChanged(self, top: Index, bottom: Index, roles: object = ()) -> None:
        """A card may need another height."""
        super().dataChanged(top, bottom)
        del roles
        self._check(range(top.row(), bottom.row() + 1))

    def _check(self, rows: range) -> None:
        for row in rows:
            task_id = self.cards.index(row).data(Qt.ItemDataRole.UserRole)
            if task_id is not None and self._heights.get(task_id) != self._measure(task_id):
                self.scheduleDelayedItemsLayout()

    def _shown(self) -> range:
        first = self.indexAt(QPoint(4, 0)).row()
        last = self.indexAt(QPoint(4, self.viewport().height() - 1)).row()
        total = self.cards.rowCount()
        return range(max(0, first), total if last < 0 else last + 1)

    def _tick(self) -> None:
        self._seconds = (self._seconds + 1) % 60
        if self.cards.column in _TICKS or not self._seconds:
            self.viewport().update()
        if self.cards.column is Column.RUNNING:
            self._check(self._shown())  # one that does not answer says so after a while

    def _turn(self) -> None:
        for row in self._shown():
            task_id = self.cards.index(row).data(Qt.ItemDataRole.UserRole)
            face = self.face(task_id) if task_id else None
            if face is not None and face.state in _TURNS:
                self.viewport().update(mark_rect(self.box_of(row), face).toAlignedRect())

    # ---- what is wanted

    def current_id(self) -> str:
        """The task of the current card."""
        return str(self.currentIndex().data(Qt.ItemDataRole.UserRole) or "")

    def choose(self, row: int) -> None:
        """Make a card the current one."""
        self.setCurrentIndex(self.cards.index(max(0, min(row, self.cards.rowCount() - 1))))

    def act(self, task_id: str) -> None:
        """Do the action of a card, or ask first."""
        face = self.cards.face(task_id)
        if face is None or not face.action:
            return
        if self.asking != task_id and self.question(task_id, face.action):
            self._ask(task_id)
            return
        self._ask("")
        self.acted.emit(task_id, face.action)

    def _ask(self, task_id: str) -> None:
        if self.asking != task_id:
            for changed in (self.asking, task_id):
                self._heights.pop(changed, None)
            self.asking = task_id
            self.scheduleDelayedItemsLayout()
            self.viewport().update()

    def _enter(self) -> None:
        if not self.currentIndex().isValid():
            return
        task_id = self.current_id()
        if task_id == MORE:
            self.cards.show_more()
        elif self.cards.column is Column.WAITING or self.asking == task_id:
            self.act(task_id)
        else:
            self.opened.emit(task_id)

    def _hit(self, at: QPointF) -> tuple[int, str, bool]:
        """Row, task, whether on its action."""
        index = self.indexAt(at.toPoint())
        if not index.isValid() or not self.box_of(index.row()).contains(at):
            return -1, "", False
        task_id = str(index.data(Qt.ItemDataRole.UserRole))
        face = self.face(task_id) if task_id else None
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        on = face is not None and action_rect(face, self.box_of(index.row()), rtl=rtl).contains(at)
        return index.row(), task_id, on

    # ---- Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The card becomes the current one."""
        row, task_id, on = self._hit(event.position())
        self.held = task_id if on and event.button() is Qt.MouseButton.LeftButton else ""
        if task_id != self.asking:
            self._ask("")
        if row >= 0:
            super().mousePressEvent(event)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """On the action it acts; elsewhere the card opens."""
        super().mouseReleaseEvent(event)
        row, task_id, on = self._hit(event.position())
        held, self.held = self.held, ""
        self.viewport().update()
        if event.button() is not Qt.MouseButton.LeftButton or row < 0:
            return
        if task_id == MORE:
            self.cards.show_more()
        elif on and held == task_id:
            self.act(task_id)
        elif not on and not held and row == self.currentIndex().row():
            self.opened.emit(task_id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tint the action under the pointer."""
        super().mouseMoveEvent(event)
        row, task_id, on = self._hit(event.position())
        hot = task_id if on else ""
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if row >= 0 else Qt.CursorShape.ArrowCursor)
        if hot != self.hot:
            self.hot = hot
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        super().leaveEvent(event)
        if self.hot:
            self.hot = ""
            self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        """Tooltips are plain text; over an action its name and key."""
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._tip(QPointF(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def _tip(self, at: QPointF) -> str:
        row, task_id, on = self._hit(at)
        face = self.cards.face(task_id) if on else None
        if face is not None:
            return f"{word_of(face.action)}  {key_text(KEYS.get(face.action, ''))}".strip()
        return plain_tip(str(self.cards.index(row).data(Qt.ItemDataRole.ToolTipRole) or "")) if row >= 0 else ""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """There is always a current card."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.cards.rowCount():
            self.choose(0)
        self.reached.emit()
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows and J, K walk; Enter opens or answers; X, R, C and Space do the card's action."""
        key, row = event.key(), self.currentIndex().row()
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(key), 0)
        if event.modifiers() & _CHORDS:
            super().keyPressEvent(event)
        elif step:
            self.sideways.emit(-step if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else step)
        elif key in {Qt.Key.Key_J, Qt.Key.Key_K}:
            self.choose(row + (1 if key == Qt.Key.Key_J else -1))
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._enter()
        elif key == Qt.Key.Key_O and self.current_id():
            self.opened.emit(self.current_id())
        elif key == Qt.Key.Key_Escape and self.asking:
            self._ask("")
        elif key == Qt.Key.Key_Menu or (
            key == Qt.Key.Key_F10 and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            self._menu(self.box_of(row).bottomLeft().toPoint())
        elif not self._key_acts(event):
            super().keyPressEvent(event)

    def _key_acts(self, event: QKeyEvent) -> bool:
        face = self.cards.face(self.current_id()) if self.current_id() else None
        if face is None or event.isAutoRepeat():
            return False
        if event.key() == Qt.Key.Key_Space or event.text().upper() == KEYS.get(face.action):
            self.act(face.task_id)
            return True
        return event.text().upper() in {"X", "R", "C"}

    def _menu(self, at: QPoint) -> None:
        if self.current_id():
            self.menu_asked.emit(self.current_id(), self.viewport().mapToGlobal(at))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the card under the pointer."""
        index = self.indexAt(event.pos())
        if index.isValid():
            self.setCurrentIndex(index)
            self._menu(event.pos())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Sideways belongs to the page."""
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            event.ignore()
            return
        super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Heights follow the width."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
