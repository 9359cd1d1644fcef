"""Finding what is meant by a few letters: how well a text matches, and which of its letters were hit.

Pure, no Qt. Whole words beat beginnings of words, these beat letters in between; short texts beat long ones.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

WHOLE, START, WORD, INSIDE, WORDS, SCATTERED = 1000, 800, 600, 400, 300, 100
_LONGEST = 400  # letters looked at
_SPREAD = 60  # a scattered match that spreads wider than this was not meant


@dataclass(frozen=True, slots=True)
class Hit:
    """`score`: higher is better; `letters`: places of the letters that were hit."""

    score: int
    letters: tuple[int, ...] = ()


def find(query: str, text: str) -> Hit | None:
    """How `query` is found in `text`, case aside; None = it is not. An empty query finds everything."""
    wanted = "".join(query.split()).casefold() if " " not in query.strip() else query.strip().casefold()
    if not wanted:
        return Hit(0)
    low = _folded(text[:_LONGEST])
    return _whole(wanted, low) or _by_letters(wanted.replace(" ", ""), low)


def _whole(wanted: str, low: str) -> Hit | None:
    at = low.find(wanted)
    if at < 0:
        return None
    best = at
    while at >= 0:
        if _begins(low, at):
            best = at
            break
        at = low.find(wanted, at + 1)
    if len(wanted) == len(low):
        score = WHOLE
    elif best == 0:
        score = START
    else:
        score = WORD if _begins(low, best) else INSIDE
    return Hit(score - min(90, len(low) - len(wanted)), tuple(range(best, best + len(wanted))))


def _by_letters(wanted: str, low: str) -> Hit | None:
    """All letters in order; the beginnings of words first, else the narrowest place."""
    if not pattern(wanted).search(low):
        return None
    starts = _at_starts(wanted, low)
    if starts is not None:
        return Hit(WORDS - min(90, starts[-1] - starts[0]), starts)
    found = _narrowest(wanted, low)
    spread = found[-1] - found[0]
    return Hit(SCATTERED - min(90, spread), found) if spread <= _SPREAD else None


def _at_starts(wanted: str, low: str) -> tuple[int, ...] | None:
    """Letters that each begin a word or follow the one before: `cpl` in `cart page layout`."""
    places: list[int] = []
    at = -1
    for letter in wanted:
        follows = at + 1 < len(low) and low[at + 1] == letter and at >= 0
        at = at + 1 if follows else _next_start(low, letter, at + 1)
        if at < 0:
            return None
        places.append(at)
    return tuple(places)


def _next_start(low: str, letter: str, start: int) -> int:
    at = low.find(letter, start)
    while at >= 0 and not _begins(low, at):
        at = low.find(letter, at + 1)
    return at


def _narrowest(wanted: str, low: str) -> tuple[int, ...]:
    best: tuple[int, ...] = ()
    start = low.find(wanted[0])
    while start >= 0:
        places = [start]
        for letter in wanted[1:]:
            at = low.find(letter, places[-1] + 1)
            if at < 0:
                return best
            places.append(at)
        if not best or places[-1] - places[0] < best[-1] - best[0]:
            best = tuple(places)
        start = low.find(wanted[0], start + 1)
    return best


def _begins(low: str, at: int) -> bool:
    return at == 0 or not low[at - 1].isalnum() or ord(low[at]) > 0x2E80


@lru_cache(maxsize=64)
def pattern(wanted: str) -> re.Pattern[str]:
    """What a text must hold at least: the letters in order. Quick to refuse with."""
    return re.compile("[^\n]*?".join(re.escape(letter) for letter in wanted.casefold()))


def _folded(text: str) -> str:
    """Lower case, letter by letter, so that places stay true."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(letter.lower()[:1] or letter for letter in text)
