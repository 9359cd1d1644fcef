"""Codex's older ACP bridge (codex-acp 0.x): its warnings come as chunks of the answer, each whole. Reads only.

The newer bridge sends the same sentences as notices. What a model says arrives in pieces or as one text that does not
begin like these, so that a chunk of its own which does is the program's word.
"""

_WARNINGS = (
    "Model metadata for `",
    "Under-development features enabled: ",
    "Skill descriptions were shortened to fit the ",
    "Exceeded skills context budget. ",
)
_LONGEST = 1_000


def warning(piece: str) -> bool:
    """The chunk is a warning of the program."""
    return len(piece) <= _LONGEST and piece.startswith(_WARNINGS) and piece.endswith((".", "!"))
