"""The board as a table: rows of 32, sorted by any column (design 7.9).

Owns painting, the walk by keys, and what was wanted, told by signals. Ends with the page.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent, QKeyEvent, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, letters_of
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark, state_color
from ui.theme.painting import draw_text, focus_ring, hairline, rounded
from ui.theme.theme import theme
from ui.viewmodels.board_table import NUMBERS, Field, TableModel, field_name
from ui.viewmodels.states import State
from ui.widgets.board.card import KEYS
from ui.widgets.controls.tips import plain_tip
from ui.widgets.runs import across, square
from ui.wording import tr

Index = QModelIndex | QPersistentModelIndex
PAD, GAP = metrics.SPACE_8, metrics.SPACE_8
WIDTHS = {
    Field.TASK: 232, Field.STATE: 136, Field.LINE: 192, Field.FOLDER: 104, Field.PARENT: 136, Field.TIME: 76,
    Field.TOOLS: 64, Field.COST: 76, Field.BEGAN: 88,
}  # fmt: skip
"""At the default font size; what is left over goes to the task."""
_MUTED = frozenset({Field.FOLDER, Field.PARENT, *NUMBERS})
_TURNS = frozenset({State.RUNNING, State.STARTING})
_CHORDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class _Cells(QStyledItemDelegate):
    """Paints one cell; the ground of the whole row comes with its first one."""

    def __init__(self, view: "BoardTable") -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRectF(option.rect)  # pyright: ignore[reportAttributeAccessIssue]  # the stubs leave the fields out
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(rect)
        row, ground = self._view.row_rect(index.row()), theme().color("bg.canvas")
        chosen = self._view.currentIndex().row() == index.row()
        if chosen or self._view.under == index.row():
            ground = theme().color("bg.selected" if chosen else "bg.hover")
            rounded(painter, row, metrics.RADIUS_6, ground)
        else:
            hairline(
                painter, rect.left(), rect.bottom(), rect.right() + 1, rect.bottom(), theme().color("border.subtle")
            )
        self._paint_cell(painter, rect.adjusted(PAD, 0, -PAD, 0), index, ground)
        if chosen and self._view.hasFocus():
            focus_ring(painter, row, metrics.RADIUS_6, inside=True)
        painter.restore()

    def _paint_cell(self, painter: QPainter, cell: QRectF, index: Index, ground: QColor) -> None:
        field = Field(index.column())
        task_id, text = str(index.data(Qt.ItemDataRole.UserRole)), str(index.data() or "")
        if field is Field.TASK:
            letters = letters_of(*self._view.rows.agent(task_id))
            draw_agent_badge(painter, square(painter, cell, 0, metrics.BADGE_ROW), letters)
            rest = across(painter, cell, metrics.BADGE_ROW + GAP, cell.width() - metrics.BADGE_ROW - GAP)
            draw_text(painter, rest, text, theme().font("ui", 500), theme().color("text.primary"))
        elif field is Field.STATE:
            state = self._view.rows.state(task_id)
            draw_mark(painter, square(painter, cell, 0, metrics.MARK), state, ground, clock().phase)
            rest = across(painter, cell, metrics.MARK + GAP, cell.width() - metrics.MARK - GAP)
            weight = 600 if state is State.WAITING else 500
            draw_text(painter, rest, text, theme().font("small", weight), state_color(state))
        else:
            numeric = field in NUMBERS
            font = theme().numbers("small") if numeric else theme().font("small" if field in _MUTED else "ui")
            ink = theme().color("text.muted" if field in _MUTED else "text.secondary")
            align = Qt.AlignmentFlag.AlignTrailing if numeric else Qt.AlignmentFlag.AlignLeading
            draw_text(painter, cell, text, font, ink, "right", align)


class _Head(QHeaderView):
    """Names of the columns; the arrow at the one that sorts."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setSortIndicatorShown(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(metrics.BOARD_EMPTY)

    def sizeHint(self) -> QSize:
        """28 high."""
        return QSize(super().sizeHint().width(), theme().row(metrics.BOARD_HEAD, "small"))

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803  # Qt's name
        """One name."""
        box, field = QRectF(rect), Field(logicalIndex)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, theme().color("bg.canvas"))
        hairline(painter, box.left(), box.bottom(), box.right() + 1, box.bottom(), theme().color("border.subtle"))
        cell, ink = box.adjusted(PAD, 0, -PAD, 0), theme().color("text.muted")
        sorts = self.sortIndicatorSection() == logicalIndex
        if sorts:
            ink = theme().color("text.primary")
            up = self.sortIndicatorOrder() is Qt.SortOrder.AscendingOrder
            at = cell.width() - metrics.SPACE_12 if field not in NUMBERS else 0.0
            draw_icon(painter, square(painter, cell, at, metrics.SPACE_12), "arrow-up" if up else "arrow-down", ink)
        align = Qt.AlignmentFlag.AlignTrailing if field in NUMBERS else Qt.AlignmentFlag.AlignLeading
        lead = metrics.SPACE_16 if sorts and field in NUMBERS else 0
        room = across(painter, cell, lead, cell.width() - (metrics.SPACE_16 if sorts else 0))
        draw_text(painter, room, field_name(field), theme().font("small", 600 if sorts else 500), ink, "right", align)
        painter.restore()


