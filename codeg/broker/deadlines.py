"""Moments at which the ledger has something to do, one per key.

Owns a heap with lazy deletion (a moved or cleared moment stays in it, dead, until it comes up or the dead outnumber the
living). Never reads a clock. Ends with the ledger.
"""

import heapq

Key = tuple[str, int | str]
"""What the moment is for: a kind and the number or id it belongs to."""

_SLACK = 64


class Deadlines:
    """Monotonic seconds, one a key. Setting and clearing cost O(log n)."""

    def __init__(self) -> None:
        self._live: dict[Key, tuple[float, int]] = {}
        self._heap: list[tuple[float, int, Key]] = []
        self._count = 0

    def __len__(self) -> int:
        return len(self._live)

    @property
    def held(self) -> int:
        """Entries of the heap, dead ones included; at most twice the living and 64."""
        return len(self._heap)

    def set(self, key: Key, mono: float) -> None:
        """The moment of `key` is this one from now on."""
        self._count += 1
        self._live[key] = (mono, self._count)
        heapq.heappush(self._heap, (mono, self._count, key))
        self._compact()

    def clear(self, key: Key) -> None:
        """`key` has no moment any more; an unknown one does nothing."""
        if self._live.pop(key, None) is not None:
            self._compact()

    def next(self) -> float | None:
        """The earliest moment, None when there is none."""
        self._drop_dead()
        return self._heap[0][0] if self._heap else None

    def pop_due(self, mono: float) -> Key | None:
        """Take out one key whose moment has come, the earliest first."""
        self._drop_dead()
        if not self._heap or self._heap[0][0] > mono:
            return None
        key = heapq.heappop(self._heap)[2]
        del self._live[key]
        return key

    def _drop_dead(self) -> None:
        while self._heap and self._live.get(self._heap[0][2]) != self._heap[0][:2]:
            heapq.heappop(self._heap)

    def _compact(self) -> None:
        if len(self._heap) > 2 * len(self._live) + _SLACK:
            self._heap = [(mono, count, key) for key, (mono, count) in self._live.items()]
            heapq.heapify(self._heap)
