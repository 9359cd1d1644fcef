"""Result texts of ended tasks in memory: UTF-8 bytes, bounded per task, per parent and over all, oldest out first.

Owns a cache only: the store is the source. Ends with the host. Sizes in bytes (contract 6, Result text; figures in
P10 and P12).
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from codeg.runtime.services import DatabasePort, Slice

PER_TASK = 256 * 1024
"""Bytes kept of one text; what lies behind is read from the store."""
OVERALL = 64 * 1024 * 1024
"""Bytes kept over all parents, so that ten thousand long results do not fill the memory."""


class _OfParent:
    """Order and total of one parent's texts."""

    __slots__ = ("order", "total")

    def __init__(self) -> None:
        self.order: deque[tuple[str, int]] = deque()
        self.total = 0


class ResultCache:
    """`per_parent`: bytes one parent may hold at this moment (the setting `result_cache_mb`)."""

    def __init__(self, database: DatabasePort, per_parent: Callable[[], int], overall: int = OVERALL) -> None:
        self._database = database
        self._per_parent = per_parent
        self._overall = overall
        self._held: dict[str, tuple[int, str, bytes, bool]] = {}
        """Task id: serial, parent, text (or its beginning), whole."""
        self._order: deque[tuple[str, int]] = deque()
        self._parents: dict[str, _OfParent] = {}
        self._serial = 0
        self.total = 0

    def put(self, task_id: str, parent_id: str, text: bytes) -> None:
        """Keep (or replace) the text of a task; older ones make room. An empty text costs nothing: nobody reads it."""
        self._drop(task_id)
        if not text:
            return
        self._serial += 1
        kept = text[:PER_TASK]
        key = (task_id, self._serial)
        of_parent = self._parents.setdefault(parent_id, _OfParent())
        self._held[task_id] = (self._serial, parent_id, kept, len(kept) == len(text))
        self._order.append(key)
        of_parent.order.append(key)
        of_parent.total += len(kept)
        self.total += len(kept)
        while self.total > self._overall and len(self._held) > 1:
            self._drop_oldest(self._order)
        limit = self._per_parent()
        while of_parent.total > limit and len(of_parent.order) > 1:
            self._drop_oldest(of_parent.order)
        self._forget_stale(self._order)
        self._forget_stale(of_parent.order)

    def forget(self, parent_ids: Iterable[str]) -> None:
        """The tasks of these parents are gone for good."""
        for parent_id in parent_ids:
            of_parent = self._parents.get(parent_id)
            for task_id, _ in tuple(of_parent.order) if of_parent is not None else ():
                held = self._held.get(task_id)
                if held is not None and held[1] == parent_id:
                    self._drop(task_id)

    async def read(self, task_id: str, offset: int, limit: int) -> bytes:
        """A slice of the text; empty beyond its end or when there is none."""
        return (await self.read_many(((task_id, offset, limit),)))[0]

    async def read_many(self, wanted: Sequence[Slice]) -> list[bytes]:
        """Slices in the asked order; those that are not held cost one turn of the database together."""
        found = [self._from_memory(*each) for each in wanted]
        missing = [each for each, data in zip(wanted, found, strict=True) if data is None]
        if not missing:
            return [data or b"" for data in found]
        read = iter(await self._database.run(lambda store: [store.result(*each) for each in missing]))
        return [next(read) if data is None else data for data in found]

    def _from_memory(self, task_id: str, offset: int, limit: int) -> bytes | None:
        held = self._held.get(task_id)
        if held is None:
            return None
        _, _, kept, whole = held
        return kept[offset : offset + limit] if whole or offset + limit <= len(kept) else None

    def _drop_oldest(self, order: deque[tuple[str, int]]) -> None:
        task_id, serial = order.popleft()
        held = self._held.get(task_id)
        if held is not None and held[0] == serial:
            self._drop(task_id)

    def _drop(self, task_id: str) -> None:
        held = self._held.pop(task_id, None)
        if held is None:
            return
        _, parent_id, kept, _ = held
        self.total -= len(kept)
        of_parent = self._parents[parent_id]
        of_parent.total -= len(kept)
        if of_parent.total == 0:
            del self._parents[parent_id]

    def _live(self, key: tuple[str, int]) -> bool:
        held = self._held.get(key[0])
        return held is not None and held[0] == key[1]

    def _forget_stale(self, order: deque[tuple[str, int]]) -> None:
        while order and not self._live(order[0]):
            order.popleft()
