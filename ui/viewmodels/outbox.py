"""Prompts that wait for the end of a turn, and those that are on their way: one outbox for all composers of a window.

Owns the queues, so that a closed tab loses none; they are remembered over a restart, without their images. Sends the
next one when a turn ended well; after a failed or stopped one it holds them until the person says so. Ends with the
view state that it belongs to.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any, cast

from PySide6.QtCore import QObject, Signal

from codeg.api import Code, TurnFinished
from ui.orders import Orders
from ui.viewmodels import composing
from ui.viewmodels.composing import Pieces, plain
from ui.viewmodels.rows import Image
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import Batch, World

_QUEUES, _SAID = "composer.queues", "composer.said"
_MOST_REMEMBERED = 50
_GOOD = frozenset({"end_turn", "max_tokens", "max_turn_requests"})


@dataclass(frozen=True, slots=True)
class Waiting:
    """One prompt in a queue."""

    key: int
    pieces: Pieces
    images: tuple[Image, ...] = ()


class Outbox(QObject):
    """`changed`: the queue of a session is another, or whether it is held or busy; "" = what concerns all."""

    changed = Signal(str)

    def __init__(self, world: World, orders: Orders, view: ViewState) -> None:
        super().__init__(view)
        self._world, self._orders, self._view = world, orders, view
        self._queues: dict[str, list[Waiting]] = {}
        self._held: dict[str, str] = {}
        self._sent: set[str] = set()
        self._starting: set[str] = set()
        self._signed_out: set[str] = set()
        self._keys = count(1)
        world.changed.connect(self._changed)

    @staticmethod
    def of(world: World, orders: Orders, view: ViewState) -> "Outbox":
        """The one of this window."""
        return view.findChild(Outbox) or Outbox(world, orders, view)

    # ---- the queue

    def waiting(self, session_id: str) -> tuple[Waiting, ...]:
        """What waits, in order."""
        return tuple(self._queue(session_id))

    def held(self, session_id: str) -> bool:
        """The queue waits for the person's word."""
        return session_id in self._held

    def why_held(self, session_id: str) -> str:
        """The sentence with which the host refused the first of the queue, if it did."""
        return self._held.get(session_id, "")

    def add(self, session_id: str, pieces: Pieces, images: tuple[Image, ...] = ()) -> None:
        """One more at the end."""
        self._queue(session_id).append(Waiting(next(self._keys), pieces, images))
        self._tell(session_id)

    def take(self, session_id: str, key: int) -> Waiting | None:
        """Take one out, to edit it or to forget it."""
        queue = self._queue(session_id)
        found = next((waiting for waiting in queue if waiting.key == key), None)
        if found is not None:
            queue.remove(found)
            self._tell(session_id)
        return found

    def exchange(self, session_id: str, key: int, pieces: Pieces, images: tuple[Image, ...] = ()) -> Waiting | None:
        """Take one out and leave this in its place; nothing in its place = `take`."""
        if not pieces and not images:
            return self.take(session_id, key)
        queue = self._queue(session_id)
        at = next((at for at, waiting in enumerate(queue) if waiting.key == key), None)
        if at is None:
            return None
        found, queue[at] = queue[at], Waiting(next(self._keys), pieces, images)
        self._tell(session_id)
        return found

    def raise_up(self, session_id: str, key: int) -> None:
        """One place forward."""
        queue = self._queue(session_id)
        at = next((at for at, waiting in enumerate(queue) if waiting.key == key), 0)
        if at > 0:
            queue[at - 1], queue[at] = queue[at], queue[at - 1]
            self._tell(session_id)

    def let_go(self, session_id: str) -> None:
        """The person's word: the held queue goes on."""
        self._held.pop(session_id, None)
        self._tell(session_id)
        if not self.busy(session_id):
            self._send_next(session_id)

    # ---- agents that are not signed in

    def signed_out(self, agent: str) -> bool:
        """A turn ended because this agent is not signed in, and none has gone well since."""
        return agent in self._signed_out

    def mark_signed_in(self, agent: str) -> None:
        """It was started and is ready."""
        if agent in self._signed_out:
            self._signed_out.discard(agent)
            self.changed.emit("")

    # ---- sending

    def busy(self, session_id: str) -> bool:
        """A turn runs, or a prompt is on its way to become one."""
        record = self._world.session(session_id)
        return session_id in self._sent or (record is not None and record.state in {"running", "starting"})

    def last_said(self, session_id: str) -> Pieces | None:
        """What was sent last."""
        said = self._recall(_SAID).get(session_id)
        return composing.read(said) if isinstance(said, str) else None

    def prompt(
        self,
        session_id: str,
        pieces: Pieces,
        images: tuple[Image, ...],
        *,
        note_ids: tuple[str, ...] = (),
        then: Callable[[], None],
        failed: Callable[[str], None],
    ) -> None:
        """Begin a turn; until the host told of it the session counts as busy."""
        self._sent.add(session_id)

        def taken(_nothing: None) -> None:
            self._remember(_SAID, session_id, composing.kept(pieces))
            then()
            self.changed.emit(session_id)

        def refused(sentence: str) -> None:
            self._sent.discard(session_id)
            failed(sentence)
            self.changed.emit(session_id)

        self._orders.prompt(session_id, plain(pieces).strip(), images, note_ids, then=taken, failed=refused)
        self.changed.emit(session_id)

    def _send_next(self, session_id: str) -> None:
        queue = self._queue(session_id)
        if not queue or self.held(session_id):
            return
        head = queue.pop(0)

        def failed(sentence: str) -> None:
            queue.insert(0, head)
            self._held[session_id] = sentence
            self._keep(session_id)

        self.prompt(session_id, head.pieces, head.images, then=lambda: None, failed=failed)
        self._tell(session_id)

    # ---- what the host tells

    def _changed(self, batch: Batch) -> None:
        for finished in batch.turns:
            self._turn_over(finished)
        over = {finished.session_id for finished in batch.turns}
        for session_id in batch.sessions:
            self._session_changed(session_id, over)
        for session_id in batch.gone:
            for held in (self._queues, self._held):
                held.pop(session_id, None)
            self._sent.discard(session_id)
            self._remember(_QUEUES, session_id, None)
            self._remember(_SAID, session_id, None)

    def _session_changed(self, session_id: str, over: set[str]) -> None:
        record = self._world.session(session_id)
        state = record.state if record is not None else ""
        if state == "starting":
            self._starting.add(session_id)
            return
        opened = session_id in self._starting and state == "idle"
        self._starting.discard(session_id)
        if state == "running" or state in {"ended", "failed"}:
            self._sent.discard(session_id)
        if opened and session_id not in over and not self.busy(session_id):
            self._send_next(session_id)

    def _turn_over(self, finished: TurnFinished) -> None:
        session_id = finished.session_id
        self._sent.discard(session_id)
        result = finished.result
        agent = self._world.agent_of(session_id)
        if finished.code == Code.AUTH_REQUIRED:
            self._signed_out.add(agent)
            self.changed.emit("")
        elif result is not None:
            self.mark_signed_in(agent)
        if result is not None and result.stop_reason in _GOOD:
            self._send_next(session_id)
        elif self._queue(session_id):
            self._held.setdefault(session_id, "")
            self.changed.emit(session_id)

    # ---- remembering

    def _queue(self, session_id: str) -> list[Waiting]:
        known = self._queues.get(session_id)
        if known is None:
            known = self._queues[session_id] = self._remembered(session_id)
        return known

    def _remembered(self, session_id: str) -> list[Waiting]:
        shapes = self._recall(_QUEUES).get(session_id)
        held = cast("list[Any]", shapes) if isinstance(shapes, list) else []
        found = [Waiting(next(self._keys), composing.read(shape)) for shape in held if isinstance(shape, str)]
        if found:
            self._held[session_id] = ""  # its turn is not known any more
        return found

    def _tell(self, session_id: str) -> None:
        if not self._queue(session_id):
            self._held.pop(session_id, None)
        self._keep(session_id)
        self.changed.emit(session_id)

    def _keep(self, session_id: str) -> None:
        shapes = [composing.kept(waiting.pieces) for waiting in self._queue(session_id)]
        self._remember(_QUEUES, session_id, shapes or None)

    def _recall(self, name: str) -> dict[str, Any]:
        held: Any = self._view.value(name)
        return dict(cast("dict[str, Any]", held)) if isinstance(held, dict) else {}

    def _remember(self, name: str, session_id: str, value: Any) -> None:
        held = self._recall(name)
        before = held.pop(session_id, None)
        if value is not None:
            held[session_id] = value
        if before != value:
            newest = list(held.items())[-_MOST_REMEMBERED:] if name == _SAID else list(held.items())
            self._view.set_value(name, dict(newest) or None)
