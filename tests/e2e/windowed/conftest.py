"""Real windows on an X screen. `tests/e2e/test_windows.py` runs this folder in a process of its own, under Xvfb.

Owns the person and the guard that nothing is left behind. Without an X screen the tests here are not collected.
"""

import os
import shutil
import signal
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

ON_X = os.environ.get("QT_QPA_PLATFORM") == "xcb" and bool(os.environ.get("DISPLAY"))
collect_ignore_glob = [] if ON_X else ["test_*.py"]

if ON_X:
    from pytestqt.qtbot import QtBot

    from tests.e2e.windowed import hand
    from tests.e2e.windowed.person import Person

    @pytest.fixture
    def base(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
        """A short folder (socket paths are limited) with an account of its own, in which a few files lie."""
        made = Path(tempfile.mkdtemp(prefix="cw-"))
        folder = made / "work"
        folder.mkdir()
        (folder / "app.py").write_text("def main():\n    print('hi')  # TODO say more\n")
        (folder / "README.md").write_text("# A small thing\n\nIt says hi.\n")
        monkeypatch.setenv("HOME", str(folder))
        monkeypatch.delenv("CODEG_HOME", raising=False)
        monkeypatch.setenv("CODEG_TEST_RUN", uuid.uuid4().hex)
        yield made
        shutil.rmtree(made, ignore_errors=True)

    @pytest.fixture
    def person(base: Path, qtbot: QtBot) -> Iterator[Person]:
        """In front of a program that is not started yet."""
        hand.do("mousemove", "1590", "990")  # out of the way
        mark = f"CODEG_TEST_RUN={os.environ['CODEG_TEST_RUN']}"
        made = Person(qtbot, base / "home", base / "work", mark)
        yield made
        made.close()
        for pid, _ in made.processes():
            os.kill(pid, signal.SIGKILL)
