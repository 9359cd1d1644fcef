"""A Markdown text in chunks that can be set one by one: prose, and fenced code as it was written.

Owns where a text may be cut so that the parts mean the same alone. Pure, no Qt. While a text grows only its last chunk
changes: that is what makes streaming cheap.
"""

import re
from dataclasses import dataclass
from typing import Literal

from ui.widgets.text.clean import LINE_MOST, broken

PROSE_LEAST = 1_200
"""Prose is not cut into smaller chunks than this."""
CODE_MOST = 12_000
"""Longer code is cut into several chunks."""
_FENCE = re.compile(r"^( *)(?:>\s*|[-*+]\s+|\d{1,9}[.)]\s+)*(`{3,}|~{3,})(.*)$")
_NO_CUT = re.compile(r"^(?:\s|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|>|\|)")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S+.*$", re.MULTILINE)
_DEFINITIONS_MOST = 100


@dataclass(frozen=True, slots=True)
class Chunk:
    """`start`: offset in the text. `opens`, `closes`: for code, whether the block begins and ends in this chunk."""

    kind: Literal["prose", "code"]
    text: str
    start: int
    language: str = ""
    opens: bool = True
    closes: bool = True


def split(text: str, start: int = 0) -> list[Chunk]:
    """Chunks of `text` from `start` on, which must be 0 or the start of a chunk of an earlier split."""
    return _Splitting(text, start).done()


def definitions(text: str) -> str:
    """Link definitions of the text, which every chunk needs to know; "" = none."""
    if "]:" not in text:
        return ""
    return "\n".join(
        found.group() for found, _ in zip(_DEFINITION.finditer(text), range(_DEFINITIONS_MOST), strict=False)
    )


class _Splitting:
    """One walk over the lines."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._chunks: list[Chunk] = []
        self._prose_start = self._at = start
        self._inner = ""  # the fence of code that lies in a list or a quote: it stays prose
        self._blank = False

    def done(self) -> list[Chunk]:
        text = self._text
        while self._at < len(text):
            end = text.find("\n", self._at)
            end = len(text) if end < 0 else end + 1
            if end - self._at > LINE_MOST:
                self._take_long(end)
            elif not self._take(text[self._at : end]):
                self._at = end
        self._close_prose(len(text))
        return self._chunks

    def _take(self, line: str) -> bool:
        """Look at a line; true when it was the fence of a code block and the walk stands behind that block."""
        if not line.strip():
            self._blank = True
            return False
        fence = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if self._inner:
            if fence is not None and fence[2].startswith(self._inner) and not fence[3].strip():
                self._inner = ""
        elif fence is not None and not ("`" in fence[2] and "`" in fence[3]):
            if line.startswith(fence[2]):
                self._code(fence[2], fence[3].strip())
                return True
            self._inner = fence[2]
        elif self._blank and self._at - self._prose_start >= PROSE_LEAST and not _NO_CUT.match(line):
            self._close_prose(self._at)
        self._blank = False
        return False

    def _take_long(self, end: int) -> None:
        """A line that no person wrote: every 4,000 characters a chunk, cut at a blank where there is one."""
        self._close_prose(self._at)
        while self._at < end:
            stop = min(end, self._at + LINE_MOST)
            if stop < end:
                blank = self._text.rfind(" ", self._at + LINE_MOST // 2, stop)
                stop = blank + 1 if blank > 0 else stop
            self._at = stop
            self._close_prose(stop)
        self._blank = False

    def _close_prose(self, end: int) -> None:
        body = self._text[self._prose_start : end]
        if body.strip():
            self._chunks.append(Chunk("prose", body, self._prose_start))
        self._prose_start = end

    def _code(self, fence: str, info: str) -> None:
        """The block that opens in this line, up to the line that closes it or the end."""
        text, opened = self._text, self._at
        self._close_prose(opened)
        body = text.find("\n", opened) + 1 or len(text)
        end, after = _closing(text, body, fence)
        language = info.partition(" ")[0].lower()[:40]
        self._cut_code(text[body:end], opened, language)
        self._at = self._prose_start = after
        self._blank = False

    def _cut_code(self, code: str, start: int, language: str) -> None:
        code = code.removesuffix("\n")
        pieces = list(_pieces(code))
        last = len(pieces) - 1
        for number, piece in enumerate(pieces):
            self._chunks.append(Chunk("code", piece, start, language, number == 0, number == last))


def _closing(text: str, body: int, fence: str) -> tuple[int, int]:
    """Where the code ends and where the text goes on."""
    at = body
    while True:
        found = text.find(fence, at)
        if found < 0:
            return len(text), len(text)
        line_start = text.rfind("\n", body, found) + 1 or body
        line_end = text.find("\n", found)
        line_end = len(text) if line_end < 0 else line_end
        before, after = text[line_start:found], text[found:line_end]
        if not before.strip() and len(before) < 4 and not after.strip().strip(fence[0]):
            return line_start, min(line_end + 1, len(text))
        at = line_end


def _pieces(code: str) -> "list[str]":
    """Code in parts that are cheap to set, cut between lines; too long lines are broken."""
    if len(code) <= CODE_MOST:
        return [broken(code)]
    pieces: list[str] = []
    at = 0
    while at < len(code):
        end = code.rfind("\n", at, at + CODE_MOST)
        if end <= at or at + CODE_MOST >= len(code):
            end = min(at + CODE_MOST, len(code))
        pieces.append(broken(code[at:end]))
        at = end + 1 if code[end : end + 1] == "\n" else end
    return pieces
