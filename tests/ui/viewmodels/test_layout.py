"""Panes and tabs: splits nest or grow, empty panes go, malformed memories are refused whole."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.viewmodels import layout as trees
from ui.viewmodels.layout import Group, Layout, Split


def opened(*tabs: str) -> Layout:
    layout = trees.empty()
    for tab in tabs:
        layout = trees.open_tab(layout, tab)
    return layout


def test_a_tab_opens_after_the_active_one_and_shows() -> None:
    layout = trees.open_tab(trees.open_tab(opened("a", "b"), "a"), "c")
    assert layout.focused.tabs == ("a", "c", "b")
    assert layout.focused.shown == "c"


def test_a_tab_that_is_open_already_is_shown_where_it_is() -> None:
    layout = trees.split(opened("a", "b"), "row", "c")
    again = trees.open_tab(layout, "a")
    assert again.focus == "main"
    assert again.focused.shown == "a"
    assert trees.open_tab(layout, "a", "pane-1").focused.tabs == ("c", "a")


def test_a_split_in_the_same_direction_adds_a_sibling_and_in_the_other_nests() -> None:
    layout = trees.split(trees.split(opened("a"), "row", "b"), "row", "c")
    assert isinstance(layout.root, Split)
    assert [child.tabs for child in layout.root.children if isinstance(child, Group)] == [("a",), ("b",), ("c",)]
    assert sum(layout.root.shares) == pytest.approx(1)
    nested = trees.split(layout, "column", "d")
    assert isinstance(nested.root, Split)
    assert isinstance(nested.root.children[2], Split)
    assert nested.focused.shown == "d"
    assert trees.split(layout, "row", "x", "nowhere") == layout
    assert trees.split(trees.empty(), "row", "a") == opened("a")


def test_the_last_tab_of_a_pane_takes_the_pane_with_it_and_the_one_before_gets_the_focus() -> None:
    layout = trees.split(trees.split(opened("a"), "row", "b"), "row", "c")
    closed = trees.close_tab(layout, "pane-2", "c")
    assert closed.focus == "pane-1"
    first = trees.close_tab(closed, "main", "a")
    assert first.root == Group("pane-1", ("b",))
    assert trees.close_tab(first, "pane-1", "b").root == Group("pane-1")
    assert trees.close_tab(first, "pane-1", "zzz") == first
    assert trees.close_tab(trees.focus(layout, "main"), "main", "a").focus == "pane-1"


def test_closing_a_tab_before_the_active_one_keeps_it_active() -> None:
    layout = opened("a", "b", "c")
    assert trees.close_tab(layout, "main", "a").focused.shown == "c"
    assert trees.close_tab(layout, "main", "c").focused.shown == "b"


def test_a_tab_moves_within_and_between_panes() -> None:
    layout = opened("a", "b", "c")
    assert trees.move_tab(layout, "c", "main", "main", 0).focused.tabs == ("c", "a", "b")
    two = trees.split(layout, "row", "d")
    moved = trees.move_tab(two, "a", "main", "pane-1", 0)
    assert moved.focused.tabs == ("a", "d")
    assert moved.group("main") == Group("main", ("b", "c"), 1)
    assert trees.move_tab(two, "zzz", "main", "pane-1", 0) == two
    twice = trees.open_tab(two, "a", "pane-1")
    merged = trees.move_tab(twice, "a", "pane-1", "main", 0)
    assert merged.group("pane-1") == Group("pane-1", ("d",))
    assert merged.focused.shown == "a"


def test_moving_the_last_tab_away_closes_its_pane() -> None:
    two = trees.split(opened("a"), "row", "b")
    assert trees.move_tab(two, "b", "pane-1", "main", 9).root == Group("main", ("a", "b"), 1)


def test_walking_panes_and_tabs_goes_round() -> None:
    two = trees.split(opened("a", "b"), "row", "c")
    assert trees.neighbour(two, 1).focus == "main"
    assert trees.neighbour(trees.neighbour(two, 1), -1).focus == "pane-1"
    assert trees.next_tab(opened("a", "b"), 1).focused.shown == "a"
    assert trees.next_tab(trees.empty(), 1) == trees.empty()
    assert trees.focus(two, "nowhere") == two


def test_a_draft_that_became_a_session_keeps_its_place() -> None:
    assert trees.rename_tab(opened("a", "new:1"), "new:1", "s").focused.tabs == ("a", "s")


def test_what_is_gone_is_closed_everywhere() -> None:
    two = trees.open_tab(trees.split(opened("a", "b"), "row", "c"), "a", "pane-1")
    assert [group.tabs for group in trees.without_tab(two, "a").groups()] == [("b",), ("c",)]


def test_a_dragged_divider_keeps_the_smallest_share() -> None:
    two = trees.split(opened("a"), "row", "b")
    dragged = trees.set_shares(two, (), (1, 999))
    assert isinstance(dragged.root, Split)
    assert dragged.root.shares[0] >= trees.SMALLEST * 0.85
    assert trees.set_shares(two, (), (float("nan"), 1)) == two
    assert trees.set_shares(two, (7,), (1, 1)) == two
    assert trees.set_shares(two, (0,), (1, 1)) == two
    nested = trees.split(two, "column", "c")
    changed = trees.set_shares(nested, (1,), (3, 1))
    assert isinstance(changed.root, Split)
    assert isinstance(changed.root.children[1], Split)
    assert changed.root.children[1].shares == (0.75, 0.25)


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "[]",
        "{}",
        '{"root": {"name": "a", "tabs": 3, "active": 0}, "focus": "a"}',
        '{"root": {"direction": "row", "children": [{"name": "a", "tabs": [], "active": 0}], "shares": [1]}, "focus": "a"}',
        json.dumps(
            {
                "root": {
                    "direction": "row",
                    "children": [{"name": "a", "tabs": [], "active": 0}, {"name": "a", "tabs": [], "active": 0}],
                    "shares": [1, 1],
                },
                "focus": "a",
            }
        ),
        json.dumps(
            {
                "root": {
                    "direction": "row",
                    "children": [{"name": "a", "tabs": [], "active": 0}, {"name": "b", "tabs": [], "active": 0}],
                    "shares": [0, 1],
                },
                "focus": "a",
            }
        ),
    ],
)
def test_a_malformed_memory_gives_the_empty_layout(text: str | None) -> None:
    assert trees.load(text) == trees.empty()


def test_a_focus_that_is_nowhere_goes_to_the_first_pane() -> None:
    assert trees.load('{"root": {"name": "a", "tabs": ["x"], "active": 5}, "focus": "z"}') == Layout(
        Group("a", ("x",), 0), "a"
    )
    assert Layout(Group("a"), "z").focused == Group("a")


Step = tuple[str, int, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["open", "close", "row", "column", "move", "next", "pane"]),
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    max_size=30,
)


def done(layout: Layout, step: Step) -> Layout:
    what, one, two = step
    groups = layout.groups()
    group = groups[one % len(groups)]
    tab = group.tabs[two % len(group.tabs)] if group.tabs else "t0"
    match what:
        case "open":
            return trees.open_tab(layout, f"t{two}")
        case "close":
            return trees.close_tab(layout, group.name, tab)
        case "row" | "column":
            return trees.split(layout, what, f"t{two}", group.name)
        case "move":
            return trees.move_tab(layout, tab, group.name, groups[two % len(groups)].name, one)
        case "next":
            return trees.next_tab(layout, 1)
        case _:
            return trees.neighbour(layout, 1)


@given(STEPS)
def test_whatever_is_done_the_tree_stays_sound_and_survives_a_restart(steps: list[Step]) -> None:
    layout = trees.empty()
    for step in steps:
        layout = done(layout, step)
        groups = layout.groups()
        assert layout.focus in {group.name for group in groups}
        assert len({group.name for group in groups}) == len(groups)
        for group in groups:
            assert len(set(group.tabs)) == len(group.tabs)
            assert group.tabs or len(groups) == 1
            assert 0 <= group.active < max(1, len(group.tabs))
    assert trees.load(trees.dump(layout)).groups() == layout.groups()
