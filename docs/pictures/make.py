"""Make the pictures of docs/desktop.md: the real window, a real host, the demo agent at work on a small folder.

`python docs/pictures/make.py` writes them beside itself, light and dark. Needs no display and leaves nothing behind.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402  # the platform comes first

from ui.bridge import Bridge  # noqa: E402  # likewise
from ui.theme.apply import apply  # noqa: E402  # likewise
from ui.theme.theme import theme  # noqa: E402  # likewise
from ui.viewmodels.states import State, state_of_task  # noqa: E402  # likewise
from ui.viewmodels.world import World  # noqa: E402  # likewise
from ui.workspace.window import MainWindow  # noqa: E402  # likewise

FILES = {
    "retry/policy.py": "# TODO: jitter\n\n\ndef delays(times):\n    return [2**n for n in range(times)]\n",
    "retry/budget.py": "BUDGET = 10  # TODO: from the settings\n",
    "README.md": "# harbor-api\n\nA small service.\n",
}
PROMPT = "@demo survey @demo [@demo todos @demo pause 600] @demo write notes.md Findings"
WAIT_S = 60.0


class Studio:
    """The window, and waiting for what it shows."""

    def __init__(self, application: QApplication, home: str) -> None:
        self.application = application
        self.world = World()
        self.bridge = Bridge(self.world, home)
        self.ready = False
        self.bridge.opened.connect(self._opened)
        self.bridge.start()
        self.until(lambda: self.ready)
        self.window = MainWindow(self.world, self.bridge.orders)
        self.window.resize(1440, 900)
        self.window.show()
        self.window.memory.restore()

    def _opened(self) -> None:
        self.ready = True

    def until(self, done: Callable[[], bool]) -> None:
        """Turn the event loop until something is so."""
        end = time.monotonic() + WAIT_S
        while not done():
            if time.monotonic() > end:
                raise TimeoutError(done)
            self.application.processEvents()
            time.sleep(0.01)

    def settle(self, turns: int = 40) -> None:
        """Let everything that is under way be painted."""
        for _ in range(turns):
            self.application.processEvents()
            time.sleep(0.01)

    def shot(self, name: str, widget: QWidget | None = None) -> None:
        """One picture in each theme."""
        for scheme in ("light", "dark"):
            theme().set_scheme(scheme)
            self.settle()
            (widget or self.window).grab().save(str(HERE / f"{name}-{scheme}.png"))
        theme().set_scheme("light")


def main() -> None:
    """All pictures."""
    application = QApplication(sys.argv)
    apply(application)
    with tempfile.TemporaryDirectory(prefix="codeg-pictures-") as base:
        folder = Path(base) / "harbor-api"
        for name, text in FILES.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        studio = Studio(application, str(Path(base) / "home"))
        try:
            take_all(studio, str(folder))
        finally:
            studio.window.may_close = True
            studio.window.close()
            studio.bridge.stop()


def take_all(studio: Studio, folder: str) -> None:
    """First start, a conversation at work, what waits, the board, settings."""
    studio.settle(200)
    studio.shot("first-start")
    begun: list[str] = []
    studio.bridge.orders.open_session("demo", folder, then=begun.append)
    studio.until(lambda: bool(begun))
    studio.bridge.orders.prompt(begun[0], PROMPT)
    studio.window.deeds.open_session(begun[0])
    studio.until(lambda: bool(studio.world.asks()) and _at_work(studio.world) >= 2)
    studio.settle(100)
    page = studio.window.sessions.conversation()
    if page is not None:
        running = next(view for view in studio.world.tasks_of(begun[0]) if state_of_task(view) is State.RUNNING)
        page.unfold(running.record.task_id)
    studio.settle(100)
    studio.shot("conversation")
    for name in ("inbox", "board", "settings"):
        studio.window.show_page(name)
        studio.settle()
        studio.shot(name)
    studio.bridge.orders.cancel_turn(begun[0])
    studio.settle(100)


def _at_work(world: World) -> int:
    return len(world.live_tasks())


if __name__ == "__main__":
    main()
