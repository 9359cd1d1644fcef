"""The arithmetic of the table: medians, paired ratios, verdicts. Nothing is measured here."""

from __future__ import annotations

import pytest

from benchmarks import loads, sequential
from benchmarks.figures import CORE, MINIMAL, OURS, PYTHON, Figure, Record, Target, heading

FASTER = Figure("ping", "µs", "P3", (Target(0.5, CORE),))


def record(figure: Figure, yardstick: str = MINIMAL, **values: list[float]) -> Record:
    made = Record(figure, yardstick)
    names = {"ours": OURS, "core": CORE, "minimal": MINIMAL, "python": PYTHON}
    for peer, found in values.items():
        for turn, value in enumerate(found):
            made.add(names[peer], turn, value)
    return made


def test_a_ratio_is_the_median_of_the_ratios_of_each_round() -> None:
    # The machine was ten times slower in the last round: that moves both, and not their ratio.
    found = record(FASTER, ours=[1, 1, 10], minimal=[2, 4, 20])
    assert found.ratio(MINIMAL) == 0.5
    assert found.middle(OURS) == 1


def test_a_ratio_uses_the_rounds_that_both_have() -> None:
    assert record(FASTER, ours=[1, 2], minimal=[4]).ratio(MINIMAL) == 0.25
    assert record(FASTER, ours=[1]).ratio(MINIMAL) is None


def test_the_core_of_a_target_is_the_yardstick_of_the_run() -> None:
    values: dict[str, list[float]] = {"ours": [4], "core": [10], "minimal": [5]}
    assert record(FASTER, CORE, **values).verdict() == "ok"
    assert record(FASTER, MINIMAL, **values).verdict() == "MISS"


@pytest.mark.parametrize(
    ("target", "value", "verdict"),
    [
        (Target(5), 5, "ok"),
        (Target(5), 5.1, "MISS"),
        (Target(5, at_least=True), 5, "ok"),
        (Target(5, at_least=True), 4.9, "MISS"),
    ],
)
def test_a_limit_of_its_own_needs_no_peer(target: Target, value: float, verdict: str) -> None:
    assert record(Figure("burst-ping", "ms", "P5", (target,)), ours=[value]).verdict() == verdict


def test_all_targets_of_a_row_must_hold() -> None:
    both = Figure("start", "ms", "P1", (Target(0.5, CORE), Target(0.1, PYTHON)))
    assert record(both, ours=[4], minimal=[10], python=[100]).verdict() == "ok"
    assert record(both, ours=[4], minimal=[10], python=[20]).verdict() == "MISS"
    assert record(both, ours=[4], minimal=[10]).verdict() == "ok"


def test_a_row_without_a_target_or_without_its_peer_is_not_judged() -> None:
    assert record(Figure("exit", "ms"), ours=[1]).verdict() == "-"
    assert record(FASTER, ours=[1]).verdict() == "-"


def test_a_companion_that_failed_has_missed() -> None:
    failed = record(FASTER, minimal=[1])
    assert failed.verdict() == "MISS"
    assert "failed" in failed.row([MINIMAL])


def test_a_row_has_as_many_cells_as_the_heading() -> None:
    peers = [CORE, MINIMAL]
    rows = [*heading(peers).splitlines(), record(FASTER, ours=[1234.5], minimal=[0.25]).row(peers)]
    assert len({row.count("|") for row in rows}) == 1
    assert "4,938× (0.25)" in rows[-1]


def test_every_figure_has_a_name_of_its_own() -> None:
    names = [figure.name for one in (*sequential.MEASUREMENTS, *loads.MEASUREMENTS) for figure in one.figures]
    assert len(names) == len(set(names))


def test_a_figure_is_chosen_by_a_part_of_its_name_or_by_its_target() -> None:
    assert FASTER.matches("")
    assert FASTER.matches("in")
    assert FASTER.matches("P3")
    assert not FASTER.matches("P")
