"""The parts of the status bar: a mark with a count, and the way to all commands (design 6).

Owns their look; what they do is told by `clicked`. Ends with the bar.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, rounded, text_width
from ui.theme.theme import theme
from ui.viewmodels.states import State
from ui.viewmodels.status import Part
from ui.widgets.controls.keys import caps_width, draw_caps, key_label, key_parts
from ui.widgets.controls.pressable import Pressable

PAD = metrics.SPACE_4
"""Room inside a group, so that its ground shows around the text; the bar's gaps are so much smaller."""
_TURNS = frozenset({State.RUNNING, State.STARTING})


class _Line(Pressable):
    """One line of small text in the height of a target."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """It never gets smaller: it goes as a whole."""
        return self.sizeHint()

    def place(self, at: float, width: float, height: float) -> QRectF:
        """A part at `at` from the leading edge, mirrored with the layout."""
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = self.width() - at - width if rtl else at
        return QRectF(left, (self.height() - height) / 2, width, height)

    def paint_ground(self, painter: QPainter) -> str:
        """The fill by state; its token."""
        token = self.ground_token()
        if token is not None:
            rounded(painter, QRectF(self.rect()), metrics.RADIUS_6, theme().color(token))
        return token or "bg.sidebar"


class Group(_Line):
    """Mark 14 and text 12."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.part = Part("")
        super().__init__("", parent)

    def show_part(self, part: Part) -> None:
        """Say this."""
        if part == self.part:
            return
        self.part = part
        self.setText(part.text)
        self.setAccessibleName(part.text)
        self.setEnabled(bool(part.page))
        if part.state in _TURNS:
            clock().watch_frames(self)
        else:
            clock().unwatch_frames(self)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as its text, in any language."""
        width = self._lead() + text_width(self.part.text, self._font()) + PAD
        return QSize(round(width), theme().row(metrics.TARGET, "small"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, mark, text."""
        painter = QPainter(self)
        ground = theme().color(self.paint_ground(painter))
        mark = self.place(PAD, metrics.MARK_BADGE, metrics.MARK_BADGE)
        if self.part.state is not None:
            draw_mark(painter, mark, self.part.state, ground, clock().phase)
        elif self.part.icon:
            token = "completed.mark" if self.part.icon == "check" else "failed.mark"
            draw_icon(painter, mark, self.part.icon, theme().color(token))
        token = "waiting.text" if self.part.strong else "text.secondary"
        room = self.place(self._lead(), self.width() - self._lead(), self.height())
        draw_text(painter, room, self.part.text, self._font(), theme().color(token), None)
        painter.end()

    def _lead(self) -> float:
        marked = self.part.state is not None or bool(self.part.icon)
        return PAD + (metrics.MARK_BADGE + metrics.ICON_GAP if marked else 0)

    def _font(self) -> QFont:
        return theme().numbers("small", 600 if self.part.strong else None)


class Commands(_Line):
    """The word and its key: opens the palette."""

    def __init__(self, text: str, key: str, parent: QWidget | None = None) -> None:
        self._key = key
        super().__init__(text, parent)
        self.set_key(key)

    def set_key(self, key: str) -> None:
        """The key that the action has now."""
        self._key = key
        self.setAccessibleName(f"{self.text()}, {key_label(key)}" if key else self.text())
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Word and caps."""
        return QSize(round(self._word() + self._caps() + self._gap() + PAD), theme().row(metrics.TARGET, "small"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, word, caps."""
        painter = QPainter(self)
        self.paint_ground(painter)
        room = self.place(PAD, self._word(), self.height())
        draw_text(painter, room, self.text(), theme().font("small"), theme().color("text.secondary"), None)
        if self._key:
            caps = self.place(self._word() + self._gap(), self._caps(), self.height())
            draw_caps(painter, caps.left(), self.height() / 2, key_parts(self._key))
        painter.end()

    def _word(self) -> float:
        return PAD + text_width(self.text(), theme().font("small")) + 1

    def _gap(self) -> float:
        return metrics.SPACE_8 if self._key else 0.0

    def _caps(self) -> float:
        return caps_width(key_parts(self._key)) if self._key else 0.0
