"""What a search found: the list and its rows (design 6).

Owns painting and keys; the page gives the places. Ends with the page.
"""
# ruff: noqa: N802  # Qt overrides

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, letters_of
from ui.theme.painting import draw_text, focus_ring, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.world import World
from ui.wording import age_or_date, clean_line, tr

if TYPE_CHECKING:
    from ui.orders import Hit

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_PAD_V, _PAD_H = metrics.INNER_6, metrics.SPACE_12
_BOTH = 36  # two lines of text, at the default size


@dataclass(frozen=True, slots=True)
class Place:
    """A session (`seq` -1), or an entry of one. `excerpt`: one safe line around what was found."""

    session_id: str
    seq: int
    title: str
    excerpt: str


class FoundModel(QAbstractListModel):
    """UserRole gives the place. A new search is a new list."""

    def __init__(self, world: World, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.world = world
        self.needle = ""
        self._places: list[Place] = []

    def show_hits(self, needle: str, hits: "tuple[Hit, ...]") -> None:
        """Take the places of a search."""
        self.beginResetModel()
        self.needle = needle.casefold()
        self._places = [
            Place(
                hit.session_id, hit.seq, clean_line(self.world.title_of(hit.session_id)), clean_line(hit.excerpt, 300)
            )
            for hit in hits
        ]
        self.endResetModel()

    def rowCount(self, parent: Index = _TOP) -> int:
        """Number of places."""
        return 0 if parent.isValid() else len(self._places)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See the class."""
        if not index.isValid() or not 0 <= index.row() < len(self._places):
            return None
        place = self._places[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return place
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return ", ".join(part for part in (place.title, place.excerpt) if part)
        return None


class _Rows(QStyledItemDelegate):
    def __init__(self, model: FoundModel, view: "FoundList") -> None:
        super().__init__(view)
        self._model, self._view = model, view

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        height = theme().row(theme().row(_BOTH + 2 * _PAD_V), "small")
        return QSize(metrics.SIDEBAR, height)

    def paint(self, painter: QPainter, _option: QStyleOptionViewItem, index: Index) -> None:
        place = index.data(Qt.ItemDataRole.UserRole)
        if not isinstance(place, Place):
            return
        rect = QRectF(self._view.visualRect(index)).adjusted(0, 0, 0, -2)
        painter.save()
        current = index == self._view.currentIndex()
        if current:
            rounded(painter, rect, metrics.RADIUS_8, theme().color("bg.selected"))
        self._fill(painter, rect.adjusted(_PAD_H, _PAD_V, -_PAD_H, -_PAD_V), place)
        if current and self._view.rings():
            focus_ring(painter, rect, metrics.RADIUS_8, inside=True)
        painter.restore()

    def _fill(self, painter: QPainter, body: QRectF, place: Place) -> None:
        rtl, world, line = self._view.isRightToLeft(), self._model.world, theme().line("ui")
        slug, record = world.agent_of(place.session_id), world.session(place.session_id)
        size = metrics.BADGE_ROW
        badge = QRectF(body.right() - size if rtl else body.left(), body.top(), size, size)
        draw_agent_badge(painter, badge, letters_of(slug, world.label_of(slug)))
        lead = size + metrics.INNER_10
        rest = body.adjusted(*((0, 0, -lead, 0) if rtl else (lead, 0, 0, 0)))
        first = QRectF(rest.left(), rest.top(), rest.width(), line)
        muted, small = theme().color("text.muted"), theme().numbers("small")
        said = age_or_date(record.updated_ms, world.now_ms()) if record is not None else ""
        used = text_width(said, small) + metrics.SPACE_12
        draw_text(painter, first, said, small, muted, None, Qt.AlignmentFlag.AlignTrailing)
        first.adjust(*((used, 0, 0, 0) if rtl else (0, 0, -used, 0)))
        draw_text(painter, first, place.title, theme().font("ui", 500), theme().color("text.primary"))
        second = QRectF(rest.left(), rest.top() + line, rest.width(), theme().line("small"))
        below = place.excerpt or (clean_line(record.folder) if record is not None else "")
        self._excerpt(painter, second, below)

    def _excerpt(self, painter: QPainter, room: QRectF, text: str) -> None:
        """What was found stands out; text of the other direction is left whole."""
        at = text.casefold().find(self._model.needle) if self._model.needle else -1
        muted, font = theme().color("text.muted"), theme().font("small")
        if at < 0 or not text.isascii():
            draw_text(painter, room, text, font, muted)
            return
        end = at + len(self._model.needle)
        for part, strong in ((text[:at], False), (text[at:end], True), (text[end:], False)):
            weight, color = (600, theme().color("text.primary")) if strong else (None, muted)
            painter_font = theme().font("small", weight)
            draw_text(painter, room, part, painter_font, color)
            used = text_width(part, painter_font)
            room = QRectF(room.left() + used, room.top(), max(0.0, room.width() - used), room.height())


class FoundList(QListView):
    """Enter or a click opens a place."""

    chosen = Signal(object)

    def __init__(self, model: FoundModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(_Rows(model, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Found places"))
        self._ring = False
        self.clicked.connect(self._choose)
        self._retheme()
        theme().changed.connect(self._retheme)

    def rings(self) -> bool:
        """The keyboard is here."""
        return self._ring and self.hasFocus()

    def _choose(self, index: QModelIndex) -> None:
        place = index.data(Qt.ItemDataRole.UserRole)
        if isinstance(place, Place):
            self.chosen.emit(place)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The first place, when the keyboard comes."""
        self._ring = event.reason() is not Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)
        model = self.model()
        if not self.currentIndex().isValid() and model.rowCount():
            self.setCurrentIndex(model.index(0, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """J and K walk, Enter opens."""
        self._ring = True
        self.viewport().update()
        key = event.key()
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._choose(self.currentIndex())
        elif key in {Qt.Key.Key_J, Qt.Key.Key_K}:
            row = self.currentIndex().row() + (1 if key == Qt.Key.Key_J else -1)
            if 0 <= row < self.model().rowCount():
                self.setCurrentIndex(self.model().index(row, 0))
        else:
            super().keyPressEvent(event)

    def _retheme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, theme().color("bg.canvas"))
        self.setPalette(palette)
        self.scheduleDelayedItemsLayout()
