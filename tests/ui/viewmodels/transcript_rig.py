"""A conversation under test: a world, a store that answers pages when told to, and a list kept by the model's signals.

Owns no assertion but that the kept list and the model agree (`check`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication, QModelIndex

from codeg.api import (
    Change,
    Entry,
    EntryChanged,
    NoteRecord,
    NotesChanged,
    QuestionChanged,
    QuestionRecord,
    SessionChanged,
    SessionRecord,
    Status,
    TaskChanged,
    TaskView,
    ThreadChange,
)
from tests.ui.making import session, task
from ui.viewmodels.rows import Row
from ui.viewmodels.transcript import Transcript
from ui.viewmodels.world import World

ROOT = "root"
What = Entry | TaskView | SessionRecord | QuestionRecord | tuple[NoteRecord, ...]


class Pages:
    """The store: `eager` answers at once, otherwise when `answer` is called."""

    def __init__(self, entries: Iterable[Entry] = (), eager: bool = True) -> None:
        self.stored = {entry.seq: entry for entry in entries}
        self.eager = eager
        self.asked: list[Callable[[], None]] = []
        self.calls: list[tuple[str, int, int]] = []
        self.noted: list[str] = []
        self.limit: int | None = None

    def entries(self, session_id: str, after_seq: int, limit: int, then: Callable[[tuple[Entry, ...]], None]) -> None:
        """As in `ui.orders.Orders`."""
        self.calls.append((session_id, after_seq, limit))
        most = self.limit or limit

        def answer() -> None:
            found = sorted(entry.seq for entry in self.stored.values() if entry.seq > after_seq)
            then(tuple(self.stored[seq] for seq in found[:most]))

        if self.eager:
            answer()
        else:
            self.asked.append(answer)

    def notes(self, session_id: str) -> None:
        """As in `ui.orders.Orders`."""
        self.noted.append(session_id)

    def answer(self) -> bool:
        """Answer the oldest open page; whether there was one."""
        if not self.asked:
            return False
        self.asked.pop(0)()
        return True


class Kept:
    """What somebody knows who only listens to the model's signals."""

    def __init__(self, model: Transcript) -> None:
        self.model = model
        self.rows: list[Row] = [model.row_at(number) for number in range(model.rowCount())]
        self.told: list[str] = []
        model.rowsInserted.connect(self.inserted)
        model.rowsRemoved.connect(self.removed)
        model.dataChanged.connect(self.changed)

    def inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        self.rows[first:first] = [self.model.row_at(number) for number in range(first, last + 1)]
        self.told.append(f"+{first}-{last}")

    def removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        del self.rows[first : last + 1]
        self.told.append(f"-{first}-{last}")

    def changed(self, first: QModelIndex, last: QModelIndex) -> None:
        for number in range(first.row(), last.row() + 1):
            self.rows[number] = self.model.row_at(number)
        self.told.append(f"*{first.row()}-{last.row()}")


