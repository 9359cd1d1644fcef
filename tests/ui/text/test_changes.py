"""A diff says truly what changed, and takes no time over it."""

from hypothesis import given
from hypothesis import strategies as st

from ui.widgets.text.changes import Changes, Line

_LINES = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=30)


def _all(changes: Changes) -> list[Line]:
    return changes.lines(1_000_000)


@given(_LINES, _LINES)
def test_both_texts_can_be_read_from_it(old: list[str], new: list[str]) -> None:
    before = [line for line in _all(Changes("\n".join(old), "\n".join(new))) if line.sign != "…"]
    olds, news = "\n".join(old).splitlines(), "\n".join(new).splitlines()
    for line in before:
        assert line.sign in {" ", "-"} or news[line.new - 1] == line.text
        assert line.sign in {" ", "+"} or olds[line.old - 1] == line.text
    removed = [line.old for line in before if line.sign == "-"]
    added = [line.new for line in before if line.sign == "+"]
    kept_old = [text for number, text in enumerate(olds, 1) if number not in removed]
    kept_new = [text for number, text in enumerate(news, 1) if number not in added]
    assert kept_old == kept_new


@given(_LINES, _LINES)
def test_its_total_is_the_number_of_its_lines(old: list[str], new: list[str]) -> None:
    changes = Changes("\n".join(old), "\n".join(new))
    assert changes.total == len(_all(changes))


def test_far_lines_are_left_out() -> None:
    old = [f"line {number}" for number in range(100)]
    new = [*old[:50], "new", *old[51:]]
    shown = _all(Changes("\n".join(old), "\n".join(new)))
    assert [line.sign for line in shown] == ["…", " ", " ", " ", "-", "+", " ", " ", " ", "…"]
    assert (shown[1].old, shown[4].old, shown[5].new) == (48, 51, 51)


def test_a_new_file_is_all_added() -> None:
    assert [(line.sign, line.new) for line in _all(Changes("", "a\nb\n"))] == [("+", 1), ("+", 2)]


def test_only_as_many_lines_are_made_as_are_asked_for() -> None:
    changes = Changes("", "line\n" * 50_000)
    assert changes.total == 50_000
    assert len(changes.lines(400)) == 400


def test_scattered_changes_in_a_long_text_are_found() -> None:
    old = [f"line {number}" for number in range(5_000)]
    new = [f"changed {number}" if number % 500 == 0 else line for number, line in enumerate(old)]
    shown = _all(Changes("\n".join(old), "\n".join(new)))
    assert sum(1 for line in shown if line.sign == "+") == 10
    assert sum(1 for line in shown if line.sign == "-") == 10
