"""A choice from a short list.

Owns its look and its popup's; keys and typing ahead are QComboBox's. `changed` tells what the person chose, never what
was set.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFocusEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from ui.theme import metrics
from ui.theme.focus import focus_came, focus_went
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, rounded, text_width
from ui.theme.style import round_region
from ui.theme.theme import theme

_PAD = 8
_CHEVRON = 14
_LEAST = 80


class _Rows(QStyledItemDelegate):
    """The rows of the popup: a check at the chosen one."""

    def __init__(self, select: "Select") -> None:
        super().__init__(select)
        self._select = select

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        width = text_width(text, theme().font("ui")) + 3 * _PAD + metrics.ICON
        return QSize(round(width), theme().row(metrics.MENU_ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect = QRectF(option.rect).adjusted(metrics.SPACE_4, 0, -metrics.SPACE_4, 0)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType, reportAttributeAccessIssue]  # fields of options are missing in the stubs
        painter.setLayoutDirection(self._select.layoutDirection())
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
            rounded(painter, rect, metrics.RADIUS_4, theme().color("bg.hover"))
        rtl = self._select.layoutDirection() == Qt.LayoutDirection.RightToLeft
        if index.row() == self._select.currentIndex():
            side = metrics.ICON_RAIL
            left = rect.left() + _PAD if rtl else rect.right() - _PAD - side
            draw_icon(
                painter,
                QRectF(left, rect.center().y() - side / 2, side, side),
                "check",
                theme().color("text.secondary"),
            )
        body = rect.adjusted(_PAD, 0, -_PAD - metrics.ICON, 0)
        if rtl:
            body = rect.adjusted(_PAD + metrics.ICON, 0, -_PAD, 0)
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        draw_text(painter, body, text, theme().font("ui"), theme().color("text.primary" if enabled else "text.muted"))


class Select(QComboBox):
    """`items` are (value, label)."""

    changed = Signal(str)

    def __init__(self, items: Iterable[tuple[str, str]] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._under = False
        self._view = QListView(self)
        self._view.setFrameShape(QFrame.Shape.NoFrame)
        self._view.setUniformItemSizes(True)
        self.setView(self._view)
        frame = self._view.parentWidget()
        if isinstance(frame, QFrame):  # made by setView; Qt counts its margins into the popup's height
            frame.setFrameStyle(QFrame.Shape.StyledPanel | QFrame.Shadow.Plain)  # painted by our style
            frame.setContentsMargins(1, metrics.SPACE_4, 1, metrics.SPACE_4)
        self.setItemDelegate(_Rows(self))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_items(items)
        self.activated.connect(self._tell)
        theme().changed.connect(self._retheme)

    def set_items(self, items: Iterable[tuple[str, str]]) -> None:
        """Other choices; the chosen value stays if it is among them."""
        chosen = self.value()
        self.blockSignals(True)
        self.clear()
        for value, label in items:
            self.addItem(label, value)
        self.blockSignals(False)
        self.set_value(chosen)
        self.updateGeometry()

    def value(self) -> str:
        """The chosen value, "" when there is nothing to choose."""
        return str(self.currentData() or "")

    def set_value(self, value: str) -> None:
        """Show a value without telling `changed`; an unknown one shows the first."""
        at = max(0, self.findData(value))
        if at != self.currentIndex():
            self.setCurrentIndex(at)
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as its widest label."""
        widest = max((text_width(self.itemText(row), theme().font("ui")) for row in range(self.count())), default=0.0)
        width = max(theme().px(_LEAST), widest + 2 * _PAD + metrics.SPACE_12 + _CHEVRON)
        return QSize(round(width), theme().row(metrics.FIELD))

    def minimumSizeHint(self) -> QSize:
        """Narrower in need: the label is cut."""
        return QSize(min(theme().px(_LEAST), self.sizeHint().width()), theme().row(metrics.FIELD))

    def showPopup(self) -> None:
        """Rows of 28 in a box of the surface's colour."""
        self._view.setMinimumWidth(max(self.width(), self._view.sizeHintForColumn(0)))
        super().showPopup()
        frame = self._view.window()
        if isinstance(frame, QFrame):
            self._round(frame)

    def _round(self, frame: QFrame) -> None:
        """Round corners, and a gap to the control."""
        above = frame.y() < self.mapToGlobal(QPoint(0, 0)).y()
        frame.move(frame.x(), frame.y() + (-metrics.SPACE_4 if above else metrics.SPACE_4))
        frame.setMask(round_region(frame.rect()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls the page, it never changes a choice by the way."""
        event.ignore()

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer came."""
        self._under = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        self._under = False
        self.update()
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring shows when the keyboard brought the focus."""
        focus_came(self, event)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes with the focus."""
        focus_went(self, event)
        super().focusOutEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Box, label, chevron."""
        painter = QPainter(self)
        enabled = self.isEnabled()
        fill = theme().color("bg.hover" if self._under else "bg.surface") if enabled else None
        line = theme().color("border.control" if enabled else "border.default")
        rounded(painter, QRectF(self.rect()), metrics.RADIUS_6, fill, line)
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = _PAD if rtl else self.width() - _PAD - _CHEVRON
        chevron = QRectF(left, (self.height() - _CHEVRON) / 2, _CHEVRON, _CHEVRON)
        draw_icon(painter, chevron, "chevron-down", theme().color("text.secondary" if enabled else "text.muted"))
        body = QRectF(self.rect()).adjusted(_PAD, 0, -_PAD, 0)
        body.adjust(*((_CHEVRON + 4, 0, 0, 0) if rtl else (0, 0, -_CHEVRON - 4, 0)))
        ink = theme().color("text.primary" if enabled else "text.muted")
        draw_text(painter, body, self.currentText(), theme().font("ui"), ink)
        painter.end()

    def _tell(self, row: int) -> None:
        self.changed.emit(str(self.itemData(row) or ""))

    def _retheme(self) -> None:
        self.updateGeometry()
        self.update()
