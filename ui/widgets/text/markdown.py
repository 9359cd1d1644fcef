"""What an agent said, as prose: Markdown without HTML, set by the design, selectable, never loading anything.

Owns one document. A growing text costs only its last part; a long one is clamped and opened in steps. Colours follow the
theme without a new layout. Links are told by `link_asked`, never opened.
"""
# ruff: noqa: N802  # Qt overrides

from dataclasses import replace

from PySide6.QtCore import QMimeData, QPointF, QRectF, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from ui.theme import metrics
from ui.theme.painting import hairline
from ui.theme.script import has_han
from ui.theme.theme import theme
from ui.widgets.controls import Button
from ui.widgets.controls.tips import plain_tip
from ui.widgets.text import looks
from ui.widgets.text.chunks import Chunk, definitions, split
from ui.widgets.text.clean import clean
from ui.widgets.text.code import by_line, format_of, highlight, paint_code_box
from ui.widgets.text.document import Box, Piece, Writer, make_document
from ui.widgets.text.looks import Look
from ui.wording import tr

CLAMP, CLAMP_LINES = 64_000, 1_000
"""Characters and lines that are laid out at first; *Show more* adds as much again."""
_GROWING_MOST = 4_000  # code that is still written is coloured up to this


class MarkdownBody(QTextBrowser):
    """A text as high as it needs to be. Ask `height_for(width)`, then give it that size."""

    link_asked = Signal(str)
    resized = Signal()

    def __init__(self, look: Look | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look or Look()
        self._text, self._plain, self._live = "", False, False
        self._steps = 1
        self._pieces: list[Piece] = []
        self._known = ""
        self._laid = (-1, 0)
        self._copies: list[Button] = []
        self._dress()
        self.setDocument(make_document(self))
        self._set_document_look()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._highlight_seen)
        self.anchorClicked.connect(lambda url: self.link_asked.emit(url.toString()))
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

    # ---- what it shows

    @property
    def left_out(self) -> int:
        """Characters that are not shown yet."""
        return max(0, len(self._text) - self._limit())

    def show_text(self, text: str, *, live: bool = False, plain: bool = False) -> None:
        """Show Markdown, or `plain` text as it is. `live`: it is still being written."""
        if text == self._text and plain == self._plain and live == self._live:
            return
        if plain != self._plain or not text.startswith(self._text[:200]):
            self._steps = 1
        grows = self._live or live
        self._text, self._plain, self._live = text, plain, live
        if not grows:
            self._steps = 1 if self._laid[0] < 0 else self._steps
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
            self.document().setTextWidth(max(1, width))
            self._laid = (width, round(self.document().size().height()))
        return self._laid[1]

    def selected_text(self) -> str:
        """What is selected."""
        return self.textCursor().selection().toPlainText()

    def code_blocks(self) -> tuple[str, ...]:
        """Sources of the blocks of code."""
        return tuple(box.source for piece in self._pieces for box in piece.boxes)

    def sizeHint(self) -> QSize:
        """Its present height."""
        return QSize(metrics.COLUMN, max(0, self._laid[1]))

    # ---- writing

    def _limit(self) -> int:
        """How many characters are laid out: by length and by lines."""
        most = CLAMP * self._steps
        lines, at = CLAMP_LINES * self._steps, 0
        if self._text.count("\n", 0, most) <= lines:
            return min(most, len(self._text))
        for _ in range(lines):
            at = self._text.find("\n", at) + 1
        return at

    def _render(self) -> None:
        shown = clean(self._text[: self._limit()])
        look = replace(self._look, han=has_han(shown))
        if look != self._look:
            self._look = look
            self._forget()
            self._set_document_look()
        if self._plain:
            self._render_plain(shown)
        else:
            self._render_chunks(shown)
        self._laid = (-1, 0)
        self._later.start()

    def _render_plain(self, text: str) -> None:
        self._forget()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        Writer(self.document(), self._look).write_plain(text)
        cursor.endEditBlock()

    def _render_chunks(self, text: str) -> None:
        known = definitions(text)
        if known != self._known:
            self._forget()
            self._known = known
        chunks = split(text)
        same = 0
        while same < min(len(self._pieces), len(chunks)) and _same(self._pieces[same].chunk, chunks[same]):
            same += 1
        if same == len(chunks) == len(self._pieces):
            return
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._cut(same)
        writer = Writer(self.document(), self._look)
        for number in range(same, len(chunks)):
            after_code = number > 0 and chunks[number - 1].kind == "code"
            self._pieces.append(writer.write(chunks[number], known, after_code))
        cursor.endEditBlock()
        self._place_copies()

    def _cut(self, keep: int) -> None:
        """Take all pieces from `keep` on out of the document."""
        if keep >= len(self._pieces):
            return
        if keep == 0:
            self._forget()
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(max(0, self._pieces[keep].start - 1))
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        del self._pieces[keep:]

    def _forget(self) -> None:
        self._pieces.clear()
        self._known = ""
        self._laid = (-1, 0)
        if not self.document().isEmpty():
            self.document().clear()
            self.document().setDocumentMargin(0)
        self._place_copies()

    def _set_document_look(self) -> None:
        self.document().setDefaultFont(self._look.font())

    # ---- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Boxes, lines of tables and quotes, then the text."""
        painter = QPainter(self.viewport())
        for piece in self._pieces:
            self._paint_ground(painter, piece)
        painter.end()
        super().paintEvent(event)

    def _paint_ground(self, painter: QPainter, piece: Piece) -> None:
        boxes = self._boxes_of(piece)
        for box, place in boxes:
            paint_code_box(painter, place, box.language)
        for table in piece.tables:
            self._paint_table(painter, table.rows(), [table.cellAt(row, 0) for row in range(table.rows())], table)
        line = theme().color("border.default")
        for position, depth in piece.quotes:
            block = self.document().findBlock(position)
            area = self._area(block)
            for level in range(depth):
                x = level * looks.QUOTE_INDENT
                hairline(painter, x, area.top(), x, area.bottom(), line)
        for position in piece.rules:
            middle = self._area(self.document().findBlock(position)).center().y()
            hairline(painter, 0, middle, self.width(), middle, theme().color("border.subtle"))

    def _area(self, block: QTextBlock) -> QRectF:
        return self.document().documentLayout().blockBoundingRect(block)

    def _boxes_of(self, piece: Piece) -> list[tuple[Box, QRectF]]:
        found: list[tuple[Box, QRectF]] = []
        for box in piece.boxes:
            first = self._area(self.document().findBlock(box.first))
            last = self._area(self.document().findBlock(box.last))
            top = first.top()
            if piece.chunk.opens:
                top -= looks.CODE_PAD_V + theme().row(metrics.CODE_HEAD, "small")
            bottom = last.bottom() + looks.CODE_PAD_V
            left = max(0.0, first.left() - looks.CODE_PAD_H - 1)
            found.append((box, QRectF(left, top, self.width() - left, bottom - top)))
        return found
