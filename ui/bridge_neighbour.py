"""The host that runs already: is it a desktop, how many tasks run in it, and the wish that it ends.

Owns the blocking requests on a worker thread of the host's loop. Never starts or signals a process.
"""

from dataclasses import dataclass
from functools import partial

import anyio.to_thread

from codeg.api import HostUnavailable, OperatorClient, UserError

_PAGE = 200


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another host of this home. `raised`: it has a window and showed it; `tasks`: those that run or wait in it."""

    pid: int
    raised: bool = False
    tasks: int = 0


async def ask_to_raise(home: str | None) -> Neighbour | None:
    """Show its window, if it has one. None = nobody answers: it is just beginning, or ending."""
    return await anyio.to_thread.run_sync(partial(_raised, home), abandon_on_cancel=True)


async def ask_to_stop(home: str | None) -> None:
    """It shall end; one that does not answer is gone soon or already."""
    await anyio.to_thread.run_sync(partial(_stopped, home), abandon_on_cancel=True)


def _raised(home: str | None) -> Neighbour | None:
    client = OperatorClient(home)
    try:
        told = client.request("raise")
        tasks = 0
        if not told["raised"]:
            reports = client.request("tasks", limit=_PAGE)
            tasks = sum(1 for report in reports if report["status"] in {"queued", "running"})
    except (HostUnavailable, UserError):
        return None
    return Neighbour(int(told["pid"]), bool(told["raised"]), tasks)


def _stopped(home: str | None) -> None:
    try:
        OperatorClient(home).request("stop")
    except (HostUnavailable, UserError):
        return
