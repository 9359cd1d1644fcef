"""`codeg run`: a root session that is driven to its end, its tasks included, and told as a feed of events.

Owns the runs of this host. Permissions are answered by the run's own rule where nobody is there to ask; that is said
in the feed. Never decides about tasks. A run ends with its `end` event, its session is closed with it; all end with
the group that holds them.
"""

from collections import OrderedDict, deque
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import anyio

from codeg.broker.codes import END_STATUSES, Status
from codeg.broker.report_text import TextSlice
from codeg.broker.reports import report_of, text_size
from codeg.broker.tasks import TaskView
from codeg.runtime.asking import Json, invalid
from codeg.runtime.asks import Word
from codeg.runtime.conversation import Surroundings
from codeg.runtime.feed import Feed
from codeg.runtime.holding import Holding
from codeg.runtime.roots import Roots
from codeg.runtime.services import BrokerPort, UserError
from codeg.runtime.snapshots import (
    AsksChanged,
    Change,
    EntryChanged,
    NotesOffered,
    SessionChanged,
    TaskChanged,
    TurnFinished,
    What,
)
from codeg.sessions.connection import AgentFailure

KEPT_RUNS = 64
"""Ended runs that a slow reader can still read."""
TEXT_BYTES = 64 * 1024
"""Bytes of a task's text in a `delegation` event."""
END_TEXT_BYTES = 16 * 1024
"""Bytes of each task's text in the `end` event."""
_CANCELED = ("canceled", "Cancelled before its turn.")
PULSE_MS = 1_000
"""A working child's activity is told this often at most."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How permissions are answered.

    `yes`: with the first allow-once option. `person`: somebody is there to be asked.
    """

    yes: bool
    person: bool


@dataclass(slots=True)
class _Run:
    """One run. `moves`: changes that are not told yet, in order."""

    session_id: str
    agent: str
    cwd: str
    prompt: str
    rule: Rule
    feed: Feed = field(default_factory=Feed)
    moves: deque[What] = field(default_factory=deque[What])
    moved: anyio.Event = field(default_factory=anyio.Event)
    tasks: dict[str, TaskView] = field(default_factory=dict[str, TaskView])
    children: dict[str, str] = field(default_factory=dict[str, str])
    """Child session to task."""
    pulses: dict[str, int] = field(default_factory=dict[str, int])
    asked: set[str] = field(default_factory=set[str])
    waiting: dict[str, Json] = field(default_factory=dict[str, Json])
    """Asks that were told and have no outcome yet, by request id."""
    finished: TurnFinished | None = None
    canceled: bool = False
    closed: bool = False

    def take(self, what: What) -> None:
        """Note a change for the run's own task."""
        self.moves.append(what)
        self.moved.set()


