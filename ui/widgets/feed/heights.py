"""Heights of all rows of a feed, with the sum above any row and the row at any place in O(log n).

Owns a Fenwick tree. Pure, no Qt. Rows are nearly always added at the end, which is cheap; in the middle the rows after
it are counted again.
"""

from collections.abc import Iterable, Sequence


class Heights:
    """Whole px. Rows are numbered from 0."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights: list[int] = []
        self._tree: list[int] = [0]
        self.replace(heights)

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, row: int) -> int:
        return self._heights[row]

    @property
    def total(self) -> int:
        """Height of all rows."""
        return self.top(len(self._heights))

    def replace(self, heights: Iterable[int]) -> None:
        """Other rows altogether."""
        self._heights = list(heights)
        tree = [0, *self._heights]
        for at in range(1, len(tree)):
            above = at + (at & -at)
            if above < len(tree):
                tree[above] += tree[at]
        self._tree = tree

    def set(self, row: int, height: int) -> None:
        """Another height of a row."""
        change = height - self._heights[row]
        if not change:
            return
        self._heights[row] = height
        at, tree = row + 1, self._tree
        while at < len(tree):
            tree[at] += change
            at += at & -at

    def top(self, row: int) -> int:
        """Sum of the heights above a row."""
        total, tree = 0, self._tree
        while row > 0:
            total += tree[row]
            row &= row - 1
        return total

    def at(self, y: int) -> int:
        """The row that covers `y`; the first or last one beyond the ends."""
        row, step, tree = 0, 1 << len(self._heights).bit_length(), self._tree
        left = y
        while step:
            after = row + step
            if after < len(tree) and tree[after] <= left:
                row, left = after, left - tree[after]
            step >>= 1
        return max(0, min(row, len(self._heights) - 1))

    def insert(self, row: int, heights: Sequence[int]) -> None:
        """New rows before `row`."""
        rest = self._heights[row:]
        self._cut(row)
        for height in (*heights, *rest):
            self._append(height)

    def remove(self, row: int, count: int) -> None:
        """Take rows out."""
        rest = self._heights[row + count :]
        self._cut(row)
        for height in rest:
            self._append(height)

    def _cut(self, row: int) -> None:
        del self._heights[row:]
        del self._tree[row + 1 :]

    def _append(self, height: int) -> None:
        self._heights.append(height)
        at = len(self._heights)
        total, below, stop = height, at - 1, at & (at - 1)
        while below > stop:
            total += self._tree[below]
            below &= below - 1
        self._tree.append(total)
