"""The keys of a feed: rows by J, K and arrows, unfold by Right, fold by Left, copy by C; the rest is the current row's.

Owns what each key means; the feed moves, the rows act.
"""

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

from ui.widgets.feed.row_view import RowView

CHORDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class Walked(Protocol):
    """What keys do to a feed."""

    def step(self, by: int) -> None:
        """The next or previous row becomes the current one."""
        ...

    def go_to_start(self) -> None:
        """The first row."""
        ...

    def go_to_end(self) -> None:
        """The newest row, and follow again."""
        ...

    def page(self, by: int) -> None:
        """Scroll by windows."""
        ...

    def go_out(self) -> bool:
        """Leave a nested feed; returns whether it is one."""
        ...

    def current_view(self) -> RowView | None:
        """The current row, if it is seen."""
        ...


def take(feed: Walked, event: QKeyEvent, *, rtl: bool) -> bool:
    """Do what a key says; false = it means nothing here."""
    view = feed.current_view()
    if event.modifiers() & CHORDS:
        return view is not None and view.take_key(event)
    match event.key():
        case Qt.Key.Key_J | Qt.Key.Key_Down:
            feed.step(1)
        case Qt.Key.Key_K | Qt.Key.Key_Up:
            feed.step(-1)
        case Qt.Key.Key_Home:
            feed.go_to_start()
        case Qt.Key.Key_End:
            feed.go_to_end()
        case Qt.Key.Key_PageDown:
            feed.page(1)
        case Qt.Key.Key_PageUp:
            feed.page(-1)
        case _:
            return _take_for_row(feed, view, event, rtl=rtl)
    return True


def _take_for_row(feed: Walked, view: RowView | None, event: QKeyEvent, *, rtl: bool) -> bool:
    inward, outward = (Qt.Key.Key_Left, Qt.Key.Key_Right) if rtl else (Qt.Key.Key_Right, Qt.Key.Key_Left)
    if event.key() == outward and (view is None or not view.is_open()):
        return feed.go_out()
    if view is None:
        return False
    match event.key():
        case Qt.Key.Key_Return | Qt.Key.Key_Enter:
            view.activate()
        case key if key == inward:
            _unfold(view)
        case key if key == outward:
            view.set_open(False)
        case Qt.Key.Key_C:
            return view.take_key(event) or _copy(view)
        case _:
            return view.take_key(event)
    return True


def _unfold(view: RowView) -> None:
    if view.is_open():
        view.go_in()
    elif view.can_open():
        view.set_open(True)


def _copy(view: RowView) -> bool:
    text = view.text_to_copy()
    if text:
        QGuiApplication.clipboard().setText(text)
    return bool(text)
