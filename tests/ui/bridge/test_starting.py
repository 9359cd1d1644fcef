"""What must be there before Qt is loaded, and the sentence for what is missing."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ui.app import main
from ui.starting import CannotStart, has_display, missing, require_x11, why_not_imported

SCREENLESS = {
    name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
}


@pytest.mark.parametrize(
    ("env", "there"),
    [
        ({}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"QT_QPA_PLATFORM": "offscreen"}, True),
        ({"QT_QPA_PLATFORM": "vnc:size=800x600"}, True),
        ({"QT_QPA_PLATFORM": "xcb"}, False),
        ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":0"}, True),
        ({"QT_QPA_PLATFORM": "wayland;xcb", "DISPLAY": ":0"}, False),
        ({"DISPLAY": ""}, False),
    ],
)
def test_a_display_is_known_by_its_environment(env: dict[str, str], there: bool) -> None:
    assert has_display(env, "linux") is there


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_have_one(platform: str) -> None:
    assert has_display({}, platform)


class FakeXcb:
    """libxcb: every function of it answers the same."""

    def __init__(self, answer: int) -> None:
        self.answer = answer

    def __getattr__(self, name: str) -> "FakeXcb":
        return self

    def __call__(self, *_words: object) -> int:
        return self.answer


def lacking(*libraries: str) -> Callable[[str], FakeXcb]:
    def load(name: str) -> FakeXcb:
        if name in libraries:
            raise OSError(f"{name}: cannot open shared object file")
        return FakeXcb(0)

    return load


def test_all_missing_libraries_are_named_in_one_sentence_with_their_packages() -> None:
    with pytest.raises(CannotStart) as said:
        require_x11({"DISPLAY": ":0"}, "linux", lacking("libxcb-icccm.so.4", "libxcb-keysyms.so.1"))
    assert "apt-get install --no-install-recommends libxcb-icccm4 libxcb-keysyms1" in str(said.value)
    assert said.value.code == 2


def test_a_display_that_does_not_answer_is_said_before_qt_ends_the_process() -> None:
    with pytest.raises(CannotStart, match=r"The display :77 does not answer"):
        require_x11({"DISPLAY": ":77"}, "linux", lambda _name: FakeXcb(1))


@pytest.mark.parametrize(
    "env", [{"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}]
)
def test_other_platforms_of_qt_need_nothing_of_x11(env: dict[str, str]) -> None:
    require_x11(env, "linux", lacking("libxcb-cursor.so.0"))


def test_without_pyside_the_command_for_it_is_named() -> None:
    error = ModuleNotFoundError("No module named 'PySide6'", name="PySide6")
    said = why_not_imported(error)
    assert said is not None
    assert 'pip install "PySide6-Essentials' in str(said)


def test_a_library_that_qt_misses_is_named_with_all_its_fellows() -> None:
    error = ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")
    said = why_not_imported(error, lacking("libEGL.so.1", "libGL.so.1"))
    assert "libgl1 libegl1" in str(said)


def test_another_import_error_is_a_fault_of_ours() -> None:
    assert why_not_imported(ImportError("cannot import name 'x' from 'y'")) is None
    assert why_not_imported(ModuleNotFoundError("No module named 'ui.x'", name="ui.x")) is None


def test_what_is_there_is_not_missing() -> None:
    assert missing({"libc.so.6": "libc6"}, lambda _name: None) == []


@pytest.fixture
def screenless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    yield


def test_without_a_display_and_a_host_one_sentence_says_what_to_do(
    screenless: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(str(tmp_path)) == 2
    assert capsys.readouterr().err.count("\n") == 1


def _codeg(*words: str, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-I", "-m", "codeg.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, env=env, check=False)


def test_without_a_display_the_pid_of_a_running_host_is_named(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    serve = subprocess.Popen(
        [sys.executable, "-I", "-m", "codeg.cli", "serve", "--home", home],
        stdout=subprocess.PIPE,
        text=True,
        env=SCREENLESS,
    )
    try:
        assert serve.stdout is not None
        serve.stdout.readline()
        done = _codeg("--home", home, env=SCREENLESS)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.strip() == (
            f"codeg: A host is already running (pid {serve.pid}), and there is no display for a window."
        )
    finally:
        serve.terminate()
        assert serve.wait(10) == 0
        if serve.stdout is not None:
            serve.stdout.close()


def test_the_command_without_words_is_the_desktop(tmp_path: Path) -> None:
    done = _codeg(f"--home={tmp_path}", env=SCREENLESS)
    assert done.returncode == 2
    assert "There is no display" in done.stderr
    assert "Traceback" not in done.stderr
