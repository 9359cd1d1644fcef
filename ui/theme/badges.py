"""Letter badges of agents and word badges of states (design 3, 5).

Owns their drawing and widths; words and numbers come from the caller.
"""
# ruff: noqa: PLR0917  # a painter, a place and what to paint

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark, state_color
from ui.theme.painting import draw_text, mirrored, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.states import State

_LETTERS = {
    "claude_code": "CC", "claude": "CC", "claudecode": "CC", "codex": "Cx", "opencode": "OC", "demo": "De",
}  # fmt: skip
_NUMBER_GAP = 5


def letters_of(slug_or_name: str, label: str = "") -> str:
    """The two letters of an agent: CC, Cx, OC, De; another one takes the first two letters of its name."""
    key = slug_or_name.strip().lower().replace("-", "_").replace(" ", "_").removesuffix("_mcp_client")
    known = _LETTERS.get(key) or _LETTERS.get(key.replace("_", ""))
    if known:
        return known
    letters = [letter for letter in (label or slug_or_name) if letter.isalnum()]
    return "".join(letters[:2]).capitalize() or "··"


def draw_agent_badge(painter: QPainter, rect: QRectF, letters: str) -> None:
    """A grey rounded square with two letters; the agent's name always stands beside it."""
    radius = min(metrics.RADIUS_6, rect.height() * 0.3)
    rounded(painter, rect, radius, theme().color("bg.hover"), theme().color("border.default"))
    color = theme().color("text.secondary")
    draw_text(painter, rect, letters, _letter_font(rect.height()), color, None, Qt.AlignmentFlag.AlignHCenter)


def draw_person(painter: QPainter, rect: QRectF) -> None:
    """The person: a circle with a figure."""
    rounded(painter, rect, rect.height() / 2, theme().color("bg.surface"), theme().color("border.default"))
    inset = rect.height() * 0.21
    draw_icon(painter, rect.adjusted(inset, inset, -inset, -inset), "user", theme().color("text.secondary"))


def state_badge_width(state: State, word: str, number: str = "") -> float:
    """Width of a state badge."""
    width = text_width(word, _word_font(state))
    if number:
        width += _NUMBER_GAP + text_width(number, theme().numbers("small"))
    return round(
        metrics.STATE_BADGE_LEFT + metrics.MARK_BADGE + metrics.STATE_BADGE_GAP + width + metrics.STATE_BADGE_RIGHT
    )


def draw_state_badge(
    painter: QPainter,
    right: float,
    center_y: float,
    state: State,
    word: str,
    number: str = "",
    fill: QColor | None = None,
) -> QRectF:
    """Draw a state badge that ends at `right`; returns its place. `fill` replaces the ground while it blends."""
    width, height = state_badge_width(state, word, number), float(theme().row(metrics.STATE_BADGE, "small"))
    box = QRectF(right - width, round(center_y - height / 2), width, height)
    waits = state is State.WAITING
    ground = fill or (theme().color("waiting.fill") if waits else state_color(state, "tint"))
    ink = theme().color("waiting.on-fill") if waits else state_color(state, "text")
    rounded(painter, box, metrics.RADIUS_6, ground)
    at = box.left() + metrics.STATE_BADGE_LEFT
    parts: list[tuple[float, str, QFont]] = [(text_width(word, _word_font(state)), word, _word_font(state))]
    if number:
        font = theme().numbers("small", 500 if waits else None)
        parts.append((text_width(number, theme().numbers("small")), number, font))
    mark = _placed(painter, box, at, metrics.MARK_BADGE)
    draw_mark(painter, mark, state, ground, clock().phase, on_fill=waits)
    at += metrics.MARK_BADGE + metrics.STATE_BADGE_GAP
    for width, text, font in parts:
        draw_text(painter, _placed(painter, box, at, width + 1), text, font, ink, None)
        at += width + _NUMBER_GAP
    return box


def draw_count_box(painter: QPainter, right: float, center_y: float, count: int) -> QRectF:
    """How many wait for the person: an amber box that ends at `right`; returns its place."""
    text, font = str(count), theme().numbers("small", 600)
    width = float(max(metrics.COUNT_BOX_LEAST, round(text_width(text, font) + 2 * metrics.INNER_6)))
    height = float(theme().row(metrics.COUNT_BOX, "small"))
    box = QRectF(right - width, round(center_y - height / 2), width, height)
    rounded(painter, box, metrics.RADIUS_6, theme().color("waiting.fill"))
    draw_text(painter, box, text, font, theme().color("waiting.on-fill"), None, Qt.AlignmentFlag.AlignHCenter)
    return box


def _placed(painter: QPainter, box: QRectF, at: float, width: float) -> QRectF:
    """A part of the badge, mirrored with the layout."""
    left = box.right() - (at - box.left()) - width if mirrored(painter) else at
    return QRectF(left, box.top(), width, box.height())


def _word_font(state: State) -> QFont:
    return theme().font("small", 600 if state is State.WAITING else 500)


def _letter_font(height: float) -> QFont:
    role = "badge.18" if height < metrics.BADGE_ROW else "badge.20" if height < metrics.BADGE_CARD else "badge.22"
    return theme().font(role)
