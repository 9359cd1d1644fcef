"""The list of sub-agents: a Qt list view whose rows are painted (design 7.6).

Owns painting and which row is current; the rows are the model's. It is as high as its rows and never scrolls by itself.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, letters_of
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, focus_ring, hairline, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.overlay import Folded, SubAgent, SubAgentsModel
from ui.viewmodels.states import State
from ui.widgets.controls.tips import plain_tip
from ui.widgets.mirror import turned
from ui.wording import tr

PAD_LEFT, PAD_RIGHT, PAD_V = metrics.INNER_10, metrics.SPACE_12, metrics.INNER_6
ENDS = metrics.SPACE_4
"""Above the first row and below the last."""
_TURNING = frozenset({State.RUNNING, State.STARTING})
_GAP = metrics.SPACE_8


def row_height() -> int:
    """Two lines, 6 above and below."""
    return theme().line("ui") + theme().line("small") + 2 * PAD_V


Index = QModelIndex | QPersistentModelIndex


class SubAgentsList(QListView):
    """`chosen`: the task of a row; `fold_asked`: the fold was pressed."""

    chosen = Signal(str)
    fold_asked = Signal()

    def __init__(self, model: SubAgentsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = model
        self.setModel(model)
        self.setItemDelegate(_Delegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAutoScroll(False)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setViewportMargins(0, ENDS, 0, ENDS)
        self.setAccessibleName(tr("Sub-agents of this conversation"))
        self.clicked.connect(self._act)
        for told in (model.rowsInserted, model.rowsRemoved, model.modelReset):
            told.connect(self.updateGeometry)
        clock().watch_seconds(self, model.tick)
        clock().watch_frames(self, self._turn)
        theme().changed.connect(self._retheme)

    def sizeHint(self) -> QSize:
        """All rows."""
        return QSize(metrics.OVERLAY, self._rows.rowCount() * row_height() + 2 * ENDS)

    def minimumSizeHint(self) -> QSize:
        """Never lower."""
        return QSize(metrics.BOARD_COLUMN, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """J and K walk as the arrows do; Enter goes to the card; Esc is the panel's."""
        steps = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}
        step = steps.get(Qt.Key(event.key()))
        if step is not None and not event.modifiers():
            number = max(0, min(self._rows.rowCount() - 1, self.currentIndex().row() + step))
            self.setCurrentIndex(self._rows.index(number, 0))
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._act(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _act(self, index: QModelIndex) -> None:
        row = index.data(Qt.ItemDataRole.UserRole)
        if isinstance(row, Folded):
            self.fold_asked.emit()
        elif isinstance(row, SubAgent):
            self.chosen.emit(row.task_id)

    def _turn(self) -> None:
        for number in range(self._rows.rowCount()):
            row = self._rows.row_at(number)
            if isinstance(row, SubAgent) and row.state in _TURNING:
                self.update(self._rows.index(number, 0))

    def _retheme(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.updateGeometry()
        self.viewport().update()


class _Delegate(QStyledItemDelegate):
    """Paints one row."""

    def __init__(self, view: SubAgentsList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        del option, index
        return QSize(metrics.BOARD_COLUMN, row_height())

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.text = ""  # pyright: ignore[reportAttributeAccessIssue]  # Qt's struct

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(Qt.ItemDataRole.UserRole)
        box = QRectF(option.rect)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]  # Qt's struct
        state: QStyle.StateFlag = option.state  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]  # likewise
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = "bg.hover" if state & QStyle.StateFlag.State_MouseOver else "bg.surface"
        if ground == "bg.hover":
            rounded(painter, box.adjusted(4, 1, -4, -1), metrics.RADIUS_6, theme().color(ground))
        if isinstance(row, SubAgent):
            self._paint_row(painter, row, box, ground)
        elif isinstance(row, Folded):
            self._paint_fold(painter, row, box)
        if state & QStyle.StateFlag.State_HasFocus:
            focus_ring(painter, box.adjusted(4, 1, -4, -1), metrics.RADIUS_6, inside=True)
        painter.restore()

    def _place(self, place: QRectF) -> QRectF:
        return turned(self._view.viewport(), place)

    def _paint_row(self, painter: QPainter, row: SubAgent, box: QRectF, ground: str) -> None:
        top, line = box.top() + PAD_V, theme().line("ui")
        middle = top + line / 2
        self._paint_rails(painter, row, box, middle)
        left = _left(row.level)
        mark = self._place(QRectF(left, middle - metrics.MARK / 2, metrics.MARK, metrics.MARK))
        draw_mark(painter, mark, row.state, theme().color(ground), clock().phase)
        size = metrics.BADGE_ROW
        badge = QRectF(left + metrics.MARK + _GAP, middle - size / 2, size, size)
        draw_agent_badge(painter, self._place(badge), letters_of(row.slug, row.name))
        font = theme().numbers("small")
        wide = text_width(row.time, font) + 1
        time = QRectF(box.right() - PAD_RIGHT - wide, top, wide, line)
        trailing = Qt.AlignmentFlag.AlignTrailing
        draw_text(painter, self._place(time), row.time, font, theme().color("text.muted"), None, trailing)
        text = badge.right() + _GAP
        room = QRectF(text, top, time.left() - _GAP - text, line)
        draw_text(painter, self._place(room), row.title, theme().font("ui", 500), theme().color("text.primary"))
        below = QRectF(text, top + line, box.right() - PAD_RIGHT - text, theme().line("small"))
        self._paint_second(painter, row, below)

    def _paint_second(self, painter: QPainter, row: SubAgent, room: QRectF) -> None:
        waits = row.state is State.WAITING
        font = theme().numbers("small", 600 if waits else None)
        ink = theme().color("waiting.text" if waits else "text.muted")
        used = draw_text(painter, self._place(room), row.word, font, ink)
        if row.line:
            rest = room.adjusted(used, 0, 0, 0)
            draw_text(painter, self._place(rest), f" · {row.line}", theme().font("small"), theme().color("text.muted"))

    def _paint_rails(self, painter: QPainter, row: SubAgent, box: QRectF, middle: float) -> None:
        color, width = theme().color("border.default"), self._view.viewport().width()
        mirrored = self._view.layoutDirection() == Qt.LayoutDirection.RightToLeft

        def upright(level: int, begin: float, end: float) -> None:
            x = _left(level - 1) + metrics.MARK / 2
            hairline(painter, width - x if mirrored else x, begin, width - x if mirrored else x, end, color)

        for level in row.rails:
            if level <= row.level:
                upright(level, box.top() if level < row.level else middle, box.bottom())
            else:
                upright(level, middle + metrics.MARK / 2 + metrics.SPACE_4, box.bottom())
        if row.level:
            upright(row.level, box.top(), middle)
            begin, end = _left(row.level - 1) + metrics.MARK / 2, _left(row.level) - 1
            place = self._place(QRectF(begin, middle, end - begin, 0))
            hairline(painter, place.left(), middle, place.right(), middle, color)

    def _paint_fold(self, painter: QPainter, row: Folded, box: QRectF) -> None:
        side = metrics.ICON_RAIL
        icon = QRectF(PAD_LEFT + 1, box.center().y() - side / 2, side, side)
        name = "chevron-down" if row.is_open else "chevron-right"
        draw_icon(painter, self._place(icon), name, theme().color("text.secondary"))
        room = QRectF(icon.right() + _GAP + 1, box.top(), box.right() - PAD_RIGHT - icon.right() - _GAP, box.height())
        text = tr("Fold {what}", what=row.text) if row.is_open else row.text
        draw_text(painter, self._place(room), text, theme().font("small", 500), theme().color("text.secondary"))

    def helpEvent(self, event: object, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        """The whole of what is cut."""
        del option
        row = index.data(Qt.ItemDataRole.UserRole)
        if isinstance(event, QHelpEvent) and isinstance(row, SubAgent):
            QToolTip.showText(event.globalPos(), plain_tip(f"{row.name}: {row.title}\n{row.word} · {row.line}"), view)
            return True
        return False


def _left(level: int) -> int:
    return PAD_LEFT + level * metrics.OVERLAY_LEVEL
