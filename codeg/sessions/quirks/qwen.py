"""Qwen: titles a permission with the JSON of its arguments and names the tool in `_meta.toolName`.

Tells tokens in `_meta.usage` of an empty chunk after each of its model's answers. Reads only.
"""

from codeg.sessions.reading import mapping, text, whole
from codeg.sessions.types import Json


def tool_name(meta: Json) -> str:
    """The true name of the tool."""
    return text(meta.get("toolName"))


def tokens(meta: Json) -> tuple[int, int] | None:
    """Input and output tokens of one answer of its model; None where they are not told."""
    told = mapping(meta.get("usage"))
    taken, given = whole(told.get("inputTokens")), whole(told.get("outputTokens"))
    return None if taken is None or given is None else (taken, given)
