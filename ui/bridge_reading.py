"""What is read of the host in the window's own shapes.

Owns the reading only; runs on the host's thread.
"""

from collections.abc import Sequence

from codeg.api import Host, TaskView
from ui.orders import AgentInfo


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


async def with_tasks(host: Host, session_ids: Sequence[str], most: int) -> tuple[TaskView, ...]:
    """The tasks of these sessions and of all below them, newest first a level, at most so many."""
    known, parents = set(session_ids), tuple(session_ids)
    found: list[TaskView] = []
    while parents and len(found) < most:
        level = await host.tasks(most - len(found), None, parents)
        found += level
        parents = tuple(view.record.child_id for view in level if view.record.child_id not in known)
        known.update(parents)
    return tuple(found)
