"""Questions about tasks, and the waits among them (contract 6, get_delegation_status).

Rules of this page
1. A wait is one `Waiter` in the dict of each task that it asks about; it leaves all of them at once, whatever ends it.
2. It returns when any asked task is at a shown end or unknown, when a prompt to the person is new to it, or when its
   time is up. The state is looked at in the step that registers it, so no wake-up can be lost.
3. A prompt is new to the waits on a task (its own, or one above it) until one of them has returned with it, and again
   300 s later. All waits that are open at that moment return. The waits of the operator, of the parent's model and of
   the program that listens beside it do not use up each other's.
4. A wait that returns for another reason and shows a new prompt has told it too; one that shows an old prompt does not
   put off its 300 s. Snapshots tell nothing in this sense.

Never touches a record.
"""

from codeg.broker.book import Book
from codeg.broker.cells import Audience, Cell, OpenBlock, Waiter
from codeg.broker.codes import SHOWN_PHASES
from codeg.broker.events import StatusAsked
from codeg.broker.tasks import Unknown

TELL_AGAIN_S = 300.0


def visible(book: Book, task_id: str, readers: frozenset[str] | None) -> Cell | None:
    """The task, if the asker may see it. `readers` None = all."""
    cell = book.cells.get(task_id)
    if cell is None or (readers is not None and cell.record.parent_id not in readers):
        return None
    return cell


def ask(book: Book, event: StatusAsked) -> None:
    """Answer a snapshot; answer a wait or keep it."""
    items = tuple(visible(book, task_id, event.readers) or Unknown(task_id) for task_id in event.task_ids)
    if event.until is None:
        book.out.reply(event.ref, *items)
        return
    waiter = Waiter(event.ref, _audience(event), items, event.until)
    waiter.cells = {item.record.task_id: item for item in items if isinstance(item, Cell)}
    settled = not items or any(isinstance(item, Unknown) or item.record.phase in SHOWN_PHASES for item in items)
    if settled or book.stopping or not _sleep(book, waiter):
        _answer(book, waiter)
        return
    book.waits[event.ref] = waiter
    for cell in waiter.cells.values():
        cell.waits[event.ref] = waiter


def settle(book: Book, cell: Cell) -> None:
    """The task is at an end: its waits return."""
    for waiter in tuple(cell.waits.values()):
        _answer(book, waiter)


def tell_block(book: Book, cell: Cell) -> None:
    """A prompt of the task is new: the waits on it and on those above it return."""
    for above in tuple(book.lineage(cell)):
        settle(book, above)


def time_up(book: Book, ref: int) -> None:
    """The moment has come at which the wait asked to be looked at."""
    waiter = book.waits[ref]
    if not _sleep(book, waiter):
        _answer(book, waiter)


def close(book: Book, ref: int) -> None:
    """The asker has gone; an answered or unknown ref does nothing."""
    waiter = book.waits.get(ref)
    if waiter is not None:
        _leave(book, waiter)


def answer_everyone(book: Book) -> None:
    """The host ends: every wait returns."""
    for waiter in tuple(book.waits.values()):
        _answer(book, waiter)


def _sleep(book: Book, waiter: Waiter) -> bool:
    """Set the moment to look at the wait again; False when it must return now."""
    due = waiter.until
    for cell in waiter.cells.values():
        for prompt in book.prompts(cell):
            told = prompt.shown.get(_mark(waiter, cell))
            if told is None:
                return False
            due = min(due, told + TELL_AGAIN_S)
    if due <= book.now.mono:
        return False
    if due != float("inf"):
        book.deadlines.set(("wait", waiter.ref), due)
    return True


def _answer(book: Book, waiter: Waiter) -> None:
    _leave(book, waiter)
    for cell in waiter.cells.values():
        for prompt in book.prompts(cell):
            _note_shown(book, prompt, _mark(waiter, cell))
    book.out.reply(waiter.ref, *waiter.items)


def _note_shown(book: Book, prompt: OpenBlock, mark: tuple[str, Audience]) -> None:
    told = prompt.shown.get(mark)
    if told is None or told + TELL_AGAIN_S <= book.now.mono:
        prompt.shown[mark] = book.now.mono


def _audience(event: StatusAsked) -> Audience:
    if event.readers is None:
        return "operator"
    return "listener" if event.listens else "model"


def _mark(waiter: Waiter, cell: Cell) -> tuple[str, Audience]:
    return (cell.record.task_id, waiter.audience)


def _leave(book: Book, waiter: Waiter) -> None:
    book.waits.pop(waiter.ref, None)
    book.deadlines.clear(("wait", waiter.ref))
    for cell in waiter.cells.values():
        cell.waits.pop(waiter.ref, None)
