"""The feed: follows its end, keeps its place, and shows what it should."""

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.feed.stand import WORDS, Rows, a_context, a_feed, message, messages, one_of_each, tool
from ui.theme.theme import theme
from ui.widgets.feed import Feed

if TYPE_CHECKING:
    from ui.viewmodels.transcript import Transcript

Show = Callable[[QWidget], None]


def keys_of(model: Rows) -> tuple[str, ...]:
    """Keys of all rows."""
    return tuple(row.key for row in model.rows)


def tops(feed: Feed) -> dict[str, int]:
    """Where rows lie in the window."""
    return {key: view.y() for key in feed.visible_keys() if (view := feed.view_of(key)) is not None}


def settle(qtbot: QtBot, feed: Feed) -> None:
    """Wait until all that changed is laid out."""
    qtbot.waitUntil(lambda: not feed._soon.isActive(), timeout=5000)


# ---- what is seen


def test_every_type_of_row_has_a_view(show: Show) -> None:
    feed, model = a_feed(show, one_of_each(), size=(900, 1_200))
    assert feed.visible_keys() == keys_of(model)
    for key in keys_of(model):
        view = feed.view_of(key)
        assert view is not None
        assert view.isVisible()
        assert view.accessibleName()


def test_rows_stand_in_the_column_and_do_not_overlap(show: Show) -> None:
    feed, model = a_feed(show, one_of_each(), size=(1_152, 1_200))
    bottom = 0
    for key in keys_of(model):
        view = feed.view_of(key)
        assert view is not None
        assert (view.x(), view.width()) == (60, 700)
        assert view.y() >= bottom
        bottom = view.y() + view.height()


def test_gaps_are_those_of_the_design(show: Show) -> None:
    rows = [message("a"), message("b"), tool("c"), tool("d"), *one_of_each()[5:6], *messages(1)]
    feed, _ = a_feed(show, rows, size=(1_152, 900))
    views = [feed.view_of(row.key) for row in rows]
    gaps = [
        below.y() - above.y() - above.height()
        for above, below in pairwise(views)
        if above is not None and below is not None
    ]
    assert gaps == [12, 8, 0, 8, 8]


def test_a_tool_line_is_28_high_and_a_poll_24(show: Show) -> None:
    feed, _ = a_feed(show, one_of_each(), size=(900, 1_200))
    for key, height in (("tool", 28), ("group", 28), ("thought", 28), ("poll", 24), ("answered", 28)):
        view = feed.view_of(key)
        assert view is not None
        assert view.height() == height


def test_ten_thousand_rows_need_few_views(show: Show) -> None:
    feed, _ = a_feed(show, messages(10_000))
    assert len(feed.viewport().children()) < 40
    bar = feed.verticalScrollBar()
    for _ in range(20):
        bar.setValue(bar.value() - 400)
    assert len(feed.viewport().children()) < 60
    assert feed.visible_keys()


def test_an_empty_conversation_is_shown_as_well(show: Show) -> None:
    feed, model = a_feed(show, [])
    assert feed.visible_keys() == ()
    assert feed.at_end()
    model.append(message("first"))
    QApplication.processEvents()
    assert feed.visible_keys() == ("first",)


def test_tasks_of_seen_cards_are_told(show: Show) -> None:
    feed, _ = a_feed(show, one_of_each(), size=(900, 1_200))
    assert feed.visible_tasks() == {scene.POLICY}


# ---- following


def test_it_opens_at_its_end_and_follows(show: Show, qtbot: QtBot) -> None:
    feed, model = a_feed(show, messages(50))
    assert feed.at_end()
    assert feed.visible_keys()[-1] == "m49"
    model.append(message("new"))
    settle(qtbot, feed)
    assert feed.at_end()
    assert feed.visible_keys()[-1] == "new"
    view = feed.view_of("new")
    assert view is not None
    assert view.y() + view.height() <= feed.viewport().height()


