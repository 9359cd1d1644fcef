"""Changes one table of a TOML text and leaves every other byte as it is.

Pure. A table under a header of its own is cut, put or replaced by its lines, so what `put` adds at the end `take` takes
out byte for byte. Other forms (inline, dotted) go through tomlkit, which keeps comments and order.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codeg.runtime.registrations.json_layout import BrokenText
from codeg.sessions.reading import mapping, sequence
from codeg.store.setting_rules import is_table

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}' + r"|'''.*?'{3,5}" + r"""|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[\[\]{}\n]""", re.DOTALL
)
_AT = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class _Section:
    """A header and what belongs to it: from the start of its line to behind the last line that says something."""

    path: tuple[str, ...]
    start: int
    end: int


def parse(text: str) -> dict[str, Any]:
    """What the text says.

    Raises:
        BrokenText: it is no TOML.
    """
    try:
        # The program reads CR LF like LF, and so does the parser; a lone CR is an error to both.
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _AT.search(str(error))
        line = int(found[1]) if found and found[1] else text.rstrip("\n").count("\n") + 1
        reason = _AT.sub("", str(error))
        # Codex itself reads newer TOML, which nobody here does.
        raise BrokenText(line, f"{reason[:1].lower()}{reason[1:]}, by TOML 1.0") from error
    except RecursionError as error:
        raise BrokenText(1, "it is nested too deeply") from error
    except ValueError as error:
        raise BrokenText(1, str(error)) from error


def put(text: str, path: Sequence[str], table: Mapping[str, Any]) -> str:
    """The text with this table at `path`, in the place of the one that is there, else at the end.

    Raises:
        BrokenText: the text is broken, or has a form that cannot be changed.
    """
    before = parse(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = newline.join(_lines(path, table))
    ours = [section for section in _sections(text) if section.path[: len(path)] == tuple(path)]
    if ours:
        rest = _cut(text, ours[1:])
        kept_end = newline if text[: ours[0].end].endswith("\n") else ""
        own = _commented(text[ours[0].start : ours[0].end], path, table, newline) or lines + kept_end
        made = rest[: ours[0].start] + own + rest[ours[0].end :]
    elif not text or text.endswith("\n"):
        made = text + (newline if text else "") + lines + newline
    else:
        made = text + newline * 2 + lines
    wanted = _with(before, path, dict(table))
    return made if _says(made, wanted) else _by_tomlkit(text, path, table, wanted)


def take(text: str, path: Sequence[str]) -> str:
    """The text without the table at `path`, and without the blank line that parts it from what stands before.

    Raises:
        BrokenText: as `put`.
    """
    before = parse(text)
    if _at(before, path) is None:
        return text
    ours = [section for section in _sections(text) if section.path[: len(path)] == tuple(path)]
    made = _cut(text, ours)
    wanted = _with(before, path, None)
    return made if ours and _says(made, wanted) else _by_tomlkit(text, path, None, wanted)


def _cut(text: str, sections: Sequence[_Section]) -> str:
    for section in reversed(sections):
        head, tail = text[: section.start], text[section.end :]
        unended = not tail and not text[: section.end].endswith("\n")
        # Where ours has no line end of its own, `put` has ended the line before it.
        parting = r"\r?\n\r?\n\Z" if unended else r"(?:(?<=\n)|\A)\r?\n\Z"
        text = re.sub(parting, "", head) + tail
    return text


# ---- reading


def _sections(text: str) -> list[_Section]:
    """All headers that stand outside values, in their order."""
    found: list[_Section] = []
    for start, end in _statements(text):
        statement = text[start:end]
        if statement.lstrip(" \t").startswith("["):
            found.append(_Section(_path(statement), start, end))
        elif found:
            found[-1] = _Section(found[-1].path, found[-1].start, end)
    return found


def _statements(text: str) -> list[tuple[int, int]]:
    """Headers and key-value pairs with the whole of their lines; blank and comment lines are none."""
    found: list[tuple[int, int]] = []
    start = depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        elif token[0] == "\n" and not depth:
            found.append((start, token.end()))
            start = token.end()
    found.append((start, len(text)))
    return [(begin, end) for begin, end in found if text[begin:end].strip() and text[begin:end].lstrip()[0] != "#"]


def _path(header: str) -> tuple[str, ...]:
    at: Any = tomllib.loads(header)
    path: list[str] = []
    while at:
        at = mapping(at[0] if isinstance(at, list) else at)
        for name, below in at.items():
            path.append(name)
            at = below
            break
    return tuple(path)


def _at(data: Mapping[str, Any], path: Sequence[str]) -> Any:
    at: Any = data
    for name in path:
        at = mapping(at).get(name)
    return at


# ---- writing


def _lines(path: Sequence[str], table: Mapping[str, Any]) -> list[str]:
    # Costs 60 ms, and only a change needs it.
    import tomlkit  # noqa: PLC0415  # see above

    header = "[" + ".".join(_key(name) for name in path) + "]"
    return [header, *(f"{_key(name)} = {_inline(tomlkit, value)}" for name, value in table.items())]


def _key(name: str) -> str:
    import json  # noqa: PLC0415  # rarely needed

    return name if _BARE.fullmatch(name) else json.dumps(name)


def _inline(tomlkit: Any, value: Any) -> str:
    if is_table(value):
        pairs = (f"{_key(name)} = {_inline(tomlkit, below)}" for name, below in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(tomlkit, below) for below in sequence(value)) + "]"
    return str(tomlkit.item(value).as_string())


def _with(data: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """A copy with `value` at `path`; None = without it."""
    copy = dict(data)
    name, *rest = path
    if rest:
        copy[name] = _with(mapping(copy.get(name)), rest, value)
    elif value is None:
        copy.pop(name, None)
    else:
        copy[name] = value
    return copy


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        said = tomllib.loads(text)
    except ValueError:
        return False
    return _same(said, wanted)


def _same(one: Any, other: Any) -> bool:
    """Equal in value and kind. An empty table is as good as none: with a header, the table above it goes too."""
    if is_table(one) and is_table(other):
        return all(_same(one.get(name, {}), other.get(name, {})) for name in {*one, *other})
    return type(one) is type(other) and (one == other or repr(one) == repr(other))


def _by_tomlkit(text: str, path: Sequence[str], table: Mapping[str, Any] | None, wanted: Mapping[str, Any]) -> str:
    import tomlkit  # noqa: PLC0415  # costs 60 ms
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415  # see above

    try:
        document: Any = tomlkit.parse(text)
        at = document
        for name in path[:-1]:
            at = at[name]
        if table is None:
            del at[path[-1]]
        elif path[-1] in at:
            _carry_over(at[path[-1]], table, tomlkit)
        else:
            at[path[-1]] = tomlkit.value(_inline(tomlkit, dict(table)))
        made = tomlkit.dumps(document)
    except (TOMLKitError, KeyError, TypeError, ValueError) as error:
        raise BrokenText(1, f"{'.'.join(path)} has a form that cannot be changed here") from error
    if not _says(made, wanted):
        raise BrokenText(1, f"{'.'.join(path)} has a form that cannot be changed here")
    return made


def _commented(section: str, path: Sequence[str], table: Mapping[str, Any], newline: str) -> str:
    """The lines of a table with its comments, saying what `table` says; "" where there are none, or no such change."""
    if "#" not in section:
        return ""
    try:
        made = _by_tomlkit(section, path, table, _with({}, path, dict(table)))
    except BrokenText:
        return ""
    return re.sub(r"(?<!\r)\n", newline, made)


def _carry_over(at: Any, table: Mapping[str, Any], tomlkit: Any) -> None:
    for name in [name for name in at if name not in table]:
        del at[name]
    for name, value in table.items():
        if name not in at or not _same(at[name], value):
            at[name] = tomlkit.value(_inline(tomlkit, value))
