"""A list to pick from while a text field keeps the focus: rows with a sign, a name with its hits, a detail, a key.

Owns the look of the rows and the current one. What the rows mean is their giver's; a picked row is told by number.
Used by the palette and by the composer's @ popup.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPalette
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark
from ui.theme.painting import Elide, draw_text, text_width
from ui.theme.theme import theme
from ui.viewmodels.states import State
from ui.widgets.controls.keys import caps_width, draw_caps, key_label, key_parts
from ui.widgets.palette.hit_text import draw_hits
from ui.wording import tr

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_LEAD = metrics.SPACE_12
_GAP = metrics.INNER_10
_DETAIL_MOST = 0.45  # of the row's width


@dataclass(frozen=True, slots=True)
class PickRow:
    """One row. Its sign is a badge with `letters`, a state's mark, or an icon; `detail` gives way before the name."""

    text: str
    hits: tuple[int, ...] = ()
    detail: str = ""
    key: str = ""
    icon: str = ""
    letters: str = ""
    state: State | None = None
    enabled: bool = True
    weight: int = 400
    middle: bool = False
    """The detail is cut in the middle: a path."""

    def spoken(self) -> str:
        """Its accessible name."""
        parts = [self.text, self.detail, key_label(self.key) if self.key else ""]
        if not self.enabled:
            parts.append(tr("not available"))
        return ", ".join(part for part in parts if part)


class _Model(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[PickRow] = []

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        return row.spoken() if role == Qt.ItemDataRole.AccessibleTextRole else None

    def take(self, rows: Sequence[PickRow]) -> None:
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()


class _Rows(QStyledItemDelegate):
    def __init__(self, view: "PickList") -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(metrics.TARGET, self._view.row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRectF(option.rect)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType, reportAttributeAccessIssue]  # fields of options are missing in the stubs
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType, reportAttributeAccessIssue]
        painter.setLayoutDirection(self._view.layoutDirection())
        self._view.paint_row(painter, rect, index.row(), chosen=chosen)


class PickList(QListView):
    """`picked`: number of the row that was clicked. `slot`: width kept for the signs."""

    picked = Signal(int)

    def __init__(self, most: int, slot: int = metrics.ICON, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most, self._slot = most, slot
        self._model = _Model(self)
        self.setModel(self._model)
        self.setItemDelegate(_Rows(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setUniformItemSizes(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.clicked.connect(self._clicked)
        theme().changed.connect(self._retheme)
        self._retheme()

    # ---- rows

    def show_rows(self, rows: Sequence[PickRow], *, keep: bool = False) -> None:
        """Show other rows. The first one is current; `keep`: the same number stays current."""
        at = self.current() if keep else 0
        self._model.take(rows)
        self._watch(rows)
        self.go_to(min(max(0, at), len(rows) - 1))
        self.setFixedHeight(self.wanted_height())

    def rows(self) -> list[PickRow]:
        """What it shows."""
        return self._model.rows

    def current(self) -> int:
        """Number of the current row, -1 without rows."""
        return self.currentIndex().row()

    def go_to(self, at: int) -> None:
        """Make a row current and bring it into sight."""
        if 0 <= at < len(self._model.rows):
            self.setCurrentIndex(self._model.index(at))

    def step(self, by: int) -> None:
        """To the next or previous row, round the ends."""
        count = len(self._model.rows)
        if count:
            self.go_to((self.current() + by) % count if abs(by) == 1 else min(max(0, self.current() + by), count - 1))

    def page(self) -> int:
        """Rows in sight."""
        return self._most

    def row_height(self) -> int:
        """Of one row, at the chosen font size."""
        return theme().row(metrics.POPUP_ROW)

    def wanted_height(self) -> int:
        """For its rows, up to the most."""
        return self.row_height() * min(self._most, len(self._model.rows))

    # ---- looks

    def paint_row(self, painter: QPainter, rect: QRectF, at: int, *, chosen: bool) -> None:
        """Sign, name, detail, key."""
        row = self._model.rows[at]
        if chosen:
            painter.fillRect(rect, theme().color("bg.selected"))
        ink = theme().color("text.primary" if row.enabled else "text.muted")
        self._paint_sign(painter, self._place(rect, _LEAD, self._slot), row, chosen=chosen)
        left = _LEAD + self._slot + _GAP
        right = _LEAD
        if row.key:
            parts = key_parts(row.key)
            width = caps_width(parts)
            draw_caps(painter, self._place(rect, rect.width() - right - width, width).left(), rect.center().y(), parts)
            right += width + _GAP
        room = rect.width() - left - right
        right += self._paint_detail(painter, rect, row, right, room)
        place = self._place(rect, left, rect.width() - left - right)
        draw_hits(painter, place, row.text, row.hits, theme().font("ui", row.weight), ink)

    def _paint_detail(self, painter: QPainter, rect: QRectF, row: PickRow, right: float, room: float) -> float:
        """The detail, and the room it took; the name comes first."""
        if not row.detail:
            return 0.0
        font = theme().numbers("small")
        name = text_width(row.text, theme().font("ui", 600)) + metrics.SPACE_4
        most = max(room * (1 - _DETAIL_MOST) if name < room * _DETAIL_MOST else room * _DETAIL_MOST, room - name - _GAP)
        width = min(text_width(row.detail, font) + 1, most)
        place = self._place(rect, rect.width() - right - width, width)
        elide: Elide = "middle" if row.middle else "right"
        muted = theme().color("text.muted")
        draw_text(painter, place, row.detail, font, muted, elide, Qt.AlignmentFlag.AlignTrailing)
        return width + _GAP

    def _paint_sign(self, painter: QPainter, slot: QRectF, row: PickRow, *, chosen: bool) -> None:
        side = metrics.BADGE_ROW if row.letters else metrics.ICON
        middle = slot.center()
        place = QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side)
        if row.letters:
            draw_agent_badge(painter, place, row.letters)
        elif row.state is not None:
            ground = theme().color("bg.selected" if chosen else "bg.surface")
            draw_mark(painter, place, row.state, ground, clock().phase)
        elif row.icon:
            token = "text.secondary" if row.enabled else "text.muted"
            draw_icon(painter, place, row.icon, theme().color(token))

    def _place(self, rect: QRectF, at: float, width: float) -> QRectF:
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = rect.right() - at - width if rtl else rect.left() + at
        return QRectF(left, rect.top(), width, rect.height())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The pointer makes a row current only when it moves, not when rows move under it."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.setCurrentIndex(index)

    def _clicked(self, index: QModelIndex) -> None:
        self.picked.emit(index.row())

    def _watch(self, rows: Sequence[PickRow]) -> None:
        if any(row.state in {State.RUNNING, State.STARTING} for row in rows):
            clock().watch_frames(self.viewport())
        else:
            clock().unwatch_frames(self.viewport())

    def _retheme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, theme().color("bg.surface"))
        self.setPalette(palette)
        self.setFixedHeight(self.wanted_height())
        self.viewport().update()
