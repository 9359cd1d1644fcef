"""Work that is done once, however many ask for it: the end of a process, above all.

Owns the shield around it: who begins it may be cancelled, the work goes on to its end.
"""

from collections.abc import Awaitable, Callable

import anyio


class Once:
    """The first call does the work; the others wait until it is done."""

    def __init__(self) -> None:
        self._begun = False
        self._done = anyio.Event()

    async def do(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do it, or wait for who does. What it raises reaches the first caller alone."""
        with anyio.CancelScope(shield=True):
            if self._begun:
                await self._done.wait()
                return
            self._begun = True
            try:
                await work()
            finally:
                self._done.set()
