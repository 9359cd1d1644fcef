"""A conversation as the person reads it: what is shown, where, and what is folded away."""

import gc
import weakref
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QModelIndex, Qt

from codeg.api import Change as HostChange
from codeg.api import NoteRecord, SessionDeleted, Status
from tests.ui.making import diff, session, task, text_block
from tests.ui.viewmodels.transcript_rig import (
    ROOT,
    Pages,
    Rig,
    acknowledged,
    ask,
    call,
    delegate,
    entry,
    poll,
    questions,
)
from ui.viewmodels.rows import (
    AnsweredRow,
    Check,
    DelegationRow,
    Image,
    MessageRow,
    NoteRow,
    NoticeRow,
    PlanRow,
    PollRow,
    Step,
    ThoughtRow,
    ToolGroupRow,
    ToolRow,
    UserRow,
)
from ui.viewmodels.transcript import Transcript, Transcripts, model
from ui.viewmodels.transcript.cache import KEPT
from ui.viewmodels.world import World


def kinds(rig: Rig) -> list[str]:
    return [type(row).__name__.removesuffix("Row") for row in rig.rows()]


def child(task_id: str, text: str = "Write tests", at: int = 0, **more: Any) -> Any:
    view = task(task_id, ROOT, text, status=Status.RUNNING)
    return replace(view, record=replace(view.record, created_ms=at, **more))


# ---- words


def test_a_turn_reads_in_order() -> None:
    rig = Rig()
    rig.put(entry(0, "user", "Hello"), entry(1, "thought", "Hm"), entry(2, "message", "Hi"))
    rig.put(entry(3, "notice", "Billing: low", status="warning"))
    assert rig.rows() == [
        UserRow("entry-0", "Hello", 0),
        ThoughtRow("entry-1", "Hm", 1, first=True),
        MessageRow("entry-2", "Hi", 2000),
        NoticeRow("entry-3", "Billing: low", "warning", 3000),
    ]


def test_the_last_text_of_a_running_turn_is_live() -> None:
    rig = Rig(entry(0, "user", "Go"))
    rig.put(entry(1, "thought", "Hm"))
    assert rig.rows()[1] == ThoughtRow("entry-1", "Hm", None, live=True, first=True)
    rig.put(entry(2, "message", "He"))
    assert [row.live for row in rig.rows() if isinstance(row, ThoughtRow | MessageRow)] == [False, True]
    rig.put(entry(2, "message", "Hello"))
    assert rig.kept.told[-1] == "*2-2"
    rig.run(False)
    assert rig.rows()[2] == MessageRow("entry-2", "Hello", 2000)


def test_a_note_behind_it_leaves_a_text_live() -> None:
    rig = Rig(entry(0, "user", "Go"), entry(1, "message", "I am"))
    rig.put((NoteRecord("n", ROOT, "quickly", 1500),))
    assert isinstance(rig.rows()[1], MessageRow)
    assert rig.rows()[1] == MessageRow("entry-1", "I am", 1000, live=True, first=True)


def test_an_agents_run_begins_behind_the_person() -> None:
    rig = Rig(running=False)
    rig.put(entry(0, "message"), call(1), entry(2, "user"), call(3), entry(4, "message"), entry(5, "notice"))
    rig.put(entry(6, "plan"), delegate(7), poll(8), entry(9, "thought"))
    firsts = [row.key for row in rig.rows() if getattr(row, "first", False)]
    assert firsts == ["entry-0", "entry-3", "entry-6"]


def test_pictures_of_a_message_are_its_own() -> None:
    picture = {"type": "image", "mimeType": "image/png", "data": "aGVsbG8="}
    rig = Rig(entry(0, "user", "See", content=(picture, {"type": "resource_link"})))
    rig.put(entry(1, "message", content=(picture | {"data": "not base64!"}, picture | {"data": 7})))
    rig.put(call(2, content=({"type": "content", "content": picture}, picture | {"data": "A" * (9 * 1024 * 1024)})))
    pictures = [row.images for row in rig.rows() if isinstance(row, UserRow | MessageRow | ToolRow)]
    assert pictures == [(Image("image/png", "aGVsbG8="),), (), (Image("image/png", "aGVsbG8="),)]