class BoardTable(QTableView):
    """`opened(task_id)`; `acted(task_id)`: its one action; `menu_asked(task_id, place)`."""

    opened = Signal(str)
    acted = Signal(str)
    menu_asked = Signal(str, QPoint)

    def __init__(self, rows: TableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows, self.under = rows, -1
        self.head = _Head(self)
        self.setHorizontalHeader(self.head)
        self.setModel(rows)
        self.setItemDelegate(_Cells(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.setAccessibleName(tr("Delegated tasks"))
        self.head.setSortIndicator(Field.STATE, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.entered.connect(self._enter_row)
        self.doubleClicked.connect(self._open)
        self._retheme()
        theme().changed.connect(self._retheme)
        clock().watch_seconds(self.viewport())
        clock().watch_frames(self.viewport(), self._turn)

    def _retheme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, theme().color("bg.canvas"))
        palette.setColor(QPalette.ColorRole.Window, theme().color("bg.canvas"))
        palette.setColor(QPalette.ColorRole.Button, theme().color("bg.canvas"))
        self.setPalette(palette)
        self.verticalHeader().setDefaultSectionSize(theme().row(metrics.BOARD_TABLE_ROW))
        self._share()

    def _share(self) -> None:
        """What is left over goes to the task."""
        widths = {field: theme().px(width) for field, width in WIDTHS.items()}
        spare = self.viewport().width() - sum(widths.values())
        widths[Field.TASK] += max(0, spare)
        for field, width in widths.items():
            self.setColumnWidth(field, width)

    def row_rect(self, row: int) -> QRectF:
        """A whole row."""
        return QRectF(0, self.rowViewportPosition(row), self.viewport().width(), self.rowHeight(row))

    def _turn(self) -> None:
        at, wide = self.columnViewportPosition(Field.STATE), self.columnWidth(Field.STATE)
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        for row in range(max(0, first), (self.rows.rowCount() if last < 0 else last + 1)):
            if self.rows.state(str(self.rows.index(row, 0).data(Qt.ItemDataRole.UserRole))) in _TURNS:
                self.viewport().update(at, self.rowViewportPosition(row), wide, self.rowHeight(row))

    # ---- what is wanted

    def current_id(self) -> str:
        """The task of the current row."""
        return str(self.currentIndex().data(Qt.ItemDataRole.UserRole) or "")

    def _enter_row(self, index: QModelIndex) -> None:
        self.under = index.row()
        self.viewport().update()

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(str(index.data(Qt.ItemDataRole.UserRole)))

    def _walk(self, step: int) -> None:
        row = max(0, min(self.currentIndex().row() + step, self.rows.rowCount() - 1))
        self.setCurrentIndex(self.rows.index(row, max(0, self.currentIndex().column())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """J and K walk, Enter opens or answers, X, R, C and Space do the row's action."""
        key, task_id, text = event.key(), self.current_id(), event.text().upper()
        face = self.rows.face(task_id) if task_id else None
        if event.modifiers() & _CHORDS or event.isAutoRepeat():
            super().keyPressEvent(event)
        elif key in {Qt.Key.Key_J, Qt.Key.Key_K}:
            self._walk(1 if key == Qt.Key.Key_J else -1)
        elif face is None:
            super().keyPressEvent(event)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and face.action != "answer":
            self.opened.emit(task_id)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space} or text == KEYS.get(face.action):
            self.acted.emit(task_id)
        elif key == Qt.Key.Key_O:
            self.opened.emit(task_id)
        elif key == Qt.Key.Key_Menu:
            self.menu_asked.emit(
                task_id, self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).bottomLeft())
            )
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the row under the pointer."""
        index = self.indexAt(event.pos())
        if index.isValid():
            self.setCurrentIndex(index)
            self.menu_asked.emit(self.current_id(), event.globalPos())

    def viewportEvent(self, event: QEvent) -> bool:
        """Tooltips are plain text."""
        if isinstance(event, QHelpEvent):
            said = self.indexAt(event.pos()).data(Qt.ItemDataRole.ToolTipRole)
            QToolTip.showText(event.globalPos(), plain_tip(str(said or "")), self.viewport())
            return True
        return super().viewportEvent(event)

    def leaveEvent(self, event: object) -> None:
        """The pointer went."""
        del event
        self.under = -1
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns share the room."""
        super().resizeEvent(event)
        self._share()
