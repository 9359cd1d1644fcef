"""Qoder: titles a tool call with a sentence and names the tool in `_meta.qoder`. Reads only."""

from codeg.sessions.reading import mapping, text
from codeg.sessions.types import Json


def tool_name(meta: Json) -> str:
    """The true name of the tool."""
    return text(mapping(meta.get("qoder")).get("toolName"))
