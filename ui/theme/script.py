"""What a text is written in, as far as type setting asks: Han, and its own direction.

Pure, no Qt. Plain Latin text is answered without looking at each letter.
"""

import unicodedata
from functools import lru_cache

_MOST = 512  # letters looked at: a title's script shows early

# Radicals, kana, CJK symbols, ideographs and their extensions, Hangul, compatibility and full-width forms.
_HAN_RANGES = (
    (0x2E80, 0x9FFF),
    (0xAC00, 0xD7AF),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
    (0x20000, 0x3FFFF),
)


@lru_cache(maxsize=2048)
def _has_han(text: str) -> bool:
    return any(low <= ord(letter) <= high for letter in text for low, high in _HAN_RANGES)


@lru_cache(maxsize=2048)
def _is_rtl(text: str) -> bool:
    for letter in text:
        kind = unicodedata.bidirectional(letter)
        if kind == "L":
            return False
        if kind in {"R", "AL"}:
            return True
    return False


def has_han(text: str) -> bool:
    """Whether Chinese, Japanese or Korean letters occur."""
    return not text.isascii() and _has_han(text[:_MOST])


def is_rtl(text: str) -> bool:
    """Whether the first strong letter runs from right to left."""
    return not text.isascii() and _is_rtl(text[:_MOST])
