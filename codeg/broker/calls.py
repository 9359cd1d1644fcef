"""A call arrives: known already, refused, or a task (contract 6, delegate_to_agent).

Owns the order of the checks: key, host, early cancel, switched off, depth, the shell's finding, live limit, queue.
Nothing is changed by a refused call, except that its announcement can no longer be taken for a later call's.
"""

from collections.abc import Iterable
from dataclasses import replace

from codeg.broker import waiting
from codeg.broker.book import Book, match_key
from codeg.broker.cells import Cell
from codeg.broker.codes import LIVE_PHASES, SHOWN_PHASES, BlockKind, Code, Phase, Status
from codeg.broker.effects import AskFolder
from codeg.broker.events import CallReceived
from codeg.broker.resuming import over_limits
from codeg.broker.tasks import Block, Refused, TaskRecord
from codeg.broker.transitions import IllegalTransition


def receive(book: Book, event: CallReceived) -> None:
    """Answer the call: with the task that it repeats, with a refusal, or with a new task."""
    known = _known(book, event)
    if known is not None:
        _repeat(book, event, known)
        return
    refused = _refusal(book, event)
    if refused is not None:
        _claim(book, event)
        book.out.reply(event.ref, refused)
        return
    if event.task_id in book.cells or event.child_id in book.by_child:
        raise IllegalTransition("A call brought ids that are not fresh.")
    _accept(book, event)


def recall(book: Book, records: Iterable[TaskRecord]) -> None:
    """Hold ended tasks of the store again; those that are held stay as they are.

    Raises:
        IllegalTransition: one has not ended; such are held from the start. None is taken.
    """
    wanted = (record for record in records if record.root_id not in book.deleted)
    missing = {record.task_id: record for record in wanted if record.task_id not in book.cells}
    for record in missing.values():
        if record.phase not in SHOWN_PHASES:
            raise IllegalTransition(f"A task that is {record.phase.value} cannot be brought back from the store.")
    for record in missing.values():
        # One that the store saw draining has ended since.
        book.enter(record if record.phase is Phase.ENDED else replace(record, phase=Phase.ENDED))


def _known(book: Book, event: CallReceived) -> Cell | None:
    parent_id = event.parent.parent_id
    if event.idempotency_key is not None:
        cell = book.by_key.get((parent_id, event.idempotency_key))
        if cell is None and event.keyed_record is not None:
            recall(book, (event.keyed_record,))
            cell = book.cells.get(event.keyed_record.task_id)
        if cell is not None:
            return cell
    cell = book.by_handle.get((parent_id, event.external_handle or ""))
    return cell if cell is not None and cell.record.digest == event.digest else None


def _repeat(book: Book, event: CallReceived, cell: Cell) -> None:
    record = cell.record
    if event.external_handle is None or event.external_handle != record.external_handle:
        tool_use_id = _claim(book, event)
        if tool_use_id and not record.tool_use_id and record.digest == event.digest:
            book.matcher.release(record.parent_id, record.task_id)
            book.bind(cell, tool_use_id)
    if record.digest == event.digest:
        book.out.reply(event.ref, cell)
    else:
        message = (
            "A call with this idempotency_key and other arguments was made before; use another key for another task."
        )
        book.out.reply(event.ref, Refused(Code.CONFLICT, message))


def _refusal(book: Book, event: CallReceived) -> Refused | None:
    parent, limits = event.parent, book.limits
    if book.stopping:
        return Refused(Code.HOST_UNAVAILABLE, "The host is ending.")
    if parent.root_id in book.deleted:
        return Refused(Code.PARENT_GONE, "The session has been deleted.")
    reason = book.withdrawals.reason(parent.parent_id, event.external_handle, book.now.mono)
    if reason is not None:
        because = f": {reason}" if reason else "."
        return Refused(Code.CANCELED, f"Canceled before it was started{because}", Status.CANCELED)
    if not limits.enabled:
        return Refused(Code.DELEGATION_DISABLED, "Delegation is switched off in the settings.")
    if parent.depth + 1 > limits.depth_limit:
        message = (
            f"A session at depth {parent.depth} may not delegate: the setting depth_limit is {limits.depth_limit}."
        )
        return Refused(Code.DEPTH_LIMIT, message)
    owner = _owner(book, event)
    if owner is not None and owner.record.phase not in LIVE_PHASES:
        return Refused(Code.PARENT_GONE, "The task that this session works for has ended.")
    if event.refusal is not None:
        return Refused(*event.refusal)
    return over_limits(
        book, parent.parent_id, parent.root_id, nested=parent.depth > 0, asks=event.folder_question is not None
    )


def _accept(book: Book, event: CallReceived) -> None:
    parent, owner = event.parent, _owner(book, event)
    record = TaskRecord(
        task_id=event.task_id,
        parent_id=parent.parent_id,
        root_id=parent.root_id,
        depth=parent.depth + 1,
        agent_type=event.agent_type,
        task_text=event.task_text,
        working_dir=event.working_dir,
        explicit_dir=event.explicit_dir,
        child_id=event.child_id,
        phase=Phase.QUEUED if event.folder_question is None else Phase.ASKING,
        attempt=1,
        created_ms=book.now.wall_ms,
        parent_task_id=None if owner is None else owner.record.task_id,
        tool_use_id=_claim(book, event),
        external_handle=event.external_handle,
        idempotency_key=event.idempotency_key,
        digest=event.digest,
        by_person=event.by_person,
        folder_question=event.folder_question,
    )
    cell = book.enter(record)
    book.out.persist(cell, None)
    book.out.reply(event.ref, cell)
    if not record.tool_use_id and not parent.outside and not event.by_person:
        book.matcher.expect(parent.parent_id, match_key(record), record.task_id)
    if event.folder_question is not None:
        title = f"Work in {record.working_dir}, outside the folder of the session that asks"
        book.add_block(cell, Block(BlockKind.PERMISSION, event.folder_question, title, book.now.wall_ms))
        book.out.act(AskFolder(record, event.folder_question))
        waiting.tell_block(book, cell)


def _owner(book: Book, event: CallReceived) -> Cell | None:
    """The task whose child calls.

    A conversation of depth 0 is a root, also one that was once a child and was opened again by the user.
    """
    return book.by_child.get(event.parent.parent_id) if event.parent.depth > 0 else None


def _claim(book: Book, event: CallReceived) -> str:
    if event.by_person:
        return ""
    key = (event.agent_type, event.task_text, event.explicit_dir)
    return book.matcher.claim(event.parent.parent_id, key, event.tool_use_id)
