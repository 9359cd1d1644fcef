"""Colours of code, and a box that shows code: a head line with the language and *Copy*, the lines below.

Owns the way to pygments, which is imported when code is first coloured, never at the start. Bounded: longer code than
20 kB stays plain.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextCharFormat
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.painting import draw_text, rounded
from ui.theme.theme import theme
from ui.widgets.controls import Button
from ui.widgets.text.clean import clean
from ui.widgets.text.plain_text import PlainText
from ui.widgets.text.sheet import Ink, LineSheet
from ui.wording import tr

__all__ = ["CodeBlock", "PlainText", "by_line", "format_of", "highlight", "language_of_path", "paint_code_box"]

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_PAD = metrics.MESSAGE_PAD_H + 1
HIGHLIGHT_MOST = 20_000
"""Characters of code that are coloured at once."""
_LINE_MOST = 2_000  # a lexer may need far more than linear time for one long line
_NAMES = {"": "", "text": "", "txt": "", "plain": "", "plaintext": "", "console": "bash", "shell": "bash", "sh": "bash"}

Token = tuple[int, int, str]
"""Place, length, colour: keyword, string, number, comment or function."""


def highlight(code: str, language: str) -> tuple[Token, ...]:
    """The coloured parts of `code` in a language or file name's ending; () for what is not known or too long."""
    if not code or len(code) > HIGHLIGHT_MOST or max(map(len, code.split("\n"))) > _LINE_MOST:
        return ()
    return _tokens(code, language)


@lru_cache(maxsize=256)
def _tokens(code: str, language: str) -> tuple[Token, ...]:
    lexer = _lexer(_NAMES.get(language, language))
    if lexer is None:
        return ()
    found: list[Token] = []
    for at, kind, text in lexer.get_tokens_unprocessed(code + "\n"):  # some rules wait for a line's end
        color = _color(kind)
        if color and text.strip():
            found.append((at, min(len(text), len(code) - at), color))
    return tuple(found)


@lru_cache(maxsize=64)
def _lexer(language: str) -> "Lexer | None":
    if not language:
        return None
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415  # 20 ms that the start must not pay  # pyright: ignore[reportUnknownVariableType]  # half typed
    from pygments.util import ClassNotFound  # noqa: PLC0415  # likewise

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=512)
def _color(kind: Any) -> str:
    """Our colour of a token of pygments, "" = plain."""
    path = str(kind).removeprefix("Token.")
    for prefix, color in _COLORS:
        if path == prefix or path.startswith(prefix + "."):
            return color
    return ""


_COLORS = (
    ("Comment", "comment"),
    ("Keyword.Constant", "number"),
    ("Keyword", "keyword"),
    ("Operator.Word", "keyword"),
    ("Name.Tag", "keyword"),
    ("Literal.String", "string"),
    ("Literal.Number", "number"),
    ("Literal", "number"),
    ("Name.Function", "function"),
    ("Name.Class", "function"),
    ("Name.Decorator", "function"),
    ("Name.Attribute", "function"),
    ("Name.Builtin", "function"),
    ("Name.Exception", "function"),
)


def language_of_path(path: str) -> str:
    """A language that `highlight` knows, by a file's ending; "" = none."""
    name = path.rpartition("/")[2].lower()
    if name in _FILES:
        return _FILES[name]
    return _ENDINGS.get(name.rpartition(".")[2], "") if "." in name else ""


_FILES = {"makefile": "make", "dockerfile": "docker", "cmakelists.txt": "cmake"}
_ENDINGS = {
    "py": "python", "pyi": "python", "js": "javascript", "mjs": "javascript", "jsx": "jsx", "ts": "typescript",
    "tsx": "tsx", "rs": "rust", "go": "go", "c": "c", "h": "c", "cpp": "cpp", "hpp": "cpp", "cc": "cpp", "java": "java",
    "kt": "kotlin", "swift": "swift", "rb": "ruby", "php": "php", "cs": "csharp", "sh": "bash", "bash": "bash",
    "zsh": "bash", "ps1": "powershell", "json": "json", "toml": "toml", "yaml": "yaml", "yml": "yaml", "xml": "xml",
    "html": "html", "css": "css", "scss": "scss", "sql": "sql", "md": "markdown", "ini": "ini", "cfg": "ini",
    "lua": "lua", "qml": "qml", "vue": "vue", "ex": "elixir", "exs": "elixir", "hs": "haskell", "scala": "scala",
    "dart": "dart", "zig": "zig", "nix": "nix", "proto": "protobuf", "tf": "terraform", "graphql": "graphql",
}  # fmt: skip


