"""Agents that misbehave, and the eyes to watch them: real processes, told apart by a RUN_ID in their environment.

`agent(name)` is the command of a script of this folder; `living(run_id)` is who of that run still lives.
"""

import os
import sys
import uuid
from collections.abc import Callable
from typing import Any

import anyio

from codeg.keeper import linux

FOLDER = os.path.dirname(os.path.abspath(__file__))
PATIENCE = 20.0
"""Seconds that any one wait may take on a loaded machine; never asserted as a speed."""


def agent(name: str, *arguments: str) -> list[str]:
    return [sys.executable, "-I", "-S", os.path.join(FOLDER, f"{name}.py"), *arguments]


def new_run() -> dict[str, str]:
    """An environment that marks every process of one test."""
    return {"RUN_ID": uuid.uuid4().hex, "PATH": "/usr/bin:/bin"}


def living(env: dict[str, str]) -> set[int]:
    return {
        pid
        for pid, process in linux.everyone().items()
        if not process.ended and linux.environment_value(pid, "RUN_ID") == env["RUN_ID"]
    }


def runs(pid: int, start: int) -> bool:
    now = linux.read(pid)
    return now is not None and now.start == start and not now.ended


async def eventually(condition: Callable[[], Any], what: str) -> Any:
    """Poll until the condition is truthy; the loop goes on meanwhile."""
    with anyio.move_on_after(PATIENCE):
        while not (value := condition()):  # noqa: ASYNC110  # other processes give no event
            await anyio.sleep(0.01)
        return value
    raise AssertionError(f"never happened: {what}")
