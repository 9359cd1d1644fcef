"""What an ask says, what was picked, and the desk that keeps it all."""

from typing import Any

import pytest

from codeg.api import AsksChanged
from tests.ui import making as m
from tests.ui import scene, scene_threads
from tests.ui.doubles import OrdersDouble
from tests.ui.worlds import a_desk, changes
from ui.viewmodels.ask_desk import AskDesk, desk_of
from ui.viewmodels.asking import (
    Answering,
    hides,
    is_recommended,
    lasting,
    matter_of,
    plain_label,
    summary_of,
    whole_command,
    wish_of,
)
from ui.viewmodels.asks import Ask, AskDetail, AskOption, Choice, Picked, Question
from ui.viewmodels.world import World

ASK = Ask("r", "permission", "s", "ls -la", 0)


def detail(**raw: Any) -> AskDetail:
    return AskDetail("r", raw)


# ---- permissions


def test_the_permission_of_the_picture() -> None:
    matter = matter_of(ASK, AskDetail("r", scene_threads.DETAILS[scene.ASK_ALEMBIC]))
    assert matter.question == "Run a command?"
    assert matter.reason == "Applies 3 migrations to the local database settlement_dev"
    assert (matter.command, matter.where) == ("alembic upgrade head", "services/settlement")


def test_without_details_the_title_is_all_there_is() -> None:
    matter = matter_of(ASK, None)
    assert (matter.question, matter.command, matter.reason) == ("Allow this?", "ls -la", "")


@pytest.mark.parametrize("command", ["ls -la", ["ls", "-la"]])
def test_commands_come_as_text_or_words(command: Any) -> None:
    matter = matter_of(ASK, detail(kind="execute", rawInput={"command": command, "description": "Lists."}))
    assert (matter.command, matter.reason) == ("ls -la", "Lists.")


def test_a_title_that_only_repeats_the_command_is_no_reason() -> None:
    assert not matter_of(ASK, detail(title="`ls -la`", rawInput={"command": "ls -la"})).reason
    assert not matter_of(ASK, detail(title="Run ls -la", rawInput={"command": "ls -la"})).reason


def test_changes_are_shown_as_changes() -> None:
    matter = matter_of(ASK, AskDetail("r", scene_threads.DETAILS[scene.ASK_GRID]))
    assert (matter.kind, matter.question, len(matter.diffs)) == ("edit", "Edit 2 files?", 2)


def test_a_deletion_says_so() -> None:
    assert matter_of(ASK, detail(kind="delete", locations=[{"path": "a.py"}])).question == "Delete 1 file?"


@pytest.mark.parametrize("raw", [{}, {"rawInput": 3}, {"content": "x", "kind": 7}, {"rawInput": {"command": [1]}}])
def test_odd_details_are_no_crash(raw: dict[str, Any]) -> None:
    assert matter_of(ASK, AskDetail("r", raw)).command


def test_a_plan_is_prose() -> None:
    ask = Ask("r", "plan_approval", "s", "Title", 0)
    assert matter_of(ask, detail(rawInput={"plan": "1. One"})).plan == "1. One"
    content = [m.text_block("2. Two")]
    assert matter_of(ask, detail(content=content)).plan == "2. Two"
    assert matter_of(ask, None).plan == "Title"


def test_wishes() -> None:
    assert wish_of(ASK) == "asks for a permission"
    assert wish_of(ASK, detail(rawInput={"command": "ls"})) == "wants to run a command"
    grid = AskDetail("r", scene_threads.DETAILS[scene.ASK_GRID])
    assert wish_of(ASK, grid) == "wants to edit 2 files"
    assert wish_of(Ask("r", "plan_approval", "s", "", 0)) == "asks for your word on a plan"
    assert wish_of(Ask("r", "question", "s", "", 0, questions=(Question("?", "", ()),))) == "has a question"


def test_lasting_options_say_so() -> None:
    assert lasting("allow_always")
    assert lasting("reject_always")
    assert not lasting("allow_once")


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("ls\n\tpwd", "ls\n\tpwd"),
        ("ls\r\nrm", "ls\nrm"),
        ("safe\rrm -rf /", "safe[U+000D]rm -rf /"),
        ("a\x1b[2Kb", "a[U+001B][2Kb"),
        ("x\u202egnp", "x[U+202E]gnp"),
        ("z\u200bw", "z[U+200B]w"),
        ("p\ue000q", "p[U+E000]q"),
    ],
)
def test_nothing_in_a_command_is_hidden(command: str, shown: str) -> None:
    assert whole_command(command) == shown
    assert hides(command) == ("[U+" in shown)


# ---- questions


def picks(*questions: Question) -> Answering:
    return Answering(questions)


ONE = Question("Which?", "Which", (Choice("A"), Choice("B (Recommended)")))
MANY = Question("How many?", "Many", (Choice("A"), Choice("B")), many=True)


def test_a_single_choice_moves_on_but_the_last_does_not() -> None:
    draft = picks(ONE, ONE)
    assert draft.pick(0)
    draft.at = 1
    assert not draft.pick(1)
    assert draft.answered == 2


