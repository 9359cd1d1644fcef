"""From which phase a task may go where: the one table.

Rules of this page
1. Everything that decides whether an event may touch a task in a phase, and into which phases it may lead, stands in
   `TABLE`.
2. This page knows no limits, waits, clocks or effects: a row names the handler (`rows.py`) that does the work.
3. A pair that is not listed is illegal: `IllegalTransition` is raised before anything has changed.
4. What is merely late or repeated is a row (`drop`, `answer`), not an error. Child events of another attempt or of an
   unknown task never come this far; the ledger drops them.
5. The first end of an attempt is final: no row leads from a decided end to another one. The only way out of `ended` and
   `draining` is a resume (or the person's follow-up), which begins a new attempt (or puts the old end back as it was).

Ends here: it never runs anything.
"""

from dataclasses import dataclass

from codeg.broker.codes import Phase
from codeg.broker.events import (
    CallWithdrawn,
    CancelRequested,
    ChildBlocked,
    ChildFailed,
    ChildGone,
    ChildSpawned,
    ChildStartFailed,
    ChildUnblocked,
    FolderAnswered,
    FollowUpRequested,
    HostStarted,
    HostStopping,
    LeaseBegan,
    LeaseEnded,
    ParentCanceled,
    ParentGone,
    PromptAccepted,
    ResumeRequested,
    SessionReady,
    StartRequested,
    TurnEnded,
)


class IllegalTransition(Exception):
    """The event cannot have happened as things stand: a fault of the shell. Nothing has changed."""


@dataclass(frozen=True, slots=True)
class SlotFreed:
    """Of the ledger itself: both limits let the task start."""


@dataclass(frozen=True, slots=True)
class SlotDenied:
    """Of the ledger itself: no slot of its root can become free before it has run (contract 6, `live_limit`)."""


@dataclass(frozen=True, slots=True)
class RunTimeUp:
    """Of the ledger itself: the attempt has worked for `limit_s` seconds, less its waits for a person."""

    limit_s: float


@dataclass(frozen=True, slots=True)
class UnattendedTimeUp:
    """Of the ledger itself: nobody came back to the outside session for `limit_s` seconds."""

    limit_s: float


@dataclass(frozen=True, slots=True)
class Row:
    """What an event does to a task in a phase: the handler's name, and the phases it may lead to."""

    act: str
    goes: tuple[Phase, ...]


BIRTHS = (Phase.ASKING, Phase.QUEUED, Phase.STARTING)
"""Where an accepted `CallReceived` may put a new task."""

_ASKING, _QUEUED, _STARTING, _RUNNING = Phase.ASKING, Phase.QUEUED, Phase.STARTING, Phase.RUNNING
_STOPPING, _DRAINING, _ENDED = Phase.STOPPING, Phase.DRAINING, Phase.ENDED


def _rows(act: str, *goes: Phase) -> Row:
    return Row(act, goes)


def _all(row: Row, *events: type) -> dict[type, Row]:
    return dict.fromkeys(events, row)


_ENDERS = (CancelRequested, CallWithdrawn, ParentCanceled, ParentGone, UnattendedTimeUp)
_LATE_CHILD = (SessionReady, PromptAccepted, ChildStartFailed, TurnEnded, ChildFailed, ChildBlocked, ChildUnblocked)
_LATE_PARENT = (CallWithdrawn, ParentCanceled, ParentGone, LeaseEnded, LeaseBegan, FolderAnswered)

