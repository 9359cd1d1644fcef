"""JSON and its dialects as text with positions: where comments, commas, members and elements stand.

Pure. Owns reading; `json_text` changes. A text that the host program itself would refuse is a `BrokenText`.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

BLANKS = " \t"
SPACE = " \t\r\n"
_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/|/\*', re.DOTALL)
_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=[ \t\r\n]*[}\]])', re.DOTALL)
_INDENTED = re.compile(r'\n([ \t]+)["{\[]')
_VALUE = json.JSONDecoder()


class BrokenText(Exception):
    """The text is not what its program takes. `line` counts from 1; `reason` is a part of a sentence, without a dot."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a program takes besides plain JSON."""

    comments: bool = False
    trailing_commas: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A member of an object (`key`) or an element of an array (None). `comma`: where the one behind it stands."""

    key: str | None
    start: int
    value_start: int
    value_end: int
    comma: int | None


@dataclass(frozen=True, slots=True)
class Container:
    """An object or array: positions of its two brackets, and what is in it."""

    opening: int
    closing: int
    items: tuple[Item, ...]


class Source:
    """A text, understood. `bare` and `strict` have the same length: comments, and then extra commas, made blank."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        """Read it.

        Raises:
            BrokenText: it is not JSON of this dialect.
        """
        self.text = text
        self.comments: dict[int, int] = {}
        self.bare = _COMMENT.sub(self._blanked, text) if dialect.comments else text
        self.strict = _COMMA.sub(self._comma_blanked, self.bare) if dialect.trailing_commas else self.bare
        self.value: Any = self._parsed()
        self.newline = "\r\n" if "\r\n" in text else "\n"
        indented = _INDENTED.search(self.bare)
        self.unit = indented[1] if indented else "  "

    @property
    def empty(self) -> bool:
        """There is nothing in it but blanks and comments."""
        return not self.strict.strip(SPACE)

    @property
    def one_line(self) -> bool:
        """What there is stands on one line."""
        return not re.search(r"[\r\n]", self.bare.strip(SPACE))

    def root(self) -> int:
        """Where the value of the whole begins."""
        return self.skip(0)

    def skip(self, at: int) -> int:
        """The next place that is no white space; comments count as such."""
        while at < len(self.strict) and self.strict[at] in SPACE:
            at += 1
        return at

    def line(self, at: int) -> int:
        """The line of a position."""
        return self.text.count("\n", 0, at) + 1

    def fail(self, at: int, reason: str) -> NoReturn:
        """Say what is wrong there.

        Raises:
            BrokenText: always.
        """
        raise BrokenText(self.line(at), reason)

    def container(self, opening: int) -> Container:
        """What is in the object or array that begins there."""
        keyed = self.text[opening] == "{"
        items: list[Item] = []
        at = self.skip(opening + 1)
        while self.strict[at] not in "}]":
            start, key = at, None
            if keyed:
                key, at = _VALUE.raw_decode(self.strict, at)
                at = self.skip(self.skip(at) + 1)
            value_start = at
            _, value_end = _VALUE.raw_decode(self.strict, at)
            at = self.skip(value_end)
            comma = self.bare.find(",", value_end, at + 1)
            items.append(Item(key, start, value_start, value_end, comma if comma >= 0 else None))
            if self.strict[at] == ",":
                at = self.skip(at + 1)
        return Container(opening, at, tuple(items))

    def after_comments(self, at: int) -> int:
        """Behind the comments that stand on the same line behind `at`; `at` itself where there are none."""
        last = at
        while True:
            while at < len(self.text) and self.text[at] in BLANKS:
                at += 1
            end = self.comments.get(at)
            if end is None or "\n" in self.text[at:end]:
                return last
            last = at = end

    def ends_line_comment(self, at: int) -> bool:
        """A `//` comment ends there, so that whatever followed it on that line would be lost."""
        return any(end == at and self.text.startswith("//", start) for start, end in self.comments.items())

    def indent(self, at: int) -> str | None:
        """The white space before `at`, if nothing else stands before it on its line."""
        begin = max(self.text.rfind("\n", 0, at), self.text.rfind("\r", 0, at)) + 1
        before = self.text[begin:at]
        return None if before.strip(BLANKS) or not begin else before

    def _blanked(self, found: "re.Match[str]") -> str:
        piece = found[0]
        if piece.startswith('"'):
            return piece
        if piece == "/*":
            raise BrokenText(found.string.count("\n", 0, found.start()) + 1, "a comment has no end")
        self.comments[found.start()] = found.end()
        return re.sub(r"[^\r\n]", " ", piece)

    def _comma_blanked(self, found: "re.Match[str]") -> str:
        at = found.start()
        before = at - 1
        while before >= 0 and found.string[before] in SPACE:
            before -= 1
        stands_for_nothing = found[0] == "," and (before < 0 or found.string[before] in "{[,:")
        return found[0] if found[0] != "," or stands_for_nothing else " "

    def _parsed(self) -> Any:
        if self.empty:
            return {}
        try:
            return json.loads(self.strict, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            reason = error.msg[:1].lower() + error.msg[1:]
            raise BrokenText(error.lineno, reason) from error
        except RecursionError as error:
            raise BrokenText(1, "it is nested too deeply") from error
        except ValueError as error:
            raise BrokenText(1, str(error)) from error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no value of JSON")
