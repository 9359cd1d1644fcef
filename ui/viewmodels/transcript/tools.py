"""A plain tool call as a row: target, diffs, output, exit code, pictures, as agents tell them (ACP).

Owns the reading of one call that is none of ours; pure, no Qt, never raises. Nothing is copied that can be shared with
the entry.
"""

import base64
import binascii
from collections.abc import Iterator
from typing import Any, cast

from codeg.api import Entry, line_changes
from ui.viewmodels.rows import Diff, Image, ToolRow, ToolStatus

Json = dict[str, Any]

_COMMANDS = ("command", "cmd", "script")
_PATHS = ("file_path", "path", "abs_path", "filePath", "filename", "notebook_path", "url", "pattern", "query")
_OUTPUTS = ("output", "stdout", "stderr", "aggregated_output", "formatted_output", "text")
_EXITS = ("exit_code", "exitCode", "exit")
_LARGEST_IMAGE = 8 * 1024 * 1024
_MOST_COUNTED = 4 * 1024 * 1024
"""Characters of the diffs of one call; beyond that their lines are not counted."""
_UNDONE = frozenset({"failed", "cancelled", "canceled"})


def status_of(entry: Entry, over: bool = False) -> ToolStatus:
    """Of a tool call, in three words. `over`: its turn has ended, so that what has not is not going to."""
    if entry.status == "completed":
        return "completed"
    return "failed" if over or entry.status in _UNDONE else "running"


def tool_row(entry: Entry, over: bool = False) -> ToolRow | None:
    """A plain tool call; None while nothing is known of it but that it runs."""
    status = status_of(entry, over)
    diffs = tuple(_diff(block) for block in entry.content if block.get("type") == "diff")
    added, removed = _counted(diffs) if diffs else (0, 0)
    row = ToolRow(
        key=f"entry-{entry.seq}",
        kind=entry.tool_kind or "other",
        title=entry.title,
        target=_target(entry),
        status=status,
        at_ms=entry.created_ms,
        diffs=diffs,
        added=added,
        removed=removed,
        output=output_of(entry),
        exit_code=_exit_code(entry.raw_output),
        images=images_of(entry.content),
        raw_input=entry.raw_input,
    )
    if status == "running" and not (row.title or row.target or row.output or diffs or row.images or row.raw_input):
        return None
    return row


def images_of(content: "tuple[Json, ...]") -> tuple[Image, ...]:
    """Pictures that came in the message itself."""
    if not content:
        return ()
    found: list[Image] = []
    for block in _blocks(content):
        if block.get("type") == "image":
            mime, data = block.get("mimeType"), block.get("data")
            if isinstance(mime, str) and isinstance(data, str) and _is_picture(data):
                found.append(Image(mime, data))
    return tuple(found)


def output_of(entry: Entry) -> str:
    """Text of its content, else of its raw output."""
    parts: list[str] = []
    for block in _blocks(entry.content):
        text = block.get("text")
        if block.get("type") == "text" and isinstance(text, str):
            parts.append(text)
    if not parts and isinstance(entry.raw_output, str):
        return entry.raw_output
    if not parts:
        raw = _mapping(entry.raw_output)
        parts = [value for key in _OUTPUTS if isinstance(value := raw.get(key), str) and value]
        parts = list(dict.fromkeys(parts))  # some tell the same text under two names
    return parts[0] if len(parts) == 1 else "\n".join(parts)


def _blocks(content: "tuple[Json, ...]") -> Iterator[Json]:
    for block in content:
        inner = block.get("content") if block.get("type") == "content" else block
        if isinstance(inner, dict):
            yield cast("Json", inner)


def _is_picture(data: str) -> bool:
    if len(data) > _LARGEST_IMAGE:
        return False
    try:
        base64.b64decode(data[:64], validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _diff(block: Json) -> Diff:
    old, new, path = block.get("oldText"), block.get("newText"), block.get("path")
    return Diff(
        path if isinstance(path, str) else "",
        old if isinstance(old, str) else None,
        new if isinstance(new, str) else "",
    )


def _counted(diffs: tuple[Diff, ...]) -> tuple[int, int]:
    if sum(len(diff.old or "") + len(diff.new) for diff in diffs) > _MOST_COUNTED:
        return 0, 0
    counts = [line_changes(diff.old, diff.new) for diff in diffs]
    return sum(added for added, _ in counts), sum(removed for _, removed in counts)


def _mapping(value: Any) -> Json:
    return cast("Json", value) if isinstance(value, dict) else {}


def _target(entry: Entry) -> str:
    raw = _mapping(entry.raw_input)
    if raw:
        wanted = _COMMANDS if entry.tool_kind == "execute" else (*_PATHS, *_COMMANDS)
        for key in wanted:
            value = raw.get(key)
            if isinstance(value, str) and value.strip():
                return value
            if isinstance(value, list) and value and all(isinstance(word, str) for word in cast("list[Any]", value)):
                return " ".join(cast("list[str]", value))
    for place in entry.locations:
        path = place.get("path")
        if isinstance(path, str) and path:
            return path
    return entry.title


def _exit_code(raw_output: Any) -> int | None:
    raw = _mapping(raw_output)
    for key in _EXITS:
        value = raw.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None
