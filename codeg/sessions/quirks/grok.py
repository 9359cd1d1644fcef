"""Grok: names its tools in `_meta["x.ai/tool"]`, some of them by a wrapper that says nothing. Reads only."""

from codeg.sessions.reading import mapping, text
from codeg.sessions.types import Json


def tool_name(meta: Json) -> str:
    """The true name of the tool, empty for the generic wrapper."""
    name = text(mapping(meta.get("x.ai/tool")).get("name"))
    return "" if name == "use_tool" else name
