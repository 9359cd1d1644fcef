"""Claude Code's ACP bridge: what it says in `_meta.claudeCode` and nowhere else. Reads only."""

from codeg.sessions.reading import mapping, text
from codeg.sessions.types import Json


def tool_name(meta: Json) -> str:
    """The true name of the tool behind a tool call."""
    return text(mapping(meta.get("claudeCode")).get("toolName"))


def inside_tool(meta: Json) -> bool:
    """The update belongs to a sub-agent that runs inside a tool call: it is no word of the session itself."""
    return bool(text(mapping(meta.get("claudeCode")).get("parentToolUseId")))


def informational(meta: Json) -> bool:
    """A note of the program (billing, for one) that arrives as if the agent had said it."""
    return text(mapping(meta.get("claudeCode")).get("kind")) == "informational"
