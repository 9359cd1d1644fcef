"""The delegation card in a feed: folded, unfolded, live, narrow, and by keyboard."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication
from pytestqt.qtbot import QtBot

from codeg.api import Activity, Status
from tests.ui import making as m
from tests.ui import scene
from tests.ui.cards.stand import BY_STATE, Show, a_stand, click, click_head, ended, running, settle
from ui.theme import metrics
from ui.theme.theme import theme
from ui.viewmodels.states import State
from ui.widgets.cards import DelegationCard
from ui.widgets.controls import Button
from ui.widgets.feed import Feed


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


# ---- folded


def test_a_folded_card_is_two_lines_whatever_its_state(show: Show) -> None:
    stand = a_stand(show)
    for state in set(BY_STATE) - {State.WAITING}:
        assert stand.in_state(state).height() == metrics.CARD_COLLAPSED


def test_it_grows_with_the_font(show: Show) -> None:
    stand = a_stand(show)
    theme().set_ui_size(16)
    settle(stand)
    tall = stand.in_state(State.RUNNING).height()
    assert tall == metrics.CARD_COLLAPSED + 2 * (theme().line("ui") - 20)


def test_every_card_has_the_accessible_name_of_the_design(show: Show) -> None:
    card = a_stand(show).in_state(State.RUNNING)
    assert card.accessibleName() == (
        "Codex, Write the retry policy with jitter and a budget, running, 5 minutes 24 seconds, 14 tools"
    )
    assert card.accessibleDescription() == "Editing retry/budget.py"


def test_right_edges_align(show: Show) -> None:
    stand = a_stand(show)
    edges = {card.head.strip.geometry().right() for card in map(stand.in_state, BY_STATE)}
    assert len(edges) == 1


def test_actions_stand_in_the_order_of_the_design(show: Show) -> None:
    strip = a_stand(show).in_state(State.RUNNING).head.strip
    names = ("steer", "stop", "beside")
    places = [button.x() for name in names if (button := strip.button(name)) is not None]
    assert places == sorted(places)
    assert len(places) == 3
    assert strip.more.x() > places[-1]


def test_every_action_is_named_and_reachable(show: Show) -> None:
    stand = a_stand(show)
    for state in BY_STATE:
        strip = stand.in_state(state).head.strip
        for name in BY_NAMES[state]:
            button = strip.button(name)
            assert button is not None
            assert button.accessibleName()
            assert button.focusPolicy() & Qt.FocusPolicy.TabFocus


BY_NAMES = {
    State.QUEUED: ("cancel",),
    State.STARTING: ("stop",),
    State.RUNNING: ("steer", "stop", "beside"),
    State.WAITING: ("steer", "stop", "beside"),
    State.COMPLETED: ("copy", "beside"),
    State.FAILED: ("beside",),
    State.CANCELED: ("resume", "beside"),
    State.INTERRUPTED: ("resume", "beside"),
}


# ---- narrow


@pytest.mark.parametrize(
    ("pane", "shown"), [(640, ("steer", "stop", "beside")), (619, ("stop",)), (480, ("stop",)), (440, ("stop",))]
)
def test_narrow_panes_keep_stop_and_the_dots(show: Show, pane: int, shown: tuple[str, ...]) -> None:
    card = a_stand(show, width=pane).in_state(State.RUNNING)
    strip = card.head.strip
    assert tuple(name for name in ("steer", "stop", "beside") if strip.button(name) is not None) == shown
    hidden = [name for name in ("steer", "beside") if name not in shown]
    assert strip.menu_names() == (*hidden, "task", "copy_id", "log")


def test_under_480_the_badge_begins_line_two(show: Show) -> None:
    wide = a_stand(show, width=500).in_state(State.RUNNING)
    narrow = a_stand(show, width=470).in_state(State.RUNNING)
    for card in (wide, narrow):
        card.grab()
    line_two = metrics.CARD_HEAD_PAD + metrics.CARD_LINE_1
    assert wide.head.badge_room().top() < line_two
    assert narrow.head.badge_room().top() >= line_two
    assert narrow.head.badge_room().left() == metrics.CARD_TEXT
    assert narrow.height() == metrics.CARD_COLLAPSED


def test_right_to_left_everything_changes_sides(show: Show) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.RUNNING)
    strip, width = card.head.strip, card.width()
    left = strip.x()
    stand.feed.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    settle(stand)
    card.grab()
    assert strip.x() == width - left - strip.width()
    assert card.head.badge_room().left() > strip.geometry().right()


# ---- unfolded


def test_a_click_on_the_head_unfolds_and_folds(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    card = stand.card(scene.POLICY)
    click_head(card)
    settle(stand)
    assert card.is_open()
    assert card.inside is not None
    assert card.inside.isVisible()
    assert card.inside.feed is not None
    assert len(card.inside.feed.visible_keys()) == 5
    click_head(card)
    settle(stand)
    assert card.height() == metrics.CARD_COLLAPSED


def test_a_click_on_an_action_never_unfolds(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    card = stand.card(scene.POLICY)
    button = card.head.strip.button("beside")
    assert button is not None
    click(button)
    assert not card.is_open()
    assert stand.beside == [m.child_of(scene.POLICY)]


def test_the_head_stays_under_the_pointer(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY, height=400)
    card = stand.card(scene.POLICY)
    before = card.mapTo(stand.feed, QPoint(0, 0))
    click_head(card)
    settle(stand)
    assert stand.card(scene.POLICY).mapTo(stand.feed, QPoint(0, 0)) == before


def test_text_starts_on_one_line(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    card = stand.card(scene.POLICY)
    card.set_open(True)
    settle(stand)
    nested = stand.card(scene.PROPERTY)
    assert nested.mapTo(card, QPoint(0, 0)).x() == metrics.CARD_TEXT
    assert nested.signs()[0].joined
    waiting = stand.card(scene.SETTLEMENT)
    assert waiting.ask is not None
    option = waiting.ask.form.findChildren(Button)[0]
    assert option.mapTo(waiting, QPoint(0, 0)).x() == metrics.CARD_TEXT


def test_the_live_part_is_at_most_480_high(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    child = m.child_of(scene.POLICY)
    stand.orders.entries_held[child] = tuple(m.said("message", f"Line {n} of many.", 1, seq=n) for n in range(200))
    card = stand.card(scene.POLICY)
    card.set_open(True)
    settle(stand)
    assert card.inside is not None
    assert card.inside.feed is not None
    assert card.inside.feed.height() == metrics.CARD_LIVE_MOST
    assert card.inside.feed.verticalScrollBar().maximum() > 0


def test_what_is_unfolded_is_found_again(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    stand.card(scene.POLICY).set_open(True)
    settle(stand)
    other = Feed(stand.ctx)
    other.resize(900, 900)
    other.set_transcript(stand.ctx.transcripts.get(scene.RETRY))
    show(other)
    settle(stand)
    again = [card for card in other.findChildren(DelegationCard) if card.row is not None and card.is_open()]
    assert [card.face.full_id for card in again if card.face is not None] == [scene.POLICY]


def test_an_ended_child_shows_its_result_first(show: Show) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.COMPLETED)
    stand.orders.results[card.face.full_id if card.face else ""] = "# All done\n\nSee `layout.css`."
    card.set_open(True)
    settle(stand)
    inside = card.inside
    assert inside is not None
    assert "All done" in inside.result.toPlainText()
    assert inside.feed is None
    assert inside.more.text() == "Transcript, 22 tool calls"
    assert inside.result.y() < inside.copy_button.y() < inside.more.y()
    assert inside.task_line.isHidden()
    click(inside.copy_button)
    settle(stand)
    assert clipboard() == "# All done\n\nSee `layout.css`."


def test_a_result_is_read_once(show: Show) -> None:
    stand = a_stand(show)
    for is_open in (True, False, True):
        stand.in_state(State.COMPLETED).set_open(is_open)
        settle(stand)
    assert stand.orders.names().count("result") == 1


def test_a_folded_transcript_opens(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    card = stand.card(scene.CALLERS)
    card.set_open(True)
    settle(stand)
    inside = card.inside
    assert inside is not None
    click(inside.more)
    settle(stand)
    assert inside.feed is not None
    assert inside.feed.isVisible()


def test_a_failed_child_shows_the_error_as_it_came(show: Show) -> None:
    stand = a_stand(show)
    failed = BY_STATE[State.FAILED]
    lines = "\n".join(f"line {n}" for n in range(40))
    end = replace(failed.record.end, message=lines) if failed.record.end else None
    stand.tell(replace(failed, record=replace(failed.record, end=end)))
    card = stand.in_state(State.FAILED)
    card.set_open(True)
    settle(stand)
    inside = card.inside
    assert inside is not None
    assert inside.error.isVisible()
    assert inside.error.height() == 6 * theme().line("code") + 2 * (metrics.ASK_BOX_PAD_V + 1)
    assert inside.error.sheet.line_count() == 40
    click(inside.again)
    given = stand.orders.last("delegate").given
    assert (given["agent"], given["task"]) == ("codex", "Contrast audit, dark theme")
    click(inside.log)
    assert stand.logs == [failed.record.child_id]


def test_a_queued_child_shows_its_task(show: Show) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.QUEUED)
    card.set_open(True)
    settle(stand)
    inside = card.inside
    assert inside is not None
    assert inside.task_line.isVisible()
    click(inside.task_line)
    settle(stand)
    assert inside.task.toPlainText() == "Backfill missing receipts"


def test_the_third_level_opens_beside(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    deep = m.task("codex-deep-ffff0000ffff", m.child_of(scene.PROPERTY), "Deep", depth=3)
    stand.tell(deep)
    stand.card(scene.POLICY).set_open(True)
    settle(stand)
    stand.card(scene.PROPERTY).set_open(True)
    settle(stand)
    card = stand.card(deep.record.task_id)
    assert not card.can_open()
    click_head(card)
    assert stand.beside == [deep.record.child_id]


def test_with_little_room_the_second_level_opens_beside(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY, width=520)
    stand.card(scene.POLICY).set_open(True)
    settle(stand)
    card = stand.card(scene.PROPERTY)
    assert card.width() < 420
    click_head(card)
    assert stand.beside == [m.child_of(scene.PROPERTY)]


def test_a_refused_call_shows_a_card(show: Show) -> None:
    stand = a_stand(show, "main", scene.RETRY)
    entry = m.tool(
        "mcp__codeg__delegate_to_agent",
        "other",
        1,
        "failed",
        raw_input={"agent_type": "codexx", "task": "Do it"},
        content=(m.text_block("There is no agent called codexx."),),
    )
    stand.orders.entries_held[scene.RETRY] = m.numbered(*stand.orders.entries_held[scene.RETRY], entry)
    stand.ctx.transcripts.get(scene.RETRY).reload()
    settle(stand)
    cards = [card for card in stand.feed.findChildren(DelegationCard) if card.isVisible() and card.face is not None]
    refused = next(card for card in cards if card.face is not None and not card.face.full_id)
    assert refused.face is not None
    assert (refused.face.title, refused.face.state) == ("Do it", State.FAILED)
    click_head(refused)
    settle(stand)
    assert refused.inside is not None
    assert refused.inside.error.isVisible()
    assert not refused.inside.again.isVisible()


# ---- live


def test_only_its_own_task_repaints_a_card(show: Show, qtbot: QtBot) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.RUNNING)
    other = stand.in_state(State.COMPLETED)
    faces = card.face, other.face
    stand.tell(activities={BY_STATE[State.RUNNING].record.task_id: Activity("Running tests", m.NOW, 15)})
    assert card.face is not faces[0]
    assert other.face is faces[1]
    assert card.face is not None
    assert card.face.line_text == "Running tests"


def test_a_clock_ticks_without_a_change(show: Show) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.RUNNING)
    stand.world.set_now(m.NOW + 1_000)
    card._tick()
    assert card.face is not None
    assert card.face.number == "5m 25s"


def test_cards_are_complete_without_any_text_of_the_parent(show: Show) -> None:
    stand = a_stand(show)
    assert stand.orders.entries_held.get(stand.ctx.session_id) is None
    assert {card.face.state for card in stand.feed.findChildren(DelegationCard) if card.face is not None} == set(
        BY_STATE
    )


def test_a_queue_moves_on(show: Show) -> None:
    stand = a_stand(show)
    queued = BY_STATE[State.QUEUED]
    stand.tell(replace(queued, queue_position=1))
    card = stand.in_state(State.QUEUED)
    assert card.face is not None
    assert card.face.number == "1st of 1"
    stand.tell(running(queued))
    assert card.face is not None
    assert card.face.state is State.RUNNING


def test_news_are_announced(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def heard(event: QAccessibleAnnouncementEvent) -> None:
        said.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", heard)
    stand = a_stand(show)
    stand.tell(ended(BY_STATE[State.RUNNING], Status.COMPLETED, gist="Done it."))
    assert [text.split(", ")[2] for text in said] == ["completed"]
    stand.tell(activities={BY_STATE[State.STARTING].record.task_id: Activity("words stream", m.NOW, 1)})
    assert len(said) == 1


def test_a_resting_card_hears_nothing(show: Show) -> None:
    stand = a_stand(show)
    card = stand.in_state(State.RUNNING)
    card.rest()
    stand.tell(running(BY_STATE[State.RUNNING]))
    assert card.face is None
