"""How each kind of write goes into its table.

Owns the statements that insert and replace; `apply` is called within one transaction (`Store.commit`) and never ends
it. Every value of the record types can be written: what an indexed column could not hold stands exactly in `doc` and
approximately in the column.
"""

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

from codeg.broker.codes import SHOWN_PHASES, Phase
from codeg.broker.tasks import ProcessIdentity, TaskRecord
from codeg.sessions.types import Entry
from codeg.store.records import (
    DeleteSessions,
    DropProcess,
    SaveEntries,
    SaveKept,
    SaveMarks,
    SaveNote,
    SaveProcess,
    SaveQuestion,
    SaveSession,
    SaveSpent,
    SaveStderr,
    SaveTask,
    Write,
)
from codeg.store.shapes import bounded, pack, pack_list, sane
from codeg.store.texts import save_silence, save_text

MARKS = frozenset({"custom_title", "pinned", "archived", "seen_ms"})
"""Fields of a session that stand in a table of their own: the host saves sessions without knowing of the marks."""
BRIEF = frozenset({"task_text"})
"""Fields of a task that stand in a table of their own, since they never change while the record often does."""
_LIVE_STATES = frozenset({"starting", "idle", "running", "connected"})

_TASK = """INSERT INTO tasks
    (task_id, parent_id, child_id, idempotency_key, created_ms, ended_ms, live, shown_attempt, doc)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (task_id) DO UPDATE SET parent_id = excluded.parent_id, child_id = excluded.child_id,
    idempotency_key = excluded.idempotency_key, created_ms = excluded.created_ms, ended_ms = excluded.ended_ms,
    live = excluded.live, shown_attempt = excluded.shown_attempt, doc = excluded.doc, pruned = 0"""
_BRIEF = """INSERT INTO briefs (task, text) VALUES (?, ?)
    ON CONFLICT (task) DO UPDATE SET text = excluded.text WHERE text IS NOT excluded.text"""
_SESSION = """INSERT INTO sessions (session_id, kind, host, folder, parent_id, created_ms, live, doc)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (session_id) DO UPDATE SET kind = excluded.kind, host = excluded.host, folder = excluded.folder,
    parent_id = excluded.parent_id, created_ms = excluded.created_ms, live = excluded.live, doc = excluded.doc"""
_ENTRY = """INSERT INTO entries (session_id, seq, doc) VALUES (?, ?, ?)
    ON CONFLICT (session_id, seq) DO UPDATE SET doc = excluded.doc"""
_QUESTION = """INSERT INTO questions (question_id, session_id, pending, doc) VALUES (?, ?, ?, ?)
    ON CONFLICT (question_id) DO UPDATE
    SET session_id = excluded.session_id, pending = excluded.pending, doc = excluded.doc"""
_NOTE = """INSERT INTO notes (note_id, session_id, pending, doc) VALUES (?, ?, ?, ?)
    ON CONFLICT (note_id) DO UPDATE
    SET session_id = excluded.session_id, pending = excluded.pending, doc = excluded.doc"""
_PROCESS = """INSERT OR REPLACE INTO processes (boot_id, keeper_pid, keeper_start, agent_pid, agent_start, session_id)
    VALUES (?, ?, ?, ?, ?, ?)"""
_DROP = """DELETE FROM processes
    WHERE boot_id = ? AND keeper_pid = ? AND keeper_start = ? AND agent_pid = ? AND agent_start = ?"""
_MARKS = """UPDATE marks SET custom_title = coalesce(?, custom_title), pinned = coalesce(?, pinned),
    archived = coalesce(?, archived), seen_ms = coalesce(?, seen_ms) WHERE session_id = ?"""
_SPENT_BEFORE = """SELECT total FROM spent WHERE session_id = ? AND currency = ? AND total IS NOT NULL
    ORDER BY seq DESC LIMIT 1"""
_SPENT = "INSERT INTO spent (session_id, at_ms, tokens, total, amount, currency) VALUES (?, ?, ?, ?, ?, ?)"
_AMONG = "session_id IN (SELECT value FROM json_each(?))"
_STDERR = "INSERT OR REPLACE INTO stderr (session_id, lines) VALUES (?, ?)"


def apply(connection: sqlite3.Connection, writes: Iterable[Write]) -> None:
    """Write all, in order; of several states of one entry only the last: nothing else of a commit depends on it."""
    entries: dict[tuple[str, int], Entry] = {}
    for write in writes:
        if isinstance(write, SaveEntries):
            session = sane(write.session_id)
            entries.update(((session, entry.seq), entry) for entry in write.entries)
        else:
            _HOW[type(write)](connection, write)
    if entries:
        connection.executemany(
            _ENTRY, ((session, bounded(seq), _entry_text(entry)) for (session, seq), entry in entries.items())
        )


def brief_of(data: bytes) -> str:
    """The task text that `apply` stored."""
    return data.decode("utf-8", "surrogatepass")


