"""What front ends see: a frozen snapshot of what is live, then numbered changes.

Owns the numbers and the list of subscribers. Never waits for one: a subscriber is called on the loop's thread, in
order, and coalesces for itself (the desktop once a frame). History is read from the store in pages. Ends with the
host.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from codeg.broker.codes import END_STATUSES
from codeg.broker.tasks import TaskView
from codeg.sessions.types import ThreadChange, TurnResult, TurnUsage
from codeg.store.records import DayUsage, NoteRecord, QuestionRecord, SessionRecord
from codeg.store.settings import Settings

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """A session is new or stands otherwise."""

    record: SessionRecord


@dataclass(frozen=True, slots=True)
class TaskChanged:
    """A task is new or stands otherwise; what it says is durable."""

    view: TaskView


@dataclass(frozen=True, slots=True)
class EntryChanged:
    """An entry of a conversation was added or replaced; apply it by its `seq`."""

    session_id: str
    change: ThreadChange


@dataclass(frozen=True, slots=True)
class AsksChanged:
    """All that waits for the person now, oldest first, as `codeg asks --json` prints it."""

    asks: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class NotesOffered:
    """A turn ended before these notes were pulled: they are offered as the next prompt (contract 6, feedback)."""

    session_id: str
    notes: tuple[NoteRecord, ...]


@dataclass(frozen=True, slots=True)
class UsageChanged:
    """Context and cost of a session as its agent last reported them."""

    session_id: str
    usage: TurnUsage


@dataclass(frozen=True, slots=True)
class OptionsChanged:
    """Modes, options or title of a session changed; read them from the session."""

    session_id: str


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """A root's turn is over: its result, or why it failed (`code` and `message`), with the `text` that it had."""

    session_id: str
    result: TurnResult | None
    code: str = ""
    message: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class SessionDeleted:
    """A session is gone for good. Told for each session of the tree, the deleted one itself last."""

    session_id: str


@dataclass(frozen=True, slots=True)
class NotesChanged:
    """A note of the session was left or delivered: its notes as `Host.notes` gives them, oldest first."""

    session_id: str
    notes: tuple[NoteRecord, ...]


@dataclass(frozen=True, slots=True)
class QuestionChanged:
    """Questions of a session were put, answered, declined or withdrawn."""

    record: QuestionRecord


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The settings are these now."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class AgentsChanged:
    """The catalogue of agents changed: list it again."""


@dataclass(frozen=True, slots=True)
class DayUsageChanged:
    """What was spent since local midnight."""

    usage: DayUsage


What = (
    SessionChanged
    | TaskChanged
    | EntryChanged
    | AsksChanged
    | NotesOffered
    | UsageChanged
    | OptionsChanged
    | TurnFinished
    | SessionDeleted
    | NotesChanged
    | QuestionChanged
    | SettingsChanged
    | AgentsChanged
    | DayUsageChanged
)


@dataclass(frozen=True, slots=True)
class Change:
    """One change; numbers rise by one, so a subscriber can tell that it missed none."""

    number: int
    what: What


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything live at change `number`. Ended sessions and tasks are in the store."""

    number: int
    sessions: tuple[SessionRecord, ...]
    tasks: tuple[TaskView, ...]
    asks: tuple[dict[str, Any], ...]


LIVE_STATES = frozenset({"starting", "idle", "running", "connected"})


class Snapshots:
    """All calls belong to the event loop's thread."""

    def __init__(self) -> None:
        self._number = 0
        self._sessions: dict[str, SessionRecord] = {}
        self._tasks: dict[str, TaskView] = {}
        self._asks: tuple[dict[str, Any], ...] = ()
        self._subscribers: list[Callable[[Change], None]] = []

    def take(self) -> Snapshot:
        """What is live now."""
        return Snapshot(self._number, tuple(self._sessions.values()), tuple(self._tasks.values()), self._asks)

    def subscribe(self, subscriber: Callable[[Change], None]) -> Callable[[], None]:
        """Be told of every later change; returns what ends it. The subscriber must not block or raise."""
        self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return unsubscribe

    def tell(self, what: What) -> None:
        """Take note of a change and pass it on."""
        self._number += 1
        match what:
            case SessionChanged(record=record):
                _keep(self._sessions, record.session_id, record, live=record.state in LIVE_STATES)
            case TaskChanged(view=view):
                _keep(self._tasks, view.record.task_id, view, live=view.status not in END_STATUSES)
            case AsksChanged(asks=asks):
                self._asks = asks
            case SessionDeleted(session_id=session_id):
                self._sessions.pop(session_id, None)
            case _:
                pass
        change = Change(self._number, what)
        for subscriber in tuple(self._subscribers):
            try:
                subscriber(change)
            except Exception:  # one front end must not take the host or the others with it
                logger.exception("a subscriber failed")


def _keep(held: dict[str, Any], key: str, value: object, *, live: bool) -> None:
    if live:
        held[key] = value
    else:
        held.pop(key, None)
