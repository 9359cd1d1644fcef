"""From items to rows: groups of settled tool calls, polls as one line, who begins a run.

Owns the folding from any row on, and finding where it agrees again with the rows that are there, so that a change
costs what it changes. Pure, no Qt. Folding on gives the same rows as folding everything.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from codeg.api import QuestionRecord
from ui.viewmodels.rows import (
    AnsweredRow,
    DelegationRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    PollRow,
    Row,
    ThoughtRow,
    ToolGroupRow,
    ToolRow,
    UserRow,
)
from ui.viewmodels.transcript.items import Item, Key
from ui.viewmodels.transcript.reading import Asking, Delegating, Polling, answered_row

GROUP = 3
"""So many settled calls in a row are folded."""
GROUP_MOST = 200
"""A group holds no more: then the next begins."""
POLLS_MOST = 1_000
"""A line stands for no more polls: then the next begins."""
_LOOKS_BACK = 2
"""A row depends on what follows it by less than a group: so many rows before a change are folded again."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What the fold looks at beside the items. `live`: the place where text is still written."""

    live: Key | None
    task_of: Callable[[int], str | None]
    questions_of: Callable[[int], QuestionRecord | None]
    ms_after: Callable[[int], int | None]


@dataclass(frozen=True, slots=True)
class Touched:
    """Items `low` to before `high` are new or changed; those behind stood `shift` places earlier before."""

    low: int
    high: int
    shift: int = 0


@dataclass(frozen=True, slots=True)
class Patch:
    """Rows `first` to before `last` give way to `fresh`, which begin at the items `starts`."""

    first: int
    last: int
    fresh: list[Row]
    starts: list[int]


def is_agents(row: Row) -> bool:
    """The row is one of the agent's run."""
    return not isinstance(row, UserRow | NoteRow | NoticeRow)


def refold(
    rows: Sequence[Row], starts: Sequence[int], items: Sequence[Item], touched: Touched, ground: Ground
) -> Patch:
    """What changes in the rows."""
    first = max(0, bisect_right(starts, touched.low) - 1 - _LOOKS_BACK)
    at = starts[first] if first < len(starts) else 0
    before = rows[first - 1] if first else None
    last = first
    fresh: list[Row] = []
    begins: list[int] = []
    while at < len(items):
        if at >= touched.high:
            last = bisect_left(starts, at - touched.shift, last)
            if _agrees(rows, starts, last, at - touched.shift, before):
                return Patch(first, last, fresh, begins)
        row, end = _row(items, at, first=before is None or not is_agents(before), ground=ground)
        fresh.append(row)
        begins.append(at)
        before, at = row, end
    return Patch(first, len(rows), fresh, begins)


def _agrees(rows: Sequence[Row], starts: Sequence[int], number: int, at: int, before: Row | None) -> bool:
    """The row that was there begins at the same item, behind a row of the same side."""
    if number >= len(starts) or starts[number] != at:
        return False
    follows = number > 0 and is_agents(rows[number - 1])
    return follows == (before is not None and is_agents(before))


def _row(items: Sequence[Item], at: int, *, first: bool, ground: Ground) -> tuple[Row, int]:
    """The row that begins at an item, and where the next one does."""
    part = items[at].part
    match part:
        case ToolRow():
            return _tools(items, at, first=first)
        case Polling():
            return _polls(items, at, first=first)
        case UserRow() | NoteRow() | NoticeRow():
            return part, at + 1
        case MessageRow():
            live = items[at].key == ground.live
            return (replace(part, live=live, first=first) if live or first else part), at + 1
        case ThoughtRow():
            return _thought(items[at], part, first, ground), at + 1
        case Delegating():
            return _delegation(part, first, ground), at + 1
        case Asking():
            return _asked(part, first, ground), at + 1
        case _:
            return (replace(part, first=True) if first else part), at + 1


def _thought(item: Item, part: ThoughtRow, first: bool, ground: Ground) -> ThoughtRow:
    live = item.key == ground.live
    ms = None if live else ground.ms_after(item.key.seq)
    return ThoughtRow(part.key, part.text, None if ms is None else ms // 1000, live, first)


def _delegation(call: Delegating, first: bool, ground: Ground) -> DelegationRow:
    return DelegationRow(
        key=f"entry-{call.seq}",
        task_id=ground.task_of(call.seq),
        agent_type=call.agent,
        task=call.task,
        at_ms=call.at_ms,
        failure=call.failure,
        first=first,
    )


def _asked(call: Asking, first: bool, ground: Ground) -> AnsweredRow:
    """The store knows best what became of the questions."""
    record = ground.questions_of(call.seq)
    row = call.row if record is None else replace(answered_row(record), key=call.row.key)
    return replace(row, first=True) if first else row


def _tools(items: Sequence[Item], at: int, *, first: bool) -> tuple[Row, int]:
    """Settled calls in a row become a group; fewer than three, or one that runs, stand alone."""
    calls: list[ToolRow] = []
    for place in range(at, min(at + GROUP_MOST, len(items))):
        part = items[place].part
        if not isinstance(part, ToolRow) or part.status == "running":
            break
        calls.append(part)
    if len(calls) >= GROUP:
        return ToolGroupRow(f"group-{calls[0].key}", tuple(calls), first), at + len(calls)
    alone = items[at].part
    assert isinstance(alone, ToolRow), "the caller looked"
    return (replace(alone, first=True) if first else alone), at + 1


def _polls(items: Sequence[Item], at: int, *, first: bool) -> tuple[Row, int]:
    """All polls up to the next other item: one line."""
    polls: list[Polling] = []
    for place in range(at, min(at + POLLS_MOST, len(items))):
        part = items[place].part
        if not isinstance(part, Polling):
            break
        polls.append(part)
    checks = tuple(check for poll in polls for check in poll.checks)
    row = PollRow(f"poll-{polls[0].seq}", checks, len(polls), any(poll.open for poll in polls), first)
    return row, at + len(polls)