# ---- tool calls


def test_a_tool_call_tells_what_it_did() -> None:
    blocks = (diff("a.py", "one\ntwo\n", "one\nthree\nfour\n"), diff("b.py", None, "new\n"), text_block("done"))
    rig = Rig(call(0, "Edit a.py", tool_kind="edit", raw_input={"file_path": "/p/a.py"}, content=blocks))
    row = rig.rows()[0]
    assert isinstance(row, ToolRow)
    assert (row.kind, row.title, row.target, row.output) == ("edit", "Edit a.py", "/p/a.py", "done")
    assert (row.added, row.removed, [one.path for one in row.diffs]) == (3, 1, ["a.py", "b.py"])


@pytest.mark.parametrize(
    ("more", "target"),
    [
        ({"tool_kind": "execute", "raw_input": {"command": "ls -l", "path": "/p"}}, "ls -l"),
        ({"tool_kind": "execute", "raw_input": {"command": ["git", "log"]}}, "git log"),
        ({"raw_input": {"command": "ls", "path": "/p"}}, "/p"),
        ({"raw_input": {"path": "  ", "query": "needle"}}, "needle"),
        ({"raw_input": {"path": []}, "locations": ({"path": ""}, {"path": "/q"})}, "/q"),
        ({"raw_input": "text"}, "Title"),
        ({}, "Title"),
    ],
)
def test_what_a_call_is_about(more: dict[str, Any], target: str) -> None:
    row = Rig(call(0, "Title", **more)).rows()[0]
    assert isinstance(row, ToolRow)
    assert row.target == target


@pytest.mark.parametrize(
    ("raw", "output", "code"),
    [
        ("words", "words", None),
        ({"stdout": "out", "stderr": "err", "exitCode": 1}, "out\nerr", 1),
        ({"aggregated_output": "same", "formatted_output": "same", "exit_code": 0}, "same", 0),
        ({"exit_code": True, "exit": "2"}, "", None),
        ({"output": ""}, "", None),
        (None, "", None),
    ],
)
def test_output_and_exit_code(raw: Any, output: str, code: int | None) -> None:
    row = Rig(call(0, raw_output=raw)).rows()[0]
    assert isinstance(row, ToolRow)
    assert (row.output, row.exit_code) == (output, code)


def test_odd_blocks_do_no_harm() -> None:
    odd: Any = ({"type": "diff", "path": 7, "oldText": 7, "newText": None}, {"type": "content", "content": "x"})
    row = Rig(call(0, content=odd)).rows()[0]
    assert isinstance(row, ToolRow)
    assert [(one.path, one.old, one.new) for one in row.diffs] == [("", None, "")]


def test_a_change_that_is_too_large_is_not_counted() -> None:
    row = Rig(call(0, content=(diff("a", "x\n" * 3_000_000, "y"),))).rows()[0]
    assert isinstance(row, ToolRow)
    assert (row.added, row.removed) == (0, 0)


def test_a_call_of_which_nothing_is_known_waits_to_be_shown() -> None:
    rig = Rig()
    rig.put(call(0, "", "pending", tool_kind=""))
    assert rig.rows() == []
    rig.put(call(0, "Read a.py", "pending"))
    assert kinds(rig) == ["Tool"]
    rig.put(call(1, "", "completed", tool_kind=""))
    assert kinds(rig) == ["Tool", "Tool"]


