"""A conversation is read in pages, kept up to date, found in, and held once."""

import gc
import weakref

import pytest
from PySide6.QtCore import QCoreApplication, QModelIndex, Qt

from codeg.api import Change as HostChange
from codeg.api import NoteRecord, SessionDeleted, Status
from tests.ui.making import diff, session, task
from tests.ui.viewmodels.transcript_rig import (
    ROOT,
    Pages,
    Rig,
    ask,
    call,
    delegate,
    entry,
    kinds,
    poll,
)
from ui.viewmodels.rows import (
    MessageRow,
    ThoughtRow,
)
from ui.viewmodels.transcript import Transcript, Transcripts, model
from ui.viewmodels.transcript.cache import KEPT
from ui.viewmodels.world import World

# ---- loading


def test_pages_come_one_a_turn_of_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "PAGE", 2)
    rig = Rig(*[entry(seq) for seq in range(5)], eager=False, load=False)
    loaded: list[int] = []
    rig.model.loaded.connect(lambda: loaded.append(rig.model.rowCount()))
    rig.model.load()
    rig.model.load()
    assert rig.model.loading
    assert rig.pages.noted == [ROOT]
    assert rig.pages.calls == [(ROOT, -1, 2)]
    rig.pages.answer()
    assert rig.model.rowCount() == 2
    assert len(rig.pages.calls) == 1
    QCoreApplication.processEvents()
    assert rig.pages.calls[1:] == [(ROOT, 1, 2)]
    rig.drain()
    assert loaded == [5]
    assert not rig.model.loading
    assert [after for _, after, _ in rig.pages.calls] == [-1, 1, 3, 4]


def test_what_is_told_while_pages_come_is_newer_and_waits_for_its_place() -> None:
    rig = Rig(*[entry(seq, text="old") for seq in range(3)], eager=False)
    stale = dict(rig.pages.stored)
    rig.put(entry(1, text="new"), entry(3, text="new"))
    assert rig.rows() == []
    rig.pages.stored = stale
    rig.pages.answer()
    rig.put(entry(0, text="newest"))
    rig.drain()
    assert [row.text for row in rig.rows() if isinstance(row, MessageRow)] == ["newest", "new", "old", "new"]


def test_reading_again_takes_the_stores_word() -> None:
    rig = Rig(entry(0, text="a"), entry(1, text="b"))
    rig.pages.stored[1] = entry(1, text="c")
    rig.pages.stored[2] = entry(2, text="d")
    rig.pages.eager = False
    rig.model.reload()
    late = list(rig.pages.asked)
    rig.model.reload()
    late[0]()
    assert [row.text for row in rig.rows() if isinstance(row, MessageRow)] == ["a", "b"]
    rig.pages.asked = rig.pages.asked[1:]
    rig.drain()
    rig.check()
    assert [row.text for row in rig.rows() if isinstance(row, MessageRow)] == ["a", "c", "d"]


def test_an_ended_transcript_takes_nothing_in() -> None:
    rig = Rig(entry(0), eager=False)
    rig.model.end()
    rig.model.end()
    rig.pages.answer()
    rig.put(entry(1))
    rig.model.reload()
    assert rig.rows() == []
    assert not rig.pages.asked


def test_entries_of_other_sessions_are_not_ours() -> None:
    rig = Rig(entry(0))
    rig.world.entries_changed.emit("another", ())
    assert rig.model.rowCount() == 1


def test_a_child_whose_session_is_not_known_runs_as_its_task_does() -> None:
    world = World()
    world.load((session(ROOT),), (task("t1", ROOT, "x"),))
    shown = Transcript("child-t1", world, Pages([entry(0)]))
    shown.load()
    assert shown.row_at(0) == MessageRow("entry-0", "", 0, live=True, first=True)
    world.load((session(ROOT),), (task("t1", ROOT, "x", status=Status.COMPLETED),))
    assert shown.row_at(0) == MessageRow("entry-0", "", 0, first=True)
    unknown = Transcript("nobody", world, Pages([entry(0)]))
    unknown.load()
    assert unknown.row_at(0) == MessageRow("entry-0", "", 0, first=True)
    for each in (shown, unknown):
        each.end()
    QCoreApplication.processEvents()


def test_entries_that_come_late_find_their_place() -> None:
    rig = Rig()
    rig.put(entry(9), call(5, "", "pending", tool_kind=""))
    rig.put(entry(2, "thought"), entry(4), entry(1, "user"))
    assert rig.model.keys() == ("entry-1", "entry-2", "entry-4", "entry-9")
    rig.put(entry(3, "message", "x"))
    assert rig.rows()[1] == ThoughtRow("entry-2", "", 1, first=True)
    rig.put(call(7, "codeg/check_user_feedback"))
    rig.run(False)
    assert rig.rows() == rig.afresh()