def test_it_follows_a_text_that_grows(show: Show, qtbot: QtBot) -> None:
    feed, model = a_feed(show, messages(50))
    for count in range(1, 12):
        model.put(49, message("m49", WORDS * count, live=True))
        settle(qtbot, feed)
        view = feed.view_of("m49")
        assert feed.at_end()
        assert view is not None
        assert view.y() + view.height() <= feed.viewport().height()


def test_away_from_its_end_it_stays_where_it_is(show: Show, qtbot: QtBot) -> None:
    feed, model = a_feed(show, messages(50))
    bar = feed.verticalScrollBar()
    bar.setValue(bar.maximum() - 700)
    before = tops(feed)
    with qtbot.waitSignal(feed.unseen_changed, timeout=5000):
        model.append(message("new1"), message("new2"))
    model.put(49, message("m49", WORDS * 30, live=True))
    settle(qtbot, feed)
    assert not feed.at_end()
    assert tops(feed) == before
    assert feed.unseen == 2


def test_what_was_seen_is_no_more_unseen(show: Show, qtbot: QtBot) -> None:
    feed, model = a_feed(show, messages(50))
    feed.verticalScrollBar().setValue(0)
    model.append(message("new1"), message("new2"))
    settle(qtbot, feed)
    told: list[object] = []
    feed.unseen_changed.connect(told.append)
    feed.at_end_changed.connect(told.append)
    feed.follow()
    assert feed.unseen == 0
    assert told == [True, 0]
    assert feed.visible_keys()[-1] == "new2"


def test_rows_that_went_away_are_not_counted(show: Show, qtbot: QtBot) -> None:
    feed, model = a_feed(show, messages(50))
    feed.verticalScrollBar().setValue(0)
    model.append(tool("t1"), tool("t2"))
    settle(qtbot, feed)
    model.remove(50, 2)
    model.append(message("new"))
    settle(qtbot, feed)
    assert feed.unseen == 1


# ---- keeping the place


def test_rows_that_come_above_move_nothing(show: Show, qtbot: QtBot) -> None:
    feed, model = a_feed(show, messages(50))
    feed.verticalScrollBar().setValue(900)
    before = tops(feed)
    model.insert(0, message("old1", WORDS * 9), message("old2"))
    settle(qtbot, feed)
    assert tops(feed) == before


def test_rows_that_go_above_move_nothing(show: Show, qtbot: QtBot) -> None:
    feed, model = a_feed(show, messages(50))
    feed.verticalScrollBar().setValue(1_500)
    before = tops(feed)
    model.remove(1, 3)
    settle(qtbot, feed)
    assert tops(feed) == before


def test_scrolling_up_in_steps_never_jumps(show: Show) -> None:
    feed, _ = a_feed(show, messages(300, words=9))
    bar = feed.verticalScrollBar()
    for _ in range(40):
        before = tops(feed)
        bar.setValue(bar.value() - 90)
        after = tops(feed)
        both = before.keys() & after.keys()
        assert both
        assert {after[key] - before[key] for key in both} == {90}


def test_another_width_keeps_the_first_row(show: Show) -> None:
    feed, _ = a_feed(show, messages(100, words=7), size=(1_200, 600))
    feed.verticalScrollBar().setValue(2_000)
    kept = next(key for key, top in tops(feed).items() if top >= 0)
    before = tops(feed)[kept]
    feed.resize(700, 600)
    assert abs(tops(feed)[kept] - before) <= 1


def test_at_its_end_it_stays_there_when_resized(show: Show) -> None:
    feed, _ = a_feed(show, messages(100, words=7), size=(1_200, 600))
    feed.resize(700, 400)
    assert feed.at_end()
    assert feed.visible_keys()[-1] == "m99"


def test_unfolding_keeps_the_head_in_place(show: Show, qtbot: QtBot) -> None:
    rows = [*messages(30), tool("tool", "execute", output="line\n" * 40)]
    feed, _ = a_feed(show, rows)
    view = feed.view_of("tool")
    assert view is not None
    before = view.y()
    view.set_open(True)
    settle(qtbot, feed)
    assert view.y() == before
    assert view.height() > 300
    assert not feed.at_end()


