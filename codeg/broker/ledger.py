"""The ledger: every delegation of this host, as a pure state machine. Events in, effects out.

Owns one `Book` and says which part of the room an event concerns. One owner, no locks; no clock, no randomness, no ids
of its own (all come with the events). An impossible event raises and changes nothing. It ends with its owner; nothing
in it needs closing.
"""

from collections.abc import Callable
from typing import Any

from codeg.broker import calls, resuming, rows, waiting
from codeg.broker.book import Book
from codeg.broker.cells import Cell
from codeg.broker.codes import LIVE_PHASES, Phase
from codeg.broker.effects import Effect
from codeg.broker.events import (
    CallReceived,
    CallWithdrawn,
    CancelRequested,
    ChildBlocked,
    ChildFailed,
    ChildGone,
    ChildSpawned,
    ChildStartFailed,
    ChildUnblocked,
    Event,
    FolderAnswered,
    FollowUpRequested,
    HostStarted,
    HostStopping,
    LeaseBegan,
    LeaseEnded,
    LimitsChanged,
    ParentCanceled,
    ParentGone,
    PromptAccepted,
    ResumeRequested,
    RootDeleted,
    SessionReady,
    StartRequested,
    StatusAsked,
    TasksRecalled,
    TimePassed,
    ToolCallSeen,
    TurnEnded,
    WaitClosed,
)
from codeg.broker.retention import KEEP
from codeg.broker.tasks import Limits, Now, TaskView, Unknown
from codeg.broker.transitions import IllegalTransition, RunTimeUp, SlotDenied, SlotFreed, UnattendedTimeUp

_Route = Callable[[Any], None]
_ChildEvent = (
    ChildSpawned
    | SessionReady
    | PromptAccepted
    | ChildStartFailed
    | TurnEnded
    | ChildFailed
    | ChildGone
    | ChildBlocked
    | ChildUnblocked
)


