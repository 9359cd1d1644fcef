"""What an agent said, as prose: Markdown without HTML, set by the design, selectable, never loading anything.

Owns one document. A growing text costs only its last part; a long one is clamped and opened in steps. Colours follow
the theme without a new layout. Links are told by `link_asked`, never opened.
"""
# ruff: noqa: N802  # Qt overrides

import math
from dataclasses import dataclass, replace

from PySide6.QtCore import QMimeData, QRectF, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QShowEvent,
    QTextLayout,
    QTextOption,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from ui.theme import metrics
from ui.theme.painting import hairline
from ui.theme.theme import theme
from ui.widgets.controls import Button
from ui.widgets.controls.tips import plain_tip
from ui.widgets.text import looks
from ui.widgets.text.chunks import Chunk
from ui.widgets.text.code import by_line, format_of, highlight, paint_code_box
from ui.widgets.text.document import Box, Piece, make_document
from ui.widgets.text.links import shown_link
from ui.widgets.text.looks import Look
from ui.widgets.text.rendering import Rendering, limit
from ui.wording import tr

_COPIES_MOST = 40  # buttons; further boxes are copied by selection
_GROWING_STEPS = 8
_GROWING_MOST = 4_000  # code that is still written is coloured up to this


class MarkdownBody(QTextBrowser):
    """A text as high as it needs to be. Ask `height_for(width)`, then give it that size."""

    link_asked = Signal(str)
    resized = Signal()

    def __init__(self, look: Look | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._plain, self._live = "", False, False
        self._steps = 1
        self._laid = (-1, 0)
        self._framed: list[_Frame] | None = None
        self._copies: list[Button] = []
        self.setDocument(make_document(self))
        self._rendering = Rendering(self.document(), look or Look())
        self._dress()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._highlight_seen)
        self._rest_later = QTimer(self)
        self._rest_later.setSingleShot(True)
        self._rest_later.setInterval(0)
        self._rest_later.timeout.connect(self._write_rest)
        self.anchorClicked.connect(self._follow)
        self.highlighted.connect(self._over_link)
        theme().changed.connect(self._retheme)
        self._sizes = self._theme_sizes()

    def _dress(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(tr("Message"))
        self._set_palette()

    def set_code_ground(self, token: str) -> None:
        """Another ground under code, where the text stands on the usual one."""
        look = self._rendering.look
        if look.code_ground != token:
            self._rendering.look = replace(look, code_ground=token)
            self._rendering.recolor()
            self.viewport().update()

    # ---- what it shows

    @property
    def left_out(self) -> int:
        """Characters that are not shown yet."""
        return max(0, len(self._text) - limit(self._text, self._steps))

    def show_text(self, text: str, *, live: bool = False, plain: bool = False) -> None:
        """Show Markdown, or `plain` text as it is. `live`: it is still being written."""
        if text == self._text and plain == self._plain and live == self._live:
            return
        if plain != self._plain or not text.startswith(self._text[:200]):
            self._steps = 1
        self._text, self._plain, self._live = text, plain, live
        while live and self._steps < _GROWING_STEPS and self.left_out:
            self._steps += 1  # who follows wants to see its end
        self._render()

    def show_more(self) -> None:
        """Lay out as much again of a long text."""
        self._steps += 1
        self._render()
        self.resized.emit()

    def rest(self) -> None:
        """Nothing to show: back to the pool."""
        self._later.stop()
        self._text, self._steps, self._live = "", 1, False
        self._forget()

    def height_for(self, width: int) -> int:
        """Height at a width, in px."""
        if self._laid[0] != width:
            if self.document().textWidth() != max(1, width):  # Qt would lay out everything again
                self.document().setTextWidth(max(1, width))
            self._laid = (width, round(self.document().size().height()))
            self._framed = None
        return self._laid[1]

    def rise(self) -> int:
        """How much higher the widget must lie so that its first line stands in the middle of the line's height."""
        return looks.rise(self._rendering.look.role)

    def selected_text(self) -> str:
        """What is selected."""
        return self.textCursor().selection().toPlainText()

    def code_blocks(self) -> tuple[str, ...]:
        """Sources of the blocks of code."""
        return tuple(box.source for piece in self._rendering.pieces for box in piece.boxes)

    def sizeHint(self) -> QSize:
        """Its present height."""
        return QSize(metrics.COLUMN, max(0, self._laid[1]))

    # ---- writing

    def _render(self) -> None:
        self._rendering.show(self._text, limit(self._text, self._steps), plain=self._plain)
        self._changed()

    def _write_rest(self) -> None:
        self._rendering.write_slice()
        self._changed()
        self.resized.emit()

    def _changed(self) -> None:
        self._laid, self._framed = (-1, 0), None
        self._later.start()
        if self._rendering.waits:
            self._rest_later.start()
        else:
            self._rest_later.stop()

    def _forget(self) -> None:
        self._rendering.forget()
        self._rest_later.stop()
        self._laid, self._framed = (-1, 0), None
        self._place_copies()

    # ---- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Boxes, lines of tables and quotes, then the text."""
        painter = QPainter(self.viewport())
        for frame in self._frames():
            paint_code_box(painter, frame.place, frame.language, self._rendering.look.code_ground)
        for piece in self._rendering.pieces:
            self._paint_ground(painter, piece)
        painter.end()
        super().paintEvent(event)

    def _paint_ground(self, painter: QPainter, piece: Piece) -> None:
        for table in piece.tables:
            self._paint_table(painter, table)
        for position, depth in piece.quotes:
            area = self._area(position)
            line = self._rendering.look.line
            area.setBottom(area.top() + math.ceil(area.height() / line) * line)
            for level in range(depth):
                x = level * looks.QUOTE_INDENT
                hairline(painter, x, area.top(), x, area.bottom(), theme().color("border.default"))
        for position in piece.rules:
            middle = self._area(position).center().y()
            hairline(painter, 0, middle, self.width(), middle, theme().color("border.subtle"))

    def _paint_table(self, painter: QPainter, table: QTextTable) -> None:
        whole = self.document().documentLayout().frameBoundingRect(table)
        for row in range(1, table.rows()):
            first = self._area(table.cellAt(row, 0).firstPosition())
            y = first.top() - looks.cell_pad(self._rendering.look)
            token = "border.default" if row == 1 else "border.subtle"
            hairline(painter, whole.left(), y, whole.right(), y, theme().color(token))

    def _area(self, position: int) -> QRectF:
        return self.document().documentLayout().blockBoundingRect(self.document().findBlock(position))

    # ---- boxes of code

    def _frames(self) -> "list[_Frame]":
        """Places of all boxes of code; code in several pieces is one box."""
        if self._framed is None:
            self._framed = []
            for piece in self._rendering.pieces:
                for box in piece.boxes:
                    self._add_frame(self._framed, piece.chunk, box)
        return self._framed

    def _add_frame(self, framed: "list[_Frame]", chunk: Chunk, box: Box) -> None:
        first, last, rise = self._area(box.first), self._area(box.last), looks.rise("code")
        line = theme().line("code")
        bottom = last.top() + math.ceil(last.height() / line) * line + looks.CODE_PAD_V + rise
        if not chunk.opens and framed:
            framed[-1].place.setBottom(bottom)
            framed[-1].sources.append(box.source)
            return
        top = first.top() + rise - looks.CODE_PAD_V - theme().row(metrics.CODE_HEAD, "small")
        left = max(0.0, first.left() - looks.CODE_PAD_H - 1)
        framed.append(_Frame(box.language, QRectF(left, top, self.width() - left, bottom - top), [box.source]))

    def _place_copies(self) -> None:
        """A button on the head line of each box, as long as there are not too many."""
        frames = self._frames()[:_COPIES_MOST] if self._laid[0] >= 0 else []
        while len(self._copies) < len(frames):
            self._copies.append(self._copy_button(len(self._copies)))
        for button, frame in zip(self._copies, frames, strict=False):
            size, left = button.sizeHint(), round(frame.place.left()) + metrics.SPACE_4
            if self.layoutDirection() != Qt.LayoutDirection.RightToLeft:
                left = round(frame.place.right()) - metrics.SPACE_4 - size.width()
            button.setGeometry(left, round(frame.place.top()) + 3, size.width(), size.height())
            button.show()
        for button in self._copies[len(frames) :]:
            button.hide()

    def _copy_button(self, number: int) -> Button:
        button = Button(tr("Copy"), "ghost", icon="copy", small=True, parent=self.viewport())
        button.setAccessibleName(tr("Copy code"))
        button.setCursor(Qt.CursorShape.ArrowCursor)
        button.clicked.connect(lambda: self._copy_frame(number))
        return button

    def _copy_frame(self, number: int) -> None:
        frames = self._frames()
        if number < len(frames):
            QGuiApplication.clipboard().setText("\n".join(frames[number].sources))

    # ---- colours of code

    def _highlight_seen(self) -> None:
        """Colour the code that can be seen."""
        seen = self.visibleRegion().boundingRect()
        for piece in self._rendering.pieces:
            if piece.highlighted or not piece.boxes:
                continue
            growing = self._live and piece is self._rendering.pieces[-1]
            if growing and len(piece.chunk.text) > _GROWING_MOST:
                continue
            places = [self._area(box.first).united(self._area(box.last)) for box in piece.boxes]
            if any(place.intersects(QRectF(seen)) for place in places):
                self._highlight(piece)

    def _highlight(self, piece: Piece) -> None:
        piece.highlighted = True
        for box in piece.boxes:
            tokens = highlight(box.source, box.language)
            if not tokens:
                continue
            block = self.document().findBlock(box.first)
            for inks in by_line(box.source, tokens):
                block.layout().setFormats([_range(*ink) for ink in inks])
                block = block.next()
            self.document().markContentsDirty(box.first, box.last - box.first)

    # ---- theme

    def _retheme(self) -> None:
        self._set_palette()
        if self._theme_sizes() != self._sizes:
            self._sizes = self._theme_sizes()
            self._rendering.resize()
            self._render()
            self.resized.emit()
            return
        self._rendering.recolor()
        self._highlight_seen()
        self.viewport().update()

    def _set_palette(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Text, theme().color(self._rendering.look.ink))
        palette.setColor(QPalette.ColorRole.Highlight, theme().color("bg.selected"))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme().color("text.primary"))
        self.setPalette(palette)

    @staticmethod
    def _theme_sizes() -> tuple[int, str]:
        return theme().ui_size, theme().language

    # ---- hands

    def createMimeDataFromSelection(self) -> QMimeData:
        """Plain text only."""
        data = QMimeData()
        data.setText(self.selected_text())
        return data

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002  # Qt's signature
        """Nothing is ever loaded."""
        return None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, select all; other keys belong to the feed."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.selected_text():
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.selectAll()
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:  # Qt override
        """The feed scrolls."""
        event.ignore()

    def showEvent(self, event: QShowEvent) -> None:
        """Code is coloured once it can be seen."""
        super().showEvent(event)
        self._later.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Boxes are as wide as the text."""
        super().resizeEvent(event)
        self._framed = None
        self._place_copies()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """It never scrolls inside."""

    def _follow(self, url: QUrl) -> None:
        self.link_asked.emit(url.toString())

    def _over_link(self, url: QUrl) -> None:
        self.viewport().setToolTip(plain_tip(shown_link(url.toString())) if not url.isEmpty() else "")


@dataclass(slots=True)
class _Frame:
    """A box of code as it lies in the widget."""

    language: str
    place: QRectF
    sources: list[str]


def _range(place: int, length: int, token: str) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = place, length, format_of(token)
    return made
