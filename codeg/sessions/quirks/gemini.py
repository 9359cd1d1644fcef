"""Gemini CLI: tells a turn's tokens in `_meta.quota` of its answer, and arguments of a server's tool as text.

Reads only.
"""

from codeg.sessions.reading import from_json, mapping, mappings, text, whole
from codeg.sessions.types import Json

_SERVERS_TOOL = " MCP Server)"
_LONGEST = 1024 * 1024


def tokens(answer: Json) -> tuple[int | None, int | None]:
    """Input and output tokens of the turn; None where they are not told."""
    told = mapping(mapping(mapping(answer.get("_meta")).get("quota")).get("token_count"))
    return whole(told.get("input_tokens")), whole(told.get("output_tokens"))


def arguments(update: Json) -> Json:
    """The arguments of a tool call that is asked leave for or begins; empty where they are not told this way.

    They are the JSON of its one text block; once it has ended, that block is its result.
    """
    blocks = mappings(update.get("content"))
    ended = update.get("status") not in ("pending", "in_progress")
    if ended or len(blocks) != 1 or not text(update.get("title")).endswith(_SERVERS_TOOL):
        return {}
    said = text(mapping(blocks[0].get("content")).get("text"))
    return mapping(from_json(said)) if said.startswith("{") and len(said) <= _LONGEST else {}
