"""Saying something: sending, steering, queueing, delegating, stopping; and that nothing typed is ever lost."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from codeg.api import NotesChanged, NotesOffered, Status, TaskChanged
from tests.ui import making as m
from tests.ui import scene
from tests.ui.composer.desk import CTRL, ENTER, IDLE, RUNNING, SHIFT, UP, Desk, Show
from ui.orders import AgentProbe
from ui.viewmodels.composing import Mention
from ui.viewmodels.rows import Image


@pytest.fixture
def running(show: Show) -> Desk:
    return shown(Desk(RUNNING), show)


@pytest.fixture
def idle(show: Show) -> Desk:
    return shown(Desk(IDLE), show)


def shown(desk: Desk, show: Show) -> Desk:
    show(desk.room)
    desk.orders.settle()
    desk.composer.setFocus()
    return desk


def test_enter_sends_and_the_text_stays_until_the_host_took_it(idle: Desk) -> None:
    idle.type("hello")
    idle.press(ENTER)
    order = idle.orders.last("prompt")
    assert order.given["text"] == "hello"
    assert idle.composer.text() == "hello"
    idle.orders.answer(order)
    assert idle.composer.text() == ""
    assert idle.view.draft(IDLE) == ""


def test_a_refused_prompt_keeps_the_text_and_says_one_sentence(idle: Desk) -> None:
    idle.type("hello")
    idle.press(ENTER)
    idle.orders.refuse(idle.orders.last("prompt"), "The disk is full.")
    assert idle.composer.text() == "hello"
    assert idle.composer.frame.problem.text() == "The disk is full."
    assert idle.composer.frame.problem.isVisible()
    idle.type("!")
    assert not idle.composer.frame.problem.isVisible()
    assert idle.composer.text() == "hello!"


def test_two_enters_send_once(idle: Desk) -> None:
    idle.type("hello")
    idle.press(ENTER)
    idle.press(ENTER)
    assert len(idle.orders.all("prompt")) == 1


def test_an_empty_text_is_not_sent(idle: Desk) -> None:
    idle.type("  ")
    idle.press(ENTER)
    assert idle.orders.all("prompt") == []
    assert not idle.composer.buttons.send.isEnabled()


def test_shift_enter_makes_a_line(idle: Desk) -> None:
    idle.type("one")
    idle.press(ENTER, SHIFT)
    idle.type("two")
    assert idle.composer.text() == "one\ntwo"
    assert idle.orders.all("prompt") == []


def test_while_a_turn_runs_enter_steers(running: Desk) -> None:
    assert running.composer.buttons.steer.isVisible()
    running.type("keep the API")
    running.press(ENTER)
    order = running.orders.last("note")
    assert order.given == {"session_id": RUNNING, "text": "keep the API"}
    running.orders.answer(order, "note-1")
    assert running.composer.text() == ""


def test_ctrl_enter_waits_for_the_end_of_the_turn_and_is_sent_then(running: Desk) -> None:
    running.type("then the changelog")
    running.press(ENTER, CTRL)
    assert running.composer.text() == ""
    assert running.composer.queue.isVisible()
    assert running.orders.all("prompt") == []
    running.turn_ends()
    assert running.orders.last("prompt").given["text"] == "then the changelog"
    assert not running.composer.queue.isVisible()


def test_a_stopped_turn_keeps_the_queue_in_sight(running: Desk) -> None:
    running.type("then the changelog")
    running.press(ENTER, CTRL)
    running.turn_ends("cancelled")
    assert running.composer.queue.isVisible()
    assert running.orders.all("prompt") == []
    running.composer.queue.go_asked.emit()
    assert running.orders.last("prompt").given["text"] == "then the changelog"


def test_ctrl_enter_sends_where_no_turn_runs(idle: Desk) -> None:
    idle.type("hello")
    idle.press(ENTER, CTRL)
    assert idle.orders.last("prompt").given["text"] == "hello"


def test_ctrl_dot_and_the_square_stop_the_turn(running: Desk) -> None:
    running.press(Qt.Key.Key_Period, CTRL)
    assert running.orders.last("cancel_turn").given == {"session_id": RUNNING}
    QTest.mouseClick(running.composer.buttons.stop, Qt.MouseButton.LeftButton)
    assert len(running.orders.all("cancel_turn")) == 2


def test_delegate_now_shows_with_an_agent_and_a_task_only(running: Desk) -> None:
    buttons = running.composer.buttons
    assert not buttons.delegate.isVisible()
    running.type("@codex ")
    assert not buttons.delegate.isVisible()
    running.type("look at it")
    assert buttons.delegate.isVisible()
    assert "look at it" in buttons.delegate.toolTip()


def test_ctrl_shift_enter_delegates_without_the_mention(running: Desk) -> None:
    running.type("@codex also check Windows")
    running.press(ENTER, CTRL | SHIFT)
    order = running.orders.last("delegate")
    assert (order.given["agent"], order.given["task"]) == ("codex", "also check Windows")
    running.orders.answer(order)
    assert running.composer.text() == ""


def test_a_refused_delegation_leaves_what_was_refused(running: Desk) -> None:
    running.type("@codex write it @demo survey")
    running.press(ENTER, CTRL | SHIFT)
    first, second = running.orders.all("delegate")
    running.orders.answer(first)
    assert running.composer.text() == "@codex write it @demo survey"
    running.orders.refuse(second, "The queue is full.")
    assert running.composer.text() == "@demo survey"
    assert running.composer.frame.problem.text() == "The queue is full."


def test_the_demo_agent_gets_what_was_typed(idle: Desk) -> None:
    idle.type("@demo survey")
    assert any(isinstance(piece, Mention) for piece in idle.composer.editor.pieces())
    idle.press(ENTER)
    assert idle.orders.last("prompt").given["text"] == "@demo survey"


# ---- again


def test_up_in_an_empty_composer_edits_the_last_queued_message(running: Desk) -> None:
    for text in ("one", "two"):
        running.type(text)
        running.press(ENTER, CTRL)
    running.press(UP)
    assert running.composer.text() == "two"
    assert names(running.composer.queue) == ["After this turn: one"]
    running.press(UP)  # not empty any more: the caret moves
    assert running.composer.text() == "two"


def test_up_brings_the_last_sent_message_back(idle: Desk) -> None:
    idle.type("hello")
    idle.press(ENTER)
    idle.orders.answer(idle.orders.last("prompt"))
    idle.press(UP)
    assert idle.composer.text() == "hello"


def test_editing_a_queued_message_puts_what_stands_there_in_its_place(running: Desk) -> None:
    running.type("queued")
    running.press(ENTER, CTRL)
    running.type("half written")
    running.composer.queue.edit_asked.emit(1)
    assert running.composer.text() == "queued"
    running.turn_ends()
    assert running.orders.last("prompt").given["text"] == "half written"


def test_a_draft_is_there_again_with_its_mentions(show: Show, running: Desk) -> None:
    running.type("@codex look at this")
    again = shown(Desk(RUNNING, view=running.view), show)
    assert again.composer.editor.pieces() == running.composer.editor.pieces()


# ---- notes


def test_notes_of_the_running_turn_show_pending_then_delivered(running: Desk) -> None:
    note = m.note("n1", RUNNING, "Keep the API", 1000)
    running.tell(NotesChanged(RUNNING, (note,)))
    assert names(running.composer.notes) == ["Note, pending: Keep the API"]
    running.tell(NotesChanged(RUNNING, (replace(note, delivered_ms=m.NOW),)))
    assert names(running.composer.notes)[0].startswith("Note, delivered ")


def test_notes_that_no_turn_read_are_offered_as_the_next_prompt(running: Desk) -> None:
    note = m.note("n1", RUNNING, "Keep the API", 1000)
    running.tell(NotesChanged(RUNNING, (note,)))
    running.turn_ends()
    running.tell(NotesOffered(RUNNING, (note,)))
    assert names(running.composer.notes) == ["Not read by Claude Code: Keep the API"]
    running.composer.notes.send_asked.emit()
    order = running.orders.last("prompt")
    assert (order.given["text"], order.given["note_ids"]) == ("Keep the API", ("n1",))
    running.orders.answer(order)
    running.tell(NotesChanged(RUNNING, (replace(note, delivered_ms=m.NOW),)))
    assert not running.composer.notes.isVisible()


def test_an_offered_note_can_be_edited_first_and_still_counts_as_read(running: Desk) -> None:
    note = m.note("n1", RUNNING, "Keep the API", 1000)
    running.turn_ends()
    running.tell(NotesOffered(RUNNING, (note,)))
    running.composer.notes.edit_asked.emit()
    running.type(", all of it")
    running.press(ENTER)
    order = running.orders.last("prompt")
    assert (order.given["text"], order.given["note_ids"]) == ("Keep the API, all of it", ("n1",))


def names(box: object) -> list[str]:
    assert isinstance(box, QWidget)
    QApplication.processEvents()  # rows show with the next layout
    rows = [child for child in box.children() if isinstance(child, QWidget) and child.isVisible()]
    return [row.accessibleName() for row in rows]


# ---- others than a root


def test_a_new_session_tells_agent_text_and_images(show: Show) -> None:
    desk = shown(Desk(None, draft="new:1"), show)
    told: list[tuple[str, str, object]] = []

    def begun(agent: str, text: str, images: object) -> None:
        told.append((agent, text, images))

    desk.composer.begin.connect(begun)
    desk.composer.choose_agent("demo")
    desk.type("survey")
    desk.press(ENTER)
    assert told == [("demo", "survey", ())]
    assert desk.composer.text() == "survey"
    desk.composer.not_taken("The folder is gone.")
    assert desk.composer.text() == "survey"
    assert desk.composer.frame.problem.text() == "The folder is gone."
    desk.press(ENTER)
    desk.composer.taken()
    assert desk.composer.text() == ""
    assert desk.view.value("agent") == "demo"


def test_a_child_is_steered_stopped_and_followed_up(show: Show) -> None:
    desk = shown(Desk(m.child_of(scene.POLICY)), show)
    assert desk.composer.editor.accessibleName() == "Note for Codex"
    assert not desk.composer.pickers.agent.isVisible()
    desk.type("mind the budget")
    desk.press(ENTER)
    assert desk.orders.last("note").given["session_id"] == m.child_of(scene.POLICY)
    desk.orders.answer(desk.orders.last("note"), "n")
    desk.composer.stop()
    assert desk.orders.last("cancel_task").given["task_id"] == scene.POLICY
    view = desk.world.task(scene.POLICY)
    assert view is not None
    ended = m.task(scene.POLICY, scene.RETRY, "Write it", status=Status.COMPLETED)
    desk.tell(TaskChanged(ended))
    desk.type("and the docs")
    desk.press(ENTER)
    assert desk.orders.last("follow_up").given == {"task_id": scene.POLICY, "text": "and the docs"}


def test_an_outside_session_only_takes_notes(show: Show) -> None:
    desk = shown(Desk(scene.NOTES_42), show)
    assert desk.composer.editor.accessibleName() == "Note for Codex"
    assert not desk.composer.buttons.stop.isVisible()
    desk.type("hello")
    desk.press(ENTER)
    assert desk.orders.last("note").given["text"] == "hello"


def test_an_ended_session_is_prompted_as_any_other(show: Show) -> None:
    desk = shown(Desk(scene.TOUR), show)
    desk.type("@demo todos")
    desk.press(ENTER)
    assert desk.orders.last("prompt").given["session_id"] == scene.TOUR


# ---- agents that cannot


def test_a_missing_agent_leaves_one_line_and_its_button(show: Show) -> None:
    desk = shown(Desk(scene.TOUR), show)
    desk.type("a thought")
    asked: list[bool] = []
    desk.composer.settings_asked.connect(lambda: asked.append(True))
    desk.world.set_agents(tuple(replace(a, installed=a.slug != "demo") for a in scene.AGENTS))
    assert desk.composer.lack.isVisible()
    assert not desk.composer.frame.isVisible()
    assert desk.composer.lack.bar.label.text() == "Demo is not installed"
    desk.composer.lack.bar.action.click()
    assert asked == [True]
    desk.world.set_agents(scene.AGENTS)
    assert desk.composer.frame.isVisible()
    assert desk.composer.text() == "a thought"


def test_an_agent_that_is_not_signed_in_is_checked_by_its_button(idle: Desk) -> None:
    idle.turn_ends(code="auth_required")
    bar = idle.composer.lack.bar
    assert bar.label.text() == "Codex is not signed in"
    bar.action.click()
    assert not bar.action.isEnabled()
    idle.orders.answer(idle.orders.last("probe"), AgentProbe("codex", "signed_out"))
    assert bar.action.isEnabled()
    assert idle.composer.lack.isVisible()
    bar.action.click()
    idle.orders.answer(idle.orders.last("probe"), AgentProbe("codex", "ready"))
    assert not idle.composer.lack.isVisible()
    assert idle.composer.frame.isVisible()


def test_without_any_agent_a_new_session_sends_nothing(show: Show) -> None:
    desk = shown(Desk(None), show)
    desk.world.set_agents(tuple(replace(agent, installed=False) for agent in scene.AGENTS))
    desk.type("hello")
    assert desk.composer.lack.isVisible()
    assert not desk.composer.buttons.send.isEnabled()


# ---- images


def test_images_wait_for_the_end_of_a_turn_and_go_along(running: Desk) -> None:
    running.composer.attachments.set_images([Image("image/png", PNG)])
    running.type("as here")
    assert running.composer.buttons.send.text() == "Send after this turn"
    running.press(ENTER)
    assert running.composer.attachments.images() == ()
    running.turn_ends()
    assert running.orders.last("prompt").given["images"] == (Image("image/png", PNG),)


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
