"""Mentions inside the composer's text: one letter each for the cursor, drawn as a tinted box with an icon.

Owns the format that carries a mention and its drawing; the document owns the letters. Ends with the document.
"""
# ruff: noqa: N802  # Qt overrides

import math
from typing import Any

from PySide6.QtCore import QObject, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
)

from ui.theme import metrics
from ui.theme.icons import draw_icon
from ui.theme.painting import fit_text, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.composing import KINDS, Mention, MentionKind
from ui.widgets.controls.tips import plain_tip
from ui.widgets.text import clean

OBJECT = "\ufffc"
CHIP = QTextFormat.ObjectTypes.UserObject + 1
_KIND, _VALUE, _LABEL = (QTextFormat.Property.UserProperty + at for at in (1, 2, 3))
ICONS: dict[MentionKind, str] = {
    "agent": "at-sign",
    "file": "file",
    "session": "message-square",
    "text": "file-text",
}
_PAD, _ICON, _GAP = metrics.SPACE_4, metrics.ICON_RAIL, 3
_LABEL_MOST = 280
_TIP_MOST = 600


def chip_format(mention: Mention) -> QTextCharFormat:
    """The format of the letter that stands for a mention."""
    made = QTextCharFormat()
    made.setObjectType(CHIP)
    made.setFont(theme().font("prose"))
    made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
    made.setProperty(_KIND, mention.kind)
    made.setProperty(_VALUE, mention.value)
    made.setProperty(_LABEL, mention.label)
    made.setToolTip(plain_tip(clean(mention.written()[:_TIP_MOST])))
    return made


def mention_of(form: QTextFormat) -> Mention | None:
    """The mention that a format carries."""
    if form.objectType() != CHIP:
        return None
    held: Any = form.property(_KIND)
    value, label = str(form.property(_VALUE)), str(form.property(_LABEL))
    return next((Mention(kind, value, label) for kind in KINDS if kind == held), None)


def chip_width(mention: Mention) -> float:
    """Width of a chip, its outer margin included."""
    label = min(text_width(mention.label, theme().font("prose", 500)), float(theme().px(_LABEL_MOST)))
    return math.ceil(2 * _PAD + _ICON + _GAP + label + 3)


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
        left, right = box.left() + _PAD, box.right() - _PAD
        left, right = (left, right - _ICON - _GAP) if rtl else (left + _ICON + _GAP, right)
        elide = "middle" if mention.kind == "file" else "right"
        shown, width, fitting = fit_text(mention.label, font, right - left, elide)
        painter.setFont(fitting)
        painter.setPen(ink)
        # On the line of the text around it, whatever the script of the label.
        baseline = rect.bottom() - QFontMetrics(theme().font("prose")).descent()
        painter.drawText(QPointF(right - width if rtl else left, baseline), shown)
