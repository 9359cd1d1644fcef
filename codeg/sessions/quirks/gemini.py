"""Gemini CLI: tells a turn's tokens in `_meta.quota` of the prompt's answer. Reads only."""

from codeg.sessions.reading import mapping, whole
from codeg.sessions.types import Json


def tokens(answer: Json) -> tuple[int | None, int | None]:
    """Input and output tokens of the turn; None where they are not told."""
    told = mapping(mapping(mapping(answer.get("_meta")).get("quota")).get("token_count"))
    return whole(told.get("input_tokens")), whole(told.get("output_tokens"))
