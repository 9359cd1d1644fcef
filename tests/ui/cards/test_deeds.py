"""What a card's buttons, fields and keys do."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from codeg.api import Status
from tests.ui import making as m
from tests.ui import scene
from tests.ui.cards.stand import BY_STATE, Show, Stand, a_stand, click, ended, key, settle
from ui.theme import metrics
from ui.viewmodels.states import State
from ui.widgets.cards import DelegationCard
from ui.widgets.cards.lines import SteerField


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


# ---- deeds


@pytest.mark.parametrize(
    ("state", "action", "order"),
    [
        (State.QUEUED, "cancel", "cancel_task"),
        (State.QUEUED, "start_now", "start_now"),
        (State.STARTING, "stop", "cancel_task"),
        (State.RUNNING, "stop", "cancel_task"),
        (State.CANCELED, "resume", "resume_task"),
        (State.INTERRUPTED, "resume", "resume_task"),
        (State.COMPLETED, "again", "delegate"),
    ],
)
def test_actions_are_orders(show: Show, state: State, action: str, order: str) -> None:
    stand = a_stand(show)
    stand.in_state(state).do(action)
    assert stand.orders.last().name == order


def test_ids_and_errors_can_be_copied(show: Show) -> None:
    stand = a_stand(show)
    stand.in_state(State.RUNNING).do("copy_id")
    assert clipboard() == BY_STATE[State.RUNNING].record.task_id
    stand.in_state(State.FAILED).do("copy_error")
    assert clipboard() == "Model error after 3 tries: too many requests"


def test_stopping_a_parent_asks_in_place_of_line_two(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    card = stand.card(scene.POLICY)
    card.do("stop")
    assert card.confirm is not None
    assert card.confirm.question.text() == "Stop Codex and its child?"
    assert "cancel_task" not in stand.orders.names()
    assert card.height() == metrics.CARD_COLLAPSED
    assert card.rect().contains(card.confirm.geometry())
    assert card.confirm.yes.hasFocus()
    QTest.keyClick(card.confirm, Qt.Key.Key_Escape)
    assert card.confirm is None
    card.do("stop")
    assert card.confirm is not None
    click(card.confirm.yes)
    assert stand.orders.last().given == {"task_id": scene.POLICY}


def test_the_focus_of_a_button_that_goes_comes_back_to_its_row(show: Show) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.RUNNING)
    stop = card.head.strip.button("stop")
    assert stop is not None
    stop.setFocus()
    stand.tell(ended(BY_STATE[State.RUNNING], Status.CANCELED))
    settle(stand)
    assert not stop.isVisible()
    assert stand.feed.hasFocus()
    key(stand.feed, "r")  # on the same card
    assert stand.orders.last("resume_task").given["task_id"] == BY_STATE[State.RUNNING].record.task_id


def test_starting_again_waits_for_the_end(show: Show) -> None:
    stand = a_stand(show)
    starting = BY_STATE[State.STARTING]
    stand.in_state(State.STARTING).do("start_again")
    stand.in_state(State.STARTING).do("start_again")
    assert stand.orders.names().count("cancel_task") == 1
    stand.tell(replace(starting, stopping=True))
    assert "resume_task" not in stand.orders.names()
    stand.tell(ended(starting, Status.CANCELED))
    assert stand.orders.last("resume_task").given == {"task_id": starting.record.task_id}


def test_a_note_is_pending_then_delivered(show: Show) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.RUNNING)
    card.do("steer")
    field = card.field
    assert isinstance(field, SteerField)
    assert field.field.hasFocus()
    assert field.field.placeholderText() == "Note for Codex"
    QTest.keyClicks(field.field, "Keep the old function")
    QTest.keyClick(field.field, Qt.Key.Key_Return)
    order = stand.orders.last("note")
    child = BY_STATE[State.RUNNING].record.child_id
    assert order.given == {"session_id": child, "text": "Keep the old function"}
    stand.orders.answer(order, "note-1")
    assert not field.field.text()
    stand.world.set_notes(child, (m.note("note-1", child, "Keep the old function", 1_000),))
    assert field.said() == (("clock", "Keep the old function · pending"),)
    stand.world.set_notes(child, (m.note("note-1", child, "Keep the old function", 1_000, 500),))
    assert field.said()[0][0] == "check"
    QTest.keyClick(field.field, Qt.Key.Key_Escape)
    assert card.field is None


def test_what_was_typed_survives_the_pool(show: Show) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.RUNNING)
    card.do("steer")
    assert card.field is not None
    QTest.keyClicks(card.field.field, "half a no")
    row = card.row
    assert row is not None
    card.rest()
    assert card.field is None
    card.show_row(row, stand.ctx)
    assert card.field is not None
    assert card.field.field.text() == "half a no"


def test_a_refused_note_stays_to_be_tried_again(show: Show) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.RUNNING)
    card.do("steer")
    field = card.field
    assert field is not None
    QTest.keyClicks(field.field, "Hello")
    field.send()
    stand.orders.refuse(stand.orders.last("note"), "The session is over.")
    assert field.field.text() == "Hello"
    assert field.field.isEnabled()


def test_an_answer_for_a_card_that_is_gone_is_no_crash(show: Show, qtbot: QtBot) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.RUNNING)
    card.do("steer")
    assert card.field is not None
    card.field.field.setText("Hello")
    card.field.send()
    field = card.field
    card.rest()
    with qtbot.waitSignal(field.destroyed, timeout=5000):
        pass
    stand.orders.answer(stand.orders.last("note"), "note-1")


def test_a_follow_up_goes_on_in_the_same_session(show: Show) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.COMPLETED)
    card.do("follow_up")
    assert card.field is not None
    QTest.keyClicks(card.field.field, "Now the docs")
    QTest.keyClick(card.field.field, Qt.Key.Key_Return)
    order = stand.orders.last("follow_up")
    assert order.given["text"] == "Now the docs"
    stand.orders.answer(order)
    assert card.field is None


# ---- keyboard


def focus_on(stand: Stand, card: DelegationCard) -> None:
    assert card.row is not None
    stand.feed.setFocus(Qt.FocusReason.TabFocusReason)
    stand.feed.set_current(card.row.key)


@pytest.mark.parametrize(
    ("state", "letter", "order"),
    [(State.RUNNING, "x", "cancel_task"), (State.CANCELED, "r", "resume_task"), (State.FAILED, "r", "resume_task")],
)
def test_letters_act_on_the_current_card(show: Show, state: State, letter: str, order: str) -> None:
    stand = a_stand(show)
    focus_on(stand, stand.in_state(state))
    key(stand.feed, letter)
    assert stand.orders.last().name == order


def test_o_s_t_and_c(show: Show) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.RUNNING)
    focus_on(stand, card)
    key(stand.feed, "o")
    assert stand.beside == [BY_STATE[State.RUNNING].record.child_id]
    key(stand.feed, "t")
    settle(stand)
    assert card.inside is not None
    assert card.inside.task.isVisible()
    key(stand.feed, "s")
    assert isinstance(card.field, SteerField)
    done = stand.in_state(State.COMPLETED)
    focus_on(stand, done)
    key(stand.feed, "c")
    settle(stand)
    assert clipboard() == "Two columns, three snapshot tests pass."


def test_right_goes_in_and_left_comes_back(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    card = stand.card(scene.POLICY)
    focus_on(stand, card)
    QTest.keyClick(stand.feed, Qt.Key.Key_Right)
    settle(stand)
    assert card.is_open()
    QTest.keyClick(stand.feed, Qt.Key.Key_Right)
    assert card.inside is not None
    inner = card.inside.feed
    assert inner is not None
    assert inner.hasFocus()
    QTest.keyClick(inner, Qt.Key.Key_Left)
    assert stand.feed.hasFocus()
    assert card.row is not None
    assert stand.feed.current == card.row.key
    QTest.keyClick(stand.feed, Qt.Key.Key_Left)
    assert not card.is_open()
