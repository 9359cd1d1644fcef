"""A whole message: prose and code blocks one below the other.

Owns the parts and reuses them as the text grows; lays out a bounded beginning and offers the rest. Ends with its row.
"""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ui.theme import metrics
from ui.widgets.controls import Button
from ui.widgets.text.clean import clamped
from ui.widgets.text.code import CodeBlock
from ui.widgets.text.prose import OpenLink, Prose, nowhere
from ui.widgets.text.segments import Segment, segments
from ui.wording import tr


class MessageBody(QWidget):
    """`resized`: its height may have changed by itself."""

    resized = Signal()

    def __init__(self, role: str = "prose", token: str = "text.primary", parent: QWidget | None = None) -> None:  # noqa: S107
        super().__init__(parent)
        self._role, self._token = role, token
        self._text, self._live, self._all = "", False, False
        self._parts: list[Prose | CodeBlock] = []
        self.open_link: OpenLink = nowhere
        self.more = Button("", "link", small=True, parent=self)
        self.more.hide()
        self.more.clicked.connect(self._show_all)

    def show_text(self, text: str, *, live: bool = False) -> None:
        """Show this; parts that did not change stay."""
        if text == self._text and live == self._live:
            return
        if not text.startswith(self._text[:64]):
            self._all = False
        self._text, self._live = text, live
        self._lay()

    def _lay(self) -> None:
        shown, hidden = (self._text, 0) if self._all else clamped(self._text)
        found = segments(shown)
        for number, segment in enumerate(found):
            self._part(number, segment, live=self._live and number == len(found) - 1)
        for part in self._parts[len(found) :]:
            part.setParent(None)
            part.deleteLater()
        del self._parts[len(found) :]
        self.more.setVisible(bool(hidden))
        self.more.setText(tr("Show all, %n more characters", n=hidden))

    def _part(self, number: int, segment: Segment, *, live: bool) -> None:
        wanted = Prose if segment.language is None else CodeBlock
        held = self._parts[number] if number < len(self._parts) else None
        if held is None or type(held) is not wanted:
            fresh = Prose(self._role, self._token, self) if segment.language is None else CodeBlock(self)
            if held is not None:
                held.setParent(None)
                held.deleteLater()
                self._parts[number] = fresh
            else:
                self._parts.append(fresh)
            fresh.show()
            held = fresh
        if isinstance(held, Prose):
            held.open_link = self.open_link
            held.show_text(segment.text)
        else:
            held.show_code(segment.text, segment.language or "", live=live)

    def _show_all(self) -> None:
        self._all = True
        self._lay()
        self.resized.emit()

    def selected_text(self) -> str:
        """What is selected in it."""
        for part in self._parts:
            cursor = part.textCursor() if isinstance(part, Prose) else part.body.textCursor()
            if cursor.hasSelection():
                return cursor.selectedText().replace("\u2029", "\n")
        return ""

    def height_for(self, width: int) -> int:
        """Of all parts at this width, placing them."""
        top = 0
        for number, part in enumerate(self._parts):
            if number:
                top += metrics.PARAGRAPH_GAP
            height = part.height_for(width)
            part.setGeometry(0, top, width, height)
            top += height
        if not self.more.isHidden():
            self.more.setGeometry(0, top + 4, min(width, self.more.sizeHint().width()), metrics.BUTTON_SMALL)
            top += metrics.BUTTON_SMALL + 4
        return top