def test_it_is_found_where_it_was_left(show: Show, qtbot: QtBot) -> None:
    context = a_context()
    feed, model = a_feed(show, messages(80), context)
    feed.verticalScrollBar().setValue(1_234)
    before = tops(feed)
    feed.hide()
    assert context.view.anchor(scene.RETRY) is not None
    other = Feed(context)
    other.resize(900, 600)
    other.set_transcript(cast("Transcript", model))
    show(other)
    both = tops(other)
    shared = before.keys() & both.keys()
    assert shared
    assert all(abs(both[key] - before[key]) <= 1 for key in shared)


def test_while_it_loads_nothing_is_laid_out(show: Show, qtbot: QtBot) -> None:
    model = Rows(messages(10))
    model.loading = True
    feed = Feed(a_context())
    feed.resize(900, 600)
    feed.set_transcript(cast("Transcript", model))
    show(feed)
    assert feed.visible_keys() == ()
    model.append(*messages(30)[10:])
    model.loading = False
    model.loaded.emit()
    settle(qtbot, feed)
    assert feed.visible_keys()[-1] == "m29"
    assert feed.at_end()


def test_another_conversation_takes_its_place(show: Show) -> None:
    feed, first = a_feed(show, messages(50))
    second = Rows([message("other")])
    feed.set_transcript(cast("Transcript", second))
    assert feed.visible_keys() == ("other",)
    first.append(message("late"))
    QApplication.processEvents()
    assert feed.visible_keys() == ("other",)
    feed.set_transcript(None)
    assert feed.visible_keys() == ()


@pytest.mark.parametrize("depth", [0, 1])
def test_random_changes_never_leave_a_hole(show: Show, qtbot: QtBot, depth: int) -> None:
    import random

    chance = random.Random(7)
    feed, model = a_feed(show, messages(60, words=5), a_context(depth=depth))
    for number in range(120):
        at = chance.randrange(len(model.rows) + 1)
        match chance.randrange(5):
            case 0:
                model.insert(at, message(f"x{number}", WORDS * chance.randrange(1, 9)))
            case 1 if len(model.rows) > 10:
                model.remove(min(at, len(model.rows) - 2), 2)
            case 2 if at < len(model.rows):
                model.put(at, message(model.rows[at].key, WORDS * chance.randrange(1, 9)))
            case 3:
                feed.verticalScrollBar().setValue(chance.randrange(feed.verticalScrollBar().maximum() + 1))
            case _:
                feed.resize(chance.randrange(500, 1_300), chance.randrange(300, 900))
        settle(qtbot, feed)
        _assert_whole(feed, model)


def _assert_whole(feed: Feed, model: Rows) -> None:
    keys = feed.visible_keys()
    numbers = [model.index_of(key) for key in keys]
    assert None not in numbers
    assert numbers == list(range(cast("int", numbers[0]), cast("int", numbers[0]) + len(numbers)))
    first, last = feed.view_of(keys[0]), feed.view_of(keys[-1])
    assert first is not None
    assert last is not None
    whole = feed.verticalScrollBar().maximum() == 0
    assert numbers[0] == 0 or first.y() <= 12
    assert numbers[-1] == len(model.rows) - 1 or last.y() + last.height() >= feed.viewport().height()
    assert whole or feed.viewport().height() - 13 <= last.y() + last.height()


# ---- jumping, finding


def test_a_jump_shows_the_row_and_marks_it(show: Show, qtbot: QtBot) -> None:
    feed, _ = a_feed(show, messages(300))
    feed.jump_to("m20")
    view = feed.view_of("m20")
    assert view is not None
    assert 0 <= view.y() < 60
    assert feed._ring.isVisible()
    assert feed._ring.geometry().contains(view.geometry())
    assert not feed.at_end()
    qtbot.waitUntil(lambda: not feed._ring.isVisible(), timeout=5000)


def test_a_jump_to_what_is_seen_does_not_scroll(show: Show) -> None:
    feed, _ = a_feed(show, messages(50))
    before = tops(feed)
    feed.jump_to("m49")
    assert tops(feed) == before


