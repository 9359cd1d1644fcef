"""The store: what a host keeps for ever, in one SQLite file (contract 3 and 6, Durability and order).

Owns one connection; synchronous, one call at a time, from any thread. A commit is one transaction and durable when it
returns. Reads come in pages; the cost of a page does not grow with what is stored (P11). It ends with `close`. It never
waits for anybody but the disk, never interprets a record and never drops one: pruning takes texts and transcripts.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar

from codeg.broker.tasks import ProcessIdentity, TaskRecord
from codeg.sessions.types import Entry
from codeg.store import queries, searching, texts, writing
from codeg.store.faults import StoreError, told_as
from codeg.store.records import DayUsage, Hit, NoteRecord, QuestionRecord, SaveProcess, SessionRecord, Write
from codeg.store.schema import open_for_reading, open_writable
from codeg.store.shapes import bounded, pack_list, sane, unpack

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["Store", "StoreError"]

T = TypeVar("T", bound="DataclassInstance")

DAY_MS = 86_400_000
PAGE_BYTES = 16 * 1024 * 1024
"""At most this much entry text is read for one page."""


class Store:
    """One open database file. `path` is absolute.

    Every method raises `StoreError` (one sentence) when the file cannot be read or written.
    """

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self.path = path

    @classmethod
    def open(cls, path: str) -> Self:
        """The host's store: made if absent (0600 in a folder 0700), brought up to date.

        Raises:
            StoreError: a newer, foreign or damaged file (left as it is), or the system's refusal.
        """
        absolute = os.path.abspath(path)
        return cls(open_writable(absolute), absolute)

    @classmethod
    def open_readonly(cls, path: str) -> Self:
        """For looking only, beside a running host or without one; no file yet reads as an empty store.

        Raises:
            StoreError: as `open`; also a schema that only a host can bring up to date.
        """
        absolute = os.path.abspath(path)
        return cls(open_for_reading(absolute), absolute)

    def close(self) -> None:
        """Close the file. A second call does nothing."""
        with told_as("written", self.path):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    # ---- writing

    def commit(self, writes: Iterable[Write]) -> None:
        """Make all of them durable in one transaction, in order; on an error none of them is."""
        with told_as("written", self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                writing.apply(self._connection, writes)
                self._connection.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise

    def prune(self, keep_days: int, now_ms: int, limit: int = 50) -> int:
        """Drop texts, transcripts and stderr of tasks that ended over `keep_days` ago; the rest stays (contract 6).

        Args:
            keep_days: 0 = keep for ever.
            now_ms: wall time in epoch milliseconds.
            limit: tasks of one call, so that others get their turn.

        Returns:
            Tasks pruned; call again until it is 0.
        """
        if keep_days <= 0:
            return 0
        with told_as("written", self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                pruned = self._prune(now_ms - keep_days * DAY_MS, limit)
                self._connection.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise
            if pruned:
                # As a script: it gives no rows, and `execute` would stop after the first page.
                self._connection.executescript("PRAGMA incremental_vacuum(4096)")
        return pruned

    # ---- tasks

    def live_tasks(self) -> tuple[TaskRecord, ...]:
        """All tasks whose phase is not `ended`, oldest first."""
        return self._tasks(queries.TASK_LIVE)

    def task(self, task_id: str) -> TaskRecord | None:
        """The task of that id."""
        return next(iter(self._tasks(queries.TASK_BY_ID, sane(task_id))), None)

    def tasks(self, task_ids: Sequence[str]) -> tuple[TaskRecord, ...]:
        """The tasks of these ids in the asked order, each once; unknown ids are left out."""
        wanted = dict.fromkeys(map(sane, task_ids))
        found = {sane(record.task_id): record for record in self._tasks(queries.TASK_BY_IDS, pack_list(tuple(wanted)))}
        return tuple(found[task_id] for task_id in wanted if task_id in found)

    def task_by_key(self, parent_id: str, key: str) -> TaskRecord | None:
        """The task that this parent made under that idempotency key."""
        return next(iter(self._tasks(queries.TASK_BY_KEY, sane(parent_id), sane(key))), None)

    def tasks_page(
        self, limit: int, before: str | None = None, parent_ids: Sequence[str] | None = None
    ) -> tuple[TaskRecord, ...]:
        """Tasks by time of creation, newest first, without result texts.

        Args:
            limit: most records of the page; a shorter page is the last.
            before: id of the last task of the page before; None = from the newest. An unknown id gives an empty page.
            parent_ids: only tasks of these parents; None = all.
        """
        place = self._place(queries.TASK_PLACE, before)
        if place is None:
            return ()
        if parent_ids is None:
            return self._tasks(queries.TASK_PAGE, *place, limit)
        # Per parent at most a page is looked at, however many tasks it has.
        parents = dict.fromkeys(map(sane, parent_ids))
        rows = [row for parent in parents for row in self._rows(queries.TASK_ROWS_OF, parent, *place, limit)]
        newest = [row[1] for row in sorted(rows, reverse=True)[:limit]]
        return self._tasks(queries.TASK_BY_ROWS, json.dumps(newest))

    def result(self, task_id: str, offset: int = 0, limit: int = 1024 * 1024) -> bytes:
        """At most `limit` bytes from byte `offset` of the result: the text of the newest ended attempt, as written."""
        with told_as("read", self.path):
            return texts.read_slice(self._connection, sane(task_id), offset, limit)

    def result_size(self, task_id: str) -> int:
        """Bytes of the whole result; 0 when there is none (any more)."""
        with told_as("read", self.path):
            return texts.size_of(self._connection, sane(task_id))

    # ---- sessions

    def session(self, session_id: str) -> SessionRecord | None:
        """The session of that id."""
        return next(iter(self._sessions(queries.SESSION_BY_ID, sane(session_id))), None)

    def sessions_page(self, limit: int, before: str | None = None) -> tuple[SessionRecord, ...]:
        """Sessions by time of creation, newest first; `before` is the id of the last one of the page before."""
        place = self._place(queries.SESSION_PLACE, before)
        return () if place is None else self._sessions(queries.SESSION_PAGE, *place, limit)

    def live_sessions(self) -> tuple[SessionRecord, ...]:
        """Sessions whose state says they are at work or connected, oldest first: after a crash none of them is."""
        return self._sessions(queries.SESSION_LIVE)

    def session_children(self, session_id: str) -> tuple[SessionRecord, ...]:
        """Sessions whose parent this is, oldest first."""
        return self._sessions(queries.SESSION_CHILDREN, sane(session_id))

    def outside_sessions(self, host: str, folder: str) -> tuple[SessionRecord, ...]:
        """Identities of an outside host program in a folder, newest first (contract 1)."""
        return self._sessions(queries.SESSION_OUTSIDE, sane(host), sane(folder))

    def entries(
        self, session_id: str, after_seq: int = -1, limit: int = 500, max_bytes: int = PAGE_BYTES
    ) -> tuple[Entry, ...]:
        """Entries of a conversation after `after_seq`, in order.

        A page ends at `limit` entries or once `max_bytes` of text were read (at least one entry), so only an empty page
        is the end.
        """
        found: list[Entry] = []
        size = 0
        with told_as("read", self.path):
            for (doc,) in self._connection.execute(queries.ENTRIES, (sane(session_id), after_seq, limit)):
                size += len(doc)
                if found and size > max_bytes:
                    break
                found.append(unpack(Entry, doc))
        return tuple(found)

    def entry_count(self, session_id: str) -> int:
        """Number of stored entries of a conversation."""
        return self._rows("SELECT count(*) FROM entries WHERE session_id = ?", sane(session_id))[0][0]

    def stderr_tail(self, session_id: str) -> tuple[str, ...]:
        """The last lines that the session's agent wrote to stderr, as they were saved."""
        rows = self._rows("SELECT lines FROM stderr WHERE session_id = ?", sane(session_id))
        with told_as("read", self.path):
            return tuple(json.loads(rows[0][0])) if rows else ()

    # ---- what waits

    def question(self, question_id: str) -> QuestionRecord | None:
        """The question of that id, whatever its state."""
        return next(iter(self._docs(QuestionRecord, queries.QUESTIONS + "question_id = ?", sane(question_id))), None)

    def questions(self, session_ids: Sequence[str] | None = None) -> tuple[QuestionRecord, ...]:
        """Questions that are open or whose outcome is not yet delivered, oldest first; None = of all sessions."""
        return self._waiting(QuestionRecord, queries.QUESTIONS, session_ids)

    def note(self, note_id: str) -> NoteRecord | None:
        """The note of that id, delivered or not."""
        return next(iter(self._docs(NoteRecord, queries.NOTES + "note_id = ?", sane(note_id))), None)

    def pending_notes(self, session_ids: Sequence[str] | None = None) -> tuple[NoteRecord, ...]:
        """Notes that were not delivered yet, oldest first; None = of all sessions."""
        return self._waiting(NoteRecord, queries.NOTES, session_ids)

    def questions_of(self, session_id: str, limit: int) -> tuple[QuestionRecord, ...]:
        """The newest questions of a session, whatever their state, oldest first."""
        return self._docs(QuestionRecord, queries.QUESTIONS + queries.NEWEST_OF, sane(session_id), limit)[::-1]

    def notes_of(self, session_id: str, limit: int) -> tuple[NoteRecord, ...]:
        """The newest notes of a session, delivered or not, oldest first."""
        return self._docs(NoteRecord, queries.NOTES + queries.NEWEST_OF, sane(session_id), limit)[::-1]

    def processes(self) -> tuple[SaveProcess, ...]:
        """Keepers with their agents that were saved and not dropped."""
        return tuple(SaveProcess(row[0], ProcessIdentity(*row[1:])) for row in self._rows(queries.PROCESSES))

    # ---- what a front end needs besides

    def kept(self, name: str) -> str | None:
        """The text that a front end kept under this name."""
        rows = self._rows(queries.KEPT, sane(name))
        return writing.brief_of(rows[0][0]) if rows else None

    def spent_since(self, since_ms: int) -> DayUsage:
        """The sum of what turns spent from this moment on."""
        rows = self._rows(queries.SPENT, bounded(since_ms))
        tokens = [row[2] for row in rows if row[2] is not None]
        cost: dict[str, float] = {}
        for currency, amount, _ in rows:
            if currency:
                cost[currency] = cost.get(currency, 0.0) + (amount or 0.0)
        return DayUsage(sum(tokens) if tokens else None, tuple(sorted(cost.items())))

    def search(self, needle: str, before: int | None, limit: int, seconds: float) -> tuple[list[Hit], int | None]:
        """Entries that hold the text, the newest first, as far as this many seconds reach; then where to go on.

        `before`: None = from the newest. The second value None = all were looked at.
        """
        with told_as("read", self.path):
            rows = self._connection.execute(queries.SEARCHED, (queries.NEWEST[0] if before is None else before,))
            try:
                return searching.look(rows, needle, limit, seconds)
            finally:
                rows.close()

    # ---- deletion

    def session_tree(self, session_id: str) -> tuple[str, ...]:
        """Ids of all sessions below this one, deepest first, then its own."""
        return tuple(row[0] for row in reversed(self._rows(queries.SESSION_TREE, sane(session_id))))

    def erase(self, session_ids: Sequence[str], limit: int) -> int:
        """Take some entries and texts of sessions that are about to be deleted; call again until it is 0."""
        ids = pack_list(tuple(map(sane, session_ids)))
        with told_as("written", self.path):
            entries = self._connection.execute(queries.ERASE_ENTRIES, (ids, limit)).rowcount
            return entries or self._connection.execute(queries.ERASE_CHUNKS, (ids, limit)).rowcount

    # ---- inside

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with told_as("read", self.path):
            return self._connection.execute(sql, values).fetchall()

    def _docs(self, kind: type[T], sql: str, *values: object) -> tuple[T, ...]:
        with told_as("read", self.path):
            return tuple([unpack(kind, row[0]) for row in self._connection.execute(sql, values)])

    def _sessions(self, sql: str, *values: object) -> tuple[SessionRecord, ...]:
        with told_as("read", self.path):
            rows = self._connection.execute(sql, values)
            return tuple([unpack(SessionRecord, doc, **_marks(*marks)) for doc, *marks in rows])

    def _tasks(self, sql: str, *values: object) -> tuple[TaskRecord, ...]:
        with told_as("read", self.path):
            rows = self._connection.execute(sql, values)
            return tuple([unpack(TaskRecord, doc, task_text=writing.brief_of(text)) for doc, text in rows])

    def _waiting(self, kind: type[T], select: str, session_ids: Sequence[str] | None) -> tuple[T, ...]:
        if session_ids is None:
            return self._docs(kind, select + "pending = 1 ORDER BY seq")
        return self._docs(kind, select + queries.AMONG, pack_list(tuple(map(sane, session_ids))))

    def _place(self, sql: str, before: str | None) -> tuple[int, int] | None:
        """Where a page begins: by the clock, then as they came; None where there is no such row."""
        if before is None:
            return queries.NEWEST
        rows = self._rows(sql, sane(before))
        return (rows[0][0], rows[0][1]) if rows else None

    def _prune(self, ended_before: int, limit: int) -> int:
        rows = self._connection.execute(queries.PRUNABLE, (bounded(ended_before), limit)).fetchall()
        for seq, child in rows:
            self._connection.execute("DELETE FROM texts WHERE task = ?", (seq,))
            self._connection.execute("DELETE FROM entries WHERE session_id = ?", (child,))
            self._connection.execute("DELETE FROM stderr WHERE session_id = ?", (child,))
            self._connection.execute("UPDATE tasks SET pruned = 1 WHERE seq = ?", (seq,))
        return len(rows)

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def _marks(title: str | None, pinned: int | None, archived: int | None, seen_ms: int | None) -> dict[str, Any]:
    """The person's marks on a session as its record has them; a session without any has no row."""
    return {"custom_title": title or "", "pinned": bool(pinned), "archived": bool(archived), "seen_ms": seen_ms or 0}
