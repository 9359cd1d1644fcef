"""What is read of the host in the window's own shapes: the catalogue, sessions with everything below and above them.

Owns the reading only; runs on the host's thread.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from codeg.api import Host, SessionRecord, TaskView
from ui.orders import AgentInfo

PAGE = 500
ROOTS, MOST_SESSIONS, MOST_TASKS = 100, 3_000, 5_000
"""Pages are read until so many sessions are no children, or so many are read in all; then so many tasks at most."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Sessions of a stretch of time, newest first, with the ancestors of those that are children, and all their tasks.

    `cursor`: id of the last session of the stretch, where the next one begins; None = there is no more.
    """

    sessions: tuple[SessionRecord, ...]
    tasks: tuple[TaskView, ...]
    cursor: str | None


async def read_stretch(host: Host, before: str | None = None) -> Stretch:
    """The next stretch. Children are sessions too, so pages are read until there is something for the person."""
    found: dict[str, SessionRecord] = {}
    roots, cursor = 0, before
    while roots < ROOTS and len(found) < MOST_SESSIONS:
        page = await host.sessions(PAGE, cursor)
        found |= {record.session_id: record for record in page}
        roots += sum(1 for record in page if record.kind != "child")
        cursor = page[-1].session_id if page else cursor
        if len(page) < PAGE:
            cursor = None
            break
    for record in await _above(host, found.values()):
        found.setdefault(record.session_id, record)
    return Stretch(tuple(found.values()), await _tasks_below(host, tuple(found)), cursor)


async def _above(host: Host, records: Iterable[SessionRecord]) -> list[SessionRecord]:
    """Ancestors that are older than the stretch."""
    known = {record.session_id for record in records}
    wanted = {above for record in records for above in (record.parent_id, record.root_id) if above is not None} - known
    found: list[SessionRecord] = []
    while wanted:
        session_id = wanted.pop()
        known.add(session_id)
        record = await host.session(session_id)
        if record is not None:
            found.append(record)
            wanted |= {above for above in (record.parent_id, record.root_id) if above is not None} - known
    return found


async def _tasks_below(host: Host, session_ids: Sequence[str]) -> tuple[TaskView, ...]:
    """The tasks of these sessions and of all below them, newest first a level."""
    known, parents = set(session_ids), tuple(session_ids)
    found: list[TaskView] = []
    while parents and len(found) < MOST_TASKS:
        level = await host.tasks(MOST_TASKS - len(found), None, parents)
        found += level
        parents = tuple(view.record.child_id for view in level if view.record.child_id not in known)
        known.update(parents)
    return tuple(found)


def agents_of(host: Host) -> tuple[AgentInfo, ...]:
    """The catalogue, as the window lists it."""
    return tuple(
        AgentInfo(
            slug=listed["slug"],
            label=listed["label"],
            installed=bool(listed["installed"]),
            enabled=bool(listed["enabled"]),
            command=tuple(listed.get("command", ())),
            install=str(listed.get("how_to_install", "")),
            custom=str(listed["slug"]).startswith("custom:"),
        )
        for listed in host.catalogue.listing()
    )