def test_a_single_choice_is_replaced_and_stays() -> None:
    draft = picks(ONE)
    draft.pick(0)
    draft.pick(0)
    assert draft.is_picked(0)
    draft.pick(1)
    assert (draft.is_picked(0), draft.is_picked(1)) == (False, True)


def test_several_choices_toggle() -> None:
    draft = picks(MANY)
    for number in (0, 1, 0):
        draft.pick(number)
    assert draft.picked() == (Picked("How many?", ("B",)),)


def test_other_counts_once_something_is_written() -> None:
    draft = picks(ONE)
    draft.pick(2)
    assert draft.is_picked(2)
    assert not draft.is_answered(0)
    draft.others[0] = " mine "
    assert draft.picked() == (Picked("Which?", (), "mine"),)
    draft.pick(0)
    assert draft.picked() == (Picked("Which?", ("A",)),)


def test_recommended_is_a_word_of_the_label() -> None:
    assert is_recommended("B (Recommended)")
    assert plain_label("B (Recommended)") == "B"
    assert plain_label("(recommended)") == "(recommended)"
    assert not is_recommended("Recommended reading")


# ---- the desk


@pytest.fixture
def stand() -> tuple[World, OrdersDouble, AskDesk]:
    world, orders = a_desk()
    return world, orders, desk_of(world, orders)


def ask_in(world: World, request_id: str) -> Ask:
    ask = world.ask(request_id)
    assert ask is not None
    return ask


def test_there_is_one_desk_for_a_world(stand: tuple[World, OrdersDouble, AskDesk]) -> None:
    world, orders, desk = stand
    assert desk_of(world, orders) is desk


def test_details_are_read_once(stand: tuple[World, OrdersDouble, AskDesk]) -> None:
    _, orders, desk = stand
    assert desk.detail(scene.ASK_ALEMBIC) is None
    assert desk.detail(scene.ASK_ALEMBIC) is None
    orders.settle()
    found = desk.detail(scene.ASK_ALEMBIC)
    assert found is not None
    assert found.raw["kind"] == "execute"
    assert orders.names().count("ask_detail") == 1


def test_a_second_answer_waits_for_the_first(stand: tuple[World, OrdersDouble, AskDesk]) -> None:
    world, orders, desk = stand
    ask = ask_in(world, scene.ASK_ALEMBIC)
    desk.choose(ask, ask.options[0])
    desk.choose(ask, ask.options[2])
    assert [order.given["option_id"] for order in orders.all("answer_option")] == ["once"]
    assert desk.is_sending(ask.request_id)


def test_a_refused_answer_can_be_tried_again(stand: tuple[World, OrdersDouble, AskDesk]) -> None:
    world, orders, desk = stand
    ask = ask_in(world, scene.ASK_ALEMBIC)
    desk.choose(ask, ask.options[0])
    orders.refuse(orders.last("answer_option"), "The host is busy.")
    assert desk.problem(ask.request_id) == "The host is busy."
    assert not desk.is_sending(ask.request_id)
    desk.choose(ask, ask.options[0])
    assert not desk.problem(ask.request_id)
    assert len(orders.all("answer_option")) == 2


def test_what_was_answered_is_remembered_for_its_card(stand: tuple[World, OrdersDouble, AskDesk]) -> None:
    world, _, desk = stand
    ask = ask_in(world, scene.ASK_ALEMBIC)
    desk.choose(ask, ask.options[0])
    others = [one for one in scene.ASKS if one["request_id"] != scene.ASK_ALEMBIC]
    world.apply(changes(AsksChanged(tuple(others))))
    given = desk.given_to(m.child_of(scene.SETTLEMENT))
    assert [(one.verdict, one.text) for one in given] == [("allowed", "Allowed once: alembic upgrade head")]


def test_answered_elsewhere_leaves_nothing(stand: tuple[World, OrdersDouble, AskDesk]) -> None:
    world, _, desk = stand
    ask = ask_in(world, scene.ASK_WIDTHS)
    desk.draft(ask).pick(0)
    world.apply(changes(AsksChanged(())))
    assert not desk.given_to(scene.SETTINGS)
    desk.choose(ask, AskOption("x", "X", "allow_once"))
    assert not desk.is_sending(ask.request_id)


def test_picks_are_the_same_everywhere(stand: tuple[World, OrdersDouble, AskDesk]) -> None:
    world, orders, desk = stand
    ask = ask_in(world, scene.ASK_WIDTHS)
    desk.draft(ask).pick(0)
    assert desk_of(world, orders).draft(ask).is_picked(0)


def test_answers_and_skips_are_orders(stand: tuple[World, OrdersDouble, AskDesk]) -> None:
    world, orders, desk = stand
    ask = ask_in(world, scene.ASK_WIDTHS)
    desk.draft(ask).pick(0)
    desk.send(ask)
    assert orders.last("answer_questions").given["picked"][0].selected == ("Desktop, 1200 px and more",)
    desk.failed(ask.request_id, "No.")
    desk.decline(ask)
    assert orders.last().name == "decline"


def test_summaries() -> None:
    assert summary_of(ASK) == "ls -la"
    assert summary_of(Ask("r", "question", "s", "t", 0, questions=(ONE,))) == "Which?"
