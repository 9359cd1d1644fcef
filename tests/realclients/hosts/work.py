"""Scripts of a host program's model: hand work to a child, wait for it, read what came. Readers of what it was shown."""

from pathlib import Path
from typing import Any

from codeg.sessions.envelopes import levels_in, reports_of, task_id_of
from tests.realclients.machine import Machine
from tests.realclients.model import Script, Seen, Turn
from tests.realclients.model.script import Json
from tests.realclients.programs import HostProgram
from tests.realclients.running import Running

FAKE = "custom:fake"


def add(program: HostProgram, machine: Machine, *flags: str) -> None:
    """Register Codeg in the program, as a person does."""
    done = machine.rig.codeg("mcp", "add", program.slug, *flags, patience=120)
    assert done.returncode == 0, done.stderr


def one(program: HostProgram, tool: str, **arguments: Any) -> Turn:
    """A turn that calls one tool of ours."""
    return Turn(calls=(program.call(tool, **arguments),))


def delegate(program: HostProgram, agent: str, task: str) -> Turn:
    return one(program, "delegate_to_agent", agent_type=agent, task=task)


def status(program: HostProgram, gate: str = "", **arguments: Any) -> Script:
    """Ask for the task that the first result acknowledged. `gate`: the model thinks until it is opened."""

    def decide(seen: Seen) -> Turn:
        call = program.call("get_delegation_status", task_ids=[task_id_of(seen.results[0])], **arguments)
        return Turn(calls=(call,), gate=gate)

    return decide


def cancel(program: HostProgram) -> Script:
    return lambda seen: one(program, "cancel_delegation", task_id=task_id_of(seen.results[0]))


def report_in(shown: str) -> Json:
    """The one report in a status reply, whole, out of whatever the program wraps results in."""
    for level in levels_in(shown):
        if level.get("tasks"):
            return level["tasks"][0]
    raise AssertionError(f"no reply of ours: {shown[:2_000]!r}")


def end_of(running: Running) -> None:
    """The program ends by itself, and well."""
    code = running.wait()
    assert code == 0, f"exit {code}\n{running.stdout[-3_000:]}\n{running.stderr[-3_000:]}"


def states(results: tuple[str, ...]) -> list[str]:
    """Status of the first report in each result; "" where there is none."""
    return [found[0].status if (found := reports_of(each)) else "" for each in results]


def outside(machine: Machine, program: HostProgram) -> Json:
    """The outside session of the program, as `codeg sessions` tells it; there is one."""
    sessions: list[Json] = machine.rig.codeg_json("sessions")
    found = [each for each in sessions if each.get("host")]
    assert len(found) == 1, sessions
    assert found[0]["host"] == program.client
    return found[0]


def task(machine: Machine) -> Json:
    """The only task there is."""
    tasks: list[Json] = machine.rig.codeg_json("task", "list")
    assert len(tasks) == 1, tasks
    return tasks[0]


def gate_file(machine: Machine) -> Path:
    """A file that a child waits for."""
    return machine.temporary / "go"
