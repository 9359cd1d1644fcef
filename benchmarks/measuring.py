"""How a measurement runs: all peers in turn, round by round, each turn in a fresh process and within its time limit."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import quantiles
from typing import TYPE_CHECKING

from benchmarks.figures import CORE, MINIMAL, OURS, Figure, Record
from benchmarks.roster import Peer, Place
from benchmarks.server import Server

if TYPE_CHECKING:
    from collections.abc import Generator

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
"""What a host program leaves of its own when it starts a server."""


@dataclass(frozen=True)
class Setting:
    """What a turn may use. `alone`: no host; `stub`: the trivial one; `real`: None where it did not start."""

    alone: Place
    stub: Place
    real: Place | None
    quick: bool

    def start(self, peer: Peer, place: Place | None = None) -> Server:
        """A fresh process of `peer`, without a host where none is named."""
        place = place or self.alone
        return Server(peer.argv(place), {**ENVIRONMENT, "HOME": place.home})

    def amount(self, full: int, quick: int) -> int:
        """How much of something this run does."""
        return quick if self.quick else full


Once = Callable[[Setting, Peer], Mapping[str, float]]
"""One turn of one peer: the values by the names of the figures; a figure may be left out."""


@dataclass(frozen=True)
class Measurement:
    """Figures that come out of one turn.

    `limit_s`: a turn that takes longer has failed. `guests`: peers of this one alone. `only_ours`: it has no peers.
    """

    figures: tuple[Figure, ...]
    once: Once
    rounds: int = 5
    quick_rounds: int = 2
    limit_s: int = 60
    guests: tuple[Peer, ...] = ()
    only_ours: bool = False


def measure(measurement: Measurement, setting: Setting, peers: list[Peer]) -> tuple[list[Record], dict[str, str]]:
    """Runs all rounds; the records in the order of the figures, and why each peer failed that did, by its name."""
    yardstick = CORE if any(peer.name == CORE for peer in peers) else MINIMAL
    records = {figure.name: Record(figure, yardstick) for figure in measurement.figures}
    chosen = [peer for peer in [*peers, *measurement.guests] if peer.name == OURS or not measurement.only_ours]
    failed: dict[str, str] = {}
    for turn in range(setting.amount(measurement.rounds, measurement.quick_rounds)):
        for peer in chosen:
            if peer.name in failed:
                continue
            try:
                with _at_most(measurement.limit_s):
                    found = measurement.once(setting, peer)
            except Exception as error:
                failed[peer.name] = f"{type(error).__name__}: {error}"[:400]
                for record in records.values():
                    record.forget(peer.name)
            else:
                for name, value in found.items():
                    records[name].add(peer.name, turn, value)
    return list(records.values()), failed


@contextmanager
def _at_most(seconds: int) -> Generator[None]:
    def late(_number: int, _frame: object) -> None:
        raise TimeoutError(f"not done within {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def percentile(values: list[float], part: int) -> float:
    """The `part`-th of 100."""
    return quantiles(values, n=100, method="inclusive")[part - 1]
