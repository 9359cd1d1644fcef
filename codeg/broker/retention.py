"""Which ended tasks the ledger keeps in memory.

Owns the order of their ends and the bound. Never holds records and never touches the store: what is let go here is on
disk and comes back by `TasksRecalled`.
"""

from collections import OrderedDict
from collections.abc import Callable

KEEP = 2_000
GRACE_S = 10.0
"""A task that was recalled for a question is not let go before the question can have come."""
MOST = 10 * KEEP
"""Beyond this many the grace is void."""


class Retention:
    """Ids of ended tasks, the one that ended or was recalled longest ago first."""

    def __init__(self, keep: int = KEEP, most: int = MOST) -> None:
        self._keep = keep
        self._most = most
        self._since: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._since)

    def add(self, task_id: str, mono: float) -> None:
        """The task ended, or was recalled, at this moment (monotonic seconds)."""
        self._since.pop(task_id, None)
        self._since[task_id] = mono

    def remove(self, task_id: str) -> None:
        """The task is open again."""
        self._since.pop(task_id, None)

    def surplus(self, mono: float, pinned: Callable[[str], bool]) -> list[str]:
        """Ids to let go now; they are forgotten here.

        A pinned one counts as the newest and is asked about again later.
        """
        let_go: list[str] = []
        for _ in range(len(self._since) - self._keep):
            task_id, since = next(iter(self._since.items()))
            if since > mono - GRACE_S and len(self._since) <= self._most:
                break
            del self._since[task_id]
            if pinned(task_id):
                self._since[task_id] = mono
            else:
                let_go.append(task_id)
        return let_go
