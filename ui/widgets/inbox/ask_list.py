"""The list of asks: painted rows, oldest first, with keys (design 7.7).

Owns painting and the walk by J and K; what a row says is the model's. Ends with the page.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, letters_of
from ui.theme.clock import clock
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, focus_ring, rounded
from ui.theme.theme import theme
from ui.viewmodels.asks import Ask
from ui.viewmodels.inbox import AskFace, InboxModel
from ui.viewmodels.states import State
from ui.widgets.runs import Run, across, draw_end, draw_runs, fitted_path, run, square
from ui.wording import tr

Index = QModelIndex | QPersistentModelIndex
PAD_V, PAD_H, GAP, LINE_GAP = metrics.INNER_10, metrics.SPACE_12, metrics.SPACE_8, 2
BADGE = PAD_H + metrics.MARK + GAP
TEXT = BADGE + metrics.BADGE_CARD + GAP
"""From the row's leading edge to its text."""


def row_height() -> int:
    """Three lines and the padding."""
    return 2 * theme().line("ui") + theme().line("small") + 2 * LINE_GAP + 2 * PAD_V


class _Rows(QStyledItemDelegate):
    """Paints one row."""

    def __init__(self, view: "AskList") -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(BADGE, row_height() + metrics.SPACE_4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        ask = index.data(Qt.ItemDataRole.UserRole)
        if not isinstance(ask, Ask):
            return
        rect = QRectF(option.rect)  # pyright: ignore[reportAttributeAccessIssue]  # the stubs leave the fields out
        rect.setHeight(row_height())
        state = option.state  # pyright: ignore[reportAttributeAccessIssue]  # likewise
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = theme().color("bg.canvas")
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            ground = theme().color("bg.selected" if state & QStyle.StateFlag.State_Selected else "bg.hover")
            rounded(painter, rect, metrics.RADIUS_8, ground)
        _paint_face(painter, rect, self._view.asks.face(ask), ground)
        if state & QStyle.StateFlag.State_HasFocus and self._view.hasFocus():
            focus_ring(painter, rect, metrics.RADIUS_8, inside=True)
        painter.restore()


def _paint_face(painter: QPainter, rect: QRectF, face: AskFace, ground: QColor) -> None:
    line, width = theme().line("ui"), rect.width() - TEXT - PAD_H
    first = QRectF(rect.left(), rect.top() + PAD_V, rect.width(), line)
    draw_mark(painter, square(painter, first, PAD_H, metrics.MARK), State.WAITING, ground)
    draw_agent_badge(painter, square(painter, first, BADGE, metrics.BADGE_CARD), letters_of(face.slug, face.agent))
    waited = Run(face.age, theme().numbers("small"), theme().color("text.muted"))
    taken = draw_end(painter, first, PAD_H, waited)
    room = across(painter, first, TEXT, width - taken - GAP)
    draw_runs(painter, room, fitted_path(face.above, face.agent, room.width()))
    second = first.translated(0, line + LINE_GAP)
    said = [run(face.kind, "text.primary", 500), run("·", "text.muted"), run(face.what, "text.primary")]
    if face.command:
        said.append(run(face.command, "text.primary", role="code.small"))
    draw_runs(painter, across(painter, second, TEXT, width), said)
    third = QRectF(rect.left(), second.bottom() + LINE_GAP, rect.width(), theme().line("small"))
    place, small = across(painter, third, TEXT, width), theme().font("small")
    draw_text(painter, place, face.place, small, theme().color("text.muted"))


class AskList(QListView):
    """`chosen(request_id)`: another row is the current one; `opened`: O; `digit`: 1 to 9; `entered`: Enter."""

    chosen = Signal(str)
    opened = Signal()
    digit = Signal(int)
    entered = Signal()

    def __init__(self, asks: InboxModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.asks = asks
        self.setModel(asks)
        self.setItemDelegate(_Rows(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAccessibleName(tr("What waits for you, oldest first"))
        self._retheme()
        theme().changed.connect(self._retheme)
        clock().watch_seconds(self.viewport())

    def _retheme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, theme().color("bg.canvas"))
        self.setPalette(palette)
        self.scheduleDelayedItemsLayout()

    def current_id(self) -> str:
        """The ask of the current row, "" when there is none."""
        ask = self.currentIndex().data(Qt.ItemDataRole.UserRole) if self.currentIndex().isValid() else None
        return ask.request_id if isinstance(ask, Ask) else ""

    def choose(self, row: int) -> None:
        """Make a row the current one."""
        self.setCurrentIndex(self.asks.index(row) if row >= 0 else QModelIndex())

    def currentChanged(self, current: Index, previous: Index) -> None:
        """The detail follows."""
        super().currentChanged(current, previous)
        self.chosen.emit(self.current_id())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """J and K walk, digits choose an option of the ask, Enter goes into it, O opens its conversation."""
        text, row = event.text(), self.currentIndex().row()
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if plain and event.key() == Qt.Key.Key_J:
            self.choose(min(row + 1, self.asks.rowCount() - 1))
        elif plain and event.key() == Qt.Key.Key_K:
            self.choose(max(row - 1, 0 if self.asks.rowCount() else -1))
        elif plain and event.key() == Qt.Key.Key_O:
            self.opened.emit()
        elif plain and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.entered.emit()
        elif plain and text.isdecimal() and text != "0":
            self.digit.emit(int(text))
        else:
            super().keyPressEvent(event)
