"""The tables of the store, and how a file is made, checked and brought up to date.

Owns the numbered migrations (forward only, `PRAGMA user_version`, each in a transaction) and the settings of a
connection. Never changes a file that it does not understand: a newer, foreign or damaged one is refused with one
sentence (contract 3).
"""

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from codeg.store.faults import StoreError, told_as
from codeg.store.homes import make_private_folder, tighten

APPLICATION_ID = 0x436F6467
"""Marks a file as ours (`Codg`)."""
BUSY_MS = 10_000
_WAL_LIMIT = 64 * 1024 * 1024
_CACHE_KIB = 16 * 1024

Migration = tuple[str, ...]

_FIRST: Migration = (
    """CREATE TABLE tasks (
        seq INTEGER PRIMARY KEY, task_id TEXT NOT NULL UNIQUE, parent_id TEXT NOT NULL, child_id TEXT NOT NULL,
        idempotency_key TEXT, created_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL, live INTEGER NOT NULL,
        pruned INTEGER NOT NULL DEFAULT 0, shown_attempt INTEGER NOT NULL, doc TEXT NOT NULL)""",
    "CREATE INDEX tasks_by_time ON tasks (created_ms)",
    "CREATE INDEX tasks_by_parent ON tasks (parent_id, created_ms)",
    "CREATE INDEX tasks_by_key ON tasks (parent_id, idempotency_key) WHERE idempotency_key IS NOT NULL",
    "CREATE INDEX tasks_live ON tasks (live) WHERE live = 1",
    "CREATE INDEX tasks_prunable ON tasks (ended_ms) WHERE live = 0 AND pruned = 0",
    "CREATE TABLE briefs (task INTEGER PRIMARY KEY REFERENCES tasks ON DELETE CASCADE, text BLOB NOT NULL)",
    """CREATE TABLE texts (
        text_id INTEGER PRIMARY KEY, task INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
        attempt INTEGER NOT NULL, size INTEGER NOT NULL, UNIQUE (task, attempt))""",
    """CREATE TABLE chunks (
        text_id INTEGER NOT NULL REFERENCES texts ON DELETE CASCADE, part INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (text_id, part))""",
    """CREATE TABLE sessions (
        seq INTEGER PRIMARY KEY, session_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, host TEXT, folder TEXT NOT NULL,
        parent_id TEXT, created_ms INTEGER NOT NULL, live INTEGER NOT NULL, doc TEXT NOT NULL)""",
    "CREATE INDEX sessions_by_time ON sessions (created_ms)",
    "CREATE INDEX sessions_by_parent ON sessions (parent_id, created_ms) WHERE parent_id IS NOT NULL",
    "CREATE INDEX sessions_outside ON sessions (host, folder, created_ms) WHERE kind = 'outside'",
    "CREATE INDEX sessions_live ON sessions (live) WHERE live = 1",
    """CREATE TABLE entries (
        session_id TEXT NOT NULL, seq INTEGER NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (session_id, seq))""",
    """CREATE TABLE questions (
        seq INTEGER PRIMARY KEY, question_id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL, pending INTEGER NOT NULL,
        doc TEXT NOT NULL)""",
    "CREATE INDEX questions_pending ON questions (session_id) WHERE pending = 1",
    """CREATE TABLE notes (
        seq INTEGER PRIMARY KEY, note_id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL, pending INTEGER NOT NULL,
        doc TEXT NOT NULL)""",
    "CREATE INDEX notes_pending ON notes (session_id) WHERE pending = 1",
    """CREATE TABLE processes (
        boot_id TEXT NOT NULL, keeper_pid INTEGER NOT NULL, keeper_start INTEGER NOT NULL, agent_pid INTEGER NOT NULL,
        agent_start INTEGER NOT NULL, session_id TEXT NOT NULL,
        PRIMARY KEY (boot_id, keeper_pid, keeper_start, agent_pid, agent_start))""",
    "CREATE TABLE stderr (session_id TEXT PRIMARY KEY, lines TEXT NOT NULL)",
)

