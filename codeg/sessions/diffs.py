"""How much a change of text is: lines added and removed.

Pure. A count, not a diff: lines that only moved count as neither, and it costs what the lines cost.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from codeg.sessions.reading import text
from codeg.sessions.types import Json

MOST_CHARACTERS = 8 * 1024 * 1024
"""Of all diffs of a turn; beyond that nothing is counted."""


@dataclass(frozen=True, slots=True)
class Touched:
    """What diffs came to: files, lines added, lines removed."""

    files: int
    added: int
    removed: int


def line_changes(old: str | None, new: str) -> tuple[int, int]:
    """Lines added and removed; `old` None = the file is new."""
    before, after = Counter((old or "").splitlines()), Counter(new.splitlines())
    return (after - before).total(), (before - after).total()


def touched_by(blocks: Iterable[Json]) -> Touched | None:
    """Counts over ACP content blocks of the type `diff`; None where there is none, or too much of it."""
    paths: set[str] = set()
    added = removed = size = 0
    for block in blocks:
        if block.get("type") != "diff":
            continue
        old, new = text(block.get("oldText")), text(block.get("newText"))
        size += len(old) + len(new)
        if size > MOST_CHARACTERS:
            return None
        paths.add(text(block.get("path")))
        more, fewer = line_changes(old, new)
        added += more
        removed += fewer
    return Touched(len(paths), added, removed) if paths else None