def test_what_an_ended_turn_left_open_is_not_shown_as_running() -> None:
    rig = Rig(entry(0, "user"), call(1, status="in_progress"))
    assert [row.status for row in rig.rows() if isinstance(row, ToolRow)] == ["running"]
    rig.put(entry(2, "user"), call(3, status="pending"))
    assert [row.status for row in rig.rows() if isinstance(row, ToolRow)] == ["failed", "running"]
    rig.run(False)
    assert [row.status for row in rig.rows() if isinstance(row, ToolRow)] == ["failed", "failed"]
    rig.put(call(3, status="cancelled"))
    rig.run(True)
    assert [row.status for row in rig.rows() if isinstance(row, ToolRow)] == ["failed", "failed"]
    rig.put(entry(4, attempt=2), call(5, status="pending", attempt=2))
    assert [row.status for row in rig.rows() if isinstance(row, ToolRow)] == ["failed", "failed", "running"]


# ---- groups


def test_three_settled_calls_become_a_group_that_grows_in_place() -> None:
    rig = Rig(entry(0, "user"))
    rig.put(call(1))
    rig.put(call(2))
    assert kinds(rig) == ["User", "Tool", "Tool"]
    rig.put(call(3))
    assert kinds(rig) == ["User", "ToolGroup"]
    rig.kept.told.clear()
    rig.put(call(4))
    assert rig.kept.told == ["*1-1"]
    group = rig.rows()[1]
    assert isinstance(group, ToolGroupRow)
    assert (group.key, group.first, [one.key for one in group.calls]) == (
        "group-entry-1",
        True,
        ["entry-1", "entry-2", "entry-3", "entry-4"],
    )


def test_a_running_call_stands_alone_until_it_settles() -> None:
    rig = Rig(call(0), call(1), call(2, status="in_progress"), call(3))
    assert kinds(rig) == ["Tool"] * 4
    rig.put(call(2))
    assert kinds(rig) == ["ToolGroup"]
    rig.put(call(1, status="in_progress"))
    assert kinds(rig) == ["Tool"] * 4


def test_other_entries_end_a_group_and_those_not_shown_do_not() -> None:
    rig = Rig(call(0), call(1), call(2, "codeg/check_user_feedback"), call(3), entry(4), call(5), call(6))
    assert kinds(rig) == ["ToolGroup", "Message", "Tool", "Tool"]
    rig.put((NoteRecord("n", ROOT, "careful", 1500),))
    assert kinds(rig) == ["Tool", "Tool", "Note", "Tool", "Message", "Tool", "Tool"]
    rig.put(())
    assert kinds(rig) == ["ToolGroup", "Message", "Tool", "Tool"]


def test_very_many_calls_make_several_groups() -> None:
    rig = Rig(*[call(seq) for seq in range(450)])
    groups = [len(row.calls) for row in rig.rows() if isinstance(row, ToolGroupRow)]
    assert groups == [200, 200, 50]


# ---- polls


def test_polls_between_two_other_entries_are_one_line() -> None:
    done = {"structuredContent": {"tasks": [{"task_id": "t1", "status": "completed"}]}}
    rig = Rig(entry(0), poll(1, ["t1", "t2"]), call(2, "codeg/check_user_feedback"), poll(3, ["t1"], raw_output=done))
    rig.put(poll(4, ["t2"], "in_progress"))
    checks = (Check(1000, "t1", ""), Check(1000, "t2", ""), Check(3000, "t1", "completed"), Check(4000, "t2", ""))
    assert rig.rows()[1:] == [PollRow("poll-1", checks, 3, open=True)]
    rig.put(poll(4, ["t2"]), entry(5), poll(6))
    assert kinds(rig) == ["Message", "Poll", "Message", "Poll"]
    row = rig.rows()[1]
    assert isinstance(row, PollRow)
    assert not row.open


