"""How prose, code and tables are set in a document: fonts, line heights, gaps (design 2, 7.2).

Owns formats, made from the theme once for each look and size. Colours of special texts are named inks, so that a theme
change finds them again.
"""

from dataclasses import dataclass

from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextFormat,
    QTextListFormat,
    QTextTableCellFormat,
    QTextTableFormat,
)

from ui.theme import metrics
from ui.theme.paragraph import line_of
from ui.theme.theme import theme

CODE_PAD_V, CODE_PAD_H = metrics.MESSAGE_PAD_V, metrics.MESSAGE_PAD_H
QUOTE_INDENT = metrics.SPACE_12
_ITEM_GAP = metrics.SPACE_4
_TABLE_GAP = metrics.SPACE_16
_FIXED = int(QTextBlockFormat.LineHeightTypes.FixedHeight.value)
_HAN_SAMPLE = "中"

INKS = {
    "link": ("accent.text", None),
    "code": ("text.primary", "bg.sunken"),
    "quote": ("text.secondary", None),
    "picture": ("text.secondary", None),
}
"""Colour and ground of each ink, by token."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a text is set in. `role`: of the type table; `ink`: token of its colour; `han`: it holds Han."""

    role: str = "prose"
    ink: str = "text.primary"
    han: bool = False
    code_ground: str = "bg.sunken"

    @property
    def line(self) -> int:
        """Line height in px."""
        return line_of(_HAN_SAMPLE if self.han else "", self.role)

    def font(self) -> QFont:
        """The font of plain text."""
        return theme().font_for(_HAN_SAMPLE if self.han else "", theme().font(self.role))


def block(line: int, below: int, above: int = 0, left: int = 0) -> QTextBlockFormat:
    """A paragraph with a fixed line height."""
    made = QTextBlockFormat()
    made.setLineHeight(float(line), _FIXED)
    made.setTopMargin(above)
    made.setBottomMargin(below)
    made.setLeftMargin(left)
    return made


def code_block(indent: int) -> QTextBlockFormat:
    """A line of code in its box."""
    made = block(theme().line("code"), 0, 0, CODE_PAD_H + 1)
    made.setIndent(indent)
    made.setRightMargin(CODE_PAD_H + 1)
    return made


def rise(role: str) -> int:
    """How far text set by these formats lies below the middle of its line, in px.

    Qt puts the baseline of a line of fixed height at four fifths of it.
    """
    metric = QFontMetricsF(theme().font(role))
    line = theme().line(role)
    return round(0.8 * line - (line - metric.height()) / 2 - metric.ascent())


def item_gap(last: bool) -> int:
    """Below an item of a list."""
    return metrics.PARAGRAPH_GAP if last else _ITEM_GAP


def plain(look: Look) -> QTextCharFormat:
    """Plain text: its colour is the widget's."""
    made = QTextCharFormat()
    made.setFont(look.font())
    return made


def code_text() -> QTextCharFormat:
    """Code in a box."""
    made = QTextCharFormat()
    made.setFont(theme().font("code"))
    return made


def heading(level: int) -> tuple[QTextCharFormat, int]:
    """Font and line height of a heading in prose."""
    role = "title" if level == 1 else "heading"
    made = QTextCharFormat()
    made.setFont(theme().font(role))
    return made, theme().line(role)


def inked(text: QTextCharFormat, name: str, look: Look) -> QTextCharFormat:
    """The same in an ink."""
    made = QTextCharFormat(text)
    ink, ground = colors(name, look)
    made.setForeground(ink)
    if ground is not None:
        made.setBackground(ground)
    return made


def colors(name: str, look: Look) -> tuple[QColor, QColor | None]:
    """Colour and ground of an ink now."""
    ink, ground = INKS[name]
    if name == "code":
        return theme().color(look.ink), theme().color(look.code_ground)
    return theme().color(ink), theme().color(ground) if ground else None


def bullets(depth: int, numbered: bool, start: int) -> QTextListFormat:
    """A list at a depth from 1."""
    made = QTextListFormat()
    made.setIndent(depth)
    marks = (QTextListFormat.Style.ListDisc, QTextListFormat.Style.ListCircle, QTextListFormat.Style.ListSquare)
    made.setStyle(QTextListFormat.Style.ListDecimal if numbered else marks[min(depth, 3) - 1])
    if numbered and start > 1:
        made.setStart(start)
    return made


def table() -> QTextTableFormat:
    """A table without lines of its own: they are painted."""
    made = QTextTableFormat()
    made.setBorder(0)
    made.setCellPadding(0)
    made.setCellSpacing(0)
    made.setTopMargin(0)
    made.setBottomMargin(metrics.PARAGRAPH_GAP)
    return made


def cell_pad(look: Look) -> float:
    """Above and below the text of a table's row."""
    return max(0, metrics.TABLE_ROW - theme().line("prose")) / 2 if look.role == "prose" else metrics.SPACE_4


def cell(look: Look) -> QTextTableCellFormat:
    """A cell."""
    made = QTextTableCellFormat()
    pad = cell_pad(look)
    made.setTopPadding(pad)
    made.setBottomPadding(pad)
    made.setRightPadding(_TABLE_GAP)
    return made


def is_code(text: QTextBlockFormat) -> bool:
    """Whether the importer made it of code."""
    return text.hasProperty(QTextFormat.Property.BlockCodeLanguage) or text.hasProperty(
        QTextFormat.Property.BlockCodeFence
    )
