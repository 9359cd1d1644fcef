"""Which tool call of an agent's thread is one of our tools, and with which arguments.

Host programs announce the same tool under many names and wrap its arguments in many envelopes. Owns the rules that
see through them; pure, never raises. It never decides which task a call belongs to (the ledger matches by agent, task
and explicit folder).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from codeg.sessions.quirks import claude, grok, qoder, qwen
from codeg.sessions.reading import from_json, mapping, text
from codeg.sessions.types import Json

Tool = Literal[
    "delegate_to_agent",
    "get_delegation_status",
    "cancel_delegation",
    "resume_delegation",
    "ask_user_question",
    "check_user_feedback",
]
TOOLS: tuple[Tool, ...] = get_args(Tool)
MAX_DEPTH = 4
"""Envelopes peeled, one inside the other; a string that holds JSON counts as one."""

_ENVELOPES = ("arguments", "Arguments", "args", "input", "tool_input", "params", "payload", "_meta")
_NAME_KEYS = ("name", "tool", "toolName", "tool_name", "ToolName")
_OWN_KEYS: dict[Tool, tuple[str, ...]] = {
    "delegate_to_agent": ("agent_type", "task", "working_dir"),
    "get_delegation_status": ("task_ids", "task_id"),
    "cancel_delegation": ("task_id",),
    "resume_delegation": ("task_id",),
    "ask_user_question": ("questions", "question_id"),
    "check_user_feedback": (),
}
_NAMERS = (claude.tool_name, qoder.tool_name, grok.tool_name, qwen.tool_name)
_SERVER_TAIL = re.compile(r"\s*\([^()]*\bMCP Server\)\s*$", re.IGNORECASE)
_TITLE_HEAD = re.compile(r"^\s*(?:mcp\s+)?tool\s*:\s*", re.IGNORECASE)
_MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class OwnToolCall:
    """One of our tools was called. `arguments` is empty while the agent has not told them yet."""

    tool: Tool
    arguments: Json


@dataclass(frozen=True, slots=True)
class DelegationKey:
    """What a delegation is matched by; None = not told. `explicit_dir`: the folder, when the caller gave one."""

    agent_type: str | None
    task_text: str | None
    explicit_dir: str | None


def tool_named(name: str) -> Tool | None:
    """The tool of ours that this name or title means, whatever prefix style its host uses.

    A prefix is a run without spaces that ends in a character that is no letter or digit (`mcp__codeg__`, `codeg/`,
    `mcp.codeg.`); a title may read `Tool: codeg/x` or `x (codeg MCP Server)`. So `grep delegate_to_agent` names none.
    """
    if not name or len(name) > _MAX_NAME:
        return None
    plain = _SERVER_TAIL.sub("", _TITLE_HEAD.sub("", name)).strip().lower()
    folded = plain.replace(" ", "_").replace("-", "_")
    for tool in TOOLS:
        if folded == tool:
            return tool
        head = plain[: -len(tool)]
        if plain.replace("-", "_").endswith(tool) and _is_prefix(head):
            return tool
    return None


def _is_prefix(head: str) -> bool:
    """A server's name and a separator; a path or a sentence is none."""
    return head[:1].isalnum() and not head[-1].isalnum() and not any(character.isspace() for character in head)


def name_in_meta(meta: Any) -> str:
    """The tool's true name where an agent hides it in `_meta`, else empty."""
    found = mapping(meta)
    return next((name for name in (namer(found) for namer in _NAMERS) if name), "") if found else ""


def recognise(title: str, raw_input: Any = None, *, name: str = "", meta: Any = None) -> OwnToolCall | None:
    """The call of one of our tools that this tool call is, or None.

    Looked at in this order: the name in `_meta`, `name`, `title`, a name inside the input, the shape of the input
    (only a delegation has one that nothing else has).
    """
    tool = tool_named(name_in_meta(meta)) or tool_named(name) or tool_named(title) or _tool_in(raw_input)
    if tool is None:
        return None
    return OwnToolCall(tool, arguments_of(tool, raw_input))


def delegation_key(arguments: Json) -> DelegationKey:
    """What a `delegate_to_agent` call says that matters for its match; other kinds than strings read as not told."""
    return DelegationKey(
        agent_type=text(arguments.get("agent_type")) or None,
        task_text=text(arguments.get("task")) or None,
        explicit_dir=arguments["working_dir"] if isinstance(arguments.get("working_dir"), str) else None,
    )


def arguments_of(tool: Tool, raw_input: Any) -> Json:
    """The arguments inside the input: the outermost object that holds a key of the tool's own."""
    keys = _OWN_KEYS[tool]
    for level in _levels(raw_input):
        if any(key in level for key in keys):
            return level
    return {}


def _tool_in(raw_input: Any) -> Tool | None:
    for level in _levels(raw_input):
        for key in _NAME_KEYS:
            found = tool_named(text(level.get(key)))
            if found is not None:
                return found
        if isinstance(level.get("agent_type"), str) and isinstance(level.get("task"), str):
            return "delegate_to_agent"
    return None


def _levels(raw_input: Any) -> Iterator[Json]:
    """Every object on the way in, outermost first."""
    waiting: list[tuple[Any, int]] = [(raw_input, 0)]
    while waiting:
        value, depth = waiting.pop(0)
        while isinstance(value, str) and depth <= MAX_DEPTH:
            value = _decoded(value)
            depth += 1
        if not isinstance(value, dict) or depth > MAX_DEPTH:
            continue
        level = cast("Json", value)
        yield level
        waiting += [(level[key], depth + 1) for key in _ENVELOPES if key in level]


def _decoded(value: str) -> Any:
    return from_json(value) if value.lstrip().startswith(("{", '"')) else None
