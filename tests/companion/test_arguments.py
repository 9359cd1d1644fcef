"""What is accepted as an argument, and how a mistake is named (B39)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import schema
from companion.arguments import Wrong, check

TOOLS = {tool["name"]: tool["inputSchema"] for tool in schema.load()}
QUESTION = {"question": "Which?", "header": "Choice", "options": [{"label": "a"}, {"label": "b"}]}


@pytest.mark.parametrize(
    ("tool", "given", "found"),
    [
        ("get_delegation_status", {"task_ids": ["a"]}, {"task_ids": ["a"]}),
        ("get_delegation_status", {"task_ids": '["a","b"]'}, {"task_ids": ["a", "b"]}),
        ("get_delegation_status", {"task_ids": "a"}, {"task_ids": ["a"]}),
        ("get_delegation_status", {"task_ids": '"a"'}, {"task_ids": ["a"]}),
        ("get_delegation_status", {"task_ids": "42"}, {"task_ids": ["42"]}),
        ("get_delegation_status", {"task_ids": ["a"], "wait_ms": "3000"}, {"task_ids": ["a"], "wait_ms": 3000}),
        ("get_delegation_status", {"task_ids": ["a"], "wait_ms": 3000.0}, {"task_ids": ["a"], "wait_ms": 3000}),
        ("get_delegation_status", {"task_ids": ["a"], "wait_ms": " -1 "}, {"task_ids": ["a"], "wait_ms": -1}),
        ("get_delegation_status", {"task_ids": ["a"], "wait_ms": 10**12}, {"task_ids": ["a"], "wait_ms": 10**12}),
        ("get_delegation_status", {"task_ids": ["a"], "wait_ms": None}, {"task_ids": ["a"]}),
        ("get_delegation_status", {"task_ids": ["a"], "extra": {"x": 1}}, {"task_ids": ["a"]}),
        ("get_delegation_status", '{"task_ids":["a"]}', {"task_ids": ["a"]}),
        ("delegate_to_agent", {"agent_type": "anything", "task": "42"}, {"agent_type": "anything", "task": "42"}),
        ("delegate_to_agent", {"agent_type": "x", "task": "t", "working_dir": None}, {"agent_type": "x", "task": "t"}),
        ("ask_user_question", {"questions": [QUESTION]}, {"questions": [QUESTION]}),
        (
            "ask_user_question",
            {"questions": [{**QUESTION, "multiSelect": "true"}]},
            {"questions": [{**QUESTION, "multiSelect": True}]},
        ),
        ("check_user_feedback", None, {}),
        ("check_user_feedback", {}, {}),
    ],
)
def test_what_is_unambiguous_is_accepted(tool: str, given: Any, found: Any) -> None:
    assert check(TOOLS[tool], given) == found


def test_questions_may_come_as_one_json_text() -> None:
    text = '[{"question":"Which?","header":"Choice","options":"[{\\"label\\":\\"a\\"},{\\"label\\":\\"b\\"}]"}]'
    assert check(TOOLS["ask_user_question"], {"questions": text}) == {"questions": [QUESTION]}


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("get_delegation_status", {}, ["task_ids", "required", "list of 1 to 1000 texts"]),
        ("get_delegation_status", {"taskIds": ["a"]}, ["task_ids", "you sent", "taskIds"]),
        ("get_delegation_status", {"task_id": "a"}, ["task_ids", "you sent", "task_id"]),
        ("get_delegation_status", {"task_ids": []}, ["task_ids", "1 to 1000", "[]"]),
        ("get_delegation_status", {"task_ids": ["a", 5]}, ["task_ids[1]", "a text", "the number 5"]),
        ("get_delegation_status", {"task_ids": ["a"], "wait_ms": "soon"}, ["wait_ms", "whole number", '"soon"']),
        ("get_delegation_status", {"task_ids": ["a"], "wait_ms": True}, ["wait_ms", "whole number", "true"]),
        ("get_delegation_status", {"task_ids": ["a"], "wait_ms": 1.5}, ["wait_ms", "1.5"]),
        ("get_delegation_status", {"task_ids": ["a"], "result_offset": -1}, ["result_offset", "from 0 up", "-1"]),
        ("get_delegation_status", {"task_ids": ["a"] * 1001}, ["task_ids", "1 to 1000"]),
        ("get_delegation_status", [1], ["must be an object", "the list [1]"]),
        ("get_delegation_status", "no json", ["must be an object", "no json"]),
        ("delegate_to_agent", {"agent_type": "x"}, ["task", "required"]),
        ("delegate_to_agent", {"agent_type": "x", "task": "   "}, ["task", "not empty"]),
        ("delegate_to_agent", {"agent_type": 5, "task": "t"}, ["agent_type", "a text", "the number 5"]),
        ("ask_user_question", {"questions": [{**QUESTION, "header": "thirteen char"}]}, ["questions[0].header", "12"]),
        ("ask_user_question", {"questions": [QUESTION] * 5}, ["questions", "1 to 4 objects"]),
        ("ask_user_question", {"questions": [{**QUESTION, "options": [{"label": "a"}]}]}, ["options", "2 to 4"]),
        ("ask_user_question", {"questions": [{**QUESTION, "multiSelect": "maybe"}]}, ["multiSelect", "true or false"]),
        ("cancel_delegation", {"task_id": ""}, ["task_id", "not empty"]),
        ("cancel_delegation", {"task_id": None}, ["task_id", "required"]),
    ],
)  # fmt: skip
def test_any_other_mistake_names_field_value_and_what_it_takes(tool: str, given: Any, words: list[str]) -> None:
    with pytest.raises(Wrong) as caught:
        check(TOOLS[tool], given)
    for word in words:
        assert word in str(caught.value)


def test_a_long_value_is_quoted_in_part() -> None:
    with pytest.raises(Wrong) as caught:
        check(TOOLS["get_delegation_status"], {"task_ids": ["a"], "wait_ms": "x" * 10_000})
    assert len(str(caught.value)) < 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["task_ids", "wait_ms", "questions", "x"]), inner),
)  # fmt: skip


@given(JSON)
def test_anything_is_either_taken_or_named_wrong(given: Any) -> None:
    for tool in TOOLS.values():
        try:
            found = check(tool, given)
        except Wrong as error:
            assert str(error).endswith(".")
        else:
            assert set(found) <= set(tool["properties"])
