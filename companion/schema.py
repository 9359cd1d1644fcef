"""The tools as the model sees them: `tool_schema.json`, the single source (contract 4).

Owns finding and reading that file, which group a tool belongs to, and the listing as bytes made once; never decides who
may call. Missing or broken, it raises `SchemaBroken`: the package was built wrong, and the process cannot serve.
"""

from __future__ import annotations

import os

from codeg.jsonrpc import codec
from companion.shapes import decode, is_list, is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

    Tool = dict[str, Any]

BUILT_IN_AGENTS: Final = (
    "claude_code",
    "codex",
    "open_code",
    "gemini",
    "cline",
    "open_claw",
    "hermes",
    "code_buddy",
    "kimi_code",
    "pi",
    "grok",
    "cursor",
    "deepseek",
    "qoder",
    "antigravity",
    "qwen",
    "demo",
)
"""Contract 7."""
GROUPS: Final = ("delegation", "ask", "feedback")
_GROUP_OF: Final = {
    "delegate_to_agent": "delegation",
    "get_delegation_status": "delegation",
    "cancel_delegation": "delegation",
    "resume_delegation": "delegation",
    "ask_user_question": "ask",
    "check_user_feedback": "feedback",
}


class SchemaBroken(Exception):
    """`tool_schema.json` cannot be served. Its text is one sentence."""


def load() -> list[Tool]:
    """The tools in listed order, from beside the package (wheel) or one directory up (checkout).

    Raises:
        SchemaBroken: no file, no JSON, or a tool that belongs to no group.
    """
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in (here, os.path.dirname(here)):
        path = os.path.join(folder, "tool_schema.json")
        try:
            with open(path, "rb", 0) as file:
                tools: Any = decode(file.read())
        except FileNotFoundError:
            continue
        except (OSError, codec.Undecodable) as error:
            raise SchemaBroken(f"{path} cannot be read: {error}") from None
        return _checked(tools, path)
    raise SchemaBroken(f"tool_schema.json is neither in {here} nor one folder up: the package is incomplete.")


def _checked(tools: Any, path: str) -> list[Tool]:
    if not is_list(tools) or not all(
        is_object(tool) and tool.get("name") in _GROUP_OF and is_object(tool.get("inputSchema")) for tool in tools
    ):
        raise SchemaBroken(f"{path} is no list of the tools that this version has.")
    return tools


def fallback_agents(custom: Sequence[str], disabled: Sequence[str]) -> tuple[str, ...]:
    """The agents to list while no host has answered: built-ins less the disabled, then the custom ones, each once."""
    known = [name for name in BUILT_IN_AGENTS if name not in disabled]
    return (*known, *[name for name in dict.fromkeys(custom) if name not in known])


class Toolbox:
    """The tools of the groups that are switched on, and their listing for the agents of the moment."""

    __slots__ = ("_agents", "_bodies", "_groups", "_names", "tools")

    def __init__(self, tools: Sequence[Tool], groups: Sequence[str], agents: Sequence[str]) -> None:
        self.tools: dict[str, Tool] = {tool["name"]: tool for tool in tools if _GROUP_OF[tool["name"]] in groups}
        self._agents = tuple(agents)
        self._groups = tuple(groups)
        self._names: tuple[str, ...] = tuple(self.tools)
        self._bodies: dict[bytes, bytes] = {}

    def update(self, agents: Sequence[str], groups: Sequence[str]) -> bool:
        """Takes what the host offers now; True when the listing changed. All stay callable: the host itself refuses."""
        shown = tuple(name for name in self.tools if _GROUP_OF[name] in groups)
        if (tuple(agents), shown) == (self._agents, self._names):
            return False
        self._agents, self._names = tuple(agents), shown
        self._bodies.clear()
        return True

    def listing(self, tail: bytes) -> bytes:
        """The encoded result of `tools/list`, made once per change. `tail`: more members, each behind a comma."""
        body = self._bodies.get(tail)
        if body is None:
            shown = [self._with_agents(self.tools[name]) for name in self._names]
            body = self._bodies[tail] = b'{"tools":' + codec.encode(shown) + tail + b"}"
        return body

    def _with_agents(self, tool: Tool) -> Tool:
        properties = tool["inputSchema"].get("properties", {})
        if "agent_type" not in properties:
            return tool
        field = {**properties["agent_type"], "enum": list(self._agents)}
        if not self._agents:
            del field["enum"]
        return {**tool, "inputSchema": {**tool["inputSchema"], "properties": {**properties, "agent_type": field}}}
