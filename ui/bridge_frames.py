"""What goes from the host's thread to the UI thread: frames of changes and single calls, in their order.

Owns the box between the two threads and the one wake-up that is under way. Changes that the UI thread has not taken are
merged into the frame that waits, the newest word on each thing winning, so that a busy window costs no memory. Never
blocks either thread for longer than it takes to move a reference.
"""

from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from codeg.api import (
    Activity,
    AgentsChanged,
    AsksChanged,
    Change,
    DayUsageChanged,
    EntryChanged,
    NotesChanged,
    NotesOffered,
    OptionsChanged,
    QuestionChanged,
    SessionChanged,
    SettingsChanged,
    TaskChanged,
    ThreadChange,
    UsageChanged,
)

if TYPE_CHECKING:
    from ui.orders import AgentInfo

Call = Callable[[], None]
Key = tuple[object, ...]


class Frame:
    """Changes in their order; one thing that changes again keeps its place and gets the newest word."""

    __slots__ = ("_at", "activities", "agents", "changes")

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.activities: dict[str, Activity | None] = {}
        self.agents: tuple[AgentInfo, ...] | None = None
        self._at: dict[Key, int] = {}

    def add(self, change: Change) -> None:
        """One more change."""
        key = key_of(change.what)
        held = self._at.get(key) if key is not None else None
        if held is not None:
            self.changes[held] = _newer(self.changes[held], change)
            return
        if key is not None:
            self._at[key] = len(self.changes)
        self.changes.append(change)

    def absorb(self, later: "Frame") -> None:
        """What came after this frame."""
        for change in later.changes:
            self.add(change)
        self.activities |= later.activities
        self.agents = later.agents if later.agents is not None else self.agents


def key_of(what: object) -> Key | None:
    """What a change is the whole newest word on; None = each one counts."""
    match what:
        case EntryChanged(session_id=session_id, change=ThreadChange(entry=entry)):
            return ("entry", session_id, entry.seq)
        case TaskChanged(view=view):
            return ("task", view.record.task_id)
        case SessionChanged(record=record):
            return ("session", record.session_id)
        case QuestionChanged(record=record):
            return ("question", record.question_id)
        case UsageChanged() | OptionsChanged() | NotesChanged() | NotesOffered():
            return (type(what), what.session_id)
        case AsksChanged() | SettingsChanged() | AgentsChanged() | DayUsageChanged():
            return (type(what),)
        case _:
            return None


def _newer(before: Change, now: Change) -> Change:
    """An entry that was added and then updated within a frame was added."""
    if isinstance(before.what, EntryChanged) and before.what.change.kind == "added":
        what = cast("EntryChanged", now.what)
        return Change(now.number, EntryChanged(what.session_id, ThreadChange("added", what.change.entry)))
    return now


class Box:
    """Filled on the host's thread, emptied on the UI thread. `wake` is called from the former, never twice in a row."""

    def __init__(self, wake: Call, show: Callable[[Frame], Any]) -> None:
        self._wake = wake
        self._show = show
        self._lock = Lock()
        self._things: deque[Frame | Call] = deque()
        self._woken = False
        self._closed = False

    def put_frame(self, frame: Frame) -> None:
        """After all that was put before; a frame that nobody has taken yet takes this one up."""
        with self._lock:
            last = self._things[-1] if self._things else None
            if isinstance(last, Frame):
                last.absorb(frame)
            elif not self._closed:
                self._things.append(frame)
            wake = self._must_wake()
        if wake:
            self._wake()

    def put_call(self, call: Call) -> None:
        """Have something called on the UI thread, after all that was put before."""
        with self._lock:
            if not self._closed:
                self._things.append(call)
            wake = self._must_wake()
        if wake:
            self._wake()

    def _must_wake(self) -> bool:
        wake = not self._woken and not self._closed
        self._woken = True
        return wake

    def empty(self) -> None:
        """On the UI thread: take and do everything that is there now; what comes meanwhile wakes it up again."""
        with self._lock:
            things, self._things = self._things, deque()
            self._woken = False
        for number, thing in enumerate(things, start=1):
            if self._closed:
                return
            try:
                if isinstance(thing, Frame):
                    self._show(thing)
                else:
                    thing()
            except BaseException:
                self._put_back(list(things)[number:])  # what follows is nobody's fault
                raise

    def _put_back(self, things: list[Frame | Call]) -> None:
        with self._lock:
            self._things.extendleft(reversed(things))
            wake = bool(self._things) and self._must_wake()
        if wake:
            self._wake()

    def close(self) -> None:
        """Nothing is done any more."""
        with self._lock:
            self._closed = True
            self._things.clear()