def test_a_jump_to_nowhere_does_nothing(show: Show) -> None:
    feed, _ = a_feed(show, messages(50))
    feed.jump_to("no such row")
    assert feed.at_end()


def test_found_rows_are_marked(show: Show) -> None:
    feed, _ = a_feed(show, messages(3), size=(900, 400))
    feed.highlight(["m1"], "m1")
    view = feed.view_of("m1")
    assert view is not None
    seen = feed.viewport().grab().toImage()
    assert seen.pixelColor(view.x() + view.width() - 4, view.y() + view.height() - 4) == theme().color("accent.tint")
    feed.highlight([], None)
    seen = feed.viewport().grab().toImage()
    assert seen.pixelColor(view.x() + view.width() - 4, view.y() + view.height() - 4) == theme().color("bg.canvas")


# ---- inside a card


def test_inside_a_card_text_starts_at_62_and_the_rail_is_at_43(show: Show) -> None:
    feed, _ = a_feed(show, [tool("a"), tool("b")], a_context(depth=1), size=(600, 200))
    view = feed.view_of("a")
    assert view is not None
    assert view.x() + 1 == 62
    seen = feed.viewport().grab().toImage()
    assert seen.pixelColor(42, 2) == theme().color("border.default")
    assert seen.pixelColor(20, 2) == theme().color("bg.sunken")


def test_a_nested_feed_tells_its_height(show: Show, qtbot: QtBot) -> None:
    feed, model = a_feed(show, [tool("a"), tool("b")], a_context(depth=1), size=(600, 480))
    assert feed.content_height(600) == 8 + 28 + 28 + 12
    with qtbot.waitSignal(feed.content_resized, timeout=5000):
        model.append(tool("c"))
    assert feed.content_height(600) == 8 + 3 * 28 + 12
    model.append(*messages(100))
    assert feed.content_height(600, 480) == 480


def test_at_its_ends_the_wheel_passes_on(show: Show) -> None:
    feed, _ = a_feed(show, messages(30), a_context(depth=1), size=(600, 300))
    assert not _turn(feed, -120)
    assert _turn(feed, 120)
    feed.verticalScrollBar().setValue(0)
    assert not _turn(feed, 120)


def _turn(feed: Feed, by: int) -> bool:
    at = QPointF(50, 50)
    event = QWheelEvent(
        at, feed.mapToGlobal(at), QPoint(), QPoint(0, by), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    event.ignore()
    QApplication.sendEvent(feed.viewport(), event)
    return event.isAccepted()


# ---- theme and direction


def test_other_colours_move_nothing(show: Show, qtbot: QtBot) -> None:
    feed, _ = a_feed(show, messages(50))
    before = tops(feed)
    theme().set_scheme("dark")
    settle(qtbot, feed)
    assert tops(feed) == before
    assert feed.viewport().grab().toImage().pixelColor(3, 3) == theme().color("bg.canvas")


def test_another_font_size_lays_out_again(show: Show, qtbot: QtBot) -> None:
    feed, _ = a_feed(show, one_of_each(), size=(900, 1_500))
    view = feed.view_of("tool")
    assert view is not None
    theme().set_ui_size(18)
    settle(qtbot, feed)
    assert view.height() > 28
    theme().set_ui_size(13)


def test_from_right_to_left_the_column_is_mirrored(show: Show) -> None:
    feed = Feed(a_context())
    feed.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    feed.resize(1_152, 400)
    feed.set_transcript(cast("Transcript", Rows(messages(3))))
    show(feed)
    view = feed.view_of("m0")
    assert view is not None
    assert view.x() + view.width() == feed.viewport().width() - 60


def test_a_narrow_pane_has_badges_above(show: Show) -> None:
    feed, _ = a_feed(show, one_of_each()[:2], size=(560, 400))
    user, said = feed.view_of("user"), feed.view_of("message")
    assert user is not None
    assert said is not None
    assert user.x() == said.x() == 24
    assert user.y() >= 24 + 4
    assert said.y() - user.y() - user.height() == 12 + 28
