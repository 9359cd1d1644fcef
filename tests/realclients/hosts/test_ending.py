"""A call that the program gives up, and a program that dies: the task goes on, and is ended by whoever asks for it."""

import signal

import pytest

from tests.realclients.hosts.work import FAKE, cancel, delegate, end_of, gate_file, outside, states, status, task
from tests.realclients.machine import Machine
from tests.realclients.matrix import Cell
from tests.realclients.model import in_turns, marked, say
from tests.realclients.programs import HostProgram
from tests.support import until

SHORT_LIMIT_S = 8
"""The program's limit for one call, far below what the companion believes, in seconds."""
SHORTER_LIMIT_S = 4
"""The same below the time between two progress notifications, where these would extend it."""


def test_a_call_given_up_leaves_the_task_and_cancel_ends_it(
    registered: HostProgram, machine: Machine, cell: Cell
) -> None:
    program, model = registered, machine.model
    cell("hosts", program.label, program.version, "cancel")
    limit_s = SHORTER_LIMIT_S if program.patient else SHORT_LIMIT_S
    program.adjust(machine.place, limit_s=limit_s, max_wait_ms=120_000)
    work = delegate(program, FAKE, f"@wait {gate_file(machine)} @say Never.")
    script = in_turns(work, status(program, wait_ms=0), status(program), cancel(program), say("END {result}"))
    model.script("go", script)
    end_of(program.start(machine, f"go {marked('go')}"))
    acknowledged, given_up, snapshot, canceled = model.results("go")
    assert states((acknowledged, given_up, snapshot)) == ["running", "", "running"]
    assert states((canceled,)) == ["canceled"] or '"stopping":true' in canceled
    until(lambda: task(machine)["status"] == "canceled", "the task is canceled")
    assert not machine.rig.working()


@pytest.mark.parametrize("how", ["killed", "interrupted"])
def test_a_dead_program_leaves_no_companion_and_an_unattended_task(
    registered: HostProgram, machine: Machine, how: str
) -> None:
    program, model, go = registered, machine.model, gate_file(machine)
    work = delegate(program, FAKE, f"@wait {go} @say Finished.")
    model.script("go", in_turns(work, status(program, wait_ms=0), say("END")))
    running = program.start(machine, f"go {marked('go')}")
    until(lambda: task(machine).get("started_at") if machine.model.results("go") else None, "the child works", 60)
    assert running.companions()
    if how == "killed":
        running.kill()
    else:
        running.signal(signal.SIGINT)
    running.wait()
    assert not running.left
    until(lambda: outside(machine, program)["state"] == "gone", "the lease has ended")
    report = task(machine)
    assert (report["status"], report.get("unattended")) == ("running", True)
    go.touch()
    until(lambda: task(machine)["status"] == "completed", "the task goes on to its end")
