"""What is shown of a conversation, in order: one item for each entry, and between them tasks, notes and question sets.

Owns the order: entries by their number whatever their clocks say, the others at their time. Pure, no Qt. A change at
the end costs nothing that grows with the conversation but the search of a place.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from ui.viewmodels.transcript.reading import Part


class Key(NamedTuple):
    """The place of an item: its time, then entries before all others, then its number or name."""

    ms: int
    rank: int
    seq: int
    name: str


class Item(NamedTuple):
    """A part at its place."""

    key: Key
    part: Part


class Items:
    """Keys and items side by side, sorted."""

    def __init__(self) -> None:
        self.keys: list[Key] = []
        self.items: list[Item] = []
        self._seqs: list[int] = []
        self._times: list[int] = []
        self._told: list[int] = []
        self._extras: dict[str, Key] = {}

    def __len__(self) -> int:
        return len(self.items)

    # ---- entries

    @property
    def last_seq(self) -> int:
        """Number of the last entry, -1 = there is none."""
        return self._seqs[-1] if self._seqs else -1

    def knows(self, seq: int) -> bool:
        """An entry of this number was placed, shown or not."""
        return self._find(seq) is not None

    def place(self, seq: int, created_ms: int) -> Key:
        """The place of an entry; a new one gets its own, never before those of lower numbers."""
        at = self._find(seq)
        if at is None:
            at = bisect_left(self._seqs, seq)
            ms = max(created_ms, self._times[at - 1]) if at else created_ms
            if at < len(self._times):
                ms = min(ms, self._times[at])
            self._seqs.insert(at, seq)
            self._times.insert(at, ms)
            self._told.insert(at, created_ms)
        return Key(self._times[at], 0, seq, "")

    def key_of(self, seq: int) -> Key | None:
        """The place of a known entry."""
        at = self._find(seq)
        return None if at is None else Key(self._times[at], 0, seq, "")

    def key_before(self, seq: int) -> Key | None:
        """The place of the entry before this one."""
        at = bisect_left(self._seqs, seq)
        return Key(self._times[at - 1], 0, self._seqs[at - 1], "") if at else None

    def ms_between(self, seq: int) -> int | None:
        """Milliseconds from this entry to the next; None = it is the last."""
        at = self._find(seq)
        if at is None or at + 1 >= len(self._seqs):
            return None
        return max(0, self._told[at + 1] - self._told[at])

    def _find(self, seq: int) -> int | None:
        at = seq - self._seqs[0] if self._seqs else 0
        if 0 <= at < len(self._seqs) and self._seqs[at] == seq:
            return at
        at = bisect_left(self._seqs, seq)
        return at if at < len(self._seqs) and self._seqs[at] == seq else None

    # ---- the others

    def named(self, kind: str) -> tuple[Key, ...]:
        """The places of those whose names begin so."""
        return tuple(key for name, key in self._extras.items() if name.startswith(kind))

    def name(self, name: str, ms: int) -> Key:
        """Give it a place, or the one that it has."""
        return self._extras.setdefault(name, Key(ms, 1, 0, name))

    def forget(self, name: str) -> None:
        """It has no place any more."""
        self._extras.pop(name, None)

    # ---- all

    def index(self, key: Key) -> int:
        """Where the item of this place stands, or would."""
        if self.keys and key > self.keys[-1]:
            return len(self.keys)
        return bisect_left(self.keys, key)

    def holds(self, at: int, key: Key) -> bool:
        """The item of this place is there."""
        return at < len(self.keys) and self.keys[at] == key

    def insert(self, at: int, items: Iterable[Item]) -> int:
        """Put items in; how many."""
        new = list(items)
        self.keys[at:at] = [item.key for item in new]
        self.items[at:at] = new
        return len(new)

    def put(self, at: int, item: Item) -> None:
        """Replace one."""
        self.items[at] = item

    def drop(self, at: int) -> None:
        """Take one out."""
        del self.keys[at], self.items[at]
