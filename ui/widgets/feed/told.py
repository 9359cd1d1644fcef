"""What a feed told last: whether it is at its end, what was not seen yet, which rows are seen, how high all is.

Owns the memory of it and tells only what changed. No widgets.
"""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal


class Told(QObject):
    """One for each feed."""

    at_end_changed = Signal(bool)
    unseen_changed = Signal(int)
    visible_changed = Signal()
    total_changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._unseen: set[str] = set()
        self._at_end, self._count, self._total = True, 0, 0
        self._seen: tuple[str, ...] = ()

    @property
    def unseen(self) -> int:
        """Rows that came at the end and were not seen yet."""
        return len(self._unseen)

    def came(self, keys: Iterable[str]) -> None:
        """Rows came at the end while it was out of sight."""
        self._unseen.update(keys)

    def went(self, is_gone: Callable[[str], bool]) -> None:
        """Rows went away."""
        self._unseen = {key for key in self._unseen if not is_gone(key)}

    def forget(self) -> None:
        """Another conversation."""
        self._unseen.clear()

    def laid_out(self, seen: tuple[str, ...], *, at_end: bool, total: int) -> None:
        """This is seen now."""
        self._unseen -= set(self._unseen if at_end else seen)
        if at_end != self._at_end:
            self._at_end = at_end
            self.at_end_changed.emit(at_end)
        if len(self._unseen) != self._count:
            self._count = len(self._unseen)
            self.unseen_changed.emit(self._count)
        if seen != self._seen:
            self._seen = seen
            self.visible_changed.emit()
        if total != self._total:
            self._total = total
            self.total_changed.emit()
