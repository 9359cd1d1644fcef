"""What the rows say and do."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.feed.stand import WORDS, Said, a_context, a_feed, message, one_of_each, tool
from tests.ui.making import NOW
from tests.ui.text.test_images import a_picture
from ui.theme.clock import clock
from ui.theme.theme import theme
from ui.viewmodels.rows import (
    AnsweredRow,
    Check,
    Diff,
    MessageRow,
    NoteRow,
    NoticeRow,
    PlanRow,
    PollRow,
    Row,
    Step,
    ThoughtRow,
    ToolGroupRow,
    UserRow,
)
from ui.widgets.controls import Button
from ui.widgets.feed import Feed, RowView
from ui.widgets.feed.views.group import GroupView, kinds_of
from ui.widgets.feed.views.poll import PollView
from ui.widgets.feed.views.tool import ToolView
from ui.widgets.feed.views.tool_body import ToolBody
from ui.widgets.text import DiffView, MarkdownBody, TerminalView

Show = Callable[[QWidget], None]
Part = TypeVar("Part", bound=QWidget)


def the_view(feed: Feed, key: str) -> RowView:
    """The view of a row that is seen."""
    view = feed.view_of(key)
    assert view is not None
    return view


def seen_parts(view: QWidget, kind: type[Part]) -> list[Part]:
    """Parts of a kind that can be seen."""
    return [part for part in view.findChildren(kind) if part.isVisible()]


def opened(show: Show, row: Row, qtbot: QtBot, depth: int = 0) -> tuple[Feed, RowView]:
    """A row that the person unfolded."""
    feed, _ = a_feed(show, [row], a_context(depth=depth), size=(900, 700))
    view = the_view(feed, row.key)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(40, 10))
    qtbot.waitUntil(lambda: not feed._soon.isActive(), timeout=5000)
    return feed, view


# ---- the person


def test_a_long_prompt_folds_over_12_lines(show: Show, qtbot: QtBot) -> None:
    feed, _ = a_feed(show, [UserRow("u", "line\n" * 40, NOW)], size=(900, 700))
    view = the_view(feed, "u")
    (button,) = seen_parts(view, Button)
    assert button.text() == "Show all"
    folded = view.height()
    assert abs(folded - (12 * 22 + 18 + 28)) <= 8
    button.click()
    qtbot.waitUntil(lambda: view.height() > 800, timeout=5000)
    assert button.text() == "Show less"
    assert feed.visible_keys() == ("u",)


def test_a_prompt_is_no_markdown(show: Show) -> None:
    feed, _ = a_feed(show, [UserRow("u", "# not a title\n**x**", NOW)])
    (body,) = the_view(feed, "u").findChildren(MarkdownBody)
    assert body.toPlainText() == "# not a title\n**x**"


def test_notes_tell_whether_they_were_delivered(show: Show) -> None:
    feed, _ = a_feed(show, [NoteRow("a", "Keep it.", NOW, None), NoteRow("b", "Keep it.", NOW, NOW)])
    assert the_view(feed, "a").accessibleName().endswith("Note, pending")
    assert "Note, delivered" in the_view(feed, "b").accessibleName()


# ---- the agent


def test_a_message_shows_its_pictures(show: Show) -> None:
    feed, _ = a_feed(show, [message("plain"), message("m", images=(a_picture(100, 60),))], size=(900, 500))
    assert the_view(feed, "m").height() == the_view(feed, "plain").height() + 60 + 8


def test_links_ask_the_window(show: Show) -> None:
    said = Said()
    feed, _ = a_feed(show, [message("m", "[here](https://example.org)")], a_context(said=said))
    (body,) = the_view(feed, "m").findChildren(MarkdownBody)
    QTest.mouseClick(body.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(8, 12))
    assert said.links == ["https://example.org"]


def test_a_thought_tells_how_long_and_unfolds(show: Show, qtbot: QtBot) -> None:
    _, view = opened(show, ThoughtRow("t", "Jitter must be *full* jitter.", 9), qtbot)
    assert view.accessibleName() == "Thought for 9 s"
    assert view.height() == 28 + 20 + 4
    (body,) = seen_parts(view, MarkdownBody)
    assert body.toPlainText() == "Jitter must be full jitter."


def test_a_thought_that_goes_on_has_no_time_yet(show: Show) -> None:
    feed, _ = a_feed(show, [ThoughtRow("t", "Hm", None, live=True), ThoughtRow("u", "Hm")])
    assert the_view(feed, "t").accessibleName() == "Thinking…"
    assert the_view(feed, "u").accessibleName() == "Thought"


# ---- tools


def test_a_call_tells_kind_target_state_and_numbers(show: Show) -> None:
    feed, _ = a_feed(show, [tool("a", added=86, removed=12, diffs=(Diff("a", "x", "y"),))])
    name = the_view(feed, "a").accessibleName()
    assert name == "Edit, src/retry/policy.py, Completed, 86 lines added, 12 removed, folded"


def test_hostile_names_are_one_safe_line(show: Show) -> None:
    feed, _ = a_feed(show, [tool("a", "execute", "ls\n\x1b[31m\u202etxt")])
    assert the_view(feed, "a").accessibleName() == "Run, ls [U+202E]txt, Completed, folded"


def test_an_unfolded_change_shows_its_diff_at_most_320_high(show: Show, qtbot: QtBot) -> None:
    row = tool("a", diffs=(Diff("a.py", "old\n" * 90, "new\n" * 90),))
    _, view = opened(show, row, qtbot)
    assert view.height() == 28 + 320 + 4
    (diff,) = seen_parts(view, DiffView)
    assert diff.sheet.line_count() == 180


def test_a_short_change_is_as_high_as_its_lines(show: Show, qtbot: QtBot) -> None:
    _, view = opened(show, tool("a", diffs=(Diff("a.py", "old\n", "new\n"),)), qtbot)
    assert view.height() == 28 + (2 * 20 + 2 * 4) + 2 * 4 + 2 + 4
    (diff,) = seen_parts(view, DiffView)
    assert diff.width() == view.width() - 2


def test_a_failed_command_shows_its_exit_code_and_output(show: Show, qtbot: QtBot) -> None:
    row = tool("a", "execute", "pytest -q", status="failed", output="1 failed\n", exit_code=1)
    _, view = opened(show, row, qtbot)
    assert "Exit 1" in view.accessibleName()
    (output,) = seen_parts(view, TerminalView)
    assert output.lines() == ["1 failed"]


def test_a_call_with_nothing_to_show_does_not_unfold(show: Show, qtbot: QtBot) -> None:
    _, view = opened(show, tool("a", "delete"), qtbot)
    assert not view.can_open()
    assert view.height() == 28


def test_the_input_of_an_unknown_tool_is_shown(show: Show, qtbot: QtBot) -> None:
    row = tool("a", "other", "Look up", raw_input={"query": "retry"}, output="found")
    _, view = opened(show, row, qtbot)
    (body,) = seen_parts(view, ToolBody)
    assert body._command.line_count() == 3
    assert body.text() == "found"


def test_a_running_call_turns_only_while_it_is_shown(show: Show, qtbot: QtBot) -> None:
    feed, model = a_feed(show, [tool("a", status="running")])
    assert clock().running[1]
    model.put(0, tool("a"))
    qtbot.waitUntil(lambda: the_view(feed, "a").accessibleName().endswith("Completed"), timeout=5000)
    assert id(the_view(feed, "a")) not in clock()._frames


def test_what_was_unfolded_is_unfolded_again(show: Show, qtbot: QtBot) -> None:
    context = a_context()
    row = tool("a", "execute", output="x\n")
    feed, _ = a_feed(show, [row], context)
    the_view(feed, "a").set_open(True)
    assert context.view.is_open(scene.RETRY, "a")
    other, _ = a_feed(show, [row], context)
    assert the_view(other, "a").is_open()
    assert the_view(other, "a").height() > 60


def test_output_that_arrives_shows_in_an_unfolded_call(show: Show, qtbot: QtBot) -> None:
    context = a_context()
    context.view.set_open(scene.RETRY, "a")
    feed, model = a_feed(show, [tool("a", "execute", "make", status="running", output="one\n")], context)
    low = the_view(feed, "a").height()
    model.put(0, tool("a", "execute", "make", status="running", output="one\ntwo\nthree\n"))
    qtbot.waitUntil(lambda: the_view(feed, "a").height() == low + 40, timeout=5000)


def test_a_group_tells_what_it_holds_and_unfolds_to_its_calls(show: Show, qtbot: QtBot) -> None:
    calls = (
        *(tool(f"r{number}", "read", output="x") for number in range(4)),
        *(tool(f"s{number}", "search") for number in range(2)),
        tool("e", added=86, removed=12, diffs=(Diff("a", "x\n", "y\n"),)),
    )
    assert kinds_of(calls) == "4 reads, 2 searches, 1 edits" or kinds_of(calls) == "4 reads, 2 searches, 1 edit"
    feed, view = opened(show, ToolGroupRow("g", calls), qtbot)
    assert isinstance(view, GroupView)
    assert view.height() == 28 + 7 * 28 + 4
    assert len(view.signs()) == 7
    (inner, *_) = seen_parts(view, ToolView)
    QTest.mouseClick(inner, Qt.MouseButton.LeftButton, pos=QPoint(40, 10))
    qtbot.waitUntil(lambda: not feed._soon.isActive(), timeout=5000)
    assert view.height() > 28 + 7 * 28 + 4 + 20
    assert view.signs()[1].y > view.signs()[0].y + 28


# ---- others


def test_the_poll_line_counts_children_and_times(show: Show) -> None:
    checks = (Check(NOW - 40_000, scene.POLICY, "running"), Check(NOW - 12_000, scene.SETTLEMENT, ""))
    feed, _ = a_feed(show, [PollRow("p", checks, 7)])
    view = the_view(feed, "p")
    assert isinstance(view, PollView)
    assert view.accessibleName() == "Checked on 2 children, 7 times"
    assert view.text_to_copy() == "Checked on 2 children, 7 times · last 12s ago"


def test_the_poll_line_lists_its_checks_20_at_first(show: Show, qtbot: QtBot) -> None:
    checks = tuple(Check(NOW - number * 1_000, scene.POLICY, "running") for number in range(50))
    _, view = opened(show, PollRow("p", checks, 50), qtbot)
    assert view.height() == 24 + 20 * 24 + 24 + 4
    (more,) = seen_parts(view, Button)
    assert more.text() == "Show 30 more"
    more.click()
    qtbot.waitUntil(lambda: view.height() == 24 + 50 * 24 + 4, timeout=5000)


def test_a_plan_is_a_card_with_rows_of_28(show: Show) -> None:
    steps = (Step("List every caller", "completed"), Step("Write it", "in_progress"), Step("Test it", "pending"))
    feed, _ = a_feed(show, [PlanRow("p", steps)])
    view = the_view(feed, "p")
    assert view.height() == 36 + 1 + 4 + 3 * 28 + 4
    assert view.accessibleName() == "Plan, 1 of 3"
    assert view.accessibleDescription().startswith("Completed: List every caller\nRunning: Write it")


@pytest.mark.parametrize(
    ("state", "begins"),
    [("answered", "You answered"), ("declined", "You skipped"), ("withdrawn", "Withdrawn"), ("open", "Asked you")],
)
def test_a_closed_question_is_one_line(show: Show, state: str, begins: str) -> None:
    row = AnsweredRow("a", (("Widths", "Desktop, Tablet"), ("Links", "")), state, NOW)  # pyright: ignore[reportArgumentType]
    feed, _ = a_feed(show, [row])
    assert the_view(feed, "a").accessibleName().startswith(begins)
    assert "Widths" in the_view(feed, "a").accessibleName()


def test_notices_are_never_amber(show: Show) -> None:
    rows = [NoticeRow(severity, WORDS * 3, severity, NOW) for severity in ("info", "warning", "error")]
    feed, _ = a_feed(show, rows, size=(900, 400))
    seen = feed.viewport().grab().toImage()
    amber = theme().color("waiting.mark").rgb()
    assert all(seen.pixel(x, y) != amber for x in range(0, 880, 2) for y in range(0, 300, 2))
    assert the_view(feed, "info").height() > 40


def test_no_row_says_anything_in_rich_text(show: Show) -> None:
    evil = "<b>x</b><img src='file:///etc/passwd'>"
    rows: list[Row] = [
        UserRow("u", evil, NOW),
        MessageRow("m", evil, NOW),
        NoticeRow("n", evil, "info", NOW),
        tool("t", target=evil),
        PlanRow("p", (Step(evil, "pending"),)),
        AnsweredRow("a", ((evil, evil),), "answered", NOW),
    ]
    feed, _ = a_feed(show, rows, size=(900, 700))
    for row in rows:
        assert "<b>x</b>" in the_view(feed, row.key).accessibleName() + the_view(feed, row.key).accessibleDescription()


def test_views_are_used_again(show: Show) -> None:
    feed, _ = a_feed(show, one_of_each() * 1, size=(900, 200))
    first = len(feed.viewport().children())
    bar = feed.verticalScrollBar()
    for _ in range(6):
        bar.setValue(0)
        bar.setValue(bar.maximum())
    assert len(feed.viewport().children()) <= first + 11


def test_the_first_prompt_of_a_child_is_its_task_in_one_folded_line(show: Show, qtbot: QtBot) -> None:
    rows: list[Row] = [UserRow("u", "Write the retry policy\nOne module.", NOW), tool("a")]
    feed, _ = a_feed(show, rows, a_context(depth=1), size=(700, 400))
    view = the_view(feed, "u")
    assert view.height() == 28
    assert view.accessibleName() == "Task: Write the retry policy One module."
    assert not seen_parts(view, MarkdownBody)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(30, 10))
    qtbot.waitUntil(lambda: view.height() == 28 + 2 * 22 + 18, timeout=5000)
    assert seen_parts(view, MarkdownBody)
    view.set_open(False)
    qtbot.waitUntil(lambda: view.height() == 28, timeout=5000)
