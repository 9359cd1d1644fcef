"""The desk: everything that waits for the person, and the person's word on it (contract 6, ask and feedback).

Owns nothing itself: it is the one door to permissions (volatile) and to questions and notes (durable). Ends with the
host.
"""

from collections.abc import Callable, Sequence
from typing import Any

from codeg.broker.events import Event
from codeg.runtime.asking import Json, invalid
from codeg.runtime.asks import OpenAsks, Word
from codeg.runtime.permissions import Permissions
from codeg.runtime.questions import Questions
from codeg.runtime.services import DatabasePort
from codeg.runtime.sessions import Sessions
from codeg.runtime.snapshots import Snapshots


class Desk:
    """Keeps `services.DeskPort`. All calls belong to the event loop's thread."""

    def __init__(
        self,
        sessions: Sessions,
        snapshots: Snapshots,
        database: DatabasePort,
        post: Callable[[Event], None],
        wall_ms: Callable[[], int],
    ) -> None:
        self.open_asks = OpenAsks(post, snapshots)
        self.permissions = Permissions(self.open_asks, sessions, post, wall_ms)
        self.questions = Questions(self.open_asks, sessions, database, wall_ms, snapshots.tell)

    async def ask(
        self,
        session_ids: Sequence[str],
        questions: Sequence[dict[str, Any]] | None,
        question_id: str | None,
        wait_s: float | None,
    ) -> dict[str, Any]:
        """Put questions (or wait again for `question_id`) and wait; cancelling the caller drops only the wait.

        Raises:
            UserError: bad questions, an id out of reach.
        """
        return await self.questions.ask(session_ids, questions, question_id, wait_s)

    def own_questions(self, session_id: str, question_id: str) -> tuple[Json, ...] | None:
        """The questions behind an id while they wait, if this very session put them; else None."""
        return self.questions.own(session_id, question_id)

    async def answer_own(
        self, session_id: str, question_id: str, answers: Sequence[dict[str, Any]] | None
    ) -> dict[str, Any]:
        """The word of the person at the asker's own program (None = declined), as the outcome of `ask`.

        Raises:
            UserError: no question of this very session, or answers that do not fit.
        """
        return await self.questions.answer_own(session_id, question_id, Word(None, answers, decline=answers is None))

    async def feedback(self, session_ids: Sequence[str]) -> list[dict[str, Any]]:
        """Undelivered notes and answers, oldest first; nothing is marked."""
        return await self.questions.feedback(session_ids)

    async def commit_feedback(self, session_ids: Sequence[str], ids: Sequence[str]) -> None:
        """These were written to the agent."""
        await self.questions.commit(session_ids, ids)

    def asks(self) -> list[Json]:
        """All that waits for the person, oldest first."""
        return self.open_asks.shown()

    def detail(self, request_id: str) -> Json:
        """The tool call that an open permission is about, as the agent told it; empty for others."""
        ask = self.open_asks.get(request_id)
        return ask.detail if ask is not None else {}

    async def answer(
        self, request_id: str, option: str | None, answers: Sequence[dict[str, Any]] | None, *, decline: bool
    ) -> None:
        """The person's answer; the first one wins.

        Raises:
            UserError: unknown or closed request, an option or label that was not offered, more than one kind of answer.
        """
        if (option is not None) + (answers is not None) + decline != 1:
            raise invalid("An answer is one of: an option, answers, or a refusal.")
        await self.open_asks.settle(request_id, Word(option, answers, decline))

    async def note(self, session_id: str, text: str) -> str:
        """Leave a note of 1 to 4,096 characters for a session; returns its id.

        Raises:
            UserError: unknown session, empty or too long.
        """
        return await self.questions.note(session_id, text)

    async def ask_folder(self, session_id: str, task_id: str, request_id: str, folder: str, title: str) -> None:
        """Show the folder question of a task; the answer is posted to the broker as `FolderAnswered`."""
        self.permissions.ask_folder(session_id, task_id, request_id, title or folder)

    def withdraw(self, request_id: str) -> None:
        """A folder question is moot."""
        self.open_asks.remove(request_id)

    def session_gone(self, session_id: str) -> None:
        """The session's agent ended or its turn was cancelled: nothing of it waits any more (B13)."""
        self.permissions.session_gone(session_id)
        self.questions.session_gone(session_id)
