"""`codeg` without a command: the short way to the desktop."""

import subprocess
import sys
from pathlib import Path

import pytest

from codeg.cli.desktop import home_of


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([], (True, None)),
        (["--home", "/h"], (True, "/h")),
        (["--home=/h"], (True, "/h")),
        (["serve"], (False, None)),
        (["--home"], (False, None)),
        (["--home", "--version"], (False, None)),
        (["--version"], (False, None)),
        (["--home", "/h", "serve"], (False, None)),
    ],
)
def test_only_no_command_is_the_desktop(words: list[str], found: "tuple[bool, str | None]") -> None:
    assert home_of(words) == found


def test_a_window_can_stand_before_the_hosts_library_is_loaded() -> None:
    code = (
        "import sys; from codeg.cli.__main__ import main; import codeg.cli.desktop, ui.app, ui.desktop; "
        "print(sorted({'codeg.api', 'anyio', 'pydantic', 'asyncio', 'sqlite3', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_the_grammar_knows_the_short_form_of_home_too(tmp_path: Path) -> None:
    """`--hom DIR` is no form of the short way, but one that the grammar takes."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    command = [sys.executable, "-I", "-m", "codeg.cli", "--hom", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, env=env, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "There is no display" in done.stderr
