"""Where the rows of a feed lie: which are seen, how high they are, what stays in place when something changes.

Owns the heights of all rows, the views of those that are seen, and the anchor: one row whose place in the window is
kept while heights above or below it change. At the end the feed is pinned: the last row keeps its place instead.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from ui.viewmodels.rows import Row, UserRow
from ui.viewmodels.transcript import Transcript
from ui.widgets.feed.context import FeedContext
from ui.widgets.feed.estimates import Shape, badge_above, estimate_all, estimated, gap_above, shape_of, task_shape
from ui.widgets.feed.geometry import geometry
from ui.widgets.feed.heights import Heights
from ui.widgets.feed.pool import Pool
from ui.widgets.feed.row_view import RowView, Stand

_ROUNDS = 4


@dataclass(slots=True)
class Held:
    """A view and the row that it shows. `height`: its own, at `width`; -1 = ask again."""

    kind: type[Row]
    view: RowView
    row: Row
    width: int = -1
    height: int = -1


@dataclass(frozen=True, slots=True)
class Spot:
    """A row as it lies in the window. `top`: of the row with its gap; `view_top`, `view_height`: of its view."""

    number: int
    key: str
    view: RowView
    top: int
    height: int
    view_top: int
    view_height: int
    shape: Shape


class FeedLayout:
    """All of it in whole px from the top of the window."""

    def __init__(self, ground: QWidget, ctx: FeedContext, greet: Callable[[RowView], None]) -> None:
        self._ctx = ctx
        self._ground = ground
        self._pool = Pool(ground, greet)
        self._model: Transcript | None = None
        self._shapes: list[Shape] = []
        self._held: dict[str, Held] = {}
        self._anchor = (0, 0)
        self.heights = Heights()
        self.place = geometry(1, ctx.depth)
        self.spots: list[Spot] = []
        self.pinned = True
        self.offset = 0

    # ---- rows come and go

    def __len__(self) -> int:
        return len(self._shapes)

    @property
    def total(self) -> int:
        """Height of everything."""
        return self.heights.total + self.place.bottom if self._shapes else 0

    def set_model(self, model: Transcript | None) -> None:
        """Other rows altogether."""
        self.release()
        self._model = model
        count = model.rowCount() if model is not None else 0
        self._shapes = [self._shape_of(model.row_at(at), at) for at in range(count)] if model is not None else []
        self._estimate()
        self.pinned = True

    def release(self) -> None:
        """All views rest."""
        for held in self._held.values():
            self._pool.give_back(held.kind, held.view)
        self._held.clear()
        self.spots = []

    def inserted(self, first: int, count: int) -> None:
        """Rows came in."""
        assert self._model is not None, "only a model tells rows"
        numbers = range(first, first + count)
        self._shapes[first:first] = [self._shape_of(self._model.row_at(at), at) for at in numbers]
        self.heights.insert(first, [self._estimate_of(first + at) for at in range(count)])
        self._regap(first + count)
        row, y = self._anchor
        if first <= row and not (first == row and row == len(self._shapes) - count):
            self._anchor = (row + count, y)

    def removed(self, first: int, count: int) -> None:
        """Rows went away."""
        del self._shapes[first : first + count]
        self.heights.remove(first, count)
        self._regap(first)
        row, y = self._anchor
        if row >= first + count:
            self._anchor = (row - count, y)
        elif row >= first:
            self._anchor = (max(0, first), y)

    def changed(self, first: int, last: int) -> None:
        """Rows were replaced by newer ones of the same keys."""
        assert self._model is not None, "only a model tells rows"
        for number in range(first, last + 1):
            row = self._model.row_at(number)
            shape = self._shape_of(row, number)
            if shape == self._shapes[number]:
                continue
            self._shapes[number] = shape
            if row.key not in self._held:
                self.heights.set(number, self._estimate_of(number))

    def _shape_of(self, row: Row, number: int) -> Shape:
        is_task = self.place.depth > 0 and number == 0 and isinstance(row, UserRow)
        return task_shape() if is_task else shape_of(row)

    def _regap(self, number: int) -> None:
        """The row before `number` is another one."""
        if number < len(self._shapes):
            self.heights.set(number, self._estimate_of(number))

    def _estimate_of(self, number: int) -> int:
        shape = self._shapes[number]
        return self._above(number) + estimated(shape, self.place.width)

    def _above(self, number: int) -> int:
        before = self._shapes[number - 1] if number else None
        shape = self._shapes[number]
        return gap_above(before, shape, self.place) + badge_above(shape, self.place)

    def _estimate(self) -> None:
        self.heights.replace(estimate_all(self._shapes, self.place))

    # ---- size

    def set_width(self, width: int, *, again: bool = False) -> None:
        """The feed's width changed, or with `again` the sizes of the theme."""
        place = geometry(width, self._ctx.depth)
        if place == self.place and not again:
            return
        self.place = place
        self._estimate()
        for held in self._held.values():
            held.height = -1

    def forget_height(self, view: RowView) -> None:
        """A view says that its height changed."""
        for held in self._held.values():
            if held.view is view:
                held.height = -1

    # ---- moving

    def follow(self) -> None:
        """Stay at the end."""
        self.pinned = True

    def move_to(self, offset: int, window: int) -> None:
        """Scroll so that the top of the window is at `offset`."""
        moved = offset - self.offset
        self.pinned = offset >= self.total - window
        number, y = self._anchor
        if abs(moved) < window and -window < y - moved < window:
            self._anchor = (number, y - moved)
            return
        number = self.heights.at(offset)
        self._anchor = (number, self.heights.top(number) - offset)

    def move_row(self, number: int, y: int) -> None:
        """Put a row's top at `y` of the window."""
        self.pinned = False
        self._anchor = (number, y)

    def hold(self, view: RowView) -> None:
        """Keep the place of this view in the next layout."""
        for spot in self.spots:
            if spot.view is view:
                self.move_row(spot.number, spot.top)

    @property
    def anchor(self) -> tuple[str, int] | None:
        """Key and place of the row that is kept; None = the end is."""
        if self.pinned or self._model is None or not self._shapes:
            return None
        number = min(self._anchor[0], len(self._shapes) - 1)
        return self._model.row_at(number).key, self._anchor[1]

    # ---- laying out

    def lay_out(self, window: int) -> None:
        """Find out which rows are seen in a window of this height, measure and place them."""
        if self._model is None or not self._shapes:
            self.release()
            self.offset = 0
            return
        from_end = self.pinned
        for _ in range(_ROUNDS):
            found = self._walk(window, from_end)
            if found is not None:
                self._settle(found, window)
                return
            from_end = True
        self._settle(self._walk(window, from_end=True) or [], window)

    def _walk(self, window: int, from_end: bool) -> "list[tuple[int, int]] | None":
        """Numbers and tops of the rows that are seen; None = the end does not reach the window's foot."""
        last = len(self._shapes) - 1
        if from_end:
            first, top = last, window - self.place.bottom - self._measure(last)
        else:
            first, top = min(self._anchor[0], last), self._anchor[1]
        while top > 0 and first > 0:
            first -= 1
            top -= self._measure(first)
        top = min(top, 0)
        seen: list[tuple[int, int]] = []
        at = first
        while at <= last and top < window:
            height = self._measure(at)
            if top + height > 0 or at == last:
                seen.append((at, top))
            top += height
            at += 1
        reaches = at <= last or top + self.place.bottom >= window
        whole = bool(seen) and seen[0] == (0, 0)
        return seen if reaches or whole or from_end else None

    def _settle(self, seen: "list[tuple[int, int]]", window: int) -> None:
        spots = [self._spot(number, top) for number, top in seen]
        self._give_back({spot.key for spot in spots})
        self.spots = spots
        left, width = self.place.left, self.place.width
        if self._ground.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left = self._ground.width() - left - width
        for spot in spots:
            spot.view.setGeometry(left, spot.view_top, width, spot.view_height)
            if spot.view.isHidden():
                spot.view.show()
        if not spots:
            return
        kept = next((spot for spot in spots if spot.top >= 0), spots[0])
        self._anchor = (kept.number, kept.top)
        self.offset = self.heights.top(spots[0].number) - spots[0].top
        self.pinned = self.pinned or self.offset >= self.total - window

    def _spot(self, number: int, top: int) -> Spot:
        assert self._model is not None, "rows are there"
        held = self._held[self._model.row_at(number).key]
        above = self._above(number)
        return Spot(
            number=number,
            key=held.row.key,
            view=held.view,
            top=top,
            height=above + held.height,
            view_top=top + above,
            view_height=held.height,
            shape=self._shapes[number],
        )

    def _give_back(self, keep: set[str]) -> None:
        for key in [key for key in self._held if key not in keep]:
            held = self._held.pop(key)
            self._pool.give_back(held.kind, held.view)

    def _measure(self, number: int) -> int:
        """Real height of a row with its gap; its view is made ready."""
        assert self._model is not None, "rows are there"
        row = self._model.row_at(number)
        held = self._held.get(row.key)
        if held is not None and held.kind is not type(row):
            self._pool.give_back(held.kind, self._held.pop(row.key).view)
            held = None
        if held is None:
            held = self._held[row.key] = Held(type(row), self._pool.take(type(row)), row)
            self._show(held, number)
        elif held.row is not row:
            held.row = row
            self._show(held, number)
        if held.width != self.place.width or held.height < 0:
            held.width = self.place.width
            held.height = max(1, held.view.height_for(held.width))
        height = self._above(number) + held.height
        self.heights.set(number, height)
        return height

    def _show(self, held: Held, number: int) -> None:
        held.height = -1
        held.view.stand = Stand(self.place.depth, self._inline(number), number == 0)
        held.view.show_row(held.row, self._ctx)

    def _inline(self, number: int) -> bool:
        """Where the badge stands, or where there is no gutter, an icon stands in its line."""
        return self.place.above or (self.place.depth == 0 and self._shapes[number].first)

    def measured(self, most: int) -> int:
        """Height of everything at the present width, measured, or `most` if it is more."""
        total = self.place.bottom
        for number in range(len(self._shapes)):
            total += self._measure(number)
            if total >= most:
                break
        return min(total, most)
