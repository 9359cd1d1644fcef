"""What our tools answered, as host programs hand it back: wrapped, doubly encoded, or as text alone.

Owns the rules that see through result envelopes; pure, never raises. A child's own JSON is never taken for a report: a
report is trusted on its status alone only as structured content, anywhere else it must also name its task.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from codeg.sessions.reading import mapping, mappings, sequence, text, whole
from codeg.sessions.types import Json

MAX_LAYERS = 3
_WRAPPERS = ("result", "Ok", "ok")
_STATUSES = frozenset({"queued", "running", "completed", "failed", "canceled", "interrupted", "unknown"})
_IN_TEXT = re.compile(r"\btask_id\s*[=:]\s*\"?([\w.:-]+)")
_MOST_SCANNED = 64 * 1024
_MOST_TRIES = 64


@dataclass(frozen=True, slots=True)
class ToolReport:
    """One report of a delegation tool. `blocked`: kind of what it waits for, "" = nothing."""

    task_id: str
    status: str
    text: str = ""
    error_code: str = ""
    message: str = ""
    duration_ms: int | None = None
    blocked: str = ""


def reports_of(raw_output: Any, content: Any = ()) -> tuple[ToolReport, ...]:
    """The reports in a tool call's output, in order; empty when it holds none that can be trusted."""
    for found in (raw_output, _joined_text(content)):
        reports = _reports_in(found, 0)
        if reports:
            return reports
    return ()


def task_id_of(raw_output: Any, content: Any = ()) -> str:
    """The task that a delegation's answer names, "" = none: from its report, else from its words."""
    reports = reports_of(raw_output, content)
    if reports:
        return reports[0].task_id
    for words in (text(raw_output), _joined_text(content), *_texts_of(raw_output)):
        found = _IN_TEXT.search(words[:_MOST_SCANNED])
        if found is not None:
            return found[1]
    return ""


def failure_of(raw_output: Any) -> str:
    """The host program's own error text where the call itself failed (`{"result": null, "error": "..."}`)."""
    for level in _objects(raw_output):
        if "result" in level and level["result"] is None and text(level.get("error")):
            return text(level["error"])
    return ""


def answers_in(raw_output: Any, content: Any = ()) -> tuple[str, tuple[Json, ...]]:
    """State and answers of a question set, as contract 5 `ask` gives them; ("", ()) when they are not told."""
    for found in (raw_output, _joined_text(content)):
        for level in _candidates(found):
            if text(level.get("state")) in {"answered", "declined", "withdrawn", "pending"}:
                return text(level.get("state")), mappings(level.get("answers"))
            if isinstance(level.get("answers"), list):
                declined = level.get("declined") is True
                return "declined" if declined else "answered", mappings(level["answers"])
    return "", ()


# ---- reports


def _reports_in(value: Any, depth: int) -> tuple[ToolReport, ...]:
    for level in _candidates(value, depth):
        structured = mapping(level.get("structuredContent"))
        found = _read(structured, trusted=True) if structured else ()
        found = found or _read(level, trusted=False) or _in_content(level.get("content"), depth)
        if found:
            return found
    return ()


def _in_content(content: Any, depth: int) -> tuple[ToolReport, ...]:
    if depth >= MAX_LAYERS:
        return ()
    for item in mappings(content)[:1]:
        inner = item.get("json") if isinstance(item.get("json"), dict) else item.get("text")
        found = _reports_in(inner, depth + 1)
        if found:
            return found
    return ()


def _read(level: Json, *, trusted: bool) -> tuple[ToolReport, ...]:
    batch = [_report(item, trusted=False) for item in mappings(level.get("tasks"))]
    known = tuple(report for report in batch if report is not None)
    if known:
        return known
    single = _report(level, trusted=trusted)
    return (single,) if single is not None else ()


def _report(level: Json, *, trusted: bool) -> ToolReport | None:
    status, task_id = text(level.get("status")), text(level.get("task_id"))
    if status not in _STATUSES or not (task_id or trusted):
        return None
    error = mapping(level.get("error"))
    return ToolReport(
        task_id=task_id,
        status=status,
        text=text(level.get("text")),
        error_code=text(level.get("error_code")) or text(error.get("code")),
        message=text(level.get("message")) or text(error.get("message")),
        duration_ms=whole(level.get("duration_ms")),
        blocked=_blocked(level.get("blocked_on")),
    )


def _blocked(value: Any) -> str:
    found = mappings(value)[:1] or ((mapping(value),) if mapping(value) else ())
    return (text(found[0].get("kind")) or "permission") if found else ""


# ---- envelopes


def _candidates(value: Any, depth: int = 0) -> Iterator[Json]:
    """Objects worth reading: the value itself, and what is inside wrappers that hold a real tool result."""
    for level in _objects(value):
        yield level
        for key in _WRAPPERS:
            inner = level.get(key)
            if depth < MAX_LAYERS and isinstance(inner, dict) and _is_result(cast("Json", inner)):
                yield from _candidates(inner, depth + 1)


def _is_result(level: Json) -> bool:
    """An MCP result, or another wrapper around one."""
    if isinstance(level.get("content"), list) or isinstance(level.get("structuredContent"), dict):
        return True
    return any(isinstance(level.get(key), dict) and _is_result(level[key]) for key in _WRAPPERS if len(level) <= 2)


def _objects(value: Any, depth: int = 0) -> Iterator[Json]:
    if isinstance(value, dict):
        yield cast("Json", value)
    elif isinstance(value, str) and depth < MAX_LAYERS:
        decoded = _decoded(value)
        if decoded is not None:
            yield from _objects(decoded, depth + 1)


def _decoded(value: str) -> Any:
    """JSON, whole or after other words (`Wall time: … Output: {…}_`)."""
    plain = value.strip()
    if plain[:1] in {"{", '"'}:
        try:
            return json.loads(plain)
        except (ValueError, RecursionError):
            pass
    start = plain.find("{")
    if start < 0 or len(plain) > _MOST_SCANNED:
        return None
    end = len(plain)
    for _ in range(_MOST_TRIES):
        end = plain.rfind("}", start, end)
        if end < 0:
            return None
        try:
            return json.loads(plain[start : end + 1])
        except (ValueError, RecursionError):
            continue
    return None


def _joined_text(content: Any) -> str:
    """Text of ACP or MCP content blocks."""
    parts: list[str] = []
    for item in sequence(list(cast("tuple[Any, ...]", content)) if isinstance(content, tuple) else content):
        block = mapping(item)
        inner = mapping(block.get("content")) if block.get("type") == "content" else block
        if text(inner.get("type")) == "text":
            parts.append(text(inner.get("text")))
    return "\n".join(parts)


def _texts_of(raw_output: Any) -> tuple[str, ...]:
    return tuple(_joined_text(level.get("content")) for level in _candidates(raw_output))
