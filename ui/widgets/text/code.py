"""A block of code: a head line with the language and Copy, the code below, coloured as far as it is worth.

Owns the text; highlighting is bounded and its library is loaded when code is first shown. Ends with its message.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPalette,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.painting import draw_text, hairline, rounded
from ui.theme.theme import theme
from ui.widgets.controls import Button
from ui.widgets.text.clean import broken, clean
from ui.wording import clean_line, tr

COLOURED = 20_000
"""Characters; longer code is shown plain."""
_TOKENS = {
    "Keyword": "code.keyword",
    "Name.Builtin": "code.keyword",
    "Operator.Word": "code.keyword",
    "String": "code.string",
    "Number": "code.number",
    "Comment": "code.comment",
    "Name.Function": "code.function",
    "Name.Class": "code.function",
    "Name.Decorator": "code.function",
    "Name.Tag": "code.keyword",
    "Name.Attribute": "code.function",
}
MOST_LINES = 400


@lru_cache(maxsize=64)
def lexer_of(language: str) -> Any:
    """The lexer of a language, None where it is unknown."""
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415  # 30 ms, and only code needs it
    from pygments.util import ClassNotFound  # noqa: PLC0415  # likewise

    find: Any = get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]  # the stubs leave the options open
    try:
        return find(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def lexer_for_file(path: str) -> Any:
    """The lexer of a file by its name, None where it is unknown."""
    ending = path.rpartition(".")[2].lower() if "." in path else ""
    known = {"py": "python", "rs": "rust", "ts": "typescript", "tsx": "tsx", "js": "javascript", "md": "markdown"}
    return lexer_of(known.get(ending, ending)) if ending else None


def coloured(text: str, lexer: Any) -> Iterator[tuple[int, int, str]]:
    """Start, length and token of each run that has a colour."""
    if lexer is None or len(text) > COLOURED:
        return
    at = 0
    for kind, value in lexer.get_tokens(text):
        name = str(kind).removeprefix("Token.")
        token = next((_TOKENS[part] for part in _prefixes(name) if part in _TOKENS), None)
        if token is not None:
            yield at, len(value), token
        at += len(value)


def _prefixes(name: str) -> Iterator[str]:
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        yield ".".join(parts[:end])
        if parts[0] == "Literal" and end > 1:
            yield ".".join(parts[1:end])


class _Colours(QSyntaxHighlighter):
    """Spans of the whole text, laid on block by block."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self.spans: list[tuple[int, int, str]] = []

    def highlightBlock(self, text: str) -> None:
        start = self.currentBlock().position()
        end = start + len(text)
        for at, length, token in self.spans:
            if at < end and at + length > start:
                shape = QTextCharFormat()
                shape.setForeground(theme().color(token))
                low = max(at, start) - start
                self.setFormat(low, min(at + length, end) - start - low, shape)


class PlainText(QPlainTextEdit):
    """Mono text without a frame; the feed scrolls up and down, the text itself sideways."""

    def __init__(self, role: str = "code", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role = role
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setUndoRedoEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._retheme()
        theme().changed.connect(self._retheme)

    def _retheme(self) -> None:
        self.setFont(theme().font(self._role))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, theme().color("text.primary"))
        palette.setColor(QPalette.ColorRole.Highlight, theme().color("bg.selected"))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme().color("text.primary"))
        self.setPalette(palette)

    def line_px(self) -> float:
        """Height of a line as Qt lays it out."""
        return QFontMetricsF(self.font()).lineSpacing()

    def wanted_height(self, width: int) -> int:
        """All lines, and the bar if a line is wider."""
        lines = self.document().blockCount()
        wide = self.document().idealWidth() > width
        return round(lines * self.line_px()) + 2 + (metrics.SCROLL_BAR if wide else 0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Sideways only."""
        if event.angleDelta().x() and not event.angleDelta().y():
            super().wheelEvent(event)
        else:
            event.ignore()


class CodeBlock(QWidget):
    """The block. It shows 400 lines and offers the rest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._language = "", ""
        self._all = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.body = PlainText("code", self)
        self._colours = _Colours(self.body.document())
        self.copy_button = Button(tr("Copy"), "ghost", icon="copy", small=True, parent=self)
        self.more = Button("", "link", small=True, parent=self)
        self.more.hide()
        self.copy_button.clicked.connect(self.copy)
        self.more.clicked.connect(self._show_all)
        theme().changed.connect(self._recolour)

    def show_code(self, text: str, language: str, *, live: bool = False) -> None:
        """Show this code; colours come when it is whole."""
        if (text, language) == (self._text, self._language) and not live:
            return
        self._text, self._language = text, language
        self._lay(live=live)

    def _lay(self, *, live: bool) -> None:
        safe = broken(clean(self._text))
        lines = safe.split("\n")
        hidden = 0 if self._all else max(0, len(lines) - MOST_LINES)
        shown = "\n".join(lines[:MOST_LINES]) if hidden else safe
        self._colours.spans = []
        if shown != self.body.toPlainText():
            self.body.setPlainText(shown)
        if not live:
            self._colours.spans = list(coloured(shown, lexer_of(self._language.lower()))) if self._language else []
            self._colours.rehighlight()
        self.more.setVisible(bool(hidden))
        self.more.setText(tr("Show %n more lines", n=hidden))
        self.setAccessibleName(tr("Code, {language}", language=self._language or tr("plain text")))
        self.updateGeometry()

    def _show_all(self) -> None:
        self._all = True
        self._lay(live=False)
        parent = self.parentWidget()
        if parent is not None:
            parent.updateGeometry()

    def copy(self) -> None:
        """The whole code, as it was written."""
        QGuiApplication.clipboard().setText(self._text)

    def height_for(self, width: int) -> int:
        """Head, padding, lines."""
        inner = width - 2 * metrics.MESSAGE_PAD_H
        more = metrics.BUTTON_SMALL if not self.more.isHidden() else 0
        return metrics.CODE_HEAD + self.body.wanted_height(inner) + 2 * metrics.MESSAGE_PAD_V + more

    def sizeHint(self) -> QSize:
        """By its width."""
        return QSize(400, self.height_for(max(80, self.width())))

    def resizeEvent(self, _event: object) -> None:
        """Head at the top, code below."""
        width, height = self.width(), self.height()
        size = self.copy_button.sizeHint()
        self.copy_button.setGeometry(width - size.width() - 4, 2, size.width(), size.height())
        more = metrics.BUTTON_SMALL if not self.more.isHidden() else 0
        pad = metrics.MESSAGE_PAD_H
        top = metrics.CODE_HEAD + metrics.MESSAGE_PAD_V
        self.body.setGeometry(pad, top, width - 2 * pad, height - top - metrics.MESSAGE_PAD_V - more)
        self.more.setGeometry(pad, height - more - 4, width - 2 * pad, more)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Sunken box with a line under its head."""
        painter = QPainter(self)
        rounded(
            painter, QRectF(self.rect()), metrics.RADIUS_8, theme().color("bg.sunken"), theme().color("border.subtle")
        )
        hairline(painter, 0, metrics.CODE_HEAD, self.width(), metrics.CODE_HEAD, theme().color("border.subtle"))
        room = QRectF(metrics.MESSAGE_PAD_H, 0, self.width() - 100, metrics.CODE_HEAD)
        name = clean_line(self._language, 40) or tr("text")
        draw_text(painter, room, name, theme().font("small"), theme().color("text.muted"))
        painter.end()

    def _recolour(self) -> None:
        self._colours.rehighlight()
        self.update()
