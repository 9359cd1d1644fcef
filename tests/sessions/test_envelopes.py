"""What our tools answered is seen through every envelope; what a child said is never taken for our word."""

import json
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeg.sessions.envelopes import (
    MAX_LAYERS,
    ToolReport,
    failure_of,
    joined_text,
    legacy_outcome,
    reports_of,
    task_id_of,
)

DONE: dict[str, Any] = {"task_id": "t-9", "status": "completed", "text": "done", "duration_ms": 8200}
READ = ToolReport("t-9", "completed", text="done", duration_ms=8200)
BATCH: dict[str, Any] = {"tasks": [{"task_id": "a", "status": "running"}, {"task_id": "b", "status": "completed"}]}


def block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def acp(text: str) -> dict[str, Any]:
    return {"type": "content", "content": block(text)}


# ---- the known shapes


@pytest.mark.parametrize(
    "raw",
    [
        DONE,
        {"content": [block("ok")], "structuredContent": DONE, "isError": False},
        {"content": [{"type": "json", "json": DONE}]},
        {"content": [block(json.dumps(DONE))], "structuredContent": {"a": 1}},
        {"content": [block(json.dumps(DONE))]},
        [block(json.dumps(DONE))],
        {"result": {"content": [], "structuredContent": DONE}, "error": None},
        {"result": {"Ok": {"content": [block(json.dumps(DONE))]}}},
        {"Ok": {"content": [], "structuredContent": DONE}},
        {"result": json.dumps({"content": [], "structuredContent": DONE})},
        json.dumps(DONE),
        json.dumps(json.dumps(DONE)),
        f"Wall time: 4.2 seconds\nOutput:\n{json.dumps(DONE)}_",
        f"Wall time: 4.2 seconds\nOutput:\n{json.dumps({'content': [block(json.dumps(DONE))]})}",
    ],
)
def test_a_report_is_read_in_every_shape(raw: Any) -> None:
    assert reports_of(raw) == (READ,)
    assert task_id_of(raw) == "t-9"


@pytest.mark.parametrize("content", [(acp(json.dumps(DONE)),), [acp(json.dumps(DONE))], (block(json.dumps(DONE)),)])
def test_a_report_is_read_in_the_content_of_the_call(content: Any) -> None:
    assert reports_of(None, content) == (READ,)
    assert reports_of("", content) == (READ,)


@pytest.mark.parametrize(
    "raw",
    [
        BATCH,
        {"structuredContent": BATCH, "content": []},
        {"content": [block(json.dumps(BATCH))]},
        json.dumps(json.dumps(BATCH)),
        {"result": {"Ok": {"structuredContent": BATCH}}},
        f"Output:\n{json.dumps(BATCH)}",
    ],
)
def test_a_batch_is_read_in_its_order(raw: Any) -> None:
    assert [(report.task_id, report.status) for report in reports_of(raw)] == [("a", "running"), ("b", "completed")]


def test_all_fields_are_read() -> None:
    raw = {
        "task_id": "t",
        "status": "failed",
        "agent_type": "codex",
        "child_conversation_id": "c1",
        "error": {"code": "agent_crashed", "message": "Codex exited."},
        "blocked_on": {"kind": "question"},
        "duration_ms": True,
        "text": 7,
    }
    assert reports_of(raw) == (
        ToolReport(
            "t",
            "failed",
            error_code="agent_crashed",
            message="Codex exited.",
            blocked="question",
            agent_type="codex",
            child_id="c1",
        ),
    )


@pytest.mark.parametrize(
    ("blocked_on", "kind"),
    [(None, ""), ({"kind": "plan_approval"}, "plan_approval"), ({"kind": "new"}, "permission"), ({}, "permission")],
)
def test_an_unknown_block_still_blocks(blocked_on: Any, kind: str) -> None:
    assert reports_of({"task_id": "t", "status": "running", "blocked_on": blocked_on})[0].blocked == kind


# ---- trust


