"""The one clock of the desktop: a tick each second for ages and durations, a phase for turning marks.

Owns both timers. They run only while a watching widget is really visible; with reduced motion the phase stands still.
A widget is forgotten when it is deleted.
"""
# ruff: noqa: N802  # Qt overrides

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from ui.theme.metrics import TURN_MS, TURN_STEPS
from ui.theme.theme import theme

if TYPE_CHECKING:
    from PySide6.QtGui import QWindow

_WAKES = frozenset({QEvent.Type.Show, QEvent.Type.Paint})


@dataclass(frozen=True, slots=True)
class _Watch:
    widget: QWidget
    tick: Callable[[], object]


class Clock(QObject):
    """Tells seconds and phases. `phase` is the present step of a turning mark, 0 to 11."""

    second = Signal()
    frame = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.phase = 0
        self._seconds: dict[int, _Watch] = {}
        self._frames: dict[int, _Watch] = {}
        self._second_timer = self._timer(1000, Qt.TimerType.PreciseTimer, self._tell_second)
        self._frame_timer = self._timer(TURN_MS // TURN_STEPS, Qt.TimerType.CoarseTimer, self._tell_frame)
        theme().changed.connect(self._theme_changed)

    def watch_seconds(self, widget: QWidget, tick: Callable[[], object] | None = None) -> None:
        """While `widget` is visible, call `tick` once a second; without one the widget is repainted."""
        self._watch(self._seconds, widget, tick)

    def watch_frames(self, widget: QWidget, tick: Callable[[], object] | None = None) -> None:
        """While `widget` is visible, call `tick` at each step of the turn; without one the widget is repainted."""
        self._watch(self._frames, widget, tick)

    def unwatch_frames(self, widget: QWidget) -> None:
        """Nothing turns in `widget` any more."""
        self._frames.pop(id(widget), None)

    @property
    def running(self) -> tuple[bool, bool]:
        """Whether the timers of seconds and of frames run."""
        return self._second_timer.isActive(), self._frame_timer.isActive()

    def reset(self) -> None:
        """Forget all watchers and stand still, as at the start."""
        self._seconds.clear()
        self._frames.clear()
        self._second_timer.stop()
        self._frame_timer.stop()
        self.phase = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A watcher that shows again starts its timer again."""
        if event.type() in _WAKES:
            self._start(id(watched))
        return False

    def _timer(self, interval: int, kind: Qt.TimerType, tell: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setInterval(interval)
        timer.setTimerType(kind)
        timer.timeout.connect(tell)
        return timer

    def _watch(self, watches: dict[int, _Watch], widget: QWidget, tick: Callable[[], object] | None) -> None:
        key = id(widget)
        if key not in self._seconds and key not in self._frames:
            widget.installEventFilter(self)
            widget.destroyed.connect(lambda: self._forget(key))
        watches[key] = _Watch(widget, tick or widget.update)
        if _is_seen(widget):
            self._start(key)

    def _start(self, key: int) -> None:
        if key in self._seconds and not self._second_timer.isActive():
            self._second_timer.start()
        if key in self._frames and not self._frame_timer.isActive() and not theme().reduce_motion:
            self._frame_timer.start()

    def _forget(self, key: int) -> None:
        self._seconds.pop(key, None)
        self._frames.pop(key, None)

    def _tell_second(self) -> None:
        if not self._tick(self._seconds):
            self._second_timer.stop()
        self.second.emit()

    def _tell_frame(self) -> None:
        if theme().reduce_motion:
            self._frame_timer.stop()
            return
        self.phase = (self.phase + 1) % TURN_STEPS
        if not self._tick(self._frames):
            self._frame_timer.stop()
        self.frame.emit(self.phase)

    def _tick(self, watches: dict[int, _Watch]) -> bool:
        """Tell the visible ones; false when there is none."""
        seen = False
        for key, watch in tuple(watches.items()):
            if not isValid(watch.widget):
                self._forget(key)
            elif _is_seen(watch.widget):
                seen = True
                watch.tick()
        return seen

    def _theme_changed(self) -> None:
        if theme().reduce_motion:
            self._frame_timer.stop()
            self.phase = 0
            self._tick(self._frames)
            return
        for key, watch in tuple(self._frames.items()):
            if isValid(watch.widget) and _is_seen(watch.widget):
                self._start(key)


def _is_seen(widget: QWidget) -> bool:
    window = cast("QWindow | None", widget.window().windowHandle())  # none before it was ever shown
    return widget.isVisible() and (window is None or window.isExposed())


_clocks: list[Clock] = []


def clock() -> Clock:
    """The clock of the process, made when first asked for. Needs an application."""
    if not _clocks:
        _clocks.append(Clock())
    return _clocks[0]
