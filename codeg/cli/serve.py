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
        stop = _Stop()
        async with anyio.create_task_group() as watch:
            watch.start_soon(stop.on_signals, told)
            with stop.opening:
                async with api.open_host(api.HostSettings(home=home)) as host, anyio.create_task_group() as group:
                    stop.end = group.cancel_scope
                    if not stop.asked:
                        output.as_json(
                            {"event": "ready", "socket": host.socket, "pid": os.getpid(), "version": api.VERSION}
                        )
                        sys.stdout.flush()
                        await host.wait_stopped()
                    group.cancel_scope.cancel()
            watch.cancel_scope.cancel()
    return 0


class _Stop:
    """What a signal ends: the opening of the host; once that is open, the wait, so that it closes in order."""

    def __init__(self) -> None:
        self.opening = anyio.CancelScope()
        self.end: anyio.CancelScope | None = None
        self.asked = False

    async def on_signals(self, told: AsyncIterator[int]) -> None:
        """Act on the first; further ones change nothing."""
        async for _ in told:
            self.asked = True
            (self.end or self.opening).cancel()
