"""The keyboard in the feed: one stop; a current row that the arrows move (design 9).

Owns which row is current; what a key does to a row is the view's.
"""
# ruff: noqa: N802  # Qt overrides

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QAbstractScrollArea

if TYPE_CHECKING:
    from ui.widgets.feed.feed import Feed

_DOWN = frozenset({Qt.Key.Key_J, Qt.Key.Key_Down})
_UP = frozenset({Qt.Key.Key_K, Qt.Key.Key_Up})
_LETTERS = {
    Qt.Key.Key_S: "S",
    Qt.Key.Key_X: "X",
    Qt.Key.Key_R: "R",
    Qt.Key.Key_O: "O",
    Qt.Key.Key_T: "T",
    **{Qt.Key(Qt.Key.Key_1.value + n): str(n + 1) for n in range(9)},
}


class FeedKeys(QAbstractScrollArea):
    """Mixed into the feed."""

    current_key: str | None = None

    def _feed(self) -> "Feed":
        return cast("Feed", self)

    def current_number(self) -> int | None:
        """Number of the current row."""
        model = self._feed().transcript
        return model.index_of(self.current_key) if model is not None and self.current_key is not None else None

    def ensure_current(self) -> None:
        """There is a current row while there are rows: the last one that is seen."""
        feed = self._feed()
        if self.current_number() is None and feed.count():
            seen = feed.visible_keys()
            model = feed.transcript
            numbers = [number for key in seen if model and (number := model.index_of(key)) is not None]
            self.current_key = feed.row(max(numbers) if numbers else feed.count() - 1).key

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Rows by arrows; the rest goes to the row."""
        feed, key = self._feed(), event.key()
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if not plain or not feed.count():
            super().keyPressEvent(event)
        elif key in _DOWN or key in _UP:
            self._walk(1 if key in _DOWN else -1)
        elif key == Qt.Key.Key_End:
            self.current_key = feed.row(feed.count() - 1).key
            feed.follow()
        elif key == Qt.Key.Key_Home:
            self._go(0)
        elif not self._act(Qt.Key(key)):
            super().keyPressEvent(event)

    def _walk(self, step: int) -> None:
        number = self.current_number()
        if number is None:
            self.ensure_current()
            number = self.current_number() or 0
        else:
            number = max(0, min(self._feed().count() - 1, number + step))
        self._go(number)

    def _go(self, number: int) -> None:
        feed = self._feed()
        self.current_key = feed.row(number).key
        feed.reveal(number)
        feed.highlight_current()

    def _act(self, key: Qt.Key) -> bool:
        view = self._feed().view_of(self.current_key) if self.current_key is not None else None
        if view is None:
            return False
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            return view.toggle()
        if key in {Qt.Key.Key_Right, Qt.Key.Key_Left}:
            return view.fold(key == Qt.Key.Key_Right)
        if key == Qt.Key.Key_C:
            QGuiApplication.clipboard().setText(view.copy_text())
            return True
        return key in _LETTERS and view.act(_LETTERS[key])

    def highlight_current(self) -> None:
        """Show the ring where it is now."""
        self._feed().mark_views()
