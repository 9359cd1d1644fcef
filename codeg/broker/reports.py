"""Reports: what the outside reads of a task (contract 6, Report).

Owns the shape of a report and nothing else: pure functions from a task's view, a slice of its text and its child's
activity to a JSON object. Sizes are the concern of `report_fit`, sentences that of `report_words`. It asks no clock and
no store.
"""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Protocol

from codeg.broker.codes import END_STATUSES, Status
from codeg.broker.report_text import TextSlice, clean
from codeg.broker.report_words import UNKNOWN, acknowledged, message_of
from codeg.broker.tasks import Answer, Block, Refused, TaskView, Unknown, Usage

Report = dict[str, Any]


class Doing(Protocol):
    """What a live child does now. `line`: one line; `at_ms`: epoch milliseconds of its latest sign."""

    @property
    def line(self) -> str:
        """Its latest text, thought or tool."""
        ...

    @property
    def at_ms(self) -> int:
        """When it last gave a sign."""
        ...

    @property
    def tool_calls(self) -> int:
        """Tool calls of the turn."""
        ...

    @property
    def usage(self) -> Usage | None:
        """What it has used so far, where it says so."""
        ...


def report_of(
    answer: Answer, *, activity: Doing | None = None, text: TextSlice | None = None, acknowledge: bool = False
) -> Report:
    """The report of one answer of the ledger.

    `text` is shown for ended tasks that wrote any; `acknowledge`: the message begins with `task_id=<id>`, for
    delegate_to_agent. Messages are kept whole; `report_fit.fit` cuts and says how to ask on.
    """
    match answer:
        case Unknown(task_id=task_id):
            return {"task_id": task_id, "status": Status.UNKNOWN.value, "message": UNKNOWN}
        case Refused(view=view):
            unchanged = {} if view is None else _task(view, None, text)
            return unchanged | refusal(answer) | ({} if view is None else {"status": view.status.value})
        case view:
            report = _task(view, activity, text)
            if acknowledge:
                report["message"] = acknowledged(view.record.task_id, report["message"])
            return report


def refusal(refused: Refused) -> Report:
    """A call that was understood and did not happen: a status, a code and a sentence, no id (contract 5)."""
    return {"status": refused.status.value, "error_code": refused.code.value, "message": clean(refused.message)}


def bare(answer: Answer) -> Report:
    """The least of a report: id and status. What remains of each when very many are asked for."""
    match answer:
        case Unknown(task_id=task_id):
            return {"task_id": task_id, "status": Status.UNKNOWN.value}
        case Refused(view=view):
            return {"status": answer.status.value} if view is None else bare(view)
        case view:
            return {"task_id": view.record.task_id, "status": view.status.value}


def text_size(answer: Answer) -> int:
    """Bytes of the whole text that the report of this answer may show; 0 while it works."""
    view = answer.view if isinstance(answer, Refused) else answer
    if not isinstance(view, TaskView) or view.status not in END_STATUSES or view.record.end is None:
        return 0
    return view.record.end.text_bytes


def rfc3339(epoch_ms: int) -> str:
    """The moment in UTC with milliseconds: `2026-01-31T09:30:00.125Z`."""
    seconds, milliseconds = divmod(epoch_ms, 1000)
    day, seconds = divmod(seconds, 86_400)
    return f"{_date(day)}T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{milliseconds:03}Z"


@lru_cache(maxsize=64)
def _date(day: int) -> str:
    return datetime.fromtimestamp(day * 86_400, UTC).date().isoformat()


def _task(view: TaskView, activity: Doing | None, text: TextSlice | None) -> Report:
    record = view.record
    report: Report = {"task_id": record.task_id}
    if record.parent_task_id is not None:
        report["parent_task_id"] = record.parent_task_id
    report["status"] = view.status.value
    if view.stopping:
        report["stopping"] = True
    if record.unattended:
        report["unattended"] = True
    report["agent_type"] = record.agent_type
    report["child_conversation_id"] = record.child_id
    report["attempt"] = record.attempt
    if view.status in END_STATUSES:
        _ended(report, view, text)
    else:
        _live(report, view, activity)
    report["created_at"] = rfc3339(record.created_ms)
    if record.started_ms is not None:
        report["started_at"] = rfc3339(record.started_ms)
    if view.status in END_STATUSES and record.ended_ms is not None:
        report["ended_at"] = rfc3339(record.ended_ms)
        if record.started_ms is not None:
            report["duration_ms"] = max(0, record.ended_ms - record.started_ms)
    return report


def _ended(report: Report, view: TaskView, text: TextSlice | None) -> None:
    end = view.record.end
    if end is not None:
        if end.text_bytes:
            _text(report, text, end.text_bytes)
        if end.code is not None:
            report["error_code"] = end.code.value
        if end.usage is not None:
            _usage(report, end.usage)
    report["message"] = clean(message_of(view))


def _live(report: Report, view: TaskView, activity: Doing | None) -> None:
    report["message"] = clean(message_of(view))
    if view.blocks:
        report["blocked_on"] = _blocked_on(view.blocks[0])
    if activity is not None:
        report["activity"] = {
            "line": clean(activity.line),
            "at": rfc3339(activity.at_ms),
            "tool_calls": activity.tool_calls,
        }
        if activity.usage is not None:
            _usage(report, activity.usage)
    if view.queue_position is not None:
        report["queue_position"] = view.queue_position


def _text(report: Report, text: TextSlice | None, whole: int) -> None:
    """Without a slice, only the size and where to begin are told."""
    report["text_bytes"] = whole
    if text is None:
        report["next_offset"] = 0
        return
    report["text"] = text.data.decode("utf-8", "replace")
    report["text_offset"] = text.offset
    if text.offset + len(text.data) < whole:
        report["next_offset"] = text.offset + len(text.data)


def _blocked_on(block: Block) -> dict[str, Any]:
    return {
        "kind": block.kind.value,
        "request_id": block.request_id,
        "title": clean(block.title),
        "since": rfc3339(block.since_ms),
    }


def _usage(report: Report, usage: Usage) -> None:
    pairs = (
        ("input_tokens", usage.input_tokens),
        ("output_tokens", usage.output_tokens),
        ("context_used", usage.context_used),
        ("context_size", usage.context_size),
    )
    shown: dict[str, Any] = {name: value for name, value in pairs if value is not None}
    if usage.cost_amount is not None:
        currency = {} if usage.cost_currency is None else {"currency": usage.cost_currency}
        shown["cost"] = {"amount": usage.cost_amount, **currency}
    if shown:
        report["usage"] = shown
