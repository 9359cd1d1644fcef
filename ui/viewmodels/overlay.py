"""The sub-agents of a conversation as rows of a Qt model: a tree by levels and rails, ended ones folded (design 7.6).

Owns what a row says and how the rows change; pure but for the world it reads. The newest state is always shown; the
person decides whether the fold is open.
"""
# ruff: noqa: N802  # Qt overrides

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from codeg.api import TaskView
from ui.viewmodels.asking import summary_of
from ui.viewmodels.cards import asks_below, elapsed_ms, first_line, own_block, second_line, shown_state, took_ms
from ui.viewmodels.states import ALIVE, URGENCY, State
from ui.viewmodels.world import World
from ui.wording import duration, spoken_duration, state_word, tr

FOLD = 12
"""More rows than these, and ended ones fold."""
ORDER = (*URGENCY, State.COMPLETED, State.CANCELED)
"""In which order states are counted."""
Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()


@dataclass(frozen=True, slots=True)
class SubAgent:
    """One row. `level` 0 = of the conversation itself; `rails`: levels whose line goes on below this row.

    `word`: state, with the time since it asked where it waits; `line`: the latest; `time`: in all.
    """

    task_id: str
    session_id: str
    level: int
    state: State
    slug: str
    name: str
    title: str
    word: str
    line: str
    time: str
    spoken: str
    rails: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Folded:
    """Ended ones that are not listed, by state; or, while they are, the way to fold them again."""

    counts: tuple[tuple[State, int], ...]
    is_open: bool

    @property
    def text(self) -> str:
        """What it says: `9 completed · 1 failed`."""
        return " · ".join(counted(state, count) for state, count in self.counts)


def counted(state: State, count: int) -> str:
    """So many in a state."""
    return {
        State.WAITING: tr("%n waiting for you", n=count),
        State.FAILED: tr("%n failed", n=count),
        State.RUNNING: tr("%n running", n=count),
        State.STARTING: tr("%n starting", n=count),
        State.QUEUED: tr("%n queued", n=count),
        State.INTERRUPTED: tr("%n interrupted", n=count),
        State.COMPLETED: tr("%n completed", n=count),
    }.get(state, tr("%n canceled", n=count))


def counts_of(views: Sequence[TaskView]) -> tuple[tuple[State, int], ...]:
    """How many are in which state, the most urgent first."""
    found = Counter(shown_state(view) for view in views)
    return tuple((state, found[state]) for state in ORDER if found[state])


# ---- rows


@dataclass(frozen=True, slots=True)
class Branch:
    """A task at its level of the tree."""

    view: TaskView
    level: int


def branches_of(session_id: str, world: World) -> tuple[Branch, ...]:
    """Every delegation below a conversation, depth first."""
    levels = {session_id: 0}
    found: list[Branch] = []
    for view in world.descendants(session_id):
        level = levels.get(view.record.parent_id, 0)
        levels[view.record.child_id] = level + 1
        found.append(Branch(view, level))
    return tuple(found)


def listed(branches: Sequence[Branch], *, is_open: bool) -> tuple[tuple[Branch, ...], Folded | None]:
    """What is listed, and the fold: over 12, ended ones with nothing alive below them."""
    if len(branches) <= FOLD:
        return tuple(branches), None
    kept: list[Branch] = []
    alive_level = -1
    for branch in reversed(branches):
        holds = branch.level < alive_level
        if shown_state(branch.view) in ALIVE or holds:
            kept.append(branch)
            alive_level = branch.level
    ids = {branch.view.record.task_id for branch in kept}
    hidden = [branch.view for branch in branches if branch.view.record.task_id not in ids]
    if not hidden:
        return tuple(branches), None
    return (tuple(branches) if is_open else tuple(reversed(kept))), Folded(counts_of(hidden), is_open)


def row_of(branch: Branch, world: World, rails: tuple[int, ...] = ()) -> SubAgent:
    """What a row says."""
    view, record = branch.view, branch.view.record
    state, name, title = shown_state(view), world.label_of(record.agent_type), first_line(record.task_text)
    took, since = took_ms(view, world), elapsed_ms(view, world)
    word = state_word(state)
    spoken = ", ".join(part for part in (name, title, word.lower(), spoken_duration(took) if took else "") if part)
    if state is State.WAITING and since is not None:
        word = f"{word} {duration(since)}"
    return SubAgent(
        task_id=record.task_id,
        session_id=record.child_id,
        level=branch.level,
        state=state,
        slug=record.agent_type,
        name=name,
        title=title or tr("Task without a text"),
        word=word,
        line=_latest(view, world),
        time=duration(took) if took is not None else "",
        spoken=spoken,
        rails=rails,
    )


