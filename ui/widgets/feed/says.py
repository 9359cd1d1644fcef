"""Rows of text: what the person said, notes, messages, thoughts, notices (design 7.2).

Owns their parts; texts come safe from `ui.widgets.text`.
"""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.badges import draw_person
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.rows import MessageRow, NoteRow, NoticeRow, ThoughtRow, UserRow
from ui.widgets.controls import Button
from ui.widgets.feed.context import Geometry
from ui.widgets.feed.pictures import Pictures
from ui.widgets.feed.registry import register_view
from ui.widgets.feed.view import RowView
from ui.widgets.text import MessageBody
from ui.wording import clean_line, clock_time, duration, tr

CHEVRON = 14


class SaidView(RowView):
    """The person's message or note: a sunken block; long ones fold."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = MessageBody(parent=self)
        self.pictures = Pictures(self)
        self.more = Button("", "link", small=True, parent=self)
        self.more.hide()
        self.more.clicked.connect(self.toggle)
        self.body.resized.connect(self.resized)
        self._box = QRectF()

    def fill(self) -> None:
        """Text, pictures, where it leads."""
        row, context = self.row, self.context
        if not isinstance(row, UserRow | NoteRow) or context is None:
            return
        self.body.open_link = context.open_link
        self.body.show_text(row.text)
        self.pictures.show_images(row.images if isinstance(row, UserRow) else ())

    def toggle(self) -> bool:
        """Fold or unfold a long one."""
        if self.more.isHidden():
            return False
        self.set_open(not self.is_open())
        return True

    def place(self, at: Geometry) -> int:
        """Padding 8/12; over 12 lines it folds."""
        pad_h, pad_v = metrics.MESSAGE_PAD_H, metrics.MESSAGE_PAD_V
        inner = at.width - 2 * pad_h
        whole = self.body.height_for(inner)
        most = metrics.MESSAGE_FOLD_LINES * theme().line("prose")
        folds = whole > most + theme().line("prose")
        self.more.setVisible(folds)
        self.more.setText(tr("Show less") if self.is_open() else tr("Show all"))
        height = most if folds and not self.is_open() else whole
        self.body.setGeometry(at.left + pad_h, pad_v, inner, height)
        top = pad_v + height
        pictures = self.pictures.height_for(inner)
        if pictures:
            self.pictures.setGeometry(at.left + pad_h, top + 8, inner, pictures)
            top += pictures + 8
        if folds:
            self.more.setGeometry(at.left + pad_h - 4, top + 2, self.more.sizeHint().width(), metrics.BUTTON_SMALL)
            top += metrics.BUTTON_SMALL + 2
        if isinstance(self.row, NoteRow):
            top += theme().line("small") + 4
        self._box = QRectF(at.left, 0, at.width, top + pad_v)
        return round(top + pad_v)

    def paint(self, painter: QPainter) -> None:
        """Figure, block, and how a note stands."""
        at = self.lies
        if at.badge is not None:
            draw_person(painter, QRectF(at.badge, 4, metrics.BADGE_MESSAGE, metrics.BADGE_MESSAGE))
        rounded(painter, self._box, metrics.RADIUS_8, theme().color("bg.sunken"), theme().color("border.subtle"))
        if isinstance(self.row, NoteRow):
            self._paint_state(painter, self.row)

    def _paint_state(self, painter: QPainter, row: NoteRow) -> None:
        line = theme().line("small")
        top = self._box.bottom() - metrics.MESSAGE_PAD_V - line
        left = self._box.left() + metrics.MESSAGE_PAD_H
        color = theme().color("text.muted")
        draw_icon(painter, QRectF(left, top + 1, 14, 14), "check" if row.delivered_ms else "clock", color)
        room = QRectF(left + 20, top, self._box.width() - 60, line)
        draw_text(painter, room, note_state(row), theme().font("small"), color)


def note_state(row: NoteRow) -> str:
    """Pending, or delivered and when."""
    if row.delivered_ms is None:
        return tr("Note, pending")
    return tr("Note, delivered {time}", time=clock_time(row.delivered_ms))


class MessageView(RowView):
    """What the agent said: prose on the canvas."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = MessageBody(parent=self)
        self.pictures = Pictures(self)
        self.body.resized.connect(self.resized)

    def fill(self) -> None:
        """Only what changed is laid out again."""
        row, context = self.row, self.context
        if isinstance(row, MessageRow) and context is not None:
            self.body.open_link = context.open_link
            self.body.show_text(row.text, live=row.live)
            self.pictures.show_images(row.images)

    def place(self, at: Geometry) -> int:
        """The whole column."""
        height = self.body.height_for(at.width)
        self.body.setGeometry(at.left, 0, at.width, height)
        pictures = self.pictures.height_for(at.width)
        if pictures:
            self.pictures.setGeometry(at.left, height + 8, at.width, pictures)
            height += pictures + 8
        return max(height, metrics.BADGE_MESSAGE if at.badge is not None and getattr(self.row, "first", False) else 1)

    def copy_text(self) -> str:
        """What is selected, else all of it."""
        return self.body.selected_text() or super().copy_text()


