"""Things that only show: text, key caps, marks, badges, lines.

Owns their look. Text is always plain. They take no focus.
"""
# ruff: noqa: N802, PLR0917  # Qt overrides; the names of parameters are the public promise

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from ui.theme import metrics
from ui.theme.badges import draw_agent_badge
from ui.theme.clock import clock
from ui.theme.icons import draw_icon
from ui.theme.marks import draw_mark
from ui.theme.painting import draw_text, text_width
from ui.theme.paragraph import draw_paragraph, paragraph_height, paragraph_width
from ui.theme.theme import theme
from ui.viewmodels.states import State
from ui.widgets.controls.keys import cap_height, caps_width, draw_caps, key_label, key_parts
from ui.widgets.controls.tips import set_tip

_READABLE = 560  # px: a wrapped text asks for no more
_WRAP_LEAST, _CUT_LEAST = 96, 32


class Label(QLabel):
    """Plain text in a role of the type table. `elide` cuts it in one line, and shows all of it in the tooltip."""

    def __init__(
        self,
        text: str = "",
        role: str = "ui",
        token: str = "text.primary",  # noqa: S107  # a colour, no secret
        weight: int | None = None,
        elide: bool = False,
        wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._role, self._token, self._weight, self._elide = role, token, weight, elide
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if elide:
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        elif wrap:
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
        self.setText(text)
        self._retheme()
        theme().changed.connect(self._retheme)

    def setText(self, text: str) -> None:
        """Show `text`; the font follows its script."""
        if text == self.text():
            return
        super().setText(text)
        self._set_font()
        if self._elide:
            set_tip(self, text)

    def set_token(self, token: str) -> None:
        """Another colour."""
        if token != self._token:
            self._token = token
            self._retheme()

    def setWordWrap(self, on: bool) -> None:
        """Break lines, or keep to one."""
        super().setWordWrap(on)
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        """Only a wrapped text grows down."""
        return self.wordWrap()

    def heightForWidth(self, width: int) -> int:
        """Lines of the design's height."""
        if not self.wordWrap():
            return self.sizeHint().height()
        inner = self._margins()
        return paragraph_height(self.text(), self._role, width - inner.width(), self._weight) + inner.height()

    def sizeHint(self) -> QSize:
        """As wide as its text, but a wrapped one at most as wide as a line is good to read."""
        inner = self._margins()
        if not self._is_paragraph():
            return QSize(math.ceil(text_width(self.text(), self.font())) + 1, theme().line(self._role)) + inner
        width = math.ceil(paragraph_width(self.text(), self._role, self._weight)) + 1
        if self.wordWrap():
            width = min(width, theme().px(_READABLE))
        return QSize(width, paragraph_height(self.text(), self._role, width, self._weight)) + inner

    def minimumSizeHint(self) -> QSize:
        """A cut label gives way, a wrapped one grows down instead."""
        if self._elide or self.wordWrap():
            width = min(self.sizeHint().width(), theme().px(_CUT_LEAST if self._elide else _WRAP_LEAST))
            return QSize(width, theme().line(self._role) + self._margins().height())
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Text in its own direction, from the leading edge; one that can be selected is Qt's."""
        if self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        color = theme().color(self._token if self.isEnabled() else "text.muted")
        body = QRectF(self.contentsRect())
        if self._is_paragraph():
            used = paragraph_height(self.text(), self._role, body.width(), self._weight)
            if self.alignment() & Qt.AlignmentFlag.AlignVCenter:
                body.translate(0, max(0.0, (body.height() - used) / 2))
            draw_paragraph(painter, body, self.text(), self._role, color, self._weight)
        else:
            elide = "right" if self._elide else None
            draw_text(painter, body, self.text(), self.font(), color, elide, self.alignment())
        painter.end()

    def _is_paragraph(self) -> bool:
        return self.wordWrap() or "\n" in self.text()

    def _margins(self) -> QSize:
        margins = self.contentsMargins()
        return QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _retheme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, theme().color(self._token))
        palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText, theme().color("text.muted"))
        palette.setColor(QPalette.ColorRole.Highlight, theme().color("bg.selected"))
        palette.setColor(QPalette.ColorRole.HighlightedText, theme().color("text.primary"))
        self.setPalette(palette)
        self._set_font()

    def _set_font(self) -> None:
        font = theme().font_for(self.text(), theme().font(self._role, self._weight))
        if font != self.font():
            self.setFont(font)
            self.updateGeometry()


