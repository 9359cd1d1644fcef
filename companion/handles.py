"""Delegations as MCP Tasks: a report of ours as the extension `io.modelcontextprotocol/tasks` shows it (protocols 13).

Owns which state is which, and what a finished task carries; never asks the host. A failed or interrupted delegation is
`completed` with an error result: `failed` is for JSON-RPC errors, and a report is none. Waiting for a person is
`working`: what a delegated agent asks is answered at the host, never by the client (contract 5).
"""

from __future__ import annotations

from companion.rendering import ENDS, Plain, Result
from companion.shapes import is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    Fields = dict[str, Any]

POLL_MS: Final = 1_000
"""How often a client that does not listen should look."""
LONGEST_MESSAGE: Final = 500
_NO_TIME: Final = "1970-01-01T00:00:00.000Z"
_ORDINALS: Final = {1: "st", 2: "nd", 3: "rd"}


def created(report: Fields) -> Plain:
    """The answer to the call: a handle. The host has acknowledged the task, so it is durable (contract 6)."""
    return Plain(_handle(report), "task")


def shown(report: Fields) -> Fields:
    """The task in full: with its result once it has ended, unless it was cancelled."""
    task = _handle(report)
    if task["status"] == "completed":
        result = Result(None, report, is_error=report["status"] != "completed")
        task["result"] = {"resultType": "complete", **result.to_object()}
    return task


def state(report: Fields) -> tuple[Any, ...]:
    """What a listener is told the change of; what an agent does from second to second is not part of it."""
    marks = [report.get(name) for name in ("attempt", "started_at", "stopping", "queue_position")]
    return (report["status"], _part(report, "blocked_on").get("request_id"), *marks)


def is_starting(report: Fields) -> bool:
    """It has a slot; its agent gets ready."""
    return report["status"] == "running" and not report.get("started_at")


def is_restless(report: Fields) -> bool:
    """It will move up the queue or go on, which ends no wait at the host."""
    return report["status"] == "queued" or bool(report.get("blocked_on"))


def _handle(report: Fields) -> Fields:
    status: str = report["status"]
    task: Fields = {"taskId": report["task_id"], "status": _status(status)}
    message = _message(report)
    if message:
        task["statusMessage"] = message
    times = [report.get(name) for name in ("created_at", "started_at", "ended_at")]
    times += [_part(report, "blocked_on").get("since"), _part(report, "activity").get("at")]
    known = [time for time in times if isinstance(time, str)]
    task["createdAt"] = report.get("created_at") or min(known, default=_NO_TIME)
    # RFC 3339 in UTC with milliseconds throughout, so the order of the texts is that of the times.
    task["lastUpdatedAt"] = max(known, default=task["createdAt"])
    task["ttlMs"] = None
    task["pollIntervalMs"] = POLL_MS
    return task


def _status(status: str) -> str:
    if status == "canceled":
        return "cancelled"
    return "completed" if status in ENDS else "working"


def _message(report: Fields) -> str:
    """One line for the person or the model; of an end that brings a result, that result says it."""
    status: str = report["status"]
    if status in ENDS:
        text = str(report.get("message") or "") if status != "completed" else ""
    elif report.get("stopping"):
        text = "being stopped"
    elif blocked := _part(report, "blocked_on"):
        text = f"waits for the person before Codeg: {blocked.get('title') or blocked.get('kind') or 'a question'}"
    elif status == "queued":
        place = report.get("queue_position")
        text = f"queued ({place}{_ordinal(place)})" if isinstance(place, int) else "queued"
    elif is_starting(report):
        text = "starting"
    else:
        line = _part(report, "activity").get("line")
        text = f"running: {line}" if line else "running"
    return text if len(text) <= LONGEST_MESSAGE else text[: LONGEST_MESSAGE - 1] + "…"


def _part(report: Fields, name: str) -> Fields:
    part: Any = report.get(name)
    return part if is_object(part) else {}


def _ordinal(place: int) -> str:
    return "th" if place % 100 in (11, 12, 13) else _ORDINALS.get(place % 10, "th")
