"""What waits for the person is read from the host's form, however odd, and answered in it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.making import NOW, SECOND, ask
from ui.viewmodels.asks import Ask, AskOption, Choice, Picked, Question, answers_of, ask_of


def test_a_permission_is_read() -> None:
    shown = ask("r1", "permission", "s1", "Run ls", 5 * SECOND, task_id="t1")
    found = ask_of(shown)
    assert (found.request_id, found.kind, found.session_id, found.title) == ("r1", "permission", "s1", "Run ls")
    assert (found.since_ms, found.task_id) == (NOW - 5 * SECOND, "t1")
    assert found.options[0] == AskOption("once", "Allow once", "allow_once")
    assert found.questions == ()


def test_questions_are_read() -> None:
    asked = {
        "question": "Which?",
        "header": "DB",
        "multiSelect": True,
        "options": [{"label": "SQLite", "description": "a file"}, {"label": "Redis"}],
    }
    found = ask_of(ask("r1", "question", "s1", "Which?", SECOND, questions=[asked]))
    assert found.kind == "question"
    assert found.questions == (Question("Which?", "DB", (Choice("SQLite", "a file"), Choice("Redis")), many=True),)


def test_answers_are_told_as_the_host_takes_them() -> None:
    picked = (Picked("Which?", ("SQLite",)), Picked("Where?", (), "here"))
    assert answers_of(picked) == [
        {"question": "Which?", "selected": ["SQLite"]},
        {"question": "Where?", "selected": [], "other": "here"},
    ]


@pytest.mark.parametrize(
    "shown",
    [
        {},
        {"kind": "new", "since": "yesterday", "options": None, "questions": 7},
        {"options": [7, None, {"id": 3}], "questions": ["x", {"options": "none", "multiSelect": "yes"}]},
        {"since": 7, "task_id": 9, "title": None},
        {"since": "2026-01-01T00:00:00Z" * 2},
    ],
)
def test_odd_input_does_not_raise(shown: dict[str, Any]) -> None:
    found = ask_of(shown)
    assert isinstance(found, Ask)
    assert found.kind == "permission"
    assert isinstance(found.title, str)


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "label", "options"]), inner),
    max_leaves=6,
)
NAMES = st.sampled_from(["request_id", "kind", "session_id", "title", "since", "task_id", "options", "questions"])


@given(st.dictionaries(NAMES, ODD))
def test_nothing_raises(shown: dict[str, Any]) -> None:
    found = ask_of(shown)
    assert all(isinstance(option.name, str) for option in found.options)
    assert found.task_id is None or isinstance(found.task_id, str)
