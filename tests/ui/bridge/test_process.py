"""The desktop as a process: whenever it is told to end, it ends with 0, in time, quietly, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.cli.test_entry import SIGNALLED

ROOT = Path(__file__).parents[3]
SCRIPT = """
import os, sys, time
from tests.ui.bridge.faces import FaceDouble
from ui.desktop import run

class Face(FaceDouble):
    def raise_window(self):
        super().raise_window()
        print("window", flush=True)
        {work}

sys.exit(run({home!r}, Face))
"""
ASK = """self.bridge.open_session("demo", {folder!r}, then=lambda sid: self.bridge.prompt(sid, "@demo ask", then=self.wait))
    def wait(self, _=None):
        self.world.changed.connect(lambda batch: self.world.asks() and print("asked", flush=True))
"""


class Start:
    """Processes of one home."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.processes: list[subprocess.Popen[str]] = []

    def __call__(self, work: str = "pass") -> "subprocess.Popen[str]":
        script = SCRIPT.format(home=str(self.home), work=work)
        env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
        )
        self.processes.append(process)
        return process


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    made = Start(tmp_path)
    yield made
    for process in made.processes:
        if process.poll() is None:
            process.kill()
        process.communicate()


def line(stream: "IO[str] | None") -> str:
    assert stream is not None
    return stream.readline().strip()


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """Exit code and stderr, within the 8 s of the contract."""
    _, said = process.communicate(timeout=8)
    return process.returncode, said


def children_of(folder: Path) -> list[str]:
    """Processes that live in this home."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:  # it ended meanwhile
            continue
        if str(folder).encode() in words:
            found.append(words.replace(b"\0", b" ").decode(errors="replace"))
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_order(start: Start, number: int) -> None:
    process = start()
    assert line(process.stdout) == "window"
    process.send_signal(number)
    assert ended(process) == (0, "")
    assert not (start.home / "run" / "broker.json").exists()


@pytest.mark.parametrize(
    "moment",
    [
        "ui.app",
        "PySide6.QtWidgets",
        "ui.bridge_loading",
        "codeg.api",
        "codeg.runtime.app",
        "ui.bridge",
        "ui.desktop_questions",
    ],
)
def test_a_signal_at_any_moment_of_the_start_ends_it(start: Start, moment: str) -> None:
    """It comes just before that module is loaded, on whatever thread that happens."""
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    script = SIGNALLED.format(at=moment, number=int(signal.SIGTERM), words=["--home", str(start.home)])
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, timeout=20, env=env, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.slow
def test_with_an_agent_waiting_for_the_person_it_ends_all_the_same(start: Start) -> None:
    process = start(ASK.format(folder=str(start.folder)))
    assert line(process.stdout) == "window"
    assert line(process.stdout) == "asked"
    process.send_signal(signal.SIGTERM)
    assert ended(process) == (0, "")
    assert children_of(start.home) == []


def test_a_second_one_ends_with_0_and_says_nothing(start: Start) -> None:
    first = start()
    assert line(first.stdout) == "window"
    second = start()
    assert ended(second) == (0, "")
    assert line(first.stdout) == "window"
    first.send_signal(signal.SIGTERM)
    assert ended(first) == (0, "")


@pytest.mark.slow
def test_after_a_kill_the_next_one_starts_as_if_nothing_had_been(start: Start) -> None:
    first = start()
    assert line(first.stdout) == "window"
    first.kill()
    first.wait(5)
    second = start()
    assert line(second.stdout) == "window"
    second.send_signal(signal.SIGTERM)
    assert ended(second) == (0, "")
