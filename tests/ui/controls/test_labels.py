"""Labels and other things that only show."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.theme.pictures import inked
from ui.theme.clock import clock
from ui.theme.theme import theme
from ui.viewmodels.states import State
from ui.widgets.controls import AgentBadge, Box, Button, Divider, KeyCap, Label, MarkLabel, MessageBar
from ui.widgets.controls.keys import key_label, key_parts

Show = Callable[[QWidget], None]


def test_a_label_never_takes_text_for_markup(qtbot: QtBot) -> None:
    label = Label("<b>bold</b> &amp; more")
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.sizeHint().width() > Label("bold & more").sizeHint().width()


def test_a_cut_label_gives_way_and_tells_all_in_its_tooltip(show: Show) -> None:
    label = Label("A very long title that does not fit anywhere", elide=True)
    label.resize(80, 20)
    show(label)
    assert label.minimumSizeHint().width() < 60
    assert label.toolTip().startswith("A very long title")


def test_a_wrapped_label_grows_down_by_whole_lines(qtbot: QtBot) -> None:
    label = Label("More than this wait in the queue, in the order they were asked for.", "small", wrap=True)
    qtbot.addWidget(label)
    assert label.heightForWidth(600) == 16
    assert label.heightForWidth(150) % 16 == 0
    assert label.heightForWidth(150) >= 48


def test_a_wrapped_label_gets_its_height_from_a_layout(show: Show) -> None:
    window = QWidget()
    column = QVBoxLayout(window)
    label = Label("word " * 60, "small", wrap=True)
    column.addWidget(label)
    column.addStretch(1)
    window.resize(200, 600)
    show(window)
    assert label.height() == label.heightForWidth(label.width())


def test_a_label_is_as_high_as_the_line_of_its_role(qtbot: QtBot) -> None:
    for role, height in (("ui", 20), ("small", 16), ("title", 24), ("heading", 20)):
        label = Label("Text", role)
        qtbot.addWidget(label)
        assert label.sizeHint().height() == height


def test_a_label_of_han_is_not_small(qtbot: QtBot) -> None:
    label = Label("Text", "small")
    qtbot.addWidget(label)
    label.setText("等你处理")
    assert theme().pixels(label.font()) == 13
    label.setText("Text")
    assert theme().pixels(label.font()) == 12


def test_a_label_follows_theme_and_size(qtbot: QtBot, show: Show) -> None:
    label = Label("Text", token="accent.text")
    show(label)
    light = label.grab().toImage()
    theme().set_scheme("dark")
    assert label.grab().toImage() != light
    before = label.sizeHint()
    theme().set_ui_size(18)
    assert label.sizeHint().height() > before.height()


@pytest.mark.parametrize("elide", [True, False])
def test_a_latin_label_in_a_mirrored_layout_starts_at_the_right(show: Show, elide: bool) -> None:
    label = Label("Codex", elide=elide)
    label.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    label.resize(200, 20)
    show(label)
    places = [x for x, _ in inked(label.grab().toImage(), theme().color("bg.canvas"))]
    assert min(places) > 140


def test_a_running_mark_watches_the_clock_and_an_ended_one_does_not(qtbot: QtBot, show: Show) -> None:
    mark = MarkLabel(State.RUNNING)
    show(mark)
    assert clock().running == (False, True)
    mark.set_state(State.COMPLETED)
    qtbot.waitUntil(lambda: clock().running == (False, False), timeout=5000)
    assert mark.state is State.COMPLETED


def test_a_key_has_a_cap_for_each_part(qtbot: QtBot) -> None:
    one, two = KeyCap("X"), KeyCap("Ctrl+K")
    qtbot.addWidget(one)
    qtbot.addWidget(two)
    assert (one.sizeHint().width(), one.sizeHint().height()) == (18, 18)
    assert two.sizeHint().width() > 2 * 18
    assert two.accessibleName() == key_label("Ctrl+K")


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("Ctrl+K", ("Ctrl", "K")),
        ("Ctrl+Shift+F", ("Ctrl", "Shift", "F")),
        ("Ctrl++", ("Ctrl", "+")),
        ("+", ("+",)),
        ("1", ("1",)),
        ("Ctrl+\\", ("Ctrl", "\\")),
        ("Return", ("Enter",)),
        ("", ()),
    ],
)
def test_keys_are_taken_apart(key: str, parts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert key_parts(key) == parts


def test_a_mac_has_its_own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert key_label("Ctrl+Shift+F") == "Cmd Shift F"


def test_a_box_has_lines_between_the_rows_that_show(show: Show) -> None:
    box = Box()
    rows = [QWidget() for _ in range(3)]
    for row in rows:
        row.setFixedHeight(30)
        box.add_row(row)
    box.resize(100, 94)
    show(box)
    line = theme().color("border.subtle")

    def lines() -> int:
        picture = box.grab().toImage()
        return sum(picture.pixelColor(50, y) == line for y in range(picture.height()))

    assert lines() == 2
    rows[0].hide()
    assert lines() == 1


def test_a_box_is_cleared(qtbot: QtBot) -> None:
    box = Box()
    qtbot.addWidget(box)
    box.add_row(Label("One"))
    box.insert_row(0, Label("Two"))
    box.clear()
    assert box.rows.count() == 0
    qtbot.waitUntil(lambda: not box.findChildren(Label), timeout=5000)


@pytest.mark.parametrize("severity", ["notice", "error", "waiting", "odd"])
def test_only_a_waiting_message_is_amber(show: Show, severity: str) -> None:
    bar = MessageBar("The database could not be written.", severity, "Try again", "Close")
    bar.resize(600, 36)
    show(bar)
    amber = theme().color("waiting.tint")
    assert (bar.grab().toImage().pixelColor(400, 4) == amber) is (severity == "waiting")


def test_a_message_tells_its_action_and_its_close(qtbot: QtBot, show: Show) -> None:
    bar = MessageBar("Text", action="Show", close_name="Close")
    show(bar)
    with qtbot.waitSignals([bar.acted, bar.closed], timeout=5000):
        bar.action.click()
        bar.close_button.click()
    bar.show_text("Other", action="")
    assert not bar.action.isVisible()
    assert bar.accessibleName() == "Other"


def test_things_that_only_show_take_no_focus(qtbot: QtBot) -> None:
    for widget in (Label("a"), KeyCap("X"), MarkLabel(State.FAILED), AgentBadge("CC"), Divider()):
        qtbot.addWidget(widget)
        assert widget.focusPolicy() == Qt.FocusPolicy.NoFocus
    assert Button("a").focusPolicy() == Qt.FocusPolicy.StrongFocus
