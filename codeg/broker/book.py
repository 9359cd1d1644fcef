"""The ledger's state, and the small moves that keep its parts in step.

Owns every index over the tasks (by parent, child, key, handle), the counters, clocks, open prompts and open answers.
`change` is the one place where a record is replaced. Never decides which event may do what (`transitions.py`) nor what
it does (`rows.py`).
"""

import math
from collections.abc import Iterator
from dataclasses import replace

from codeg.broker.cells import Cell, OpenBlock, Waiter
from codeg.broker.codes import OPEN_PHASES, Phase
from codeg.broker.deadlines import Deadlines
from codeg.broker.effects import Effect, WakeAt
from codeg.broker.events import ParentCanceled, ParentGone
from codeg.broker.limits import Slots
from codeg.broker.matching import Key, Matcher
from codeg.broker.outbox import Item, Outbox
from codeg.broker.retention import KEEP, Retention
from codeg.broker.tasks import Block, Limits, Now, TaskRecord, TaskView, status_of
from codeg.broker.withdrawals import Withdrawals

ParentEnd = ParentCanceled | ParentGone

CANCEL_WAIT_S = 1.0
"""How long the answer to a cancel waits for the tree (contract 6)."""
RESUME_WAIT_S = 20.0
"""How long the answer to a resume waits for the session."""


def match_key(record: TaskRecord) -> Key:
    """What the parent's tool call must carry to be this task's."""
    return (record.agent_type, record.task_text, record.explicit_dir)


