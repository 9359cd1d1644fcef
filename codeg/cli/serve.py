"""`codeg serve`: the host without a window.

Owns the process: one JSON line when it accepts connections, a clean end on SIGINT and SIGTERM (exit 0, 8 s at most).
"""

import json
import os
import sys

import anyio

from codeg import api
from codeg.cli import signals


def serve(home: str | None) -> int:
    """Run the host until it is told to stop; the exit code."""
    return anyio.run(_serve, home)


async def _serve(home: str | None) -> int:
    with signals.received() as told:
        async with api.open_host(api.HostSettings(home=home)) as host, anyio.create_task_group() as group:
            ready = {"event": "ready", "socket": host.socket, "pid": os.getpid(), "version": api.VERSION}
            sys.stdout.write(json.dumps(ready) + "\n")
            sys.stdout.flush()

            async def on_signal() -> None:
                async for _ in told:
                    group.cancel_scope.cancel()

            group.start_soon(on_signal)
            await host.wait_stopped()
            group.cancel_scope.cancel()
    return 0
