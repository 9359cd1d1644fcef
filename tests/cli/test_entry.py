"""The process as it is given: signals while it loads, closed descriptors, a locale that knows few letters."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from codeg.store.records import SaveSession, SessionRecord
from codeg.store.store import Store

SIGNALLED = """
import os, sys
from codeg.cli.__main__ import main

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == {at!r}:
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, Interrupted())
main({words!r})
"""
TITLE = "Größe 漢字🙂\ud800"


def run(*words: str, **more: object) -> "subprocess.CompletedProcess[str]":
    given: dict[str, object] = {"stdin": subprocess.DEVNULL, "capture_output": True, **more}
    return subprocess.run([sys.executable, *words], text=True, timeout=30, check=False, **given)  # type: ignore[call-overload]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("at", ["codeg.cli.commands", "codeg.cli.tasks"], ids=["first import", "last import"])
@pytest.mark.parametrize(("words", "code"), [(("serve",), 0), (("run", "pause 100"), 1)], ids=["serve", "run"])
def test_a_signal_while_the_command_is_loaded_ends_it_in_order(
    tmp_path: Path, number: int, at: str, words: tuple[str, ...], code: int
) -> None:
    script = SIGNALLED.format(at=at, number=int(number), words=[*words, "--home", str(tmp_path / "home")])
    done = run("-I", "-c", script)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def test_ctrl_c_while_a_short_command_is_loaded_is_no_traceback(tmp_path: Path) -> None:
    words = ["task", "list", "--home", str(tmp_path)]
    done = run("-I", "-c", SIGNALLED.format(at="codeg.cli.commands", number=int(signal.SIGINT), words=words))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def with_a_title(home: Path) -> None:
    record = SessionRecord("s-1", "root", "/w/漢", "ended", 1, 1, "s-1", agent_type="demo", title=TITLE)
    with Store.open(str(home / "data" / "codeg.db")) as store:
        store.commit([SaveSession(record)])


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", [("sessions",), ("sessions", "--json"), ("run", "help"), ("--version",)])
def test_a_closed_descriptor_is_as_good_as_the_null_device(tmp_path: Path, words: tuple[str, ...], closed: str) -> None:
    with_a_title(tmp_path)
    command = [
        sys.executable,
        "-I",
        "-m",
        "codeg.cli",
        *words,
        *(() if words == ("--version",) else ("--home", str(tmp_path))),
    ]
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *command], capture_output=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert bool(done.stdout) == (">&-" not in closed.replace("2>&-", ""))


@pytest.mark.parametrize("words", [(), ("--json",)])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_text_that_the_locale_has_no_letters_for_is_shown_all_the_same(
    tmp_path: Path, encoding: str, words: tuple[str, ...]
) -> None:
    with_a_title(tmp_path)
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": encoding}
    env["PYTHONPATH"] = str(Path(__file__).resolve().parents[2])
    done = run("-m", "codeg.cli", "sessions", *words, "--home", str(tmp_path), env=env, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    if words:
        assert json.loads(done.stdout)[0]["title"] in {TITLE, TITLE.replace("\ud800", "\ufffd")}
    else:
        assert "s-1" in done.stdout
        assert ("Größe" in done.stdout) == (encoding != "ascii")


def test_an_output_that_is_closed_early_is_no_error_message(tmp_path: Path) -> None:
    command = f"{sys.executable} -I -m codeg.cli --help | true"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, timeout=30, check=False)
    assert done.stderr == b""
