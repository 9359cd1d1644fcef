"""Fractional scales: pictures have the device's pixels, no button is cut, the person's own Qt settings win (B43)."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]


def at(scale: str, **more: str) -> dict[str, Any]:
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale, **more}
    done = subprocess.run(
        [sys.executable, "-m", "tests.ui.workspace.scaled"],
        cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("scale", ["1", "1.25", "1.5", "2"])
def test_every_page_has_the_pixels_of_its_scale_and_no_button_is_cut(scale: str) -> None:
    found = at(scale)
    assert found["cut"] == []
    for page in ("conversation", "inbox", "board", "settings"):
        shown = found[page]
        assert shown["ratio"] == pytest.approx(float(scale))
        assert shown["width"] == pytest.approx(shown["asked"] * float(scale), abs=2)


def test_the_persons_own_rounding_policy_wins() -> None:
    assert at("1.5", QT_SCALE_FACTOR_ROUNDING_POLICY="Floor")["rounding"] == "Floor"
