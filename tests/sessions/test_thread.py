"""The fold of updates into entries, and what can be read off a turn."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.sessions.diffs import Touched
from codeg.sessions.thread import Thread
from codeg.sessions.types import Entry, ThreadChange


def said(text: str, kind: str = "agent_message_chunk", **more: Any) -> dict[str, Any]:
    return {"sessionUpdate": kind, "content": {"type": "text", "text": text}, **more}


def thought(text: str) -> dict[str, Any]:
    return said(text, "agent_thought_chunk")


def call(tool_id: str, **more: Any) -> dict[str, Any]:
    return {"sessionUpdate": "tool_call", "toolCallId": tool_id, "title": f"do {tool_id}", **more}


def patch(tool_id: str, **more: Any) -> dict[str, Any]:
    return {"sessionUpdate": "tool_call_update", "toolCallId": tool_id, **more}


def folded(*updates: dict[str, Any], prompt: str | None = None) -> Thread:
    thread = Thread()
    thread.begin_turn(prompt, 5)
    for update in updates:
        thread.apply(update, 7)
    return thread


def entries(thread: Thread) -> list[Entry]:
    return [change.entry for change in thread.take_changes()]


def kinds(thread: Thread) -> list[tuple[str, str]]:
    return [(entry.kind, entry.text or entry.title) for entry in entries(thread)]


def test_chunks_of_one_message_are_one_entry() -> None:
    thread = folded(said("Hel"), said("lo"), said(""), prompt="hi")
    assert kinds(thread) == [("user", "hi"), ("message", "Hello")]


def test_entries_count_from_where_they_are_told_to_and_carry_attempt_and_time() -> None:
    thread = Thread(attempt=4, first_seq=17)
    thread.begin_turn("hi", 5)
    thread.apply(said("x"), 9)
    told = entries(thread)
    assert [(entry.seq, entry.attempt, entry.created_ms) for entry in told] == [(17, 4, 5), (18, 4, 9)]


def test_a_change_is_told_once_and_a_growing_text_is_told_again_as_a_replacement() -> None:
    thread = folded(said("a"))
    assert [change.kind for change in thread.take_changes()] == ["added"]
    assert thread.take_changes() == ()
    thread.apply(said("b"), 8)
    assert [(change.kind, change.entry.text) for change in thread.take_changes()] == [("updated", "ab")]


def test_a_new_message_id_begins_a_new_entry_and_a_missing_one_goes_on() -> None:
    thread = folded(said("a", messageId="1"), said("b"), said("c", messageId="1"), said("d", messageId="2"))
    assert kinds(thread) == [("message", "abc"), ("message", "d")]
    assert thread.turn.final_text() == "abc\n\nd"


def test_thoughts_tools_and_messages_take_turns() -> None:
    thread = folded(thought("hm"), said("a"), thought("so"), call("t"), said("b"))
    assert [kind for kind, _ in kinds(thread)] == ["thought", "message", "thought", "tool", "message"]


def test_a_plan_is_one_entry_of_its_turn_and_does_not_cut_a_message() -> None:
    first = {"sessionUpdate": "plan", "entries": [{"content": "x", "status": "pending", "priority": "low"}]}
    second = {"sessionUpdate": "plan", "entries": [{"content": "x", "status": "completed", "priority": "low"}, "odd"]}
    thread = folded(said("a"), first, said("b"), second)
    told = entries(thread)
    assert [entry.kind for entry in told] == ["message", "plan"]
    assert told[0].text == "ab"
    assert [step["status"] for step in told[1].plan] == ["completed"]
    thread.begin_turn(None, 9)
    thread.apply(first, 9)
    assert entries(thread)[0].seq == 2


def test_a_tool_call_is_patched_by_its_updates() -> None:
    content = [{"type": "content", "content": {"type": "text", "text": "out"}}]
    thread = folded(
        call("t", kind="other", status="pending", rawInput={}),
        patch("t", rawInput={"a": 1}, name="mcp__x__y"),
        patch("t", status="completed", content=content, rawInput={}, title=None, rawOutput="done"),
    )
    [entry] = entries(thread)
    assert (entry.title, entry.status, entry.tool_kind, entry.tool_name) == ("do t", "completed", "other", "mcp__x__y")
    assert (entry.raw_input, entry.raw_output, entry.content) == ({"a": 1}, "done", tuple(content))
    assert thread.tool_call("t")["rawInput"] == {"a": 1}
    assert thread.tool_call("unknown") == {}


def test_an_update_without_its_call_begins_it() -> None:
    thread = folded(patch("t", title="late", status="failed"))
    [entry] = entries(thread)
    assert (entry.title, entry.status) == ("late", "failed")
    assert thread.turn.tool_calls == 1


def test_a_name_hidden_in_meta_is_found() -> None:
    thread = folded(call("t", _meta={"claudeCode": {"toolName": "mcp__codeg__delegate_to_agent"}}))
    assert entries(thread)[0].tool_name == "mcp__codeg__delegate_to_agent"


def test_a_finished_call_whose_id_is_used_again_in_a_later_turn_is_another_call() -> None:
    thread = folded(call("t", status="completed"))
    thread.begin_turn("again", 8)
    thread.apply(patch("t", rawOutput="late word on the first"), 8)
    thread.apply(call("t", status="pending"), 8)
    assert [(entry.kind, entry.raw_output) for entry in entries(thread)] == [
        ("tool", "late word on the first"),
        ("user", None),
        ("tool", None),
    ]
    assert thread.turn.tool_calls == 1


def test_what_is_no_text_is_kept_beside_the_text() -> None:
    image = {"type": "image", "mimeType": "image/png", "data": "x"}
    thread = folded(said("A"), {"sessionUpdate": "agent_message_chunk", "content": image}, said("B"))
    [entry] = entries(thread)
    assert (entry.text, entry.content) == ("AB", (image,))


def test_notices_and_notes_of_the_program_are_no_part_of_the_result() -> None:
    note = said("You have 3 dollars left.", _meta={"claudeCode": {"kind": "informational"}})
    notice = {"sessionUpdate": "notice", "severity": "error", "title": "No server", "description": "Going on."}
    thread = folded(said("A"), notice, note)
    told = entries(thread)
    assert [(entry.kind, entry.status) for entry in told] == [("message", ""), ("notice", "error"), ("notice", "")]
    assert told[1].text == "No server: Going on."
    assert thread.turn.final_text() == "A"


def test_words_and_calls_of_a_sub_agent_inside_a_tool_are_no_part_of_the_result() -> None:
    inner = {"claudeCode": {"parentToolUseId": "t"}}
    thread = folded(call("t"), said("outer"), said("inner", _meta=inner), call("u", _meta=inner))
    assert thread.turn.final_text() == "outer"
    assert thread.turn.tool_calls == 1


@pytest.mark.parametrize(
    "update",
    [
        {},
        {"sessionUpdate": 5},
        {"sessionUpdate": "subagent_update", "sessionId": "child"},
        {"sessionUpdate": "subagent_spawned"},
        {"sessionUpdate": "session_message_chunk", "content": {"type": "text", "text": "x"}},
        {"sessionUpdate": "compaction_update"},
        {"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "echo"}},
        {"sessionUpdate": "agent_message_chunk"},
        {"sessionUpdate": "agent_message_chunk", "content": None},
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": 7}},
        {"sessionUpdate": "tool_call"},
        {"sessionUpdate": "tool_call", "toolCallId": ""},
        {"sessionUpdate": "notice"},
    ],
)
def test_what_cannot_be_folded_does_no_harm(update: dict[str, Any]) -> None:
    thread = folded(update, said("ok"))
    assert [text for _, text in kinds(thread) if text] == ["ok"]


def test_wrong_kinds_in_a_tool_call_read_as_absent() -> None:
    thread = folded(call("t", kind=3, status=None, content="x", locations={}, rawInput=None, _meta=[]))
    [entry] = entries(thread)
    assert (entry.tool_kind, entry.status, entry.content, entry.locations) == ("", "pending", (), ())


def test_unknown_kinds_are_counted() -> None:
    thread = folded(
        {"sessionUpdate": "new"}, {"sessionUpdate": "new"}, *({"sessionUpdate": str(n)} for n in range(999))
    )
    assert thread.ignored["new"] == 2
    assert len(thread.ignored) < 100


def test_halves_of_a_character_in_two_chunks_are_joined_and_lone_ones_replaced() -> None:
    thread = folded(said("a\ud83d"), said("\ude00b"), thought("\udc00"))
    assert kinds(thread) == [("message", "a😀b"), ("thought", "�")]


def test_a_thousand_chunks_told_together_are_joined_once() -> None:
    thread = folded(*(said("x" * 100) for _ in range(1000)))
    assert thread.untold_size == 100_000
    [change] = thread.take_changes()
    assert len(change.entry.text) == 100_000
    assert thread.untold_size == 0


class TestResult:
    def test_text_after_the_last_call(self) -> None:
        assert folded(said("A"), call("t"), said("B")).turn.final_text() == "B"

    def test_the_last_message_when_nothing_follows(self) -> None:
        assert folded(said("A"), call("t"), said("B"), call("u"), said(" \n")).turn.final_text() == "B"

    def test_all_text_without_calls(self) -> None:
        assert folded(said("A"), thought("t"), said("B")).turn.final_text() == "A\n\nB"

    def test_a_late_patch_of_a_call_does_not_cut_the_text(self) -> None:
        assert folded(call("t"), said("A"), patch("t", status="completed")).turn.final_text() == "A"

    def test_nothing_of_an_earlier_turn(self) -> None:
        thread = folded(said("A"))
        thread.begin_turn("next", 8)
        assert thread.turn.final_text() == ""
        assert thread.turn.live_line() == ""
        assert thread.turn.tool_calls == 0

    def test_the_note_lists_tools_and_changed_files(self) -> None:
        diff = [{"type": "diff", "path": "/a.py", "newText": ""}]
        thread = folded(
            call("1", name="Edit", kind="edit", content=diff, locations=[{"path": "/a.py"}, {"path": "/b.py"}]),
            call("2", name="Edit", kind="edit"),
            call("3", name="Read", kind="read", locations=[{"path": "/c.py"}]),
        )
        assert thread.turn.note() == "It made 3 tool calls: Edit (2), Read; files touched: /a.py, /b.py."

    def test_the_note_is_bounded(self) -> None:
        thread = folded(*(call(str(n), title="t" * 500 + str(n)) for n in range(500)))
        assert len(thread.turn.note()) < 600

    def test_no_note_without_calls(self) -> None:
        assert folded(thought("hm")).turn.note() == ""


class TestLiveLine:
    def test_the_last_line_said_that_is_not_blank(self) -> None:
        assert folded(said("one\ntw"), said("o\n\n  ")).turn.live_line() == "two"

    def test_a_thought_when_nothing_is_said_since_the_last_call(self) -> None:
        assert folded(said("old"), call("t"), thought("hm")).turn.live_line() == "hm"

    def test_the_tool_at_work_else(self) -> None:
        thread = folded(thought("old"), call("a", title="run\nthis"), call("b", status="completed"))
        assert thread.turn.live_line() == "run this"

    def test_text_before_thought(self) -> None:
        assert folded(said("text"), thought("hm")).turn.live_line() == "text"

    def test_it_has_120_characters_at_most(self) -> None:
        line = folded(said("é" * 500)).turn.live_line()
        assert len(line) == 120
        assert line.endswith("…")

    def test_it_does_not_read_the_whole_of_a_long_text(self) -> None:
        thread = folded(*(said("x" * 1000 + "\n") for _ in range(500)), said("end"))
        assert thread.turn.live_line() == "end"


UPDATES = st.one_of(
    st.builds(said, st.text(max_size=5), st.sampled_from(["agent_message_chunk", "agent_thought_chunk"])),
    st.builds(said, st.text(max_size=3), messageId=st.sampled_from(["1", "2"])),
    st.builds(call, st.sampled_from("ab"), status=st.sampled_from(["pending", "completed"])),
    st.builds(patch, st.sampled_from("abc"), status=st.sampled_from(["in_progress", "failed"])),
    st.just({"sessionUpdate": "plan", "entries": [{"content": "x"}]}),
    st.just({"sessionUpdate": "notice", "title": "n"}),
    st.just({"sessionUpdate": "odd"}),
)


@given(st.lists(st.tuples(UPDATES, st.booleans()), max_size=40))
def test_however_often_changes_are_taken_the_reader_ends_with_the_same_entries(steps: list[tuple[Any, bool]]) -> None:
    often, once = Thread(), Thread()
    seen: list[Entry] = []
    for update, take in steps:
        often.apply(update, 1)
        once.apply(update, 1)
        if take:
            read(seen, often.take_changes())
    read(seen, often.take_changes())
    whole: list[Entry] = []
    read(whole, once.take_changes())
    assert seen == whole
    assert [entry.seq for entry in seen] == list(range(len(seen)))
    assert often.turn.final_text() == once.turn.final_text()


def read(into: list[Entry], changes: tuple[ThreadChange, ...]) -> None:
    for change in changes:
        if change.kind == "added":
            assert change.entry.seq == len(into)
            into.append(change.entry)
        else:
            into[change.entry.seq] = change.entry


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
KINDS = ["agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan", "notice", "?"]
FIELDS = ["content", "toolCallId", "title", "kind", "status", "rawInput", "locations", "entries", "messageId", "_meta"]


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS), JSON)), max_size=10))
def test_no_update_whatever_makes_the_fold_raise(updates: list[tuple[str, dict[str, Any]]]) -> None:
    thread = Thread()
    for kind, fields in updates:
        thread.apply({**fields, "sessionUpdate": kind}, 1)
        thread.turn.live_line()
    thread.take_changes()
    thread.turn.final_text()
    thread.turn.note()


def test_what_the_user_said_keeps_its_images() -> None:
    image = {"type": "image", "mimeType": "image/png", "data": "x"}
    thread = Thread()
    thread.begin_turn("look", 1, [image])
    thread.begin_turn(None, 2, [image])
    (change,) = thread.take_changes()
    assert (change.entry.kind, change.entry.text, change.entry.content) == ("user", "look", (image,))


def test_a_failed_edit_changed_nothing() -> None:
    thread = Thread()
    for call, status in (("a", "completed"), ("b", "failed"), ("c", "cancelled"), ("d", "in_progress")):
        diff = {"type": "diff", "path": call, "newText": "x"}
        thread.apply({"sessionUpdate": "tool_call", "toolCallId": call, "status": status, "content": [diff]}, 1)
    assert thread.turn.touched() == Touched(files=2, added=2, removed=0)


def statuses(thread: Thread) -> dict[str, str]:
    return {change.entry.tool_call_id: change.entry.status for change in thread.take_changes()}


def test_what_never_began_is_closed_with_its_turn_and_what_began_may_go_on_behind_it() -> None:
    thread = folded(call("a", status="pending"), call("b", status="in_progress"), call("c", status="completed"))
    thread.take_changes()
    thread.end_turn(going_on=True)
    assert statuses(thread) == {"a": "cancelled"}
    thread.apply(patch("b", status="completed"), 9)
    assert statuses(thread) == {"b": "completed"}


def test_a_turn_that_was_cut_leaves_no_call_open_and_a_later_word_still_counts() -> None:
    thread = folded(call("a", status="in_progress"), call("inner", _meta={"claudeCode": {"parentToolUseId": "a"}}))
    thread.take_changes()
    thread.end_turn(going_on=False)
    assert statuses(thread) == {"a": "cancelled", "inner": "cancelled"}
    thread.apply(patch("a", status="failed"), 9)
    assert statuses(thread) == {"a": "failed"}


def test_a_call_of_an_earlier_turn_is_not_closed_with_a_later_one() -> None:
    thread = folded(call("a", status="in_progress"))
    thread.end_turn(going_on=True)
    thread.begin_turn("again", 8)
    thread.take_changes()
    thread.end_turn(going_on=False)
    assert statuses(thread) == {}


def test_an_input_that_was_announced_empty_is_not_told_yet() -> None:
    """Qwen announces a call with an empty input and tells it when it asks leave."""
    thread = folded(call("t", rawInput={}))
    assert "rawInput" not in thread.tool_call("t")
    thread.apply(patch("t", rawInput={"command": "touch x"}), 9)
    assert thread.tool_call("t")["rawInput"] == {"command": "touch x"}
