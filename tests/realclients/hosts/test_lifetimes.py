"""Program, companion and host start and end in any order; tasks and their results outlive them all."""

from tests.realclients.hosts.work import FAKE, add, delegate, end_of, gate_file, one, report_in, states, status, task
from tests.realclients.machine import Machine
from tests.realclients.model import Seen, Turn, in_turns, marked, say
from tests.realclients.programs import HostProgram
from tests.support import until

GONE = {"gone"}


def test_a_later_start_reads_what_an_earlier_one_began(registered: HostProgram, machine: Machine) -> None:
    program, model, go = registered, machine.model, gate_file(machine)
    model.script("begin", in_turns(delegate(program, FAKE, f"@wait {go} @say Finished."), say("END")))
    end_of(program.start(machine, f"go {marked('begin')}"))
    until(
        lambda: {each["state"] for each in machine.rig.codeg_json("sessions") if "host" in each} == GONE, "it is gone"
    )
    go.touch()
    ids = [task(machine)["task_id"]]
    model.script("read", in_turns(one(program, "get_delegation_status", task_ids=ids, wait_ms=30_000), say("END")))
    end_of(program.start(machine, f"go {marked('read')}"))
    assert report_in(model.results("read")[0])["text"] == "Finished."


def test_a_host_that_starts_later_serves_the_next_call(program: HostProgram, machine: Machine) -> None:
    model, rig = machine.model, machine.rig
    add(program, machine, "--approve")

    def again(_: Seen) -> Turn:
        return Turn(delegate(program, "demo", "readme").calls, gate="again")

    model.script("go", in_turns(delegate(program, "demo", "readme"), again, say("END")))
    running = program.start(machine, f"go {marked('go')}")
    model.reached("again")
    assert "codeg serve" in model.results("go")[0]
    rig.start()
    model.release("again")
    end_of(running)
    assert states(model.results("go"))[1] == "running"
    until(lambda: task(machine)["status"] == "completed", "the task ends")


def test_a_crash_of_the_host_interrupts_and_resume_goes_on(registered: HostProgram, machine: Machine) -> None:
    program, model, rig = registered, machine.model, machine.rig

    def resume(seen: Seen) -> Turn:
        return one(program, "resume_delegation", task_id=report_in(seen.results[1])["task_id"])

    script = in_turns(
        delegate(program, FAKE, f"@wait {gate_file(machine)} @say Never."),
        status(program, "crashed"),
        resume,
        status(program, wait_ms=30_000),
        say("END"),
    )
    model.script("go", script)
    running = program.start(machine, f"go {marked('go')}")
    model.reached("crashed")
    until(lambda: task(machine).get("started_at"), "the child works")
    rig.kill_host()
    rig.start()
    model.release("crashed")
    end_of(running)
    results = model.results("go")
    assert [report_in(results[1])["status"], states(results)[2]] == ["interrupted", "running"]
    last = report_in(results[3])
    assert (last["status"], last["attempt"]) == ("completed", 2)
    assert "Never" not in last["text"]


def test_two_tasks_called_for_at_once_are_waited_for_by_one_call(registered: HostProgram, machine: Machine) -> None:
    program, model = registered, machine.model
    both = [program.call("delegate_to_agent", agent_type="demo", task=each) for each in ("readme", "survey")]

    def wait(seen: Seen) -> Turn:
        ids = [task["task_id"] for task in machine.rig.codeg_json("task", "list")]
        assert len(seen.results) >= len(ids) == 2
        return one(program, "get_delegation_status", task_ids=ids, wait_ms=30_000)

    model.script("go", in_turns(Turn(calls=tuple(both)), wait, say("END")))
    end_of(program.start(machine, f"go {marked('go')}"))
    assert states(model.results("go")[:2]) == ["running", "running"]
    tasks = machine.rig.codeg_json("task", "list")
    until(lambda: {each["status"] for each in machine.rig.codeg_json("task", "list")} == {"completed"}, "both end")
    assert all(each["task_id"] in model.results("go")[2] for each in tasks)