TABLE: dict[Phase, dict[type, Row]] = {
    _ASKING: {
        FolderAnswered: _rows("settle_folder", _QUEUED, _STARTING, _ENDED),
        **_all(_rows("end_waiting", _ENDED), *_ENDERS),
        LeaseEnded: _rows("unattend", _ASKING),
        LeaseBegan: _rows("attend", _ASKING),
        **_all(_rows("answer", _ASKING), ResumeRequested, StartRequested),
        FollowUpRequested: _rows("refuse_follow_up", _ASKING),
        HostStopping: _rows("interrupt", _ENDED),
        HostStarted: _rows("recover", _ENDED),
    },
    _QUEUED: {
        SlotFreed: _rows("start", _STARTING),
        StartRequested: _rows("start_now", _STARTING),
        SlotDenied: _rows("deny", _ENDED),
        **_all(_rows("end_waiting", _ENDED), *_ENDERS),
        LeaseEnded: _rows("unattend", _QUEUED),
        LeaseBegan: _rows("attend", _QUEUED),
        ResumeRequested: _rows("answer", _QUEUED),
        FollowUpRequested: _rows("refuse_follow_up", _QUEUED),
        HostStopping: _rows("interrupt", _ENDED),
        HostStarted: _rows("recover", _ENDED),
        **_all(_rows("drop", _QUEUED), FolderAnswered, ChildGone, ChildUnblocked),
    },
    _STARTING: {
        ChildSpawned: _rows("note_process", _STARTING),
        SessionReady: _rows("prompt", _STARTING),
        PromptAccepted: _rows("run", _RUNNING),
        ChildStartFailed: _rows("fail_start", _DRAINING),
        TurnEnded: _rows("end_turn", _DRAINING),
        ChildFailed: _rows("fail", _DRAINING),
        ChildGone: _rows("vanish", _ENDED),
        ChildBlocked: _rows("block", _STARTING),
        ChildUnblocked: _rows("unblock", _STARTING),
        **_all(_rows("stop", _STOPPING), *_ENDERS),
        LeaseEnded: _rows("unattend", _STARTING),
        LeaseBegan: _rows("attend", _STARTING),
        ResumeRequested: _rows("join_resume", _STARTING),
        FollowUpRequested: _rows("refuse_follow_up", _STARTING),
        StartRequested: _rows("answer", _STARTING),
        HostStopping: _rows("interrupt", _DRAINING),
        HostStarted: _rows("recover", _ENDED),
        FolderAnswered: _rows("drop", _STARTING),
    },
    _RUNNING: {
        TurnEnded: _rows("end_turn", _DRAINING),
        **_all(_rows("fail", _DRAINING), ChildFailed, ChildStartFailed),
        ChildGone: _rows("vanish", _ENDED),
        ChildBlocked: _rows("block", _RUNNING),
        ChildUnblocked: _rows("unblock", _RUNNING),
        **_all(_rows("stop", _STOPPING), CancelRequested, ParentCanceled, ParentGone, UnattendedTimeUp, RunTimeUp),
        LeaseEnded: _rows("unattend", _RUNNING),
        LeaseBegan: _rows("attend", _RUNNING),
        **_all(_rows("answer", _RUNNING), ResumeRequested, StartRequested),
        FollowUpRequested: _rows("refuse_follow_up", _RUNNING),
        HostStopping: _rows("interrupt", _DRAINING),
        HostStarted: _rows("recover", _ENDED),
        **_all(_rows("drop", _RUNNING), CallWithdrawn, FolderAnswered, ChildSpawned, SessionReady, PromptAccepted),
    },
    _STOPPING: {
        ChildSpawned: _rows("note_process", _STOPPING),
        SessionReady: _rows("note_session", _STOPPING),
        PromptAccepted: _rows("note_prompt", _STOPPING),
        **_all(_rows("keep_words", _STOPPING), TurnEnded, ChildFailed),
        ChildGone: _rows("finish", _ENDED),
        CancelRequested: _rows("await_gone", _STOPPING),
        **_all(_rows("answer", _STOPPING), ResumeRequested, StartRequested),
        FollowUpRequested: _rows("refuse_follow_up", _STOPPING),
        HostStarted: _rows("recover", _ENDED),
        **_all(_rows("drop", _STOPPING), HostStopping, ChildStartFailed, ChildBlocked, ChildUnblocked, *_LATE_PARENT),
    },
    _DRAINING: {
        ChildSpawned: _rows("note_process", _DRAINING),
        SessionReady: _rows("note_session", _DRAINING),
        PromptAccepted: _rows("note_prompt", _DRAINING),
        ChildGone: _rows("release", _ENDED, _QUEUED, _STARTING),
        ResumeRequested: _rows("resume", _DRAINING),
        FollowUpRequested: _rows("follow_up", _DRAINING),
        StartRequested: _rows("answer", _DRAINING),
        CancelRequested: _rows("answer_ended", _DRAINING),
        **_all(_rows("forgo_resume", _DRAINING), ParentCanceled, ParentGone, HostStopping),
        HostStarted: _rows("recover", _ENDED),
        **_all(_rows("drop", _DRAINING), ChildStartFailed, TurnEnded, ChildFailed, ChildBlocked, ChildUnblocked),
        **_all(_rows("drop", _DRAINING), CallWithdrawn, LeaseEnded, LeaseBegan, FolderAnswered),
    },
    _ENDED: {
        ResumeRequested: _rows("resume", _ENDED, _QUEUED, _STARTING),
        FollowUpRequested: _rows("follow_up", _ENDED, _QUEUED, _STARTING),
        **_all(_rows("answer", _ENDED), CancelRequested, StartRequested),
        **_all(_rows("drop", _ENDED), ChildSpawned, ChildGone, HostStarted, HostStopping, *_LATE_CHILD, *_LATE_PARENT),
    },
}


def row_of(phase: Phase, event: object) -> Row:
    """The row of this pair.

    Raises:
        IllegalTransition: the pair is not listed.
    """
    row = TABLE[phase].get(type(event))
    if row is None:
        raise IllegalTransition(f"{type(event).__name__} cannot happen to a task that is {phase.value}.")
    return row


def mermaid() -> str:
    """The table as a Mermaid state diagram; rows that stay in their phase are left out."""
    lines = ["stateDiagram-v2"]
    lines += [f"    [*] --> {phase.value}: CallReceived" for phase in BIRTHS]
    for phase, rows in TABLE.items():
        edges: dict[Phase, list[str]] = {}
        for event, row in rows.items():
            for goes in row.goes:
                if goes is not phase:
                    edges.setdefault(goes, []).append(event.__name__)
        lines += [
            f"    {phase.value} --> {goes.value}: {', '.join(sorted(edges[goes]))}" for goes in Phase if goes in edges
        ]
    lines.append("    ended --> [*]")
    return "\n".join(lines) + "\n"
