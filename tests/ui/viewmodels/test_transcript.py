"""A conversation as the person reads it: words, tool calls, groups and polls."""

from typing import Any

import pytest

from codeg.api import NoteRecord
from tests.ui.making import diff, text_block
from tests.ui.viewmodels.transcript_rig import (
    ROOT,
    Rig,
    call,
    delegate,
    entry,
    kinds,
    poll,
)
from ui.viewmodels.rows import (
    Check,
    Image,
    MessageRow,
    NoticeRow,
    PollRow,
    ThoughtRow,
    ToolGroupRow,
    ToolRow,
    UserRow,
)

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
