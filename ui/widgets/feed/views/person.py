"""What the person said: a box with prose, folded over 12 lines; notes have one line more.

Owns the box, the fold and the text in it. In a child's transcript the very first one is its task: one folded line.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.painting import draw_text, rounded
from ui.theme.theme import theme
from ui.viewmodels.rows import Image, NoteRow, Row, UserRow
from ui.widgets.controls import Button
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.lines import after_sign, paint_sign
from ui.widgets.feed.row_view import RowView
from ui.widgets.text.clean import clean
from ui.widgets.text.images import Pictures
from ui.widgets.text.looks import Look
from ui.widgets.text.markdown import MarkdownBody
from ui.wording import clean_line, clock_time, tr

_SPOKEN = 300
_INNER_H, _INNER_V = metrics.MESSAGE_PAD_H + 1, metrics.MESSAGE_PAD_V + 1


class PersonView(RowView):
    """A box with what the person said."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clip = QWidget(self)
        self.body = MarkdownBody(Look(code_ground="bg.hover"), parent=self._clip)
        self._fold: Button | None = None
        self._pictures: Pictures | None = None
        self._images: tuple[Image, ...] = ()
        self._heights = (0, 0, 0)
        self._full = self._top = 0
        self.body.link_asked.connect(self._follow)
        theme().changed.connect(self.update)

    # ---- for the two kinds

    def foot_height(self) -> int:
        """Height of the line under the text."""
        return 0

    def paint_foot(self, painter: QPainter, line: QRectF) -> None:
        """The line under the text."""

    def lead_height(self) -> int:
        """Height of the line that stands for all of it, 0 = there is none."""
        return 0

    def paint_lead(self, painter: QPainter, line: QRectF) -> None:
        """The line that stands for all of it."""

    def said(self) -> str:
        """The text."""
        return self.row.text if isinstance(self.row, UserRow | NoteRow) else ""

    # ---- the promise of a row

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show what was said."""
        super().show_row(row, ctx)
        self.body.show_text(self.said(), plain=True)
        self._images = row.images if isinstance(row, UserRow) else ()
        if self._images and self._pictures is None:
            self._pictures = Pictures(self)
        if self._pictures is not None:
            self._pictures.show_images(self._images)
            self._pictures.setVisible(bool(self._images))
        self.setAccessibleName(tr("You: {said}", said=clean_line(self.said(), _SPOKEN)))
        self.update()

    def height_for(self, width: int) -> int:
        """Box and text, at most 12 lines while folded."""
        self._top = self.lead_height()
        hidden = self._top > 0 and not self.is_open()
        self._clip.setHidden(hidden)
        if hidden:
            self._hide_parts()
            return self._top
        return self._top + self._box_height(width)

    def _hide_parts(self) -> None:
        for part in (self._fold, self._pictures):
            if part is not None:
                part.hide()

    def _box_height(self, width: int) -> int:
        inner = max(1, width - 2 * _INNER_H)
        self._full = self.body.height_for(inner)
        most = metrics.MESSAGE_FOLD_LINES * theme().line("prose")
        folded = self._folds() and not self.is_open()
        text = most if folded else self._full
        self._show_fold()
        fold = self._fold.sizeHint().height() + metrics.SPACE_4 if self._fold is not None and self._folds() else 0
        pictures = 0
        if self._images and self._pictures is not None:
            pictures = self._pictures.height_for(min(inner, metrics.IMAGE_WIDTH)) + metrics.SPACE_8
            self._pictures.show()
        self._heights = (text, fold, pictures)
        self._place()
        return text + fold + pictures + self.foot_height() + 2 * _INNER_V

    def rest(self) -> None:
        """Back to the pool."""
        super().rest()
        self.body.rest()

    def first_line(self) -> float:
        """Middle of the first line."""
        return self._top / 2 if self._top else _INNER_V + theme().line("prose") / 2

    def can_open(self) -> bool:
        """Over 12 lines it folds."""
        return self._top > 0 or self._folds()

    def _folds(self) -> bool:
        return self._top == 0 and self._full > metrics.MESSAGE_FOLD_LINES * theme().line("prose")

    def is_open(self) -> bool:
        """As the person left it."""
        if self.ctx is None or self.row is None:
            return False
        return self.ctx.view.is_open(self.ctx.session_id, self.row.key)

    def set_open(self, is_open: bool) -> None:
        """Show all, or fold."""
        if self.ctx is not None and self.row is not None and is_open != self.is_open():
            self.ctx.view.set_open(self.ctx.session_id, self.row.key, is_open)
            self.unfolded.emit()
            self.resized.emit()

    def text_to_copy(self) -> str:
        """What is selected, else all."""
        return self.body.selected_text() or clean(self.said())

    def _show_fold(self) -> None:
        if self._folds() and self._fold is None:
            self._fold = Button("", "ghost", small=True, parent=self)
            self._fold.clicked.connect(self.activate)
        if self._fold is not None:
            self._fold.setText(tr("Show less") if self.is_open() else tr("Show all"))
            self._fold.set_icon("chevron-up" if self.is_open() else "chevron-down")
            self._fold.setVisible(self._folds())

    def _follow(self, address: str) -> None:
        if self.ctx is not None:
            self.ctx.open_link(address)

    def _place(self) -> None:
        text, fold, pictures = self._heights
        width, above = max(1, self.width() - 2 * _INNER_H), self._top + _INNER_V
        self._clip.setGeometry(_INNER_H, above, width, text)
        self.body.setGeometry(0, -self.body.rise(), width, self._full + self.body.rise())
        if self._fold is not None and fold:
            size = self._fold.sizeHint()
            rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            left = self.width() - _INNER_H - size.width() + 8 if rtl else _INNER_H - 8
            self._fold.setGeometry(left, above + text + metrics.SPACE_4, size.width(), size.height())
        if self._pictures is not None and pictures:
            top = above + text + fold + metrics.SPACE_8
            self._pictures.setGeometry(_INNER_H, top, width, pictures - metrics.SPACE_8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Parts keep their places."""
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The box and its foot."""
        painter = QPainter(self)
        if self._top:
            self.paint_lead(painter, QRectF(0, 0, self.width(), self._top))
        if self._clip.isHidden():
            painter.end()
            return
        box = QRectF(self.rect()).adjusted(0, self._top, 0, 0)
        ground = "bg.surface" if self.stand.depth else "bg.sunken"
        rounded(painter, box, metrics.RADIUS_8, theme().color(ground), theme().color("border.subtle"))
        foot = self.foot_height()
        if foot:
            top = box.bottom() - _INNER_V - foot
            self.paint_foot(painter, QRectF(_INNER_H, top, box.width() - 2 * _INNER_H, foot))
        painter.end()


class UserView(PersonView):
    """A prompt; as the first row of a child's transcript its task, folded."""

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show this prompt."""
        super().show_row(row, ctx)
        if self.lead_height():
            self.setAccessibleName(tr("Task: {said}", said=clean_line(self.said(), _SPOKEN)))

    def lead_height(self) -> int:
        """One line for a task."""
        return theme().row(metrics.LINE_ROW) if self.stand.depth and self.stand.head else 0

    def paint_lead(self, painter: QPainter, line: QRectF) -> None:
        """Chevron and word."""
        paint_sign(painter, line, "chevron-down" if self.is_open() else "chevron-right", "text.secondary")
        draw_text(painter, after_sign(painter, line), tr("Task"), theme().font("small"), theme().color("text.muted"))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the line unfolds."""
        if self.lead_height() and event.position().y() < self.lead_height():
            self.activate()
        event.accept()


class NoteView(PersonView):
    """A steering note: pending, or when it was delivered."""

    def show_row(self, row: Row, ctx: FeedContext) -> None:
        """Show this note."""
        super().show_row(row, ctx)
        self.setAccessibleName(f"{self.accessibleName()}, {self._state()}")

    def foot_height(self) -> int:
        """One small line."""
        return theme().line("small")

    def paint_foot(self, painter: QPainter, line: QRectF) -> None:
        """A clock or a check, and the words."""
        pending = isinstance(self.row, NoteRow) and self.row.delivered_ms is None
        paint_sign(painter, line, "clock" if pending else "check", "text.muted")
        rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        room = metrics.ICON_RAIL + metrics.SPACE_4
        words = line.adjusted(0, 0, -room, 0) if rtl else line.adjusted(room, 0, 0, 0)
        draw_text(painter, words, self._state(), theme().font("small"), theme().color("text.muted"))

    def _state(self) -> str:
        if not isinstance(self.row, NoteRow) or self.row.delivered_ms is None:
            return tr("Note, pending")
        return tr("Note, delivered {time}", time=clock_time(self.row.delivered_ms))
