"""Lint, format and types hold for the whole tree, tests included."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {
    "lint": ("ruff", "check", "."),
    "format": ("ruff", "format", "--check", "."),
    "types": ("pyright", "--pythonpath", sys.executable),
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("check", COMMANDS)
def test_the_tree_is_clean(check: str) -> None:
    command = [sys.executable, "-m", *COMMANDS[check]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
