"""Questions as one flat form, and what a person filled in as answers."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import ElicitRequestFormParams

from codeg.runtime.asking import checked_answers
from codeg.runtime.services import UserError
from companion import elicitation

ONE: dict[str, Any] = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": ""}],
}
MANY: dict[str, Any] = {
    "question": "Which sizes?",
    "header": "Sizes",
    "multiSelect": True,
    "options": [{"label": "S", "description": ""}, {"label": "Other", "description": "the odd ones"}],
}


def read(*questions: dict[str, Any], **content: Any) -> list[dict[str, Any]] | None:
    found = elicitation.answers(questions, content)
    return None if found is None else [dict(item) for item in checked_answers(questions, found)]


def test_a_form_has_a_field_for_each_question_and_one_for_free_text() -> None:
    shape = elicitation.form([ONE, MANY], "", plain=False)
    schema = shape["requestedSchema"]
    assert shape["mode"] == "form"
    assert (schema["type"], schema["required"]) == ("object", ["q1"])
    assert list(schema["properties"]) == ["q1", "q1_other", "q2", "q2_other"]
    one, many = schema["properties"]["q1"], schema["properties"]["q2"]
    assert one["oneOf"] == [{"const": name, "title": name} for name in ("Red", "Blue", "Other")]
    assert (one["title"], one["description"]) == ("Colour", "Which colour?")
    assert [choice["const"] for choice in many["items"]["anyOf"]] == ["S", "Other", "Other (my own words)"]
    for fact in ("Which colour?", "[Sizes]", "Red: warm", "- Blue", "the odd ones"):
        assert fact in shape["message"]
    assert elicitation.form([ONE], "Once more.", plain=False)["message"].startswith("Once more.\n")


def test_by_the_rules_of_2025_06_18_it_has_neither_lists_nor_titled_choices() -> None:
    shape = elicitation.form([ONE, MANY], "", plain=True)
    properties = shape["requestedSchema"]["properties"]
    assert "mode" not in shape
    assert properties["q1"]["enum"] == properties["q1"]["enumNames"] == ["Red", "Blue", "Other"]
    assert [name for name in properties if properties[name]["type"] == "boolean"] == ["q2_1", "q2_2"]
    assert properties["q2_2"]["title"] == "Sizes: Other"


@pytest.mark.parametrize("plain", [True, False])
def test_the_form_is_what_the_official_sdk_takes(plain: bool) -> None:
    shape = elicitation.form([ONE, MANY], "", plain=plain)
    ElicitRequestFormParams.model_validate(shape)
    schema = shape["requestedSchema"]
    for field in schema["properties"].values():
        assert field["type"] in ("string", "boolean", "array")
        assert field["title"]
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    ("content", "answers"),
    [
        ({"q1": "Red"}, {"selected": ["Red"]}),
        ({"q1": "Red", "q1_other": "  "}, {"selected": ["Red"]}),
        ({"q1": "Other", "q1_other": " green "}, {"selected": [], "other": "green"}),
        ({"q1_other": "green"}, {"selected": [], "other": "green"}),
        # What was written beside a choice is not lost.
        ({"q1": "Red", "q1_other": "a dark one"}, {"selected": [], "other": "Red: a dark one"}),
        ({"q1": "Other"}, None),
        ({"q1": "Green"}, None),
        ({"q1": ["Red"]}, None),
        ({"q1": 1, "q1_other": 2}, None),
        ({}, None),
    ],
)
def test_a_single_choice_is_one_label_or_free_text(content: dict[str, Any], answers: dict[str, Any] | None) -> None:
    expected = None if answers is None else [{"question": "Which colour?", "header": "Colour", **answers}]
    assert read(ONE, **content) == expected


@pytest.mark.parametrize(
    ("content", "answers"),
    [
        ({"q1": ["Other", "S"]}, {"selected": ["S", "Other"]}),
        ({"q1_1": True, "q1_2": False}, {"selected": ["S"]}),
        ({"q1": ["S", "Other (my own words)"], "q1_other": "XL"}, {"selected": ["S"], "other": "XL"}),
        ({"q1": ["S", "Other (my own words)"]}, {"selected": ["S"]}),
        ({"q1": []}, {"selected": []}),
        ({"q1": "S", "q1_1": "yes"}, {"selected": []}),
        ({"q1": ["Other (my own words)"]}, None),
    ],
)
def test_a_multiple_choice_is_any_labels_and_free_text(content: dict[str, Any], answers: dict[str, Any] | None) -> None:
    expected = None if answers is None else [{"question": "Which sizes?", "header": "Sizes", **answers}]
    assert read(MANY, **content) == expected


VALUES = st.one_of(st.none(), st.booleans(), st.text(max_size=9), st.lists(st.sampled_from(["S", "Other", "x"])))


@given(st.dictionaries(st.sampled_from(["q1", "q1_other", "q1_1", "q2", "q2_other", "q2_1", "q2_2"]), VALUES))
def test_whatever_comes_back_is_read_as_answers_that_the_host_takes_or_not_at_all(content: dict[str, Any]) -> None:
    try:
        found = read(ONE, MANY, **content)
    except UserError as error:
        raise AssertionError(error.message) from None
    assert found is None or [answer["question"] for answer in found] == ["Which colour?", "Which sizes?"]


@pytest.mark.parametrize("content", [None, 5, [], "x"])
def test_a_form_without_content_has_no_answers(content: Any) -> None:
    assert elicitation.answers([ONE], content) is None


@pytest.mark.parametrize(
    "value",
    [
        None,
        5,
        [5],
        [{}],
        [ONE, {}],
        [{**ONE, "options": []}],
        [{**ONE, "options": [{"label": 5}]}],
        [{**ONE, "header": 1}],
    ],
)
def test_what_is_no_copy_of_questions_is_none(value: Any) -> None:
    assert elicitation.questions_in(value) == []


def test_the_hosts_copy_of_questions_is_taken_as_it_is() -> None:
    assert elicitation.questions_in([ONE, MANY]) == [ONE, MANY]
