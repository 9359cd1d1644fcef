"""Where a person stands with everything that waits for them: details, picks, answers under way, answers given.

Owns what must outlive a panel: cards are pooled and the same ask shows in several places. One desk a world. An answer
is an order; a second one is not sent while the first is under way, and a refused one can be tried again. Nothing is
ever answered by a timer.
"""

from dataclasses import dataclass
from functools import partial
from typing import Literal

from PySide6.QtCore import QObject, Signal

from ui.orders import Orders
from ui.viewmodels.asking import Answering, summary_of
from ui.viewmodels.asks import Ask, AskDetail, AskOption
from ui.viewmodels.world import Batch, World
from ui.wording import clean_line, tr

KEPT = 100
Verdict = Literal["allowed", "rejected", "answered", "skipped"]


@dataclass(frozen=True, slots=True)
class Given:
    """An answer of this window that the host took. `text`: one line; `asker`: the session whose card showed it."""

    request_id: str
    asker: str
    verdict: Verdict
    text: str
    at_ms: int


class AskDesk(QObject):
    """`changed`: something about this request is different."""

    changed = Signal(str)

    def __init__(self, world: World, orders: Orders) -> None:
        super().__init__(world)
        self._world, self._orders = world, orders
        self._details: dict[str, AskDetail] = {}
        self._asked: set[str] = set()
        self._drafts: dict[str, Answering] = {}
        self._notes: dict[str, str] = {}
        self._sending: dict[str, Given] = {}
        self._problems: dict[str, str] = {}
        self._given: list[Given] = []
        world.changed.connect(self._changed)

    # ---- looking

    def detail(self, request_id: str) -> AskDetail | None:
        """What a permission is about, once it was read."""
        if request_id not in self._asked and self._world.ask(request_id) is not None:
            self._asked.add(request_id)
            self._orders.ask_detail(request_id, self._take_detail)
        return self._details.get(request_id)

    def draft(self, ask: Ask) -> Answering:
        """What was picked so far of a question set."""
        return self._drafts.setdefault(ask.request_id, Answering(ask.questions))

    def note(self, request_id: str) -> str:
        """What was typed for a rejection."""
        return self._notes.get(request_id, "")

    def set_note(self, request_id: str, text: str) -> None:
        """Remember what is typed."""
        self._notes[request_id] = text

    def is_sending(self, request_id: str) -> bool:
        """An answer is under way."""
        return request_id in self._sending

    def problem(self, request_id: str) -> str:
        """Why the last answer was not taken."""
        return self._problems.get(request_id, "")

    def given_to(self, asker: str) -> tuple[Given, ...]:
        """Answers of this window to a session, oldest first."""
        return tuple(given for given in self._given if given.asker == asker)

    # ---- answering

    def choose(self, ask: Ask, option: AskOption, note: str = "") -> None:
        """One option of a permission or plan."""
        allowed = option.kind.startswith("allow")
        if self._begin(ask, "allowed" if allowed else "rejected", _said(ask, option)):
            failed = partial(self.failed, ask.request_id)
            self._orders.answer_option(ask.request_id, option.option_id, note, failed=failed)

    def send(self, ask: Ask) -> None:
        """The picks of a question set."""
        draft = self.draft(ask)
        words = "; ".join(", ".join((*one.selected, *((one.other,) if one.other else ()))) for one in draft.picked())
        if self._begin(ask, "answered", tr("Answered: {answers}", answers=words)):
            self._orders.answer_questions(ask.request_id, draft.picked(), failed=partial(self.failed, ask.request_id))

    def decline(self, ask: Ask) -> None:
        """Skip all questions."""
        if self._begin(ask, "skipped", tr("Skipped: {what}", what=summary_of(ask))):
            self._orders.decline(ask.request_id, failed=partial(self.failed, ask.request_id))

    def _begin(self, ask: Ask, verdict: Verdict, text: str) -> bool:
        if ask.request_id in self._sending or self._world.ask(ask.request_id) is None:
            return False
        self._problems.pop(ask.request_id, None)
        given = Given(ask.request_id, self._world.asker(ask), verdict, text, self._world.now_ms())
        self._sending[ask.request_id] = given
        self.changed.emit(ask.request_id)
        return True

    def failed(self, request_id: str, sentence: str) -> None:
        """The host did not take it: it can be tried again."""
        if self._sending.pop(request_id, None) is not None:
            self._problems[request_id] = sentence
            self.changed.emit(request_id)

    # ---- the world

    def _take_detail(self, detail: AskDetail) -> None:
        if self._world.ask(detail.request_id) is not None:
            self._details[detail.request_id] = detail
            self.changed.emit(detail.request_id)

    def _changed(self, batch: Batch) -> None:
        if not batch.asks:
            return
        gone = [request_id for request_id in self._known() if self._world.ask(request_id) is None]
        for request_id in gone:
            given = self._sending.pop(request_id, None)
            if given is not None:
                self._given = [*self._given, given][-KEPT:]
            for held in (self._details, self._drafts, self._notes, self._problems):
                held.pop(request_id, None)
            self._asked.discard(request_id)
            self.changed.emit(request_id)

    def _known(self) -> set[str]:
        return {*self._asked, *self._details, *self._drafts, *self._notes, *self._sending, *self._problems}


def desk_of(world: World, orders: Orders) -> AskDesk:
    """The desk of this world, made when first asked for."""
    return found_desk(world) or AskDesk(world, orders)


def found_desk(world: World) -> AskDesk | None:
    """The desk of this world, where there is one already."""
    return next((child for child in world.children() if isinstance(child, AskDesk)), None)


def _said(ask: Ask, option: AskOption) -> str:
    what = summary_of(ask)
    match option.kind:
        case "allow_once":
            return tr("Allowed once: {what}", what=what)
        case "allow_always":
            return tr("Allowed from now on: {what}", what=what)
        case "reject_once" | "reject_always":
            return tr("Rejected: {what}", what=what)
        case _:
            return f"{clean_line(option.name, 60)}: {what}"
