"""Delegations, plans, notes and questions stand once, where they belong."""

from typing import Any

from codeg.api import Change as HostChange
from codeg.api import NoteRecord, SessionDeleted
from tests.ui.making import task
from tests.ui.viewmodels.transcript_rig import (
    ROOT,
    Rig,
    acknowledged,
    ask,
    call,
    child,
    delegate,
    entry,
    kinds,
    questions,
)
from ui.viewmodels.rows import (
    AnsweredRow,
    DelegationRow,
    NoteRow,
    PlanRow,
    Step,
)

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
    pending: dict[str, Any] = {"structuredContent": {"state": "pending", "question_id": "q2", "answers": []}}
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