def test_a_hidden_end_is_no_harm() -> None:
    rig = Rig(entry(0), call(1, "codeg/check_user_feedback"))
    rig.run(False)
    rig.run(False)
    assert kinds(rig) == ["Message"]


# ---- as a model


def test_rows_are_found_by_key_entry_and_text() -> None:
    rig = Rig(entry(0, "user", "Look for Wörter"), call(1), call(2), call(3, raw_output="NEEDLE"), poll(4))
    rig.put(call(5, "codeg/check_user_feedback"), entry(6, text="the needle"), call(7, "codeg/check_user_feedback"))
    keys = ("entry-0", "group-entry-1", "poll-4", "entry-6")
    assert rig.model.keys() == keys
    assert [rig.model.index_of(f"entry-{seq}") for seq in range(8)] == [0, 1, 1, 1, 2, 3, 3, 3]
    assert [rig.model.key_of_entry(seq) for seq in (0, 2, 5, 9)] == ["entry-0", "group-entry-1", "entry-6", None]
    assert rig.model.index_of("entry-x") is None
    assert rig.model.index_of("nothing") is None
    assert rig.model.find("needle") == ["group-entry-1", "entry-6"]
    assert rig.model.find("WÖRTER") == ["entry-0"]
    assert rig.model.find("") == []
    assert rig.model.find("checked 1 TIME") == ["poll-4"]


def test_all_that_a_row_says_is_found() -> None:
    content = (diff("src/long_name.py", "old line", "new line"),)
    rig = Rig(call(0, "Edit", content=content), entry(1, "plan", plan=({"content": "Step one"},)), delegate(2))
    rig.put(ask(3, status="completed", raw_output={"answers": [{"selected": ["SQLite"]}]}), entry(4, "thought", "Hm"))
    rig.put(entry(5, "notice", "Billing"), (NoteRecord("n", ROOT, "careful", 9999),))
    for needle, key in [
        ("long_name", "entry-0"),
        ("OLD LINE", "entry-0"),
        ("new line", "entry-0"),
        ("step one", "entry-1"),
        ("write TESTS", "entry-2"),
        ("sqlite", "entry-3"),
        ("hm", "entry-4"),
        ("billing", "entry-5"),
        ("Careful", "note-n"),
    ]:
        assert rig.model.find(needle) == [key]


def test_a_screen_reader_hears_plain_text() -> None:
    rig = Rig(entry(0, text="Hello"), call(1, "Read a.py", raw_input={"path": "/p/a.py"}, raw_output="text"))
    index = rig.model.index(1, 0)
    assert rig.model.data(index) == "Read a.py\n/p/a.py\ntext"
    assert rig.model.data(index, Qt.ItemDataRole.AccessibleTextRole) == rig.model.data(index)
    assert rig.model.data(index, Qt.ItemDataRole.UserRole) is rig.model.row_at(1)
    assert rig.model.data(index, Qt.ItemDataRole.DecorationRole) is None
    assert rig.model.data(QModelIndex()) is None
    assert rig.model.rowCount(index) == 0


# ---- the cache


def test_each_transcript_is_held_once_while_it_is_shown() -> None:
    world, pages = World(), Pages([entry(0)])
    held = Transcripts(world, pages)
    shown = held.get("s0")
    assert shown.rowCount() == 1
    assert held.get("s0") is shown
    others = [weakref.ref(held.get(f"s{number}")) for number in range(1, KEPT + 2)]
    QCoreApplication.processEvents()
    gc.collect()
    assert held.get("s0") is shown
    assert others[0]() is None
    assert others[-1]() is not None
    held.drop("s0")
    held.drop("s0")
    again = held.get("s0")
    assert again is not shown
    QCoreApplication.processEvents()


def test_all_are_read_again_and_deleted_sessions_are_let_go() -> None:
    world, pages = World(), Pages([entry(0)])
    held = Transcripts(world, pages)
    shown = held.get("s0")
    QCoreApplication.processEvents()
    pages.stored[1] = entry(1)
    held.reload()
    QCoreApplication.processEvents()
    assert shown.rowCount() == 2
    world.apply([HostChange(1, SessionDeleted("s0"))])
    pages.stored[2] = entry(2)
    held.reload()
    assert shown.rowCount() == 2
    assert shown.keys() == ("entry-0", "entry-1")
