"""Moments: one a key, the earliest first, dead ones bounded."""

from hypothesis import given
from hypothesis import strategies as st

from codeg.broker.deadlines import Deadlines


def test_moments_come_up_in_their_order() -> None:
    deadlines = Deadlines()
    for number in (3, 1, 2):
        deadlines.set(("wait", number), float(number))
    assert deadlines.next() == 1
    assert [deadlines.pop_due(2.5) for _ in range(3)] == [("wait", 1), ("wait", 2), None]
    assert len(deadlines) == 1


def test_a_moved_moment_counts_only_where_it_is_now() -> None:
    deadlines = Deadlines()
    deadlines.set(("wait", 1), 1.0)
    deadlines.set(("wait", 1), 9.0)
    assert (deadlines.next(), deadlines.pop_due(5.0)) == (9.0, None)
    assert deadlines.pop_due(9.0) == ("wait", 1)
    assert (deadlines.next(), deadlines.pop_due(9.0)) == (None, None)


def test_a_cleared_moment_does_not_come_up() -> None:
    deadlines = Deadlines()
    deadlines.set(("run", "t"), 1.0)
    deadlines.clear(("run", "t"))
    deadlines.clear(("run", "t"))
    assert deadlines.next() is None


def test_dead_moments_do_not_pile_up() -> None:
    deadlines = Deadlines()
    deadlines.set(("wait", 0), 0.0)
    for number in range(10_000):
        deadlines.set(("wait", 1), float(number))
        assert deadlines.held <= 2 * len(deadlines) + 64
    for number in range(1_000):
        deadlines.set(("run", number), float(number))
    for number in range(1_000):
        deadlines.clear(("run", number))
    assert deadlines.held <= 2 * len(deadlines) + 64


@given(st.lists(st.tuples(st.integers(0, 5), st.one_of(st.none(), st.integers(0, 20)))))
def test_it_behaves_like_a_plain_table(steps: list[tuple[int, int | None]]) -> None:
    deadlines, plain = Deadlines(), dict[int, int]()
    for key, mono in steps:
        if mono is None:
            deadlines.clear(("k", key))
            plain.pop(key, None)
        else:
            deadlines.set(("k", key), float(mono))
            plain[key] = mono
        assert deadlines.next() == min(plain.values(), default=None)
    due = 10
    popped: list[object] = []
    while (key := deadlines.pop_due(due)) is not None:
        popped.append(key[1])
    assert sorted(map(str, popped)) == sorted(str(key) for key, mono in plain.items() if mono <= due)
