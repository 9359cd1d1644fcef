"""The real window as the application uses it: it lies as remembered, and asks what is to be asked."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.worlds import a_desk
from ui.desktop_questions import WindowFace
from ui.workspace.panels import Scrim


@pytest.fixture
def face(qtbot: QtBot) -> Iterator[WindowFace]:
    world, orders = a_desk()
    made = WindowFace(world, orders)
    yield made
    orders.stop()
    made.end()
    made.deleteLater()


def panel(face: WindowFace) -> Scrim:
    """The one that stands over the window."""
    (found,) = [each for each in face.window.findChildren(Scrim) if not each.isHidden()]
    return found


def host_state(face: WindowFace) -> str:
    return face.window.status.groups[0].part.text


def choose(face: WindowFace, text: str) -> None:
    """Press a button of the panel."""
    next(button for button in panel(face).panel.buttons if button.text() == text).click()


def test_it_is_ready_once_it_lies_as_it_was_remembered(qtbot: QtBot, face: WindowFace) -> None:
    ready: list[bool] = []
    face.begin(lambda: ready.append(face.window.isVisible()))
    assert ready == []
    qtbot.waitUntil(lambda: bool(ready), timeout=5_000)
    assert ready == [False]
    face.raise_window()
    assert face.window.isVisible()


def test_closing_it_asks_and_ends_nothing(qtbot: QtBot, face: WindowFace) -> None:
    face.raise_window()
    with qtbot.waitSignal(face.close_asked, timeout=5_000):
        face.window.close()
    assert face.window.isVisible()


@pytest.mark.parametrize(
    ("text", "done"), [("Keep running", ["keep"]), ("Stop them and quit", ["stop"]), ("Cancel", [])]
)
def test_with_tasks_running_there_are_three_ways(face: WindowFace, text: str, done: list[str]) -> None:
    did: list[str] = []
    face.ask_to_quit(4, lambda: did.append("stop"), lambda: did.append("keep"))
    choose(face, text)
    assert did == done
    assert [each for each in face.window.findChildren(Scrim) if not each.isHidden()] == []


def test_closing_twice_asks_once(face: WindowFace) -> None:
    for _ in range(2):
        face.ask_to_quit(4, lambda: None, lambda: None)
    assert panel(face).panel.accessibleName() == "4 tasks are running"


def test_a_crash_panel_stands_until_the_restart(face: WindowFace) -> None:
    did: list[str] = []
    face.show_crash("The store cannot be written.", "", lambda: did.append("restart"))
    assert host_state(face) == "The host stopped"
    assert "The store cannot be written." in panel(face).panel.accessibleDescription()
    choose(face, "Open log")
    choose(face, "Restart")
    assert did == ["restart"]
    face.host_opened()
    assert host_state(face) == "Host running"


def test_a_host_in_the_way_is_named(face: WindowFace) -> None:
    did: list[str] = []
    face.ask_to_take_over(4711, 2, lambda: did.append("take"), lambda: did.append("leave"))
    assert host_state(face) == "No host in this window"
    assert "4711" in panel(face).panel.accessibleDescription()
    choose(face, "Stop it and take over")
    assert did == ["take"]
