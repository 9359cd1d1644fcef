"""`codeg serve`: the host without a window.

Owns the process: one JSON line when it accepts connections, a clean end on SIGINT and SIGTERM (exit 0, 8 s at most),
before that line as well.
"""

import os
import sys
from collections.abc import AsyncIterator

import anyio

from codeg import api
from codeg.cli import output, signals


def serve(home: str | None) -> int:
    """Run the host until it is told to stop; the exit code."""
    return anyio.run(_serve, home)


async def _serve(home: str | None) -> int:
    with signals.received() as told:
        async with anyio.create_task_group() as group:
            group.start_soon(_end, told, group.cancel_scope)
            async with api.open_host(api.HostSettings(home=home)) as host:
                output.as_json({"event": "ready", "socket": host.socket, "pid": os.getpid(), "version": api.VERSION})
                sys.stdout.flush()
                await host.wait_stopped()
            group.cancel_scope.cancel()
    return 0


async def _end(told: AsyncIterator[int], scope: anyio.CancelScope) -> None:
    """The first signal ends the host in order, wherever it stands; further ones change nothing."""
    async for _ in told:
        scope.cancel()
