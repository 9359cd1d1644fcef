"""A whole text of an agent: prose that can be selected, and a button where not all of a long one is shown.

Owns the body and the button. Place it by `height_for`; links are told by `link_asked` or given to `open_link`.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable  # noqa: TC003  # read by people who look at the attribute's type

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme import metrics
from ui.widgets.controls import Button
from ui.widgets.text.looks import Look
from ui.widgets.text.markdown import MarkdownBody
from ui.widgets.text.rendering import CLAMP
from ui.wording import number, tr

_ABOVE = metrics.SPACE_4


class MessageBody(QWidget):
    """`resized`: its height may have changed; `grows`: told before it, where the person asked for more."""

    resized = Signal()
    grows = Signal()
    link_asked = Signal(str)

    def __init__(
        self,
        role: str = "prose",
        token: str = "text.primary",  # noqa: S107  # a colour, no secret
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.body = MarkdownBody(Look(role, token), self)
        self.open_link: Callable[[str], None] | None = None
        self._more: Button | None = None
        self._heights = (0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.body.resized.connect(self.resized)
        self.body.link_asked.connect(self._follow)

    def show_text(self, text: str, *, live: bool = False, plain: bool = False) -> None:
        """Show this; what stands already stays laid out."""
        self.body.show_text(text, live=live, plain=plain)
        self._settle()

    def rest(self) -> None:
        """Nothing to show."""
        self.body.rest()
        self._settle()

    def selected_text(self) -> str:
        """What is selected in it."""
        return self.body.selected_text()

    def height_for(self, width: int) -> int:
        """Of the text and the button."""
        more = self._more.sizeHint().height() + _ABOVE if self._more is not None and self.body.left_out else 0
        self._heights = (self.body.height_for(width), more)
        self._place()
        return sum(self._heights)

    def hasHeightForWidth(self) -> bool:
        """It grows down."""
        return True

    def heightForWidth(self, width: int) -> int:
        """For layouts."""
        return self.height_for(width)

    def sizeHint(self) -> QSize:
        """At its present width."""
        return QSize(metrics.COLUMN, sum(self._heights))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Parts keep their places."""
        super().resizeEvent(event)
        self._place()

    def _settle(self) -> None:
        left = self.body.left_out
        if left and self._more is None:
            self._more = Button("", "ghost", icon="chevron-down", small=True, parent=self)
            self._more.clicked.connect(self._show_more)
        if self._more is not None:
            words = tr("Show all") if left <= CLAMP else tr("Show more, {left} characters left", left=number(left))
            self._more.setText(words)
            self._more.setVisible(bool(left))

    def _show_more(self) -> None:
        self.grows.emit()
        self.body.show_more()
        self._settle()
        self.resized.emit()

    def _follow(self, address: str) -> None:
        self.link_asked.emit(address)
        if self.open_link is not None:
            self.open_link(address)

    def _place(self) -> None:
        text, more = self._heights
        rise = self.body.rise()
        self.body.setGeometry(0, -rise, max(1, self.width()), text + rise)
        if self._more is not None and more:
            size = self._more.sizeHint()
            rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            left = self.width() - size.width() if rtl else 0
            self._more.setGeometry(left, text + _ABOVE, size.width(), size.height())
