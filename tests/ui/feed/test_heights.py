"""Sums of heights, whatever happens to the rows."""

from hypothesis import given
from hypothesis import strategies as st

from ui.widgets.feed.heights import Heights

_HEIGHT = st.integers(0, 500)
_HEIGHTS = st.lists(_HEIGHT, max_size=40)
_DEEDS = st.lists(st.tuples(st.sampled_from(["insert", "remove", "set"]), st.integers(0, 60), _HEIGHTS), max_size=12)


@given(_HEIGHTS, _DEEDS)
def test_it_is_a_list_with_sums(start: list[int], deeds: "list[tuple[str, int, list[int]]]") -> None:
    heights, plain = Heights(start), list(start)
    for deed, wanted, values in deeds:
        at = min(wanted, len(plain))
        if deed == "insert":
            heights.insert(at, values)
            plain[at:at] = values
        elif deed == "remove":
            count = min(len(values), len(plain) - at)
            heights.remove(at, count)
            del plain[at : at + count]
        elif at < len(plain) and values:
            heights.set(at, values[0])
            plain[at] = values[0]
    assert [heights[at] for at in range(len(heights))] == plain
    assert heights.total == sum(plain)
    assert [heights.top(at) for at in range(len(plain) + 1)] == [sum(plain[:at]) for at in range(len(plain) + 1)]


@given(st.lists(st.integers(1, 50), min_size=1, max_size=40), st.integers(-10, 2_500))
def test_it_finds_the_row_at_a_place(start: list[int], y: int) -> None:
    heights = Heights(start)
    row = heights.at(y)
    if y < 0:
        assert row == 0
    elif y >= heights.total:
        assert row == len(start) - 1
    else:
        assert heights.top(row) <= y < heights.top(row) + start[row]


def test_nothing_has_no_height() -> None:
    assert Heights().total == 0
    assert Heights().at(10) == 0
