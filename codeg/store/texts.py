"""Result texts: bytes of any size, in pieces, one text per attempt of a task.

Owns the tables `texts` and `chunks`. A slice costs its own length, whatever the size of the text, and listing tasks
reads none of it (P11, P12). Never decodes: offsets and sizes are in bytes of UTF-8, and what went in comes out byte
for byte.
"""

import sqlite3
from typing import Any

CHUNK = 64 * 1024
"""Bytes of one piece."""

_FIND = """SELECT texts.text_id, texts.size FROM tasks
    JOIN texts ON texts.task = tasks.seq AND texts.attempt <= tasks.shown_attempt
    WHERE tasks.task_id = ? ORDER BY texts.attempt DESC LIMIT 1"""


def save_text(connection: sqlite3.Connection, task: int, attempt: int, text: bytes) -> None:
    """Put the text of an attempt in place of the one that may be there; `task` is the row of the task."""
    connection.execute("DELETE FROM texts WHERE task = ? AND attempt = ?", (task, attempt))
    cursor = connection.execute("INSERT INTO texts (task, attempt, size) VALUES (?, ?, ?)", (task, attempt, len(text)))
    whole = memoryview(text)
    connection.executemany(
        "INSERT INTO chunks (text_id, part, data) VALUES (?, ?, ?)",
        ((cursor.lastrowid, part, whole[at : at + CHUNK]) for part, at in enumerate(range(0, len(text), CHUNK))),
    )


def save_silence(connection: sqlite3.Connection, task: int, attempt: int) -> None:
    """This attempt ended without a text: an earlier attempt's must not stand for it. Leaves a text that was saved."""
    connection.execute("INSERT OR IGNORE INTO texts (task, attempt, size) VALUES (?, ?, 0)", (task, attempt))


def size_of(connection: sqlite3.Connection, task_id: str) -> int:
    """Bytes of the task's result, 0 when there is none."""
    found = _find(connection, task_id)
    return found[1] if found else 0


def read_slice(connection: sqlite3.Connection, task_id: str, offset: int, limit: int) -> bytes:
    """At most `limit` bytes of the task's result from byte `offset` on; empty past the end or when there is none."""
    found = _find(connection, task_id)
    if found is None or offset < 0 or limit <= 0 or offset >= found[1]:
        return b""
    end = min(offset + limit, found[1])
    first = offset // CHUNK
    rows = connection.execute(
        "SELECT data FROM chunks WHERE text_id = ? AND part BETWEEN ? AND ? ORDER BY part",
        (found[0], first, (end - 1) // CHUNK),
    )
    start = first * CHUNK
    return b"".join(row[0] for row in rows)[offset - start : end - start]


def _find(connection: sqlite3.Connection, task_id: str) -> tuple[int, int] | None:
    row: tuple[Any, ...] | None = connection.execute(_FIND, (task_id,)).fetchone()
    return (row[0], row[1]) if row else None