def test_a_poll_in_flight_without_an_id_is_hidden_and_a_settled_one_is_not() -> None:
    rig = Rig(entry(0))
    rig.put(poll(1, (), "in_progress"), poll(2, (), "pending"))
    assert kinds(rig) == ["Message"]
    rig.put(poll(1, ["t1"], "in_progress"))
    assert kinds(rig) == ["Message", "Poll"]
    rig.put(poll(2, (), "completed"))
    row = rig.rows()[1]
    assert isinstance(row, PollRow)
    assert (row.times, row.checks) == (2, (Check(1000, "t1", ""),))


def test_ids_of_a_poll_are_read_where_they_are_told() -> None:
    told = {"structuredContent": {"tasks": [{"task_id": "t1", "status": "running"}]}}
    rig = Rig(poll(0, raw_input={"task_id": "t7"}), poll(1, (), raw_output=told), poll(2, raw_input={"task_ids": "t"}))
    rig.put(poll(3, ["t8"], raw_output="Running."))
    row = rig.rows()[0]
    assert isinstance(row, PollRow)
    assert [(check.task_id, check.word) for check in row.checks] == [("t7", ""), ("t1", "running"), ("t8", "running")]


def test_cancel_and_resume_show_on_the_childs_card_alone() -> None:
    output = {"structuredContent": {"task_id": "t1", "status": "running", "stopping": True}}
    rig = Rig(call(0, "codeg/cancel_delegation", raw_output=output), call(1, "codeg/resume_delegation", "pending"))
    assert rig.rows() == []
    rig.put(call(1, "codeg/resume_delegation", "failed", raw_output="no host runs"), entry(2))
    assert kinds(rig) == ["Tool", "Message"]
    rig.put(call(3, "codeg/cancel_delegation", "failed"))
    assert kinds(rig) == ["Tool", "Message"]


# ---- delegations


def test_a_delegation_stands_in_the_place_of_its_call() -> None:
    rig = Rig(entry(0, "user"))
    rig.put(delegate(1), entry(2, "message", "Meanwhile"))
    assert rig.rows()[1] == DelegationRow("entry-1", None, "codex", "Write tests", 1000, first=True)
    rig.put(child("t1", at=5000, tool_use_id="call-1"))
    assert rig.rows()[1] == DelegationRow("entry-1", "t1", "codex", "Write tests", 1000, first=True)
    assert kinds(rig) == ["User", "Delegation", "Message"]
    assert rig.model.key_of_task("t1") == "entry-1"
    assert rig.model.index_of("task-t1") == 1
    assert rig.model.key_of_task("t2") is None
    assert rig.model.index_of("task-t2") is None


def test_a_task_that_no_call_shows_has_a_card_at_its_time() -> None:
    rig = Rig(entry(0, "user"), entry(1), entry(9))
    rig.put(child("t2", at=5000), child("t1", "Fix it", at=4000, by_person=True))
    assert rig.model.keys() == ("entry-0", "entry-1", "task-t1", "task-t2", "entry-9")
    assert rig.rows()[2] == DelegationRow("task-t1", "t1", "codex", "Fix it", 4000)


def test_the_card_moves_when_its_call_appears() -> None:
    rig = Rig(entry(0), entry(1))
    rig.put(child("t1", at=1500))
    assert rig.model.keys() == ("entry-0", "entry-1", "task-t1")
    rig.put(delegate(2))
    assert rig.model.keys() == ("entry-0", "entry-1", "entry-2")
    rig.put(child("t1", at=1500, tool_use_id="call-of-another"))
    assert rig.model.key_of_task("t1") == "entry-2"


def test_the_hosts_word_goes_before_the_answers_and_both_before_the_text() -> None:
    rig = Rig(delegate(0), delegate(1), delegate(2))
    rig.put(child("t1", at=1), child("t2", at=2), child("t3", at=3))
    matched = [row.task_id for row in rig.rows() if isinstance(row, DelegationRow)]
    assert matched == ["t1", "t2", "t3"]
    rig.put(delegate(0, raw_output=acknowledged("t3")))
    assert [row.task_id for row in rig.rows() if isinstance(row, DelegationRow)] == ["t3", "t1", "t2"]
    rig.put(child("t2", at=2, tool_use_id="call-1"), child("t1", at=1, tool_use_id="call-2"))
    assert [row.task_id for row in rig.rows() if isinstance(row, DelegationRow)] == ["t3", "t2", "t1"]
    assert kinds(rig) == ["Delegation"] * 3