class Rig:
    """`put` is one frame of changes; what is put is in the store as well, as the host has it."""

    def __init__(self, *entries: Entry, running: bool = True, eager: bool = True, load: bool = True) -> None:
        self.world = World()
        self.state = "running" if running else "idle"
        self.world.load((session(ROOT, state=self.state),), ())
        self.pages = Pages(entries, eager)
        self.model = Transcript(ROOT, self.world, self.pages)
        self.kept = Kept(self.model)
        self._number = 0
        if load:
            self.model.load()
            if eager:
                self.drain()

    def drain(self) -> None:
        """Let everything that waits for the loop happen."""
        for _ in range(10_000):
            answered = self.pages.answer()
            QCoreApplication.processEvents()
            if not answered and not self.pages.asked and not self.model.loading:
                return
        raise AssertionError("it never came to rest")

    def put(self, *what: What) -> None:
        """One frame."""
        changes: list[Change] = []
        for each in what:
            self._number += 1
            changes.append(Change(self._number, self._told(each)))
        self.world.apply(changes)
        self.check()

    def run(self, running: bool) -> None:
        """A turn begins or ends."""
        self.state = "running" if running else "idle"
        self.put(session(ROOT, state=self.state))

    def _told(self, what: What) -> Any:
        match what:
            case Entry():
                kind = "updated" if what.seq in self.pages.stored else "added"
                self.pages.stored[what.seq] = what
                return EntryChanged(ROOT, ThreadChange(kind, what))
            case TaskView():
                return TaskChanged(what)
            case SessionRecord():
                return SessionChanged(what)
            case QuestionRecord():
                return QuestionChanged(what)
            case _:
                return NotesChanged(ROOT, what)

    def rows(self) -> list[Row]:
        """What the model holds."""
        return [self.model.row_at(number) for number in range(self.model.rowCount())]

    def check(self) -> None:
        """The signals told the whole truth."""
        assert self.kept.rows == self.rows()
        keys = self.model.keys()
        assert len(set(keys)) == len(keys)
        assert [self.model.index_of(key) for key in keys] == list(range(len(keys)))

    def afresh(self) -> list[Row]:
        """The rows of a transcript that is opened now."""
        model = Transcript(ROOT, self.world, Pages(self.pages.stored.values()))
        model.load()
        while model.loading:
            QCoreApplication.processEvents()
        rows = [model.row_at(number) for number in range(model.rowCount())]
        model.end()
        return rows


def entry(seq: int, kind: str = "message", text: str = "", ms: int | None = None, **more: Any) -> Entry:
    """An entry a second after the one before."""
    made: dict[str, Any] = {"seq": seq, "kind": kind, "attempt": 1, "created_ms": seq * 1000 if ms is None else ms}
    return Entry(text=text, **(made | more))


def call(seq: int, title: str = "Read a.py", status: str = "completed", **more: Any) -> Entry:
    """A tool call."""
    more = {"tool_call_id": f"call-{seq}", "tool_kind": "read"} | more
    return entry(seq, "tool", title=title, status=status, **more)


def delegate(seq: int, task: str = "Write tests", agent: str = "codex", **more: Any) -> Entry:
    """A call of ours."""
    more = {"status": "in_progress", "raw_input": {"agent_type": agent, "task": task}} | more
    return call(seq, "mcp__codeg__delegate_to_agent", **more)


def poll(seq: int, ids: Sequence[str] = ("t1",), status: str = "completed", **more: Any) -> Entry:
    """A call of ours."""
    raw = {"task_ids": list(ids)} if ids else {}
    return call(seq, "mcp__codeg__get_delegation_status", status, **({"raw_input": raw} | more))


def ask(seq: int, question: str = "Which?", status: str = "in_progress", **more: Any) -> Entry:
    """A call of ours."""
    options = [{"label": "SQLite", "description": ""}, {"label": "Files", "description": ""}]
    raw = {"questions": [{"question": question, "header": "DB", "multiSelect": False, "options": options}]}
    return call(seq, "mcp__codeg__ask_user_question", status, **({"raw_input": raw} | more))


def acknowledged(task_id: str) -> dict[str, Any]:
    """The raw output of a call that was taken."""
    return {"structuredContent": {"task_id": task_id, "status": "running"}, "content": []}


def questions(question_id: str, question: str = "Which?", ms: int = 0, **more: Any) -> QuestionRecord:
    """A question set in the store."""
    asked: dict[str, Any] = {"question": question, "header": "DB", "multiSelect": False, "options": []}
    record = QuestionRecord(question_id, ROOT, (asked,), "open", ms)
    return replace(record, **more)


def kinds(rig: Rig) -> list[str]:
    """What looks the rows have, in order."""
    return [type(row).__name__.removesuffix("Row") for row in rig.rows()]


def child(task_id: str, text: str = "Write tests", at: int = 0, **more: Any) -> TaskView:
    """A running task of the session; `more`: fields of its record."""
    view = task(task_id, ROOT, text, status=Status.RUNNING)
    return replace(view, record=replace(view.record, created_ms=at, **more))
