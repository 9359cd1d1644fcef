"""An outside session that hands tasks to real agents, and what a test looks at meanwhile.

Owns one companion (driven as an MCP client drives it) and the person's side of the same host. Every wait has a
deadline; what an agent asks leave for is answered by the kind of an option, never by its place or id.
"""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from codeg.api import OperatorClient, UserError
from codeg.broker.tasks import TaskRecord
from codeg.sessions.types import Entry
from codeg.store.homes import home_paths
from codeg.store.store import Store
from tests.realclients.agents.programs import AgentProgram
from tests.realclients.machine import Machine
from tests.realclients.model import Script, marked
from tests.realclients.model.server import PATIENCE
from tests.realclients.reaper import command_line, descendants
from tests.support import until

Json = dict[str, Any]
ENDED_PATIENCE = 120.0
"""Seconds from a delegation to its end on a loaded machine; the slowest program starts for 15 s."""


class Work:
    """One host, one outside session, one program that is asked to work for it."""

    def __init__(self, machine: Machine, program: AgentProgram) -> None:
        self.machine = machine
        self.program = program
        self.folder = machine.place.folder
        self.companion = machine.rig.companion()
        self.operator = OperatorClient(str(machine.rig.home))

    def begin(self, name: str, script: Script) -> str:
        """Hand the program a task that its model answers by this script; the task's id."""
        self.machine.model.script(name, script)
        report = self.companion.delegate(self.program.slug, f"Do as the script says. {marked(name)}")
        assert report["status"] in ("running", "queued"), report
        return report["task_id"]

    def end(self, task_id: str) -> Json:
        """Its report at the end."""
        return self.companion.wait(task_id, ENDED_PATIENCE)

    def asked(self) -> list[Json]:
        """What waits for the person."""
        return self.operator.request("asks")

    def ask(self, task_id: str) -> Json:
        """The one permission that the task waits for, once there is one."""

        def waits_or_ended() -> object:
            return self.asked() or self.operator.request("show", task_id=task_id)["status"] not in ("queued", "running")

        until(waits_or_ended, "the agent asks leave", ENDED_PATIENCE)
        waiting = self.asked()
        assert len(waiting) == 1, (waiting, self.operator.request("show", task_id=task_id))
        return waiting[0]

    def answer(self, ask: Json, kind: str) -> None:
        """Answer by the first option of the kind."""
        option = next(option for option in ask["options"] if option["kind"] == kind)
        self.operator.request("answer", request_id=ask["request_id"], option=option["id"])

    @contextmanager
    def allowing(self) -> Generator[list[Json]]:
        """A person who allows once whatever is asked; what was asked, in order."""
        seen: list[Json] = []
        over = threading.Event()

        def sit() -> None:
            while not over.wait(0.05):
                for ask in self.asked():
                    try:
                        self.answer(ask, "allow_once")
                    except UserError:  # it was withdrawn in between
                        continue
                    seen.append(ask)

        person = threading.Thread(target=sit)
        person.start()
        try:
            yield seen
        finally:
            over.set()
            person.join()

    def record(self, task_id: str) -> TaskRecord:
        """The task as it is stored."""
        with Store.open_readonly(home_paths(str(self.machine.rig.home)).store_file) as store:
            found = store.task(task_id)
        assert found is not None
        return found

    def entries(self, task_id: str) -> list[Entry]:
        """What its session holds, as it is stored."""
        with Store.open_readonly(home_paths(str(self.machine.rig.home)).store_file) as store:
            task = store.task(task_id)
            assert task is not None
            return list(store.entries(task.child_id, -1, 1_000))

    def tools(self, task_id: str) -> list[Entry]:
        """Its tool calls."""
        return [entry for entry in self.entries(task_id) if entry.kind == "tool"]

    def agent(self) -> int:
        """Pid of the one agent program that works."""
        assert self.machine.rig.host is not None
        host = self.machine.rig.host.pid
        keepers = [pid for pid in descendants(host) if "codeg.keeper" in command_line(pid)]
        agents = [pid for keeper in keepers for pid in children(keeper)]
        assert len(agents) == 1, [command_line(pid) for pid in agents]
        return agents[0]

    def tree(self) -> set[int]:
        """Pids below the host, keepers among them; none where it is gone."""
        host = self.machine.rig.host
        return set(descendants(host.pid)) if host is not None else set()

    def nothing_left(self, tree: set[int]) -> None:
        """None of these processes lives any more, and none is left below the host."""

        def left() -> list[str]:
            return [f"{pid} {command_line(pid)}" for pid in sorted(tree | self.tree()) if command_line(pid)]

        until(lambda: not left(), f"no process is left; there is {left()}", PATIENCE)


def children(pid: int) -> list[int]:
    """Pids right below a process; none when it has ended."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []
