"""`ui.orders.Orders`: what the window may rely on, for the bridge over a real host and for the double of the tests."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before Qt is imported

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from codeg.api import Entry
from tests.ui.bridge.rig import BridgeRig
from tests.ui.doubles import OrdersDouble
from ui.orders import Orders
from ui.viewmodels.world import World

TEXT = "A word. "


class Keeper:
    """One who keeps the promise. `session_id`: a conversation of three entries; `until` runs the event loop."""

    def __init__(self, orders: Orders, world: World, qtbot: QtBot, session_id: str) -> None:
        self.orders, self.world, self.qtbot, self.session_id = orders, world, qtbot, session_id
        self.refusals: Callable[[], list[str]] = list
        self.stop: Callable[[], object] = lambda: None

    def until(self, condition: Callable[[], Any]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=5_000)


@pytest.fixture(params=["bridge", "double"])
def keeper(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> Iterator[Keeper]:
    if request.param == "bridge":
        rig = BridgeRig(qtbot, tmp_path).open()
        session_id = rig.session()
        rig.bridge.prompt(session_id, f"@think Hm. @say {TEXT}")
        rig.until(rig.turns)
        kept = Keeper(rig.bridge, rig.world, qtbot, session_id)
        kept.refusals = lambda: [told[1] for told in rig.heard("refused")]
        kept.stop = rig.close
        yield kept
        assert rig.close()
        return
    said = [Entry(seq, "message", 1, seq, text=f"{seq}") for seq in range(3)]
    double = OrdersDouble(entries={"session": said})
    kept = Keeper(double, double.world, qtbot, "session")
    kept.refusals = lambda: double.refusals
    kept.stop = double.stop
    yield kept


def test_an_answer_never_comes_within_the_order(keeper: Keeper) -> None:
    got: list[Any] = []
    keeper.orders.entries(keeper.session_id, -1, 10, got.append)
    assert got == []
    keeper.until(lambda: got)


def test_entries_come_in_pages_and_an_empty_page_is_the_end(keeper: Keeper) -> None:
    pages: list[tuple[Entry, ...]] = []
    after = -1
    while not pages or pages[-1]:
        count = len(pages)
        keeper.orders.entries(keeper.session_id, after, 2, pages.append)
        keeper.until(lambda count=count: len(pages) > count)
        after = pages[-1][-1].seq if pages[-1] else after
    assert [len(page) for page in pages] == [2, 1, 0]
    assert [entry.seq for page in pages for entry in page] == [0, 1, 2]


def test_an_unknown_conversation_is_empty(keeper: Keeper) -> None:
    got: list[Any] = []
    keeper.orders.entries("session-unknown", -1, 10, got.append)
    keeper.until(lambda: got)
    assert got == [()]


def test_answers_keep_the_order_of_their_orders(keeper: Keeper) -> None:
    got: list[Any] = []
    for number in range(20):
        keeper.orders.kept(f"name-{number}", lambda _text, number=number: got.append(number))
    keeper.until(lambda: len(got) == 20)
    assert got == list(range(20))


def test_what_is_kept_comes_back_and_what_was_not_is_none(keeper: Keeper) -> None:
    got: list[Any] = []
    keeper.orders.keep("window", '{"a": 1}')
    keeper.orders.kept("window", got.append)
    keeper.orders.kept("other", got.append)
    keeper.until(lambda: len(got) == 2)
    assert got == ['{"a": 1}', None]


def test_a_session_without_an_open_agent_has_no_facts(keeper: Keeper) -> None:
    got: list[Any] = []
    keeper.orders.facts("session-unknown", got.append)
    keeper.until(lambda: got)
    assert got == [None]


def test_a_closed_ask_has_no_detail(keeper: Keeper) -> None:
    got: list[Any] = []
    keeper.orders.ask_detail("permission-unknown", got.append)
    keeper.until(lambda: got)
    assert (got[0].request_id, got[0].raw) == ("permission-unknown", {})


def test_there_is_nothing_older_than_everything(keeper: Keeper) -> None:
    got: list[Any] = []
    keeper.orders.older_sessions(keeper.session_id, got.append)
    keeper.orders.older_tasks("task-unknown", got.append)
    keeper.until(lambda: len(got) == 2)
    assert got == [(), ()]


def test_agents_are_those_of_the_world(keeper: Keeper) -> None:
    got: list[Any] = []
    keeper.orders.look_for_agents(then=got.append)
    keeper.until(lambda: got)
    assert got[0] == keeper.world.agents()


def test_an_answer_is_not_needed(keeper: Keeper) -> None:
    got: list[Any] = []
    keeper.orders.notes(keeper.session_id)
    keeper.orders.look_for_agents()
    keeper.orders.kept("window", got.append)
    keeper.until(lambda: got)
    assert keeper.refusals() == []


def test_after_the_stop_nothing_is_called(keeper: Keeper) -> None:
    got: list[Any] = []
    keeper.orders.kept("window", got.append)
    keeper.stop()
    keeper.orders.kept("window", got.append)
    keeper.orders.open_session("demo", "/nowhere", then=got.append, failed=got.append)
    keeper.qtbot.wait(1)
    assert got == []
