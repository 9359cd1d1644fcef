"""Reports: their shape, their sentences, and that a reply always fits and never loses a byte of a text."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.broker.codes import BlockKind, Code, Phase, Status
from codeg.broker.report_fit import MOST_BYTES, fit, only_ids_fit, text_shares
from codeg.broker.report_text import TextSlice, align, fetch_from, inner_size, prefix_within, shares, suffix_within
from codeg.broker.report_words import RESUME
from codeg.broker.reports import Report, bare, report_of, rfc3339, text_size
from codeg.broker.tasks import Block, End, Refused, TaskRecord, TaskView, Unknown, Usage

BIRTH = 1_769_851_800_125
TEXTS = st.text(st.characters(codec="utf-8"), max_size=400)


@dataclass(frozen=True)
class Doing:
    line: str = "reading"
    at_ms: int = BIRTH + 5_000
    tool_calls: int = 3
    usage: Usage | None = None


def task(**more: Any) -> TaskRecord:
    given: dict[str, Any] = {
        "task_id": "demo-look-around-0123456789ab",
        "parent_id": "p",
        "root_id": "p",
        "depth": 1,
        "agent_type": "demo",
        "task_text": "look around",
        "working_dir": "/w",
        "explicit_dir": None,
        "child_id": "child-1",
        "phase": Phase.RUNNING,
        "attempt": 1,
        "created_ms": BIRTH,
        "started_ms": BIRTH + 1_000,
    }
    return TaskRecord(**{**given, **more})


def ended(status: Status = Status.COMPLETED, text: bytes = b"", **more: Any) -> TaskView:
    end = End(status, more.pop("code", None), more.pop("message", None), len(text), more.pop("usage", None))
    return TaskView(task(phase=Phase.ENDED, end=end, ended_ms=BIRTH + 4_250, **more), status)


def size(reports: list[Report]) -> int:
    return len(json.dumps({"tasks": reports}, ensure_ascii=False, separators=(",", ":")).encode())


# ---- shape


def test_a_running_task_shows_what_it_does_and_no_text() -> None:
    report = report_of(TaskView(task(), Status.RUNNING), activity=Doing(usage=Usage(context_used=5, cost_amount=0.5)))
    assert report == {
        "task_id": "demo-look-around-0123456789ab",
        "status": "running",
        "agent_type": "demo",
        "child_conversation_id": "child-1",
        "attempt": 1,
        "message": report["message"],
        "activity": {"line": "reading", "at": "2026-01-31T09:30:05.125Z", "tool_calls": 3},
        "usage": {"context_used": 5, "cost": {"amount": 0.5}},
        "created_at": "2026-01-31T09:30:00.125Z",
        "started_at": "2026-01-31T09:30:01.125Z",
    }


def test_a_completed_task_shows_its_text_its_end_and_how_long_it_took() -> None:
    view = ended(text=b"abc", usage=Usage(1, 2, 3, 4, 0.25, "USD"))
    report = report_of(view, text=TextSlice(0, b"abc"))
    assert (report["text"], report["text_offset"], report["text_bytes"]) == ("abc", 0, 3)
    assert "next_offset" not in report
    assert report["ended_at"] == "2026-01-31T09:30:04.375Z"
    assert report["duration_ms"] == 3_250
    assert report["usage"]["cost"] == {"amount": 0.25, "currency": "USD"}


def test_a_task_that_wrote_nothing_has_no_text_fields() -> None:
    assert not {"text", "text_offset", "text_bytes", "next_offset"} & set(report_of(ended()))


def test_the_decided_end_of_a_stopping_task_is_not_shown_yet() -> None:
    record = task(phase=Phase.STOPPING, end=End(Status.CANCELED, Code.CANCELED, "by the user", 7), ended_ms=BIRTH + 9)
    report = report_of(TaskView(record, Status.RUNNING, stopping=True))
    assert report["stopping"] is True
    assert not {"error_code", "ended_at", "duration_ms", "text_bytes"} & set(report)


def test_a_blocked_task_shows_its_oldest_block_and_whom_to_tell() -> None:
    blocks = (Block(BlockKind.PERMISSION, "r1", "Write a file", BIRTH), Block(BlockKind.QUESTION, "r2", "", BIRTH + 1))
    report = report_of(TaskView(task(), Status.RUNNING, blocks=blocks))
    assert report["blocked_on"] == {
        "kind": "permission",
        "request_id": "r1",
        "title": "Write a file",
        "since": "2026-01-31T09:30:00.125Z",
    }
    assert "Write a file" in report["message"]
    assert "Tell the user" in report["message"]


def test_a_queued_task_shows_its_place() -> None:
    report = report_of(TaskView(task(started_ms=None, phase=Phase.QUEUED), Status.QUEUED, queue_position=3))
    assert report["queue_position"] == 3
    assert "position 3" in report["message"]
    assert "started_at" not in report


def test_a_task_whose_prompt_is_not_written_is_starting() -> None:
    assert report_of(TaskView(task(started_ms=None), Status.RUNNING))["message"].startswith("Starting")


def test_an_acknowledgement_begins_with_the_id() -> None:
    for view in (TaskView(task(), Status.RUNNING), ended()):
        message = report_of(view, acknowledge=True)["message"]
        assert message.startswith("task_id=demo-look-around-0123456789ab\n")


def test_an_unknown_id_and_a_refused_call_say_what_to_do() -> None:
    assert report_of(Unknown("x"))["status"] == "unknown"
    refused = report_of(Refused(Code.QUEUE_FULL, "The queue is full."))
    assert refused == {"status": "failed", "error_code": "queue_full", "message": "The queue is full."}


def test_a_refused_resume_is_the_unchanged_report_with_the_reason() -> None:
    view = ended(Status.CANCELED, code=Code.CANCELED, text=b"x")
    report = report_of(Refused(Code.RESUME_UNAVAILABLE, "The agent cannot.", view=view))
    assert (report["task_id"], report["status"]) == ("demo-look-around-0123456789ab", "canceled")
    assert (report["error_code"], report["message"]) == ("resume_unavailable", "The agent cannot.")


@pytest.mark.parametrize(
    ("view", "offered"),
    [
        (ended(Status.CANCELED, code=Code.CANCELED), True),
        (ended(Status.INTERRUPTED), True),
        (ended(Status.FAILED, code=Code.AGENT_CRASHED), True),
        (ended(Status.FAILED, code=Code.CHILD_EMPTY), False),
        (ended(Status.COMPLETED), False),
        (ended(Status.CANCELED, prompt_accepted=True, resume_via="none"), False),
    ],
)
def test_a_resume_is_offered_where_it_can_succeed(view: TaskView, offered: bool) -> None:
    assert (RESUME in report_of(view)["message"]) is offered


def test_the_cause_of_a_failure_stands_in_the_message() -> None:
    view = ended(Status.FAILED, code=Code.SPAWN_FAILED, message="No such program: codex")
    assert report_of(view)["message"].startswith("No such program: codex")


def test_lone_surrogates_become_replacement_characters() -> None:
    view = ended(Status.FAILED, message="bad \ud800 end")
    assert report_of(view)["message"].startswith("bad \ufffd end")


def test_a_nested_task_of_nobody_present_says_so() -> None:
    record = task(parent_task_id="demo-above-0123456789ab", unattended=True)
    report = report_of(TaskView(record, Status.RUNNING))
    assert (report["parent_task_id"], report["unattended"]) == ("demo-above-0123456789ab", True)


def test_a_task_that_ended_before_its_prompt_was_written_has_no_duration() -> None:
    report = report_of(ended(Status.FAILED, started_ms=None))
    assert "ended_at" in report
    assert not {"started_at", "duration_ms"} & set(report)


def test_an_agent_that_has_used_nothing_yet_shows_no_usage() -> None:
    for usage in (None, Usage()):
        assert "usage" not in report_of(TaskView(task(), Status.RUNNING), activity=Doing(usage=usage))


def test_the_least_of_a_report_is_id_and_status_where_there_are_any() -> None:
    view = ended(Status.CANCELED, text=b"abc")
    refused = Refused(Code.RESUME_UNAVAILABLE, "no", view=view)
    assert bare(Unknown("x")) == {"task_id": "x", "status": "unknown"}
    assert bare(refused) == bare(view) == {"task_id": view.record.task_id, "status": "canceled"}
    assert bare(Refused(Code.QUEUE_FULL, "no")) == {"status": "failed"}


def test_only_an_ended_task_has_a_text_to_show() -> None:
    view = ended(text=b"abc")
    assert text_size(view) == text_size(Refused(Code.RESUME_UNAVAILABLE, "no", view=view)) == 3
    for answer in (Unknown("x"), Refused(Code.QUEUE_FULL, "no"), TaskView(task(), Status.RUNNING)):
        assert text_size(answer) == 0


@pytest.mark.parametrize("status", list(Status))
def test_every_status_has_a_sentence(status: Status) -> None:
    assert report_of(TaskView(task(), status))["message"].strip()


def test_times_are_rfc3339_in_utc_with_milliseconds() -> None:
    assert rfc3339(0) == "1970-01-01T00:00:00.000Z"
    assert rfc3339(BIRTH) == "2026-01-31T09:30:00.125Z"


# ---- texts


@given(TEXTS, st.integers(0, 2_000))
def test_a_cut_keeps_what_fits_and_nothing_longer_would(text: str, room: int) -> None:
    for cut, more in (
        (prefix_within(text, room), text[: len(prefix_within(text, room)) + 1]),
        (suffix_within(text, room), text[::-1][: len(suffix_within(text, room)) + 1][::-1]),
    ):
        assert inner_size(cut) <= room
        assert cut == text or inner_size(more) > room
    assert text.startswith(prefix_within(text, room))
    assert text.endswith(suffix_within(text, room))


def test_long_texts_are_cut_across_blocks() -> None:
    text = "é\n\x01" * 5_000
    cut = prefix_within(text, 20_001)
    assert 20_001 - 6 < inner_size(cut) <= 20_001


@given(TEXTS, st.integers(0, 1_700), st.integers(0, 30))
def test_a_slice_begins_with_the_character_at_its_offset_and_ends_with_a_whole_one(
    text: str, offset: int, limit: int
) -> None:
    whole = text.encode()
    start = fetch_from(min(offset, len(whole)))
    data = whole[start : offset + limit]
    found = align(start, data, offset, last=offset + limit >= len(whole))
    found.data.decode()
    assert found.offset <= max(offset, start)
    assert whole[found.offset : found.offset + len(found.data)] == found.data
    if offset < len(whole) and limit >= 4:
        assert found.offset <= offset < found.offset + len(found.data)


@given(st.integers(-5, 500), st.lists(st.integers(0, 200), max_size=8))
def test_shares_never_exceed_the_room_and_serve_the_small_ones_whole(room: int, sizes: list[int]) -> None:
    given_out = shares(room, sizes)
    assert sum(given_out) <= max(0, room)
    assert all(0 <= share <= size for share, size in zip(given_out, sizes, strict=True))
    assert sum(given_out) >= min(sum(sizes), max(0, room) - len(sizes))


# ---- fitting


Shown = tuple[TaskView | Unknown, str]
ENDS = st.sampled_from([Status.COMPLETED, Status.FAILED, Status.CANCELED, Status.INTERRUPTED])


def _ended(text: str, message: str | None, status: Status) -> Shown:
    return ended(status, text.encode(), message=message), text


def _blocked(line: str) -> Shown:
    return TaskView(task(), Status.RUNNING, blocks=(Block(BlockKind.QUESTION, "r", line, BIRTH),)), ""


def _unknown(task_id: str) -> Shown:
    return Unknown(task_id), ""


VIEWS: st.SearchStrategy[list[Shown]] = st.lists(
    st.one_of(
        st.builds(_ended, TEXTS, st.none() | TEXTS, ENDS), st.builds(_blocked, TEXTS), st.builds(_unknown, TEXTS)
    ),
    min_size=1,
    max_size=8,
)


def reports_of(views: list[Shown]) -> list[Report]:
    made: list[Report] = []
    for view, text in views:
        slice_ = TextSlice(0, text.encode()) if text else None
        made.append(report_of(view, activity=Doing("working " * 5, usage=Usage(1)), text=slice_))
    return made


@given(VIEWS, st.integers(0, 6_000))
def test_a_reply_fits_unless_ids_and_statuses_alone_do_not(views: list[Shown], max_bytes: int) -> None:
    reports = reports_of(views)
    fitted = fit(reports, max_bytes)
    least = [{"task_id": r["task_id"], "status": r["status"]} for r in reports]
    assert size(fitted) <= max(max_bytes, size(least))
    assert [(r["task_id"], r["status"]) for r in fitted] == [(r["task_id"], r["status"]) for r in least]


@given(VIEWS, st.integers(300, 6_000))
def test_what_is_left_of_a_text_is_its_beginning_and_the_rest_is_pointed_at(views: list[Shown], max_bytes: int) -> None:
    for report, (_, text) in zip(fit(reports_of(views), max_bytes), views, strict=True):
        kept = report.get("text", "")
        assert text.startswith(kept)
        if "next_offset" in report:
            assert report["next_offset"] == len(kept.encode())
        if kept != text and "message" in report:
            assert f"result_offset {len(kept.encode())}" in report["message"]


def test_nothing_is_dropped_that_has_room() -> None:
    reports = reports_of([(ended(text=b"abc"), "abc"), (TaskView(task(), Status.RUNNING), "")])
    assert fit(reports, MOST_BYTES) == reports
    assert fit(reports, size(reports)) == reports


def test_things_are_dropped_in_the_contracts_order() -> None:
    view = ended(Status.FAILED, b"t" * 500, message="m" * 300, usage=Usage(1, 2), code=Code.SUBAGENT_ERROR)
    report = report_of(view, text=TextSlice(0, b"t" * 500)) | {
        "activity": {"line": "l" * 50, "at": "x", "tool_calls": 1}
    }
    seen: list[tuple[bool, ...]] = []
    for max_bytes in range(1_700, 0, -1):
        (cut,) = fit([report], max_bytes)
        state = (
            len(cut.get("text", "")) == 500,
            "text" in cut,
            "activity" in cut,
            "usage" in cut,
            "message" in cut,
            "error_code" in cut,
            "status" in cut,
        )
        if not seen or seen[-1] != state:
            seen.append(state)
    # A dropped key may make room for some text again; each key but the text goes once, in this order.
    order = [next(n for n, state in enumerate(seen) if not state[key]) for key in (0, 2, 3, 4, 5)]
    assert order == sorted(order)
    assert len(set(order)) == len(order)
    assert all(state[-1] for state in seen)
    for key in range(2, 7):
        gone = [state[key] for state in seen]
        assert gone == sorted(gone, reverse=True)


def test_a_long_message_loses_its_middle_and_keeps_cause_and_advice() -> None:
    view = ended(Status.CANCELED, message="cause: " + "x" * 20_000)
    (cut,) = fit([report_of(view)], 2_000)
    assert cut["message"].startswith("cause: ")
    assert cut["message"].endswith(RESUME)
    assert size([cut]) <= 2_000


def test_bytes_worth_fetching_leave_room_for_the_rest_of_the_reply() -> None:
    """Less would be wasted room, more would be fetched to be cut."""
    text = b"x" * 20_000
    blank = [report_of(ended(text=text)), report_of(ended(text=b"short"))]
    given_out = text_shares(blank, 9_000, [len(text), 5])
    assert given_out[1] == 5
    filled = fit([blank[0] | {"text": "x" * given_out[0], "text_offset": 0}, blank[1]], 9_000)
    assert len(filled[0]["text"]) == given_out[0]
    assert 8_800 < size(filled) <= 9_000


def test_several_texts_share_the_room_and_short_ones_stay_whole() -> None:
    views: list[Shown] = [(ended(text=b"short"), "short")]
    views += [(ended(text=b"l" * 20_000), "l" * 20_000) for _ in range(2)]
    fitted = fit(reports_of(views), 9_000)
    assert fitted[0]["text"] == "short"
    assert abs(len(fitted[1]["text"]) - len(fitted[2]["text"])) <= 1
    assert 8_700 < size(fitted) <= 9_000


def read_whole(text: str, max_bytes: int, start: int = 0) -> tuple[str, int]:
    """Read on by `next_offset`, as a model would; the text and the number of replies."""
    whole, view, got, offset, replies = text.encode(), ended(text=text.encode()), "", start, 0
    while offset is not None and offset < len(whole):
        blank = report_of(view)
        (share,) = text_shares([blank], max_bytes, [text_size(view) - offset], keep_text=True)
        begin = fetch_from(offset)
        data = whole[begin : offset + share + 8]
        found = align(begin, data, offset, last=begin + len(data) >= len(whole))
        (report,) = fit([report_of(view, text=found)], max_bytes, keep_text=True)
        assert size([report]) <= max_bytes
        got += report["text"]
        replies += 1
        assert report.get("next_offset", len(whole)) > offset
        offset = report.get("next_offset")
    return got, replies


@given(TEXTS, st.integers(350, 3_000))
def test_slices_one_after_the_other_are_the_whole_text(text: str, max_bytes: int) -> None:
    assert read_whole(text, max_bytes)[0] == text


def test_a_large_text_is_read_whole_at_the_default_size() -> None:
    text = "Zeile ä日🙂\n" * 30_000
    got, replies = read_whole(text, 9_000)
    assert got == text
    assert replies < len(text.encode()) // 7_000


@given(TEXTS, st.integers(0, 1_600))
def test_reading_from_any_offset_gives_the_rest_from_a_whole_character_on(text: str, offset: int) -> None:
    got, _ = read_whole(text, 2_000, offset)
    whole = text.encode()
    if offset < len(whole):
        assert text.endswith(got)
        assert len(whole) - offset <= len(got.encode()) <= len(whole) - offset + 3


def test_very_many_ids_leave_room_for_nothing_else() -> None:
    views = [ended(task_id=f"demo-look-around-{n:012d}") for n in range(1_000)]
    ids = [view.record.task_id for view in views]
    assert only_ids_fit(ids, 9_000)
    assert not only_ids_fit(ids, MOST_BYTES)
    assert not only_ids_fit(ids[:10], 9_000)
    assert bare(views[0]) == {"task_id": ids[0], "status": "completed"}
