"""Mentions inside the composer's text: one letter each for the cursor, drawn as a tinted box with an icon.

Owns the format that carries a mention and its drawing; the document owns the letters. Ends with the document.
"""
# ruff: noqa: N802  # Qt overrides

from typing import Any

from PySide6.QtCore import QObject, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
)

from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import draw_text, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.composing import Mention, MentionKind

OBJECT = "\ufffc"
CHIP = QTextFormat.ObjectTypes.UserObject + 1
_KIND, _VALUE, _LABEL = (QTextFormat.Property.UserProperty + at for at in (1, 2, 3))
ICONS: dict[MentionKind, str] = {"agent": "at-sign", "file": "file", "session": "message-square"}
_KINDS: tuple[MentionKind, ...] = ("agent", "file", "session")
_PAD, _ICON, _GAP = metrics.SPACE_4, metrics.ICON_RAIL, 3
_LABEL_MOST = 280


def chip_format(mention: Mention) -> QTextCharFormat:
    """The format of the letter that stands for a mention."""
    made = QTextCharFormat()
    made.setObjectType(CHIP)
    made.setFont(theme().font("prose"))
    made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
    made.setProperty(_KIND, mention.kind)
    made.setProperty(_VALUE, mention.value)
    made.setProperty(_LABEL, mention.label)
    made.setToolTip(mention.written())
    return made


def mention_of(form: QTextFormat) -> Mention | None:
    """The mention that a format carries."""
    if form.objectType() != CHIP:
        return None
    held: Any = form.property(_KIND)
    value, label = str(form.property(_VALUE)), str(form.property(_LABEL))
    return next((Mention(kind, value, label) for kind in _KINDS if kind == held), None)


def chip_width(mention: Mention) -> float:
    """Width of a chip, its outer margin included."""
    label = min(text_width(mention.label, theme().font("prose", 500)), float(theme().px(_LABEL_MOST)))
    return round(2 * _PAD + _ICON + _GAP + label + 2)


class Chips(QPyTextObject):
    """Qt's handler of these letters."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:  # noqa: A002, ARG002, N803  # Qt's names
        """As wide as its label, as high as two thirds of the gap between lines allow."""
        mention = mention_of(format)
        if mention is None:
            return QSizeF(0, 0)
        return QSizeF(chip_width(mention), theme().line("prose") - 3)

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        doc: QTextDocument,  # noqa: ARG002  # Qt's signature
        posInDocument: int,  # noqa: ARG002, N803
        format: QTextFormat,  # noqa: A002
    ) -> None:
        """Box, icon, label; a selected one has the accent's outline."""
        mention = mention_of(format)
        if mention is None:
            return
        rect = QRectF(rect)
        selected = format.hasProperty(QTextFormat.Property.BackgroundBrush)
        ink = theme().color("accent.text")
        font = theme().font("prose", 500)
        box = rect.adjusted(1, 0, -1, 1)
        outline = theme().color("focus.ring") if selected else None
        rounded(painter, box, metrics.RADIUS_4, theme().color("accent.tint"), outline)
        rtl = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = box.right() - _PAD - _ICON if rtl else box.left() + _PAD
        draw_icon(painter, QRectF(left, box.center().y() - _ICON / 2, _ICON, _ICON), ICONS[mention.kind], ink)
        descent = int(QFontMetricsF(font).descent() + 0.5)
        line = QFontMetricsF(font).height()
        body = QRectF(box.left() + _PAD, rect.bottom() - descent - line + QFontMetricsF(font).descent(), 0, line)
        body.setRight(box.right() - _PAD)
        body.adjust(*((0, 0, -_ICON - _GAP, 0) if rtl else (_ICON + _GAP, 0, 0, 0)))
        elide = "middle" if mention.kind == "file" else "right"
        draw_text(painter, body, mention.label, font, ink, elide)
