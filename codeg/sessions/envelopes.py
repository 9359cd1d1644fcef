"""What our delegation tools answered, as host programs hand it back: wrapped, doubly encoded, or as text alone.

Owns the rules that see through result envelopes; pure, never raises. A child's own JSON is never taken for a report:
as structured content a report is trusted on its status alone, anywhere else it must also name its task, and JSON that
stands in the middle of prose is prose.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from codeg.sessions.reading import from_json, mapping, mappings, sequence, text, whole
from codeg.sessions.types import Json

MAX_LAYERS = 6
"""Layers peeled, one inside the other: a wrapper, a decoded string and a content block count as one each."""

_WRAPPERS = ("result", "Ok", "ok")
_STATUSES = frozenset({"queued", "running", "completed", "failed", "canceled", "interrupted", "unknown"})
_BLOCKS = frozenset({"permission", "question", "plan_approval"})
_HEAD = re.compile(r"task_id=([\w.:-]*\w) status=(\w+)\.(?=\s|$)")
_IN_WORDS = re.compile(r"\btask_id\s*[=:]\s*\"?([\w.:-]*\w)")
_MOST_SCANNED = 4 * 1024
_MOST_PREFIX = 400
_MOST_TAIL = 3
_BARE = "Running."
# What host programs put around the text that their model sees: Codex 0.171; Gemini CLI 0.61.
_WALL = re.compile(r"Wall time: [\d.]+ seconds\nOutput:\n")
_CONTEXT = re.compile(r"<untrusted_context>\n(.*)\n</untrusted_context>", re.DOTALL)
# How Gemini CLI 0.61 and Qwen Code 0.24 tell a result that is an error.
_TOOL_ERROR = re.compile(r"MCP tool '[^'\n]{1,200}' reported tool error for function call: ")
_RESPONSE = " with response: "


@dataclass(frozen=True, slots=True)
class ToolReport:
    """One report of a delegation tool. `blocked`: kind of what it waits for, "" = nothing; `task_id` "" = not told."""

    task_id: str
    status: str
    text: str = ""
    error_code: str = ""
    message: str = ""
    duration_ms: int | None = None
    blocked: str = ""
    agent_type: str = ""
    child_id: str = ""


def reports_of(raw_output: Any, content: Any = ()) -> tuple[ToolReport, ...]:
    """The reports in a tool call's output, in order; empty when it holds none that can be trusted."""
    for found in (raw_output, joined_text(content)):
        for level in levels_in(found):
            reports = _reports_at(level)
            if reports:
                return reports
    return _reports_in_words(raw_output, content)


def task_id_of(raw_output: Any, content: Any = ()) -> str:
    """The task that a delegation's answer names, "" = none: from its report, else from its words."""
    reports = reports_of(raw_output, content)
    if reports:
        return reports[0].task_id
    for words in texts_in(raw_output, content):
        found = _IN_WORDS.search(words[:_MOST_SCANNED])
        if found is not None:
            return found[1]
    return ""


def failure_of(raw_output: Any, content: Any = ()) -> str:
    """Why the call itself failed, as its host program tells it; "" = it does not say that it failed."""
    for level in levels_in(raw_output):
        if "result" in level and level["result"] is None and text(level.get("error")):
            return text(level["error"])
        if level.get("isError") is True:
            return joined_text(level.get("content")) or joined_text(content)
    return ""


def legacy_outcome(raw_output: Any, content: Any = ()) -> ToolReport | None:
    """The result of a delegation that was waited for in the call itself, as old transcripts have it."""
    for found in (raw_output, joined_text(content)):
        for level in levels_in(found):
            if level.get("kind") == "ok" and isinstance(level.get("text"), str) and "child_conversation_id" in level:
                child = level["child_conversation_id"]
                return ToolReport("", "completed", text=level["text"], child_id=str(child))
            if level.get("kind") == "err" and text(level.get("code")):
                return ToolReport("", "failed", error_code=level["code"], message=text(level.get("message")))
    return None


# ---- reports


def _reports_at(level: Json) -> tuple[ToolReport, ...]:
    structured = level.get("structuredContent")
    if isinstance(structured, dict):
        found = _read(cast("Json", structured), trusted=True)
        if found:
            return found
    return _read(level, trusted=False)


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
        agent_type=text(level.get("agent_type")),
        child_id=text(level.get("child_conversation_id")),
    )


def _blocked(value: Any) -> str:
    """An unknown kind still blocks: it is taken for a permission."""
    if not isinstance(value, dict):
        return ""
    kind = text(cast("Json", value).get("kind"))
    return kind if kind in _BLOCKS else "permission"


def _reports_in_words(raw_output: Any, content: Any) -> tuple[ToolReport, ...]:
    """Where a host program keeps the text alone: it begins with our own head, or it is the bare word."""
    for words in texts_in(raw_output, content):
        head = _HEAD.match(words)
        if head is not None and head[2] in _STATUSES:
            return (ToolReport(head[1], head[2]),)
        if words.strip() == _BARE:
            return (ToolReport("", "running"),)
    return ()


