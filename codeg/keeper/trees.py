"""Who belongs to a tree, judged on a table of processes. Pure: no I/O, no signals.

Used where the kernel does not hand orphans to the keeper: on systems without subreapers, and where the keeper was
killed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from codeg.keeper.linux import Process


def with_descendants(table: dict[int, Process], roots: Iterable[Process]) -> list[Process]:
    """The roots that are in the table as the very same process, and all below them, parents first.

    A child counts only if it is no older than its parent: what was there before the parent cannot come from it.
    """
    children: dict[int, list[Process]] = {}
    for process in table.values():
        children.setdefault(process.parent, []).append(process)
    queue = [here for root in roots if (here := table.get(root.pid)) is not None and here.key == root.key]
    seen = {process.pid for process in queue}
    for parent in queue:
        for child in children.get(parent.pid, ()):
            if child.pid not in seen and child.start >= parent.start:
                seen.add(child.pid)
                queue.append(child)
    return queue


def of_session(table: dict[int, Process], leader: Process) -> list[Process]:
    """The members of the session (or group) that `leader` opened, itself not counted.

    While any member lives the system gives the leader's pid to nobody else. So where that pid now belongs to another
    process, the session is not the one we know, and nobody is named. Where it belongs to nobody, the caller must know
    that the session has not been empty since it looked last.
    """
    now = table.get(leader.pid)
    if now is not None and now.key != leader.key:
        return []
    return [each for each in table.values() if each.session == leader.pid != each.pid and each.start >= leader.start]


def orphans(
    table: dict[int, Process], adopters: set[int], marks: Mapping[str, int], mark_of: Callable[[Process], str]
) -> list[Process]:
    """Processes that carry one of our marks and whose parent is gone: one of the `adopters` is their parent now.

    `marks`: mark to start time of its keeper. The mark alone is not enough. Environments travel: an editor that was
    told of an agent's environment may start a shell with it.
    """
    found: list[Process] = []
    for process in table.values():
        if process.parent in adopters:
            since = marks.get(mark_of(process))
            if since is not None and process.start >= since:
                found.append(process)
    return found