def test_structured_content_is_trusted_on_its_status_alone_and_nothing_else_is() -> None:
    bare = {"status": "failed", "error_code": "depth_limit"}
    assert reports_of({"structuredContent": bare}) == (ToolReport("", "failed", error_code="depth_limit"),)
    assert reports_of(bare) == ()
    assert reports_of({"content": [block(json.dumps(bare))]}) == ()


@pytest.mark.parametrize(
    "raw",
    [
        {"result": DONE},
        {"result": {"status": "completed"}},
        {"data": {"structuredContent": DONE}},
        {"task_id": "t", "status": "winning"},
        {"tasks": [{"name": "build"}, "x"]},
        {"tasks": "none"},
        {"error": "mine", "status": "completed"},
        "Tests pass, 3 files changed.",
        f"The run ended with {json.dumps(DONE)} as it should, and more.",
        f"I saw {json.dumps(DONE)}",
        f"Look:\n{json.dumps(DONE)} and so on",
        "} {",
        "{broken",
        None,
        7,
        [],
        [7],
        {},
    ],
)
def test_what_a_child_said_is_no_report(raw: Any) -> None:
    assert reports_of(raw) == ()
    assert task_id_of(raw) == ""


def test_only_the_first_block_speaks() -> None:
    assert reports_of({"content": [block("Fine."), block(json.dumps(DONE))]}) == ()


def test_a_childs_json_inside_a_report_is_its_text() -> None:
    told = json.dumps({"task_id": "other", "status": "failed"})
    assert reports_of({"task_id": "t", "status": "completed", "text": told})[0].text == told


# ---- text alone


def test_the_head_of_an_acknowledgement_is_read() -> None:
    words = 'task_id=codex-write-tests-0123456789ab status=queued. Call get_delegation_status.\n{"attempt":1}'
    assert reports_of(None, (acp(words),)) == (ToolReport("codex-write-tests-0123456789ab", "queued"),)
    assert reports_of({"content": [block(words)]})[0].status == "queued"
    assert task_id_of(words) == "codex-write-tests-0123456789ab"


@pytest.mark.parametrize(
    "words",
    ["Started with task_id: t-41", "Started, task_id=t-41.", "x task_id = t-41 and go on"],
)
def test_an_id_in_words_is_found(words: str) -> None:
    assert task_id_of(words) == "t-41"
    assert reports_of(words) == ()


def test_words_that_only_look_like_ours_are_the_childs() -> None:
    assert reports_of("task_id=t status=winning. So it goes") == ()
    assert reports_of("It said task_id=t status=failed.") == ()
    assert task_id_of("no id here", ()) == ""


def test_the_bare_word_says_that_it_runs() -> None:
    assert reports_of("Running.\n") == (ToolReport("", "running"),)
    assert reports_of(None, (acp("Running."),)) == (ToolReport("", "running"),)
    assert task_id_of("Running.") == ""
    assert reports_of("Running. All tests pass.") == ()
    assert reports_of("Running the tests took long") == ()


# ---- failures


def test_the_host_programs_own_error_is_its_failure() -> None:
    assert failure_of({"result": None, "error": "server closed"}) == "server closed"
    assert failure_of(json.dumps({"result": None, "error": "server closed"})) == "server closed"
    assert failure_of({"isError": True, "content": [block("live_limit: full")]}) == "live_limit: full"
    assert failure_of({"isError": True}, (acp("live_limit: full"),)) == "live_limit: full"


@pytest.mark.parametrize("raw", [{"error": "mine"}, {"result": {"a": 1}, "error": "x"}, {"isError": False}, "no", None])
def test_an_error_of_the_childs_is_no_failure_of_the_call(raw: Any) -> None:
    assert failure_of(raw) == ""


