"""Changes one member of a JSON text (or one element of an array in it) and leaves every other byte as it is.

Pure. What `put` has added, `take` takes out again byte for byte. Whether a container was there before or was made for
the entry can be told by its own layout: one that we make has white space behind its opening bracket, one that was
empty gets the entry right behind it.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from codeg.runtime.registrations.json_layout import BLANKS, SPACE, Container, Dialect, Item, Source

_LINE_END = re.compile(r"(?:\r\n|\n|\r)\Z")


@dataclass(frozen=True, slots=True)
class Element:
    """A step of a path: the element of an array that equals this."""

    value: str


Step = str | Element
Path = Sequence[Step]
_Edit = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class _Spot:
    """A container on the way. `outer`: indentation of the line that opens it; `above`: where it stands itself."""

    container: Container
    outer: str
    depth: int
    above: "tuple[_Spot, Item] | None"


def put(text: str, path: Path, value: Any, dialect: Dialect) -> str:
    """The text with `value` at `path`; what is missing on the way is made. For an `Element`, `value` is its own.

    Raises:
        BrokenText: the text is broken, a step stands twice, or something else stands in the way.
    """
    source = Source(text, dialect)
    if source.empty:
        lead = text + source.newline if text.strip(SPACE) and not text.endswith("\n") else text
        made = json.dumps(_nested(path, value), indent=2, ensure_ascii=False).replace("\n", source.newline)
        return lead + made + source.newline
    spot, rest = _walk(source, path)
    item = _found(source, spot.container, rest[0])
    if item is None:
        return _applied(text, _inserting(source, spot, rest, value))
    flat = "\n" not in text[item.value_start : item.value_end]
    new = _dumped(value) if flat else _laid_out(source, value, source.indent(item.start) or spot.outer)
    return _applied(text, [(item.value_start, item.value_end, new)])


def take(text: str, path: Path, dialect: Dialect) -> str:
    """The text without what stands at `path`, and without containers that were made for it.

    Raises:
        BrokenText: as `put`.
    """
    source = Source(text, dialect)
    if source.empty:
        return text
    spot, rest = _walk(source, path)
    item = _found(source, spot.container, rest[0])
    if item is None or len(rest) > 1:
        return text
    while _made_for_it(source, spot.container):
        if spot.above is None:
            return _applied(text, [(spot.container.opening + 1, spot.container.closing, "")])
        spot, item = spot.above
    return _applied(text, _cutting(source, spot.container, item))


def _walk(source: Source, path: Path) -> "tuple[_Spot, Path]":
    """The innermost container that is there, and the steps that remain from it."""
    opening = source.root()
    if source.text[opening] != "{":
        source.fail(opening, "the file must hold an object")
    spot = _Spot(source.container(opening), "", 0, None)
    for done, step in enumerate(path[:-1]):
        item = _found(source, spot.container, step)
        if item is None:
            return spot, path[done:]
        bracket, kind = ("[", "an array") if isinstance(path[done + 1], Element) else ("{", "an object")
        if source.text[item.value_start] != bracket:
            source.fail(item.value_start, f"{item.key} must be {kind}")
        outer = source.indent(item.start)
        below = source.unit * (spot.depth + 1) if outer is None else outer
        spot = _Spot(source.container(item.value_start), below, spot.depth + 1, (spot, item))
    return spot, path[-1:]


def _found(source: Source, container: Container, step: Step) -> Item | None:
    if isinstance(step, Element):
        written = [item for item in container.items if _read(source, item) == step.value]
        return written[0] if written else None
    named = [item for item in container.items if item.key == step]
    if len(named) > 1:
        source.fail(named[1].start, f"{step} stands twice")
    return named[0] if named else None


def _read(source: Source, item: Item) -> Any:
    return json.loads(source.strict[item.value_start : item.value_end])


# ---- adding


def _nested(path: Path, value: Any) -> Any:
    for step in reversed(path):
        value = [value] if isinstance(step, Element) else {step: value}
    return value


def _inserting(source: Source, spot: _Spot, rest: Path, value: Any) -> list[_Edit]:
    container = spot.container
    at, lead, tail = container.opening + 1, "", ""
    indent = spot.outer + source.unit
    edits: list[_Edit] = []
    if container.items:
        last = container.items[-1]
        before = container.items[-2].value_end if len(container.items) > 1 else container.opening
        flat = "\n" not in source.text[before : last.start]
        indent = source.indent(last.start) or indent
        at = source.after_comments(last.value_end if last.comma is None else last.comma + 1)
        tail = "" if last.comma is None else ","
        edits = [(last.value_end, last.value_end, ",")] if last.comma is None else []
        lead = " " if flat and not source.ends_line_comment(at) else source.newline + indent
    elif source.text[container.opening + 1 : container.closing].strip(SPACE):
        flat = "\n" not in source.text[container.opening : container.closing]
        at = source.after_comments(at)
        lead = " " if flat and not source.ends_line_comment(at) else source.newline + indent
    elif spot.above is None and container.closing == at:
        flat, lead, tail = False, source.newline + indent, source.newline
    else:
        flat, indent = source.one_line, spot.outer
    return [*edits, (at, at, lead + _member(source, rest, value, None if flat else indent) + tail)]


def _member(source: Source, rest: Path, value: Any, indent: str | None) -> str:
    """The text of what is added. `indent`: of its line; None = all on one line."""
    step, *inner = rest
    name = "" if isinstance(step, Element) else json.dumps(step, ensure_ascii=False) + ": "
    if indent is not None:
        return name + _laid_out(source, _nested(inner, value), indent)
    written = _dumped(value)
    for below in reversed(inner):
        written = f"[ {written} ]" if isinstance(below, Element) else f"{{ {json.dumps(below)}: {written} }}"
    return name + written


def _laid_out(source: Source, value: Any, indent: str) -> str:
    return _dumped(value, source.unit).replace("\n", source.newline + indent)


def _dumped(value: Any, unit: str | None = None) -> str:
    text = json.dumps(value, indent=unit, ensure_ascii=False)
    # A half of a surrogate pair has no UTF-8; escaped, it stays what it was.
    return text if text.isascii() or _encodable(text) else json.dumps(value, indent=unit)


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# ---- taking out


def _made_for_it(source: Source, container: Container) -> bool:
    """It holds nothing but the one item, in the layout of a container that `put` has made."""
    if len(container.items) != 1:
        return False
    item = container.items[0]
    before = source.text[container.opening + 1 : item.start]
    behind = source.text[item.value_end : container.closing]
    return bool(before) and not before.strip(SPACE) and not behind.strip(SPACE)


def _cutting(source: Source, container: Container, item: Item) -> list[_Edit]:
    edits: list[_Edit] = []
    if item.comma is not None:
        edits.append((item.comma, item.comma + 1, ""))
    elif item is not container.items[0]:
        before = container.items[container.items.index(item) - 1].comma
        edits += [(before, before + 1, "")] if before is not None else []
    begin = len(source.text[: item.start].rstrip(BLANKS))
    line_end = _LINE_END.search(source.text, max(0, begin - 2), begin)
    if line_end is not None and not _would_be_lost(source, line_end.start(), item):
        begin = line_end.start()
    return [*edits, (begin, item.value_end, "")]


def _would_be_lost(source: Source, at: int, item: Item) -> bool:
    """What follows the item would come to stand in a `//` comment that ends at `at`."""
    end = item.value_end if item.comma is None else item.comma + 1
    behind = source.text[end:].lstrip(BLANKS)
    return source.ends_line_comment(at) and not behind.startswith(("\r", "\n"))


def _applied(text: str, edits: Sequence[_Edit]) -> str:
    """All edits at once; of two at one place the first one stands first."""
    pieces: list[str] = []
    at = 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])
