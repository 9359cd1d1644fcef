"""The navigation of Settings: 208 wide, rows of 32 (design 7.10).

Owns which row is current. Ends with the page.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, rounded
from ui.theme.theme import theme
from ui.viewmodels.preferences import Page
from ui.wording import tr

_NAME = Qt.ItemDataRole.UserRole
_ICON = Qt.ItemDataRole.UserRole + 1


class _Rows(QStyledItemDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(metrics.SETTINGS_NAV - 24, metrics.SIDEBAR_ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect = QRectF(option.rect)  # pyright: ignore[reportAttributeAccessIssue]  # the stubs leave the fields out
        state = option.state  # pyright: ignore[reportAttributeAccessIssue]  # likewise
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            rounded(painter, rect, metrics.RADIUS_6, theme().color("bg.selected"), None)
        elif state & QStyle.StateFlag.State_MouseOver:
            rounded(painter, rect, metrics.RADIUS_6, theme().color("bg.hover"), None)
        icon = QRectF(rect.left() + 8, rect.center().y() - 8, 16, 16)
        draw_icon(painter, icon, str(index.data(_ICON)), theme().color("text.secondary"))
        room = rect.adjusted(34, 0, -8, 0)
        font, color = theme().font("ui"), theme().color("text.primary")
        draw_text(painter, room, str(index.data(Qt.ItemDataRole.DisplayRole)), font, color, elide="right")
        painter.restore()


class Nav(QListWidget):
    """The list."""

    chosen = Signal(str)

    def __init__(self, pages: Sequence[Page], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedWidth(metrics.SETTINGS_NAV)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(tr("Pages of Settings"))
        self.setItemDelegate(_Rows(self))
        self.setViewportMargins(12, 12, 12, 12)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setMouseTracking(True)
        for page in pages:
            item = QListWidgetItem(page.title)
            item.setData(_NAME, page.name)
            item.setData(_ICON, page.icon)
            self.addItem(item)
        self.currentItemChanged.connect(self._moved)

    def show_current(self, name: str) -> None:
        """The row of the page that shows."""
        for number in range(self.count()):
            if self.item(number).data(_NAME) == name and self.currentRow() != number:
                self.setCurrentRow(number)

    def _moved(self, item: QListWidgetItem | None, _before: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(str(item.data(_NAME)))
