"""What is written comes back exactly, whatever it holds."""

import dataclasses
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.broker.tasks import ProcessIdentity, TaskRecord
from codeg.sessions.types import Entry
from codeg.store.records import (
    DropProcess,
    NoteRecord,
    QuestionRecord,
    SaveEntries,
    SaveNote,
    SaveProcess,
    SaveQuestion,
    SaveSession,
    SaveStderr,
    SaveTask,
    SessionRecord,
)
from codeg.store.store import Store
from tests.store import samples


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(str(tmp_path_factory.mktemp("store") / "codeg.db")) as opened:
        yield opened


@given(record=samples.tasks)
def test_a_task_comes_back_as_it_was(store: Store, record: TaskRecord) -> None:
    store.commit([SaveTask(record)])
    assert store.task(record.task_id) == record


def test_the_property_covers_every_field_of_a_task() -> None:
    assert set(samples.TASK_FIELDS) == {field.name for field in dataclasses.fields(TaskRecord)}


@given(record=samples.tasks, other=samples.tasks)
def test_a_task_is_replaced_as_a_whole(store: Store, record: TaskRecord, other: TaskRecord) -> None:
    later = dataclasses.replace(other, task_id=record.task_id)
    store.commit([SaveTask(record), SaveTask(later)])
    assert store.task(record.task_id) == later


@given(record=samples.sessions)
def test_a_session_comes_back_as_it_was(store: Store, record: SessionRecord) -> None:
    store.commit([SaveSession(record)])
    assert store.session(record.session_id) == record


@given(name=samples.texts, entries=st.lists(samples.entries, max_size=5, unique_by=lambda entry: entry.seq))
def test_entries_come_back_as_they_were(store: Store, name: str, entries: list[Entry]) -> None:
    store.commit([SaveEntries(name, tuple(entries))])
    stored = {entry.seq: entry for entry in store.entries(name, limit=10_000)}
    assert [stored[entry.seq] for entry in entries] == entries


@given(record=samples.questions)
def test_a_question_comes_back_as_it_was(store: Store, record: QuestionRecord) -> None:
    store.commit([SaveQuestion(record)])
    assert store.question(record.question_id) == record


@given(record=samples.notes)
def test_a_note_comes_back_as_it_was(store: Store, record: NoteRecord) -> None:
    store.commit([SaveNote(record)])
    assert store.note(record.note_id) == record


@given(name=samples.texts, process=samples.processes)
def test_a_process_comes_back_until_it_is_dropped(store: Store, name: str, process: ProcessIdentity) -> None:
    store.commit([SaveProcess(name, process), SaveProcess(name, process)])
    assert store.processes() == (SaveProcess(name, process),)
    store.commit([DropProcess(process), DropProcess(process)])
    assert store.processes() == ()


@given(name=samples.texts, lines=st.lists(samples.texts, max_size=5).map(tuple))
def test_a_stderr_tail_comes_back_as_it_was(store: Store, name: str, lines: tuple[str, ...]) -> None:
    store.commit([SaveStderr(name, lines)])
    assert store.stderr_tail(name) == lines


@pytest.mark.parametrize("text", ["\ud800", "a\udcffb", "\ude00\ud83d the wrong way round"])
def test_lone_surrogates_cost_nothing(store: Store, text: str) -> None:
    record = samples.task(7, task_text=text, working_dir=text, idempotency_key=text, parent_id=text, task_id=text)
    entry = Entry(0, "message", 1, 1, text=text, raw_input={text: text})
    outside = samples.session(text, kind="outside", host="h", folder=text)
    store.commit([SaveTask(record), SaveEntries(text, (entry,)), SaveSession(outside), SaveStderr(text, (text,))])
    assert store.task(text) == record
    assert store.tasks([text]) == (record,)
    assert store.task_by_key(text, text) == record
    assert store.entries(text) == (entry,)
    assert store.outside_sessions("h", text) == (outside,)
    assert store.stderr_tail(text) == (text,)


def test_numbers_beyond_the_column_cost_nothing(store: Store) -> None:
    record = samples.ended(8, created_ms=2**70, ended_ms=-(2**70))
    store.commit([SaveTask(record)])
    assert store.task(record.task_id) == record


def test_an_entry_that_cannot_be_written_keeps_its_text(store: Store) -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    entry = Entry(0, "tool", 1, 1, text="kept", title="title", raw_input=deep)
    store.commit([SaveEntries("deep", (entry,))])
    assert store.entries("deep") == (dataclasses.replace(entry, raw_input=None),)
