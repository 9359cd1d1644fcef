"""What a figure is: its values by peer and round, its targets, its row in the table. Never measures anything."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

OURS = "codeg"
CORE = "core"
MINIMAL = "minimal node"
TYPESCRIPT = "TypeScript SDK"
PYTHON = "Python SDK"
BARE = "bare python"


@dataclass(frozen=True)
class Target:
    """`limit` of the ratio to `against` (paired, round by round), or of the figure itself where `against` is empty.

    `CORE` stands for the yardstick of the run: the real core where it takes part, else the minimal Node server.
    """

    limit: float
    against: str = ""
    at_least: bool = False

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {self.limit:g} × {self.against}" if self.against else f"{sign} {self.limit:g}"

    def holds(self, value: float) -> bool:
        """Whether `value` keeps to it."""
        return value >= self.limit if self.at_least else value <= self.limit


@dataclass(frozen=True)
class Figure:
    """One row. `group`: the number of its target, "" for a row that has none."""

    name: str
    unit: str
    group: str = ""
    targets: tuple[Target, ...] = ()

    def matches(self, word: str) -> bool:
        """Whether `-k word` asks for it."""
        return word in self.name or word == self.group


@dataclass
class Record:
    """The values of one figure: by peer, then by round. `yardstick`: the peer that stands for the core."""

    figure: Figure
    yardstick: str = MINIMAL
    values: dict[str, dict[int, float]] = field(default_factory=dict[str, dict[int, float]])

    def add(self, peer: str, turn: int, value: float) -> None:
        """Keeps what one round gave."""
        self.values.setdefault(peer, {})[turn] = value

    def forget(self, peer: str) -> None:
        """Drops what a peer gave that failed later."""
        self.values.pop(peer, None)

    def middle(self, peer: str) -> float | None:
        """The median over the rounds."""
        found = self.values.get(peer)
        return median(found.values()) if found else None

    def ratio(self, peer: str) -> float | None:
        """The median of ours over the peer's, taken round by round."""
        ours, theirs = self.values.get(OURS, {}), self.values.get(peer, {})
        pairs = [ours[turn] / theirs[turn] for turn in ours if theirs.get(turn)]
        return median(pairs) if pairs else None

    def verdict(self) -> str:
        """`ok`, `MISS`, or `-` where nothing could be judged: no target, or its peers are missing."""
        if self.figure.targets and self.middle(OURS) is None:
            return "MISS"
        found = [(target, self._judged(target)) for target in self.figure.targets]
        kept = [target.holds(value) for target, value in found if value is not None]
        if not kept:
            return "-"
        return "ok" if all(kept) else "MISS"

    def _judged(self, target: Target) -> float | None:
        if not target.against:
            return self.middle(OURS)
        return self.ratio(self.yardstick if target.against == CORE else target.against)

    def row(self, peers: Sequence[str]) -> str:
        """One line of the table, in Markdown."""
        ours = self.middle(OURS)
        cells = [f"{self.figure.group} {self.figure.name}".strip()]
        cells.append("failed" if ours is None else f"{_short(ours)} {self.figure.unit}".rstrip())
        cells += [self._against(peer) for peer in peers]
        return _line([*cells, ", ".join(map(str, self.figure.targets)) or "-", self.verdict()])

    def _against(self, peer: str) -> str:
        value, ratio = self.middle(peer), self.ratio(peer)
        if value is None:
            return "-"
        return _short(value) if ratio is None else f"{_short(ratio)}× ({_short(value)})"


def heading(peers: Sequence[str]) -> str:
    """The first two lines of the table."""
    return _line(["figure", OURS, *peers, "target", "result"]) + "\n" + "|---" * (len(peers) + 4) + "|"


def _line(cells: list[str]) -> str:
    widths = (18, 11, *[15] * (len(cells) - 4), 13, 6)
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"


def _short(value: float) -> str:
    """Three digits that mean something."""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"
