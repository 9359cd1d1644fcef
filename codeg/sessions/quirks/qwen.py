"""Qwen: titles a permission with the JSON of its arguments and names the tool in `_meta.toolName`. Reads only."""

from codeg.sessions.reading import text
from codeg.sessions.types import Json


def tool_name(meta: Json) -> str:
    """The true name of the tool."""
    return text(meta.get("toolName"))
