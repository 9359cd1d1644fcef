"""Prompts that wait: sent one a turn, held after a turn that did not end well, never lost."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from codeg.api import Change, SessionChanged, TurnFinished, TurnResult, TurnUsage
from tests.ui import making as m
from tests.ui import scene
from tests.ui.doubles import OrdersDouble
from ui.viewmodels.outbox import Outbox
from ui.viewmodels.rows import Image
from ui.viewmodels.view_state import ViewState
from ui.viewmodels.world import World

S = "session"


class Desk:
    """A world with one session, and its outbox."""

    def __init__(self, state: str = "running") -> None:
        self.world = World()
        self.world.load([m.session(S, "Title", state=state)], [], agents=scene.AGENTS)
        self.orders = OrdersDouble(self.world)
        self.view = ViewState()
        self.outbox = Outbox.of(self.world, self.orders, self.view)

    def state(self, state: str) -> None:
        record = self.world.session(S)
        assert record is not None
        self.world.apply([Change(1, SessionChanged(replace(record, state=state)))])

    def ends(self, reason: str = "end_turn", code: str = "") -> None:
        record = self.world.session(S)
        assert record is not None
        result = None if code else TurnResult(reason, "done", 0, TurnUsage())
        told = [SessionChanged(replace(record, state="idle")), TurnFinished(S, result, code, "why")]
        self.world.apply([Change(number, what) for number, what in enumerate(told)])

    def prompts(self) -> list[str]:
        return [order.given["text"] for order in self.orders.all("prompt")]

    def texts(self) -> list[str]:
        return [str(waiting.pieces[0]) for waiting in self.outbox.waiting(S)]


@pytest.fixture
def desk(qapp: object) -> Iterator[Desk]:
    yield Desk()


def test_there_is_one_outbox_for_all_composers_of_a_window(desk: Desk) -> None:
    assert Outbox.of(desk.world, desk.orders, desk.view) is desk.outbox


def test_each_turn_that_ends_well_sends_the_next(desk: Desk) -> None:
    desk.outbox.add(S, ("one",))
    desk.outbox.add(S, ("two",))
    desk.ends()
    assert desk.prompts() == ["one"]
    assert desk.texts() == ["two"]
    desk.orders.answer(desk.orders.last("prompt"))
    desk.state("running")
    assert desk.prompts() == ["one"]
    desk.ends()
    assert desk.prompts() == ["one", "two"]


@pytest.mark.parametrize(
    ("reason", "code"), [("cancelled", ""), ("refusal", ""), ("", "canceled"), ("", "agent_crashed")]
)
def test_a_stopped_or_failed_turn_keeps_the_queue_until_the_person_says_so(desk: Desk, reason: str, code: str) -> None:
    desk.outbox.add(S, ("one",))
    desk.ends(reason, code)
    assert desk.prompts() == []
    assert desk.texts() == ["one"]
    assert desk.outbox.held(S)
    desk.outbox.let_go(S)
    assert desk.prompts() == ["one"]
    assert not desk.outbox.held(S)


def test_a_refused_prompt_goes_back_to_the_front_with_the_sentence(desk: Desk) -> None:
    desk.outbox.add(S, ("one",))
    desk.outbox.add(S, ("two",))
    desk.ends()
    desk.orders.refuse(desk.orders.last("prompt"), "The disk is full.")
    assert desk.texts() == ["one", "two"]
    assert desk.outbox.why_held(S) == "The disk is full."


def test_what_is_queued_while_the_agent_starts_is_sent_when_it_stands(desk: Desk) -> None:
    starting = Desk("idle")
    starting.state("starting")
    starting.outbox.add(S, ("one",))
    starting.state("idle")
    assert starting.prompts() == ["one"]


def test_a_session_with_its_first_prompt_on_the_way_sends_the_queue_after_that_turn() -> None:
    desk = Desk("idle")
    desk.state("starting")
    desk.outbox.add(S, ("second",))
    desk.state("running")
    assert desk.prompts() == []
    desk.ends()
    assert desk.prompts() == ["second"]


def test_a_prompt_on_its_way_counts_as_a_turn_until_the_host_refused_it(desk: Desk) -> None:
    idle = Desk("idle")
    said: list[str] = []
    idle.outbox.prompt(S, ("hello",), (), then=lambda: said.append("taken"), failed=said.append)
    assert idle.outbox.busy(S)
    idle.orders.refuse(idle.orders.last("prompt"), "No.")
    assert not idle.outbox.busy(S)
    assert said == ["No."]


def test_queue_and_last_message_survive_a_restart(desk: Desk) -> None:
    desk.outbox.add(S, ("[later]",), (Image("image/png", "AAAA"),))
    again = ViewState()
    again.load(desk.view.dump())
    outbox = Outbox.of(desk.world, desk.orders, again)
    assert [waiting.pieces for waiting in outbox.waiting(S)] == [("[later]",)]
    assert outbox.held(S)


def test_order_and_content_of_the_queue_can_be_changed(desk: Desk) -> None:
    for text in ("one", "two", "three"):
        desk.outbox.add(S, (text,))
    keys = [waiting.key for waiting in desk.outbox.waiting(S)]
    desk.outbox.raise_up(S, keys[2])
    desk.outbox.raise_up(S, keys[0])
    assert desk.texts() == ["one", "three", "two"]
    taken = desk.outbox.exchange(S, keys[2], ("in its place",))
    assert taken is not None
    assert taken.pieces == ("three",)
    assert desk.texts() == ["one", "in its place", "two"]
    assert desk.outbox.take(S, 99) is None


def test_a_deleted_session_takes_its_queue_along(desk: Desk) -> None:
    from codeg.api import SessionDeleted

    desk.outbox.add(S, ("one",))
    desk.world.apply([Change(1, SessionDeleted(S))])
    assert desk.view.value("composer.queues") is None


def test_an_agent_that_is_not_signed_in_is_known_until_a_turn_goes_well(desk: Desk) -> None:
    desk.ends(code="auth_required")
    assert desk.outbox.signed_out("claude_code")
    desk.ends()
    assert not desk.outbox.signed_out("claude_code")


def test_the_last_message_is_known_after_it_was_taken(desk: Desk) -> None:
    idle = Desk("idle")
    idle.outbox.prompt(S, ("hello",), (), then=lambda: None, failed=lambda _s: None)
    assert idle.outbox.last_said(S) is None
    idle.orders.answer(idle.orders.last("prompt"))
    assert idle.outbox.last_said(S) == ("hello",)
