"""How attempts end: from what happened to an `End` (contract 6, Status and Codes; B10, B12, B37).

Owns the mapping and its sentences. Never decides whether an end applies.
"""

from dataclasses import replace

from codeg.broker.codes import Code, Status
from codeg.broker.events import (
    CallWithdrawn,
    CancelRequested,
    ChildFailed,
    ChildStartFailed,
    HostStarted,
    HostStopping,
    ParentCanceled,
    ParentGone,
    TurnEnded,
)
from codeg.broker.gist import gist_of
from codeg.broker.tasks import End, TaskRecord, Work
from codeg.broker.transitions import RunTimeUp, SlotDenied, UnattendedTimeUp

Cause = (
    CancelRequested
    | CallWithdrawn
    | ParentCanceled
    | ParentGone
    | UnattendedTimeUp
    | RunTimeUp
    | SlotDenied
    | HostStopping
    | HostStarted
)
"""What can end a task other than its own child."""

_INCOMPLETE = "\nThe text is what it had written until then; it is incomplete."

_BAD_STOPS = {
    "refusal": (Code.CHILD_REFUSAL, "The agent refused to go on."),
    "max_tokens": (Code.CHILD_MAX_TOKENS, "The agent reached its token limit before it was done."),
    "max_turn_requests": (
        Code.CHILD_MAX_TURN_REQUESTS,
        "The agent reached its limit of requests in a turn before it was done.",
    ),
    "cancelled": (Code.CHILD_UNKNOWN, "The agent says that its turn was cancelled, but nobody here cancelled it."),
}


def words(text: bytes) -> bytes:
    """The text, or nothing where it is blank."""
    return text if text.strip() else b""


def of_turn(event: TurnEnded) -> End:
    """The end that the agent's answer to its prompt means.

    Only `end_turn` is a completion, and only if anything was done.
    """
    return with_work(_of_turn(event), event.work or Work(event.tool_calls))


def _of_turn(event: TurnEnded) -> End:
    if event.stop_reason == "end_turn":
        return _of_good_turn(event)
    unknown = (
        Code.CHILD_UNKNOWN,
        f"The agent ended its turn for a reason that is not known here: {event.stop_reason[:100]!r}.",
    )
    code, message = _BAD_STOPS.get(event.stop_reason, unknown)
    if event.stop_reason == "cancelled" and event.note:
        message = f"{message} {event.note}"
    return End(Status.FAILED, code, message + (_INCOMPLETE if words(event.text) else ""), usage=event.usage)


def _of_good_turn(event: TurnEnded) -> End:
    if words(event.text):
        return End(Status.COMPLETED, usage=event.usage)
    if event.tool_calls == 0:
        return End(
            Status.FAILED,
            Code.CHILD_EMPTY,
            "The agent ended its turn without a text or a tool call.",
            usage=event.usage,
        )
    calls = "one tool call" if event.tool_calls == 1 else f"{event.tool_calls} tool calls"
    note = f" {event.note}" if event.note else ""
    return End(
        Status.COMPLETED,
        message=f"The agent made {calls} and ended its turn without a final text.{note}",
        usage=event.usage,
    )


def of_failure(event: ChildFailed | ChildStartFailed) -> End:
    """The agent failed, in its turn or before it."""
    if isinstance(event, ChildStartFailed):
        return End(Status.FAILED, event.code, event.message)
    message = event.message + (_INCOMPLETE if words(event.text) else "")
    return with_work(End(Status.FAILED, event.code, message, usage=event.usage), event.work)


def of_vanishing() -> End:
    """The process tree is gone and nobody said why."""
    return End(Status.FAILED, Code.AGENT_CRASHED, "The agent's processes are gone, and it had not ended its turn.")


def refused_folder(folder: str) -> End:
    """The person said no (contract 6, `outside_folder`)."""
    return End(Status.CANCELED, Code.CANCELED, f"Canceled: the user did not allow work in {folder}.")


def of_cause(event: Cause) -> End:
    """The end that something other than the task's own child decides."""
    match event:
        case CallWithdrawn(reason=reason):
            because = f": {reason}" if reason else "."
            return End(
                Status.CANCELED, Code.CANCELED, f"Canceled: the call was taken back before the agent had begun{because}"
            )
        case CancelRequested():
            return End(Status.CANCELED, Code.CANCELED, "Canceled by request.")
        case ParentCanceled():
            return End(Status.CANCELED, Code.CANCELED, "Canceled: the user canceled the turn that it belongs to.")
        case ParentGone():
            return End(Status.CANCELED, Code.PARENT_GONE, "Canceled: the session that asked for it has ended.")
        case UnattendedTimeUp(limit_s=limit_s):
            return End(
                Status.CANCELED,
                Code.CANCELED,
                f"Canceled: its session was without a companion for {_seconds(limit_s)}.",
            )
        case RunTimeUp(limit_s=limit_s):
            return End(
                Status.FAILED, Code.RUN_TIMEOUT, f"Stopped after {_seconds(limit_s)} of work, the limit run_timeout_s."
            )
        case SlotDenied():
            return End(
                Status.FAILED,
                Code.LIVE_LIMIT,
                "Not started: all slots of the root session are held by tasks that wait for others.",
            )
        case _:
            return End(Status.INTERRUPTED, message="Interrupted: the host ended while the task was not done.")


def with_text(end: End, record: TaskRecord, text: bytes) -> End:
    """The end with size and gist of what is stored.

    A resume that never got a session leaves the earlier attempt's text, and so its size.
    """
    if text:
        return replace(end, text_bytes=len(text), gist=gist_of(text))
    if record.earlier is not None and not end.text_bytes:
        return replace(end, text_bytes=record.earlier.text_bytes, gist=record.earlier.gist)
    return end


def with_work(end: End, work: Work | None) -> End:
    """The end with what the attempt did, where that is known."""
    if work is None:
        return end
    return replace(end, tool_calls=work.tool_calls, files=work.files, added=work.added, removed=work.removed)


def _seconds(seconds: float) -> str:
    return f"{seconds:g} s"
