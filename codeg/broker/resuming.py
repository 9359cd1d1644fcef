"""Whether an ended task may go on, and the beginning of its next attempt (contract 6, resume_delegation).

Owns these rules only. The attempt becomes a queued one like any other; what its agent answers is the business of the
rows.
"""

from dataclasses import replace

from codeg.broker.book import Book
from codeg.broker.cells import Cell
from codeg.broker.codes import LIVE_PHASES, RESUMABLE_FAILURES, Code, Phase, Status
from codeg.broker.events import FollowUpRequested, ResumeRequested
from codeg.broker.limits import is_nested
from codeg.broker.tasks import End, Refused, TaskRecord


def why_not(book: Book, cell: Cell, event: ResumeRequested | FollowUpRequested) -> Refused | None:
    """Why this ended task is not resumed now, with its unchanged view; None if only slots can stand in the way."""
    record = cell.record
    follows = isinstance(event, FollowUpRequested)
    reason = _no_follow_up(record) if follows else _not_resumed(record)
    reason = reason or _unavailable(book, record)
    if follows and (cell.resumes or cell.resume_pending):
        return not_ended(book, cell)
    if book.stopping:
        return _refused(book, cell, Code.HOST_UNAVAILABLE, "The host is ending.")
    if reason is not None:
        return _refused(book, cell, Code.RESUME_UNAVAILABLE, reason)
    if event.refusal is not None:
        return _refused(book, cell, Code.RESUME_UNAVAILABLE, event.refusal[1])
    if not book.limits.enabled:
        return _refused(book, cell, Code.DELEGATION_DISABLED, "Delegation is switched off in the settings.")
    if record.depth > book.limits.depth_limit:
        message = f"The task is at depth {record.depth}; the setting depth_limit allows {book.limits.depth_limit}."
        return _refused(book, cell, Code.DEPTH_LIMIT, message)
    return None


def not_ended(book: Book, cell: Cell) -> Refused:
    """A follow-up is for an ended task."""
    return _refused(book, cell, Code.CONFLICT, "The task is at work; leave a note for its agent instead.")


def begin(book: Book, cell: Cell) -> None:
    """Queue the next attempt, or answer the askers that the limits do not let it wait. The earlier tree is gone."""
    record = cell.record
    attended, cell.resume_attended, cell.resume_pending = cell.resume_attended, False, False
    follow_up, cell.follow_up = cell.follow_up or record.follow_up, None
    refused = over_limits(book, record.parent_id, record.root_id, nested=is_nested(record), asks=False)
    if refused is not None:
        book.answer_all(cell.resumes, _refused(book, cell, refused.code, refused.message))
        return
    cell.before = record
    cell.worked_s = 0.0
    unattended = record.unattended and not attended
    again = replace(
        record,
        phase=Phase.QUEUED,
        attempt=record.attempt + 1,
        earlier=record.end,
        earlier_ended_ms=record.ended_ms,
        end=None,
        started_ms=None,
        ended_ms=None,
        process=None,
        unattended=unattended,
        follow_up=follow_up,
    )
    book.change(cell, again, age=book.next_age())
    cell.unattended_since = book.now.mono if unattended else None
    book.watch_lease(cell)
    book.resumed.append(cell)


def answer_queued(book: Book) -> None:
    """Those whose resume has to wait for a slot are told so at once."""
    for cell in book.resumed:
        if cell.record.phase is Phase.QUEUED:
            book.answer_all(cell.resumes, cell)


def over_limits(book: Book, parent_id: str, root_id: str, *, nested: bool, asks: bool) -> Refused | None:
    """What the live limits and the queue have against one more task.

    `asks`: it waits for the person's word on its folder first.
    """
    slots = book.slots
    if nested and slots.root_full(root_id):
        message = (
            f"All {slots.live_of_root(root_id)} slots of the root session (setting live_per_root) are taken, and a "
            "nested call does not wait for one, since its own parent may hold it. Call again when a task has ended."
        )
        return Refused(Code.LIVE_LIMIT, message)
    if slots.queue_full(parent_id, root_id, asks=asks):
        waiting = slots.waiting_of_root(root_id)
        message = f"{waiting} tasks of the root session wait already (setting queue_limit). Call again later."
        return Refused(Code.QUEUE_FULL, message)
    return None


def _not_resumed(record: TaskRecord) -> str | None:
    end = record.end
    assert end is not None
    if _allowed(end):
        return None
    return f"A task that ended as {end.status.value}{f' ({end.code.value})' if end.code else ''} is not resumed."


def _no_follow_up(record: TaskRecord) -> str | None:
    return None if record.prompt_accepted else "Its agent never took its task, so there is nothing to go on with."


def _unavailable(book: Book, record: TaskRecord) -> str | None:
    if record.folder_question is not None:  # a resume is no way round the person's word
        return f"The user has not allowed work in {record.working_dir}."
    if record.prompt_accepted and (record.resume_via == "none" or not record.agent_session_id):
        return "Its agent cannot re-attach an earlier session."
    if record.parent_task_id is not None:
        above = book.cells.get(record.parent_task_id)
        if above is None or above.record.phase not in LIVE_PHASES:
            return "The task that asked for it has ended."
    return None


def _allowed(end: End) -> bool:
    if end.status is Status.FAILED:
        return end.code in RESUMABLE_FAILURES
    return end.status in (Status.CANCELED, Status.INTERRUPTED)


def _refused(book: Book, cell: Cell, code: Code, message: str) -> Refused:
    view = book.view(cell)
    return Refused(code, message, view.status, view)
