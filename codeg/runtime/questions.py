"""Questions to the person and notes from the person: durable, delivered at least once, committed by id.

Owns the questions that are open now and who waits for them; what is closed or undelivered is read from the store,
which is the source. Nothing is answered by a timer (B21). Ends with the host; open questions of outside sessions
outlive it.
"""

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import anyio

from codeg.broker.codes import BlockKind
from codeg.broker.reports import rfc3339
from codeg.runtime.asking import MAX_TEXT, Json, answers_text, checked_answers, checked_questions, invalid, title_line
from codeg.runtime.asks import Ask, OpenAsks, Word
from codeg.runtime.services import DatabasePort, UserError
from codeg.runtime.sessions import Sessions
from codeg.runtime.snapshots import NotesChanged, QuestionChanged, What
from codeg.store.records import NoteRecord, QuestionRecord, QuestionState, SaveNote, SaveQuestion, Write
from codeg.store.store import Store

MOST_SHOWN = 500
"""Notes, or questions, of one session that a front end is given."""
FEEDBACK_BYTES = 1024 * 1024
"""Text of one pull; at least one item is always given."""
SETTLING_S = 5.0
"""Seconds to wait for another person's word that is being written."""


@dataclass(slots=True)
class _Open:
    """A question that waits, and the event that ends the waits for it."""

    record: QuestionRecord
    closed: anyio.Event = field(default_factory=anyio.Event)


