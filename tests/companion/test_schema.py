"""`tool_schema.json`: plain, complete, and listed with the agents of the moment (contract 4)."""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from companion import schema
from companion.schema import BUILT_IN_AGENTS, GROUPS, Toolbox, fallback_agents

TOOLS: list[dict[str, Any]] = schema.load()
BY_NAME = {tool["name"]: tool for tool in TOOLS}
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
ANNOTATIONS = {
    "delegate_to_agent": "FFFT",
    "get_delegation_status": "TFTF",
    "cancel_delegation": "FTTF",
    "resume_delegation": "FFTT",
    "ask_user_question": "TFFF",
    "check_user_feedback": "FFFF",
}


def schemas(value: Any) -> list[dict[str, Any]]:
    """Every schema within a schema."""
    found = [value]
    for inner in value.get("properties", {}).values():
        found += schemas(inner)
    if "items" in value:
        found += schemas(value["items"])
    return found


def test_the_file_at_the_root_is_what_is_loaded() -> None:
    root = Path(schema.__file__).parent.parent / "tool_schema.json"
    assert json.loads(root.read_text(encoding="utf-8")) == TOOLS


def test_all_six_tools_are_there_in_order() -> None:
    assert list(BY_NAME) == list(ANNOTATIONS)


@pytest.mark.parametrize("name", ANNOTATIONS)
def test_a_tool_has_all_that_the_model_sees(name: str) -> None:
    tool = BY_NAME[name]
    assert set(tool) - {"_meta"} == {"name", "title", "description", "inputSchema", "outputSchema", "annotations"}
    assert tool["title"]
    assert len(tool["description"]) < 800


def test_claude_code_may_show_its_model_a_long_result_whole_where_that_was_asked_for() -> None:
    """Above 50,000 characters it shows two thousand and a file otherwise; 500,000 is the most it takes (measured)."""
    given = {name: tool["_meta"] for name, tool in BY_NAME.items() if "_meta" in tool}
    assert given == {"get_delegation_status": {"anthropic/maxResultSizeChars": 500_000}}


@pytest.mark.parametrize(("name", "flags"), ANNOTATIONS.items())
def test_all_four_annotations_are_those_of_the_contract(name: str, flags: str) -> None:
    assert BY_NAME[name]["annotations"] == {hint: flag == "T" for hint, flag in zip(HINTS, flags, strict=True)}


@pytest.mark.parametrize("name", ANNOTATIONS)
def test_schemas_are_plain(name: str) -> None:
    for root in (BY_NAME[name]["inputSchema"], BY_NAME[name]["outputSchema"]):
        jsonschema.Draft202012Validator.check_schema(root)
        assert root["type"] == "object"
        text = json.dumps(root)
        for word in ("$ref", "$defs", "anyOf", "oneOf", "allOf"):
            assert f'"{word}"' not in text
        for inner in schemas(root):
            assert isinstance(inner["type"], str)
            assert inner["type"] != "array" or "items" in inner


def test_every_built_in_agent_is_in_the_file_too() -> None:
    agent_type = BY_NAME["delegate_to_agent"]["inputSchema"]["properties"]["agent_type"]
    assert agent_type["enum"] == list(BUILT_IN_AGENTS)


def test_descriptions_teach_what_the_model_must_know() -> None:
    text = " ".join(tool["description"] for tool in TOOLS)
    for lesson in (
        "self-contained",
        "@Agent",
        "wait_ms 0",
        "Do not narrate",
        "blocked_on",
        "checkpoints",
        "never assume",
    ):
        assert lesson in text


def test_without_a_host_disabled_agents_go_and_custom_ones_come_last_once() -> None:
    found = fallback_agents(["custom:a", "codex", "custom:a"], ["gemini", "nobody"])
    assert found == (*[name for name in BUILT_IN_AGENTS if name != "gemini"], "custom:a")


def listed(toolbox: Toolbox, tail: bytes = b"") -> dict[str, Any]:
    return json.loads(toolbox.listing(tail))


def test_the_listing_shows_the_agents_of_the_moment_and_is_made_once_per_change() -> None:
    toolbox = Toolbox(TOOLS, GROUPS, ["codex"])
    assert listed(toolbox)["tools"][0]["inputSchema"]["properties"]["agent_type"]["enum"] == ["codex"]
    assert toolbox.listing(b"") is toolbox.listing(b"")
    assert not toolbox.update(["codex"], GROUPS)
    assert toolbox.update(["demo", "custom:x"], GROUPS)
    assert listed(toolbox)["tools"][0]["inputSchema"]["properties"]["agent_type"]["enum"] == ["demo", "custom:x"]
    assert BY_NAME["delegate_to_agent"]["inputSchema"]["properties"]["agent_type"]["enum"] == list(BUILT_IN_AGENTS)


def test_no_agents_at_all_leaves_no_empty_enum() -> None:
    toolbox = Toolbox(TOOLS, GROUPS, [])
    assert "enum" not in listed(toolbox)["tools"][0]["inputSchema"]["properties"]["agent_type"]


@pytest.mark.parametrize(
    ("groups", "names"),
    [
        ((), []),
        (("ask",), ["ask_user_question"]),
        (("feedback",), ["check_user_feedback"]),
        (("delegation",), list(ANNOTATIONS)[:4]),
        (GROUPS, list(ANNOTATIONS)),
    ],
)
def test_a_tool_of_an_absent_group_is_neither_listed_nor_there(groups: tuple[str, ...], names: list[str]) -> None:
    toolbox = Toolbox(TOOLS, groups, ["codex"])
    assert [tool["name"] for tool in listed(toolbox)["tools"]] == names
    assert list(toolbox.tools) == names


def test_a_group_that_the_host_withholds_is_not_listed_but_still_callable() -> None:
    toolbox = Toolbox(TOOLS, GROUPS, ["codex"])
    assert toolbox.update(["codex"], ["ask"])
    assert [tool["name"] for tool in listed(toolbox)["tools"]] == ["ask_user_question"]
    assert "delegate_to_agent" in toolbox.tools


@pytest.mark.parametrize("content", [None, b"", b"{}", b'[{"name":"other","inputSchema":{}}]', b"[1]"])
def test_a_broken_package_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    package = tmp_path / "companion"
    package.mkdir()
    if content is not None:
        (package / "tool_schema.json").write_bytes(content)
    monkeypatch.setattr(schema, "__file__", os.fspath(package / "schema.py"))
    with pytest.raises(schema.SchemaBroken, match="tool_schema"):
        schema.load()


def test_a_wheel_has_the_file_beside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "companion"
    package.mkdir()
    (package / "tool_schema.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    monkeypatch.setattr(schema, "__file__", os.fspath(package / "schema.py"))
    assert schema.load() == TOOLS
