"""`python -m benchmarks.desktop`: the window under load, offscreen (targets P15 and P16 of the speed list).

Owns its loads: a conversation of 10,000 entries, and 50 children that write 1,000 updates a second. The host is left
out: what is measured is the window. Exit code 1 when a target is missed.
"""

import os
import statistics
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer  # the platform comes first
from PySide6.QtWidgets import QApplication  # likewise

from codeg.api import (  # likewise
    Activity,
    Change,
    Entry,
    EntryChanged,
    Phase,
    SessionRecord,
    Status,
    TaskRecord,
    TaskView,
    ThreadChange,
)
from ui.theme.apply import apply  # likewise
from ui.viewmodels.world import World  # likewise
from ui.workspace.window import MainWindow  # likewise

if TYPE_CHECKING:
    from ui.orders import Orders

ENTRIES, CHILDREN, UPDATES_A_SECOND, SECONDS, FRAME_MS = 10_000, 50, 1_000, 6, 33
BEGAN = 1_700_000_000_000
ROOT = "session-root"


def _nothing(*_given: object, **_named: object) -> None:
    """Any other order."""


class NoHost:
    """Orders that are answered with nothing, but pages of entries."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self._entries = entries

    def entries(self, _session_id: str, after_seq: int, limit: int, then: Any) -> None:
        """A page, at the next turn of the loop, as the bridge does it."""
        page = tuple(self._entries[after_seq + 1 : after_seq + 1 + limit])
        QTimer.singleShot(0, lambda: then(page))

    def __getattr__(self, _name: str) -> Any:
        return _nothing


def entry(seq: int) -> Entry:
    """Messages, thoughts and tool calls by turns."""
    at = BEGAN + seq * 1000
    match seq % 4:
        case 0:
            return Entry(
                seq, "user" if seq % 40 == 0 else "message", 1, at, text=f"Entry {seq}: " + "some *prose* " * 12
            )
        case 1:
            return Entry(seq, "thought", 1, at, text="thinking " * 20)
        case _:
            return Entry(
                seq, "tool", 1, at, tool_call_id=f"c{seq}", title="Read a file", tool_kind="read", status="completed",
                raw_input={"path": f"src/module_{seq}.py"},
            )  # fmt: skip


def session(session_id: str, kind: str = "root", task_id: str | None = None) -> SessionRecord:
    """A running session."""
    return SessionRecord(
        session_id, cast("Any", kind), "/home/ada/harbor-api", "running", BEGAN, BEGAN, ROOT,
        depth=0 if task_id is None else 1, parent_id=ROOT if task_id else None, task_id=task_id,
        agent_type="demo", title="Load",
    )  # fmt: skip


def child(number: int) -> TaskView:
    """A running child."""
    record = TaskRecord(
        f"task-{number:04d}", ROOT, ROOT, 1, "demo", f"Task {number}", "/home/ada/harbor-api", None, f"child-{number}",
        Phase.RUNNING, 1, BEGAN + number, started_ms=BEGAN + number,
    )  # fmt: skip
    return TaskView(record, Status.RUNNING)


def turn(application: QApplication, seconds: float) -> None:
    """Let the loop run."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        application.processEvents()


def opened(application: QApplication) -> float:
    """Seconds from the wish to the last row laid out."""
    entries = tuple(entry(seq) for seq in range(ENTRIES))
    world = World()
    world.load([replace(session(ROOT), state="idle")], [])
    window = MainWindow(world, cast("Orders", NoHost(entries)))
    window.resize(1440, 900)
    window.show()
    turn(application, 0.3)
    begin = time.perf_counter()
    window.deeds.open_session(ROOT)
    page = window.sessions.conversation()
    assert page is not None, "it was opened"
    while page.transcript.loading:
        application.processEvents()
    application.processEvents()
    took = time.perf_counter() - begin
    window.may_close = True
    window.close()
    window.deleteLater()
    turn(application, 0.2)
    return took


class Stream:
    """50 children that write in turns; a batch a frame, as the bridge makes it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._told = 0
        self._texts = dict.fromkeys(range(CHILDREN), "")

    def feed(self) -> None:
        """One frame."""
        changes: list[Change] = []
        activities: dict[str, Activity | None] = {}
        for _ in range(UPDATES_A_SECOND * FRAME_MS // 1000):
            number = self._told % CHILDREN
            self._told += 1
            self._texts[number] += "word "
            text = self._texts[number]
            written = ThreadChange("updated", Entry(0, "message", 1, BEGAN, text=text))
            changes.append(Change(self._told, EntryChanged(f"child-{number}", written)))
            activities[f"task-{number:04d}"] = Activity(text[-100:], BEGAN, 3)
        self._world.apply(changes, activities)


def streamed(application: QApplication) -> tuple[float, float]:
    """Longest gap of the loop in ms, and the share of one core."""
    world = World()
    sessions = [session(ROOT), *(session(f"child-{n}", "child", f"task-{n:04d}") for n in range(CHILDREN))]
    world.load(sessions, [child(n) for n in range(CHILDREN)])
    window = MainWindow(world, cast("Orders", NoHost(())))
    window.resize(1440, 900)
    window.show()
    window.deeds.open_session(ROOT)
    turn(application, 0.5)
    stream, pump = Stream(world), QTimer()
    pump.timeout.connect(stream.feed)
    pump.start(FRAME_MS)
    gaps: list[float] = []
    begin, cpu = time.perf_counter(), time.process_time()
    last = begin
    while time.perf_counter() - begin < SECONDS:
        application.processEvents()
        now = time.perf_counter()
        gaps.append((now - last) * 1000)
        last = now
        time.sleep(0.001)
    pump.stop()
    share = (time.process_time() - cpu) / (time.perf_counter() - begin)
    window.may_close = True
    window.close()
    return max(gaps), share


def main() -> int:
    """Measure and print; 1 when a target is missed."""
    application = QApplication(sys.argv)
    apply(application)
    opening = [opened(application) for _ in range(3)]
    gap, share = streamed(application)
    took = statistics.median(opening)
    print(f"P16 open {ENTRIES} entries: {took:.2f} s (target 1.00), runs {', '.join(f'{one:.2f}' for one in opening)}")
    print(f"P15 {CHILDREN} children, {UPDATES_A_SECOND} updates a second: longest gap {gap:.0f} ms (target 100), "
          f"{share:.0%} of one core (target 60 %)")  # fmt: skip
    return 1 if took > 1 or gap > 100 or share > 0.6 else 0


if __name__ == "__main__":
    sys.exit(main())
