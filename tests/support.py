"""Bounded waiting for tests that drive real processes."""

import os
import select
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 20.0
"""Seconds that any one wait may take on a loaded machine; never asserted as a speed."""


def until(condition: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """Poll until the condition is truthy and return its value; fails with `what` at the deadline."""
    deadline = time.monotonic() + patience
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"never happened: {what}")
        time.sleep(0.02)


class Lines:
    """Lines of a pipe, read with a deadline."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._held = b""

    @property
    def held(self) -> bytes:
        """What was read behind the last line given."""
        return self._held

    def next(self, patience: float = PATIENCE) -> bytes | None:
        """The next line without its end; None at end of file."""
        deadline = time.monotonic() + patience
        while b"\n" not in self._held:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._descriptor], [], [], left)[0]:
                raise AssertionError(f"no line within {patience} s; held {self._held[:200]!r}")
            data = os.read(self._descriptor, 65_536)
            if not data:
                return None
            self._held += data
        line, self._held = self._held.split(b"\n", 1)
        return line
