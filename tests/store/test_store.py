"""The store's promises: order, pages, results, what waits, pruning."""

from collections.abc import Iterator

import pytest

from codeg.broker.codes import Phase, Status
from codeg.broker.tasks import End
from codeg.sessions.types import Entry
from codeg.store.records import (
    NoteRecord,
    QuestionRecord,
    QuestionState,
    SaveEntries,
    SaveNote,
    SaveQuestion,
    SaveSession,
    SaveStderr,
    SaveTask,
)
from codeg.store.store import DAY_MS, Store, StoreError
from codeg.store.texts import CHUNK
from tests.store.samples import ended, session, task


@pytest.fixture
def store(tmp_path: object) -> Iterator[Store]:
    with Store.open(f"{tmp_path}/data/codeg.db") as opened:
        yield opened


# ---- tasks


def test_live_tasks_are_those_not_ended_oldest_first(store: Store) -> None:
    store.commit([SaveTask(task(number, phase=phase)) for number, phase in enumerate(Phase)])
    assert [record.phase for record in store.live_tasks()] == [phase for phase in Phase if phase is not Phase.ENDED]
    store.commit([SaveTask(ended(0))])
    assert task(0).task_id not in [record.task_id for record in store.live_tasks()]


def test_tasks_come_in_the_asked_order_each_once_and_unknown_ones_are_left_out(store: Store) -> None:
    store.commit([SaveTask(task(number)) for number in range(5)])
    ids = [task(number).task_id for number in (3, 1, 3)] + ["nobody"]
    assert [record.task_id for record in store.tasks(ids)] == ids[:2]
    assert store.tasks([]) == ()
    assert store.task("nobody") is None


def test_a_thousand_ids_are_one_question(store: Store) -> None:
    store.commit([SaveTask(task(number)) for number in range(1000)])
    ids = [task(number).task_id for number in reversed(range(1000))]
    assert [record.task_id for record in store.tasks(ids)] == ids


def test_a_key_belongs_to_its_parent(store: Store) -> None:
    store.commit([SaveTask(task(1, parent_id="a", idempotency_key="k")), SaveTask(task(2, parent_id="b"))])
    found = store.task_by_key("a", "k")
    assert found is not None
    assert found.task_id == task(1).task_id
    assert store.task_by_key("b", "k") is None
    assert store.task_by_key("a", "") is None


