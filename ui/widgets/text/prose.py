"""Prose of an agent: Markdown without HTML, links that ask first, nothing loaded.

Owns a document; while text is still being written only its open end is set anew. Ends with its row.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QPalette,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from ui.theme import metrics
from ui.theme.script import has_han
from ui.theme.theme import theme
from ui.widgets.text.clean import broken, clean
from ui.widgets.text.segments import open_from

_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_HAN_EXTRA = 2
OpenLink = Callable[[str], None]


class _Document(QTextDocument):
    """Loads nothing, whatever the text names (images, styles)."""

    def loadResource(self, _type: int, _name: QUrl | str) -> object:
        return None


class Prose(QTextBrowser):
    """One run of prose. `role`: prose, or ui for smaller text; `token`: its colour."""

    def __init__(self, role: str = "prose", token: str = "text.primary", parent: QWidget | None = None) -> None:  # noqa: S107
        super().__init__(parent)
        self._role, self._token = role, token
        self._text: str | None = None
        self._done, self._done_at = "", 0
        self._plain = False
        self.open_link: OpenLink = nowhere
        self.setDocument(_Document(self))
        self.document().setDocumentMargin(0)
        self.document().setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.anchorClicked.connect(self._clicked)
        self._retheme()
        theme().changed.connect(self._recolour)

    def _clicked(self, url: QUrl) -> None:
        self.open_link(url.toString())

    # ---- text

    def show_text(self, text: str, *, plain: bool = False) -> None:
        """Show this; what stands already and is done stays laid out."""
        if text == self._text and plain == self._plain:
            return
        safe = broken(clean(text))
        grown = self._text is not None and not plain and not self._plain and safe.startswith(self._done)
        self._text, self._plain = text, plain
        if plain:
            self.setPlainText(safe)
            self._format(0)
            return
        if not grown or not self._done:
            self._done, self._done_at = "", 0
        self._set_tail(safe)

    def _set_tail(self, safe: str) -> None:
        cut = open_from(safe)
        keep = max(len(self._done), cut)
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.setPosition(self._done_at)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        if keep > len(self._done):
            self._insert(cursor, safe[len(self._done) : keep])
            self._done, self._done_at = safe[:keep], self._end(cursor)
        start = self._done_at
        if safe[keep:].strip():
            self._insert(cursor, safe[keep:])
        cursor.endEditBlock()
        self._format(max(0, min(start, self._last_start)))
        self._last_start = self._done_at
        self.updateGeometry()

    _last_start = 0

    def _insert(self, cursor: QTextCursor, markdown: str) -> None:
        if not markdown.strip():
            return
        if cursor.position() > 0:
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
        cursor.insertMarkdown(markdown.strip("\n"), _FEATURES)

    @staticmethod
    def _end(cursor: QTextCursor) -> int:
        return cursor.position()

    # ---- look

    def _retheme(self) -> None:
        self.setFont(theme().font(self._role))
        self.document().setDefaultFont(theme().font(self._role))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, theme().color(self._token))
        palette.setColor(QPalette.ColorRole.Link, theme().color("accent.text"))
        palette.setColor(QPalette.ColorRole.Highlight, theme().color("bg.selected"))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme().color("text.primary"))
        self.setPalette(palette)

    def _recolour(self) -> None:
        self._retheme()
        self._format(0)
        self.updateGeometry()

    def _format(self, start: int) -> None:
        """Line heights, gaps, code and links of the blocks from `start` on."""
        block = self.document().findBlock(start)
        while block.isValid():
            self._format_block(block)
            block = block.next()

    def _format_block(self, block: QTextBlock) -> None:
        shape = QTextBlockFormat(block.blockFormat())
        level = shape.headingLevel()
        role = "title" if level == 1 else "heading" if level else self._role
        line = theme().line(role) + (_HAN_EXTRA if has_han(block.text()) else 0)
        in_table = bool(QTextCursor(block).currentTable())
        shape.setLineHeight(line, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        first = block.blockNumber() == 0
        gap = 4 if block.textList() else metrics.PARAGRAPH_GAP
        shape.setTopMargin(0 if first or in_table else (12 if level else gap))
        shape.setBottomMargin(0)
        cursor = QTextCursor(block)
        cursor.setBlockFormat(shape)
        font = theme().font(role)
        for at, length, char in _fragments(block):
            cursor.setPosition(at)
            cursor.setPosition(at + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(self._char_format(char, font, heading=bool(level)))

    def _char_format(self, char: QTextCharFormat, font: QFont, *, heading: bool) -> QTextCharFormat:
        shape = QTextCharFormat()
        code = char.fontFixedPitch()
        if code:
            shape.setFont(theme().font("code"))
            shape.setBackground(theme().color("bg.sunken"))
        else:
            shown = QFont(font)
            if char.fontWeight() > QFont.Weight.Normal.value and not heading:
                shown.setWeight(QFont.Weight.DemiBold)
            shown.setItalic(char.fontItalic() and not heading)
            shown.setStrikeOut(char.fontStrikeOut())
            shape.setFont(shown)
        if char.isAnchor():
            shape.setForeground(theme().color("accent.text"))
            shape.setFontUnderline(True)
        else:
            shape.setForeground(theme().color(self._token))
        return shape

    # ---- size

    def height_for(self, width: int) -> int:
        """Height of all of it at this width."""
        document = self.document()
        if document.textWidth() != width:
            document.setTextWidth(width)
        return round(document.size().height() + 0.5) if not document.isEmpty() else 0

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(400, self.height_for(max(40, self.width())))

    def line_count(self, width: int) -> int:
        """Lines at this width, roughly."""
        return round(self.height_for(width) / max(1.0, QFontMetricsF(self.font()).lineSpacing()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The feed scrolls."""
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The feed has the menu, unless text is selected."""
        if self.textCursor().hasSelection():
            super().contextMenuEvent(event)
        else:
            event.ignore()


def nowhere(_link: str) -> None:
    """Links lead nowhere until somebody says where."""


def _fragments(block: QTextBlock) -> list[tuple[int, int, QTextCharFormat]]:
    found: list[tuple[int, int, QTextCharFormat]] = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        if fragment.isValid():
            found.append((fragment.position(), fragment.length(), fragment.charFormat()))
        iterator += 1
    return found
