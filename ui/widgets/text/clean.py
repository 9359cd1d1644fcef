"""What an agent wrote, made safe to lay out: no control characters, direction marks as boxed codes, bounded lines.

Pure. Never raises; never changes what is stored or copied as a result.
"""

import re

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P^_X].*?(?:\x07|\x1b\\|$)|.?)", re.DOTALL)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_MARKS = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
LONGEST_LINE = 4_000
"""Characters; a longer line is broken, since laying out one line costs its whole length."""
MOST = 64 * 1024
"""Characters of a message that are laid out before somebody asks for all."""


def clean(text: str) -> str:
    """Text with its line ends and tabs, and nothing that hides, moves or turns other text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    text = _CONTROLS.sub("", text)
    return _MARKS.sub(lambda mark: f"[U+{ord(mark[0]):04X}]", text)


def has_marks(text: str) -> bool:
    """It holds characters that hide or turn text: the person is told."""
    return _MARKS.search(text) is not None or _CONTROLS.search(text.replace("\r", "")) is not None


def broken(text: str, longest: int = LONGEST_LINE) -> str:
    """The same with lines of bounded length."""
    if len(text) <= longest:
        return text
    lines = text.split("\n")
    if max(map(len, lines)) <= longest:
        return text
    parts: list[str] = []
    for line in lines:
        parts += [line[at : at + longest] for at in range(0, max(1, len(line)), longest)]
    return "\n".join(parts)


def clamped(text: str, most: int = MOST) -> tuple[str, int]:
    """The beginning that is laid out, and the number of characters left out."""
    if len(text) <= most:
        return text, 0
    end = text.rfind("\n", most - most // 8, most)
    end = end if end > 0 else most
    return text[:end], len(text) - end