class Ledger:
    """All tasks that are not ended, and the newest `keep_ended` that are; `TasksRecalled` brings back others."""

    def __init__(self, limits: Limits, keep_ended: int = KEEP) -> None:
        self._book = Book(limits, keep_ended)
        child = dict.fromkeys(_ChildEvent.__args__, self._child)
        self._routes: dict[type, _Route] = child | {
            CallReceived: self._called,
            CallWithdrawn: self._withdrawn,
            FolderAnswered: self._folder_answered,
            ToolCallSeen: self._tool_call_seen,
            TasksRecalled: self._recalled,
            StatusAsked: self._asked,
            WaitClosed: self._wait_closed,
            CancelRequested: self._cancel_or_resume,
            ResumeRequested: self._cancel_or_resume,
            FollowUpRequested: self._person_asked,
            StartRequested: self._person_asked,
            RootDeleted: self._root_deleted,
            ParentCanceled: self._parent_ended,
            ParentGone: self._parent_ended,
            LeaseEnded: self._lease_changed,
            LeaseBegan: self._lease_changed,
            LimitsChanged: self._limits_changed,
            HostStarted: self._host_started,
            HostStopping: self._host_stopping,
            TimePassed: self._time_passed,
        }

    def apply(self, event: Event, now: Now) -> tuple[Effect, ...]:
        """What the fact changes, in the order that effects.py promises.

        Raises:
            IllegalTransition: it cannot have happened as things stand; nothing has changed.
        """
        book = self._book
        book.begin(now)
        self._routes[type(event)](event)
        self._settle()
        resuming.answer_queued(book)
        book.reordered()
        return book.finish()

    def knows(self, task_id: str) -> bool:
        """The ledger holds the task; of one that it does not hold, the store may know."""
        return task_id in self._book.cells

    def view(self, task_id: str) -> TaskView | None:
        """How the task stands, None if it is not held."""
        cell = self._book.cells.get(task_id)
        return None if cell is None else self._book.view(cell)

    def views(self, readers: frozenset[str] | None = None) -> tuple[TaskView, ...]:
        """The tasks held that these parents may see (None = all), in the order in which they came to be held."""
        cells = self._book.cells.values()
        return tuple(self._book.view(cell) for cell in cells if readers is None or cell.record.parent_id in readers)

    def live_of_parent(self, parent_id: str) -> int:
        """Slots held by tasks of this parent (starting, running, stopping, draining). Costs nothing."""
        return self._book.slots.live_of_parent(parent_id)

    def live_of_root(self, root_id: str) -> int:
        """Slots held below this root. Costs nothing."""
        return self._book.slots.live_of_root(root_id)

    def open_of_root(self, root_id: str) -> int:
        """Tasks below this root of which something is still to come. Costs nothing."""
        return self._book.slots.live_of_root(root_id) + self._book.slots.waiting_of_root(root_id)

    def waiting_of_root(self, root_id: str) -> int:
        """Tasks below this root that are queued or wait for the person's word on a folder. Costs nothing."""
        return self._book.slots.waiting_of_root(root_id)

    def _called(self, event: CallReceived) -> None:
        self._need_fresh(event.ref)
        calls.receive(self._book, event)

    def _withdrawn(self, event: CallWithdrawn) -> None:
        book = self._book
        cell = book.by_handle.get((event.parent_id, event.external_handle))
        if cell is None:
            book.withdrawals.remember(event.parent_id, event.external_handle, event.reason, book.now.mono)
        elif cell.record.attempt == 1:  # a resume is a request of its own, long after the call was answered
            rows.step(book, cell, event)

    def _folder_answered(self, event: FolderAnswered) -> None:
        cell = self._book.cells.get(event.task_id)
        if cell is not None:
            rows.step(self._book, cell, event)

    def _child(self, event: _ChildEvent) -> None:
        cell = self._book.cells.get(event.task_id)
        if cell is not None and event.attempt == (cell.tree or cell.record.attempt):
            rows.step(self._book, cell, event)

    def _tool_call_seen(self, event: ToolCallSeen) -> None:
        book = self._book
        owner = book.by_child.get(event.parent_id)
        if owner is not None and owner.record.phase not in LIVE_PHASES:
            return
        known = event.agent_type is not None and event.task_text is not None
        key = (event.agent_type or "", event.task_text or "", event.explicit_dir) if known else None
        task_id = book.matcher.announce(event.parent_id, event.tool_call_id, key, finished=event.finished)
        if task_id is not None:
            book.bind(book.cells[task_id], event.tool_call_id)

    def _recalled(self, event: TasksRecalled) -> None:
        calls.recall(self._book, event.records)

    def _asked(self, event: StatusAsked) -> None:
        self._need_fresh(event.ref)
        waiting.ask(self._book, event)

    def _wait_closed(self, event: WaitClosed) -> None:
        waiting.close(self._book, event.ref)

    def _cancel_or_resume(self, event: CancelRequested | ResumeRequested) -> None:
        self._need_fresh(event.ref)
        cell = waiting.visible(self._book, event.task_id, event.readers)
        if cell is None:
            self._book.out.reply(event.ref, Unknown(event.task_id))
        else:
            rows.step(self._book, cell, event)

    def _person_asked(self, event: FollowUpRequested | StartRequested) -> None:
        self._need_fresh(event.ref)
        cell = self._book.cells.get(event.task_id)
        if cell is None:
            self._book.out.reply(event.ref, Unknown(event.task_id))
        else:
            rows.step(self._book, cell, event)

    def _root_deleted(self, event: RootDeleted) -> None:
        self._book.deleted.add(event.root_id)
        self._book.doomed.add(event.root_id)
        self._parent_ended(ParentGone(event.root_id))

    def _parent_ended(self, event: ParentCanceled | ParentGone) -> None:
        book = self._book
        book.cascades.append(event)
        if isinstance(event, ParentGone):
            book.matcher.forget(event.parent_id)
            book.withdrawals.forget(event.parent_id)
        else:
            book.matcher.turn_canceled(event.parent_id)

    def _lease_changed(self, event: LeaseEnded | LeaseBegan) -> None:
        for cell in tuple(self._book.open_of.get(event.parent_id, {}).values()):
            rows.step(self._book, cell, event)

    def _limits_changed(self, event: LimitsChanged) -> None:
        book = self._book
        book.slots.limits = event.limits
        book.slots.serve_all()
        for cell in self._open():
            book.stop_clock(cell)
            book.start_clock(cell)
            book.watch_lease(cell)

    def _host_started(self, event: HostStarted) -> None:
        book = self._book
        ids = [record.task_id for record in event.records]
        if len(set(ids)) < len(ids) or any(task_id in book.cells for task_id in ids):
            raise IllegalTransition("A host starts with tasks that are held already.")
        for record in event.records:
            rows.step(book, book.enter(record), event)

    def _host_stopping(self, event: HostStopping) -> None:
        book = self._book
        book.stopping = True
        for cell in self._open():
            rows.step(book, cell, event)
        waiting.answer_everyone(book)
        for ref, cell in tuple(book.refs.items()):
            book.answer_all({ref: None}, cell)

    def _time_passed(self, _event: TimePassed) -> None:
        book = self._book
        book.woken()
        while (key := book.deadlines.pop_due(book.now.mono)) is not None:
            self._due(*key)

    def _due(self, kind: str, which: Any) -> None:
        book = self._book
        match kind:
            case "wait":
                waiting.time_up(book, which)
            case "ref":
                book.answer_all({which: None}, book.refs[which])
            case "run":
                rows.step(book, book.cells[which], RunTimeUp(book.limits.run_timeout_s))
            case _:
                rows.step(book, book.cells[which], UnattendedTimeUp(book.limits.unattended_cancel_s))

    def _settle(self) -> None:
        """What follows from the event until nothing does: tasks whose parent ended, slots that became free."""
        book = self._book
        while book.cascades or book.slots.to_serve:
            while book.cascades:
                event = book.cascades.pop(0)
                for cell in tuple(book.open_of.get(event.parent_id, {}).values()):
                    rows.step(book, cell, event)
            self._serve()

    def _serve(self) -> None:
        book, slots = self._book, self._book.slots
        for root_id in tuple(slots.to_serve):
            while (task_id := slots.next_of(root_id)) is not None:
                rows.step(book, book.cells[task_id], SlotFreed())
            while (task_id := slots.starved(root_id, self._is_leaf)) is not None:
                rows.step(book, book.cells[task_id], SlotDenied())
        slots.to_serve.clear()

    def _is_leaf(self, task_id: str) -> bool:
        """It gives its slot back whatever others do: it is ending, or has no unfinished task to wait for."""
        record = self._book.cells[task_id].record
        return record.phase in (Phase.STOPPING, Phase.DRAINING) or record.child_id not in self._book.open_of

    def _open(self) -> tuple[Cell, ...]:
        return tuple(cell for siblings in self._book.open_of.values() for cell in siblings.values())

    def _need_fresh(self, ref: int) -> None:
        if ref in self._book.waits or ref in self._book.refs:
            raise IllegalTransition("A ref is used again before it was answered.")