def test_an_answer_that_names_a_task_waits_for_it() -> None:
    rig = Rig(delegate(0, raw_output=acknowledged("t9")))
    rig.put(child("t1", at=500))
    assert rig.model.keys() == ("entry-0", "task-t1")
    rig.put(child("t9", at=500))
    assert [row.task_id for row in rig.rows() if isinstance(row, DelegationRow)] == ["t9", "t1"]


def test_an_acknowledgement_is_no_failure_and_a_refusal_is() -> None:
    refused = {"structuredContent": {"status": "failed", "error_code": "live_limit", "message": "Too many."}}
    rig = Rig(delegate(0, raw_output=acknowledged("t1"), status="completed"))
    rig.put(delegate(1, raw_output=refused, status="completed"))
    rig.put(delegate(2, raw_output={"result": None, "error": "server closed"}))
    rig.put(delegate(3, raw_output="not running", status="failed"))
    rig.put(delegate(4, raw_output={"kind": "err", "code": "timeout"}, status="completed"))
    rig.put(delegate(5, raw_output="task_id=t5 status=failed.", status="completed"))
    failures = [row.failure for row in rig.rows() if isinstance(row, DelegationRow)]
    assert failures == ["", "Too many.", "server closed", "not running", "timeout", ""]


def test_a_refused_call_takes_no_task_by_its_text() -> None:
    refused = {"structuredContent": {"status": "failed", "error_code": "live_limit", "message": "Too many."}}
    rig = Rig(delegate(0, raw_output=refused), delegate(1), delegate(2, raw_input={"agent_type": "codex"}))
    rig.put(child("t1", at=1))
    assert [row.task_id for row in rig.rows() if isinstance(row, DelegationRow)] == [None, "t1", None]


def test_a_deleted_child_leaves_its_card_without_a_task() -> None:
    rig = Rig(entry(0))
    rig.put(child("t1", at=500), delegate(1))
    rig.put(child("t2", at=9000, by_person=True))
    assert rig.model.keys() == ("entry-0", "entry-1", "task-t2")
    rig.world.apply([HostChange(9, SessionDeleted("child-t2")), HostChange(10, SessionDeleted("child-t1"))])
    rig.check()
    assert rig.rows()[1] == DelegationRow("entry-1", None, "codex", "Write tests", 1000)
    assert rig.model.keys() == ("entry-0", "entry-1")


def test_tasks_of_other_sessions_are_not_shown() -> None:
    rig = Rig(entry(0))
    rig.put(task("t1", "another", "Write tests"))
    assert rig.model.keys() == ("entry-0",)


# ---- plan, notes, questions


def test_a_plan_stays_where_it_was_made_and_is_told_while_its_turn_runs() -> None:
    steps = ({"content": "Look", "status": "completed"}, {"content": "Act", "status": "pending"}, {"content": 7})
    rig = Rig(entry(0, "user"), entry(1, "plan", plan=steps[:1]), entry(2))
    rig.put(entry(1, "plan", plan=steps))
    row = PlanRow("entry-1", (Step("Look", "completed"), Step("Act", "pending"), Step("", "")), first=True)
    assert rig.rows()[1] == row
    assert rig.model.plan == row
    rig.put(entry(3, "user"))
    assert rig.model.plan is None
    rig.put(entry(4, "plan", plan=steps[:1]))
    assert rig.model.plan == PlanRow("entry-4", (Step("Look", "completed"),), first=True)
    rig.run(False)
    assert rig.model.plan is None
    assert Rig().model.plan is None


