"""The strip of asks that are out of sight, asks on cards, and the line of an answer."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from codeg.api import AsksChanged
from tests.ui import making as m
from tests.ui import scene
from tests.ui.cards.stand import Show, a_stand, settle
from tests.ui.worlds import FLOOD_ROOT, a_desk, changes
from ui.theme import metrics
from ui.viewmodels.ask_desk import Given
from ui.widgets.asks import AnsweredLine, AskStrip
from ui.widgets.asks.questions import QuestionsForm


def test_the_strip_names_the_oldest_and_walks(show: Show) -> None:
    world, orders = a_desk()
    strip = AskStrip(world, orders=orders)
    strip.resize(600, 36)
    assert strip.isHidden()
    strip.show_asks(world.asks())
    show(strip)
    assert strip.sizeHint().height() == metrics.ASK_STRIP
    assert strip.accessibleName() == "Claude Code has 2 questions"
    assert strip.count.text() == "1 of 4"
    QTest.mouseClick(strip.forward, Qt.MouseButton.LeftButton)
    orders.settle()
    assert strip.accessibleName() == "Codex wants to edit 2 files"
    shown: list[str] = []
    strip.shown.connect(shown.append)
    QTest.mouseClick(strip.show_button, Qt.MouseButton.LeftButton)
    assert shown == [scene.ASK_GRID]


def test_it_keeps_the_one_it_shows_while_others_go(show: Show) -> None:
    world, orders = a_desk()
    strip = AskStrip(world, orders=orders)
    show(strip)
    strip.show_asks(world.asks())
    strip.walk(1)
    strip.show_asks(world.asks()[1:])
    assert strip.count.text() == "1 of 3"
    assert "Codex" in strip.accessibleName()
    strip.show_asks(())
    assert strip.isHidden()


def test_one_ask_has_no_arrows(show: Show) -> None:
    world, orders = a_desk()
    strip = AskStrip(world, orders=orders)
    strip.show_asks(world.asks()[:1])
    show(strip)
    assert not strip.back.isVisible()
    assert not strip.count.isVisible()


# ---- on cards


def test_an_ask_stands_in_full_on_a_folded_card(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    card = stand.card(scene.SETTLEMENT)
    assert not card.is_open()
    assert card.ask is not None
    assert card.ask.isVisible()
    assert card.ask.y() == metrics.CARD_COLLAPSED


def test_digits_answer_from_the_current_card(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    card = stand.card(scene.SETTLEMENT)
    assert card.row is not None
    stand.feed.setFocus(Qt.FocusReason.TabFocusReason)
    stand.feed.set_current(stand.feed.visible_keys()[0])
    QTest.keyClicks(stand.feed, "1")
    assert "answer_option" not in stand.orders.names()
    stand.feed.set_current(card.row.key)
    QTest.keyClicks(stand.feed, "1")
    assert stand.orders.last("answer_option").given["option_id"] == "once"


def test_answering_anywhere_clears_everywhere(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    card = stand.card(scene.SETTLEMENT)
    assert card.ask is not None
    card.ask.press(1)
    assert not card.ask.form.isEnabled()
    rest = [ask for ask in scene.ASKS if ask["request_id"] != scene.ASK_ALEMBIC]
    stand.tell_asks(*rest)
    settle(stand)
    assert card.ask is None
    card.set_open(True)
    settle(stand)
    assert card.inside is not None
    assert [line.given.text for line in card.inside.answers] == ["Allowed once: alembic upgrade head"]


def test_esc_gives_the_focus_back_to_the_feed(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    card = stand.card(scene.SETTLEMENT)
    assert card.ask is not None
    card.ask.setFocus()
    QTest.keyClick(card.ask, Qt.Key.Key_Escape)
    assert stand.feed.hasFocus()
    assert "answer_option" not in stand.orders.names()


def test_show_unfolds_down_to_the_grandchild(show: Show) -> None:
    stand = a_stand(show, "flood", FLOOD_ROOT)
    child, grandchild = (view.record for view in sorted(stand.world.live_tasks(), key=lambda view: view.record.depth))
    own = stand.world.asks_of(child.child_id)
    deep = [ask for ask in stand.world.asks_of(FLOOD_ROOT, below=True) if ask not in own]
    deep = [ask for ask in deep if ask.task_id == grandchild.task_id]
    asks = [m.ask(ask.request_id, "permission", ask.session_id, "x", 1, task_id=ask.task_id) for ask in deep]
    stand.tell_asks(*asks)
    view = stand.world.task(child.task_id)
    assert view is not None
    blocks = tuple(block for block in view.blocks if stand.world.ask(block.request_id) is not None)
    stand.tell(replace(view, blocks=blocks))
    card = stand.card(child.task_id)
    assert card.face is not None
    assert card.face.line_text == "OpenCode waits for you"
    button = card.head.strip.button("show")
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(stand)
    assert card.is_open()
    below = stand.card(grandchild.task_id)
    assert below.ask is not None
    assert below.ask.isVisible()


def test_other_keeps_the_focus_when_it_is_picked_from_the_card(show: Show) -> None:
    stand = a_stand(show, "flood", FLOOD_ROOT)
    child = min(stand.world.live_tasks(), key=lambda view: view.record.depth).record
    card = stand.card(child.task_id)
    assert card.row is not None
    assert card.ask is not None
    stand.feed.setFocus(Qt.FocusReason.TabFocusReason)
    stand.feed.set_current(card.row.key)
    QTest.keyClicks(stand.feed, "4")
    assert isinstance(card.ask.form, QuestionsForm)
    assert card.ask.form.other.hasFocus()


def test_a_flood_shows_one_ask_a_card_oldest_first(show: Show) -> None:
    stand = a_stand(show, "flood", FLOOD_ROOT)
    child = min(stand.world.live_tasks(), key=lambda view: view.record.depth).record
    card = stand.card(child.task_id)
    assert card.ask is not None
    asks = stand.world.asks_of(child.child_id)
    assert len(asks) == 4
    assert card.ask.ask == asks[0]
    left = [ask for ask in stand.world.asks() if ask != asks[0]]
    stand.world.apply(
        changes(
            AsksChanged(
                tuple(
                    m.ask(ask.request_id, ask.kind, ask.session_id, ask.title, 1, task_id=ask.task_id, questions=[])
                    for ask in left
                )
            )
        )
    )
    assert card.ask.ask.request_id == asks[1].request_id


def test_the_answered_line_says_what_and_when(show: Show) -> None:
    line = AnsweredLine(Given("r", "s", "allowed", "Allowed once: ls", m.NOW))
    show(line)
    assert line.accessibleName().startswith("Allowed once: ls, ")
    assert line.sizeHint().height() == metrics.LINE_ROW