class Runs(Holding):
    """Keeps `services.RunsPort`. `run` holds the runs' tasks."""

    def __init__(self, around: Surroundings, roots: Roots, broker: BrokerPort) -> None:
        super().__init__()
        self._around = around
        self._roots = roots
        self._broker = broker
        self._runs: OrderedDict[str, _Run] = OrderedDict()

    async def start(self, agent: str, cwd: str, prompt: str, *, yes: bool, person: bool) -> str:
        """Open a root session and prompt it; returns the session id.

        Raises:
            UserError: no prompt, an agent or folder that cannot be used.
        """
        if not prompt.strip():
            raise invalid("A prompt needs a text.")
        session_id = await self._roots.begin(agent, cwd)
        run = _Run(session_id, agent, cwd, prompt, Rule(yes, person))
        self._runs[session_id] = run
        run.feed.add({"event": "session", "id": session_id, "agent": agent, "cwd": cwd})
        self._group.start_soon(self._drive, run)
        return session_id

    async def events(self, session_id: str, after: int, wait_s: float) -> tuple[list[Json], int, bool]:
        """Event objects after cursor `after` (0 first), the next cursor, and whether the run has ended.

        Raises:
            UserError: no run of that id.
        """
        return await self._of(session_id).feed.after(after, wait_s)

    async def cancel(self, session_id: str) -> None:
        """Cancel the turn and its tasks; before its first turn, the whole run.

        Raises:
            UserError: no run of that id.
        """
        run = self._of(session_id)
        if run.feed.ended or not self._roots.is_live(session_id):
            return
        run.canceled = True
        if self._roots.facts(session_id) is None:
            await self._roots.close(session_id)
        else:
            await self._roots.cancel(session_id)

    def _of(self, session_id: str) -> _Run:
        run = self._runs.get(session_id)
        if run is None:
            raise invalid(f"There is no run of the session {session_id}.")
        return run

    async def _drive(self, run: _Run) -> None:
        unsubscribe = self._around.snapshots.subscribe(lambda change: self._sort(run, change))
        try:
            await self._roots.opened(run.session_id)
            if run.canceled:
                run.finished = TurnFinished(run.session_id, None, *_CANCELED)
            else:
                self._roots.prompt(run.session_id, run.prompt)
                await self._follow(run)
        except AgentFailure as failure:
            run.finished = TurnFinished(run.session_id, None, failure.code, failure.message, failure.text)
        except UserError as error:
            code, message = _CANCELED if run.canceled else (error.code, error.message)
            run.finished = run.finished or TurnFinished(run.session_id, None, code, message)
        finally:
            unsubscribe()
            with anyio.CancelScope(shield=True), anyio.move_on_after(8):
                self._roots.begin_close(run.session_id)
                await self._tell_end(run)
                await self._roots.close(run.session_id)
            self._trim()

    async def _follow(self, run: _Run) -> None:
        """Tell what happens until the turn is over, or the session has gone, and no task is left."""
        run.take(AsksChanged(tuple(self._around.desk.asks())))
        while not self._done(run):
            if not run.moves:
                run.moved = anyio.Event()
                await run.moved.wait()
            while run.moves:
                await self._tell(run, run.moves.popleft())

    @staticmethod
    def _done(run: _Run) -> bool:
        if run.moves:
            return False
        at_work = any(view.status not in END_STATUSES for view in run.tasks.values())
        return (run.closed or run.finished is not None) and not at_work

    def _sort(self, run: _Run, change: Change) -> None:
        """Keep what belongs to the run."""
        match change.what:
            case EntryChanged(session_id=session_id):
                if session_id == run.session_id or self._pulse(run, session_id):
                    run.take(change.what)
            case TaskChanged(view=view):
                if view.record.root_id == run.session_id:
                    run.children[view.record.child_id] = view.record.task_id
                    run.take(change.what)
            case AsksChanged():
                run.take(change.what)
            case TurnFinished(session_id=session_id) | NotesOffered(session_id=session_id):
                if session_id == run.session_id:
                    run.take(change.what)
            case SessionChanged(record=record):
                if record.session_id == run.session_id and record.state in ("ended", "failed"):
                    run.take(change.what)
            case _:
                pass

    def _pulse(self, run: _Run, session_id: str) -> bool:
        """An entry of a child is told as its task's activity, now and then."""
        if session_id not in run.children:
            return False
        now = self._around.wall_ms()
        if now - run.pulses.get(session_id, 0) < PULSE_MS:
            return False
        run.pulses[session_id] = now
        return True

    async def _tell(self, run: _Run, what: What) -> None:
        match what:
            case EntryChanged(session_id=session_id, change=change):
                if session_id == run.session_id:
                    run.feed.add_entry(session_id, change.entry)
                    return
                view = run.tasks.get(run.children[session_id])
                if view is not None and view.status not in END_STATUSES:
                    run.feed.add({"event": "delegation", **await self._report(view, TEXT_BYTES)})
            case TaskChanged(view=view):
                run.tasks[view.record.task_id] = view
                run.feed.add({"event": "delegation", **await self._report(view, TEXT_BYTES)})
            case AsksChanged(asks=asks):
                self._tell_closed(run, {ask["request_id"] for ask in asks})
                for ask in asks:
                    await self._asked(run, ask)
            case TurnFinished():
                run.finished = what
            case NotesOffered(notes=notes):
                for note in notes:
                    offered = {"request_id": note.note_id, "kind": "note", "session_id": note.session_id}
                    run.feed.add({"event": "ask", **offered, "title": note.text})
            case SessionChanged():
                run.closed = True
            case _:
                pass

    async def _asked(self, run: _Run, ask: Json) -> None:
        """Tell a new ask of the run, and answer it where nobody is there to."""
        request_id = ask["request_id"]
        session = self._around.sessions.get(ask["session_id"])
        if request_id in run.asked or session is None or session.root_id != run.session_id:
            return
        run.asked.add(request_id)
        run.waiting[request_id] = {key: ask[key] for key in ("request_id", "kind", "session_id")}
        run.feed.add({"event": "ask", **ask})
        word, outcome, message = _word_for(run.rule, ask)
        if word is None:
            return
        try:
            await self._around.desk.open_asks.settle(request_id, word)
        except UserError:
            return
        del run.waiting[request_id]
        run.feed.add({"event": "ask", **ask, "outcome": outcome, "message": message})

    @staticmethod
    def _tell_closed(run: _Run, still_open: AbstractSet[str]) -> None:
        """Asks that were answered elsewhere, or withdrawn: a prompt on the screen is moot."""
        for request_id in [each for each in run.waiting if each not in still_open]:
            run.feed.add({"event": "ask", **run.waiting.pop(request_id), "outcome": "closed"})

    async def _report(self, view: TaskView, limit: int) -> Json:
        task_id = view.record.task_id
        text = None
        if text_size(view):
            text = TextSlice(0, _whole_characters(await self._broker.result(task_id, 0, limit)))
        activity = None if view.status in END_STATUSES else self._broker.activity(task_id)
        return report_of(view, activity=activity, text=text)

    async def _tell_end(self, run: _Run) -> None:
        self._tell_closed(run, frozenset())
        finished = run.finished
        result = finished.result if finished is not None else None
        tasks = [await self._report(view, END_TEXT_BYTES) for view in run.tasks.values()]
        well = all(view.status is Status.COMPLETED for view in run.tasks.values())
        said = finished.text if finished is not None else ""
        event: Json = {
            "event": "end",
            "ok": well and result is not None and result.stop_reason == "end_turn",
            "stop_reason": result.stop_reason if result is not None else "error",
            "text": result.text if result is not None else said,
            "tasks": tasks,
        }
        if result is None:
            code, message = (finished.code, finished.message) if finished is not None else ("", "")
            event["error_code"] = code or "canceled"
            event["message"] = message or "The session was closed before its turn ended."
        run.feed.end(event)

    def _trim(self) -> None:
        ended = [session_id for session_id, run in self._runs.items() if run.feed.ended]
        for session_id in ended[: max(0, len(ended) - KEPT_RUNS)]:
            del self._runs[session_id]


def _word_for(rule: Rule, ask: Json) -> tuple[Word | None, str, str]:
    """What the run's rule says to an ask (None = wait for the person), and how that is told."""
    if rule.yes and "options" in ask:
        allow = next((option for option in ask["options"] if option["kind"] == "allow_once"), None)
        if allow is not None:
            return Word(option=allow["id"]), "allowed", f"Allowed by --yes: {allow['name']}."
    if rule.person:
        return None, "", ""
    if "options" in ask:
        hint = "it offers no way to allow it once." if rule.yes else "--yes would allow it."
        return Word(decline=True), "refused", f"Refused, since nobody is there to ask; {hint}"
    return Word(decline=True), "declined", "Declined, since nobody is there to answer."


def _whole_characters(data: bytes) -> bytes:
    """The slice without the beginning of a character at its end."""
    return data.decode("utf-8", "ignore").encode()