class ThoughtView(RowView):
    """One line; unfolded on a rail."""

    rail = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = MessageBody("ui", "text.secondary", self)
        self.body.hide()
        self.body.resized.connect(self.resized)

    def fill(self) -> None:
        """The text only where it is unfolded."""
        row = self.row
        self.body.setVisible(self.is_open())
        if isinstance(row, ThoughtRow) and self.is_open():
            self.body.show_text(row.text, live=row.live)

    def toggle(self) -> bool:
        """Fold or unfold."""
        self.set_open(not self.is_open())
        return True

    def place(self, at: Geometry) -> int:
        """The line, and the text under it."""
        line = theme().row(metrics.LINE_ROW, "small")
        if not self.is_open():
            return line
        height = self.body.height_for(at.text_width - 12)
        self.body.setGeometry(at.text + 12, line, at.text_width - 12, height)
        return line + height + 4

    def paint(self, painter: QPainter) -> None:
        """Chevron and how long."""
        row = self.row
        if not isinstance(row, ThoughtRow):
            return
        at, line = self.lies, theme().row(metrics.LINE_ROW, "small")
        color = theme().color("text.muted")
        icon = QRectF(at.text, (line - CHEVRON) / 2, CHEVRON, CHEVRON)
        draw_icon(painter, icon, "chevron-down" if self.is_open() else "chevron-right", color)
        draw_text(
            painter, QRectF(at.text + 18, 0, at.text_width - 18, line), thought_line(row), theme().font("small"), color
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt override
        """The line folds and unfolds."""
        if event.position().y() <= metrics.LINE_ROW and event.button() is Qt.MouseButton.LeftButton:
            self.toggle()


def thought_line(row: ThoughtRow) -> str:
    """How long it thought, where that is known."""
    if row.live:
        return tr("Thinking…")
    if not row.seconds:
        return tr("Thought")
    return tr("Thought for {time}", time=duration(row.seconds * 1000))


class NoticeView(RowView):
    """A line of the host's: neutral, with an icon; amber is for what needs the person."""

    def place(self, at: Geometry) -> int:
        """As many lines as it takes."""
        width = max(80, at.width - 24)
        lines = 1 + int(text_width(self._text(), theme().font("ui")) // width)
        return lines * theme().line("ui") + 8

    def _text(self) -> str:
        return clean_line(self.row.text, 1000) if isinstance(self.row, NoticeRow) else ""

    def paint(self, painter: QPainter) -> None:
        """Icon and words."""
        row, at = self.row, self.lies
        if not isinstance(row, NoticeRow):
            return
        bad = row.severity == "error"
        color = theme().color("failed.text" if bad else "text.secondary")
        draw_icon(painter, QRectF(at.left, 5, 16, 16), "circle-x" if bad else "info", color)
        painter.setFont(theme().font("ui"))
        painter.setPen(color)
        room = QRectF(at.left + 24, 4, at.width - 24, self.height() - 8)
        painter.drawText(room, int(Qt.TextFlag.TextWordWrap.value), self._text())


register_view(UserRow, SaidView)
register_view(NoteRow, SaidView)
register_view(MessageRow, MessageView)
register_view(ThoughtRow, ThoughtView)
register_view(NoticeRow, NoticeView)
