"""Which tool call is one of ours, in every style that host programs have."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.sessions.recognise import DelegationKey, delegation_key, recognise, tool_named

ARGUMENTS = {"agent_type": "codex", "task": "Count TODO markers"}


@pytest.mark.parametrize(
    "name",
    [
        "delegate_to_agent",
        "Delegate_To_Agent",
        "delegate to agent",
        "delegate-to-agent",
        "mcp__codeg__delegate_to_agent",
        "mcp__codeg-mcp__delegate_to_agent",
        "codeg__delegate_to_agent",
        "codeg_delegate_to_agent",
        "codeg/delegate_to_agent",
        "codeg:delegate_to_agent",
        "codeg.delegate_to_agent",
        "mcp.codeg.delegate_to_agent",
        "Tool: codeg/delegate_to_agent",
        "MCP Tool: codeg/delegate_to_agent",
        "delegate_to_agent (codeg MCP Server)",
        "delegate_to_agent (codeg-mcp MCP server)",
    ],
)
def test_a_name_in_any_prefix_style_is_recognised(name: str) -> None:
    assert tool_named(name) == "delegate_to_agent"
    found = recognise(name, ARGUMENTS)
    assert found is not None
    assert (found.tool, found.arguments) == ("delegate_to_agent", ARGUMENTS)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "predelegate_to_agent",
        "delegate_to_agents",
        "grep delegate_to_agent",
        "rg -n delegate_to_agent src",
        "/src/delegate_to_agent",
        "./delegate_to_agent",
        "_delegate_to_agent",
        "delegate",
        "agent",
        "x" * 500 + "_delegate_to_agent",
    ],
)
def test_other_names_are_not(name: str) -> None:
    assert tool_named(name) is None
    assert recognise(name, {"command": "ls"}) is None


@pytest.mark.parametrize(
    "tool",
    ["get_delegation_status", "cancel_delegation", "resume_delegation", "ask_user_question", "check_user_feedback"],
)
def test_each_of_our_tools_is_known(tool: str) -> None:
    found = recognise(f"mcp__codeg__{tool}")
    assert found is not None
    assert (found.tool, found.arguments) == (tool, {})


@pytest.mark.parametrize(
    "meta",
    [
        {"claudeCode": {"toolName": "mcp__codeg__delegate_to_agent"}},
        {"qoder": {"toolName": "mcp__codeg__delegate_to_agent"}},
        {"x.ai/tool": {"name": "codeg__delegate_to_agent", "kind": "other"}},
        {"toolName": "mcp__codeg__delegate_to_agent"},
    ],
)
def test_a_name_hidden_in_meta_is_recognised_whatever_the_title(meta: dict[str, Any]) -> None:
    found = recognise("doing something", ARGUMENTS, meta=meta)
    assert found is not None
    assert found.tool == "delegate_to_agent"


def test_the_wrapper_of_grok_is_no_name() -> None:
    assert recognise("x", {}, meta={"x.ai/tool": {"name": "use_tool"}}) is None


@pytest.mark.parametrize(
    "raw",
    [
        ARGUMENTS,
        {"name": "delegate_to_agent", "arguments": ARGUMENTS},
        {"arguments": json.dumps(ARGUMENTS)},
        json.dumps(ARGUMENTS),
        json.dumps(json.dumps(ARGUMENTS)),
        {"params": ARGUMENTS},
        {"input": ARGUMENTS},
        {"payload": {"arguments": ARGUMENTS}},
        {"providerIdentifier": "codeg", "toolName": "delegate_to_agent", "args": ARGUMENTS},
        {"server": "codeg", "tool": "delegate_to_agent", "arguments": ARGUMENTS},
        {"tool_name": "codeg__delegate_to_agent", "tool_input": ARGUMENTS},
        {"toolName": "delegate_to_agent", "params": ARGUMENTS},
        {"ServerName": "codeg", "ToolName": "delegate_to_agent", "Arguments": ARGUMENTS},
    ],
)
def test_arguments_are_peeled_out_of_every_envelope(raw: Any) -> None:
    found = recognise("mcp__codeg__delegate_to_agent", raw)
    assert found is not None
    assert delegation_key(found.arguments) == DelegationKey("codex", "Count TODO markers", None)
    by_input_alone = recognise("MCP call", raw)
    assert by_input_alone is not None
    assert by_input_alone.arguments == ARGUMENTS


def test_the_outermost_arguments_win() -> None:
    raw = {"agent_type": "pi", "task": "outer", "arguments": {"agent_type": "codex", "task": "inner"}}
    found = recognise("delegate_to_agent", raw)
    assert found is not None
    assert found.arguments["task"] == "outer"


def test_four_envelopes_are_peeled_and_not_five() -> None:
    nested: Any = ARGUMENTS
    for _ in range(4):
        nested = {"params": nested}
    found = recognise("delegate_to_agent", nested)
    assert found is not None
    assert found.arguments == ARGUMENTS
    deeper = recognise("delegate_to_agent", {"params": nested})
    assert deeper is not None
    assert deeper.arguments == {}


@pytest.mark.parametrize("raw", [None, {}, "", "{broken", 5, [], {"arguments": None}, "[1]", '"' * 50, "{" * 5000])
def test_input_that_is_not_told_yet_reads_as_empty(raw: Any) -> None:
    found = recognise("mcp__codeg__delegate_to_agent", raw)
    assert found is not None
    assert found.arguments == {}
    assert delegation_key(found.arguments) == DelegationKey(None, None, None)


def test_an_explicit_folder_is_part_of_the_key_even_when_it_is_empty() -> None:
    assert delegation_key({**ARGUMENTS, "working_dir": "/w"}).explicit_dir == "/w"
    assert delegation_key({**ARGUMENTS, "working_dir": ""}).explicit_dir == ""
    assert delegation_key({"agent_type": 1, "task": None, "working_dir": None}) == DelegationKey(None, None, None)


def test_a_task_that_looks_like_an_envelope_is_left_alone() -> None:
    arguments = {"agent_type": "codex", "task": '{"agent_type":"pi","task":"no"}'}
    found = recognise("delegate_to_agent", arguments)
    assert found is not None
    assert found.arguments == arguments


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "arguments", "params", "input", "task", "toolName", "x"]), inner)
    ),
    max_leaves=10,
)


@given(st.text(max_size=40), JSON, st.text(max_size=20), JSON)
def test_nothing_whatever_makes_it_raise(title: str, raw: Any, name: str, meta: Any) -> None:
    found = recognise(title, raw, name=name, meta=meta)
    assert found is None or isinstance(found.arguments, dict)