def test_old_transcripts_hold_the_result_itself() -> None:
    good = {"kind": "ok", "text": "old style", "child_conversation_id": 12}
    assert legacy_outcome(good) == ToolReport("", "completed", text="old style", child_id="12")
    bad = {"kind": "err", "code": "timeout", "message": "late"}
    assert legacy_outcome(None, (acp(json.dumps(bad)),)) == ToolReport(
        "", "failed", error_code="timeout", message="late"
    )
    assert legacy_outcome({"kind": "ok", "text": "a child's own"}) is None
    assert legacy_outcome({"kind": "err"}) is None
    assert legacy_outcome("words") is None


def test_text_of_blocks_is_joined() -> None:
    assert joined_text([acp("a"), {"type": "image"}, block("b"), 7, block("")]) == "a\nb"
    assert joined_text(None) == ""


# ---- any nesting

LAYERS = st.lists(
    st.sampled_from(["result", "Ok", "ok", "text", "json", "structured", "encoded", "wall", "list"]), max_size=12
)


def wrapped(layers: list[str]) -> tuple[Any, int]:
    """The report inside these layers, innermost first, and how many of them there are to peel."""
    value: Any = DONE
    depth = 0
    for layer in layers:
        found = around(value, layer)
        if found is not None:
            value, more = found
            depth += more
    return value, depth


def around(value: Any, layer: str) -> tuple[Any, int] | None:
    """One more layer and what it costs to peel; None = it cannot stand around this."""
    if layer == "text":
        return {"content": [block(value if isinstance(value, str) else json.dumps(value))]}, 2
    if layer == "encoded":
        return json.dumps(value), 1
    if not isinstance(value, dict):
        return None
    level = cast("dict[str, Any]", value)
    match layer:
        case "result" | "Ok" | "ok" if {"content", "structuredContent", "result", "Ok", "ok"} & level.keys():
            return {layer: level}, 1
        case "json":
            return {"content": [{"json": level}]}, 1
        case "structured" if level is DONE:
            return {"structuredContent": DONE}, 0
        case "wall":
            return f"Wall time: 1 s\nOutput:\n{json.dumps(level)}_", 1
        case "list" if isinstance(level.get("content"), list):
            return level["content"], 0
        case _:
            return None


@given(LAYERS)
@settings(max_examples=500)
def test_any_nesting_up_to_the_limit_is_seen_through(layers: list[str]) -> None:
    raw, depth = wrapped(layers)
    if depth <= MAX_LAYERS:
        assert reports_of(raw) == (READ,)
    else:
        assert reports_of(raw) in {(), (READ,)}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["completed", "t-9", "running"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["result", "Ok", "content", "status", "text", "tasks", "type", "json", "kind", "error"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(JSON)
@settings(max_examples=500)
def test_json_without_a_task_of_ours_is_never_a_report(value: Any) -> None:
    for raw in (value, json.dumps(value), {"content": [block(json.dumps(value))]}):
        assert reports_of(raw) == ()
        assert task_id_of(raw) == ""


@given(JSON, st.text(max_size=40))
@settings(max_examples=300)
def test_whatever_a_child_said_stays_as_it_is(value: Any, words: str) -> None:
    told = words + json.dumps(value) + json.dumps(DONE)
    report = {"task_id": "t", "status": "completed", "text": told}
    for raw in (report, {"structuredContent": report}, {"content": [block(json.dumps(report))]}):
        assert [found.text for found in reports_of(raw)] == [told]


@given(st.text(max_size=200) | st.binary(max_size=50).map(repr), JSON)
def test_nothing_raises(words: str, value: Any) -> None:
    for raw in (words, value, [words], {"result": words, "content": value}, {"content": [value]}):
        reports_of(raw, [value])
        task_id_of(raw, (value,))
        failure_of(raw, value)
        legacy_outcome(raw, value)


def test_deep_nesting_costs_no_stack() -> None:
    deep: Any = {"content": []}
    for _ in range(5_000):
        deep = {"result": deep}
    assert reports_of(deep) == ()
    assert reports_of("[" * 100_000) == ()
    assert reports_of('{"a":' * 100_000) == ()