# ---- envelopes


def levels_in(value: Any) -> Iterator[Json]:
    """Objects that may hold an answer, outermost first: what wrappers, encoded strings and content blocks hold."""
    return _levels(value, 0)


def joined_text(content: Any) -> str:
    """Text of ACP or MCP content blocks."""
    return "\n".join(_block_texts(content))


def texts_in(raw_output: Any, content: Any = ()) -> Iterator[str]:
    """The texts that an output holds, those of the call's content last."""
    if isinstance(raw_output, str):
        yield _bare(raw_output)
    for level in levels_in(raw_output):
        found = joined_text(level.get("content"))
        if found:
            yield _bare(found)
    found = joined_text(content)
    if found:
        yield _bare(found)


def _levels(value: Any, depth: int) -> Iterator[Json]:
    if depth > MAX_LAYERS:
        return
    if isinstance(value, str):
        yield from _levels(_decoded(value), depth + 1)
    elif isinstance(value, list):
        yield from _in_content(cast("list[Any]", value), depth)
    elif isinstance(value, dict):
        yield from _inside(cast("Json", value), depth)


def _inside(level: Json, depth: int) -> Iterator[Json]:
    yield level
    yield from _in_content(sequence(level.get("content")), depth)
    for key in _WRAPPERS:
        inner = level.get(key)
        if _is_result(_decoded(inner) if isinstance(inner, str) else inner, depth + 1):
            yield from _levels(inner, depth + 1)


def _in_content(content: list[Any], depth: int) -> Iterator[Json]:
    """The first block: a report as an object, or as text."""
    for item in mappings(content)[:1]:
        block = mapping(item.get("content")) if item.get("type") == "content" else item
        inner = block.get("json")
        yield from _levels(inner if isinstance(inner, dict) else text(block.get("text")), depth + 1)


def _is_result(value: Any, depth: int) -> bool:
    """A real MCP result, or further wrappers around one: a child's own `result` is neither."""
    level = mapping(value)
    if isinstance(level.get("content"), list) or isinstance(level.get("structuredContent"), dict):
        return True
    return depth < MAX_LAYERS and any(_is_result(level.get(key), depth + 1) for key in _WRAPPERS if key in level)


def _decoded(value: str) -> Any:
    """JSON, whole or behind a line that announces it (`Wall time: …`, `Output:`, then the JSON and a stray cursor)."""
    plain = _bare(value.strip())
    if _TOOL_ERROR.match(plain):
        return _error_result(plain)
    if plain[:1] in {"{", '"', "["}:
        found = from_json(plain)
        if found is None:
            found = _first_copy(plain)
        if found is not None:
            return found
    start, end = plain.find("{"), plain.rfind("}")
    if start < 0 or end < start or not _is_wrap(plain[:start].rstrip(), plain[end + 1 :]):
        return None
    return from_json(plain[start : end + 1])


def _first_copy(plain: str) -> Json | None:
    """The structured copy of a result where the text copy stands behind it (Qwen Code 0.24, where the two differ).

    They are known as copies of one result: the second says the same, or names the same task or question.
    """
    head, _, rest = plain.partition("\n")
    first = mapping(from_json(head))
    told = text(first.get("task_id")) or text(first.get("question_id"))
    if first and (from_json(rest) == first or (told and re.search(rf"_id={re.escape(told)}(?![\w-])", rest))):
        return first
    return None


def _error_result(plain: str) -> Json | None:
    """The result inside: behind the call's arguments, as the one function response."""
    begin = plain.index(": ") + 2
    try:
        end = json.JSONDecoder().raw_decode(plain, begin)[1]
    except (ValueError, RecursionError):
        return None
    if not plain.startswith(_RESPONSE, end):
        return None
    responses = mappings(from_json(plain[end + len(_RESPONSE) :]))
    told = mapping(mapping(responses[0].get("functionResponse")).get("response")) if responses else {}
    return mapping(told.get("error")) or told or None


def _bare(words: str) -> str:
    """The text without what a host program has put around it."""
    around = _CONTEXT.fullmatch(words)
    if around is not None:
        return around[1]
    wall = _WALL.match(words)
    return words[wall.end() :] if wall is not None else words


def _is_wrap(before: str, after: str) -> bool:
    announced = not before or (before.endswith(":") and len(before) <= _MOST_PREFIX)
    return announced and len(after) <= _MOST_TAIL and not any(letter.isalnum() for letter in after)


def _block_texts(content: Any) -> Iterator[str]:
    blocks = cast("tuple[Any, ...]", content) if isinstance(content, tuple) else sequence(content)
    for item in blocks:
        block = mapping(item)
        inner = mapping(block.get("content")) if block.get("type") == "content" else block
        if inner.get("type") == "text" and text(inner.get("text")):
            yield text(inner["text"])
