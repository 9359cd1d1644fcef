"""The reaper: a program's whole tree is seen to its end, whatever sessions its processes make for themselves."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.realclients.reaper import descendants
from tests.realclients.running import Running
from tests.support import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a subreaper")
ORPHAN = "import os,time\nif os.fork()==0:\n os.setsid()\n os.fork()\n time.sleep({seconds})\n"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[str], Running]]:
    made: list[Running] = []

    def run(code: str) -> Running:
        made.append(Running([sys.executable, "-I", "-c", code], dict(os.environ), tmp_path, tmp_path / f"{len(made)}"))
        return made[-1]

    yield run
    for each in made:
        each.close()
    assert not descendants(os.getpid())


def test_output_and_exit_code_are_told(start: Callable[[str], Running]) -> None:
    running = start("print('{\"a\": 1}'); print('no json'); raise SystemExit(3)")
    assert running.wait() == 3
    assert running.events() == [{"a": 1}]
    assert running.left == []


def test_children_that_end_by_themselves_are_waited_for(start: Callable[[str], Running]) -> None:
    running = start(ORPHAN.format(seconds=0.3))
    assert running.wait() == 0
    assert running.left == []


def test_what_is_left_is_named_and_killed(start: Callable[[str], Running], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REAPER_GRACE_S", "0.2")
    running = start(ORPHAN.format(seconds=600))
    assert running.wait() == 0
    assert len(running.left) == 2


def test_a_signal_reaches_the_program(start: Callable[[str], Running]) -> None:
    running = start("import time; print('up', flush=True); time.sleep(600)")
    until(lambda: "up" in running.stdout, "it runs")
    running.signal(signal.SIGTERM)
    assert running.wait() == -signal.SIGTERM


def test_the_end_of_the_test_ends_everything(start: Callable[[str], Running]) -> None:
    running = start(ORPHAN.format(seconds=600) + "time.sleep(600)")
    until(lambda: len(descendants(running.pid)) > 0, "it has children")
    running.close()
    assert not descendants(os.getpid())