def _save_task(connection: sqlite3.Connection, write: SaveTask) -> None:
    record = write.record
    task_id = sane(record.task_id)
    connection.execute(_TASK, (task_id, *_task_columns(record)))
    task = int(connection.execute("SELECT seq FROM tasks WHERE task_id = ?", (task_id,)).fetchone()[0])
    connection.execute(_BRIEF, (task, record.task_text.encode("utf-8", "surrogatepass")))
    if write.text is not None:
        save_text(connection, task, bounded(record.attempt), write.text)
    elif record.phase in SHOWN_PHASES and record.end is not None and not record.end.text_bytes:
        save_silence(connection, task, bounded(record.attempt))


def _task_columns(record: TaskRecord) -> tuple[Any, ...]:
    shown = record.phase in SHOWN_PHASES
    return (
        sane(record.parent_id),
        sane(record.child_id),
        None if record.idempotency_key is None else sane(record.idempotency_key),
        bounded(record.created_ms),
        bounded(record.created_ms if record.ended_ms is None else record.ended_ms),
        record.phase is not Phase.ENDED,
        bounded(record.attempt if shown else record.attempt - 1),
        pack(record, BRIEF),
    )


def _save_session(connection: sqlite3.Connection, write: SaveSession) -> None:
    record = write.record
    connection.execute(
        _SESSION,
        (
            sane(record.session_id),
            record.kind,
            None if record.host is None else sane(record.host),
            sane(record.folder),
            None if record.parent_id is None else sane(record.parent_id),
            bounded(record.created_ms),
            record.state in _LIVE_STATES,
            pack(record, MARKS),
        ),
    )


def _save_question(connection: sqlite3.Connection, write: SaveQuestion) -> None:
    record = write.record
    # A withdrawn one has nobody left to be delivered to.
    pending = record.state == "open" or (record.state != "withdrawn" and not record.delivered)
    connection.execute(_QUESTION, (sane(record.question_id), sane(record.session_id), pending, pack(record)))


def _save_note(connection: sqlite3.Connection, write: SaveNote) -> None:
    record = write.record
    pending = record.delivered_ms is None
    connection.execute(_NOTE, (sane(record.note_id), sane(record.session_id), pending, pack(record)))


def _save_process(connection: sqlite3.Connection, write: SaveProcess) -> None:
    connection.execute(_PROCESS, (*_process_key(write.process), sane(write.session_id)))


def _drop_process(connection: sqlite3.Connection, write: DropProcess) -> None:
    connection.execute(_DROP, _process_key(write.process))


def _process_key(process: ProcessIdentity) -> tuple[str, int, int, int, int]:
    return (process.boot_id, process.keeper_pid, process.keeper_start, process.agent_pid, process.agent_start)


def _save_stderr(connection: sqlite3.Connection, write: SaveStderr) -> None:
    connection.execute(_STDERR, (sane(write.session_id), pack_list(write.lines)))


def _save_marks(connection: sqlite3.Connection, write: SaveMarks) -> None:
    title = None if write.custom_title is None else sane(write.custom_title)
    seen_ms = None if write.seen_ms is None else bounded(write.seen_ms)
    connection.execute("INSERT OR IGNORE INTO marks (session_id) VALUES (?)", (sane(write.session_id),))
    connection.execute(_MARKS, (title, write.pinned, write.archived, seen_ms, sane(write.session_id)))


def _save_kept(connection: sqlite3.Connection, write: SaveKept) -> None:
    text = write.text.encode("utf-8", "surrogatepass")
    connection.execute("INSERT OR REPLACE INTO kept (name, text) VALUES (?, ?)", (sane(write.name), text))


def _save_spent(connection: sqlite3.Connection, write: SaveSpent) -> None:
    session_id, total, currency = sane(write.session_id), write.total, sane(write.currency)
    before = connection.execute(_SPENT_BEFORE, (session_id, currency)).fetchone()
    # An agent that counts from nothing again tells less than before.
    amount = total - before[0] if total is not None and before is not None and total >= before[0] else total
    tokens = None if write.tokens is None else bounded(write.tokens)
    connection.execute(_SPENT, (session_id, bounded(write.at_ms), tokens, total, amount, currency))


def _delete_sessions(connection: sqlite3.Connection, write: DeleteSessions) -> None:
    ids = pack_list(tuple(map(sane, write.session_ids)))
    for table in ("entries", "questions", "notes", "stderr", "marks", "sessions"):
        connection.execute(f"DELETE FROM {table} WHERE {_AMONG}", (ids,))  # noqa: S608  # names of this module
    connection.execute("DELETE FROM tasks WHERE parent_id IN (SELECT value FROM json_each(?))", (ids,))


def _entry_text(entry: Entry) -> str:
    try:
        return pack(entry)
    except (RecursionError, TypeError, ValueError):
        # Raw parts come from an agent as it likes; one that cannot be written must not cost the conversation its text.
        raw = frozenset({"raw_input", "raw_output", "content", "locations", "plan"})
        return pack(entry, raw)


_HOW: dict[type, Callable[[sqlite3.Connection, Any], None]] = {
    SaveTask: _save_task,
    SaveSession: _save_session,
    SaveQuestion: _save_question,
    SaveNote: _save_note,
    SaveProcess: _save_process,
    DropProcess: _drop_process,
    SaveStderr: _save_stderr,
    SaveMarks: _save_marks,
    SaveKept: _save_kept,
    SaveSpent: _save_spent,
    DeleteSessions: _delete_sessions,
}
