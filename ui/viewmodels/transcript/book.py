"""What a conversation came to: its items, which task and question set belong to which call, and what is still open.

Owns the taking in of entries, tasks, notes and question sets, and tells which items a change touched, one place after
the other: whoever holds the rows folds them again there before the next. Pure, no Qt. Ends with its transcript.
"""

from collections.abc import Iterable, Iterator, Sequence

from codeg.api import Entry, NoteRecord, QuestionRecord, TaskView
from ui.viewmodels.rows import DelegationRow, NoteRow
from ui.viewmodels.transcript.fold import Ground, Touched
from ui.viewmodels.transcript.items import Item, Items, Key
from ui.viewmodels.transcript.matching import match_questions, match_tasks
from ui.viewmodels.transcript.reading import Asking, Delegating, Part, answered_row, part_of
from ui.viewmodels.transcript.tools import status_of

Changes = Iterator[Touched]
_TEXTS = frozenset({"message", "thought"})


class Book:
    """All changes are told lazily: take them one by one, in order."""

    def __init__(self) -> None:
        self.items = Items()
        self._open: dict[int, Entry] = {}
        self._calls: dict[int, Delegating] = {}
        self._asks: dict[int, Asking] = {}
        self._task_of: dict[int, str] = {}
        self._questions_of: dict[int, QuestionRecord] = {}
        self._tasks: Sequence[TaskView] = ()
        self._questions: Sequence[QuestionRecord] = ()
        self._runs = False
        self._turn = (1, -1)
        self._last: Entry | None = None
        self._plan: Entry | None = None

    # ---- what is

    def ground(self) -> Ground:
        """What the fold looks at."""
        return Ground(self._live_key(), self._task_of.get, self._questions_of.get, self.items.ms_between)

    def plan_key(self) -> str | None:
        """The plan of the turn that runs."""
        plan = self._plan
        return None if plan is None or self._over(plan) else f"entry-{plan.seq}"

    def _live_key(self) -> Key | None:
        last = self._last
        if not self._runs or last is None or last.kind not in _TEXTS:
            return None
        return self.items.key_of(last.seq)

    def _over(self, entry: Entry) -> bool:
        """The entry's turn has ended: what it left open is not going to be done."""
        attempt, prompted = self._turn
        return not self._runs or entry.attempt < attempt or entry.seq < prompted

    # ---- entries

    def put(self, entries: Sequence[Entry]) -> Changes:
        """Entries that are new or were replaced, by their numbers."""
        new = [entry for entry in entries if not self.items.knows(entry.seq)]
        for entry in [entry for entry in entries if self.items.knows(entry.seq)]:
            yield from self._replace(entry)
        turn = self._turn
        for entry in new:
            self._note_turn(entry)
        if new:
            yield from self._add(new)
        if turn != self._turn:
            yield from self._settle()

    def run(self, runs: bool) -> Changes:
        """A turn of the session runs, or none does."""
        if runs == self._runs:
            return
        self._runs = runs
        yield from self._settle()
        if self._last is not None:
            yield from self._again(self.items.key_of(self._last.seq))

    def _note_turn(self, entry: Entry) -> None:
        attempt, prompted = self._turn
        self._turn = max(attempt, entry.attempt), max(prompted, entry.seq if entry.kind == "user" else -1)
        if entry.kind == "plan" and (self._plan is None or entry.seq > self._plan.seq):
            self._plan = entry

    def _part(self, entry: Entry) -> Part | None:
        over = self._over(entry)
        part = part_of(entry, over)
        if entry.kind != "tool":
            return part
        for held in (self._open, self._calls, self._asks):
            held.pop(entry.seq, None)
        if status_of(entry) == "running" or (isinstance(part, Asking) and part.pending):
            self._open[entry.seq] = entry
        if isinstance(part, Delegating):
            self._calls[entry.seq] = part
        elif isinstance(part, Asking):
            self._asks[entry.seq] = part
        return part

    def _replace(self, entry: Entry) -> Changes:
        if self._last is not None and entry.seq == self._last.seq:
            self._last = entry
        before = self._calls.get(entry.seq), self._asks.get(entry.seq)
        yield from self._show(entry, self._part(entry))
        if before != (self._calls.get(entry.seq), self._asks.get(entry.seq)):
            yield from self._match()

    def _show(self, entry: Entry, part: Part | None) -> Changes:
        key = self.items.place(entry.seq, entry.created_ms)
        yield from self._put(key, None if part is None else Item(key, part))

    def _add(self, entries: list[Entry]) -> Changes:
        """New entries, most often at the end, are folded together, and the one before them, which was the last."""
        calls = len(self._calls), len(self._asks)
        behind: list[Item] = []
        new = sorted(entries, key=lambda each: each.seq)
        if new[-1].seq > self.items.last_seq:
            self._last = new[-1]
        for entry in new:
            key, part = self.items.place(entry.seq, entry.created_ms), self._part(entry)
            if part is not None and self.items.index(key) == len(self.items):
                behind.append(Item(key, part))
            elif part is not None:
                yield from self._put(key, Item(key, part))
        before = self.items.key_before(new[0].seq)
        low = self.items.index(before) if before is not None else 0
        count = self.items.insert(len(self.items), behind)
        yield Touched(low, len(self.items), count)
        if calls != (len(self._calls), len(self._asks)):
            yield from self._match()

    def _settle(self) -> Changes:
        """What is open is read again: its turn may have ended."""
        for entry in list(self._open.values()):
            yield from self._show(entry, self._part(entry))

    # ---- tasks, notes, question sets

    def set_tasks(self, tasks: Sequence[TaskView]) -> Changes:
        """All tasks that the session asked for, oldest first."""
        self._tasks = tasks
        yield from self._match_tasks()

    def set_questions(self, records: Sequence[QuestionRecord]) -> Changes:
        """All question sets of the session, oldest first."""
        self._questions = records
        yield from self._match_questions()

    def set_notes(self, notes: Sequence[NoteRecord]) -> Changes:
        """All notes for the session."""
        kept: set[str] = set()
        for note in notes:
            name = f"note-{note.note_id}"
            kept.add(name)
            row = NoteRow(name, note.text, note.created_ms, note.delivered_ms)
            yield from self._put_extra(name, row, note.created_ms)
        yield from self._drop_extras("note-", kept)

    def _match(self) -> Changes:
        yield from self._match_tasks()
        yield from self._match_questions()

    def _match_tasks(self) -> Changes:
        before, self._task_of = (
            self._task_of,
            match_tasks([self._calls[seq] for seq in sorted(self._calls)], self._tasks),
        )
        for seq in sorted(before.keys() | self._task_of.keys()):
            if before.get(seq) != self._task_of.get(seq):
                yield from self._again(self.items.key_of(seq))
        shown = set(self._task_of.values())
        alone = [view.record for view in self._tasks if view.record.task_id not in shown]
        yield from self._drop_extras("task-", {f"task-{record.task_id}" for record in alone})
        for record in alone:
            name = f"task-{record.task_id}"
            row = DelegationRow(name, record.task_id, record.agent_type, record.task_text, record.created_ms)
            yield from self._put_extra(name, row, record.created_ms)

    def _match_questions(self) -> Changes:
        before = self._questions_of
        self._questions_of = match_questions([self._asks[seq] for seq in sorted(self._asks)], self._questions)
        for seq in sorted(before.keys() | self._questions_of.keys()):
            if before.get(seq) != self._questions_of.get(seq):
                yield from self._again(self.items.key_of(seq))
        shown = {record.question_id for record in self._questions_of.values()}
        alone = [record for record in self._questions if record.question_id not in shown]
        yield from self._drop_extras("ask-", {f"ask-{record.question_id}" for record in alone})
        for record in alone:
            yield from self._put_extra(f"ask-{record.question_id}", answered_row(record), record.created_ms)

    # ---- items

    def _put_extra(self, name: str, row: Part, created_ms: int) -> Changes:
        key = self.items.name(name, created_ms)
        yield from self._put(key, Item(key, row))

    def _drop_extras(self, kind: str, kept: Iterable[str]) -> Changes:
        for key in self.items.named(kind):
            if key.name not in kept:
                self.items.forget(key.name)
                yield from self._put(key, None)

    def _put(self, key: Key, item: Item | None) -> Changes:
        """Add, replace or (None) take out the item of a place."""
        at = self.items.index(key)
        if self.items.holds(at, key):
            if item is None:
                self.items.drop(at)
                yield Touched(at, at, -1)
            elif self.items.items[at].part != item.part:
                self.items.put(at, item)
                yield Touched(at, at + 1)
        elif item is not None:
            self.items.insert(at, [item])
            yield Touched(at, at + 1, 1)

    def _again(self, key: Key | None) -> Changes:
        """Nothing of the item itself changed, but what the fold looks at."""
        at = self.items.index(key) if key is not None else len(self.items)
        if key is not None and self.items.holds(at, key):
            yield Touched(at, at + 1)
