"""How tasks stand, told to the subscriptions that name them (`notifications/tasks`, protocols 5).

Owns which tasks are watched, what was told of each last, and the one connection to the host on which all of them are
waited for together. Never counts as an open call. A task leaves the watch with its end or when the host does not know
it; a wait that fails is taken up again later and later, at once when a session begins: it never turns into a loop
without a pause. Ends with `close`; the host drops the wait with its connection.
"""

from __future__ import annotations

from codeg.wire import requests
from codeg.wire.requests import RemoteError
from companion import handles, hosts
from companion.envelopes import outcome_in, pack
from companion.link import Access, Unreachable
from companion.rendering import ENDS, Malformed, reports_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from companion.connections import Connection, Opener
    from companion.mcp import Core
    from companion.opened import Subscription
    from companion.session import Session
    from companion.timers import Timer, Timers

    Fields = dict[str, Any]

QUIET_MS: Final = 60_000
"""The longest wait that the host keeps by number (contract 5); an end or a prompt to the person comes sooner."""
RESTLESS_MS: Final = 10_000
"""The same while a task may change in ways that end no wait: it is queued, or waits for the person."""
STARTING_MS: Final = 2_000
"""The same while an agent gets ready: few seconds as a rule, 60 at most (contract 6, `start_timeout_s`)."""
MARGIN_S: Final = 5.0
ANSWER_S: Final = 10.0
PAUSE_S: Final = 1.0
"""Between requests that brought nothing new, and before the first repetition of one that failed."""
LONGEST_PAUSE_S: Final = 30.0
ROOM_BYTES: Final = 2_048
"""For each task in the reply of a wait: all of a report but the text, which is read once the task has ended."""


class Watch:
    """The watched tasks of one companion."""

    def __init__(self, core: Core, session: Session, opener: Opener, timers: Timers) -> None:
        self._core = core
        self._session = session
        self._opener = opener
        self._timers = timers
        self._subscriptions: list[Subscription] = []
        self._told: dict[str, Any] = {}
        """What was told of each watched task last; None = nothing yet."""
        self._ended: list[str] = []
        """Tasks whose result is to be read and told."""
        self._wait_ms = QUIET_MS
        self._failures = 0
        self._access: Access | None = None
        self._connection: Connection | None = None
        self._limit: Timer | None = None
        self._pause: Timer | None = None
        self._greeting = False
        self._closed = False
        session.begun.append(self._at_once)

    def add(self, item: Subscription) -> None:
        """Tells the subscription how its tasks stand now, and every change from then on."""
        if self._closed:
            return
        self._subscriptions.append(item)
        for task_id in item.task_ids:
            self._told[task_id] = None
        # The wait under way does not know them.
        self._stop()
        self._go()

    def remove(self, item: Subscription) -> None:
        """The client listens no longer."""
        if item not in self._subscriptions:
            return
        self._subscriptions.remove(item)
        wanted = {task_id for other in self._subscriptions for task_id in other.task_ids}
        self._told = {task_id: told for task_id, told in self._told.items() if task_id in wanted}
        self._ended = [task_id for task_id in self._ended if task_id in wanted]
        if not self._told and not self._ended:
            self._stop()

    def close(self) -> None:
        """The companion ends."""
        self._closed = True
        self._subscriptions.clear()
        self._told.clear()
        self._ended.clear()
        self._stop()

    # One request after another.

    def _at_once(self) -> None:
        """A session has begun: what failed without one is not waited for longer."""
        if self._pause is not None and self._pause.call is not None:
            self._stop()
            self._timers.soon(self._go)

    def _go(self) -> None:
        if self._connection is not None or self._greeting or not (self._told or self._ended):
            return
        self._stop()
        self._greeting = True
        try:
            access = self._session.get(self._subscriptions[0], self._ready)
        except Unreachable:
            self._greeting = False
            self._failed()
        else:
            if access is not None:
                self._ready(access)

    def _ready(self, found: Access | Unreachable) -> None:
        self._greeting = False
        if not isinstance(found, Access):
            self._failed()
        elif self._told or self._ended:
            self._access = found
            self._ask(found)

    def _ask(self, access: Access) -> None:
        if self._ended:
            task_id = self._ended[0]
            request = requests.status(access.token, [task_id], None, None, self._reply_bytes(task_id))
            self._send(access, request, ANSWER_S)
            return
        task_ids = list(self._told)
        fresh = any(told is None for told in self._told.values())
        wait_ms = None if fresh else self._wait_ms
        size = min(ROOM_BYTES * len(task_ids), hosts.MAX_REPLY_BYTES)
        limit = ANSWER_S if wait_ms is None else wait_ms / 1000 + MARGIN_S
        self._send(access, requests.listen(access.token, task_ids, wait_ms, size), limit)

    def _send(self, access: Access, request: Fields, limit_s: float) -> None:
        asked_at = self._timers.now
        self._connection = self._opener.open(
            access.socket,
            pack(request),
            lambda payload: self._answered(payload, asked_at),
            lambda _sent, _reason: self._failed(),
        )
        self._limit = self._timers.after(limit_s, self._failed)

    def _answered(self, payload: bytes, asked_at: float) -> None:
        self._stop()
        try:
            reports = reports_in(outcome_in(payload))
        except (RemoteError, Malformed):
            self._failed()
            return
        self._failures = 0
        if self._ended:
            self._tell_end(self._ended.pop(0), reports)
            self._go()
        elif self._look_at(reports) or self._timers.now - asked_at >= PAUSE_S:
            self._go()
        else:
            self._later(PAUSE_S)

    def _failed(self) -> None:
        """Nothing is lost by it: the next answer shows how all of them stand."""
        self._stop()
        self._session.leave(self._access)
        self._access = None
        self._failures += 1
        self._later(min(PAUSE_S * 2 ** (self._failures - 1), LONGEST_PAUSE_S))

    def _later(self, seconds: float) -> None:
        self._pause = self._timers.after(seconds, self._go)

    def _stop(self) -> None:
        if self._greeting:
            self._session.forget(self._ready)
            self._greeting = False
        for timer in (self._limit, self._pause):
            if timer is not None:
                timer.cancel()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # What is told.

    def _look_at(self, reports: list[Fields]) -> bool:
        """Tells what has changed; whether anything had."""
        news = False
        self._wait_ms = QUIET_MS
        for report in reports:
            task_id = report.get("task_id")
            if task_id not in self._told:
                continue
            if report["status"] in ENDS or report["status"] == "unknown":
                del self._told[task_id]
                if report["status"] != "unknown":
                    self._ended.append(task_id)
                news = True
                continue
            self._wait_ms = min(self._wait_ms, _patience_ms(report))
            now = handles.state(report)
            if now != self._told[task_id]:
                self._told[task_id] = now
                self._core.tell_task(handles.shown(report))
                news = True
        return news

    def _tell_end(self, task_id: str, reports: list[Fields]) -> None:
        if len(reports) != 1 or reports[0].get("task_id") != task_id or reports[0]["status"] == "unknown":
            return
        if reports[0]["status"] not in ENDS:
            # It was resumed between the two looks.
            self._told[task_id] = None
            return
        self._core.tell_task(handles.shown(reports[0]))

    def _reply_bytes(self, task_id: str) -> int:
        """What the program that asked for this task lets its model see."""
        asked = next((item for item in self._subscriptions if task_id in item.task_ids), None)
        return hosts.find_host(asked.client.name if asked else "").reply_bytes


def _patience_ms(report: Fields) -> int:
    if handles.is_starting(report):
        return STARTING_MS
    return RESTLESS_MS if handles.is_restless(report) else QUIET_MS
