"""Boxes that hold others: a panel of rows, a column that scrolls, a message over a page.

Owns their look and layout. Ends with its parent.
"""
# ruff: noqa: N802  # Qt overrides

from typing import Literal

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import hairline, rounded
from ui.theme.theme import theme
from ui.widgets.controls.buttons import Button, IconButton
from ui.widgets.controls.labels import Label

Severity = Literal["notice", "error", "waiting"]


class Box(QFrame):
    """A rounded panel; rows added to it have hairlines between them."""

    def __init__(
        self, parent: QWidget | None = None, *, ground: str = "bg.surface", outline: str = "border.default"
    ) -> None:
        super().__init__(parent)
        self._ground, self._outline = ground, outline
        self.setFrameStyle(QFrame.Shape.NoFrame)
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(1, 1, 1, 1)
        self.rows.setSpacing(1)
        theme().changed.connect(self.update)

    def add_row(self, row: QWidget) -> None:
        """One more row at the end."""
        self.rows.addWidget(row)

    def insert_row(self, at: int, row: QWidget) -> None:
        """A row before the row `at`."""
        self.rows.insertWidget(at, row)

    def clear(self) -> None:
        """Take all rows away and delete them."""
        while (item := self.rows.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison]  # none at the end
            widget = item.widget()
            if widget is not None:  # pyright: ignore[reportUnnecessaryComparison]  # a stretch has none
                widget.hide()
                widget.deleteLater()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, outline, and a line above each visible row but the first."""
        painter = QPainter(self)
        rounded(
            painter, QRectF(self.rect()), metrics.RADIUS_8, theme().color(self._ground), theme().color(self._outline)
        )
        shown = self._shown()
        for row in shown[1:]:
            y = row.geometry().top() - 1
            hairline(painter, 1, y, self.width() - 1, y, theme().color("border.subtle"))
        painter.end()

    def _shown(self) -> list[QWidget]:
        items = (self.rows.itemAt(at) for at in range(self.rows.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if widget is not None and widget.isVisible()]  # pyright: ignore[reportUnnecessaryComparison]  # a stretch has none


class ScrollColumn(QScrollArea):
    """A column that scrolls up and down. Put things into `column`; `body` holds them.

    `most`: the body grows with the view up to so many px; without it, it takes what its parts want.
    """

    def __init__(self, parent: QWidget | None = None, *, ground: str = "bg.canvas", most: int | None = None) -> None:
        super().__init__(parent)
        self._ground = ground
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.body = QWidget()
        self.body.setAutoFillBackground(False)
        self.column = QVBoxLayout(self.body)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(metrics.SPACE_8)
        if most is None:
            self.column.setSizeConstraint(QLayout.SizeConstraint.SetMinAndMaxSize)
        else:
            self.body.setMaximumWidth(most)
        self.setWidget(self.body)
        self._retheme()
        theme().changed.connect(self._retheme)

    def center_body(self) -> None:
        """A body that is narrower than the view stands in its middle."""
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)

    def _retheme(self) -> None:
        palette = self.viewport().palette()
        palette.setColor(QPalette.ColorRole.Window, theme().color(self._ground))
        self.viewport().setPalette(palette)
        self.viewport().setAutoFillBackground(True)


class MessageBar(QWidget):
    """One line over a page: what happened, what to do. Nothing but a waiting one is amber."""

    acted = Signal()
    closed = Signal()

    def __init__(
        self,
        text: str,
        severity: str = "notice",
        action: str = "",
        close_name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._severity = severity
        self.setMinimumHeight(theme().row(metrics.MESSAGE_BAR))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.label = Label(text, wrap=True)
        self.action = Button(action, small=True)
        self.close_button = IconButton("x", close_name, small=True)
        row = QHBoxLayout(self)
        lead = metrics.SPACE_12 + metrics.ICON + metrics.SPACE_8
        row.setContentsMargins(0, metrics.SPACE_4, 0, metrics.SPACE_4)  # margins are not mirrored, spaces are
        row.setSpacing(metrics.SPACE_8)
        row.addSpacing(lead)
        row.addWidget(self.label, 1)
        row.addWidget(self.action)
        row.addWidget(self.close_button)
        row.addSpacing(metrics.SPACE_8)
        self.action.setVisible(bool(action))
        self.close_button.setVisible(bool(close_name))
        self.action.clicked.connect(self.acted)
        self.close_button.clicked.connect(self.closed)
        self.show_text(text)
        theme().changed.connect(self.update)

    def show_text(self, text: str, severity: str | None = None, action: str | None = None) -> None:
        """Say something else in the same place."""
        self._severity = severity or self._severity
        self.label.setText(text)
        if action is not None:
            self.action.setText(action)
            self.action.setVisible(bool(action))
        self.setAccessibleName(text)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Box and sign; the sign's shape tells the kind."""
        painter = QPainter(self)
        ground, outline, sign, ink = _LOOKS[self._severity if self._severity in _LOOKS else "notice"]
        rounded(painter, QRectF(self.rect()), metrics.RADIUS_8, theme().color(ground), theme().color(outline))
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        side = metrics.ICON
        left = self.width() - metrics.SPACE_12 - side if rtl else metrics.SPACE_12
        draw_icon(painter, QRectF(left, (self.height() - side) / 2, side, side), sign, theme().color(ink))
        painter.end()


_LOOKS = {
    "notice": ("bg.sunken", "border.default", "info", "text.secondary"),
    "error": ("bg.surface", "border.default", "circle-x", "failed.mark"),
    "waiting": ("waiting.tint", "waiting.border", "circle-alert", "waiting.mark"),
}