def format_of(token: str) -> QTextCharFormat:
    """The colour of a token of the theme, now."""
    made = QTextCharFormat()
    made.setForeground(theme().color(token))
    return made


def by_line(code: str, tokens: Sequence[Token]) -> list[list[Ink]]:
    """Tokens of a text as inks of its lines."""
    lines = code.split("\n")
    found: list[list[Ink]] = [[] for _ in lines]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    number = 0
    for place, length, color in tokens:
        at, end = place, place + length
        while number + 1 < len(lines) and starts[number + 1] <= at:
            number += 1
        row = number
        while at < end and row < len(lines):
            stop = min(end, starts[row] + len(lines[row]))
            if stop > at:
                found[row].append((at - starts[row], stop - at, f"code.{color}"))
            row += 1
            at = starts[row]
    return found


class CodeBlock(QWidget):
    """Code in a box. `copied`: the person took it."""

    copied = Signal()

    def __init__(self, code: str = "", language: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._code, self._language = "", ""
        self._head = True
        self.sheet = LineSheet(pad=(metrics.MESSAGE_PAD_V, metrics.MESSAGE_PAD_H), parent=self)
        self.copy_button = Button(tr("Copy"), "ghost", icon="copy", small=True, parent=self)
        self.copy_button.clicked.connect(self.copy)
        theme().changed.connect(self._retheme)
        self.show_code(code, language)

    def show_code(self, code: str, language: str = "", head: bool = True) -> None:
        """Show other code. `head`: with the line of language and *Copy*."""
        self._code, self._language, self._head = code, language, head
        shown = clean(code)
        lines = shown.split("\n")
        self.sheet.show_lines(lines, by_line(shown, highlight(shown, language.lower())))
        self.copy_button.setVisible(head)
        self.setAccessibleName(tr("Code"))
        self.updateGeometry()
        self._place()
        self.update()

    def copy(self) -> None:
        """Put the code on the clipboard."""
        from PySide6.QtGui import QGuiApplication  # noqa: PLC0415  # only when used

        QGuiApplication.clipboard().setText(clean(self._code))
        self.copied.emit()

    def sizeHint(self) -> QSize:
        """All lines."""
        return QSize(self.sheet.sizeHint().width() + 2, self._head_height() + self.sheet.sizeHint().height() + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Box and language."""
        painter = QPainter(self)
        paint_code_box(painter, QRectF(self.rect()), self._language if self._head else None)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The lines fill the box."""
        super().resizeEvent(event)
        self._place()

    def _head_height(self) -> int:
        return theme().row(metrics.CODE_HEAD, "small") if self._head else 0

    def _place(self) -> None:
        top = self._head_height() + 1
        self.sheet.setGeometry(1, top, max(0, self.width() - 2), max(0, self.height() - top - 1))
        size = self.copy_button.sizeHint()
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = metrics.SPACE_4 if rtl else self.width() - size.width() - metrics.SPACE_4
        self.copy_button.setGeometry(left, 3, size.width(), size.height())

    def _retheme(self) -> None:
        self.updateGeometry()
        self._place()
        self.update()


def paint_code_box(painter: QPainter, box: QRectF, language: str | None, ground: str = "bg.sunken") -> None:
    """Ground, outline and, where `language` is not None, the head line's word."""
    rounded(painter, box, metrics.RADIUS_8, theme().color(ground), theme().color("border.subtle"))
    if language is None:
        return
    head = box.adjusted(_PAD, 1, -_PAD, 0)
    head.setHeight(theme().row(metrics.CODE_HEAD, "small"))
    draw_text(painter, head, language or tr("Text"), theme().font("small"), theme().color("text.muted"))
