"""One real program at work: started in a session of its own, watched to its end, its whole tree looked after.

Owns the reaper that starts it, its output files and its end. Every wait has a deadline.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.realclients.model.dialect import objects
from tests.realclients.model.script import Json
from tests.realclients.model.server import PATIENCE
from tests.realclients.reaper import command_line, descendants
from tests.support import Lines

_REAPER = Path(__file__).with_name("reaper.py")


class Running:
    """A program that runs. `close` must be called; `left` then names what it left behind."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], folder: Path, output: Path) -> None:
        output.mkdir(parents=True, exist_ok=True)
        self._out, self._errors = output / "stdout", output / "stderr"
        reports, report = os.pipe()
        with self._out.open("wb") as out, self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(_REAPER), str(report), *words],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=errors,
                env=dict(environment),
                cwd=folder,
                pass_fds=(report,),
            )
        os.close(report)
        self._reports = reports
        self._lines = Lines(reports)
        self.pid = int(self._report("pid"))
        self.left: list[str] = []
        self._closed = False

    @property
    def stdout(self) -> str:
        return self._out.read_text(encoding="utf-8", errors="replace")

    @property
    def stderr(self) -> str:
        return self._errors.read_text(encoding="utf-8", errors="replace")

    def events(self) -> list[Json]:
        """The JSON objects of its output, one a line."""
        found: list[Json] = []
        for line in self.stdout.splitlines():
            with contextlib.suppress(ValueError):
                found += objects([json.loads(line)])
        return found

    def companions(self) -> list[int]:
        """Pids of the companions below it."""
        return [pid for pid in descendants(self._process.pid) if " companion" in command_line(pid)]

    def kill(self) -> None:
        """Kill all of the program at once, whatever processes it is made of, but not the companions."""
        companions = self.companions()
        for pid in descendants(self._process.pid):
            if pid not in companions:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def signal(self, number: int) -> None:
        """Send a signal to the program's process group, as a terminal does."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"signal {int(number)}\n".encode())
        self._process.stdin.flush()

    def wait(self, patience: float = PATIENCE) -> int:
        """Wait for the end of the program and of its tree; its exit code, negative for a signal."""
        try:
            code = int(self._report("exit", patience))
        except AssertionError:
            said = f"stdout {self.stdout[-2_000:]!r}\nstderr {self.stderr[-2_000:]!r}"
            raise AssertionError(f"it does not end\n{said}") from None
        self.left = [f"{pid} {words}" for pid, words in self._report("left", patience)]
        self.close()
        return code

    def close(self) -> None:
        """End what is still there."""
        if self._closed:
            return
        self._closed = True
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        os.close(self._reports)

    def _report(self, name: str, patience: float = PATIENCE) -> Any:
        deadline = time.monotonic() + patience
        while True:
            line = self._lines.next(max(0.01, deadline - time.monotonic()))
            assert line is not None, f"the reaper ended before it told {name}: {self.stderr[-2_000:]}"
            told = json.loads(line)
            if name in told:
                return told[name]
