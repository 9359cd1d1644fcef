"""A command in its box: mono, whole, broken at the width of the box, at most so many lines and a scroll.

Owns the lines. Nothing of it is hidden: control and direction characters are boxed codes. What is copied has only the
command's own line ends.
"""
# ruff: noqa: N802  # Qt overrides

from unicodedata import east_asian_width

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.viewmodels.asking import whole_command
from ui.widgets.asks.flow import Scroll
from ui.widgets.text.sheet import LineSheet
from ui.wording import tr

LINES_MOST = 8
_TAB = "    "
_FRAME = 1


class CommandBox(QWidget):
    """Ask `height_for(width)`, then give it that size."""

    def __init__(self, parent: QWidget, most: int = LINES_MOST, name: str = "") -> None:
        super().__init__(parent)
        self._most = most
        self._text = ""
        self._columns = 0
        self.sheet = _Sheet("code")
        self.sheet.setAccessibleName(name or tr("Command"))
        self._scroll = Scroll(self.sheet, self)
        self._scroll.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.sheet.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        theme().changed.connect(self._retheme)

    def show_command(self, text: str) -> None:
        """Show this."""
        shown = whole_command(text).replace("\t", _TAB).strip("\n")
        if shown != self._text:
            self._text, self._columns = shown, 0
            self.sheet.setAccessibleDescription(shown[:1_000])

    def height_for(self, width: int) -> int:
        """Its lines at this width, 8 at most."""
        inner = self._inner(width)
        columns = max(8, int(inner // QFontMetricsF(theme().font("code")).horizontalAdvance("0")))
        if columns != self._columns:
            self._columns = columns
            self.sheet.show_wrapped(self._text.split("\n"), columns)
        lines = min(self._most, self.sheet.line_count())
        return lines * theme().line("code") + 2 * (metrics.ASK_BOX_PAD_V + _FRAME)

    def _inner(self, width: int) -> int:
        return width - 2 * (metrics.ASK_BOX_PAD_H + _FRAME) - metrics.SCROLL_BAR

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The lines fill the box."""
        super().resizeEvent(event)
        across, down = metrics.ASK_BOX_PAD_H + _FRAME, metrics.ASK_BOX_PAD_V + _FRAME
        self._scroll.setGeometry(across, down, self.width() - across - _FRAME, self.height() - 2 * down)
        self.sheet.resize(max(1, self._inner(self.width())), self.sheet.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The box."""
        painter = QPainter(self)
        ground, outline = theme().color("bg.surface"), theme().color("border.default")
        rounded(painter, QRectF(self.rect()), metrics.RADIUS_6, ground, outline)
        painter.end()

    def _retheme(self) -> None:
        self._columns = 0
        self.update()


class _Sheet(LineSheet):
    """Lines of which some go on in the next one."""

    def __init__(self, role: str) -> None:
        super().__init__(role)
        self._continued: set[int] = set()

    def show_wrapped(self, lines: list[str], columns: int) -> None:
        """These, each broken after so many columns."""
        shown: list[str] = []
        self._continued = set()
        for line in lines:
            for number, part in enumerate(_broken(line, columns)):
                if number:
                    self._continued.add(len(shown))
                shown.append(part)
        self.show_lines(shown)

    def selected_text(self) -> str:
        """Without the breaks of the box."""
        if self._from is None or self._from == self._to:
            return ""
        (first, start), (last, end) = sorted((self._from, self._to))
        text = ""
        for number in range(first, last + 1):
            line = self._lines[number]
            cut = line[start if number == first else 0 : end if number == last else len(line)]
            text += cut if number == first or number in self._continued else f"\n{cut}"
        return text


def _broken(line: str, columns: int) -> list[str]:
    """Parts of a line; wide letters take two columns."""
    if line.isascii() or len(line) * 2 <= columns:
        return [line[at : at + columns] for at in range(0, max(1, len(line)), columns)]
    parts: list[str] = []
    start = used = 0
    for at, letter in enumerate(line):
        wide = 2 if east_asian_width(letter) in {"W", "F"} else 1
        if used + wide > columns:
            parts.append(line[start:at])
            start, used = at, 0
        used += wide
    return [*parts, line[start:]]
