"""One change of host programs' files at a time: two `codeg mcp` at once take turns, so that each sees the other's work.

Owns a lock on the person's home folder itself, held for the length of a change; leaves no file behind, and ends with
the process at the latest. Other programs do not know of it: against them stands the look at the file before it is
replaced.
"""

import contextlib
import os
import sys
from collections.abc import AsyncGenerator

import anyio

from codeg.runtime.services import UserError

if sys.platform != "win32":
    import fcntl

TURN_S = 75.0
"""Seconds to wait for one's turn: above the longest change, a host program's own command (60 s)."""
_LOOK_S = 0.05


@contextlib.asynccontextmanager
async def alone(home: str, seconds: float = TURN_S) -> AsyncGenerator[None]:
    """Hold the turn. Where folders cannot be locked (Windows, some network file systems) nobody waits.

    Raises:
        UserError: another change did not end within `seconds`.
    """
    try:
        folder = None if sys.platform == "win32" else os.open(home, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        folder = None
    if folder is None:
        yield
        return
    try:
        await _turn(folder, seconds)
        yield
    finally:
        os.close(folder)


async def _turn(folder: int, seconds: float) -> None:
    with anyio.move_on_after(seconds):
        while not _locked(folder):  # noqa: ASYNC110  # the system tells nobody when a lock is free
            await anyio.sleep(_LOOK_S)
        return
    raise UserError("busy", "Another `codeg mcp` is at work and does not end; nothing was written, try again.")


def _locked(folder: int) -> bool:
    """We hold it now, or nobody can."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
