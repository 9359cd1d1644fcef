"""A task is cancelled while its agent runs a command: its end is `canceled`, and no process of it lives on."""

from tests.realclients.agents.work import Work
from tests.realclients.matrix import Cell
from tests.realclients.model import Turn, in_turns, say
from tests.realclients.reaper import command_line
from tests.support import until


def test_a_cancelled_task_ends_with_all_that_its_agent_started(work: Work, cell: Cell) -> None:
    program = work.program
    cell("agents", program.label, program.version, "cancel")
    at_work = f"tail -s {600_000 + int(work.machine.rig.run_id[:4], 16)} -f /dev/null"
    shell = Turn(calls=(program.shell(at_work),), text="Before.")
    task_id = work.begin("cancel", in_turns(shell, say("After.")))
    with work.allowing():
        until(lambda: any(at_work in command_line(pid) for pid in work.tree()), "the command runs", 120)
    tree = work.tree()
    assert command_line(work.agent())
    work.companion.call("cancel_delegation", task_id=task_id)
    report = work.end(task_id)
    assert (report["status"], report["error_code"]) == ("canceled", "canceled"), report
    work.nothing_left(tree)
    assert work.tools(task_id)
    assert [tool for tool in work.tools(task_id) if tool.status in ("pending", "in_progress")] == []