class Book:
    """State of one ledger. `begin` and `finish` enclose each event."""

    def __init__(self, limits: Limits, keep_ended: int = KEEP) -> None:
        self.slots = Slots(limits)
        self.cells: dict[str, Cell] = {}
        self.open_of: dict[str, dict[str, Cell]] = {}
        """Tasks that are not `ended`, by parent."""
        self.by_child: dict[str, Cell] = {}
        self.by_key: dict[tuple[str, str], Cell] = {}
        self.by_handle: dict[tuple[str, str], Cell] = {}
        self.deadlines = Deadlines()
        self.retention = Retention(keep_ended)
        self.matcher = Matcher()
        self.withdrawals = Withdrawals()
        self.waits: dict[int, Waiter] = {}
        self.refs: dict[int, Cell] = {}
        """Cancels and resumes that are not answered yet."""
        self.cascades: list[ParentEnd] = []
        """Children whose attempt came to its end in this event: their own tasks are still to be ended."""
        self.resumed: list[Cell] = []
        """Tasks that a resume put into the queue in this event."""
        self.deleted: set[str] = set()
        """Roots that were deleted: nothing of them begins any more, and what has ended is not held."""
        self.doomed: set[str] = set()
        """Those of them of which tasks are held still."""
        self.stopping = False
        """The host ends: nothing starts, nothing waits."""
        self.now = Now(0, 0.0)
        self.out = Outbox()
        self._age = 0
        self._wake = math.inf

    @property
    def limits(self) -> Limits:
        """The settings in force."""
        return self.slots.limits

    def begin(self, now: Now) -> None:
        """An event is applied at this moment."""
        self.now = now
        self.out = Outbox()
        self.resumed.clear()

    def finish(self) -> tuple[Effect, ...]:
        """The event is done with: what it means for the shell."""
        for task_id in self.retention.surplus(self.now.mono, self._pinned):
            self._let_go(self.cells[task_id])
        while doomed := self._doomed():
            for cell in doomed:
                self.retention.remove(cell.record.task_id)
                self._let_go(cell)
        effects = self.out.effects(self.view)
        wake = self.deadlines.next()
        if wake is not None and wake < self._wake:
            self._wake = wake
            effects.append(WakeAt(wake))
        return tuple(effects)

    def woken(self) -> None:
        """The moment that was asked for has come; the next one must be asked for again."""
        self._wake = math.inf

    def next_age(self) -> int:
        """A number for a new call or resume."""
        self._age += 1
        return self._age

    def view(self, cell: Cell) -> TaskView:
        """How the task stands."""
        phase = cell.record.phase
        blocks = sorted((prompt.block for prompt in self.prompts(cell)), key=_since) if cell.blocked else ()
        return TaskView(
            record=cell.record,
            status=status_of(cell.record),
            stopping=phase is Phase.STOPPING,
            queue_position=self.slots.position(cell.record, cell.age) if phase is Phase.QUEUED else None,
            blocks=tuple(blocks),
        )

    def prompts(self, cell: Cell) -> Iterator[OpenBlock]:
        """Open prompts of the task and of its descendants."""
        if cell.blocked:
            yield from cell.blocks.values()
            for child in self.open_of.get(cell.record.child_id, {}).values():
                yield from self.prompts(child)

    def enter(self, record: TaskRecord) -> Cell:
        """Hold a task: a new one, one that was open when the last host ended, or an ended one from the store.

        Nothing is stored.
        """
        cell = Cell(record, self.next_age())
        self.cells[record.task_id] = cell
        self.by_child[record.child_id] = cell
        if record.idempotency_key is not None:
            self.by_key.setdefault((record.parent_id, record.idempotency_key), cell)
        if record.external_handle is not None:
            handle = (record.parent_id, record.external_handle)
            if handle not in self.by_handle or record.phase is not Phase.ENDED:  # a recalled one does not hide a newer
                self.by_handle[handle] = cell
        self.slots.moved(None, record, cell.age, cell.age)
        self._index(cell)
        return cell

    def change(self, cell: Cell, record: TaskRecord, text: bytes | None = None, *, age: int | None = None) -> None:
        """Replace the record; it is stored and announced.

        `text`: the attempt's text to store with it, None = leave what is there.
        """
        old, old_age = cell.record, cell.age
        cell.record = record
        cell.age = old_age if age is None else age
        self.slots.moved(old, record, old_age, cell.age)
        if (old.phase in OPEN_PHASES) != (record.phase in OPEN_PHASES):
            self._index(cell)
        self.out.persist(cell, text)

    def owner(self, cell: Cell) -> Cell | None:
        """The task whose child is the parent of this one."""
        return self.cells.get(cell.record.parent_task_id or "")

    def lineage(self, cell: Cell) -> Iterator[Cell]:
        """The task and those above it."""
        above: Cell | None = cell
        while above is not None:
            yield above
            above = self.owner(above)

    def add_block(self, cell: Cell, block: Block) -> bool:
        """The task waits for the person; False when that is known already. Clocks above stand still."""
        if block.request_id in cell.blocks:
            return False
        cell.blocks[block.request_id] = OpenBlock(block)
        for above in self.lineage(cell):
            above.blocked += 1
            self.stop_clock(above)
            self.out.tell(above)
        return True

    def drop_block(self, cell: Cell, request_id: str) -> None:
        """The prompt is closed; an unknown one does nothing."""
        if cell.blocks.pop(request_id, None) is None:
            return
        for above in self.lineage(cell):
            above.blocked -= 1
            self.start_clock(above)
            self.out.tell(above)

    def drop_blocks(self, cell: Cell) -> None:
        """All prompts of the task are moot."""
        for request_id in tuple(cell.blocks):
            self.drop_block(cell, request_id)

    def start_clock(self, cell: Cell) -> None:
        """`run_timeout` counts from here, if the task runs and waits for no person."""
        if cell.record.phase is not Phase.RUNNING or cell.blocked or cell.working_since is not None:
            return
        cell.working_since = self.now.mono
        if self.limits.run_timeout_s > 0:
            left = self.limits.run_timeout_s - cell.worked_s
            self.deadlines.set(("run", cell.record.task_id), self.now.mono + max(0.0, left))

    def stop_clock(self, cell: Cell) -> None:
        """The clock stands still; what it counted is kept."""
        if cell.working_since is not None:
            cell.worked_s += self.now.mono - cell.working_since
            cell.working_since = None
            self.deadlines.clear(("run", cell.record.task_id))

    def watch_lease(self, cell: Cell) -> None:
        """Set or clear the moment at which an unattended task is cancelled."""
        key = ("unattended", cell.record.task_id)
        if cell.unattended_since is None or self.limits.unattended_cancel_s <= 0:
            self.deadlines.clear(key)
        else:
            self.deadlines.set(key, cell.unattended_since + self.limits.unattended_cancel_s)

    def await_answer(self, ref: int, cell: Cell, among: dict[int, None], seconds: float) -> None:
        """Keep the asker waiting, `seconds` at most."""
        among[ref] = None
        self.refs[ref] = cell
        self.deadlines.set(("ref", ref), self.now.mono + seconds)

    def answer_all(self, among: dict[int, None], item: Item) -> None:
        """Answer these askers."""
        for ref in tuple(among):
            self.forget_ref(ref)
            self.out.reply(ref, item)

    def forget_ref(self, ref: int) -> None:
        """The asker is being answered."""
        cell = self.refs.pop(ref)
        cell.cancels.pop(ref, None)
        cell.resumes.pop(ref, None)
        self.deadlines.clear(("ref", ref))

    def reordered(self) -> None:
        """Announce the queued tasks whose place changed."""
        for root_id in tuple(self.slots.reordered):
            for place, task_id in enumerate(self.slots.queued_of(root_id), 1):
                cell = self.cells[task_id]
                if cell.position != place:
                    cell.position = place
                    self.out.tell(cell)
        self.slots.reordered.clear()

    def bind(self, cell: Cell, tool_use_id: str) -> None:
        """The task's card is this tool call of the parent."""
        self.change(cell, replace(cell.record, tool_use_id=tool_use_id))

    def _index(self, cell: Cell) -> None:
        record = cell.record
        if record.phase in OPEN_PHASES:
            self.open_of.setdefault(record.parent_id, {})[record.task_id] = cell
            self.retention.remove(record.task_id)
            return
        siblings = self.open_of.get(record.parent_id, {})
        if siblings.pop(record.task_id, None) is not None and not siblings:
            del self.open_of[record.parent_id]
        self.retention.add(record.task_id, self.now.mono)

    def _doomed(self) -> list[Cell]:
        """Ended tasks of deleted roots; one with unfinished tasks of its own stays until they have ended."""
        if not self.doomed:
            return []
        cells = [cell for cell in self.cells.values() if cell.record.root_id in self.doomed]
        self.doomed = {cell.record.root_id for cell in cells}
        return [cell for cell in cells if cell.record.phase is Phase.ENDED and not self._pinned(cell.record.task_id)]

    def _pinned(self, task_id: str) -> bool:
        return self.cells[task_id].record.child_id in self.open_of

    def _let_go(self, cell: Cell) -> None:
        record = cell.record
        del self.cells[record.task_id]
        self.matcher.release(record.parent_id, record.task_id)
        del self.by_child[record.child_id]
        _unlist(self.by_key, (record.parent_id, record.idempotency_key or ""), cell)
        _unlist(self.by_handle, (record.parent_id, record.external_handle or ""), cell)


def _since(block: Block) -> int:
    return block.since_ms


def _unlist(index: dict[tuple[str, str], Cell], key: tuple[str, str], cell: Cell) -> None:
    if index.get(key) is cell:
        del index[key]
