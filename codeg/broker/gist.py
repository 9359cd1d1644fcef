"""The gist of a result: what a card shows of it without reading the rest.

Pure. One line, no control characters, 200 characters at most; the beginning of the text, never an interpretation.
"""

import re
import unicodedata

MOST_CHARACTERS = 200
_LOOKED_AT = 4_096
_MARKS = re.compile(r"^(?:#{1,6}\s+|[-*+>]\s+|\d+[.)]\s+)+")
_SENTENCE_END = re.compile(r"[.!?…](?=[\s\"')\]*_`]*(?:\s|$))|[。！？]")
# They turn the text around them: a card's line is no place for it.
_TURNING = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def gist_of(text: bytes) -> str:
    """The first sentence of the text (UTF-8); empty when there is none."""
    paragraph: list[str] = []
    for line in text[:_LOOKED_AT].decode("utf-8", "ignore").splitlines():
        said = _plain(line)
        heading = line.lstrip().startswith("#")
        if not said or (heading and paragraph):
            if paragraph:
                break
            continue
        paragraph.append(said)
        if heading:
            break
    whole = " ".join(paragraph)
    found = _SENTENCE_END.search(whole)
    sentence = whole[: found.end()] if found else whole
    return sentence if len(sentence) <= MOST_CHARACTERS else sentence[: MOST_CHARACTERS - 1].rstrip() + "…"


def _plain(line: str) -> str:
    """The line without control characters and without the marks of a heading or a list."""
    kept = "".join(" " if char == "\t" else char for char in line if char == "\t" or _harmless(char))
    return _MARKS.sub("", " ".join(kept.split()))


def _harmless(char: str) -> bool:
    return char not in _TURNING and unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")
