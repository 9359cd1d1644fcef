"""A text on its way into a document: cut into chunks, written in slices, only the part that changed.

Owns which chunk stands where, what still waits to be written, and the colours that a theme change must renew. No
widget: `MarkdownBody` shows the document and calls for the next slice.
"""

import re
from dataclasses import replace

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument

from ui.theme import metrics
from ui.theme.script import has_han
from ui.theme.theme import theme
from ui.widgets.text import looks
from ui.widgets.text.chunks import Chunk, definitions, split
from ui.widgets.text.clean import broken, clean
from ui.widgets.text.document import Piece, Writer
from ui.widgets.text.looks import Look

CLAMP, CLAMP_LINES = 64_000, 1_000
"""Characters and lines that are laid out at first; each further step adds as much again."""
SLICE = 16_000
"""Characters that are laid out in one turn of the event loop; what takes longer to set counts more."""
_SLOW = re.compile("[\u200d\U00010000-\U0010ffff]")
_SLOW_COUNT = 6


def limit(text: str, steps: int) -> int:
    """How many characters of `text` are laid out after so many steps: by length and by lines."""
    most, lines = CLAMP * steps, CLAMP_LINES * steps
    if text.count("\n", 0, most) <= lines:
        return min(most, len(text))
    at = 0
    for _ in range(lines):
        at = text.find("\n", at) + 1
    return at


class Rendering:
    """Writes into one document."""

    def __init__(self, document: QTextDocument, look: Look) -> None:
        self._document = document
        self.look = look
        self.pieces: list[Piece] = []
        self._waiting: list[Chunk] = []
        self._shown = self._known = ""
        self._set_font()

    @property
    def waits(self) -> bool:
        """Whether a slice is still to be written."""
        return bool(self._waiting)

    def show(self, text: str, most: int, *, plain: bool) -> None:
        """Bring the document to the first `most` characters of `text`, or as much as one turn can take."""
        shown = clean(text[:most])[: most + CLAMP // 4]  # codes of hidden marks are longer than the marks
        look = replace(self.look, han=has_han(shown))
        if look != self.look:
            self.look = look
            self.forget()
            self._set_font()
        if plain:
            self._show_plain(shown)
        else:
            self._show_chunks(shown)

    def write_slice(self) -> None:
        """Write what waits, as much as one turn can take."""
        cursor = QTextCursor(self._document)
        cursor.beginEditBlock()
        writer, room = Writer(self._document, self.look), SLICE
        while self._waiting and room > 0:
            chunk = self._waiting.pop(0)
            room -= _cost(chunk.text)
            after_code = bool(self.pieces) and self.pieces[-1].chunk.kind == "code"
            self.pieces.append(writer.write(chunk, self._known, after_code))
        self._set_margins()
        cursor.endEditBlock()

    def forget(self) -> None:
        """Nothing is shown."""
        self.pieces.clear()
        self._waiting.clear()
        self._shown = self._known = ""
        if not self._document.isEmpty():
            self._document.clear()
            self._document.setDocumentMargin(0)

    def resize(self) -> None:
        """The sizes of the theme changed: everything must be shown again."""
        self.forget()
        self._set_font()

    def recolor(self) -> None:
        """Other colours in the same places: no text moves."""
        cursor = QTextCursor(self._document)
        cursor.beginEditBlock()
        for piece in self.pieces:
            piece.highlighted = False
            for position, length, name in piece.spans:
                ink, ground = looks.colors(name, self.look)
                change = QTextCharFormat()
                change.setForeground(ink)
                if ground is not None:
                    change.setBackground(ground)
                cursor.setPosition(position)
                cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(change)
        cursor.endEditBlock()

    # ---- inside

    def _show_plain(self, text: str) -> None:
        self.forget()
        cursor = QTextCursor(self._document)
        cursor.beginEditBlock()
        Writer(self._document, self.look).write_plain(broken(text))
        cursor.endEditBlock()

    def _show_chunks(self, text: str) -> None:
        known = definitions(text)
        if known != self._known or (not self.pieces and not self._document.isEmpty()):
            self.forget()
            self._known = known
        chunks = self._split(text)
        same = 0
        while same < min(len(self.pieces), len(chunks)) and self.pieces[same].chunk == chunks[same]:
            same += 1
        if same == len(chunks) == len(self.pieces):
            self._waiting.clear()
            return
        cursor = QTextCursor(self._document)
        cursor.beginEditBlock()
        self._cut(same)
        self._waiting = chunks[same:]
        self.write_slice()
        cursor.endEditBlock()

    def _split(self, text: str) -> list[Chunk]:
        """Chunks of the text; of one that only grew, the finished ones are those that were there."""
        held = [piece.chunk for piece in self.pieces]
        start = held[-1].start if held else 0
        if start and text.startswith(self._shown[:start]):
            found = [chunk for chunk in held if chunk.start < start] + split(text, start)
        else:
            found = split(text)
        self._shown = text
        return found

    def _cut(self, keep: int) -> None:
        """Take all pieces from `keep` on out of the document."""
        if keep >= len(self.pieces):
            return
        if keep == 0:
            known, shown = self._known, self._shown
            self.forget()
            self._known, self._shown = known, shown
            return
        cursor = QTextCursor(self._document)
        cursor.setPosition(max(0, self.pieces[keep].start - 1))
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        del self.pieces[keep:]

    def _set_margins(self) -> None:
        """Qt leaves out what stands above the first block and below the last one: there the document has margins."""
        first, last = (self.pieces[0], self.pieces[-1]) if self.pieces else (None, None)
        leads = first is not None and bool(first.boxes) and first.boxes[0].first == 0
        ends = last is not None and bool(last.boxes) and last.boxes[-1].last >= self._document.characterCount() - 1
        top = looks.CODE_PAD_V + theme().row(metrics.CODE_HEAD, "small") if leads else 0
        bottom = looks.CODE_PAD_V + looks.rise("code") if ends else 0
        root = self._document.rootFrame()
        shape = root.frameFormat()
        if (shape.topMargin(), shape.bottomMargin()) != (top, bottom):
            shape.setTopMargin(top)
            shape.setBottomMargin(bottom)
            root.setFrameFormat(shape)

    def _set_font(self) -> None:
        self._document.setDefaultFont(self.look.font())


def _cost(text: str) -> int:
    return len(text) + (0 if text.isascii() else _SLOW_COUNT * len(_SLOW.findall(text)))
