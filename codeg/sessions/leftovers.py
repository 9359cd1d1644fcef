"""Ends agent trees whose keeper cannot: killed, hung, or left by a host that is gone.

Owns the search for such trees and their end. A process is taken for ours only on one of these grounds: its pid, start
time and boot id are recorded; it descends from such a process; it is in the session of an agent that still lives; or
it carries the tree's marker and its own parent has gone. Nothing else is ever signalled. What it cannot find is a
process that outlived a *killed* keeper, left its session and took the marker out of its environment.
"""

import logging
import os
import signal
import sys
from collections.abc import Iterable

import anyio

from codeg.keeper import trees
from codeg.keeper.linux import Process
from codeg.keeper.messages import MARKER, marker
from codeg.sessions.types import ProcessStarted

if sys.platform == "linux":
    from codeg.keeper import linux as system
else:
    from codeg.keeper import macos as system

if sys.platform == "win32":
    from codeg.sessions.windows_calls import WindowsCalls

_log = logging.getLogger(__name__)

KEEPER_TIME_S = 5.0
"""How long keepers of an earlier host may take: they see its end and clear up by themselves."""

TERM_S = 1.0
KILL_S = 3.0
_LOOK_S = 0.05


class _Search:
    """Finds what is left of some trees. A process once found to be ours stays ours wherever it moves."""

    def __init__(self, identities: Iterable[ProcessStarted]) -> None:
        boot = system.boot_id()
        self._identities = [each for each in identities if each.boot_id == boot]
        self._keepers = [Process(each.keeper_pid, each.keeper_start, 0, 0, "") for each in self._identities]
        self._keeper_keys = {each.key for each in self._keepers}
        self._marks = {marker(each.keeper_pid, each.keeper_start): each.keeper_start for each in self._identities}
        self._known: dict[tuple[int, int], Process] = {}

    def keepers(self) -> list[Process]:
        """The keepers that still live."""
        self._keepers = [each for each in self._keepers if _lives(each)]
        return self._keepers

    def members(self) -> list[Process]:
        """Every living process of the trees but the keepers, which must go last: orphans come to them."""
        if not self._identities:
            return []
        table = system.everyone()
        roots = self._roots(table)
        sure = {each.key for each in roots}
        pids: set[int] = set()
        found: list[Process] = []
        for process in trees.with_descendants(table, roots):
            if process.key in sure or (process.parent in pids and _lives(table[process.parent])):
                pids.add(process.pid)
                found.append(process)
        found = [each for each in found if each.key not in self._keeper_keys and not each.ended]
        self._known |= {each.key: each for each in found}
        return found

    def _roots(self, table: dict[int, Process]) -> list[Process]:
        roots = [*self._known.values(), *self._keepers]
        for identity in self._identities:
            agent = Process(identity.agent_pid, identity.agent_start, 0, 0, "")
            if (living := table.get(agent.pid)) is not None and living.key == agent.key:
                roots += [living, *trees.of_session(table, agent)]
        return roots + trees.orphans(table, _adopters(table), self._marks, _mark)


def _lives(process: Process) -> bool:
    """Look again: a table is not read in one moment, and a pid in it may have passed to a stranger meanwhile."""
    now = system.read(process.pid)
    return now is not None and now.key == process.key and not now.ended


def _mark(process: Process) -> str:
    return system.environment_value(process.pid, MARKER)


def _adopters(table: dict[int, Process]) -> set[int]:
    """Who takes orphans in: process 1, the user's service manager, and whoever stands above us."""
    found = {1}
    found |= {each.pid for each in table.values() if each.parent == 1 and system.program_name(each.pid) == "systemd"}
    above = table.get(os.getppid())
    while above is not None and above.pid not in found:
        found.add(above.pid)
        above = table.get(above.parent)
    return found


def _signal(processes: Iterable[Process], number: signal.Signals, sent: set[tuple[int, int, int]]) -> None:
    for process in processes:
        mark = (*process.key, number)
        if mark not in sent and system.send(process, number):
            sent.add(mark)
            _log.info("sent %s to process %d (start %d)", number.name, process.pid, process.start)


async def _end(search: _Search, term_s: float, kill_s: float) -> None:
    assert sys.platform != "win32", "a job ends without us"
    sent: set[tuple[int, int, int]] = set()
    for number, time_s in ((signal.SIGTERM, term_s), (signal.SIGKILL, kill_s)):
        with anyio.move_on_after(time_s):
            while members := search.members():
                _signal(members, number, sent)
                await anyio.sleep(_LOOK_S if number == signal.SIGTERM else _LOOK_S / 5)
    _signal(search.keepers(), signal.SIGKILL, sent)
    for left in search.members():
        _log.warning("process %d (start %d) of an agent could not be ended", left.pid, left.start)


async def end_tree(identity: ProcessStarted, *, term_s: float = TERM_S, kill_s: float = KILL_S) -> None:
    """End one tree without its keeper: TERM, after `term_s` KILL; gives up `kill_s` later. The keeper goes last."""
    await _end(_Search([identity]), term_s, kill_s)


async def end_leftovers(identities: Iterable[ProcessStarted]) -> None:
    """End what earlier hosts left, and return when it is gone, within 10 s (contract 7).

    Keepers that live are given `KEEPER_TIME_S` to finish; whatever remains is ended by us. Identities of another
    boot, and pids that belong to other processes by now, cost nothing and are not touched.
    """
    if sys.platform == "win32":  # a job has ended with its host
        return
    search = _Search(identities)
    with anyio.move_on_after(KEEPER_TIME_S):
        while search.keepers():  # noqa: ASYNC110  # they are not our children: nothing tells of their end
            await anyio.sleep(_LOOK_S)
    await _end(search, TERM_S, KILL_S)


def still_alive(identity: ProcessStarted) -> bool:
    """Whether any process of this tree, its keeper included, lives."""
    if sys.platform == "win32":
        return WindowsCalls().created(identity.agent_pid) == identity.agent_start != 0
    search = _Search([identity])
    return bool(search.keepers() or search.members())
