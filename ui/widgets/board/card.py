"""A card of the board as it is painted: where its parts lie and how they look (design 7.9).

Owns no state; what a card says is its face. Widths and heights come from the text.
"""

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge, draw_state_badge, letters_of, state_badge_width
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark, state_color
from ui.theme.painting import draw_text, mirrored, rounded, text_width
from ui.theme.paragraph import draw_paragraph, paragraph_height
from ui.theme.theme import theme
from ui.viewmodels.board_faces import Face
from ui.viewmodels.cards import action_word
from ui.viewmodels.states import State
from ui.widgets.runs import across, square
from ui.wording import tr

PAD, PAD_BOTTOM, GAP = metrics.INNER_10, metrics.SPACE_8, metrics.INNER_6
SIDE = PAD + 1
"""At the sides the outline stands outside the padding, so that text ends on one line with its head."""
TITLE = metrics.BADGE_ROW + metrics.SPACE_8
TITLE_LINES = 3
LINE = 18
"""Of the two small lines, at the default font size."""
ICONS = {"cancel": "x", "stop": "stop", "copy": "copy"}
"""Actions that are an icon; the others are a word."""
KEYS = {"cancel": "X", "stop": "X", "copy": "C", "resume": "R", "again": "R", "start_again": "R", "answer": "Enter"}


@dataclass(frozen=True, slots=True)
class Shape:
    """Where the parts of a card lie."""

    box: QRectF
    title: QRectF
    line: QRectF | None
    facts: QRectF
    foot: QRectF


def word_of(action: str) -> str:
    """What an action is called."""
    return {"answer": tr("Answer"), "confirm": tr("Stop")}.get(action) or action_word(action)


def card_height(face: Face, width: float) -> int:
    """Height of a card at a width."""
    small = theme().row(LINE, "small") * (2 if face.line else 1)
    foot = theme().row(metrics.BOARD_FOOT, "small")
    return PAD + _title_height(face, width) + GAP + small + GAP + foot + PAD_BOTTOM


def shape_of(face: Face, box: QRectF) -> Shape:
    """Where its parts lie in `box`."""
    inner = box.adjusted(SIDE, PAD, -SIDE, -PAD_BOTTOM)
    tall, small = _title_height(face, box.width()), theme().row(LINE, "small")
    title = QRectF(inner.left(), inner.top(), inner.width(), tall)
    line = QRectF(inner.left(), title.bottom() + GAP, inner.width(), small)
    facts = line.translated(0, small) if face.line else line
    foot = theme().row(metrics.BOARD_FOOT, "small")
    return Shape(
        box, title, line if face.line else None, facts, QRectF(inner.left(), inner.bottom() - foot, inner.width(), foot)
    )


def mark_rect(painter_box: QRectF, face: Face) -> QRectF:
    """The part of a card that turns while it runs, with room to spare."""
    foot = shape_of(face, painter_box).foot
    return foot.adjusted(-2, 0, 2, 0)


def action_rect(face: Face, box: QRectF, *, rtl: bool) -> QRectF:
    """Where the action is pressed; empty where there is none."""
    if not face.action:
        return QRectF()
    foot = shape_of(face, box).foot
    width = float(metrics.ICON_BUTTON_SMALL)
    if face.action not in ICONS:
        width = text_width(word_of(face.action), theme().font("small", 500)) + 2 * metrics.BUTTON_SMALL_PAD + 1
    left = foot.left() if rtl else foot.right() - width
    return QRectF(left, foot.top(), width, foot.height())


def paint_card(painter: QPainter, box: QRectF, face: Face, *, hot: bool = False, held: bool = False) -> None:
    """All of a card. `hot`: the pointer is over its action; `held`: it is pressed."""
    shape, ground = shape_of(face, box), theme().color("bg.surface")
    outline = "waiting.border" if face.state is State.WAITING else "border.default"
    rounded(painter, box, metrics.RADIUS_8, ground, theme().color(outline))
    first = QRectF(shape.title.left(), shape.title.top(), shape.title.width(), theme().line("ui"))
    draw_agent_badge(painter, square(painter, first, 0, metrics.BADGE_ROW), letters_of(face.slug, face.agent))
    title = across(painter, shape.title, TITLE, shape.title.width() - TITLE)
    draw_paragraph(painter, title, face.title, "ui", theme().color("text.primary"), 500, TITLE_LINES)
    small = theme().font("small")
    if shape.line is not None:
        ink = "failed.text" if face.reason else "text.secondary"
        draw_text(painter, shape.line, face.line, small, theme().color(ink))
    draw_text(painter, shape.facts, face.facts, theme().numbers("small"), theme().color("text.muted"))
    _paint_foot(painter, shape.foot, face)
    if face.action:
        rtl = mirrored(painter)
        _paint_action(painter, action_rect(face, box, rtl=rtl), face.action, hot=hot, held=held)


def _title_height(face: Face, width: float) -> int:
    inner = width - 2 * SIDE - TITLE
    return max(metrics.BADGE_ROW, paragraph_height(face.title, "ui", inner, 500, TITLE_LINES))


def _paint_foot(painter: QPainter, foot: QRectF, face: Face) -> None:
    if face.worded:
        width = state_badge_width(face.state, face.word, face.time)
        right = foot.right() if mirrored(painter) else foot.left() + width
        draw_state_badge(painter, right, foot.center().y(), face.state, face.word, face.time)
        return
    mark = square(painter, foot, 0, metrics.MARK_BADGE)
    draw_mark(painter, mark, face.state, theme().color("bg.surface"), clock().phase)
    at = metrics.MARK_BADGE + metrics.ICON_GAP
    room = across(painter, foot, at, foot.width() - at - metrics.ICON_BUTTON_SMALL)
    font = theme().numbers("small", 600 if face.state is State.WAITING else None)
    draw_text(painter, room, face.time, font, state_color(face.state))


def _paint_action(painter: QPainter, box: QRectF, action: str, *, hot: bool, held: bool) -> None:
    fill = theme().color("bg.selected" if held else "bg.hover") if hot or held else None
    icon = ICONS.get(action)
    if icon is not None:
        if fill is not None:
            rounded(painter, box, metrics.RADIUS_6, fill)
        side = metrics.ICON_SMALL
        place = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
        draw_icon(painter, place, icon, theme().color("text.secondary"))
        return
    rounded(painter, box, metrics.RADIUS_6, fill or theme().color("bg.surface"), theme().color("border.control"))
    ink, pad = theme().color("text.primary"), metrics.BUTTON_SMALL_PAD
    draw_text(painter, box.adjusted(pad, 0, -pad + 1, 0), word_of(action), theme().font("small", 500), ink, None)
