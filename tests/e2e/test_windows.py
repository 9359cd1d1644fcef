"""The desktop in real windows: `tests/e2e/windowed` in a process of its own, on an X screen that nobody else uses.

Skipped, with the reason, where Xvfb or xdotool is missing.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCREEN = "-screen 0 1600x1000x24"
LONGEST_S = 300
LACKING = [name for name in ("Xvfb", "xvfb-run", "xauth", "xdotool") if shutil.which(name) is None]


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.timeout(LONGEST_S + 30)
@pytest.mark.skipif(bool(LACKING), reason=f"real windows need {', '.join(LACKING)}")
def test_the_desktop_in_real_windows(capsys: pytest.CaptureFixture[str]) -> None:
    env = {**os.environ, "QT_QPA_PLATFORM": "xcb"}
    for name in ("WAYLAND_DISPLAY", "QT_SCALE_FACTOR", "PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST"):
        env.pop(name, None)
    command = [sys.executable, "-m", "pytest", "tests/e2e/windowed", "-q", "-p", "no:cacheprovider", "--color=no"]
    done = subprocess.run(
        ["xvfb-run", "-a", "-s", SCREEN, *command],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    with capsys.disabled():
        print(f"\nin real windows: {done.stdout.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stdout[-20_000:]
