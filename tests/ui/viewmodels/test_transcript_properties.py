"""However a conversation comes in, it ends as if it had been read at once; and the signals tell it whole."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtTest import QAbstractItemModelTester

from codeg.api import Entry, NoteRecord, QuestionRecord, Status
from tests.ui.making import NOW, task
from tests.ui.viewmodels.transcript_rig import ROOT, Rig, acknowledged, ask, call, delegate, entry, poll, questions
from ui.viewmodels.transcript import fold, model

Frame = list[tuple[str, int, int]]

KINDS = [
    "user",
    "message",
    "thought",
    "plan",
    "notice",
    "tool",
    "running",
    "bare",
    "poll",
    "polling",
    "hidden",
    "delegate",
    "ask",
    "feedback",
    "cancel",
]
FRAMES = st.lists(
    st.lists(
        st.tuples(
            st.sampled_from(
                [*KINDS, *["update"] * 6, "task", "matched", "note", "delivered", "question", "run", "rest"]
            ),
            st.integers(0, 9),
            st.integers(0, 3),
        ),
        max_size=5,
    ),
    max_size=25,
)
TASKS = ("Write tests", "Fix the bug")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits are reached by short conversations."""
    monkeypatch.setattr(fold, "GROUP_MOST", 5)
    monkeypatch.setattr(fold, "POLLS_MOST", 3)
    monkeypatch.setattr(model, "PAGE", 4)


def made(kind: str, seq: int, number: int, ms: int, attempt: int) -> Entry:
    more: dict[str, Any] = {"ms": ms, "attempt": attempt}
    match kind:
        case "tool":
            return call(seq, **more)
        case "running":
            return call(seq, status="in_progress", **more)
        case "bare":
            return call(seq, "", "pending", tool_kind="", **more)
        case "poll":
            return poll(seq, [f"t{number}"], **more)
        case "polling":
            return poll(seq, [f"t{number}"], "in_progress", **more)
        case "hidden":
            return poll(seq, (), "in_progress", **more)
        case "delegate":
            return delegate(seq, TASKS[number % 2], **more)
        case "ask":
            return ask(seq, "Which?" if number % 2 else "Where?", **more)
        case "feedback":
            return call(seq, "mcp__codeg__check_user_feedback", **more)
        case "cancel":
            return call(seq, "mcp__codeg__cancel_delegation", **more)
        case "plan":
            return entry(seq, "plan", plan=({"content": "a", "status": "pending"},), **more)
        case _:
            return entry(seq, kind, "text", **more)


def updated(before: Entry, number: int) -> Entry:
    if before.kind != "tool":
        return replace(before, text=before.text + str(number))
    if number == 9:
        return replace(before, status="in_progress")
    ids = [{"task_id": f"t{number % 3}", "status": "running"}]
    changes: list[dict[str, Any]] = [
        {"status": "completed", "raw_output": acknowledged(f"t{number}")},
        {"status": "completed", "raw_output": {"structuredContent": {"tasks": ids}}},
        {"status": "failed", "raw_output": "no"},
        {"status": "completed", "raw_output": {"state": "pending", "answers": []}},
    ]
    return replace(before, title=before.title or "Now named", **changes[number % 4])


class Play:
    """Carries out the drawn frames on a rig."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.seq = len(rig.pages.stored)
        self.notes: tuple[NoteRecord, ...] = ()
        self.tasks = self.asks = 0
        self.asked: dict[str, QuestionRecord] = {}
        self.attempt = 1

    def frame(self, ops: Frame) -> None:
        told: list[Any] = []
        for op, number, late in ops:
            told += self.one(op, number, late)
        self.rig.put(*told)

    def one(self, op: str, number: int, late: int) -> list[Any]:
        at = NOW + self.seq * 1000 - late * 700
        match op:
            case "update":
                stored = self.rig.pages.stored
                return [updated(stored[number % len(stored)], number)] if stored else []
            case "task" | "matched":
                self.tasks += 1
                called = f"call-{number}" if op == "matched" else ""
                view = task(f"t{self.tasks}", ROOT, TASKS[number % 2], status=Status.RUNNING, age=NOW - at)
                return [replace(view, record=replace(view.record, tool_use_id=called, by_person=late == 3))]
            case "note":
                self.notes += (NoteRecord(f"n{len(self.notes)}", ROOT, "careful", at),)
                return [self.notes]
            case "delivered":
                self.notes = tuple(replace(each, delivered_ms=at) for each in self.notes)
                return [self.notes]
            case "question":
                self.asks += 1
                name = f"q{self.asks // 2}"
                first = self.asked.setdefault(name, questions(name, ("Which?", "Where?")[number % 2], at))
                return [replace(first, state="answered" if late else "open")]
            case "run" | "rest":
                self.attempt += op == "run" and late == 3
                self.rig.run(op == "run")
                return []
            case _:
                self.seq += 1
                return [made(op, self.seq - 1, number, at, self.attempt)]


@given(frames=FRAMES)
@settings(max_examples=300, deadline=None)
def test_fed_live_it_is_as_if_read_at_once(frames: list[Frame]) -> None:
    rig = Rig()
    play = Play(rig)
    for frame in frames:
        play.frame(frame)
    assert rig.rows() == rig.afresh()


@given(stored=FRAMES, frames=FRAMES, answers=st.lists(st.integers(0, 2), max_size=25))
@settings(max_examples=200, deadline=None)
def test_pages_and_changes_may_come_in_any_order(stored: list[Frame], frames: list[Frame], answers: list[int]) -> None:
    rig = Rig(eager=False, load=False)
    play = Play(rig)
    for frame in stored:
        play.frame(frame)
    rig.model.load()
    for number, frame in enumerate(frames):
        play.frame(frame)
        for _ in range(answers[number] if number < len(answers) else 0):
            rig.pages.answer()
            rig.pages.eager = False
    rig.drain()
    rig.check()
    assert rig.rows() == rig.afresh()


@given(frames=FRAMES)
@settings(max_examples=60, deadline=None)
def test_qt_finds_nothing_wrong_with_the_model(frames: list[Frame]) -> None:
    rig = Rig()
    tester = QAbstractItemModelTester(rig.model, QAbstractItemModelTester.FailureReportingMode.Warning)
    play = Play(rig)
    for frame in frames:
        play.frame(frame)
    assert tester.model() is rig.model


@given(order=st.permutations(range(9)), kinds=st.lists(st.sampled_from(KINDS), min_size=9, max_size=9))
@settings(max_examples=100, deadline=None)
def test_entries_that_come_out_of_order_stand_in_order(order: list[int], kinds: list[str]) -> None:
    rig = Rig()
    for seq in order:
        rig.put(made(kinds[seq], seq, seq, seq * 1000, 1))
    assert rig.rows() == rig.afresh()
