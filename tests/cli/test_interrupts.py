"""Ctrl-C in each stage of a run."""

import subprocess
import sys

import pytest

from codeg.cli.interrupts import Interrupts


def test_the_first_one_of_each_stage_does_what_the_stage_says() -> None:
    done: list[str] = []
    interrupts = Interrupts(lambda: done.append("opening"))
    interrupts.act()
    interrupts.then(lambda: done.append("running"))
    interrupts.act()
    interrupts.then(lambda: done.append("settling"))
    interrupts.act()
    assert done == ["opening", "running", "settling"]


@pytest.mark.parametrize("stage", ["", "interrupts.then(print, lambda: print('tidy', flush=True))"])
def test_a_second_one_in_a_stage_ends_the_process_at_once_with_the_terminal_tidied(stage: str) -> None:
    script = f"""
from codeg.cli.interrupts import Interrupts
interrupts = Interrupts(print)
{stage}
interrupts.act()
interrupts.act()
print("went on", flush=True)
"""
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 1
    assert "went on" not in done.stdout
    assert ("tidy" in done.stdout) == bool(stage)
