"""An agent's program is killed in its turn: the task says so, with what it had written, and nothing is left of it."""

import os
import signal

from tests.realclients.agents.work import Work
from tests.realclients.matrix import Cell
from tests.realclients.model import Turn, in_turns


def test_a_killed_agent_is_a_crash_and_leaves_nothing(work: Work, cell: Cell) -> None:
    program = work.program
    cell("agents", program.label, program.version, "crash")
    script = in_turns(Turn(text="Never said.", hang="crash"))
    task_id = work.begin("crash", script)
    work.machine.model.reached("crash")
    tree = work.tree()
    os.kill(work.agent(), signal.SIGKILL)
    report = work.end(task_id)
    assert (report["status"], report["error_code"]) == ("failed", "agent_crashed"), report
    assert "was ended by signal 9 (SIGKILL) during session/prompt." in report["message"]
    assert "Last lines of its stderr:" in report["message"] or not program.chatty
    assert "Never said." not in report.get("text", "")
    work.nothing_left(tree)