_DESKTOP: Migration = (
    """CREATE TABLE marks (
        session_id TEXT PRIMARY KEY, custom_title TEXT NOT NULL DEFAULT '', pinned INTEGER NOT NULL DEFAULT 0,
        archived INTEGER NOT NULL DEFAULT 0, seen_ms INTEGER NOT NULL DEFAULT 0)""",
    "CREATE TABLE kept (name TEXT PRIMARY KEY, text BLOB NOT NULL)",
    """CREATE TABLE spent (
        seq INTEGER PRIMARY KEY, session_id TEXT NOT NULL, at_ms INTEGER NOT NULL, tokens INTEGER, total REAL,
        amount REAL, currency TEXT NOT NULL)""",
    "CREATE INDEX spent_by_time ON spent (at_ms)",
    "CREATE INDEX spent_by_session ON spent (session_id, seq)",
    "CREATE INDEX notes_by_session ON notes (session_id, seq)",
    "CREATE INDEX questions_by_session ON questions (session_id, seq)",
)

MIGRATIONS: tuple[Migration, ...] = (_FIRST, _DESKTOP)
"""Number n (from 1) brings a file from version n - 1 to n. Never change one that was released; add another."""


def open_writable(path: str, migrations: Sequence[Migration] = MIGRATIONS) -> sqlite3.Connection:
    """A connection for the host: file 0600 in a folder 0700, made if absent, schema up to date, WAL, synchronous FULL.

    Raises:
        StoreError: newer, foreign or damaged file, which is left as it is; or the system's refusal.
    """
    with told_as("opened", path):
        _make_private(path)
        if os.path.getsize(path):
            # A writable connection would already fold the log of a file into it that is not ours to touch.
            peek = _connect(path, read_only=True)
            try:
                _check(peek, path, len(migrations))
            finally:
                peek.close()
        connection = _connect(path, read_only=False)
        try:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            connection.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT}").fetchall()
            migrate(connection, migrations)
        except BaseException:
            connection.close()
            raise
        return connection


def open_for_reading(path: str) -> sqlite3.Connection:
    """A connection that can only read, with or without a host running. No file yet: an empty store in memory.

    Raises:
        StoreError: as `open_writable`; also an older schema, which only a host brings up to date.
    """
    with told_as("opened", path):
        if not os.path.exists(path) or not os.path.getsize(path):
            connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            migrate(connection)
            return connection
        connection = _connect(path, read_only=True)
        try:
            version = _check(connection, path, len(MIGRATIONS))
        except BaseException:
            connection.close()
            raise
    if version < len(MIGRATIONS):
        connection.close()
        raise StoreError(
            f"The store {path} has an older schema ({version}, this program reads {len(MIGRATIONS)}): "
            "start a host once to bring it up to date."
        )
    return connection


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply what is missing, each number in a transaction; a failed one leaves the file at the version before."""
    version = _pragma(connection, "user_version")
    for number in range(version + 1, len(migrations) + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in migrations[number - 1]:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _connect(path: str, *, read_only: bool) -> sqlite3.Connection:
    target = f"{Path(os.path.abspath(path)).as_uri()}?mode={'ro' if read_only else 'rw'}"
    # The database thread may be another one for each call; it is never two at once.
    connection = sqlite3.connect(
        target, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000
    )
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}").fetchall()
    return connection


def _check(connection: sqlite3.Connection, path: str, known: int) -> int:
    """The file's version.

    Raises:
        StoreError: newer than `known`, or not one of ours.
    """
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    version = _pragma(connection, "user_version")
    if tables and _pragma(connection, "application_id") != APPLICATION_ID:
        raise StoreError(f"The store {path} could not be opened: the file is another program's database.")
    if version > known:
        raise StoreError(
            f"The store {path} was written by a newer version of Codeg (schema {version}, this one knows {known}); "
            "nothing was changed."
        )
    return version


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    row: tuple[Any, ...] = connection.execute(f"PRAGMA {name}").fetchone()
    return int(row[0])


def _make_private(path: str) -> None:
    """Folder 0700 and file 0600, also when they exist and are ours but open to others."""
    make_private_folder(os.path.dirname(os.path.abspath(path)))
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600))
    except FileExistsError:
        # By path: closing a descriptor of it would drop the locks that another connection of this process holds.
        tighten(path, 0o600)
