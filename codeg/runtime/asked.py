"""Questions to the ledger that a connection waits for: a number and a callback each, never a task.

Owns the tie between one connection and one ref, and what the peer's going means for it (contract 5): a wait is dropped,
a task never, a call without a key is withdrawn. It ends with the answer or with the connection, whichever comes first.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from codeg.broker.codes import END_STATUSES
from codeg.broker.events import CallWithdrawn, Event
from codeg.broker.tasks import Answer
from codeg.runtime.services import BrokerPort

Answered = Callable[[tuple[Answer, ...]], None]


class Caller(Protocol):
    """The connection of the asker, as far as it matters here."""

    @property
    def open(self) -> bool:
        """An answer can still be given."""
        ...

    def drop(self) -> None:
        """Close without an answer."""
        ...


class Asked:
    """One question. Keeps `exchange.Pending`."""

    def __init__(self, caller: Caller, broker: BrokerPort, answered: Answered) -> None:
        self._caller = caller
        self._broker = broker
        self._answered = answered
        self._ref: int | None = None
        self._sent = False
        self._done = False

    def send(self, make: Callable[[int], Event]) -> None:
        """Ask the ledger."""
        self._sent = True
        ref = self._broker.ask(make, self._take)
        if not self._done:
            self._ref = ref

    def ended(self) -> None:
        """The peer only stopped sending: it gets its answer."""

    def lost(self) -> None:
        """Nobody waits any more."""
        self.forget()

    def forget(self) -> None:
        """Drop the wait, if it is still one."""
        ref, self._ref = self._ref, None
        if ref is not None:
            self._broker.forget(ref)

    def _take(self, answers: tuple[Answer, ...]) -> None:
        self._ref, self._done = None, True
        self._answered(answers)


class Waiting(Asked):
    """A status question that may wait.

    `holds` = it asked to wait; then a half-close drops it, unless an answer is ready.
    """

    def __init__(
        self, caller: Caller, broker: BrokerPort, answered: Answered, task_ids: Sequence[str], *, holds: bool
    ) -> None:
        super().__init__(caller, broker, answered)
        self._task_ids = task_ids
        self._holds = holds
        self._ended = False

    def send(self, make: Callable[[int], Event]) -> None:
        """Ask, unless the peer has gone and nothing is ready for it."""
        if self._ended and not self._ready():
            self._caller.drop()
        elif self._caller.open:
            super().send(make)

    def ended(self) -> None:
        """A half-close counts as a close for a wait."""
        if not self._holds:
            return
        self._ended = True
        if self._ref is not None and not self._ready():
            self.forget()
            self._caller.drop()

    def _ready(self) -> bool:
        """Some asked task is at an end or unknown, so the ledger answers as soon as it hears of the question."""
        views = map(self._broker.view, self._task_ids)
        return any(view is None or view.status in END_STATUSES for view in views)


class Calling(Asked):
    """A call. Without a key it is withdrawn when its peer goes before the answer was written; with one it is kept."""

    def __init__(self, caller: Caller, broker: BrokerPort, answered: Answered, parent_id: str, handle: str) -> None:
        super().__init__(caller, broker, answered)
        self._parent_id = parent_id
        self._handle = handle
        self._gone = False
        self.keyed = False

    @property
    def moot(self) -> bool:
        """The peer went before the ledger heard of the call, and no key will find it again."""
        return self._gone and not self.keyed

    def lost(self) -> None:
        """Nobody will read the acknowledgement."""
        self._gone = True
        if self._sent and not self.keyed:
            self.forget()
            self._broker.post(CallWithdrawn(self._parent_id, self._handle, "the caller went away"))
