"""What one entry of a conversation is for the feed: a plain tool call, one of ours, or text.

Owns the reading of tool calls as agents tell them (ACP content, raw input and output); pure, no Qt, never raises.
"""

import base64
import binascii
from dataclasses import dataclass
from typing import Any, Literal, cast

from codeg.api import Entry, answers_in, failure_of, line_changes, recognise, reports_of, task_id_of
from ui.viewmodels.rows import AnsweredRow, Check, Diff, Image, ToolRow, ToolStatus

_COMMANDS = ("command", "cmd", "script")
_PATHS = ("file_path", "path", "abs_path", "filename", "notebook_path", "url", "pattern", "query")
_LARGEST_IMAGE = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Delegating:
    """A call of `delegate_to_agent`. `task_id`: as its answer names it."""

    agent: str
    task: str
    task_id: str
    failure: str


@dataclass(frozen=True, slots=True)
class Polling:
    """A call of the quiet ones: status, cancel, resume. `empty`: nothing is known of it yet."""

    checks: tuple[Check, ...]
    open: bool
    empty: bool


@dataclass(frozen=True, slots=True)
class Hidden:
    """Nothing to show: a pull of feedback (its notes stand as rows of their own)."""


Kind = Delegating | Polling | Hidden | AnsweredRow | ToolRow


def kind_of(entry: Entry) -> Kind:
    """What a tool entry is."""
    own = recognise(entry.title, entry.raw_input, name=entry.tool_name)
    if own is None:
        return tool_row(entry)
    match own.tool:
        case "delegate_to_agent":
            return _delegating(entry, own.arguments)
        case "ask_user_question":
            return _answered(entry, own.arguments)
        case "check_user_feedback":
            return Hidden()
        case _:
            return _polling(entry, own.arguments)


def status_of(entry: Entry) -> ToolStatus:
    """Of a tool call, in three words."""
    if entry.status in {"completed", "failed"}:
        return cast("ToolStatus", entry.status)
    return "running"


def tool_row(entry: Entry) -> ToolRow:
    """A plain tool call."""
    diffs = tuple(_diff(block) for block in entry.content if block.get("type") == "diff")
    counted = [line_changes(diff.old or "", diff.new) for diff in diffs]
    return ToolRow(
        key=f"entry-{entry.seq}",
        kind=entry.tool_kind or "other",
        title=entry.title,
        target=_target(entry),
        status=status_of(entry),
        at_ms=entry.created_ms,
        diffs=diffs,
        added=sum(added for added, _ in counted),
        removed=sum(removed for _, removed in counted),
        output=_output(entry),
        exit_code=_exit_code(entry.raw_output),
        images=images_of(entry.content),
        raw_input=entry.raw_input,
    )


def images_of(content: "tuple[dict[str, Any], ...]") -> tuple[Image, ...]:
    """Pictures that came in the message itself."""
    found: list[Image] = []
    for block in content:
        inner = block.get("content") if block.get("type") == "content" else block
        if isinstance(inner, dict):
            shape = cast("dict[str, Any]", inner)
            mime, data = shape.get("mimeType"), shape.get("data")
            if shape.get("type") == "image" and isinstance(mime, str) and isinstance(data, str) and _is_picture(data):
                found.append(Image(mime, data))
    return tuple(found)


def _is_picture(data: str) -> bool:
    if len(data) > _LARGEST_IMAGE:
        return False
    try:
        base64.b64decode(data[:64], validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _diff(block: "dict[str, Any]") -> Diff:
    old, new = block.get("oldText"), block.get("newText")
    return Diff(str(block.get("path", "")), old if isinstance(old, str) else None, new if isinstance(new, str) else "")


def _mapping(value: Any) -> "dict[str, Any]":
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _target(entry: Entry) -> str:
    raw = _mapping(entry.raw_input)
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


def _output(entry: Entry) -> str:
    parts: list[str] = []
    for block in entry.content:
        inner = block.get("content") if block.get("type") == "content" else block
        if isinstance(inner, dict):
            shape = cast("dict[str, Any]", inner)
            text = shape.get("text")
            if shape.get("type") == "text" and isinstance(text, str):
                parts.append(text)
    if not parts and isinstance(entry.raw_output, str):
        parts.append(entry.raw_output)
    if not parts:
        raw = _mapping(entry.raw_output)
        parts += [value for key in ("output", "stdout", "stderr", "text") if isinstance(value := raw.get(key), str)]
    return "\n".join(parts)


def _exit_code(raw_output: Any) -> int | None:
    raw = _mapping(raw_output)
    for key in ("exit_code", "exitCode", "exit"):
        value = raw.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def _delegating(entry: Entry, arguments: "dict[str, Any]") -> Delegating:
    reports = reports_of(entry.raw_output, entry.content)
    refused = reports[0] if reports and reports[0].status == "failed" and not reports[0].task_id else None
    failure = refused.message or refused.error_code if refused else failure_of(entry.raw_output)
    if not failure and status_of(entry) == "failed":
        failure = _output(entry)
    return Delegating(
        agent=str(arguments.get("agent_type") or ""),
        task=str(arguments.get("task") or ""),
        task_id=task_id_of(entry.raw_output, entry.content),
        failure=failure,
    )


def _polling(entry: Entry, arguments: "dict[str, Any]") -> Polling:
    asked = [str(each) for each in arguments.get("task_ids") or () if isinstance(each, str)]
    if isinstance(arguments.get("task_id"), str):
        asked.append(str(arguments["task_id"]))
    reports = reports_of(entry.raw_output, entry.content)
    known = {report.task_id: report.status for report in reports}
    ids = list(dict.fromkeys([*asked, *(report.task_id for report in reports if report.task_id)]))
    checks = tuple(Check(entry.created_ms, task_id, known.get(task_id, "")) for task_id in ids)
    is_open = status_of(entry) == "running"
    return Polling(checks, is_open, empty=is_open and not ids)


def _answered(entry: Entry, arguments: "dict[str, Any]") -> AnsweredRow | Hidden:
    questions = [_mapping(each) for each in arguments.get("questions") or () if _mapping(each)]
    if not questions:
        return Hidden()
    state, answers = answers_in(entry.raw_output, entry.content)
    picked = {str(answer.get("question", "")): answer for answer in answers}
    picks = tuple(
        (
            str(question.get("header") or question.get("question") or ""),
            _pick(picked.get(str(question.get("question")))),
        )
        for question in questions
    )
    is_open = status_of(entry) == "running" or state == "pending"
    closed: Literal["answered", "declined", "withdrawn"] = "answered"
    if state in {"declined", "withdrawn"}:
        closed = cast('Literal["declined", "withdrawn"]', state)
    return AnsweredRow(f"entry-{entry.seq}", picks, "open" if is_open else closed, entry.created_ms)


def _pick(answer: "dict[str, Any] | None") -> str:
    if answer is None:
        return ""
    chosen = [str(each) for each in answer.get("selected") or ()]
    other = answer.get("other")
    return ", ".join([*chosen, *([str(other)] if other else [])])
