"""The form of a plan: the plan as prose, at most half the window high, then the agent's options, all alike.

Owns the prose; everything else is a permission's. To ask for changes is to refuse with a note.
"""
# ruff: noqa: N802  # Qt overrides

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.theme.painting import rounded
from ui.theme.theme import theme
from ui.viewmodels.ask_desk import AskDesk
from ui.viewmodels.asks import Ask
from ui.widgets.asks.flow import Scroll
from ui.widgets.asks.permission import PermissionForm
from ui.widgets.controls import Button
from ui.widgets.mirror import put
from ui.widgets.text.markdown import MarkdownBody
from ui.wording import tr

_PAD_H, _PAD_V = metrics.MESSAGE_PAD_H, metrics.MESSAGE_PAD_V
_LEAST = 120


class PlanForm(PermissionForm):
    """A permission whose matter is prose."""

    def __init__(self, ask: Ask, desk: AskDesk, who: str, framed: bool, parent: QWidget) -> None:
        self.prose: _Prose | None = None
        super().__init__(ask, desk, who, framed, parent)
        for digit, button in enumerate(self.buttons, start=1):
            button.set_key(str(digit) if digit <= 9 else None)

    def note_word(self) -> str:
        """What the button for a note is called."""
        return tr("Ask for changes…")

    def note_hint(self) -> str:
        """What belongs into the field."""
        return tr("What should it change?")

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Changes are asked for before the plan is refused."""
        if self.with_note is None:
            return tuple(self.options)
        pairs = zip(self.options, self.ask.options, strict=True)
        allows = sum(1 for _button, option in pairs if option.kind.startswith("allow"))
        return (*self.options[:allows], self.with_note, *self.options[allows:])

    def refresh(self) -> None:
        """The plan."""
        super().refresh()
        if self.prose is None:
            self.prose = _Prose(self)
            self.prose.body.resized.connect(self.resized)
        self.prose.body.show_text(self.matter.plan)
        self.prose.setVisible(bool(self.matter.plan))

    def place_more(self, top: int, width: int) -> int:
        """Half the window for the plan at most."""
        if self.prose is None or self.prose.isHidden():
            return top
        inner = self.inner(width)
        tall = min(self.prose.height_for(inner), max(_LEAST, self.window().height() // 2))
        put(self.prose, self.left, top + metrics.SPACE_8, inner, tall)
        return top + metrics.SPACE_8 + tall


class _Prose(QWidget):
    """Prose in a box with a scroll."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.body = MarkdownBody()
        self.body.setAccessibleName(tr("Plan"))
        self._scroll = Scroll(self.body, self)
        theme().changed.connect(self.update)

    def height_for(self, width: int) -> int:
        return self._text_height(self._inner(width)) + 2 * _PAD_V

    def _text_height(self, inner: int) -> int:
        return self.body.height_for(inner) + self.body.rise()

    @staticmethod
    def _inner(width: int) -> int:
        return max(1, width - 2 * _PAD_H - metrics.SCROLL_BAR)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll.setGeometry(_PAD_H, _PAD_V, self.width() - _PAD_H - 1, self.height() - 2 * _PAD_V)
        inner = self._inner(self.width())
        self.body.resize(inner, self._text_height(inner))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        ground, outline = theme().color("bg.surface"), theme().color("border.default")
        rounded(painter, QRectF(self.rect()), metrics.RADIUS_6, ground, outline)
        painter.end()
