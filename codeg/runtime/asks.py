"""The list of what waits for the person: one shape for permissions, folder questions, plans and questions.

Owns the open asks and who is told of them; a person's word is taken once. Never decides what a word means. Ends with
the host.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from codeg.broker.codes import BlockKind
from codeg.broker.events import ChildBlocked, ChildUnblocked, Event
from codeg.broker.reports import rfc3339
from codeg.broker.tasks import Block
from codeg.runtime.asking import Json, invalid
from codeg.runtime.snapshots import AsksChanged, Snapshots
from codeg.sessions.types import PermissionOption


@dataclass(frozen=True, slots=True)
class Word:
    """What the person said: an option, answers, or no."""

    option: str | None = None
    answers: object = None
    decline: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that waits.

    `blocks`: task and attempt that stand still meanwhile. `settle` carries the person's word out.
    """

    request_id: str
    kind: BlockKind
    session_id: str
    title: str
    since_ms: int
    settle: Callable[[Word], Awaitable[None]]
    task_id: str | None = None
    blocks: tuple[str, int] | None = None
    options: tuple[PermissionOption, ...] = ()
    questions: tuple[Json, ...] = ()
    detail: Json = field(default_factory=dict[str, Any])

    def shown(self) -> Json:
        """As `codeg asks --json` prints it (contract 2)."""
        shape: Json = {"request_id": self.request_id, "kind": self.kind.value, "session_id": self.session_id}
        if self.task_id is not None:
            shape["task_id"] = self.task_id
        shape["title"] = self.title
        if self.questions:
            shape["questions"] = list(self.questions)
        else:
            shape["options"] = [{"id": o.option_id, "name": o.name, "kind": o.kind} for o in self.options]
        shape["since"] = rfc3339(self.since_ms)
        return shape


class OpenAsks:
    """The list itself. A person's word is taken once: while it is carried out, the ask is no longer open to another."""

    def __init__(self, post: Callable[[Event], None], snapshots: Snapshots) -> None:
        self._post = post
        self._snapshots = snapshots
        self._open: dict[str, Ask] = {}
        self._taken: set[str] = set()

    def add(self, ask: Ask) -> None:
        """Show it, and tell the ledger whose child stands still."""
        self._open[ask.request_id] = ask
        if ask.blocks is not None:
            block = Block(ask.kind, ask.request_id, ask.title, ask.since_ms)
            self._post(ChildBlocked(task_id=ask.blocks[0], attempt=ask.blocks[1], block=block))
        self._tell()

    def remove(self, request_id: str) -> bool:
        """It is answered or moot. False when it was not open."""
        ask = self._open.pop(request_id, None)
        self._taken.discard(request_id)
        if ask is None:
            return False
        if ask.blocks is not None:
            self._post(ChildUnblocked(task_id=ask.blocks[0], attempt=ask.blocks[1], request_id=request_id))
        self._tell()
        return True

    def of_session(self, session_id: str) -> tuple[Ask, ...]:
        """Open asks of one session."""
        return tuple(ask for ask in self._open.values() if ask.session_id == session_id)

    def get(self, request_id: str) -> Ask | None:
        """An open ask."""
        return self._open.get(request_id)

    def is_taken(self, request_id: str) -> bool:
        """A person's word on it is being carried out."""
        return request_id in self._taken

    def shown(self) -> list[Json]:
        """All, oldest first."""
        return [ask.shown() for ask in self._open.values()]

    async def settle(self, request_id: str, word: Word) -> None:
        """Carry the person's word out; the first one wins.

        Raises:
            UserError: not open (any more), or a word that does not fit.
        """
        ask = self._open.get(request_id)
        if ask is None or request_id in self._taken:
            raise invalid(f"Nothing with the id {request_id} waits for an answer (any more).")
        self._taken.add(request_id)
        try:
            await ask.settle(word)
        finally:
            self._taken.discard(request_id)

    def _tell(self) -> None:
        self._snapshots.tell(AsksChanged(tuple(self.shown())))
