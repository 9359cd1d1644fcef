"""What waits above the composer: queued prompts, notes of the running turn, notes that nobody read (design 7.8).

Owns rows only; what a button means is told by signals with the key of its row. A list without rows hides itself.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from codeg.api import NoteRecord
from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.theme import theme
from ui.viewmodels.composing import plain
from ui.viewmodels.outbox import Waiting
from ui.widgets.controls import Box, Button, IconButton, Label, set_tip
from ui.wording import clean_line, clock_time, tr

_MOST_NOTES = 3


class _Row(QWidget):
    """28 high: a sign, what it is, the text, buttons."""

    def __init__(self, icon: str, kind: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(theme().row(metrics.QUEUE_ROW))
        self.kind = Label(kind, "small", "text.muted")
        self.label = Label(clean_line(text), "ui", elide=True)
        self.label.setVisible(bool(text))
        self.line = QHBoxLayout(self)
        self.line.setContentsMargins(0, 0, 0, 0)
        self.line.setSpacing(metrics.SPACE_8)
        self.line.addSpacing(
            metrics.SPACE_12 + metrics.ICON_RAIL + metrics.SPACE_8
        )  # spaces are mirrored, margins are not
        self.line.addWidget(self.kind)
        self.line.addWidget(self.label, 1)
        self.setAccessibleName(f"{kind}: {clean_line(text)}" if text else kind)
        theme().changed.connect(self._retheme)

    def add(self, *buttons: QWidget) -> None:
        """Buttons at the end."""
        for button in buttons:
            self.line.addWidget(button)
        self.line.addSpacing(metrics.SPACE_4)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The sign."""
        painter = QPainter(self)
        side = metrics.ICON_RAIL
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = self.width() - metrics.SPACE_12 - side if rtl else metrics.SPACE_12
        place = QRectF(left, (self.height() - side) / 2, side, side)
        draw_icon(painter, place, self._icon, theme().color("text.secondary"))
        painter.end()

    def _retheme(self) -> None:
        self.setFixedHeight(theme().row(metrics.QUEUE_ROW))
        self.update()


class QueueList(Box):
    """Prompts for after the turn. Held ones have a row that says why, and *Send now*."""

    edit_asked = Signal(int)
    up_asked = Signal(int)
    removed = Signal(int)
    go_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(tr("Queued for after the turn"))
        self._told: object = None
        self.hide()

    def show_queue(self, waiting: Sequence[Waiting], held: bool, why: str, starting: bool = False) -> None:
        """Show these. `why`: the sentence with which the host refused the first."""
        shown = (tuple(waiting), held, why, starting)
        if shown == self._told:
            return
        self._told = shown
        self.clear()
        if waiting and held:
            self.add_row(self._head(why))
        for at, each in enumerate(waiting):
            self.add_row(self._row(each, first=at == 0, held=held, starting=starting))
        self.setVisible(bool(waiting))

    def _head(self, why: str) -> QWidget:
        row = _Row("pause", tr("Held"), why or tr("The turn did not end well. Nothing is sent by itself."))
        set_tip(row, why)
        go = Button(tr("Send now"), small=True)
        go.clicked.connect(self.go_asked)
        row.add(go)
        return row

    def _row(self, waiting: Waiting, *, first: bool, held: bool, starting: bool) -> QWidget:
        text = plain(waiting.pieces)
        kind = tr("Queued") if held else tr("Once it has started") if starting and first else tr("After this turn")
        row = _Row("clock", kind, text or tr("%n images", n=len(waiting.images)))
        set_tip(row, text[:1000])
        name = clean_line(text, 40)
        edit = IconButton("pencil", tr("Edit “{text_start}”", text_start=name), small=True)
        up = IconButton("arrow-up", tr("Move up “{text_start}”", text_start=name), small=True)
        remove = IconButton("x", tr("Remove “{text_start}”", text_start=name), small=True)
        key = waiting.key
        edit.clicked.connect(lambda: self.edit_asked.emit(key))
        up.clicked.connect(lambda: self.up_asked.emit(key))
        remove.clicked.connect(lambda: self.removed.emit(key))
        row.add(*((edit, remove) if first else (edit, up, remove)))
        return row


class NotesList(Box):
    """Steering notes: pending, delivered, and those that no turn read, which are offered as the next prompt."""

    send_asked = Signal()
    edit_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(tr("Notes"))
        self._told: object = None
        self.hide()

    def show_notes(self, notes: Sequence[NoteRecord], offered: Sequence[NoteRecord], name: str) -> None:
        """Show the last few of the running turn; `offered` ones with their button. `name`: who did not read them."""
        shown = (tuple(notes), tuple(offered), name)
        if shown == self._told:
            return
        self._told = shown
        self.clear()
        for note in offered[:-1]:
            self.add_row(_Row("message-square", tr("Not read by {name}", name=name), note.text))
        if offered:
            self.add_row(self._offer(offered[-1], name))
        if len(notes) > _MOST_NOTES:
            self.add_row(_Row("ellipsis", tr("%n earlier notes", n=len(notes) - _MOST_NOTES), ""))
        for note in notes[-_MOST_NOTES:]:
            self.add_row(_note_row(note))
        self.setVisible(bool(notes or offered))

    def _offer(self, note: NoteRecord, name: str) -> QWidget:
        row = _Row("message-square", tr("Not read by {name}", name=name), note.text)
        send = Button(tr("Send as next prompt"), small=True)
        edit = IconButton("pencil", tr("Edit and send"), small=True)
        send.clicked.connect(self.send_asked)
        edit.clicked.connect(self.edit_asked)
        row.add(edit, send)
        return row


def _note_row(note: NoteRecord) -> QWidget:
    if note.delivered_ms is None:
        row = _Row("clock", tr("Note, pending"), note.text)
    else:
        row = _Row("check", tr("Note, delivered {time}", time=clock_time(note.delivered_ms)), note.text)
    set_tip(row, note.text[:1000])
    return row
