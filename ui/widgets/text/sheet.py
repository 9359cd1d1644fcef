"""Lines of code type, painted where they are seen: the ground under diffs, terminal output and code.

Owns painting, selection and copying of a list of lines, however long; lays out only what is exposed. It is as high as
its lines and never scrolls by itself. Its owner cuts lines that are too long (`cut_lines`).
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme.theme import theme

LINE_MOST = 2_000
"""Longer lines are shown in several."""
_TAB = "    "
Ink = tuple[int, int, str]
"""Place and length in a line, token of the colour."""
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tint:
    """How a line differs from plain ones: tokens of its ground and its ink."""

    ground: str | None = None
    ink: str = "text.primary"


PLAIN = Tint()


def cut_lines(lines: Sequence[str], most: int) -> list[str]:
    """At most `most` lines, none longer than 2,000 characters, tabs as blanks."""
    shown: list[str] = []
    for line in lines:
        text = line.replace("\t", _TAB)
        shown += [text[at : at + LINE_MOST] for at in range(0, max(1, len(text)), LINE_MOST)] if text else [""]
        if len(shown) >= most:
            return shown[:most]
    return shown


class LineSheet(QWidget):
    """Lines with optional inks. Text can be selected by mouse and copied."""

    def __init__(self, role: str = "code", pad: tuple[int, int] = (0, 0), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role, self._pad = role, pad
        self._lines: Sequence[str] = ()
        self._inks: Sequence[Sequence[Ink]] = ()
        self._widest = 0
        self._from: Place | None = None
        self._to: Place = (0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._retheme)

    # ---- what it shows

    def show_lines(self, lines: Sequence[str], inks: Sequence[Sequence[Ink]] = ()) -> None:
        """Other lines. Inks are by line."""
        self._lines, self._inks = lines, inks
        self._widest = max(map(len, lines), default=0)
        self._from = None
        self.updateGeometry()
        self.update()

    def line_count(self) -> int:
        """Number of lines."""
        return len(self._lines)

    def selected_text(self) -> str:
        """What is selected."""
        if self._from is None or self._from == self._to:
            return ""
        (first, start), (last, end) = sorted((self._from, self._to))
        if first == last:
            return self._lines[first][start:end]
        middle = list(self._lines[first + 1 : last])
        return "\n".join([self._lines[first][start:], *middle, self._lines[last][:end]])

    def line_height(self) -> int:
        """Height of a line."""
        return theme().line(self._role)

    def sizeHint(self) -> QSize:
        """All lines, as wide as the longest."""
        width = self._start() + self._widest * self._letter() + 2 * self._pad[1]
        return QSize(round(width), len(self._lines) * self.line_height() + 2 * self._pad[0])

    def minimumSizeHint(self) -> QSize:
        """It may be narrower."""
        return QSize(0, self.sizeHint().height())

    # ---- for kinds of sheets

    def _start(self) -> float:
        """Width of what stands before the text."""
        return 0.0

    def _tint(self, number: int) -> Tint:  # noqa: ARG002  # for kinds of sheets
        return PLAIN

    def _paint_before(self, painter: QPainter, number: int, line: QRectF) -> None:
        """What stands before the text of a line."""

    # ---- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """The exposed lines."""
        painter = QPainter(self)
        height, top = self.line_height(), self._pad[0]
        first = max(0, (event.rect().top() - top) // height)
        last = min(len(self._lines), (event.rect().bottom() - top) // height + 1)
        for number in range(first, last):
            self._paint_line(painter, number, QRectF(0, top + number * height, self.width(), height))
        painter.end()

    def _paint_line(self, painter: QPainter, number: int, line: QRectF) -> None:
        tint = self._tint(number)
        if tint.ground is not None:
            painter.fillRect(line, theme().color(tint.ground))
        self._paint_before(painter, number, line)
        layout = self._layout(number)
        row = layout.lineAt(0)
        ranges = [_range(place, length, token) for place, length, token in self._inks_of(number)]
        ranges += self._selected_range(number)
        painter.setPen(theme().color(tint.ink))
        at = QPointF(self._start() + self._pad[1], line.top() + (line.height() - row.height()) / 2)
        layout.draw(painter, at, ranges)

    def _inks_of(self, number: int) -> Sequence[Ink]:
        return self._inks[number] if number < len(self._inks) else ()

    def _selected_range(self, number: int) -> list[QTextLayout.FormatRange]:
        if self._from is None or self._from == self._to:
            return []
        (first, start), (last, end) = sorted((self._from, self._to))
        if not first <= number <= last:
            return []
        begin = start if number == first else 0
        stop = end if number == last else len(self._lines[number])
        made = QTextLayout.FormatRange()
        made.start, made.length = begin, max(0, stop - begin)
        look = QTextCharFormat()
        look.setBackground(theme().color("bg.selected"))
        made.format = look
        return [made]

    def _layout(self, number: int) -> QTextLayout:
        layout = QTextLayout(self._lines[number], self._font())
        option = QTextOption(Qt.AlignmentFlag.AlignLeft)
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        layout.setTextOption(option)
        layout.beginLayout()
        row = layout.createLine()
        row.setNumColumns(len(self._lines[number]) + 1)
        layout.endLayout()
        return layout

    def _font(self) -> QFont:
        return theme().font(self._role)

    def _letter(self) -> float:
        return QFontMetricsF(self._font()).horizontalAdvance("0")

    def _retheme(self) -> None:
        self.updateGeometry()
        self.update()

    # ---- selection

    def _place_at(self, at: QPointF) -> Place:
        number = int((at.y() - self._pad[0]) // self.line_height())
        if number < 0 or not self._lines:
            return 0, 0
        if number >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        layout = self._layout(number)  # its line dies with it
        return number, layout.lineAt(0).xToCursor(at.x() - self._start() - self._pad[1])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A selection begins."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = self._to = self._place_at(event.position())
            self.update()
            event.accept()
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """It grows."""
        if self._from is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._to = self._place_at(event.position())
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A whole line."""
        number, _ = self._place_at(event.position())
        if self._lines:
            self._from, self._to = (number, 0), (number, len(self._lines[number]))
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, select all; other keys belong to the feed."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.selected_text():
            QGuiApplication.clipboard().setText(self.selected_text())
        elif event.matches(QKeySequence.StandardKey.SelectAll) and self._lines:
            self._from, self._to = (0, 0), (len(self._lines) - 1, len(self._lines[-1]))
            self.update()
        else:
            event.ignore()


def _range(place: int, length: int, token: str) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length = place, length
    look = QTextCharFormat()
    look.setForeground(theme().color(token))
    made.format = look
    return made
