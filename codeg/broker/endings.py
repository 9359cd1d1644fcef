"""How a task comes to its end, and what goes with it.

Owns three ways: `decide` (certain and durable, shown when the tree is gone), `show` (shown at once; the slot is held
until the tree is gone, if there is one) and `put_back` (a resume that could not be: the earlier end as it was). Each
leaves the task's own unfinished tasks in `Book.cascades`. Never decides whether an event may end a task.
"""

from dataclasses import replace

from codeg.broker import ends, waiting
from codeg.broker.book import Book
from codeg.broker.cells import Cell
from codeg.broker.codes import Phase
from codeg.broker.effects import StopChild
from codeg.broker.events import ParentCanceled, ParentGone
from codeg.broker.tasks import End, Refused, TaskRecord


def decide(book: Book, cell: Cell, end: End, cause: object) -> None:
    """The end is certain and durable; it is shown when the tree is gone."""
    record = cell.record
    book.drop_blocks(cell)
    book.stop_clock(cell)
    book.change(cell, replace(record, phase=Phase.STOPPING, end=ends.with_text(end, record, b"")))
    book.out.act(StopChild(record.task_id, cell.tree, cancel_turn=cell.prompt_sent))
    book.answer_all(cell.resumes, cell)
    _leave_attempt(book, cell, cause)


def show(
    book: Book, cell: Cell, end: End, text: bytes = b"", *, cause: object = None, cancel_turn: bool = False
) -> None:
    """The end is what every view shows from here on. `cause`: what ended it, if not its own child."""
    record = cell.record
    book.drop_blocks(cell)
    book.stop_clock(cell)
    ended = replace(
        record,
        phase=Phase.DRAINING if cell.tree else Phase.ENDED,
        end=ends.with_text(end, record, text),
        ended_ms=book.now.wall_ms,
        earlier=None,
        earlier_ended_ms=None,
        process=record.process if cell.tree else None,
    )
    book.change(cell, ended, text or None)
    if cell.tree:
        book.out.act(StopChild(record.task_id, cell.tree, cancel_turn=cancel_turn))
    _settle(book, cell, cell)
    _leave_attempt(book, cell, cause)


def put_back(book: Book, cell: Cell, before: TaskRecord, refused: Refused) -> None:
    """The resume could not be: the task stands as it stood `before`, and the askers are told why."""
    book.drop_blocks(cell)
    unchanged = replace(
        cell.record,
        phase=Phase.DRAINING if cell.tree else Phase.ENDED,
        attempt=before.attempt,
        end=before.end,
        started_ms=before.started_ms,
        ended_ms=before.ended_ms,
        earlier=None,
        earlier_ended_ms=None,
        unattended=before.unattended,
        follow_up=before.follow_up,
        process=cell.record.process if cell.tree else None,
    )
    book.change(cell, unchanged)
    if cell.tree:
        book.out.act(StopChild(before.task_id, cell.tree, cancel_turn=False))
    view = book.view(cell)
    _settle(book, cell, replace(refused, view=view, status=view.status))
    _leave_attempt(book, cell, None)


def _settle(book: Book, cell: Cell, answer: Cell | Refused) -> None:
    cell.before = None
    waiting.settle(book, cell)
    book.answer_all(cell.cancels, cell)
    book.answer_all(cell.resumes, answer)


def _leave_attempt(book: Book, cell: Cell, cause: object) -> None:
    child_id = cell.record.child_id
    cell.unattended_since = None
    book.watch_lease(cell)
    book.matcher.forget(child_id)
    book.withdrawals.forget(child_id)
    book.cascades.append(ParentCanceled(child_id) if isinstance(cause, ParentCanceled) else ParentGone(child_id))
