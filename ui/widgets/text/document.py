"""Markdown chunks written into one text document, without HTML, pictures or links that open by themselves.

Owns the way from a chunk to blocks of the document and what must be painted or coloured apart: boxes of code, tables,
quotes, rules, inks. Qt's Markdown reader parses a chunk; what it found is written anew with the formats of the design.
Nothing is ever loaded.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextList,
    QTextListFormat,
    QTextTable,
)

from ui.theme import metrics
from ui.theme.theme import theme
from ui.widgets.text import looks
from ui.widgets.text.chunks import Chunk
from ui.widgets.text.clean import clean
from ui.widgets.text.links import safe_link
from ui.widgets.text.looks import Look
from ui.wording import tr

_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_CODE_ABOVE = metrics.CODE_HEAD + looks.CODE_PAD_V + metrics.PARAGRAPH_GAP
_DEPTH_MOST = 8
_COLUMNS_MOST, _CELLS_MOST = 24, 1_200
_PICTURE = "\ufffc"
_BOLD = 600
_Property = QTextFormat.Property


class SafeDocument(QTextDocument):
    """A document that loads nothing, whatever its text names."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: ARG002  # Qt's signature
        """Nothing. Qt itself would read local files here."""
        return None


@dataclass(frozen=True, slots=True)
class Box:
    """A box of code: positions of its first and last line, its language, its source."""

    first: int
    last: int
    language: str
    source: str


@dataclass(slots=True)
class Piece:
    """What one chunk came to. `start`: position in the document; spans: (position, length, ink)."""

    chunk: Chunk
    start: int
    boxes: list[Box] = field(default_factory=list[Box])
    tables: list[QTextTable] = field(default_factory=list[QTextTable])
    quotes: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    rules: list[int] = field(default_factory=list[int])
    spans: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    highlighted: bool = False


