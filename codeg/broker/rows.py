"""What each row of the table does to a task.

Owns the handlers that `transitions.TABLE` names, one short function each, and `step`, which picks one. A handler that
finds its event impossible raises before it changes anything. Never answers questions (`waiting.py`); how a task comes
to its end stands in `endings.py`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from codeg.broker import ends, resuming, waiting
from codeg.broker.book import CANCEL_WAIT_S, RESUME_WAIT_S, Book
from codeg.broker.cells import Cell
from codeg.broker.codes import LIVE_PHASES, Code, Phase, Status
from codeg.broker.effects import SendPrompt, SpawnChild, WithdrawAsk
from codeg.broker.endings import decide, put_back, show
from codeg.broker.ends import Cause
from codeg.broker.events import (
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
    PromptAccepted,
    ResumeRequested,
    SessionReady,
    StartRequested,
    TurnEnded,
)
from codeg.broker.limits import is_nested
from codeg.broker.tasks import Refused
from codeg.broker.transitions import IllegalTransition, SlotDenied, SlotFreed, row_of


def step(book: Book, cell: Cell, event: object) -> None:
    """Apply an event to one task by its row.

    Raises:
        IllegalTransition: it cannot have happened; nothing has changed.
    """
    HANDLERS[row_of(cell.record.phase, event).act](book, cell, event)


def _drop(_book: Book, _cell: Cell, _event: object) -> None:
    """Late or repeated: nothing."""


def _answer(book: Book, cell: Cell, event: CancelRequested | ResumeRequested | StartRequested) -> None:
    book.out.reply(event.ref, cell)


# Before anything is started.


def _settle_folder(book: Book, cell: Cell, event: FolderAnswered) -> None:
    record = cell.record
    book.drop_blocks(cell)
    if not event.allowed:
        show(book, cell, ends.refused_folder(record.working_dir))
    elif is_nested(record) and book.slots.root_full(record.root_id):
        show(book, cell, ends.of_cause(SlotDenied()))
    else:
        book.change(cell, replace(record, phase=Phase.QUEUED, folder_question=None))


def _end_waiting(book: Book, cell: Cell, event: Cause) -> None:
    for request_id in cell.blocks:
        book.out.act(WithdrawAsk(cell.record.task_id, request_id))
    show(book, cell, ends.of_cause(event), cause=event)
    if isinstance(event, CancelRequested):
        book.out.reply(event.ref, cell)


def _start_now(book: Book, cell: Cell, event: StartRequested) -> None:
    _start(book, cell, event)
    book.out.reply(event.ref, cell)


def _start(book: Book, cell: Cell, _event: SlotFreed | StartRequested) -> None:
    record = replace(cell.record, phase=Phase.STARTING)
    cell.tree = record.attempt
    cell.prompt_sent = False
    book.change(cell, record)
    book.out.act(SpawnChild(record, resume=record.prompt_accepted))


def _deny(book: Book, cell: Cell, event: SlotDenied) -> None:
    if cell.before is None:
        show(book, cell, ends.of_cause(event))
    else:
        put_back(book, cell, cell.before, Refused(Code.LIVE_LIMIT, ends.of_cause(event).message or ""))


# While the agent starts.


def _note_process(book: Book, cell: Cell, event: ChildSpawned) -> None:
    if cell.record.process != event.process:
        book.change(cell, replace(cell.record, process=event.process))


def _note_session(book: Book, cell: Cell, event: SessionReady) -> None:
    book.change(cell, replace(cell.record, agent_session_id=event.agent_session_id, resume_via=event.resume_via))


def _note_prompt(book: Book, cell: Cell, _event: PromptAccepted) -> None:
    taken = replace(cell.record, prompt_accepted=True, follow_up=None)
    if cell.prompt_sent and taken != cell.record:
        book.change(cell, taken)


def _prompt(book: Book, cell: Cell, event: SessionReady) -> None:
    if cell.prompt_sent:
        return
    record = cell.record
    cell.prompt_sent = True
    cell.before = None
    ready = replace(
        record,
        agent_session_id=event.agent_session_id,
        resume_via=event.resume_via,
        earlier=None,
        earlier_ended_ms=None,
    )
    # The earlier attempt's text was kept for the case that it had to be put back; it is no result of this one.
    book.change(cell, ready, b"" if record.earlier is not None and record.earlier.text_bytes else None)
    text = record.follow_up if record.prompt_accepted else record.task_text
    book.out.act(SendPrompt(record.task_id, record.attempt, text))
    book.answer_all(cell.resumes, cell)


def _run(book: Book, cell: Cell, event: PromptAccepted) -> None:
    _need_prompt(cell, event)
    taken = replace(cell.record, prompt_accepted=True, follow_up=None)
    book.change(cell, replace(taken, phase=Phase.RUNNING, started_ms=book.now.wall_ms))
    book.start_clock(cell)


def _fail_start(book: Book, cell: Cell, event: ChildStartFailed) -> None:
    if event.code is Code.RESUME_UNAVAILABLE and cell.before is not None:
        put_back(book, cell, cell.before, Refused(event.code, event.message))
    else:
        show(book, cell, ends.of_failure(event))


# At work.


def _end_turn(book: Book, cell: Cell, event: TurnEnded) -> None:
    _need_prompt(cell, event)
    record = cell.record
    if record.phase is Phase.STARTING:  # its acceptance was overtaken by its end
        book.change(cell, replace(record, prompt_accepted=True, follow_up=None, started_ms=book.now.wall_ms))
    show(book, cell, ends.of_turn(event), ends.words(event.text))


def _fail(book: Book, cell: Cell, event: ChildFailed | ChildStartFailed) -> None:
    text = event.text if isinstance(event, ChildFailed) else b""
    show(book, cell, ends.of_failure(event), ends.words(text))


def _vanish(book: Book, cell: Cell, event: ChildGone) -> None:
    cell.tree = 0
    end = ends.with_work(replace(ends.of_vanishing(), usage=event.usage), event.work)
    show(book, cell, end, ends.words(event.text))


def _block(book: Book, cell: Cell, event: ChildBlocked) -> None:
    if book.add_block(cell, event.block):
        waiting.tell_block(book, cell)


def _unblock(book: Book, cell: Cell, event: ChildUnblocked) -> None:
    book.drop_block(cell, event.request_id)


# Towards the end.


def _stop(book: Book, cell: Cell, event: Cause) -> None:
    decide(book, cell, ends.of_cause(event), event)
    if isinstance(event, CancelRequested):
        _await_gone(book, cell, event)


def _await_gone(book: Book, cell: Cell, event: CancelRequested) -> None:
    if book.stopping:
        book.out.reply(event.ref, cell)
    else:
        book.await_answer(event.ref, cell, cell.cancels, CANCEL_WAIT_S)


def _keep_words(book: Book, cell: Cell, event: TurnEnded | ChildFailed) -> None:
    text = ends.words(event.text)
    end = cell.record.end
    assert end is not None
    kept = ends.with_work(replace(ends.with_text(end, cell.record, text), usage=event.usage or end.usage), event.work)
    book.change(cell, replace(cell.record, end=kept), text or None)


def _finish(book: Book, cell: Cell, event: ChildGone) -> None:
    end = cell.record.end
    assert end is not None
    cell.tree = 0
    has_words = end.text_bytes > 0 and cell.record.earlier is None
    text = b"" if has_words else ends.words(event.text)
    show(book, cell, ends.with_work(replace(end, usage=event.usage or end.usage), event.work), text)


def _release(book: Book, cell: Cell, event: ChildGone) -> None:
    record, end = cell.record, cell.record.end
    assert end is not None
    text = b""
    if end.status is Status.INTERRUPTED and not end.text_bytes and cell.tree == record.attempt:
        text = ends.words(event.text)  # unknown when the host began to end
        end = ends.with_work(replace(ends.with_text(end, record, text), usage=event.usage), event.work)
    cell.tree = 0
    book.change(cell, replace(record, phase=Phase.ENDED, end=end, process=None), text or None)
    if cell.resume_pending:
        resuming.begin(book, cell)


# Resume.


def _resume(book: Book, cell: Cell, event: ResumeRequested) -> None:
    refused = resuming.why_not(book, cell, event)
    if refused is not None:
        book.out.reply(event.ref, refused)
        return
    cell.resume_attended = cell.resume_attended or event.readers is not None
    _go_on(book, cell, event)


def _follow_up(book: Book, cell: Cell, event: FollowUpRequested) -> None:
    refused = resuming.why_not(book, cell, event)
    if refused is not None:
        book.out.reply(event.ref, refused)
        return
    cell.follow_up = event.text
    _go_on(book, cell, event)


def _refuse_follow_up(book: Book, cell: Cell, event: FollowUpRequested) -> None:
    book.out.reply(event.ref, resuming.not_ended(book, cell))


def _go_on(book: Book, cell: Cell, event: ResumeRequested | FollowUpRequested) -> None:
    book.await_answer(event.ref, cell, cell.resumes, RESUME_WAIT_S)
    if cell.record.phase is Phase.DRAINING:
        cell.resume_pending = True
    else:
        resuming.begin(book, cell)


def _join_resume(book: Book, cell: Cell, event: ResumeRequested) -> None:
    if cell.before is None:
        book.out.reply(event.ref, cell)
    else:
        book.await_answer(event.ref, cell, cell.resumes, RESUME_WAIT_S)


def _forgo_resume(book: Book, cell: Cell, _event: object) -> None:
    cell.resume_pending = cell.resume_attended = False
    cell.follow_up = None
    book.answer_all(cell.resumes, cell)


def _answer_ended(book: Book, cell: Cell, event: CancelRequested) -> None:
    _forgo_resume(book, cell, event)
    book.out.reply(event.ref, cell)


# The host and the leases of outside sessions.


def _interrupt(book: Book, cell: Cell, event: HostStopping) -> None:
    for request_id in cell.blocks if cell.record.phase is Phase.ASKING else ():
        book.out.act(WithdrawAsk(cell.record.task_id, request_id))
    show(book, cell, ends.of_cause(event), cancel_turn=cell.prompt_sent)


def _recover(book: Book, cell: Cell, event: HostStarted) -> None:
    record = cell.record
    end = ends.of_cause(event) if record.phase in LIVE_PHASES else record.end
    assert end is not None
    known = end.text_bytes or record.phase is Phase.DRAINING
    text = b"" if known else ends.words(event.texts.get(record.task_id, b""))
    ended = replace(
        record,
        phase=Phase.ENDED,
        end=ends.with_text(end, record, text),
        ended_ms=book.now.wall_ms if record.ended_ms is None else record.ended_ms,
        earlier=None,
        earlier_ended_ms=None,
    )
    book.change(cell, ended, text or None)


def _unattend(book: Book, cell: Cell, _event: LeaseEnded) -> None:
    if not cell.record.unattended:
        book.change(cell, replace(cell.record, unattended=True))
        cell.unattended_since = book.now.mono
        book.watch_lease(cell)


def _attend(book: Book, cell: Cell, _event: LeaseBegan) -> None:
    if cell.record.unattended:
        book.change(cell, replace(cell.record, unattended=False))
        cell.unattended_since = None
        book.watch_lease(cell)


def _need_prompt(cell: Cell, event: PromptAccepted | TurnEnded) -> None:
    if not cell.prompt_sent:
        raise IllegalTransition(f"{type(event).__name__} for a task whose prompt was never sent.")


HANDLERS: dict[str, Callable[[Book, Cell, Any], None]] = {
    handler.__name__.removeprefix("_"): handler
    for handler in (
        _answer,
        _answer_ended,
        _attend,
        _await_gone,
        _block,
        _deny,
        _drop,
        _end_turn,
        _end_waiting,
        _fail,
        _fail_start,
        _finish,
        _follow_up,
        _forgo_resume,
        _interrupt,
        _join_resume,
        _keep_words,
        _note_process,
        _note_prompt,
        _note_session,
        _prompt,
        _recover,
        _refuse_follow_up,
        _release,
        _resume,
        _run,
        _settle_folder,
        _start,
        _start_now,
        _stop,
        _unattend,
        _unblock,
        _vanish,
    )
}
