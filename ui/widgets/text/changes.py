"""Two versions of a text as lines of a diff: which were kept, removed, added, with three lines of context.

Owns the comparison. Pure, no Qt. Bounded: texts of any length take milliseconds; very different long ones come out as
all removed, then all added. Lines are made when they are asked for.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

CONTEXT = 3
_EXACT_MOST = 400  # lines that are compared each with each
_ALIGNED_MOST = 30_000  # lines that are compared at all
_TEXT_MOST = 8 * 1024 * 1024

Sign = Literal[" ", "+", "-", "…"]
Range = tuple[int, int, int, int]
"""Kept lines: old from, old to, new from, new to."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `old`, `new`: its numbers from 1, 0 = none. The sign `…` stands for kept lines left out."""

    sign: Sign
    old: int
    new: int
    text: str


class Changes:
    """The comparison of two texts."""

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = old[:_TEXT_MOST].splitlines(), new[:_TEXT_MOST].splitlines()
        self._runs = list(_shown_runs(_kept(self._old, self._new), len(self._old), len(self._new)))
        self.total = sum(_length(run) for run in self._runs)
        """Number of lines of the diff."""

    def lines(self, most: int) -> list[Line]:
        """The first ones."""
        found: list[Line] = []
        for run in self._runs:
            for line in self._lines_of(run):
                if len(found) >= most:
                    return found
                found.append(line)
        return found

    def _lines_of(self, run: "tuple[Sign, int, int, int]") -> Iterator[Line]:
        sign, old, new, count = run
        match sign:
            case "-":
                for at in range(count):
                    yield Line("-", old + at + 1, 0, self._old[old + at])
            case "+":
                for at in range(count):
                    yield Line("+", 0, new + at + 1, self._new[new + at])
            case " ":
                for at in range(count):
                    yield Line(" ", old + at + 1, new + at + 1, self._new[new + at])
            case _:
                yield Line("…", 0, 0, "")


@lru_cache(maxsize=24)
def changes(old: str | None, new: str) -> Changes:
    """The comparison; `old` None = a new file."""
    return Changes(old or "", new)


def _length(run: "tuple[Sign, int, int, int]") -> int:
    return 1 if run[0] == "…" else run[3]


def _shown_runs(kept: list[Range], olds: int, news: int) -> "Iterator[tuple[Sign, int, int, int]]":
    """Runs of lines of one sign, kept lines far from a change left out."""
    at_old = at_new = 0
    for old, old_end, new, new_end in [*kept, (olds, olds, news, news)]:
        if old > at_old:
            yield "-", at_old, at_new, old - at_old
        if new > at_new:
            yield "+", at_old, at_new, new - at_new
        length = old_end - old
        head = 0 if old == 0 and new == 0 else CONTEXT
        tail = 0 if old_end == olds and new_end == news else CONTEXT
        if length <= head + tail + 1:
            if length:
                yield " ", old, new, length
        else:
            if head:
                yield " ", old, new, head
            yield "…", 0, 0, length - head - tail
            if tail:
                yield " ", old_end - tail, new_end - tail, tail
        at_old, at_new = old_end, new_end


def _kept(old: list[str], new: list[str]) -> list[Range]:
    """Ranges of lines that both have, in order, joined where they touch."""
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    found: list[Range] = [(0, head, 0, head)] if head else []
    _align(old, new, (head, len(old) - tail, head, len(new) - tail), found)
    if tail:
        found.append((len(old) - tail, len(old), len(new) - tail, len(new)))
    return _joined(found)


def _align(old: list[str], new: list[str], part: Range, found: list[Range]) -> None:
    """Kept ranges within a part, in order."""
    old_from, old_to, new_from, new_to = part
    size = old_to - old_from + new_to - new_from
    if old_from == old_to or new_from == new_to or size > _ALIGNED_MOST:
        return
    if size <= _EXACT_MOST:
        matcher = SequenceMatcher(None, old[old_from:old_to], new[new_from:new_to], autojunk=False)
        for block in matcher.get_matching_blocks():
            if block.size:
                a, b = old_from + block.a, new_from + block.b
                found.append((a, a + block.size, b, b + block.size))
        return
    before = (old_from, new_from)
    for a, b in [*_anchors(old, new, part), (old_to, new_to)]:
        gap = (before[0], a, before[1], b)
        if gap[1] - gap[0] + gap[3] - gap[2] <= _EXACT_MOST:
            _align(old, new, gap, found)
        if a < old_to:
            found.append((a, a + 1, b, b + 1))
        before = (a + 1, b + 1)


def _anchors(old: list[str], new: list[str], part: Range) -> list[tuple[int, int]]:
    """Lines that occur once on each side, as long an ordered chain of them as there is."""
    old_from, old_to, new_from, new_to = part
    olds, news = Counter(old[old_from:old_to]), Counter(new[new_from:new_to])
    places = {new[at]: at for at in range(new_from, new_to) if news[new[at]] == 1}
    pairs = [(at, places[old[at]]) for at in range(old_from, old_to) if olds[old[at]] == 1 and old[at] in places]
    ends: list[int] = []
    piles: list[int] = []
    back: list[int] = []
    for number, (_, place) in enumerate(pairs):
        pile = bisect_left(ends, place)
        if pile == len(ends):
            ends.append(place)
            piles.append(number)
        else:
            ends[pile], piles[pile] = place, number
        back.append(piles[pile - 1] if pile else -1)
    chain: list[tuple[int, int]] = []
    at = piles[-1] if piles else -1
    while at >= 0:
        chain.append(pairs[at])
        at = back[at]
    return chain[::-1]


def _joined(found: list[Range]) -> list[Range]:
    joined: list[Range] = []
    for one in found:
        if joined and joined[-1][1] == one[0] and joined[-1][3] == one[2]:
            joined[-1] = (joined[-1][0], one[1], joined[-1][2], one[3])
        else:
            joined.append(one)
    return joined