class Writer:
    """Writes chunks at the end of a document."""

    def __init__(self, document: QTextDocument, look: Look) -> None:
        self._look = look
        self._document = document
        self._cursor = QTextCursor(document)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._fresh = document.isEmpty()
        self._lists: dict[int, tuple[QTextList, int]] = {}

    def write(self, chunk: Chunk, known: str, after_code: bool) -> Piece:
        """Append a chunk. `known`: link definitions; `after_code`: the chunk before was code."""
        piece = Piece(chunk, 0 if self._fresh else self._cursor.position() + 1)
        if chunk.kind == "code":
            self._write_code(piece, after_code)
        else:
            self._write_prose(piece, known)
        return piece

    def write_plain(self, text: str) -> None:
        """Append text as it is, a paragraph for each line."""
        self._next(looks.block(self._look.line, 0))
        self._cursor.insertText(text, looks.plain(self._look))

    # ---- code

    def _write_code(self, piece: Piece, after_code: bool) -> None:
        chunk = piece.chunk
        gap = _CODE_ABOVE + (looks.CODE_PAD_V if after_code else 0) if chunk.opens else 0
        if self._fresh:
            gap -= metrics.PARAGRAPH_GAP
        box = Box(0, 0, chunk.language, chunk.text)
        self._boxed(piece, box, above=gap if chunk.opens else 0, closes=chunk.closes)

    def _boxed(self, piece: Piece, box: Box, above: int, closes: bool = True, indent: int = 0) -> None:
        self._next(looks.code_block(indent))
        first = self._cursor.position()
        self._cursor.insertText(box.source, looks.code_text())
        last = self._cursor.position()
        if closes:
            self._margin(last, below=looks.CODE_PAD_V + metrics.PARAGRAPH_GAP)
        if above:
            self._margin(first, above=above)
        piece.boxes.append(replace(box, first=first, last=last))

    def _margin(self, position: int, above: int | None = None, below: int | None = None) -> None:
        cursor = QTextCursor(self._document)
        cursor.setPosition(position)
        shape = cursor.blockFormat()
        if above is not None:
            shape.setTopMargin(above)
        if below is not None:
            shape.setBottomMargin(below)
        cursor.setBlockFormat(shape)

    # ---- prose

    def _write_prose(self, piece: Piece, known: str) -> None:
        source = SafeDocument()
        source.setUndoRedoEnabled(False)
        text = piece.chunk.text.lstrip("\n")
        if text.startswith("---"):
            text = "\n" + text  # else the reader takes it for front matter and drops it
        source.setMarkdown(f"{text}\n\n{known}" if known else text, _FEATURES)
        self._lists.clear()
        block = source.begin()
        while block.isValid():
            block = self._write_block(piece, block)

    def _write_block(self, piece: Piece, block: QTextBlock) -> QTextBlock:
        """Write a block, or all that hang together from it on; returns the next one."""
        table = QTextCursor(block).currentTable()
        if table is not None:  # pyright: ignore[reportUnnecessaryComparison]  # none outside tables
            return self._write_table(piece, table)
        shape = block.blockFormat()
        if looks.is_code(shape):
            return self._write_inner_code(piece, block)
        following = block.next()
        if shape.hasProperty(_Property.BlockTrailingHorizontalRulerWidth):
            self._next(looks.block(metrics.SPACE_8, metrics.PARAGRAPH_GAP))
            piece.rules.append(self._cursor.position())
        elif block.textList() is not None:  # pyright: ignore[reportUnnecessaryComparison]  # none for plain blocks
            self._write_item(piece, block)
        elif block.length() > 1 or shape.headingLevel():
            self._write_paragraph(piece, block, shape)
        return following

    def _write_paragraph(self, piece: Piece, block: QTextBlock, shape: QTextBlockFormat) -> None:
        level, quoted = shape.headingLevel(), min(shape.intProperty(_Property.BlockQuoteLevel), _DEPTH_MOST)
        line, text = self._look.line, looks.plain(self._look)
        if level and self._look.role == "prose":
            text, line = looks.heading(level)
        elif level:
            text.setFontWeight(_BOLD)
        above = metrics.SPACE_8 if level and not self._fresh else 0
        made = looks.block(line, metrics.PARAGRAPH_GAP, above + (metrics.PARAGRAPH_GAP if above else 0))
        made.setLeftMargin(quoted * looks.QUOTE_INDENT)
        made.setIndent(0 if quoted else min(shape.indent(), _DEPTH_MOST))
        if quoted:
            text = looks.inked(text, "quote", self._look)
        self._next(made)
        start = self._cursor.position()
        self._write_line(piece, block, text)
        if quoted:
            piece.quotes.append((start, quoted))
            piece.spans.append((start, self._cursor.position() - start, "quote"))

    def _write_item(self, piece: Piece, block: QTextBlock) -> None:
        source = block.textList()
        shape, kind = block.blockFormat(), source.format()
        depth = max(1, min(kind.indent(), _DEPTH_MOST))
        following = block.next()
        last = not following.isValid() or following.textList() is None  # pyright: ignore[reportUnnecessaryComparison]
        made = looks.block(self._look.line, looks.item_gap(last))
        made.setMarker(shape.marker())
        self._next(made)
        known = self._lists.get(depth)
        if known is not None and known[1] == source.objectIndex():
            known[0].add(self._cursor.block())
        else:
            numbered = kind.style() in _NUMBERED
            fresh = self._cursor.createList(looks.bullets(depth, numbered, kind.start()))
            self._lists[depth] = (fresh, source.objectIndex())
        self._write_line(piece, block, looks.plain(self._look))

    def _write_inner_code(self, piece: Piece, block: QTextBlock) -> QTextBlock:
        """Code in a list, in a quote, or only indented."""
        shape = block.blockFormat()
        language = shape.stringProperty(_Property.BlockCodeLanguage)
        lines: list[str] = []
        while block.isValid() and looks.is_code(block.blockFormat()):
            lines.append(block.text())
            block = block.next()
        above = _CODE_ABOVE - (metrics.PARAGRAPH_GAP if self._fresh else 0)
        self._boxed(piece, Box(0, 0, language, "\n".join(lines)), above, indent=min(shape.indent(), _DEPTH_MOST))
        return block

    def _write_table(self, piece: Piece, source: QTextTable) -> QTextBlock:
        rows, columns = source.rows(), source.columns()
        after = source.lastCursorPosition().block().next()
        if columns > _COLUMNS_MOST or rows * columns > _CELLS_MOST:
            self._write_wide_table(source)
            return after
        self._next(looks.block(1, 0))
        made = self._cursor.insertTable(rows, columns, looks.table())
        for row in range(rows):
            for column in range(columns):
                self._write_cell(piece, source, made, row, column)
        piece.tables.append(made)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._cursor.setBlockFormat(looks.block(1, 0))
        return after

    def _write_cell(self, piece: Piece, source: QTextTable, made: QTextTable, row: int, column: int) -> None:
        cell = made.cellAt(row, column)
        cell.setFormat(looks.cell(self._look))
        text = looks.plain(self._look)
        if row == 0:
            text.setFontWeight(_BOLD)
        self._cursor = cell.firstCursorPosition()
        shape = looks.block(self._look.line, 0)
        found = source.cellAt(row, column).firstCursorPosition().block()
        shape.setAlignment(found.blockFormat().alignment())
        self._cursor.setBlockFormat(shape)
        self._write_line(piece, found, text)

    def _write_wide_table(self, source: QTextTable) -> None:
        """One that no screen could show: its cells, row by row."""
        for row in range(source.rows()):
            cells = (source.cellAt(row, at).firstCursorPosition().block().text() for at in range(source.columns()))
            self._next(looks.block(self._look.line, 0))
            self._cursor.insertText(" | ".join(cells), looks.plain(self._look))

    # ---- one line

    def _write_line(self, piece: Piece, block: QTextBlock, text: QTextCharFormat) -> None:
        for fragment in _fragments(block):
            self._write_fragment(piece, fragment, text)

    def _write_fragment(self, piece: Piece, fragment: QTextFragment, base: QTextCharFormat) -> None:
        found = fragment.charFormat()
        words = clean(fragment.text()).replace("\n", " ")  # again: the reader has resolved &#x202E; and the like
        start, ink, made = self._cursor.position(), "", base
        if found.isImageFormat():
            self._write_picture(piece, fragment, base)
            return
        if found.fontFixedPitch():
            made, ink = QTextCharFormat(base), "code"
            made.setFont(theme().font("code"))
        elif found.fontWeight() > _BOLD or found.fontItalic() or found.fontStrikeOut():
            made = QTextCharFormat(base)
            made.setFontWeight(_BOLD if found.fontWeight() > _BOLD else base.fontWeight())
            made.setFontItalic(found.fontItalic())
            made.setFontStrikeOut(found.fontStrikeOut())
        address = safe_link(found.anchorHref()) if found.isAnchor() else None
        if address is not None:
            made = QTextCharFormat(made)
            made.setAnchor(True)
            made.setAnchorHref(address)
            made.setFontUnderline(True)
            ink = "link"
        self._cursor.insertText(words, looks.inked(made, ink, self._look) if ink else made)
        if ink:
            piece.spans.append((start, self._cursor.position() - start, ink))

    def _write_picture(self, piece: Piece, fragment: QTextFragment, base: QTextCharFormat) -> None:
        """A picture that a text names is never loaded: its description stands for it, as a link if it may be one."""
        image = fragment.charFormat().toImageFormat()
        words = image.stringProperty(_Property.ImageAltText) or image.name() or tr("Picture")
        start, made = self._cursor.position(), QTextCharFormat(base)
        address = safe_link(image.name())
        if address is not None:
            made.setAnchor(True)
            made.setAnchorHref(address)
            made.setFontUnderline(True)
        ink = "link" if address is not None else "picture"
        self._cursor.insertText(clean(words).replace(_PICTURE, ""), looks.inked(made, ink, self._look))
        piece.spans.append((start, self._cursor.position() - start, ink))

    def _next(self, shape: QTextBlockFormat) -> None:
        """A new paragraph at the end; the very first one is there already."""
        if self._fresh:
            self._fresh = False
            self._cursor.setBlockFormat(shape)
            return
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._cursor.insertBlock(shape, looks.plain(self._look))


_NUMBERED = frozenset({
    QTextListFormat.Style.ListDecimal, QTextListFormat.Style.ListLowerAlpha, QTextListFormat.Style.ListUpperAlpha,
    QTextListFormat.Style.ListLowerRoman, QTextListFormat.Style.ListUpperRoman,
})  # fmt: skip


def _fragments(block: QTextBlock) -> Iterator[QTextFragment]:
    walk = block.begin()
    while not walk.atEnd():
        fragment = walk.fragment()
        if fragment.isValid():
            yield fragment
        walk += 1


def make_document(parent: QObject) -> QTextDocument:
    """An empty document for a message."""
    made = SafeDocument(parent)
    made.setUndoRedoEnabled(False)
    made.setDocumentMargin(0)
    made.setIndentWidth(metrics.LIST_INDENT)
    return made
