"""What the agent offers, and how it folds where there is no room."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from codeg.api import OptionsChanged, SlashCommand
from tests.ui.composer.desk import FACTS, MODEL, RUNNING, Desk, Show
from ui.viewmodels.composing import Mention
from ui.viewmodels.offers import offers_of

TEXT = (Mention("agent", "open_code", "OpenCode"), " also check that Windows paths survive the move")


def shown(show: Show, width: int = 700, facts: object = FACTS) -> Desk:
    desk = Desk(RUNNING, width, facts=facts)
    show(desk.room)
    desk.orders.settle()
    return desk


def menu_texts(menu: QMenu | None) -> list[str]:
    assert menu is not None
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    menu.deleteLater()
    return texts


def test_agent_mode_and_model_show_what_holds(show: Show) -> None:
    pickers = shown(show).composer.pickers
    assert [pickers.agent.text(), pickers.mode.text(), pickers.model.text()] == [
        "Claude Code",
        "Ask first",
        "Large model",
    ]
    assert pickers.more.isVisible()
    assert pickers.mode.accessibleName() == "Mode: Ask first"


def test_only_what_the_agent_offers_is_there(show: Show) -> None:
    pickers = shown(show, facts=replace(FACTS, modes=(), options=())).composer.pickers
    assert not pickers.mode.isVisible()
    assert not pickers.model.isVisible()
    assert not pickers.more.isVisible()


def test_nothing_is_offered_before_the_session_is_open(show: Show) -> None:
    pickers = shown(show, facts=None).composer.pickers
    assert pickers.agent.isVisible()
    assert not pickers.mode.isVisible()


def test_a_choice_is_an_order_and_what_holds_comes_from_the_host(show: Show) -> None:
    desk = shown(show)
    pickers = desk.composer.pickers
    pickers.option_chosen.emit("", "auto")
    pickers.option_chosen.emit("model", "small")
    assert desk.orders.last("set_mode").given["mode"] == "auto"
    assert desk.orders.last("set_option").given == {"session_id": RUNNING, "option": "model", "value": "small"}
    assert pickers.mode.text() == "Ask first"
    desk.orders.facts_held[RUNNING] = replace(FACTS, mode="auto")
    desk.tell(OptionsChanged(RUNNING))
    desk.orders.settle()
    assert pickers.mode.text() == "Edit freely"


def test_an_option_of_the_category_mode_stands_before_the_older_modes() -> None:
    option = replace(MODEL, option_id="m", category="mode")
    offers = offers_of(replace(FACTS, options=(option,)))
    assert [picker.option_id for picker in offers.pickers if picker.kind == "mode"] == ["m"]


@pytest.mark.parametrize("width", [700, 560, 440, 360])
def test_nothing_is_clipped_at_any_width(show: Show, qtbot: QtBot, width: int) -> None:
    desk = shown(show, width)
    desk.composer.editor.set_pieces(TEXT)
    foot = desk.composer.foot
    parts = (*foot.pickers._parts, *foot.buttons._parts())

    def cut() -> list[str]:
        return [p.accessibleName() for p in parts if p.isVisible() and p.width() < p.sizeHint().width()]

    qtbot.waitUntil(lambda: not cut(), timeout=5000)
    assert foot.buttons.stop.mapTo(desk.room, foot.buttons.stop.rect().topRight()).x() <= width


def test_under_520_the_pickers_are_one_menu(show: Show) -> None:
    wide = shown(show, 520, replace(FACTS, options=())).composer.pickers
    narrow = shown(show, 519).composer.pickers
    assert wide.agent.isVisible()
    assert narrow.settings.isVisible()
    assert not narrow.agent.isVisible()
    assert menu_texts(narrow._settings_menu()) == [
        "Agent: Claude Code",
        "Mode: Ask first",
        "Model: Large model",
        "Thinking: High",
    ]


def test_what_folds_is_folded_whole_when_the_options_come_late(show: Show, qtbot: QtBot) -> None:
    desk = Desk(RUNNING, 560)
    desk.composer.editor.set_pieces(TEXT)
    show(desk.room)
    desk.orders.settle()
    pickers = desk.composer.pickers
    visible = [part for part in pickers._parts if not part.isHidden()]
    assert visible == [pickers.plus, pickers.settings]
    assert desk.room.width() == 560


def test_delegate_now_keeps_its_word_as_long_as_it_fits(show: Show) -> None:
    buttons = shown(show, 440).composer.foot.buttons
    assert buttons.delegate_icon.accessibleName() == "Delegate now"


def test_the_agents_commands_are_in_the_plus_menu(show: Show) -> None:
    desk = shown(show, facts=replace(FACTS, commands=(SlashCommand("review", "Look at the & diff"),)))
    assert "/review" in menu_texts(desk.composer.pickers._plus_menu())
    desk.composer.editor.set_pieces(("the client",))
    desk.composer.pickers.prompt_chosen.emit("/review")
    assert desk.composer.text() == "/review the client"


def test_another_agent_means_another_session(show: Show) -> None:
    desk = shown(show)
    asked: list[str] = []
    desk.composer.session_asked.connect(asked.append)
    desk.composer.pickers.agent_chosen.emit("claude_code")
    desk.composer.pickers.agent_chosen.emit("codex")
    assert asked == ["codex"]
    texts = menu_texts(desk.composer.pickers._agent_menu())
    assert texts[0] == "Begin another session with"
    assert "Gemini CLI (not installed)" in texts


def test_texts_of_agents_are_no_shortcuts_in_menus(show: Show) -> None:
    option = replace(MODEL, choices=(("a", "Fast & cheap"), ("b", "x\u202ey")), value="a")
    desk = shown(show, facts=replace(FACTS, options=(option,)))
    assert desk.composer.pickers.model.text() == "Fast & cheap"
    assert menu_texts(desk.composer.pickers._menu_of(desk.composer.pickers._offers.picker("model"))) == [
        "Fast && cheap",
        "x[U+202E]y",
    ]
