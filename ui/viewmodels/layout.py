"""How panes and tabs lie in the window: a tree of groups and splits.

Owns the tree and its rules (smallest share, collapse, neighbours); frozen, pure, no Qt. A tab is named by what it
shows: a session id, or `new:` and a number for a session that is not begun. Malformed stored trees are refused whole.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

SMALLEST = 0.15
"""Share of a split that no child goes below."""
Direction = Literal["row", "column"]


@dataclass(frozen=True, slots=True)
class Group:
    """One pane: its tabs and the number of the one that shows (0 without tabs)."""

    name: str
    tabs: tuple[str, ...] = ()
    active: int = 0

    @property
    def shown(self) -> str | None:
        """The tab that shows."""
        return self.tabs[self.active] if self.tabs else None


@dataclass(frozen=True, slots=True)
class Split:
    """Panes side by side (`row`) or above each other (`column`), with their shares; these sum to 1."""

    direction: Direction
    children: "tuple[Node, ...]"
    shares: tuple[float, ...]


Node = Group | Split


@dataclass(frozen=True, slots=True)
class Layout:
    """The whole: the tree, and the pane that has the focus."""

    root: Node
    focus: str

    def groups(self) -> tuple[Group, ...]:
        """All panes, in reading order."""
        return tuple(_groups(self.root))

    def group(self, name: str) -> Group | None:
        """A pane by its name."""
        return next((group for group in self.groups() if group.name == name), None)

    @property
    def focused(self) -> Group:
        """The pane that has the focus."""
        return self.group(self.focus) or self.groups()[0]

    def where(self, tab: str) -> Group | None:
        """The pane that holds this tab; the focused one first."""
        mine = [group for group in self.groups() if tab in group.tabs]
        return next((group for group in mine if group.name == self.focus), mine[0] if mine else None)


def empty() -> Layout:
    """One pane without tabs."""
    return Layout(Group("main"), "main")


def open_tab(layout: Layout, tab: str, group: str | None = None) -> Layout:
    """Show a tab: where it is already, else after the active one of `group` (None = the focused pane)."""
    held = layout.group(group) if group is not None else layout.where(tab)
    target = held or layout.focused
    if tab in target.tabs:
        changed = replace(target, active=target.tabs.index(tab))
    else:
        at = target.active + 1 if target.tabs else 0
        changed = replace(target, tabs=(*target.tabs[:at], tab, *target.tabs[at:]), active=at)
    return Layout(_put(layout.root, changed), target.name)


def close_tab(layout: Layout, group: str, tab: str) -> Layout:
    """Close a tab.

    A pane without tabs goes away unless it is the last; its neighbour (the one before) gets the focus.
    """
    held = layout.group(group)
    if held is None or tab not in held.tabs:
        return layout
    at = held.tabs.index(tab)
    tabs = tuple(each for each in held.tabs if each != tab)
    active = max(0, min(held.active - (1 if at < held.active else 0), len(tabs) - 1))
    if tabs or len(layout.groups()) == 1:
        return Layout(_put(layout.root, replace(held, tabs=tabs, active=active)), layout.focus)
    return _without(layout, group)


def rename_tab(layout: Layout, old: str, new: str) -> Layout:
    """A draft became a session: its tab stays where it is."""
    root = layout.root
    for group in layout.groups():
        if old in group.tabs:
            root = _put(root, replace(group, tabs=tuple(new if tab == old else tab for tab in group.tabs)))
    return Layout(root, layout.focus)


def split(layout: Layout, direction: Direction, tab: str, group: str | None = None) -> Layout:
    """Halve a pane; the new one, right or below, shows `tab` and gets the focus. An empty pane just takes the tab."""
    at = layout.group(group) if group is not None else layout.focused
    if at is None:
        return layout
    if not at.tabs:
        return open_tab(layout, tab, at.name)
    fresh = Group(_fresh_name(layout), (tab,))
    return Layout(_halved(layout.root, at.name, direction, fresh), fresh.name)


def move_tab(layout: Layout, tab: str, source: str, target: str, index: int) -> Layout:
    """Drag a tab to another pane, or to another place in its own."""
    moved_from, moved_to = layout.group(source), layout.group(target)
    if moved_from is None or moved_to is None or tab not in moved_from.tabs:
        return layout
    if source != target and tab in moved_to.tabs:
        return close_tab(open_tab(layout, tab, target), source, tab)
    if source == target:
        rest = [each for each in moved_from.tabs if each != tab]
        rest.insert(min(index, len(rest)), tab)
        return Layout(_put(layout.root, replace(moved_from, tabs=tuple(rest), active=rest.index(tab))), source)
    at = max(0, min(index, len(moved_to.tabs)))
    grown = replace(moved_to, tabs=(*moved_to.tabs[:at], tab, *moved_to.tabs[at:]), active=at)
    after = close_tab(Layout(_put(layout.root, grown), target), source, tab)
    return Layout(after.root, target)


def focus(layout: Layout, group: str) -> Layout:
    """Give a pane the focus."""
    return Layout(layout.root, group) if layout.group(group) is not None else layout


def neighbour(layout: Layout, step: int) -> Layout:
    """The next (1) or previous (-1) pane in reading order, round and round."""
    names = [group.name for group in layout.groups()]
    at = names.index(layout.focused.name)
    return Layout(layout.root, names[(at + step) % len(names)])


def next_tab(layout: Layout, step: int) -> Layout:
    """The next or previous tab of the focused pane, round and round."""
    group = layout.focused
    if not group.tabs:
        return layout
    return Layout(_put(layout.root, replace(group, active=(group.active + step) % len(group.tabs))), group.name)


def set_shares(layout: Layout, path: Sequence[int], shares: Sequence[float]) -> Layout:
    """The person dragged a divider of the split at `path` (child numbers from the root)."""
    return Layout(_shared(layout.root, tuple(path), tuple(shares)), layout.focus)


def without_tab(layout: Layout, tab: str) -> Layout:
    """What the tab showed is gone: it is closed everywhere."""
    for group in layout.groups():
        if tab in group.tabs:
            layout = close_tab(layout, group.name, tab)
    return layout


# ---- as stored


def dump(layout: Layout) -> str:
    """As it is remembered."""
    return json.dumps({"root": _dumped(layout.root), "focus": layout.focus})


def load(text: str | None) -> Layout:
    """Read it back; anything odd gives the empty layout."""
    try:
        shape = json.loads(text or "")
        root = _loaded(shape["root"])
        names = [group.name for group in _groups(root)]
        if len(set(names)) != len(names):
            return empty()
        found = Layout(root, str(shape["focus"]))
        return found if found.group(found.focus) is not None else Layout(root, names[0])
    except (ValueError, KeyError, TypeError, RecursionError):
        return empty()


def _dumped(node: Node) -> dict[str, Any]:
    if isinstance(node, Group):
        return {"name": node.name, "tabs": list(node.tabs), "active": node.active}
    return {
        "direction": node.direction,
        "children": [_dumped(child) for child in node.children],
        "shares": list(node.shares),
    }


def _loaded(shape: Mapping[str, Any]) -> Node:
    if "name" in shape:
        tabs = tuple(dict.fromkeys(str(tab) for tab in shape["tabs"]))
        return Group(str(shape["name"]), tabs, max(0, min(int(shape["active"]), len(tabs) - 1)))
    children = tuple(_loaded(child) for child in shape["children"])
    if len(children) < 2 or shape["direction"] not in {"row", "column"}:
        raise ValueError
    return Split(cast("Direction", shape["direction"]), children, _normal(tuple(map(float, shape["shares"])), children))


def _normal(shares: tuple[float, ...], children: tuple[Node, ...]) -> tuple[float, ...]:
    if len(shares) != len(children) or not all(0 < share < float("inf") for share in shares):
        raise ValueError
    least = min(SMALLEST, 1 / len(shares))
    total = sum(shares)
    clamped = [max(least, share / total) for share in shares]
    return tuple(share / sum(clamped) for share in clamped)


# ---- the tree


def _groups(node: Node) -> Iterator[Group]:
    if isinstance(node, Group):
        yield node
    else:
        for child in node.children:
            yield from _groups(child)


def _put(node: Node, group: Group) -> Node:
    if isinstance(node, Group):
        return group if node.name == group.name else node
    return replace(node, children=tuple(_put(child, group) for child in node.children))


def _fresh_name(layout: Layout) -> str:
    taken = {group.name for group in layout.groups()}
    return next(name for name in (f"pane-{number}" for number in range(1, len(taken) + 2)) if name not in taken)


def _halved(node: Node, name: str, direction: Direction, fresh: Group) -> Node:
    if isinstance(node, Group):
        return Split(direction, (node, fresh), (0.5, 0.5)) if node.name == name else node
    names = [child.name if isinstance(child, Group) else None for child in node.children]
    if node.direction == direction and name in names:
        at = names.index(name)
        children = (*node.children[: at + 1], fresh, *node.children[at + 1 :])
        half = node.shares[at] / 2
        shares = (*node.shares[:at], half, half, *node.shares[at + 1 :])
        return Split(direction, children, _normal(shares, children))
    return replace(node, children=tuple(_halved(child, name, direction, fresh) for child in node.children))


def _without(layout: Layout, name: str) -> Layout:
    names = [group.name for group in layout.groups()]
    at = names.index(name)
    heir = names[at - 1] if at else names[1]
    root = _cut(layout.root, name)
    return Layout(root if root is not None else Group("main"), layout.focus if layout.focus != name else heir)


def _cut(node: Node, name: str) -> Node | None:
    if isinstance(node, Group):
        return None if node.name == name else node
    kept: list[tuple[Node, float]] = []
    for child, share in zip(node.children, node.shares, strict=True):
        rest = _cut(child, name)
        if rest is not None:
            kept.append((rest, share))
    if len(kept) == 1:
        return kept[0][0]
    children = tuple(child for child, _ in kept)
    return Split(node.direction, children, _normal(tuple(share for _, share in kept), children))


def _shared(node: Node, path: tuple[int, ...], shares: tuple[float, ...]) -> Node:
    if isinstance(node, Group):
        return node
    if not path:
        try:
            return replace(node, shares=_normal(shares, node.children))
        except ValueError:
            return node
    at = path[0]
    if not 0 <= at < len(node.children):
        return node
    child = _shared(node.children[at], path[1:], shares)
    return replace(node, children=(*node.children[:at], child, *node.children[at + 1 :]))