class Questions:
    """All calls belong to the event loop's thread."""

    def __init__(
        self,
        open_asks: OpenAsks,
        sessions: Sessions,
        database: DatabasePort,
        wall_ms: Callable[[], int],
        tell: Callable[[What], None],
    ) -> None:
        self._tell = tell
        self._asks = open_asks
        self._sessions = sessions
        self._database = database
        self._wall_ms = wall_ms
        self._open: dict[str, _Open] = {}

    async def restore(self) -> None:
        """Show the open questions of outside sessions again.

        Those of agents that ended with the last host are withdrawn.
        """
        for record, outside in await self._database.run(_open_ones):
            if outside:
                self._show(record)
            else:
                closed = self._closed(record, "withdrawn")
                self._database.write([SaveQuestion(closed)])
                self._tell(QuestionChanged(closed))

    async def ask(
        self, session_ids: Sequence[str], questions: object, question_id: str | None, wait_s: float | None
    ) -> Json:
        """Put questions, or wait again for one, for `wait_s` seconds (None = until it is closed).

        Raises:
            UserError: bad questions, both or neither given, an id out of reach.
        """
        if (questions is None) == (question_id is None):
            raise invalid("ask_user_question takes either questions or question_id.")
        if question_id is None:
            question_id = await self._put(session_ids[0], checked_questions(questions))
        waiting = self._open.get(question_id)
        if waiting is not None and waiting.record.session_id in session_ids:
            with anyio.move_on_after(wait_s):
                await waiting.closed.wait()
            return _outcome(waiting.record)
        record = await self._stored(question_id)
        if record is None or record.session_id not in session_ids:
            raise invalid(f"No question of yours has the id {question_id}.")
        return _outcome(record)

    def own(self, session_id: str, question_id: str) -> tuple[Json, ...] | None:
        """The questions behind an id while they wait, if this very session put them; else None."""
        waiting = self._open.get(question_id)
        return waiting.record.questions if waiting is not None and waiting.record.session_id == session_id else None

    async def answer_own(self, session_id: str, question_id: str, word: Word) -> Json:
        """The word of the person at the asker's own program; who comes second learns what the first one said.

        Raises:
            UserError: no question of this very session, or answers that do not fit it; it goes on waiting then.
        """
        waiting = self._open.get(question_id)
        record = waiting.record if waiting is not None else await self._stored(question_id)
        if record is None or record.session_id != session_id:
            raise invalid(f"No question of yours has the id {question_id}.")
        if waiting is None:
            return _outcome(record)
        if self._asks.is_taken(question_id):
            with anyio.move_on_after(SETTLING_S):
                await waiting.closed.wait()
        else:
            try:
                await self._asks.settle(question_id, word)
            except UserError:
                if not waiting.closed.is_set():
                    raise
        return _outcome(waiting.record)

    async def _put(self, session_id: str, questions: tuple[Json, ...]) -> str:
        record = QuestionRecord(
            question_id=f"question-{uuid.uuid4().hex[:16]}",
            session_id=session_id,
            questions=questions,
            state="open",
            created_ms=self._wall_ms(),
        )
        await self._database.commit([SaveQuestion(record)])
        self._tell(QuestionChanged(record))
        self._show(record)
        if self._sessions.get(session_id) is None:
            self.session_gone(session_id)
        return record.question_id

    def _show(self, record: QuestionRecord) -> None:
        question_id = record.question_id
        self._open[question_id] = _Open(record)
        blocks = self._sessions.attempt(record.session_id)

        async def settle(word: Word) -> None:
            await self._settle(question_id, word)

        self._asks.add(
            Ask(
                request_id=question_id,
                kind=BlockKind.QUESTION,
                session_id=record.session_id,
                title=title_line(record.questions[0]["question"]),
                since_ms=record.created_ms,
                settle=settle,
                task_id=blocks[0] if blocks else None,
                blocks=blocks,
                questions=record.questions,
            )
        )

    async def _settle(self, question_id: str, word: Word) -> None:
        record = self._open[question_id].record
        if word.decline:
            closed = self._closed(record, "declined")
        else:
            answers = checked_answers(record.questions, word.answers)
            closed = replace(self._closed(record, "answered"), answers=answers)
        await self._database.commit([SaveQuestion(closed)])
        if question_id not in self._open:
            raise invalid("The question was withdrawn meanwhile.")
        self._close(question_id, closed)

    def session_gone(self, session_id: str) -> None:
        """The turn was cancelled or the agent has gone: its open questions are withdrawn and their waits end."""
        for question_id, waiting in tuple(self._open.items()):
            if waiting.record.session_id == session_id:
                closed = self._closed(waiting.record, "withdrawn")
                self._database.write([SaveQuestion(closed)])
                self._close(question_id, closed)

    def _close(self, question_id: str, closed: QuestionRecord) -> None:
        waiting = self._open.pop(question_id, None)
        if waiting is not None:
            waiting.record = closed
            waiting.closed.set()
            self._tell(QuestionChanged(closed))
        self._asks.remove(question_id)

    def _closed(self, record: QuestionRecord, state: QuestionState) -> QuestionRecord:
        return replace(record, state=state, closed_ms=self._wall_ms())

    async def _stored(self, question_id: str) -> QuestionRecord | None:
        return await self._database.run(lambda store: store.question(question_id))

    async def note(self, session_id: str, text: str) -> str:
        """Keep a note for a session, durably; returns its id.

        Raises:
            UserError: empty, too long, or a session that cannot read it.
        """
        said = text.strip()
        if not said or len(said) > MAX_TEXT:
            raise invalid(f"A note has 1 to {MAX_TEXT} characters.")
        if self._sessions.get(session_id) is None:
            record = await self._database.run(lambda store: store.session(session_id))
            if record is None or self._sessions.is_deleted(session_id):
                raise invalid(f"There is no session {session_id}.")
            if record.kind != "outside":
                raise invalid(f"The session {session_id} has ended; nobody would read the note.")
        note = NoteRecord(f"note-{uuid.uuid4().hex[:16]}", session_id, said, self._wall_ms())
        await self._database.commit([SaveNote(note)])
        await self._tell_notes({session_id})
        return note.note_id

    async def notes(self, session_id: str) -> tuple[NoteRecord, ...]:
        """The session's newest notes, delivered or not, oldest first."""
        return await self._database.run(lambda store: store.notes_of(session_id, MOST_SHOWN))

    async def of_session(self, session_id: str) -> tuple[QuestionRecord, ...]:
        """The session's newest questions, in whatever state, oldest first."""
        return await self._database.run(lambda store: store.questions_of(session_id, MOST_SHOWN))

    async def _tell_notes(self, session_ids: Iterable[str]) -> None:
        for session_id in session_ids:
            self._tell(NotesChanged(session_id, await self.notes(session_id)))

    async def undelivered_notes(self, session_id: str) -> tuple[NoteRecord, ...]:
        """Notes that the session has not pulled, oldest first."""
        return await self._database.run(lambda store: store.pending_notes([session_id]))

    async def feedback(self, session_ids: Sequence[str]) -> list[Json]:
        """Undelivered notes and closed questions, oldest first; nothing is marked."""
        notes, questions = await self._database.run(lambda store: _undelivered(store, session_ids))
        dated = [(note.created_ms, _note_item(note)) for note in notes]
        dated += [(question.closed_ms or question.created_ms, _answer_item(question)) for question in questions]
        dated.sort(key=lambda pair: pair[0])
        items: list[Json] = []
        size = 0
        for _, item in dated:
            size += len(item["text"].encode("utf-8", "replace"))
            if items and size > FEEDBACK_BYTES:
                break
            items.append(item)
        return items

    async def commit(self, session_ids: Sequence[str], ids: Sequence[str]) -> None:
        """These were written to the agent. Unknown, foreign and open ones do nothing; repeats likewise."""
        wanted = frozenset(ids)
        notes, questions = await self._database.run(lambda store: _undelivered(store, session_ids))
        now = self._wall_ms()
        delivered = [replace(note, delivered_ms=now) for note in notes if note.note_id in wanted]
        writes: list[Write] = [SaveNote(note) for note in delivered]
        writes += [SaveQuestion(replace(q, delivered=True)) for q in questions if q.question_id in wanted]
        if writes:
            await self._database.commit(writes)
            await self._tell_notes({note.session_id for note in delivered})


def _open_ones(store: Store) -> list[tuple[QuestionRecord, bool]]:
    """Open questions, each with whether an outside session asked it."""
    found: list[tuple[QuestionRecord, bool]] = []
    for record in store.questions():
        if record.state == "open":
            session = store.session(record.session_id)
            found.append((record, session is not None and session.kind == "outside"))
    return found


def _undelivered(store: Store, session_ids: Sequence[str]) -> tuple[list[NoteRecord], list[QuestionRecord]]:
    notes = list(store.pending_notes(session_ids))
    questions = [q for q in store.questions(session_ids) if q.state in ("answered", "declined")]
    return notes, [question for question in questions if not question.delivered]


def _outcome(record: QuestionRecord) -> Json:
    state = "pending" if record.state == "open" else record.state
    return {"state": state, "question_id": record.question_id, "answers": list(record.answers)}


def _note_item(note: NoteRecord) -> Json:
    return {"id": note.note_id, "kind": "note", "text": note.text, "created_at": rfc3339(note.created_ms)}


def _answer_item(question: QuestionRecord) -> Json:
    said = answers_text(question.answers) if question.state == "answered" else "The user declined to answer."
    return {
        "id": question.question_id,
        "kind": "answer",
        "text": said,
        "created_at": rfc3339(question.closed_ms or question.created_ms),
        "question_id": question.question_id,
        "answers": list(question.answers),
    }
