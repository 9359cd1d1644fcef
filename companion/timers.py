"""What falls due when: one heap for the loop, and callbacks for the next turn.

Owns order and cancelling; never reads the clock (the caller says what time it is, in seconds of any steady clock). A
callback runs at most once. A cancelled timer neither wakes the loop nor piles up.
"""

from __future__ import annotations

try:
    from _heapq import heapify, heappop, heappush  # the C module alone
except ImportError:
    from heapq import heapify, heappop, heappush

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Timer:
    """One callback that is due. `cancel` may come at any time, also after it has run."""

    __slots__ = ("call", "due", "order")

    def __init__(self, due: float, order: int, call: Callable[[], Any]) -> None:
        self.due = due
        self.order = order
        self.call: Callable[[], Any] | None = call

    def __lt__(self, other: Timer) -> bool:
        return (self.due, self.order) < (other.due, other.order)

    def cancel(self) -> None:
        """It will not run."""
        self.call = None


class Timers:
    """The timers of one loop."""

    __slots__ = ("_heap", "_order", "_soon", "now")

    def __init__(self, now: float) -> None:
        self.now = now
        self._heap: list[Timer] = []
        self._soon: list[Callable[[], Any]] = []
        self._order = 0

    def after(self, seconds: float, call: Callable[[], Any]) -> Timer:
        """Runs `call` once `seconds` have gone by."""
        return self.at(self.now + seconds, call)

    def at(self, due: float, call: Callable[[], Any]) -> Timer:
        """Runs `call` once the clock has reached `due`."""
        self._order += 1
        timer = Timer(due, self._order, call)
        heappush(self._heap, timer)
        return timer

    def soon(self, call: Callable[[], Any]) -> None:
        """Runs `call` in the next turn of the loop."""
        self._soon.append(call)

    def wait_s(self) -> float | None:
        """How long nothing is due: 0 = something is, None = nothing ever."""
        if self._soon:
            return 0
        heap = self._heap
        while heap and heap[0].call is None:
            heappop(heap)
        return max(0.0, heap[0].due - self.now) if heap else None

    def run(self, now: float) -> None:
        """Runs what is due; what these callbacks add for this moment runs in the next turn."""
        self.now = now
        soon, self._soon = self._soon, []
        for call in soon:
            call()
        heap = self._heap
        due: list[Timer] = []
        while heap and (heap[0].call is None or heap[0].due <= now):
            due.append(heappop(heap))
        for timer in due:
            call, timer.call = timer.call, None
            if call is not None:
                call()
        if len(heap) > 1024 and sum(timer.call is None for timer in heap) > len(heap) // 2:
            self._heap = [timer for timer in heap if timer.call is not None]
            heapify(self._heap)
