"""Work that is dropped when its peer goes.

Owns the tie between one connection and one cancel scope. An answer that is there already still goes first (contract 5).
"""

import asyncio

import anyio


class Scoped:
    """Keeps `exchange.Pending`."""

    def __init__(self, scope: anyio.CancelScope) -> None:
        self._scope = scope

    def ended(self) -> None:
        """A half-close counts as a close for what waits."""
        # Work that has its result was woken before this and gets to answer first.
        asyncio.get_running_loop().call_soon(self._scope.cancel)

    def lost(self) -> None:
        """Nobody waits any more."""
        self.ended()
