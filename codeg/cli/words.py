"""How the command line says things: states with a sign, ages, one line a task. No output here.

Every state has a word and a sign; colour only repeats them.
"""

import re
from dataclasses import dataclass
from typing import Any

Report = dict[str, Any]
_CONTROL = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]"  # control sequences
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\Z)"  # titles, links and other strings for the terminal
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
    r"|[\u202a-\u202e\u2066-\u2069]",  # overrides of the reading direction
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class State:
    """A state as shown: sign, word, colour (a rich style)."""

    sign: str
    word: str
    style: str


_STATES = {
    "queued": State("…", "queued", "dim"),
    "starting": State("○", "starting", "cyan"),
    "running": State("●", "running", "cyan"),
    "stopping": State("■", "stopping", "yellow"),
    "blocked": State("?", "waits for you", "bold yellow"),
    "completed": State("✓", "completed", "green"),
    "failed": State("✗", "failed", "bold red"),
    "canceled": State("■", "canceled", "yellow"),
    "interrupted": State("!", "interrupted", "magenta"),
    "unknown": State("-", "unknown", "dim"),
}


def safe(text: str) -> str:
    """Text of an agent without control characters and escape sequences; line ends stay."""
    return _CONTROL.sub("", text)


def on_one_line(text: str) -> str:
    """The same without line ends."""
    return " ".join(safe(text).split("\n")).replace("\t", " ").strip()


def state(report: Report) -> State:
    """The state to show for a report."""
    status = str(report.get("status", "unknown"))
    if status in {"running", "queued"} and report.get("blocked_on"):
        return _STATES["blocked"]
    if status == "running" and report.get("stopping"):
        return _STATES["stopping"]
    if status == "running" and not report.get("started_at"):
        return _STATES["starting"]
    return _STATES.get(status, _STATES["unknown"])


def elapsed(report: Report) -> str:
    """How long it ran, where the report says."""
    duration = report.get("duration_ms")
    return age(duration / 1000) if isinstance(duration, int | float) else ""


def age(seconds: float) -> str:
    """Seconds as people say them."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h"


def last_line(report: Report) -> str:
    """What stands behind the state: the block, the error, or what the child does now."""
    blocked = report.get("blocked_on")
    if blocked and report.get("status") in {"running", "queued"}:
        return on_one_line(str(blocked.get("title") or blocked.get("kind")))
    if report.get("status") == "queued":
        return f"position {report.get('queue_position', '?')}"
    if report.get("status") == "running":
        activity: Report = report.get("activity") or {}
        return on_one_line(str(activity.get("line", "")))
    if report.get("error_code"):
        first = safe(str(report.get("message", ""))).strip().split("\n", 1)[0]
        return f"{report['error_code']}: {first}" if first else str(report["error_code"])
    text = safe(str(report.get("text", ""))).strip()
    return text.split("\n", 1)[0]


def why(end: Report) -> str:
    """Why a run did not end well, as far as its own turn goes; empty when it did."""
    if end.get("message"):
        return safe(str(end["message"]))
    reason = str(end.get("stop_reason", ""))
    if reason == "cancelled":
        return "The turn was cancelled."
    return "" if reason == "end_turn" else f"The turn ended early: {on_one_line(reason)}."


def one_line(report: Report) -> str:
    """A task on one plain line."""
    shown = state(report)
    names = [str(report.get("task_id", "")), str(report.get("agent_type", ""))]
    parts = [f"[{shown.sign} {shown.word}]", *names, elapsed(report)]
    return "  ".join(part for part in [*parts, last_line(report)[:100]] if part)
