"""The five columns beside each other: shared room, empty ones shrunk, "Needs you" pinned when it scrolls sideways.

Owns where columns lie and the walk between them (design 7.9, 11). Ends with the page.
"""
# ruff: noqa: N802  # Qt overrides

from functools import partial

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QScrollBar, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text
from ui.theme.theme import theme
from ui.viewmodels.board import STATE_OF, Board, Column, ColumnModel, column_name
from ui.widgets.board.card_list import CardList
from ui.widgets.runs import Run, across, draw_runs, run, square
from ui.wording import number

PAD_V, PAD_H, GAP = metrics.SPACE_12, metrics.SPACE_20, metrics.BOARD_GAP
WIDEST = metrics.PANEL
LEAST = metrics.BOARD_COLUMN - metrics.SPACE_4
"""A little under the design's 216, so that five columns fit at 1440 as drawn."""
HEAD_LEFT, HEAD_GAP = metrics.SPACE_4, metrics.SPACE_8


class ColumnView(QWidget):
    """Head and cards; or, while it is empty, the mark and the name turned upright."""

    def __init__(self, cards: ColumnModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards = cards
        self.list = CardList(cards, self)
        self._width = metrics.BOARD_COLUMN
        self.say()
        theme().changed.connect(self._place)
        if cards.column is Column.RUNNING:
            clock().watch_frames(self, self._turn)

    @property
    def is_empty(self) -> bool:
        """Nothing stands here."""
        return not self.cards.total

    def say(self) -> None:
        """The count changed."""
        self.setAccessibleName(f"{column_name(self.cards.column)}, {number(self.cards.total)}")
        self.list.setVisible(not self.is_empty)
        self.update()

    def set_width(self, width: int) -> None:
        """Cards are this wide; the widget reaches into the gap beside it."""
        self._width = width
        self.list.set_card_width(width)
        self._place()

    def _place(self) -> None:
        head = self._head_height()
        self.list.setGeometry(0, head + metrics.SPACE_8, self.width(), max(0, self.height() - head - metrics.SPACE_8))
        self.update()

    @staticmethod
    def _head_height() -> int:
        return theme().row(metrics.BOARD_HEAD)

    def _turn(self) -> None:
        if not self.is_empty:
            self.update(0, 0, self.width(), self._head_height())

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """The cards fill it."""
        self._place()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground, so that others can pass below; the head."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = theme().color("bg.canvas")
        painter.fillRect(self.rect(), ground)
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = self.width() - self._width if rtl else 0
        head = QRectF(left, 0, self._width, self._head_height())
        state = STATE_OF[self.cards.column]
        at = (metrics.BOARD_EMPTY - metrics.MARK) / 2 if self.is_empty else HEAD_LEFT
        phase = 0 if self.is_empty else clock().phase
        draw_mark(painter, square(painter, head, at, metrics.MARK), state, ground, phase)
        name = column_name(self.cards.column)
        if self.is_empty:
            self._paint_upright(painter, name, head)
        else:
            start = HEAD_LEFT + metrics.MARK + HEAD_GAP
            count = Run(number(self.cards.total), theme().numbers("ui"), theme().color("text.muted"))
            room = across(painter, head, start, head.width() - start)
            draw_runs(painter, room, (run(name, "text.primary", 600), count), HEAD_GAP)
        painter.end()

    def _paint_upright(self, painter: QPainter, name: str, head: QRectF) -> None:
        painter.save()
        painter.translate(head.center().x() + theme().line("ui") / 2, head.bottom() + metrics.SPACE_8)
        painter.rotate(90)
        room = QRectF(0, 0, max(0.0, self.height() - head.bottom() - metrics.SPACE_8), theme().line("ui"))
        direction = painter.layoutDirection()
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        draw_text(painter, room, name, theme().font("ui", 500), theme().color("text.muted"))
        painter.setLayoutDirection(direction)
        painter.restore()


class _Tray(QWidget):
    """The ground beside the pinned column, below which the others pass."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        painter.end()


class Columns(QWidget):
    """All columns, or the one that is shown alone."""

    left = Signal()

    def __init__(self, board: Board, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._board = board
        self.views = {column: ColumnView(model, self) for column, model in board.columns.items()}
        self.tray = _Tray(self)
        self.bar = QScrollBar(Qt.Orientation.Horizontal, self)
        self.bar.valueChanged.connect(self.place)
        for column, view in self.views.items():
            view.list.sideways.connect(partial(self._step, column))
            view.list.reached.connect(partial(self._reveal, column))
        board.changed.connect(self._changed)
        theme().changed.connect(self.place)

    # ---- where columns lie

    def shown(self) -> list[Column]:
        """Columns that are there, in the order they stand in."""
        only = self._board.filter().only
        order = [column for column in Column if not only or column.value == only]
        if self.scrolls and not self.views[Column.WAITING].is_empty:
            order.remove(Column.WAITING)
            order.insert(0, Column.WAITING)
        return order

    @property
    def scrolls(self) -> bool:
        """There is less room than the columns need."""
        return not self._board.filter().only and self._needed(LEAST) > self.width()

    def _needed(self, least_wide: int = metrics.BOARD_COLUMN) -> int:
        least = [metrics.BOARD_EMPTY if view.is_empty else least_wide for view in self.views.values()]
        return sum(least) + GAP * (len(least) - 1) + 2 * PAD_H

    def _width_of(self, column: Column, order: list[Column]) -> int:
        only = bool(self._board.filter().only)
        if self.views[column].is_empty and not only:
            return metrics.BOARD_EMPTY
        if self.scrolls:
            return metrics.BOARD_COLUMN
        empty = 0 if only else sum(self.views[each].is_empty for each in order)
        room = self.width() - 2 * PAD_H - GAP * (len(order) - 1) - empty * metrics.BOARD_EMPTY
        return min(WIDEST, max(LEAST, room // max(1, len(order) - empty)))

    def _changed(self) -> None:
        for view in self.views.values():
            view.say()
        self.place()

    def place(self) -> None:
        """Lay everything out."""
        scrolls, order = self.scrolls, self.shown()
        bar = metrics.SCROLL_BAR if scrolls else 0
        self.bar.setVisible(scrolls)
        if scrolls:
            self.bar.setRange(0, self._needed() - self.width())
            self.bar.setPageStep(self.width())
            self.bar.setSingleStep(metrics.SPACE_24)
            self.bar.setGeometry(0, self.height() - bar, self.width(), bar)
        pinned = scrolls and order[0] is Column.WAITING
        at, high = PAD_H, max(0, self.height() - PAD_V - bar)
        for column, view in self.views.items():
            view.setVisible(column in order)
        for number_, column in enumerate(order):
            wide = self._width_of(column, order)
            moved = at - (self.bar.value() if scrolls and not (pinned and number_ == 0) else 0)
            self._put(self.views[column], moved, wide, high)
            at += wide + GAP
        self.tray.setVisible(pinned)
        if pinned:
            self._pin(self.views[order[0]])
        self.update()

    def _put(self, view: ColumnView, at: int, wide: int, high: int) -> None:
        whole = wide + GAP
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        view.setGeometry(self.width() - at - whole if rtl else at, PAD_V, whole, high)
        view.set_width(wide)

    def _pin(self, view: ColumnView) -> None:
        wide = PAD_H + view.width()
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self.tray.setGeometry(self.width() - wide if rtl else 0, 0, wide, self.height() - metrics.SCROLL_BAR)
        self.tray.raise_()
        view.raise_()
        self.bar.raise_()

    def _reveal(self, column: Column) -> None:
        """Bring a column into sight when the keyboard comes to it."""
        order = self.shown()
        pinned = order[0] is Column.WAITING
        if not self.scrolls or column not in order or (pinned and column is order[0]):
            return
        start = PAD_H + sum(self._width_of(each, order) + GAP for each in order[: order.index(column)])
        hidden = self._width_of(order[0], order) + GAP if pinned else 0
        end = start + self._width_of(column, order) + PAD_H - self.width()
        self.bar.setValue(min(max(self.bar.value(), end), start - PAD_H - hidden))

    # ---- the keyboard

    def first(self) -> CardList | None:
        """The list that takes the keyboard first: who needs the person, else the first that holds cards."""
        filled = [column for column in self.shown() if not self.views[column].is_empty]
        wanted = Column.WAITING if Column.WAITING in filled else next(iter(filled), None)
        return self.views[wanted].list if wanted is not None else None

    def _step(self, column: Column, step: int) -> None:
        order = [each for each in self.shown() if not self.views[each].is_empty]
        to = order.index(column) + step if column in order else -1
        if 0 <= to < len(order):
            here, there = self.views[column].list, self.views[order[to]].list
            there.choose(here.currentIndex().row())
            there.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- Qt

    def changeEvent(self, event: QEvent) -> None:
        """Mirrored with the layout."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self.place()

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Share the room."""
        self.place()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Sideways."""
        move = event.angleDelta().x() or event.angleDelta().y()
        self.bar.setValue(self.bar.value() - move // 2)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What no list took goes on."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The canvas."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().color("bg.canvas"))
        painter.end()
