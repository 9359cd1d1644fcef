"""Result texts as slices of UTF-8 bytes: cut at characters, measured as JSON, shared out under a budget.

Pure functions over bytes and strings; nothing here knows tasks. A cut never falls inside a character (contract 6, Reply
size).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from json import JSONEncoder
from typing import Any

_encode = JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
_LONGEST_CHARACTER = 4
_BLOCK = 2048


@dataclass(frozen=True, slots=True)
class TextSlice:
    """Part of a stored text: `data` begins at byte `offset` of the whole, which is where a character begins."""

    offset: int
    data: bytes


def fetch_from(offset: int) -> int:
    """Where to read the store so that `align` can find the beginning of the character at byte `offset`."""
    return max(0, offset - _LONGEST_CHARACTER + 1)


def align(start: int, data: bytes, offset: int, *, last: bool) -> TextSlice:
    """Make a slice of `data` that begins with the character that holds byte `offset`.

    `start`: the byte of the whole where `data` begins (see `fetch_from`). `last`: it reaches the end of the whole;
    otherwise a character that is cut at the end is left for the next slice.
    """
    begin = min(max(0, offset - start), len(data))
    while 0 < begin < len(data) and _continues(data[begin]):
        begin -= 1
    stop = len(data) if last else _whole_characters(data)
    return TextSlice(start + begin, data[begin : max(begin, stop)])


def json_size(value: Any) -> int:
    """Bytes of the value as compact UTF-8 JSON."""
    return len(_encode(value).encode("utf-8", "surrogatepass"))


def prefix_within(text: str, room: int) -> str:
    """The longest beginning of `text` that takes at most `room` bytes inside a JSON string, quotes not counted."""
    used = 0
    for at in range(0, len(text), _BLOCK):
        block = text[at : at + _BLOCK]
        size = _inner_size(block)
        if used + size > room:
            return text[: at + _cut(block, room - used)]
        used += size
    return text


def suffix_within(text: str, room: int) -> str:
    """The longest end of `text` that takes at most `room` bytes inside a JSON string."""
    return prefix_within(text[::-1], room)[::-1]


def inner_size(text: str) -> int:
    """Bytes of `text` inside a JSON string, quotes not counted."""
    if not text:
        return 0
    return sum(_inner_size(text[at : at + _BLOCK]) for at in range(0, len(text), _BLOCK))


def shares(room: int, sizes: Sequence[int]) -> list[int]:
    """Share `room` out: what is small is served whole, the rest gets equal parts. The sum never exceeds `room`."""
    given = [0] * len(sizes)
    left, waiting = max(0, room), sorted(range(len(sizes)), key=lambda index: sizes[index])
    for served, index in enumerate(waiting):
        given[index] = min(sizes[index], left // (len(waiting) - served))
        left -= given[index]
    return given


def clean(text: str) -> str:
    """The text with lone surrogates as U+FFFD, so that it can be written as UTF-8 (contract 4)."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _inner_size(text: str) -> int:
    return json_size(text) - 2


def _cut(text: str, room: int) -> int:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if _inner_size(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def _continues(byte: int) -> bool:
    return byte & 0xC0 == 0x80


def _whole_characters(data: bytes) -> int:
    """Length of `data` without a character that is cut at its end."""
    for back in range(1, min(_LONGEST_CHARACTER, len(data)) + 1):
        byte = data[-back]
        if _continues(byte):
            continue
        needs = 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
        return len(data) if back >= needs else len(data) - back
    return len(data)
