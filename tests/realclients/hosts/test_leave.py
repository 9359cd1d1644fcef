"""Without `--approve` a program asks before it runs our tools: in print mode, where nobody answers, nothing is begun."""

from codeg.sessions.envelopes import reports_of, task_id_of
from tests.realclients.hosts.work import add, delegate
from tests.realclients.machine import Machine
from tests.realclients.model import in_turns, marked, say
from tests.realclients.programs import HostProgram


def test_without_approval_nothing_runs_unasked(program: HostProgram, machine: Machine) -> None:
    machine.rig.start()
    add(program, machine)
    machine.model.script("go", in_turns(delegate(program, "demo", "readme"), say("END")))
    program.start(machine, f"go {marked('go')}").wait()
    shown = machine.model.results("go")[0]
    tasks = machine.rig.codeg_json("task", "list")
    if program.asks:
        assert tasks == []
        # What a program says in our stead is never taken for our answer.
        assert (reports_of(shown), task_id_of(shown)) == ((), "")
    else:
        assert [each["task_id"] for each in tasks] == [task_id_of(shown)]
