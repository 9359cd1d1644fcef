"""What the person answered is read in every form that a host program hands back."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.sessions.answers import Answers, Choice, answers_of, matched


def question(text: str, header: str, *labels: str, **more: Any) -> dict[str, Any]:
    return {"question": text, "header": header, "options": [{"label": label} for label in labels], **more}


ASKED = [question("Which DB?", "DB", "SQLite", "Redis, in memory", id="q-db"), question("Deploy?", "Go", "Yes", "No")]
BOTH = (Choice(("SQLite",)), Choice((), "next week"))
OURS: dict[str, Any] = {
    "state": "answered",
    "question_id": "q-7",
    "answers": [
        {"question": "Which DB?", "header": "DB", "selected": ["SQLite"]},
        {"question": "Deploy?", "header": "Go", "selected": [], "other": "next week"},
    ],
}
WORDS = (
    "The user answered (question_id=q-7):\n1. [DB] Which DB?\n   -> SQLite\n"
    "2. [Go] Deploy?\n   -> Other (in the user's own words): next week"
)


def block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


@pytest.mark.parametrize(
    "raw",
    [
        OURS,
        {"structuredContent": OURS, "content": [block("x")]},
        {"content": [block(json.dumps(OURS))]},
        {"result": {"Ok": {"structuredContent": OURS}}},
        json.dumps(json.dumps(OURS)),
        f"Wall time: 1 s\nOutput:\n{json.dumps(OURS)}_",
        [block(json.dumps(OURS))],
        WORDS,
        {"content": [block(WORDS)]},
    ],
)
def test_our_answers_are_read_in_every_shape(raw: Any) -> None:
    assert answers_of(ASKED, raw) == Answers("answered", BOTH, "q-7")


def test_they_are_read_in_the_content_of_the_call() -> None:
    content = ({"type": "content", "content": block(WORDS)},)
    assert answers_of(ASKED, None, content) == Answers("answered", BOTH, "q-7")
    structured = ({"type": "content", "content": block(json.dumps(OURS))},)
    assert answers_of(ASKED, None, structured) == Answers("answered", BOTH, "q-7")
    assert answers_of(ASKED, None, None).state == ""


def test_answers_without_a_question_go_by_their_place() -> None:
    raw = {"answers": [{"selected": ["SQLite"]}, {"selected": ["Yes", 7]}, {"selected": ["more"]}]}
    assert answers_of(ASKED, raw).choices == (Choice(("SQLite",)), Choice(("Yes",)))
    odd = {"answers": [{"question": "Another?", "selected": ["x"]}]}
    assert answers_of(ASKED, odd).choices == (Choice(), Choice())


@pytest.mark.parametrize(
    "raw",
    [
        {"answers": [], "declined": True},
        {"state": "declined", "answers": []},
        {"answers": {}},
        "The user dismissed the question without an answer (question_id=q-7). Go on by your own judgement, or stop.",
    ],
)
def test_a_dismissal_is_read(raw: Any) -> None:
    found = answers_of(ASKED, raw)
    assert found.state == "declined"
    assert found.choices == (Choice(), Choice())


def test_what_is_still_open_or_withdrawn_is_told_apart() -> None:
    words = "Nobody has answered yet (question_id=q-7). The question stays open: do not assume an answer."
    assert answers_of(ASKED, words) == Answers("pending", (Choice(), Choice()), "q-7")
    gone = "The question was withdrawn before anybody answered it (question_id=q-7)."
    assert answers_of(ASKED, gone) == Answers("withdrawn", (Choice(), Choice()), "q-7")
    assert answers_of(ASKED, {"state": "pending", "question_id": "q-7", "answers": []}).state == "pending"


def test_native_forms_of_host_programs_are_read() -> None:
    codex = {"answers": {"q-db": {"answers": ["SQLite"]}, "q2": {"answers": ["next week"]}}}
    assert answers_of(ASKED, codex) == Answers("answered", BOTH)
    kimi = {"answers": {"Which DB?": "Redis, in memory, SQLite", "Deploy?": ""}}
    assert answers_of(ASKED, kimi).choices == (Choice(("Redis, in memory", "SQLite")), Choice())
    lists = {"answers": {"DB": ["SQLite", "both"], "Deploy?": 7}}
    assert answers_of(ASKED, lists).choices == (Choice(("SQLite",), "both"), Choice())


def test_text_alone_must_fit_the_questions() -> None:
    assert answers_of(ASKED, "1. Which DB?\n → SQLite\n2. Deploy?\n → (no selection)").choices == (
        Choice(("SQLite",)),
        Choice(),
    )
    assert answers_of(ASKED, "1. Which DB?\n   -> SQLite").state == ""
    assert answers_of(ASKED, "1. Which DB?\n2. Deploy?").state == ""
    assert answers_of([], "1. Which DB?\n   -> SQLite").state == ""
    assert answers_of(ASKED, "2. Deploy?\n1. Which DB?").state == ""


def test_both_a_choice_and_own_words() -> None:
    said = "1. Which DB?\n -> SQLite; Other (in the user's own words): and, a file\n2. Deploy?\n -> (nothing chosen)"
    assert answers_of(ASKED, said).choices == (Choice(("SQLite",), "and, a file"), Choice())


def test_unknown_shapes_tell_nothing() -> None:
    shapes: list[Any] = [None, {}, [], "words", {"answers": "yes"}, {"state": "odd"}]
    for raw in shapes:
        assert answers_of(ASKED, raw) == Answers("", (Choice(), Choice()))


def test_labels_are_matched_whole_and_the_longest_first() -> None:
    labels = ["Redis", "Redis, in memory", "SQLite", ""]
    assert matched("Redis, in memory, SQLite", labels) == Choice(("Redis, in memory", "SQLite"))
    assert matched("Redis, SQLite", labels) == Choice(("Redis", "SQLite"))
    assert matched("Rediska, SQLite, my own", labels) == Choice(("SQLite",), "Rediska, my own")
    assert matched("  ", labels) == Choice()


@given(st.lists(st.sampled_from(["A", "B, b", "B", "C (Recommended)", "d;e"]), unique=True))
def test_any_choice_of_labels_is_found_again(chosen: list[str]) -> None:
    labels = ["A", "B, b", "B", "C (Recommended)", "d;e"]
    assert matched(", ".join(chosen), labels) == Choice(tuple(chosen))


@given(st.text(max_size=60), st.lists(st.text(max_size=6), max_size=3))
def test_matching_ends_and_loses_no_word(given_text: str, labels: list[str]) -> None:
    found = matched(given_text, labels)
    assert set(found.selected) <= set(labels)
    assert set(found.other.replace(", ", "")) <= set(given_text) | {","}
