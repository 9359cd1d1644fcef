"""The real `codeg` command on a screen: its window, a second start, signals, a crash, no display, and `codeg serve` in the way.

The program is a process of its own here: what it shows is asked of the X server, what it did of its host.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from codeg.api import HostUnavailable, OperatorClient
from tests.e2e.windowed import hand
from tests.e2e.windowed.person import Person
from tests.support import until
from ui.viewmodels.states import State

ENDS_S = 8
Program = subprocess.Popen[bytes]


class Programs:
    """`codeg` processes of one home. Ends those that are left."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._home, self._folder = home, folder
        self._running: list[Program] = []

    def begin(self, *arguments: str, **env: str | None) -> Program:
        """Start one."""
        merged = {**os.environ, **{name: value for name, value in env.items() if value is not None}}
        for name, value in env.items():
            if value is None:
                merged.pop(name, None)
        command = [sys.executable, "-I", "-m", "codeg.cli", *arguments, "--home", str(self._home)]
        pipe = subprocess.PIPE
        made = subprocess.Popen(
            command, env=merged, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe
        )
        self._running.append(made)
        return made

    def ended(self, program: Program, seconds: float = ENDS_S) -> tuple[int, str]:
        """Exit code and stderr, in time."""
        _, said = program.communicate(timeout=seconds)
        return program.returncode, said.decode()

    def window(self, program: Program) -> str:
        """Wait for its main window: the one that can be raised. Its id."""

        def raised() -> bool:
            assert program.poll() is None, "the program ended"
            try:
                return bool(OperatorClient(str(self._home)).request("raise")["raised"])
            except HostUnavailable:
                return False

        until(raised, "a host with a window")
        return until(lambda: windows(program), "its window")[0]

    def close(self) -> None:
        """Whatever still runs."""
        for program in self._running:
            if program.poll() is None:
                program.kill()
            program.communicate()


def windows(program: Program) -> list[str]:
    """Ids of its windows that are seen."""
    done = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--all", "--pid", str(program.pid), "--name", "^Codeg$"],
        stdout=subprocess.PIPE, text=True, check=False, timeout=10,
    )  # fmt: skip
    return done.stdout.split()


def focused() -> str:
    """Id of the window that has the keyboard."""
    done = subprocess.run(["xdotool", "getwindowfocus"], stdout=subprocess.PIPE, text=True, check=False, timeout=10)
    return done.stdout.strip()


@pytest.fixture
def programs(base: Path, person: Person) -> Iterator[Programs]:
    made = Programs(base / "home", base / "work")
    yield made
    made.close()


def test_a_second_start_raises_the_window_and_sigterm_ends_the_first(
    programs: Programs, person: Person, qtbot: QtBot
) -> None:
    first = programs.begin()
    programs.window(first)
    cover = QWidget()
    qtbot.addWidget(cover)
    cover.setWindowTitle("Another program")
    cover.show()
    cover.activateWindow()
    person.until(cover.isActiveWindow, "something else in front")
    second = programs.begin()
    assert programs.ended(second) == (0, "")
    person.until(lambda: focused() in windows(first), "the first window in front")
    assert len(windows(first)) == 1
    cover.close()
    began = monotonic()
    first.send_signal(signal.SIGTERM)
    assert programs.ended(first) == (0, "")
    assert monotonic() - began < ENDS_S
    until(lambda: not person.processes(), "no process left")


def test_without_a_display_it_is_one_sentence(programs: Programs) -> None:
    bare = programs.begin(DISPLAY=None, WAYLAND_DISPLAY=None, QT_QPA_PLATFORM=None)
    code, said = programs.ended(bare)
    assert code == 2
    assert said.startswith("codeg: There is no display for a window") and said.count("\n") == 1
    dead = programs.begin(DISPLAY=":4711")
    code, said = programs.ended(dead)
    assert code == 2
    assert "4711 does not answer" in said and said.count("\n") == 1


def test_a_host_without_a_window_is_taken_over(programs: Programs, person: Person) -> None:
    served = programs.begin("serve")
    assert served.stdout is not None
    assert json.loads(served.stdout.readline())["pid"] == served.pid
    person.begin_over_a_host()
    person.until(lambda: person.scrim() is not None, "the question")
    person.picture("takeover")
    person.choose("Stop it and take over")
    person.until(lambda: served.poll() is not None, "the other host ended")
    assert programs.ended(served)[0] == 0
    person.until(lambda: person.desktop.bridge is not None and person.desktop.bridge.is_open, "this one opened")
    person.until(lambda: person.window.page_name() == "welcome", "the first page")
    person.quit()


def test_killed_while_tasks_run_everything_is_there_and_can_be_resumed(programs: Programs, person: Person) -> None:
    program = programs.begin()
    window = programs.window(program)
    client = OperatorClient(str(person.home))
    hand.do("windowfocus", "--sync", window)

    def running() -> bool:
        """Its prompt was written, so it has a conversation of its own."""
        return [(task["status"], "started_at" in task) for task in client.request("tasks", limit=10)] == [
            ("running", True)
        ]

    def sent() -> bool:
        hand.key("ctrl+n")
        hand.key("ctrl+a", "BackSpace")
        hand.write("@demo pause 50 ")
        hand.key("Return")
        try:
            return bool(until(running, "a task runs", 3))
        except AssertionError:
            return False

    assert any(sent() for _ in range(4)), "a session by keyboard alone"
    program.kill()
    program.wait(10)
    until(lambda: not person.processes(), "the keepers ended the agents")

    person.start()
    person.open_from_the_sidebar("@demo pause 50")
    person.sees("pause 50", State.INTERRUPTED)
    person.until(lambda: person.offers("pause 50", "resume"), "Resume")
    assert person.tree_states()["pause 50"] is State.INTERRUPTED
    assert person.lanes() == {"pause 50": State.INTERRUPTED}
    person.press("pause 50", "resume")
    person.sees("pause 50", State.RUNNING)
    person.press("pause 50", "stop")
    person.sees("pause 50", State.CANCELED)
    person.quit()
