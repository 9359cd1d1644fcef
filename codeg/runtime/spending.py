"""What agents spent: a row for each turn of a root and each attempt of a task, and the sum of the present day.

Owns who is told of the sum; the store keeps the rows and adds them up. Ends by cancellation.
"""

from collections.abc import Callable
from datetime import datetime

import anyio

from codeg.runtime.services import DatabasePort
from codeg.runtime.snapshots import DayUsageChanged, Snapshots
from codeg.sessions.types import TurnUsage
from codeg.store.records import DayUsage, SaveSpent

GATHER_S = 0.5
"""Seconds for which turns that end are gathered before the sum is told."""


def midnight_ms(now_ms: int) -> int:
    """The latest local midnight, in epoch milliseconds."""
    # Naive on purpose: the day of the person at this machine, whatever its clock does at night.
    now = datetime.fromtimestamp(now_ms / 1000)  # noqa: DTZ006  # see above
    return int(now.replace(hour=0, minute=0, second=0, microsecond=0).timestamp() * 1000)


class Spending:
    """One for all sessions of the host; calls belong to the event loop's thread."""

    def __init__(
        self, database: DatabasePort, snapshots: Snapshots, wall_ms: Callable[[], int], gather_s: float = GATHER_S
    ) -> None:
        self._database = database
        self._snapshots = snapshots
        self._wall_ms = wall_ms
        self._gather_s = gather_s
        self._moved = anyio.Event()

    def turn_over(self, session_id: str, usage: TurnUsage) -> None:
        """A turn of the session ended, well or not, with this usage. Nothing reported: nothing is written."""
        told = [count for count in (usage.input_tokens, usage.output_tokens) if count is not None]
        total = usage.cost_amount if usage.cost_currency else None
        if not told and total is None:
            return
        currency = usage.cost_currency if total is not None and usage.cost_currency else ""
        tokens = sum(told) if told else None
        self._database.write([SaveSpent(session_id, self._wall_ms(), tokens, total, currency)])
        self._moved.set()

    async def today(self) -> DayUsage:
        """The sum since local midnight."""
        since = midnight_ms(self._wall_ms())
        return await self._database.run(lambda store: store.spent_since(since))

    async def run(self) -> None:
        """Tell the sum when it moved, for ever; no wake-up while nothing does."""
        while True:
            await self._moved.wait()
            await anyio.sleep(self._gather_s)
            self._moved = anyio.Event()
            self._snapshots.tell(DayUsageChanged(await self.today()))
