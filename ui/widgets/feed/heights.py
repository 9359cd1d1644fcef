"""Heights of many rows: sums and searches in the logarithm of their number (a Fenwick tree).

Pure.
"""

from collections.abc import Iterable, Sequence


class Heights:
    """Whole numbers of px."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights: list[int] = list(heights)
        self._tree: list[int] = []
        self._rebuild()

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, number: int) -> int:
        return self._heights[number]

    @property
    def total(self) -> int:
        """Sum of all."""
        return self.before(len(self._heights))

    def before(self, number: int) -> int:
        """Sum of the rows before this one: where it begins."""
        found = 0
        while number > 0:
            found += self._tree[number]
            number -= number & -number
        return found

    def at(self, offset: int) -> int:
        """The row in which an offset lies; the last one beyond the end, 0 before the beginning."""
        position, left = 0, max(0, offset)
        step = 1 << max(0, len(self._heights).bit_length() - 1)
        while step:
            ahead = position + step
            if ahead <= len(self._heights) and self._tree[ahead] <= left:
                position = ahead
                left -= self._tree[ahead]
            step >>= 1
        return min(position, max(0, len(self._heights) - 1))

    def set(self, number: int, height: int) -> int:
        """Change one; the difference."""
        change = height - self._heights[number]
        if change:
            self._heights[number] = height
            at = number + 1
            while at <= len(self._heights):
                self._tree[at] += change
                at += at & -at
        return change

    def insert(self, number: int, heights: Sequence[int]) -> None:
        """More rows from this place on; at the end this costs their number only."""
        if number == len(self._heights):
            for height in heights:
                self._append(height)
            return
        self._heights[number:number] = heights
        self._rebuild()

    def remove(self, number: int, count: int) -> None:
        """Fewer rows."""
        del self._heights[number : number + count]
        self._rebuild()

    def _append(self, height: int) -> None:
        self._heights.append(height)
        at = len(self._heights)
        low = at - (at & -at)
        self._tree.append(height + self.before(at - 1) - self.before(low))

    def _rebuild(self) -> None:
        self._tree = [0, *self._heights]
        for at in range(1, len(self._tree)):
            above = at + (at & -at)
            if above < len(self._tree):
                self._tree[above] += self._tree[at]