def test_notes_stand_at_their_time_and_turn_delivered() -> None:
    rig = Rig(entry(0), entry(1), entry(5))
    rig.put((NoteRecord("n1", ROOT, "use JSON", 3000),))
    assert rig.rows()[2] == NoteRow("note-n1", "use JSON", 3000)
    rig.kept.told.clear()
    rig.put((NoteRecord("n1", ROOT, "use JSON", 3000, 4000), NoteRecord("n2", ROOT, "and tests", 6000)))
    assert rig.rows()[2] == NoteRow("note-n1", "use JSON", 3000, 4000)
    assert rig.rows()[4] == NoteRow("note-n2", "and tests", 6000)
    assert rig.kept.told == ["*2-2", "+4-4"]


def test_a_closed_question_set_is_one_line_as_the_store_knows_it() -> None:
    rig = Rig(entry(0))
    rig.put(ask(1), questions("q1", ms=900))
    assert rig.rows()[1] == AnsweredRow("entry-1", (("DB", ""),), "open", 900)
    answers = ({"question": "Which?", "header": "DB", "selected": ["SQLite"], "other": "in memory"},)
    rig.put(questions("q1", ms=900, state="answered", answers=answers, closed_ms=7000))
    assert rig.rows()[1] == AnsweredRow("entry-1", (("DB", "SQLite, in memory"),), "answered", 7000)
    assert kinds(rig) == ["Message", "Answered"]


def test_a_question_set_that_no_call_shows_stands_at_its_time() -> None:
    rig = Rig(entry(0), entry(9))
    rig.put(questions("q1", ms=2000))
    assert rig.model.keys() == ("entry-0", "ask-q1", "entry-9")
    rig.put(ask(10))
    assert rig.model.keys() == ("entry-0", "entry-9", "entry-10")


def test_question_sets_go_to_their_calls_by_id_then_by_their_text() -> None:
    pending = {"structuredContent": {"state": "pending", "question_id": "q2", "answers": []}}
    rig = Rig(ask(0), ask(1, raw_output=pending), ask(2, raw_input={"question_id": "q2"}), ask(3, "Where?"))
    rig.put(questions("q1", ms=10, closed_ms=1), questions("q2", ms=20, closed_ms=2))
    told = [(row.key, row.at_ms) for row in rig.rows() if isinstance(row, AnsweredRow)]
    assert told == [("entry-0", 1), ("entry-1", 2), ("entry-3", 3000)]
    rig.kept.told.clear()
    rig.put(questions("q1", ms=10, closed_ms=7))
    assert rig.kept.told == ["*0-0"]


def test_without_the_store_the_call_tells_what_was_answered() -> None:
    words = "The user answered:\n1. [DB] Which?\n   -> SQLite"
    rig = Rig(ask(0, raw_output=words, status="completed"), ask(1, raw_input={"questions": [7, {}]}))
    rig.put(ask(2, status="completed", raw_output={"state": "pending", "answers": []}), ask(3))
    rig.put(ask(4, status="completed", raw_output={"answers": [], "declined": True}))
    states = [(row.picks[0][1], row.state) for row in rig.rows() if isinstance(row, AnsweredRow)]
    assert states == [("SQLite", "answered"), ("", "open"), ("", "open"), ("", "declined")]
    rig.run(False)
    assert [row.state for row in rig.rows() if isinstance(row, AnsweredRow)][1:3] == ["withdrawn", "withdrawn"]


def test_a_call_may_turn_out_to_be_ours_later() -> None:
    rig = Rig(call(0, "MCP call", "in_progress"))
    assert kinds(rig) == ["Tool"]
    rig.put(delegate(0))
    assert kinds(rig) == ["Delegation"]
    rig.put(ask(0))
    assert kinds(rig) == ["Answered"]
    rig.put(call(0, "MCP call"))
    assert kinds(rig) == ["Tool"]


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
