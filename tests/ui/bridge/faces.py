"""A main window that only remembers what it was asked: keeps `ui.desktop_questions.Face`."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from ui.bridge import Bridge
from ui.viewmodels.world import World

Act = Callable[[], None]


class FaceDouble(QObject):
    """`done`: calls in their order; `ways`: what the last question offered, by name."""

    close_asked = Signal()

    def __init__(self, world: World, bridge: Bridge) -> None:
        super().__init__()
        self.world, self.bridge = world, bridge
        self.done: list[str] = []
        self.ways: dict[str, Act] = {}
        self.asked: tuple[Any, ...] = ()

    def begin(self, ready: Act) -> None:
        self.done.append("begin")
        self.bridge.kept("window", lambda _text: ready())

    def host_opened(self) -> None:
        self.done.append("opened")

    def raise_window(self) -> None:
        self.done.append("raise")

    def hide(self) -> None:
        self.done.append("hide")

    def save(self) -> None:
        self.done.append("save")
        self.bridge.keep("window", "as it lay")

    def end(self) -> None:
        self.done.append("end")

    def ask_to_quit(self, running: int, stop: Act, keep: Act) -> None:
        self.asked, self.ways = ("quit", running), {"stop": stop, "keep": keep}

    def ask_to_take_over(self, pid: int, tasks: int, take: Act, leave: Act) -> None:
        self.asked, self.ways = ("take over", pid, tasks), {"take": take, "leave": leave}

    def show_crash(self, reason: str, log: str, restart: Act) -> None:
        self.asked, self.ways = ("crash", reason, log), {"restart": restart}