def _latest(view: TaskView, world: World) -> str:
    """The latest line; of one that waits, what it waits for."""
    block = own_block(view, world) if shown_state(view) is State.WAITING and not asks_below(view, world) else None
    ask = world.ask(block.request_id) if block is not None else None
    return summary_of(ask) if ask is not None else second_line(view, world)


def rails_of(levels: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """For each row the levels, from 1, whose upright line goes on below it."""
    found: list[tuple[int, ...]] = []
    going: set[int] = set()
    for level in reversed(levels):
        going = {each for each in going if each <= level + 1}
        found.append(tuple(sorted(going)))
        if level:
            going.add(level)
        going = {each for each in going if each <= level}
    return tuple(reversed(found))


class SubAgentsModel(QAbstractListModel):
    """Rows of one conversation. Rows that stay are updated in their place."""

    def __init__(self, session_id: str, world: World, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session_id, self._world = session_id, world
        self._rows: list[SubAgent | Folded] = []
        self._branches: tuple[Branch, ...] = ()
        self.is_open = False
        self.views: tuple[TaskView, ...] = ()
        self.ids: frozenset[str] = frozenset()
        self.refresh()

    def rowCount(self, parent: Index = _TOP) -> int:
        """Number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The row itself under UserRole; its words for screen readers."""
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.UserRole:
                return row
            case Qt.ItemDataRole.DisplayRole:
                return row.title if isinstance(row, SubAgent) else row.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return row.spoken if isinstance(row, SubAgent) else row.text
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return row.line if isinstance(row, SubAgent) else ""
            case _:
                return None

    def row_at(self, number: int) -> SubAgent | Folded:
        """A row by its number."""
        return self._rows[number]

    def number_of(self, task_id: str) -> int | None:
        """Where a task is listed."""
        rows = enumerate(self._rows)
        return next((n for n, row in rows if isinstance(row, SubAgent) and row.task_id == task_id), None)

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The listed ones, in the order of the rows."""
        return self._branches

    def fold(self, is_open: bool) -> None:
        """List the ended ones, or do not."""
        self.is_open = is_open
        self.refresh()

    def refresh(self) -> None:
        """As the world is now."""
        every = branches_of(self._session_id, self._world)
        self.views = tuple(branch.view for branch in every)
        self.ids = frozenset(view.record.task_id for view in self.views)
        self._branches, folded = listed(every, is_open=self.is_open)
        rails = rails_of([branch.level for branch in self._branches])
        rows: list[SubAgent | Folded] = [
            row_of(branch, self._world, rail) for branch, rail in zip(self._branches, rails, strict=True)
        ]
        self._show([*rows, *((folded,) if folded is not None else ())])

    def touch(self, task_ids: frozenset[str]) -> bool:
        """Something of these is said anew; whether any of them is one of ours."""
        if task_ids.isdisjoint(self.ids):
            return False
        for number, branch in enumerate(self._branches):
            row = self._rows[number]
            if branch.view.record.task_id in task_ids and isinstance(row, SubAgent):
                self._put(number, row_of(branch, self._world, row.rails))
        return True

    def tick(self) -> None:
        """Times went on: only what is alive says something new."""
        for number, branch in enumerate(self._branches):
            row = self._rows[number]
            if isinstance(row, SubAgent) and row.state in ALIVE:
                self._put(number, row_of(branch, self._world, row.rails))

    def _show(self, rows: "list[SubAgent | Folded]") -> None:
        old = self._rows
        least = min(len(old), len(rows))
        head = next((n for n in range(least) if _key(old[n]) != _key(rows[n])), least)
        tail = next((n for n in range(least - head) if _key(old[-1 - n]) != _key(rows[-1 - n])), least - head)
        gone, come = len(old) - head - tail, rows[head : len(rows) - tail]
        if gone:
            self.beginRemoveRows(_TOP, head, head + gone - 1)
            del self._rows[head : head + gone]
            self.endRemoveRows()
        if come:
            self.beginInsertRows(_TOP, head, head + len(come) - 1)
            self._rows[head:head] = come
            self.endInsertRows()
        for number, row in enumerate(rows):
            self._put(number, row)

    def _put(self, number: int, row: SubAgent | Folded) -> None:
        if self._rows[number] != row:
            self._rows[number] = row
            index = self.index(number, 0)
            self.dataChanged.emit(index, index)


def _key(row: SubAgent | Folded) -> str:
    return row.task_id if isinstance(row, SubAgent) else ""
