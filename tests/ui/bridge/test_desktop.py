"""The application from its first window to its end, over a real host and a window that only remembers."""

import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.bridge.faces import FaceDouble
from ui.bridge import Bridge
from ui.desktop import Desktop
from ui.viewmodels.world import World


class Process:
    """One `codeg`: its desktop, its window, its exit codes."""

    def __init__(self, qtbot: QtBot, home: Path, make: Callable[[World, Bridge], Any] = FaceDouble) -> None:
        self.qtbot = qtbot
        self.codes: list[int] = []
        self.desktop = Desktop(str(home), make)
        self.desktop.finished.connect(self.codes.append)
        self.over = False

    @property
    def face(self) -> FaceDouble:
        assert isinstance(self.desktop.face, FaceDouble)
        return self.desktop.face

    @property
    def bridge(self) -> Bridge:
        assert self.desktop.bridge is not None
        return self.desktop.bridge

    def until(self, condition: Callable[[], Any]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=10_000)

    def open(self) -> "Process":
        self.desktop.show()
        self.until(lambda: self.desktop.face is not None and "raise" in self.face.done)
        return self

    def finished(self) -> None:
        self.until(lambda: self.codes)
        assert self.codes == [0]
        self.end()

    def end(self) -> None:
        if not self.over:
            self.over = True
            assert self.desktop.end()
            self.desktop.deleteLater()


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[..., Process]]:
    made: list[Process] = []

    def one(*words: Any) -> Process:
        made.append(Process(qtbot, tmp_path / "home", *words))
        return made[-1]

    yield one
    for process in reversed(made):
        process.end()


def test_a_first_window_stands_until_the_main_one_lies_as_it_was(make: Callable[..., Process]) -> None:
    process = make()
    assert process.desktop.opening is not None
    process.open()
    assert process.face.done == ["opened", "begin", "raise"]
    assert process.desktop.opening is None
    assert process.face.world.agents()


def test_closing_ends_the_host_and_the_process(make: Callable[..., Process]) -> None:
    process = make().open()
    face = process.face
    face.close_asked.emit()
    process.finished()
    assert face.done == ["opened", "begin", "raise", "save", "hide", "end"]
    assert "codeg-host" not in {thread.name for thread in threading.enumerate()}


def test_how_the_window_lay_is_kept_when_it_closes(make: Callable[..., Process]) -> None:
    process = make().open()
    process.desktop.quit()
    process.finished()
    again, got = make().open(), list[Any]()
    again.bridge.kept("window", got.append)
    again.until(lambda: got)
    assert got == ["as it lay"]


def test_giving_up_in_the_first_window_ends_the_process(make: Callable[..., Process]) -> None:
    process = make()
    process.desktop.show()
    assert process.desktop.opening is not None
    process.desktop.opening.close()
    process.finished()


@pytest.mark.parametrize("moment", ["loading", "opening"])
def test_quitting_while_it_starts_ends_it(make: Callable[..., Process], moment: str) -> None:
    process = make()
    if moment == "opening":
        process.desktop.show()
        process.until(lambda: process.desktop.bridge is not None)
    process.desktop.quit()
    process.finished()


def _running(process: Process, folder: Path) -> None:
    """A task of the demo agent that waits for the person."""
    got: list[Any] = []
    process.bridge.open_session("demo", str(folder), then=got.append)
    process.until(lambda: got and process.face.world.session(got[0]) is not None)
    process.until(lambda: (record := process.face.world.session(got[0])) is not None and record.state == "idle")
    process.bridge.delegate(got[0], "demo", "ask", then=got.append)
    process.until(lambda: len(got) > 1 and process.face.world.asks())


def test_with_tasks_running_there_is_one_question_and_stop_ends_them(
    make: Callable[..., Process], tmp_path: Path
) -> None:
    process = make().open()
    _running(process, tmp_path)
    process.desktop.ask_to_close()
    assert process.face.asked == ("quit", 1)
    assert not process.desktop.ending
    process.face.ways["stop"]()
    process.finished()


def test_kept_running_it_has_no_window_until_another_codeg_raises_it(
    make: Callable[..., Process], tmp_path: Path
) -> None:
    process = make().open()
    _running(process, tmp_path)
    process.desktop.ask_to_close()
    process.face.ways["keep"]()
    assert process.desktop.kept
    assert process.face.done[-2:] == ["save", "hide"]
    second = make()
    second.desktop.show()
    second.until(lambda: second.codes)
    process.until(lambda: process.face.done[-1] == "raise")
    assert (second.codes, process.desktop.kept, process.codes) == ([0], False, [])
    assert process.bridge.running_tasks()


@contextmanager
def _served(tmp_path: Path) -> Generator["subprocess.Popen[str]"]:
    """A host without a window, which ends with the test whatever becomes of it."""
    command = [sys.executable, "-I", "-m", "codeg.cli", "serve", "--home", str(tmp_path / "home")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serve:
        assert serve.stdout is not None
        serve.stdout.readline()
        try:
            yield serve
        finally:
            if serve.poll() is None:
                serve.kill()


def test_a_host_without_a_window_is_taken_over_when_the_person_says_so(
    make: Callable[..., Process], tmp_path: Path
) -> None:
    with _served(tmp_path) as serve:
        process = make().open()
        assert process.face.asked == ("take over", serve.pid, 0)
        process.face.ways["take"]()
        process.until(lambda: process.bridge.is_open)
        assert serve.wait(10) == 0
    process.until(lambda: process.face.done.count("raise") == 2)


def test_a_host_without_a_window_is_left_alone_when_the_person_says_so(
    make: Callable[..., Process], tmp_path: Path
) -> None:
    with _served(tmp_path) as serve:
        process = make().open()
        process.face.ways["leave"]()
        process.finished()
        assert serve.poll() is None
        serve.terminate()
        assert serve.wait(10) == 0


def test_a_crash_shows_its_reason_and_a_way_back(make: Callable[..., Process], tmp_path: Path) -> None:
    settings = tmp_path / "home" / "config" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[delegation\n")
    process = make().open()
    assert process.face.asked[0] == "crash"
    assert "settings.toml is broken" in process.face.asked[1]
    assert Path(process.face.asked[2]).exists()
    assert process.codes == []
    settings.write_text("")
    process.face.ways["restart"]()
    process.until(lambda: process.bridge.is_open)


def test_a_restart_before_the_last_host_is_quite_gone_is_not_lost(make: Callable[..., Process], tmp_path: Path) -> None:
    settings = tmp_path / "home" / "config" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[delegation\n")

    class Quick(FaceDouble):
        def show_crash(self, reason: str, log: str, restart: Callable[[], None]) -> None:
            super().show_crash(reason, log, restart)
            settings.write_text("")
            restart()

    process = make(Quick)
    process.desktop.show()
    process.until(lambda: process.desktop.face is not None and process.bridge.is_open)
    assert process.face.asked[0] == "crash"


def test_a_window_that_cannot_be_built_ends_the_start(make: Callable[..., Process]) -> None:
    def broken(_world: World, _bridge: Bridge) -> Any:
        raise ValueError("broken")

    process = make(broken)
    process.desktop.show()
    process.until(lambda: process.codes)
    assert str(process.desktop.fault) == "broken"


def test_a_host_that_is_stopped_from_outside_ends_the_desktop(make: Callable[..., Process], tmp_path: Path) -> None:
    from codeg.api import OperatorClient

    process = make().open()
    asked = threading.Thread(target=lambda: OperatorClient(str(tmp_path / "home")).request("stop"))
    asked.start()
    process.finished()
    asked.join(5)