class KeyCap(QWidget):
    """A key, one cap for each of its parts: "Ctrl+K" is two."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = key_parts(text)
        self.setAccessibleName(key_label(text))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)
        theme().changed.connect(self.update)

    def set_key(self, text: str) -> None:
        """Another key."""
        self._parts = key_parts(text)
        self.setAccessibleName(key_label(text))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as its caps."""
        return QSize(round(caps_width(self._parts)), cap_height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The caps."""
        painter = QPainter(self)
        draw_caps(painter, 0, self.height() / 2, self._parts)
        painter.end()


class MarkLabel(QWidget):
    """A state mark. It turns while it runs and can be seen."""

    def __init__(
        self, state: State, size: int = metrics.MARK, ground: str = "bg.surface", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._state, self._size, self._ground = state, size, ground
        self.setFixedSize(size, size)
        self.setAccessibleName(state.value)
        theme().changed.connect(self.update)
        self._watch()

    @property
    def state(self) -> State:
        """The state it shows."""
        return self._state

    def set_state(self, state: State) -> None:
        """Show another state."""
        if state is not self._state:
            if self.accessibleName() == self._state.value:
                self.setAccessibleName(state.value)
            self._state = state
            self._watch()
            self.update()

    def set_ground(self, token: str) -> None:
        """The colour under it, for what is cut out of the mark."""
        self._ground = token
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The mark."""
        painter = QPainter(self)
        draw_mark(painter, QRectF(self.rect()), self._state, theme().color(self._ground), clock().phase)
        painter.end()

    def _watch(self) -> None:
        if self._state in {State.RUNNING, State.STARTING}:
            clock().watch_frames(self)
        else:
            clock().unwatch_frames(self)


class IconLabel(QWidget):
    """An icon that says something beside a text. With a `name` it says it to assistive programs as well."""

    def __init__(
        self,
        icon: str,
        size: int = metrics.ICON,
        token: str = "text.secondary",  # noqa: S107  # a colour, no secret
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon, self._token = icon, token
        self.setFixedSize(size, size)
        self.setAccessibleName(name)
        theme().changed.connect(self.update)

    def set_icon(self, icon: str, token: str | None = None) -> None:
        """Another drawing, or another colour."""
        self._icon, self._token = icon, token or self._token
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The icon."""
        painter = QPainter(self)
        draw_icon(painter, QRectF(self.rect()), self._icon, theme().color(self._token))
        painter.end()


class AgentBadge(QWidget):
    """Two letters in a grey rounded square. The agent's name stands beside it, so it has none of its own."""

    def __init__(self, letters: str, size: int = metrics.BADGE_ROW, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._letters = letters
        self.setFixedSize(size, size)
        theme().changed.connect(self.update)

    def set_letters(self, letters: str) -> None:
        """Another agent."""
        self._letters = letters
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The badge."""
        painter = QPainter(self)
        draw_agent_badge(painter, QRectF(self.rect()), self._letters)
        painter.end()


class Divider(QWidget):
    """A hairline between areas; upright when asked."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        upright: bool = False,
        token: str = "border.subtle",  # noqa: S107  # a colour, no secret
    ) -> None:
        super().__init__(parent)
        self._upright, self._token = upright, token
        if upright:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)
        theme().changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color(self._token))
        painter.end()