def test_pages_hold_every_task_once_newest_first(store: Store) -> None:
    # Equal times and a clock that was set back.
    store.commit([SaveTask(task(number, created_ms=number // 3 * 10 % 40)) for number in range(23)])
    seen: list[str] = []
    before: str | None = None
    while page := store.tasks_page(4, before):
        seen += [record.task_id for record in page]
        before = page[-1].task_id
    times = [(number // 3 * 10 % 40, number) for number in range(23)]
    assert seen == [task(number).task_id for _, number in sorted(times, reverse=True)]
    assert store.tasks_page(4, "nobody") == ()


def test_pages_of_some_parents_hold_only_theirs(store: Store) -> None:
    store.commit([SaveTask(task(number, parent_id=f"p{number % 4}")) for number in range(20)])
    wanted = [number for number in reversed(range(20)) if number % 4 in (1, 2)]
    first = store.tasks_page(3, parent_ids=["p1", "p2", "p1", "nobody"])
    rest = store.tasks_page(100, first[-1].task_id, ["p1", "p2"])
    assert [record.task_id for record in first + rest] == [task(number).task_id for number in wanted]
    assert store.tasks_page(10, parent_ids=[]) == ()


def test_a_commit_is_all_or_nothing(store: Store) -> None:
    with pytest.raises(StoreError):
        store.commit([SaveTask(task(1)), SaveTask(task(2), text="no bytes")])  # pyright: ignore[reportArgumentType]  # the bug it guards against
    assert store.tasks_page(10) == ()
    store.commit([SaveTask(task(3))])
    assert len(store.tasks_page(10)) == 1


def test_a_full_disk_is_one_sentence_and_loses_nothing(store: Store) -> None:
    store.commit([SaveTask(task(1))])
    connection = store._connection
    connection.execute("PRAGMA max_page_count = 60").fetchall()
    with pytest.raises(StoreError, match=r"^The store /.*codeg\.db could not be written: the disk is full\.$"):
        store.commit([SaveTask(task(2)), SaveTask(ended(1, 10**6), b"x" * 10**6)])
    assert store.tasks_page(10) == (task(1),)
    connection.execute("PRAGMA max_page_count = 100000").fetchall()
    store.commit([SaveTask(task(2))])
    assert len(store.tasks_page(10)) == 2


# ---- results


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7])
def test_a_result_comes_back_byte_for_byte_in_any_slices(store: Store, size: int) -> None:
    text = bytes(number * 7 % 251 for number in range(size))
    store.commit([SaveTask(ended(1, size), text)])
    task_id = task(1).task_id
    assert store.result_size(task_id) == size
    assert store.result(task_id, 0, size + 10) == text
    for offset in {0, 1, size // 2, CHUNK - 3, CHUNK, size - 1, size}:
        for limit in (1, 10, CHUNK, 2 * CHUNK):
            assert store.result(task_id, offset, limit) == text[max(offset, 0) :][:limit] * (offset >= 0)


def test_a_slice_outside_the_result_is_empty(store: Store) -> None:
    store.commit([SaveTask(ended(1, 3), b"abc")])
    task_id = task(1).task_id
    assert [store.result(task_id, *at) for at in ((3, 1), (99, 1), (-1, 2), (0, 0), (0, -1))] == [b""] * 5
    assert (store.result("nobody", 0, 9), store.result_size("nobody")) == (b"", 0)


def test_a_write_without_text_leaves_the_text(store: Store) -> None:
    store.commit([SaveTask(ended(1, 3), b"abc")])
    store.commit([SaveTask(ended(1, 3, unattended=True))])
    assert store.result(task(1).task_id) == b"abc"


def test_a_text_written_again_takes_the_place_of_the_old_one(store: Store) -> None:
    store.commit([SaveTask(ended(1, 3), b"a" * 2 * CHUNK), SaveTask(ended(1, 3), b"abc")])
    assert (store.result(task(1).task_id), store.result_size(task(1).task_id)) == (b"abc", 3)
    assert store._connection.execute("SELECT count(*) FROM chunks").fetchone()[0] == 1


def test_the_result_is_that_of_the_newest_ended_attempt(store: Store) -> None:
    task_id = task(1).task_id
    store.commit([SaveTask(ended(1, 5), b"first")])
    for phase in (Phase.QUEUED, Phase.STARTING, Phase.RUNNING, Phase.STOPPING):
        store.commit([SaveTask(task(1, phase=phase, attempt=2))])
        assert store.result(task_id) == b"first"
    # The decided end of a task that is stopping is not shown, its text neither.
    store.commit(
        [SaveTask(task(1, phase=Phase.STOPPING, attempt=2, end=End(Status.CANCELED, text_bytes=6)), b"second")]
    )
    assert store.result(task_id) == b"first"
    store.commit([SaveTask(task(1, phase=Phase.DRAINING, attempt=2, end=End(Status.CANCELED, text_bytes=6)))])
    assert store.result(task_id) == b"second"


def test_an_attempt_that_ended_without_text_has_no_result(store: Store) -> None:
    task_id = task(1).task_id
    store.commit([SaveTask(ended(1, 5), b"first"), SaveTask(ended(1, attempt=2))])
    assert (store.result(task_id), store.result_size(task_id)) == (b"", 0)
    store.commit([SaveTask(task(1, attempt=3))])
    assert store.result(task_id) == b""


def test_an_end_that_was_put_back_has_its_own_text(store: Store) -> None:
    store.commit([SaveTask(ended(1, 5), b"first"), SaveTask(task(1, attempt=2, phase=Phase.STARTING))])
    store.commit([SaveTask(ended(1, 5, attempt=2))])
    assert store.result(task(1).task_id) == b"first"
    store.commit([SaveTask(ended(1, 5, attempt=1))])
    assert store.result(task(1).task_id) == b"first"


# ---- sessions


def test_sessions_come_newest_first_in_pages(store: Store) -> None:
    store.commit([SaveSession(session(f"s{number}", created_ms=number)) for number in range(7)])
    first = store.sessions_page(3)
    assert [record.session_id for record in first] == ["s6", "s5", "s4"]
    assert [record.session_id for record in store.sessions_page(9, "s4")] == ["s3", "s2", "s1", "s0"]
    assert store.sessions_page(9, "nobody") == ()


def test_children_of_a_session_come_oldest_first(store: Store) -> None:
    store.commit([SaveSession(session(name, parent_id="up", created_ms=at)) for name, at in (("b", 2), ("a", 1))])
    store.commit([SaveSession(session("c", parent_id="other"))])
    assert [record.session_id for record in store.session_children("up")] == ["a", "b"]


def test_outside_identities_are_found_by_host_and_folder_newest_first(store: Store) -> None:
    def outside(name: str, at: int, host: str = "codex", folder: str = "/w") -> SaveSession:
        return SaveSession(session(name, kind="outside", host=host, folder=folder, created_ms=at, state="gone"))

    store.commit([outside("old", 1), outside("new", 2), outside("x", 3, host="zed"), outside("y", 4, folder="/v")])
    store.commit([SaveSession(session("root", host="codex"))])
    assert [record.session_id for record in store.outside_sessions("codex", "/w")] == ["new", "old"]


def test_live_sessions_are_those_whose_state_says_so(store: Store) -> None:
    states = ["starting", "idle", "running", "ended", "failed", "connected", "gone"]
    store.commit([SaveSession(session(state, state=state)) for state in states])
    assert [record.state for record in store.live_sessions()] == ["starting", "idle", "running", "connected"]
    store.commit([SaveSession(session("idle", state="ended"))])
    assert len(store.live_sessions()) == 3


def _entry(seq: int, text: str = "") -> Entry:
    return Entry(seq, "message", 1, seq, text=text)


def test_entries_come_in_pages_and_the_last_state_counts(store: Store) -> None:
    store.commit([SaveEntries("s", tuple(_entry(seq, "early") for seq in range(10)))])
    store.commit(
        [SaveEntries("s", (_entry(4, "a"),)), SaveEntries("t", (_entry(4),)), SaveEntries("s", (_entry(4, "b"),))]
    )
    assert [entry.seq for entry in store.entries("s", limit=3)] == [0, 1, 2]
    page = store.entries("s", 2, 3)
    assert [(entry.seq, entry.text) for entry in page] == [(3, "early"), (4, "b"), (5, "early")]
    assert store.entries("s", 9) == ()
    assert (store.entry_count("s"), store.entry_count("t"), store.entry_count("nobody")) == (10, 1, 0)


def test_a_page_of_entries_is_bounded_in_bytes_but_never_empty(store: Store) -> None:
    store.commit([SaveEntries("s", tuple(_entry(seq, "x" * 1000) for seq in range(5)))])
    assert len(store.entries("s", max_bytes=10)) == 1
    assert len(store.entries("s", max_bytes=2500)) == 2
    assert len(store.entries("s", after_seq=3, max_bytes=2500)) == 1


# ---- what waits


def _question(name: str, state: QuestionState, session_id: str = "s", *, delivered: bool = False) -> SaveQuestion:
    return SaveQuestion(QuestionRecord(name, session_id, ({"question": "?"},), state, 1, delivered=delivered))


def test_questions_wait_until_their_outcome_is_delivered(store: Store) -> None:
    store.commit([_question("q1", "open"), _question("q2", "answered"), _question("q3", "declined")])
    store.commit(
        [_question("q4", "withdrawn"), _question("q5", "answered", delivered=True), _question("q6", "open", "t")]
    )
    assert [record.question_id for record in store.questions()] == ["q1", "q2", "q3", "q6"]
    assert [record.question_id for record in store.questions(["t"])] == ["q6"]
    assert store.questions([]) == ()
    store.commit([_question("q1", "answered", delivered=True)])
    assert [record.question_id for record in store.questions(["s", "t"])] == ["q2", "q3", "q6"]
    assert store.question("q1") is not None
    assert store.question("nobody") is None


def test_notes_wait_until_they_are_delivered(store: Store) -> None:
    notes = [NoteRecord(f"n{number}", "st"[number % 2], "text", 1) for number in range(4)]
    store.commit([SaveNote(note) for note in notes])
    assert store.pending_notes(["t", "s", "s"]) == tuple(notes)
    store.commit([SaveNote(NoteRecord("n1", "t", "text", 1, delivered_ms=2))])
    assert [note.note_id for note in store.pending_notes(["t"])] == ["n3"]
    assert len(store.pending_notes()) == 3


def test_a_stderr_tail_is_replaced(store: Store) -> None:
    assert store.stderr_tail("s") == ()
    store.commit([SaveStderr("s", ("a",)), SaveStderr("s", ("b", "c"))])
    assert store.stderr_tail("s") == ("b", "c")


# ---- pruning


def test_pruning_takes_texts_and_transcripts_and_leaves_record_and_end(store: Store) -> None:
    now = 100 * DAY_MS
    old, young = ended(1, 3, ended_ms=9 * DAY_MS), ended(2, 3, ended_ms=11 * DAY_MS)
    live = task(3, created_ms=1)
    store.commit([SaveTask(ended(1, 3, ended_ms=1), b"one")])
    for record in (old, young, live):
        text = None if record is live else b"abc"
        store.commit([SaveTask(record, text), SaveEntries(record.child_id, (_entry(0),))])
        store.commit([SaveStderr(record.child_id, ("line",)), SaveSession(session(record.child_id))])
    assert store.prune(0, now) == 0
    assert store.prune(90, now) == 1
    assert store.prune(90, now) == 0
    assert store.tasks([old.task_id]) == (old,)
    assert (store.result(old.task_id), store.result_size(old.task_id)) == (b"", 0)
    assert (store.entries(old.child_id), store.stderr_tail(old.child_id)) == ((), ())
    assert store.session(old.child_id) is not None
    for kept in (young, live):
        assert store.entry_count(kept.child_id) == 1
        assert store.stderr_tail(kept.child_id) == ("line",)
    assert store.result(young.task_id) == b"abc"
    assert store._connection.execute("SELECT count(*) FROM chunks").fetchone()[0] == 1


def test_pruning_goes_on_where_it_stopped_and_gives_the_room_back(store: Store) -> None:
    store.commit([SaveTask(ended(number, 10**5, ended_ms=number), b"x" * 10**5) for number in range(7)])
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    assert [store.prune(1, 100 * DAY_MS, limit=3) for _ in range(4)] == [3, 3, 1, 0]
    assert store._connection.execute("PRAGMA page_count").fetchone()[0] < pages / 2


def test_a_task_that_ended_again_is_pruned_again(store: Store) -> None:
    store.commit([SaveTask(ended(1, 3, ended_ms=1), b"abc")])
    assert store.prune(1, 10 * DAY_MS) == 1
    store.commit([SaveTask(ended(1, 3, attempt=2, ended_ms=9 * DAY_MS), b"def")])
    assert store.prune(1, 10 * DAY_MS) == 0
    assert store.prune(1, 11 * DAY_MS) == 1
