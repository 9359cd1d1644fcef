"""One option of a question: box or dot, title, explanation, key.

Owns its look; a click, Space or Enter presses it. What is chosen is told by its form.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.painting import draw_text, focus_ring, rounded, text_width
from ui.theme.paragraph import draw_paragraph, paragraph_height
from ui.theme.theme import theme
from ui.viewmodels.asking import is_recommended, plain_label
from ui.widgets.controls.keys import cap_width, draw_cap
from ui.widgets.controls.pressable import Pressable
from ui.widgets.controls.switch import draw_check
from ui.widgets.mirror import turned
from ui.wording import clean_line, tr

_LINES_MOST = 6
_TEXT = metrics.OPTION_PAD_H + metrics.CHECK_BOX + metrics.INNER_10


class OptionCard(Pressable):
    """`one`: a radio dot, else a box."""

    ring_radius = metrics.RADIUS_6

    def __init__(self, one: bool, parent: QWidget) -> None:
        super().__init__("", parent)
        self._one = one
        self._title, self._text, self._key = "", "", ""
        self.recommended = False
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_option(self, title: str, text: str, key: str, *, chosen: bool) -> None:
        """Say this."""
        self.recommended = is_recommended(title)
        self._title, self._text = clean_line(plain_label(title), 400), clean_line(text, 800)
        self._key = key
        self.setChecked(chosen)
        name = f"{self._title}, {tr('recommended')}" if self.recommended else self._title
        self.setAccessibleName(name)
        self.setAccessibleDescription(self._text)
        self.update()

    def nextCheckState(self) -> None:
        """Only the form says what is chosen."""

    def height_for(self, width: int) -> int:
        """Title and explanation, padding 8."""
        inner = self._inner(width)
        return self._title_height(inner) + self._text_height(inner) + 2 * metrics.OPTION_PAD_V

    def _inner(self, width: int) -> float:
        return max(1.0, width - _TEXT - metrics.OPTION_PAD_H - metrics.SPACE_32)

    def _title_height(self, inner: float) -> int:
        return paragraph_height(self._title, "ui", inner, 500, _LINES_MOST)

    def _text_height(self, inner: float) -> int:
        return paragraph_height(self._text, "small", inner, None, _LINES_MOST) if self._text else 0

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Its ring is inside, as that of rows."""
        super(Pressable, self).focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super(Pressable, self).focusOutEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space presses; Enter belongs to the whole set."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            event.ignore()
            return
        super(Pressable, self).keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Chosen: tint and accent outline."""
        painter = QPainter(self)
        box, chosen = QRectF(self.rect()), self.isChecked()
        ground = "accent.tint" if chosen else "bg.hover" if self.under_pointer else "bg.surface"
        outline = theme().color("accent.fill" if chosen else "border.default")
        rounded(painter, box, metrics.RADIUS_6, theme().color(ground), outline)
        if self.hasFocus():
            focus_ring(painter, box, metrics.RADIUS_6, inside=True)
        self._paint_content(painter)
        painter.end()

    def _paint_content(self, painter: QPainter) -> None:
        pad, side, line = metrics.OPTION_PAD_V, metrics.CHECK_BOX, theme().line("ui")
        place = QRectF(metrics.OPTION_PAD_H, pad + (line - side) / 2, side, side)
        draw_check(painter, turned(self, place), self.isChecked(), one=self._one, enabled=self.isEnabled())
        inner = self._inner(self.width())
        ink = theme().color("text.primary" if self.isEnabled() else "text.muted")
        tall = self._title_height(inner)
        room = QRectF(_TEXT, pad, inner, tall)
        draw_paragraph(painter, turned(self, room), self._title, "ui", ink, 500, _LINES_MOST)
        if self.recommended and tall <= line:
            used = text_width(self._title, theme().font("ui", 500)) + metrics.SPACE_8
            word = QRectF(room.left() + used, pad, max(0.0, inner - used), line)
            draw_text(
                painter, turned(self, word), tr("recommended"), theme().font("small"), theme().color("accent.text")
            )
        if self._text:
            below = QRectF(_TEXT, pad + tall, inner, self._text_height(inner))
            muted = theme().color("text.secondary" if self.isEnabled() else "text.muted")
            draw_paragraph(painter, turned(self, below), self._text, "small", muted, None, _LINES_MOST)
        if self._key:
            wide = cap_width(self._key)
            cap = turned(self, QRectF(self.width() - metrics.OPTION_PAD_H - wide, pad, wide, line))
            draw_cap(painter, cap.left(), cap.center().y(), self._key)
