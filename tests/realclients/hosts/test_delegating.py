"""The model of a host program hands work to a child and reads its result, in time and beyond the program's own limit."""

from tests.realclients.hosts.work import FAKE, delegate, end_of, gate_file, outside, report_in, states, status, task
from tests.realclients.machine import Machine
from tests.realclients.matrix import Cell
from tests.realclients.model import in_turns, marked, say
from tests.realclients.programs import HostProgram

LIMIT_S = 15
"""The program's limit for one call in these tests, seconds."""
WAIT_MS = 3_000
"""How long the companion may wait in one call."""


def test_a_task_is_delegated_and_its_result_read(registered: HostProgram, machine: Machine, cell: Cell) -> None:
    program, model = registered, machine.model
    cell("hosts", program.label, program.version, "delegate")
    (machine.place.folder / "README.md").write_text("# Grüße, 世界\n")
    wait = status(program, wait_ms=30_000)
    model.script("go", in_turns(delegate(program, "demo", "readme"), wait, say("END {result}")))
    running = program.start(machine, f"go {marked('go')}")
    end_of(running)
    assert states(model.results("go")) == ["running", "completed"]
    assert "# Grüße, 世界" in report_in(model.results("go")[1])["text"]
    assert "Grüße" in program.answer(running)
    there = outside(machine, program)
    child = task(machine)
    nested = [each for each in machine.rig.codeg_json("sessions") if each["parent"] == there["id"]]
    assert [each["id"] for each in nested] == [child["child_conversation_id"]]
    assert (child["agent_type"], child["status"]) == ("demo", "completed")


def test_a_wait_ends_before_the_programs_limit_and_goes_on(
    registered: HostProgram, machine: Machine, cell: Cell
) -> None:
    program, model, go = registered, machine.model, gate_file(machine)
    cell("hosts", program.label, program.version, "wait")
    program.adjust(machine.place, limit_s=LIMIT_S, max_wait_ms=WAIT_MS)
    wait, again = status(program, wait_ms=0), status(program, "again", wait_ms=0)
    work = delegate(program, FAKE, f"@wait {go} @say Finished.")
    model.script("go", in_turns(work, wait, again, say("END {result}")))
    running = program.start(machine, f"go {marked('go')}")
    model.reached("again")
    snapshot = report_in(model.results("go")[1])
    assert snapshot["status"] == "running"
    assert "again" in model.results("go")[1]
    go.touch()
    model.release("again")
    end_of(running)
    last = report_in(model.results("go")[2])
    assert (last["status"], last["text"], last["attempt"]) == ("completed", "Finished.", 1)
