"""A permission and a plan: what they show, and that every way to answer is the agent's."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.asks.stand import REQUEST, Show, Stand, an_ask
from tests.ui.scene_threads import DETAILS
from ui.theme import metrics
from ui.theme.theme import theme
from ui.widgets.asks.permission import PermissionForm
from ui.widgets.asks.plan import PlanForm

COMMAND = {"kind": "execute", "title": "Migrates", "rawInput": {"command": "alembic upgrade head", "cwd": "services"}}


def form_of(stand: Stand) -> PermissionForm:
    assert isinstance(stand.panel.form, PermissionForm)
    return stand.panel.form


def test_options_are_the_agents_words_with_their_keys(show: Show) -> None:
    form = form_of(an_ask(show, "permission", detail=COMMAND))
    assert [button.text() for button in form.buttons] == [
        "Allow once",
        "Allow in this session",
        "Reject",
        "Reject with a note",
    ]
    assert [button._key for button in form.buttons] == ["1", "2", "3", "4"]


def test_no_option_weighs_more_and_none_has_the_focus(show: Show) -> None:
    form = form_of(an_ask(show, "permission", detail=COMMAND))
    assert {button._kind for button in form.options} == {"outlined"}
    assert not any(button.hasFocus() or button.isChecked() for button in form.buttons)


@pytest.mark.parametrize(("digit", "option"), [("1", "once"), ("2", "always"), ("3", "reject")])
def test_digits_choose(show: Show, digit: str, option: str) -> None:
    stand = an_ask(show, "permission", detail=COMMAND)
    stand.panel.setFocus()
    QTest.keyClicks(stand.panel, digit)
    assert stand.orders.last("answer_option").given == {"request_id": REQUEST, "option_id": option, "note": ""}


def test_digits_act_only_with_the_focus(show: Show) -> None:
    stand = an_ask(show, "permission", detail=COMMAND)
    stand.window.setFocus()
    QTest.keyClicks(stand.window, "1")
    assert "answer_option" not in stand.orders.names()


@pytest.mark.parametrize("pressed", ["5", "9", "0", "a"])
def test_other_keys_answer_nothing(show: Show, pressed: str) -> None:
    stand = an_ask(show, "permission", detail=COMMAND)
    stand.panel.setFocus()
    QTest.keyClicks(stand.panel, pressed)
    QTest.keyClick(stand.panel, Qt.Key.Key_Return)
    QTest.keyClicks(stand.panel, "1", Qt.KeyboardModifier.ControlModifier)
    assert "answer_option" not in stand.orders.names()


def test_esc_leaves_and_never_answers(show: Show) -> None:
    stand = an_ask(show, "permission", detail=COMMAND)
    stand.panel.setFocus()
    QTest.keyClick(stand.panel, Qt.Key.Key_Escape)
    assert not stand.panel.hasFocus()
    assert stand.window.hasFocus()
    assert stand.orders.names() == ["ask_detail"]


def test_a_note_goes_with_the_rejection_and_digits_are_text_in_it(show: Show) -> None:
    stand = an_ask(show, "permission", detail=COMMAND)
    form = form_of(stand)
    stand.panel.setFocus()
    QTest.keyClicks(stand.panel, "4")
    assert form.note.isVisible()
    assert form.note.hasFocus()
    QTest.keyClicks(form.note, "use 1 database")
    assert "answer_option" not in stand.orders.names()
    QTest.keyClick(form.note, Qt.Key.Key_Return)
    given = stand.orders.last("answer_option").given
    assert (given["option_id"], given["note"]) == ("reject", "use 1 database")


def test_esc_in_the_note_only_folds_it(show: Show) -> None:
    stand = an_ask(show, "permission", detail=COMMAND)
    form = form_of(stand)
    form.open_note()
    QTest.keyClick(form.note, Qt.Key.Key_Escape)
    assert not form.note.isVisible()
    assert "answer_option" not in stand.orders.names()


def test_without_a_rejection_there_is_no_note(show: Show) -> None:
    options = [{"id": "yes", "name": "Yes", "kind": "allow_once"}]
    form = form_of(an_ask(show, "permission", options=options))
    assert [button.text() for button in form.buttons] == ["Yes"]


def test_one_answer_at_a_time_and_a_failure_can_be_tried_again(show: Show) -> None:
    stand = an_ask(show, "permission", detail=COMMAND)
    form = form_of(stand)
    QTest.mouseClick(form.options[0], Qt.MouseButton.LeftButton)
    QTest.mouseClick(form.options[2], Qt.MouseButton.LeftButton)
    assert len(stand.orders.all("answer_option")) == 1
    assert not form.isEnabled()
    stand.orders.refuse(stand.orders.last("answer_option"), "The agent is gone.")
    assert form.isEnabled()
    assert form.problem.isVisible()
    assert form.problem.text() == "The agent is gone."
    QTest.mouseClick(form.options[0], Qt.MouseButton.LeftButton)
    assert len(stand.orders.all("answer_option")) == 2


def test_the_same_ask_elsewhere_locks_too(show: Show) -> None:
    stand = an_ask(show, "permission", detail=COMMAND)
    other = type(stand.panel)(stand.panel.ask, stand.world, stand.orders, parent=stand.window)
    stand.panel.press(1)
    assert not other.form.isEnabled()


# ---- what it is about


def box_lines(form: PermissionForm) -> list[str]:
    return list(form.box.sheet._lines)


def test_a_command_stands_whole_in_its_box(show: Show) -> None:
    long = "find . " + " ".join(f"-name part{n}" for n in range(100))
    form = form_of(an_ask(show, "permission", detail={"kind": "execute", "rawInput": {"command": long}}))
    assert form.box.isVisible()
    assert "".join(box_lines(form)) == long
    assert form.box.height() == 8 * theme().line("code") + 2 * (metrics.ASK_BOX_PAD_V + 1)
    assert form.box._scroll.verticalScrollBar().maximum() > 0


def test_a_copied_command_has_no_breaks_of_the_box(show: Show) -> None:
    long = "echo " + "x" * 400 + "\nls"
    form = form_of(an_ask(show, "permission", detail={"kind": "execute", "rawInput": {"command": long}}))
    sheet = form.box.sheet
    sheet.setFocus()
    QTest.keyClicks(sheet, "a", Qt.KeyboardModifier.ControlModifier)
    assert sheet.selected_text() == long


def test_hidden_characters_are_boxed_and_said(show: Show) -> None:
    stand = an_ask(show, "permission", detail={"kind": "execute", "rawInput": {"command": "ls \u202e\x1b[2K"}})
    form = form_of(stand)
    assert "".join(box_lines(form)) == "ls [U+202E][U+001B][2K"
    said = [words[0].text for _, _, words in form._notes]
    assert any("shown as codes" in text for text in said)


def test_a_short_command_of_a_card_stands_behind_the_question(show: Show) -> None:
    detail = {"kind": "execute", "rawInput": {"command": "npm ci"}}
    form = form_of(an_ask(show, "permission", framed=False, detail=detail, title="npm ci"))
    assert not form.box.isVisible()
    hidden = {"kind": "execute", "rawInput": {"command": "npm\u200b ci"}}
    assert form_of(an_ask(show, "permission", framed=False, detail=hidden, title="npm ci")).box.isVisible()


def test_where_and_what_lasts_are_said(show: Show) -> None:
    options = [{"id": "always", "name": "Always allow", "kind": "allow_always"}]
    form = form_of(an_ask(show, "permission", detail=COMMAND, options=options))
    said = ["".join(piece.text for piece in words) for _, _, words in form._notes]
    assert said[0] == "in services"
    assert said[1].startswith("Always allow: Holds for later calls")
    assert "later calls" in form.options[0].toolTip()


def test_changes_are_diffs(show: Show) -> None:
    form = form_of(an_ask(show, "permission", detail=DETAILS["permission-grid"]))
    assert form.changes is not None
    assert form.changes.isVisible()
    assert not form.box.isVisible()


def test_a_narrow_panel_breaks_its_buttons(show: Show) -> None:
    stand = an_ask(show, "permission", detail=COMMAND)
    tall = stand.panel.height_for(700)
    assert stand.panel.height_for(260) > tall
    form = form_of(stand)
    rows = {button.y() for button in form.buttons}
    assert len(rows) > 1
    assert all(button.geometry().right() < 260 for button in form.buttons)


def test_it_says_who_wants_what(show: Show) -> None:
    stand = an_ask(show, "permission", detail=COMMAND)
    assert stand.panel.accessibleName() == "Claude Code asks for a permission: alembic upgrade head"
    assert "alembic upgrade head" in form_of(stand).accessibleDescription()


def test_markup_in_an_option_is_text(show: Show) -> None:
    options = [{"id": "x", "name": "<b>Allow</b> & go\n\x1b[31mred", "kind": "allow_once"}]
    form = form_of(an_ask(show, "permission", options=options))
    assert form.options[0].text() == "<b>Allow</b> & go red"


# ---- plans


PLAN = {"rawInput": {"plan": "# Plan\n\n1. One\n2. Two"}}
OPTIONS = [
    {"id": "approve", "name": "Approve", "kind": "allow_once"},
    {"id": "reject", "name": "Reject", "kind": "reject_once"},
]


def test_a_plan_is_prose_with_three_ways(show: Show) -> None:
    stand = an_ask(show, "plan_approval", detail=PLAN, options=OPTIONS)
    form = stand.panel.form
    assert isinstance(form, PlanForm)
    assert [button.text() for button in form.buttons] == ["Approve", "Ask for changes…", "Reject"]
    assert {button._kind for button in form.buttons} == {"outlined"}
    assert form.prose is not None
    assert "One" in form.prose.body.toPlainText()
    assert not form.box.isVisible()


def test_changes_of_a_plan_are_a_rejection_with_a_note(show: Show) -> None:
    stand = an_ask(show, "plan_approval", detail=PLAN, options=OPTIONS)
    form = form_of(stand)
    stand.panel.press(2)
    QTest.keyClicks(form.note, "Tests first")
    QTest.keyClick(form.note, Qt.Key.Key_Return)
    given = stand.orders.last("answer_option").given
    assert (given["option_id"], given["note"]) == ("reject", "Tests first")


def test_a_long_plan_takes_half_the_window(show: Show) -> None:
    plan = "\n\n".join(f"Paragraph {n} of a plan that goes on." for n in range(80))
    stand = an_ask(show, "plan_approval", detail={"rawInput": {"plan": plan}}, options=OPTIONS)
    form = stand.panel.form
    assert isinstance(form, PlanForm)
    assert form.prose is not None
    assert form.prose.height() == stand.window.height() // 2


def test_it_goes_quietly_when_it_was_answered_elsewhere(show: Show) -> None:
    stand = an_ask(show, "permission", detail=COMMAND)
    stand.gone()
    stand.panel.press(1)
    assert "answer_option" not in stand.orders.names()
