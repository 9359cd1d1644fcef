"""How what stands in the composer becomes an order: prompt, note, follow-up, delegation, or a place in the queue.

Owns the way to the orders and whether one is on its way; never touches the text. What came of it is told by signals.
Ends with the composer.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from codeg.api import NoteRecord
from ui.orders import Orders
from ui.viewmodels import composing
from ui.viewmodels.composing import Buttons, Mention, Pieces, Role, Situation, plain, situation_of
from ui.viewmodels.outbox import Outbox
from ui.viewmodels.rows import Image
from ui.viewmodels.world import World


class Sender(QObject):
    """`took`: the host has it all; `refused`: a sentence, and what remains to be said (None = all of it)."""

    took = Signal()
    refused = Signal(str, object)
    changed = Signal()

    def __init__(self, session_id: str | None, world: World, orders: Orders, outbox: Outbox, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session_id
        self._world, self._orders, self._outbox = world, orders, outbox
        self._open = 0
        self._left: list[tuple[str, str]] = []
        self._sentence = ""

    @property
    def busy(self) -> bool:
        """An order is on its way."""
        return self._open > 0

    def situation(self, chosen: str) -> Situation:
        """Whom the composer speaks to now. `chosen`: agent of a session that is not begun."""
        session_id, agents = self._session, self._world.agents()
        record = self._world.session(session_id) if session_id else None
        task = self._world.task_of(session_id) if session_id else None
        agent = self._world.agent_of(session_id) if session_id else composing.ready_agent(agents, chosen)
        return situation_of(
            record,
            task,
            agents,
            chosen=chosen,
            busy=session_id is not None and self._outbox.busy(session_id),
            signed_out=self._outbox.signed_out(agent),
        )

    # ---- orders

    def send(
        self, situation: Situation, offered: Buttons, pieces: Pieces, images: tuple[Image, ...], notes: Sequence[str]
    ) -> None:
        """Prompt, note or follow-up, as the situation has it. What goes into the queue is `queue`."""
        session_id, text = self._session or "", plain(pieces).strip()
        self._begin(1)
        if situation.role is Role.ENDED_CHILD:
            task = self._world.task_of(session_id)
            task_id = task.record.task_id if task is not None else ""
            self._orders.follow_up(task_id, text, then=self._done, failed=self._failed)
        elif offered.primary in {"steer", "note"}:
            self._orders.note(session_id, text, then=self._done, failed=self._failed)
        else:
            self._outbox.prompt(session_id, pieces, images, note_ids=tuple(notes), then=self._done, failed=self._failed)

    def queue(self, pieces: Pieces, images: tuple[Image, ...]) -> None:
        """After the turn."""
        self._outbox.add(self._session or "", pieces, images)
        self.took.emit()

    def delegate(self, pieces: Pieces) -> None:
        """One child for each mentioned agent; refused ones stay to be said."""
        asked = self.delegations(pieces)
        if not asked or self._session is None:
            return
        self._begin(len(asked))
        for agent, task in asked:
            self._orders.delegate(
                self._session,
                agent,
                task,
                then=self._done,
                failed=lambda sentence, one=(agent, task): self._failed(sentence, one),
            )

    def delegations(self, pieces: Pieces) -> "tuple[tuple[str, str], ...]":
        """Who would get what."""
        return composing.delegations(pieces, composing.agent_names(self._world.agents()))

    def send_notes(self, notes: Sequence[NoteRecord], failed: Callable[[str], None]) -> None:
        """Notes that no turn read, as the next prompt."""
        text = "\n\n".join(note.text for note in notes)
        note_ids = tuple(note.note_id for note in notes)
        self._outbox.prompt(self._session or "", (text,), (), note_ids=note_ids, then=lambda: None, failed=failed)

    def stop(self, situation: Situation) -> None:
        """The turn, or the child."""
        if self._session is None or not situation.busy:
            return
        task = self._world.task_of(self._session)
        if task is not None:
            self._orders.cancel_task(task.record.task_id)
        else:
            self._orders.cancel_turn(self._session)

    # ---- what came of it

    def _begin(self, orders: int) -> None:
        self._open, self._left, self._sentence = orders, [], ""
        self.changed.emit()

    def _done(self, _answer: object = None) -> None:
        self._settle()

    def _failed(self, sentence: str, one: "tuple[str, str] | None" = None) -> None:
        self._sentence = self._sentence or sentence
        if one is not None:
            self._left.append(one)
        self._settle()

    def _settle(self) -> None:
        self._open -= 1
        if self._open > 0:
            return
        if self._sentence:
            self.refused.emit(self._sentence, self._remaining())
        else:
            self.took.emit()
        self.changed.emit()

    def _remaining(self) -> Pieces | None:
        if not self._left:
            return None
        made: list[composing.Piece] = []
        for agent, task in self._left:
            made += ["\n" if made else "", Mention("agent", agent, self._world.label_of(agent)), f" {task}"]
        return tuple(piece for piece in made if piece)
