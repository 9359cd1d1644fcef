"""What Ctrl-C (and SIGTERM) does at each stage of `codeg run`.

Owns the rule: the first one does what the stage says, the next one in that stage ends the process at once (the keepers
end what runs). Ends by cancellation.
"""

import os
from collections.abc import AsyncIterator, Callable


def _nothing() -> None:
    """There is nothing to tidy up."""


class Interrupts:
    """`act`: what the first one does until `then` says otherwise."""

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = act
        self._tidy = _nothing
        self._acted = False

    def then(self, act: Callable[[], None], tidy: Callable[[], None] = _nothing) -> None:
        """A stage begins. `tidy` is called before the process ends at once: the terminal is the person's."""
        self._act, self._tidy, self._acted = act, tidy, False

    def act(self) -> None:
        """One has come."""
        if self._acted:
            self._tidy()
            os._exit(1)
        self._acted = True
        self._act()

    async def watch(self, told: AsyncIterator[int]) -> None:
        """Act on each."""
        async for _ in told:
            self.act()
