"""A message as prose and fenced code, in order.

Pure. Only fences at the beginning of a line (three spaces at most before it) count; one that is still open at the end
of a message that is being written is code to the end.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Segment:
    """`language` None = prose. `closed`: the fence was ended."""

    text: str
    language: str | None = None
    closed: bool = True


def segments(text: str) -> tuple[Segment, ...]:
    """Split a message; empty prose between two blocks of code is left out."""
    found: list[Segment] = []
    lines: list[str] = []
    fence, language = "", ""
    for line in text.split("\n"):
        mark = _fence(line)
        if not fence and mark:
            _add(found, lines, None)
            fence, language, lines = mark, line.strip().lstrip("`~").strip().split(" ")[0], []
        elif fence and mark and mark.startswith(fence) and not line.strip().strip(fence[0]):
            found.append(Segment("\n".join(lines), language))
            fence, lines = "", []
        else:
            lines.append(line)
    if fence:
        found.append(Segment("\n".join(lines), language, closed=False))
    else:
        _add(found, lines, None)
    return tuple(found)


def _add(found: list[Segment], lines: list[str], language: str | None) -> None:
    text = "\n".join(lines)
    if text.strip():
        found.append(Segment(text.strip("\n"), language))


def _fence(line: str) -> str:
    """The run of back ticks or tildes that opens or ends a block, "" = none."""
    plain = line.lstrip(" ")
    if len(line) - len(plain) > 3 or plain[:3] not in {"```", "~~~"}:
        return ""
    mark = plain[0]
    length = len(plain) - len(plain.lstrip(mark))
    rest = plain[length:]
    return "" if mark == "`" and "`" in rest else mark * length


def open_from(text: str) -> int:
    """Where the part begins that further text can still change: after the last blank line."""
    at = text.rfind("\n\n")
    return at + 2 if at >= 0 else 0
