"""What the person keeps: marks, texts of a front end, deletion, search, what was spent."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeg.sessions.types import Entry
from codeg.store import schema
from codeg.store.records import (
    DayUsage,
    DeleteSessions,
    Hit,
    NoteRecord,
    QuestionRecord,
    SaveEntries,
    SaveKept,
    SaveMarks,
    SaveNote,
    SaveQuestion,
    SaveSession,
    SaveSpent,
    SaveStderr,
    SaveTask,
)
from codeg.store.store import Store, StoreError
from tests.store.samples import ended, session, task


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path / "data" / "codeg.db")) as opened:
        yield opened


def entry(seq: int, text: str, **more: object) -> Entry:
    return Entry(seq=seq, kind="message", attempt=1, created_ms=seq, text=text, **more)  # pyright: ignore[reportArgumentType]  # by the test


# ---- marks


def test_marks_change_what_is_given_and_nothing_else(store: Store) -> None:
    store.commit([SaveSession(session("a", title="its own"))])
    store.commit([SaveMarks("a", custom_title="Mine", pinned=True)])
    store.commit([SaveMarks("a", archived=True, seen_ms=7)])
    store.commit([SaveMarks("a", pinned=False)])
    assert store.session("a") == session("a", title="its own", custom_title="Mine", archived=True, seen_ms=7)


def test_a_save_of_the_host_leaves_the_marks(store: Store) -> None:
    store.commit([SaveSession(session("a")), SaveMarks("a", custom_title="Mine", pinned=True, seen_ms=3)])
    store.commit([SaveSession(session("a", state="ended", custom_title="stale", archived=True))])
    kept = session("a", state="ended", custom_title="Mine", pinned=True, seen_ms=3)
    assert store.sessions_page(10) == (kept,)
    assert store.session("a") == kept


def test_every_way_to_read_a_session_knows_its_marks(store: Store) -> None:
    store.commit(
        [
            SaveSession(session("root", state="running")),
            SaveSession(session("child", kind="child", parent_id="root", state="ended")),
            SaveSession(session("out", kind="outside", host="h", state="gone")),
            *(SaveMarks(name, pinned=True) for name in ("root", "child", "out")),
        ]
    )
    read = [*store.live_sessions(), *store.session_children("root"), *store.outside_sessions("h", "/w")]
    assert [(record.session_id, record.pinned) for record in read] == [("root", True), ("child", True), ("out", True)]


def test_an_older_store_opens_and_its_sessions_have_no_marks(tmp_path: Path) -> None:
    path = str(tmp_path / "codeg.db")
    old = schema.open_writable(path, schema.MIGRATIONS[:1])
    old.execute(
        "INSERT INTO sessions (session_id, kind, folder, created_ms, live, doc) VALUES ('a', 'root', '/w', 1, 0, ?)",
        ('{"session_id":"a","kind":"root","folder":"/w","state":"idle","created_ms":1,"updated_ms":2,"root_id":"a"}',),
    )
    old.close()
    with Store.open(path) as store:
        assert store.session("a") == session("a")
        store.commit([SaveMarks("a", custom_title="Mine")])
        assert store.session("a") == session("a", custom_title="Mine")


# ---- texts of a front end


def test_a_text_comes_back_as_it_was_kept_and_the_last_one_counts(store: Store) -> None:
    assert store.kept("layout") is None
    store.commit([SaveKept("layout", "{}"), SaveKept("layout", "a\x00\ud800é\n"), SaveKept("other", "")])
    assert store.kept("layout") == "a\x00\ud800é\n"
    assert store.kept("other") == ""


# ---- notes and questions of a session


def test_the_newest_notes_and_questions_of_a_session_oldest_first(store: Store) -> None:
    notes = [NoteRecord(f"n{number}", "ab"[number % 2], "text", number, number or None) for number in range(10)]
    asked = [QuestionRecord(f"q{number}", "ab"[number % 2], (), "answered", number) for number in range(10)]
    store.commit([*map(SaveNote, notes), *map(SaveQuestion, asked)])
    assert [note.note_id for note in store.notes_of("a", 3)] == ["n4", "n6", "n8"]
    assert [question.question_id for question in store.questions_of("b", 2)] == ["q7", "q9"]
    assert store.notes_of("nobody", 3) == ()


# ---- deletion


def tree(store: Store) -> None:
    """`root` with a child and a grandchild, and `other` beside it; each with all that a session can have."""
    store.commit(
        [
            SaveTask(ended(1, 3, parent_id="root", child_id="child"), b"abc"),
            SaveTask(ended(2, 3, parent_id="child", child_id="grandchild"), b"x" * 200_000),
            SaveTask(ended(3, 3, parent_id="other", child_id="cousin"), b"abc"),
        ]
    )
    parents = {"root": None, "child": "root", "grandchild": "child", "other": None, "cousin": "other"}
    for name, parent in parents.items():
        store.commit(
            [
                SaveSession(session(name, parent_id=parent)),
                SaveEntries(name, tuple(entry(seq, f"{name} {seq}") for seq in range(7))),
                SaveNote(NoteRecord(f"n-{name}", name, "note", 1)),
                SaveQuestion(QuestionRecord(f"q-{name}", name, (), "open", 1)),
                SaveStderr(name, ("line",)),
                SaveMarks(name, pinned=True),
            ]
        )


def counts(store: Store) -> dict[str, int]:
    names = ("tasks", "briefs", "texts", "chunks", "sessions", "entries", "notes", "questions", "stderr", "marks")
    return {name: store._connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


def test_the_tree_of_a_session_is_itself_last_and_all_below(store: Store) -> None:
    tree(store)
    assert store.session_tree("root") == ("grandchild", "child", "root")
    assert store.session_tree("cousin") == ("cousin",)
    assert store.session_tree("nobody") == ("nobody",)


def test_a_child_without_a_session_of_its_own_yet_is_in_the_tree(store: Store) -> None:
    store.commit([SaveSession(session("root")), SaveTask(task(1, parent_id="root", child_id="never-began"))])
    assert store.session_tree("root") == ("never-began", "root")


def test_deletion_takes_a_tree_and_leaves_the_rest(store: Store) -> None:
    tree(store)
    ids = store.session_tree("root")
    portions = 0
    while store.erase(ids, 5):
        portions += 1
    assert portions >= 5
    assert (counts(store)["entries"], counts(store)["chunks"], counts(store)["sessions"]) == (14, 1, 5)
    store.commit([DeleteSessions(ids)])
    left = {"tasks": 1, "briefs": 1, "texts": 1, "chunks": 1}
    assert counts(store) == {**dict.fromkeys(counts(store), 2), **left, "entries": 14}
    assert [record.session_id for record in store.sessions_page(10)] == ["cousin", "other"]
    assert store.session("root") is None
    assert store.result(task(3).task_id) == b"abc"


def test_deletion_alone_is_enough(store: Store) -> None:
    tree(store)
    store.commit([DeleteSessions(store.session_tree("root")), DeleteSessions(store.session_tree("other"))])
    assert set(counts(store).values()) == {0}
    assert list(store._connection.execute("PRAGMA foreign_key_check")) == []


# ---- search


def found(store: Store, needle: str, limit: int = 100) -> list[tuple[str, int]]:
    hits, rest = store.search(needle, None, limit, 60)
    assert rest is None or len(hits) == limit
    return [(hit.session_id, hit.seq) for hit in hits]


def test_a_search_finds_texts_and_titles_newest_first_in_either_case(store: Store) -> None:
    store.commit([SaveEntries("a", (entry(0, "The Needle here"), entry(1, "nothing")))])
    store.commit([SaveEntries("b", (entry(0, "", title="edit NEEDLE.py"), entry(1, "", raw_input={"needle": 1})))])
    assert found(store, "needle") == [("b", 0), ("a", 0)]
    assert found(store, "needle", 1) == [("b", 0)]
    assert found(store, "haystack") == []


@pytest.mark.parametrize("needle", ['say "hi"', "back\\slash", "a\nb", "ÜBER", "名前", "%_*", "kind"])
def test_a_search_takes_the_text_as_it_is(store: Store, needle: str) -> None:
    store.commit([SaveEntries("a", (entry(0, f"x {needle.lower()} y"), entry(1, "other")))])
    assert found(store, needle) == [("a", 0)]


def test_an_excerpt_is_one_line_around_the_place(store: Store) -> None:
    store.commit([SaveEntries("a", (entry(0, "w" * 100 + "\n the Needle \t\n" + "z" * 100),))])
    (hit,), _ = store.search("needle", None, 5, 60)
    assert hit == Hit("a", 0, "…" + "w" * 74 + " the Needle " + "z" * 77 + "…")
    store.commit([SaveEntries("a", (entry(1, "short needle"),))])
    assert store.search("short needle", None, 1, 60)[0] == [Hit("a", 1, "short needle")]


def test_a_search_stops_when_its_time_is_up_and_goes_on_from_there(store: Store) -> None:
    store.commit([SaveEntries("a", tuple(entry(seq, f"needle {seq}") for seq in range(5)))])
    seen: list[int] = []
    before: int | None = None
    for _ in range(6):
        hits, before = store.search("needle", before, 100, 0)
        seen += [hit.seq for hit in hits]
        if before is None:
            break
    assert (seen, before) == ([4, 3, 2, 1, 0], None)


# ---- what was spent


def test_a_day_is_the_sum_of_its_turns(store: Store) -> None:
    assert store.spent_since(0) == DayUsage()
    store.commit(
        [
            SaveSpent("a", 10, 100, 1.0, "USD"),
            SaveSpent("a", 20, None, 1.5, "USD"),
            SaveSpent("b", 30, 7),
            SaveSpent("c", 40, 5, 2.0, "EUR"),
        ]
    )
    assert store.spent_since(10) == DayUsage(112, (("EUR", 2.0), ("USD", 1.5)))
    assert store.spent_since(20) == DayUsage(12, (("EUR", 2.0), ("USD", 0.5)))
    assert store.spent_since(41) == DayUsage()


def test_a_turn_without_tokens_leaves_them_unknown(store: Store) -> None:
    store.commit([SaveSpent("a", 10, None, 1.0, "USD")])
    assert store.spent_since(0) == DayUsage(None, (("USD", 1.0),))


def test_an_agent_that_counts_from_nothing_again_spent_what_it_tells(store: Store) -> None:
    store.commit([SaveSpent("a", 10, None, 3.0, "USD"), SaveSpent("a", 20, None, 0.5, "USD")])
    assert store.spent_since(0) == DayUsage(None, (("USD", 3.5),))


def test_what_was_spent_stays_when_its_session_is_deleted(store: Store) -> None:
    store.commit([SaveSession(session("a")), SaveSpent("a", 10, 5), DeleteSessions(("a",))])
    assert store.spent_since(0) == DayUsage(5)


def test_a_database_that_fails_is_one_sentence(store: Store) -> None:
    store.close()
    for read in (lambda: store.search("x", None, 1, 1), lambda: store.kept("x"), lambda: store.erase(["a"], 1)):
        with pytest.raises(StoreError):
            read()
