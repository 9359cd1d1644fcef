"""From what happened in a conversation to its rows.

Owns the folding of items (entries, tasks that no call shows, notes) from any place on: groups of settled tool calls,
polls as one line, who begins a run. Pure, no Qt. Folding from the beginning of a row gives the same rows as folding
everything.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from codeg.api import Entry, NoteRecord, TaskView
from ui.viewmodels.rows import (
    AnsweredRow,
    DelegationRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    PlanRow,
    PollRow,
    Row,
    Step,
    ThoughtRow,
    ToolGroupRow,
    ToolRow,
    UserRow,
)
from ui.viewmodels.transcript.reading import Delegating, Hidden, Kind, Polling, images_of

GROUP = 3
"""So many settled calls in a row are folded."""
GROUP_MOST = 200
"""A group holds no more: then the next begins."""
POLLS_MOST = 2_000


@dataclass(frozen=True, slots=True)
class Item:
    """One thing at its place. Exactly one of the three is there."""

    entry: Entry | None = None
    task: TaskView | None = None
    note: NoteRecord | None = None


@dataclass(frozen=True, slots=True)
class Ground:
    """What the fold looks at beside the items: reading of tool entries, tasks of calls, where text is still written."""

    kind: Callable[[Entry], Kind]
    task_of_call: Callable[[Entry], str | None]
    live_seq: int
    after_ms: Callable[[int], int | None]
    """Time of the item after this one; None = there is none."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A row and the numbers of the items that it stands for: `start` to before `end`."""

    row: Row
    start: int
    end: int


def is_agents(row: Row | None) -> bool:
    """The row is one of the agent's run."""
    return row is not None and not isinstance(row, UserRow | NoteRow | NoticeRow)


def joins(row: Row) -> bool:
    """What follows may change this row: it is folded again together with what follows."""
    return isinstance(row, ToolRow | ToolGroupRow | PollRow)


def fold_one(items: Sequence[Item], start: int, before: Row | None, ground: Ground) -> Folded | None:
    """The row that begins at or after `start`; None = nothing more is shown."""
    at = start
    while at < len(items):
        item = items[at]
        first = not is_agents(before)
        if item.entry is not None and item.entry.kind == "tool":
            found = _tool(items, start, at, first, ground)
        else:
            found = Folded(_plain(item, at, first, ground), start, at + 1)
        if found is not None:
            return found
        at += 1
    return None


def _plain(item: Item, at: int, first: bool, ground: Ground) -> Row:
    if item.note is not None:
        note = item.note
        return NoteRow(f"note-{note.note_id}", note.text, note.created_ms, note.delivered_ms)
    if item.task is not None:
        record = item.task.record
        return DelegationRow(
            f"task-{record.task_id}",
            record.task_id,
            record.agent_type,
            record.task_text,
            record.created_ms,
            first=first,
        )
    entry = item.entry
    assert entry is not None, "an item holds one thing"
    key, live = f"entry-{entry.seq}", entry.seq == ground.live_seq
    match entry.kind:
        case "user":
            return UserRow(key, entry.text, entry.created_ms, images_of(entry.content))
        case "thought":
            after = ground.after_ms(at)
            seconds = max(0, after - entry.created_ms) // 1000 if after is not None and not live else None
            return ThoughtRow(key, entry.text, seconds, live, first)
        case "plan":
            steps = tuple(Step(str(step.get("content", "")), str(step.get("status", ""))) for step in entry.plan)
            return PlanRow(key, steps, first)
        case "notice":
            return NoticeRow(key, entry.text, entry.status or "info", entry.created_ms)
        case _:
            return MessageRow(key, entry.text, entry.created_ms, live, first, images_of(entry.content))


def _tool(items: Sequence[Item], start: int, at: int, first: bool, ground: Ground) -> Folded | None:
    entry = items[at].entry
    assert entry is not None, "the caller looked"
    kind = ground.kind(entry)
    if isinstance(kind, Delegating):
        return Folded(_delegation(entry, kind, first, ground), start, at + 1)
    if isinstance(kind, AnsweredRow):
        return Folded(replace(kind, first=first), start, at + 1)
    if isinstance(kind, ToolRow):
        return _run_of_tools(items, start, at, first, ground)
    return _polls(items, start, at, first, ground)


def _delegation(entry: Entry, kind: Delegating, first: bool, ground: Ground) -> DelegationRow:
    return DelegationRow(
        key=f"entry-{entry.seq}",
        task_id=ground.task_of_call(entry),
        agent_type=kind.agent,
        task=kind.task,
        at_ms=entry.created_ms,
        failure=kind.failure,
        first=first,
    )


def _run_of_tools(items: Sequence[Item], start: int, at: int, first: bool, ground: Ground) -> Folded:
    """Settled calls in a row become a group; fewer than three, or one that runs, stand alone."""
    calls: list[ToolRow] = []
    end = at
    while end < len(items) and len(calls) < GROUP_MOST:
        entry = items[end].entry
        if entry is None or entry.kind != "tool":
            break
        kind = ground.kind(entry)
        if not isinstance(kind, ToolRow) or kind.status == "running":
            break
        calls.append(kind)
        end += 1
    if len(calls) >= GROUP:
        return Folded(ToolGroupRow(f"group-{calls[0].key}", tuple(calls), first), start, end)
    entry = items[at].entry
    assert entry is not None, "the caller looked"
    alone = ground.kind(entry)
    assert isinstance(alone, ToolRow), "the caller looked"
    return Folded(replace(alone, first=first), start, at + 1)


def _polls(items: Sequence[Item], start: int, at: int, first: bool, ground: Ground) -> Folded | None:
    """All polls up to the next other entry: one line. Those of which nothing is known yet are not shown."""
    polls: list[Polling] = []
    end, key = at, ""
    while end < len(items) and end - at < POLLS_MOST:
        entry = items[end].entry
        if entry is None or entry.kind != "tool":
            break
        kind = ground.kind(entry)
        if isinstance(kind, Polling):
            key = key or f"poll-{entry.seq}"
            polls.append(kind)
        elif not isinstance(kind, Hidden):
            break
        end += 1
    shown = [poll for poll in polls if not poll.empty]
    if not shown:
        return None
    checks = tuple(check for poll in shown for check in poll.checks)
    return Folded(PollRow(key, checks, len(shown), shown[-1].open, first), start, end)
