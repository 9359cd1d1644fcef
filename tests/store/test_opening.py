"""Opening: rights, migrations, what is refused, looking beside a host."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeg.store import queries, schema
from codeg.store.records import SaveTask
from codeg.store.store import Store, StoreError
from tests.store.samples import ended, task

NEWEST = len(schema.MIGRATIONS)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "a home, déjà ?#%" / "data" / "codeg.db")


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def _mode(path: str | Path) -> int:
    return stat.S_IMODE(Path(path).stat().st_mode)


def _foreign(path: str, statement: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.usefixtures("open_umask")
def test_everything_made_is_closed_to_others_under_any_umask(path: str) -> None:
    with Store.open(path) as store:
        store.commit([SaveTask(task())])
        folder = Path(path).parent
        assert {entry.name: _mode(entry) for entry in folder.iterdir()} == {
            "codeg.db": 0o600,
            "codeg.db-wal": 0o600,
            "codeg.db-shm": 0o600,
        }
        assert _mode(folder) == 0o700
        assert _mode(folder.parent) == 0o700


def test_a_file_and_folder_of_ours_that_were_open_to_others_are_tightened(path: str) -> None:
    Store.open(path).close()
    Path(path).chmod(0o666)
    Path(path).parent.chmod(0o777)
    Store.open(path).close()
    assert (_mode(path), _mode(Path(path).parent)) == (0o600, 0o700)


def test_the_journal_is_durable_at_each_commit(path: str) -> None:
    with Store.open(path) as store:
        settings = {
            name: store._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "user_version")
        }
    assert settings == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": schema.BUSY_MS,
        "user_version": NEWEST,
    }


def test_what_was_committed_is_there_after_a_restart(path: str) -> None:
    with Store.open(path) as store:
        store.commit([SaveTask(ended(1, 3), b"abc")])
    with Store.open(path) as store:
        assert store.tasks_page(10) == (ended(1, 3),)
        assert store.result(task(1).task_id) == b"abc"
    assert [entry.name for entry in Path(path).parent.iterdir()] == ["codeg.db"]


def test_what_was_committed_is_there_after_a_crash(path: str, tmp_path: Path) -> None:
    with Store.open(path) as store:
        store.commit([SaveTask(task(1))])
        copy = tmp_path / "crashed.db"
        for suffix in ("", "-wal"):
            Path(f"{copy}{suffix}").write_bytes(Path(path + suffix).read_bytes())
    with Store.open(str(copy)) as store:
        assert store.tasks_page(10) == (task(1),)


def test_a_newer_schema_is_refused_and_left_as_it_is(path: str) -> None:
    Store.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = Path(path).read_bytes()
    for opening in (Store.open, Store.open_readonly):
        with pytest.raises(
            StoreError, match=rf"^The store .* newer version of Codeg \(schema 99, this one knows {NEWEST}\).*\.$"
        ):
            opening(path)
    assert Path(path).read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database " * 500, b"SQLite format 3\x00" + b"\xff" * 4096, b"short"])
def test_a_damaged_file_is_refused_and_left_as_it_is(path: str, content: bytes) -> None:
    Path(path).parent.mkdir(parents=True)
    Path(path).write_bytes(content)
    for opening in (Store.open, Store.open_readonly):
        with pytest.raises(StoreError, match=r"^The store /.* could not be opened: the file is damaged .*\.$"):
            opening(path)
    assert Path(path).read_bytes() == content


def test_a_file_that_lost_its_end_is_refused(path: str) -> None:
    with Store.open(path) as store:
        store.commit([SaveTask(task(number)) for number in range(500)])
    whole = Path(path).read_bytes()
    Path(path).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreError, match="the file is damaged"):
        Store.open(path)
    assert len(Path(path).read_bytes()) == len(whole) // 2


def test_a_damaged_page_is_one_sentence_when_it_is_met(path: str) -> None:
    with Store.open(path) as store:
        store.commit([SaveTask(task(number)) for number in range(500)])
    whole = bytearray(Path(path).read_bytes())
    whole[len(whole) // 2 : -4096] = b"\xee" * len(whole[len(whole) // 2 : -4096])
    Path(path).write_bytes(whole)
    with Store.open(path) as store, pytest.raises(StoreError, match=r"^The store /.* could not be read: .*\.$"):
        store.tasks_page(1000)


def test_another_programs_database_is_refused_and_left_as_it_is(path: str) -> None:
    _foreign(path, "CREATE TABLE tasks (x)")
    before = Path(path).read_bytes()
    for opening in (Store.open, Store.open_readonly):
        with pytest.raises(StoreError, match="another program's database"):
            opening(path)
    assert Path(path).read_bytes() == before


def test_a_place_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "folder" / "codeg.db").mkdir(parents=True)
    for path in (tmp_path / "file" / "codeg.db", tmp_path / "folder" / "codeg.db"):
        with pytest.raises(StoreError, match=r"^The store /.* could not be opened: .*\.$"):
            Store.open(str(path))


def test_a_failed_migration_leaves_the_version_before(path: str) -> None:
    with Store.open(path) as store:
        store.commit([SaveTask(task(1))])
    broken = (*schema.MIGRATIONS, ("CREATE TABLE later (x)", "NOT A STATEMENT"))
    with pytest.raises(StoreError):
        schema.open_writable(path, broken)
    with Store.open(path) as store:
        assert store.tasks_page(10) == (task(1),)
        names = store._connection.execute("SELECT name FROM sqlite_master").fetchall()
    assert ("later",) not in names


def test_migrations_go_forward_from_whatever_version_is_there(path: str) -> None:
    with Store.open(path) as store:
        store.commit([SaveTask(task(1))])
    more = (*schema.MIGRATIONS, ("CREATE TABLE second (x)",), ("CREATE TABLE third (x)",))
    for known in (NEWEST + 1, NEWEST + 2, NEWEST + 2):
        connection = schema.open_writable(path, more[:known])
        assert connection.execute("PRAGMA user_version").fetchone()[0] == known
        connection.close()
    with pytest.raises(StoreError, match="newer version"):
        Store.open(path)


def test_an_older_schema_is_not_changed_by_looking(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Store.open(path).close()
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, ("CREATE TABLE later (x)",)))
    with pytest.raises(StoreError, match="start a host once"):
        Store.open_readonly(path)


def test_looking_works_without_a_host_and_beside_one(path: str) -> None:
    with Store.open_readonly(path) as empty:
        assert empty.tasks_page(10) == ()
    assert not Path(path).exists()
    with Store.open(path) as host:
        host.commit([SaveTask(ended(1, 3), b"abc")])
        with Store.open_readonly(path) as looking:
            assert looking.result(task(1).task_id) == b"abc"
            host.commit([SaveTask(task(2))])
            assert looking.live_tasks() == (task(2),)
            with pytest.raises(StoreError, match="readonly"):
                looking.commit([SaveTask(task(3))])
    with Store.open_readonly(path) as looking:
        assert len(looking.tasks_page(10)) == 2


def test_looking_never_changes_a_file(path: str) -> None:
    with Store.open(path) as host:
        host.commit([SaveTask(task(1))])
    before = Path(path).read_bytes()
    Store.open_readonly(path).close()
    assert Path(path).read_bytes() == before


def test_closing_twice_does_nothing(path: str) -> None:
    store = Store.open(path)
    store.close()
    store.close()
    with pytest.raises(StoreError):
        store.tasks_page(1)


def test_no_read_walks_a_whole_table_or_sorts_one(path: str) -> None:
    statements = {
        name: value
        for name, value in vars(queries).items()
        if isinstance(value, str) and value.startswith(("SELECT", "WITH")) and not value.endswith("WHERE ")
    }
    statements |= {"questions": queries.QUESTIONS + queries.AMONG, "notes": queries.NOTES + queries.AMONG}
    statements |= {"questions_of": queries.QUESTIONS + queries.NEWEST_OF, "notes_of": queries.NOTES + queries.NEWEST_OF}
    del statements["PROCESSES"]  # a handful of rows, all wanted
    with Store.open(path) as store:
        steps = {
            (name, str(row[3]))
            for name, sql in statements.items()
            for row in store._connection.execute(f"EXPLAIN QUERY PLAN {sql}", (1,) * sql.count("?"))
        }
    assert {name for name, _ in steps} == set(statements)
    small = ("json_each", "CONSTANT ROW", "SCAN tree")  # as many rows as were asked for, or as the tree has
    assert [step for step in steps if step[1].startswith("SCAN") and not any(word in step[1] for word in small)] == []
    # Only what was asked for by name is sorted.
    assert [step for step in steps if "TEMP B-TREE" in step[1] and "json_each" not in statements[step[0]]] == []
