"""A real agent delegates further through the companion that it was given, and reads the result."""

import re

from tests.realclients.agents.programs import AgentProgram
from tests.realclients.agents.work import Work
from tests.realclients.matrix import Cell
from tests.realclients.model import Script, Seen, Turn, in_turns, say


def task_in(result: str) -> str:
    """The task id in the words of an acknowledgement."""
    found = re.search(r"task_id[=\"': \\]+([\w-]+)", result)
    assert found is not None, result
    return found[1]


def handing_on(program: AgentProgram) -> Script:
    """The program's model delegates to the demo agent, waits, and says what came of it."""

    def waiting(seen: Seen) -> Turn:
        if not program.mcp:
            return say(seen.last)
        return Turn(calls=(program.own("get_delegation_status", task_ids=[task_in(seen.results[0])], wait_ms=0),))

    hand_on = Turn(calls=(program.own("delegate_to_agent", agent_type="demo", task="readme"),), text="I hand it on.")
    return in_turns(hand_on, waiting, say("It said: {result}"))


def test_a_task_is_handed_on_and_its_result_comes_back(work: Work, cell: Cell) -> None:
    program = work.program
    cell("agents", program.label, program.version, "nested")
    (work.folder / "README.md").write_text("# Grüße, 世界\n", encoding="utf-8")
    task_id = work.begin("nested", handing_on(program))
    with work.allowing() as asks:
        report = work.end(task_id)
    if not program.mcp:
        assert "Grüße" not in report.get("text", "")
        cell.cannot("It starts no MCP servers, so it has none of our tools.")
        return
    assert report["status"] == "completed", report
    assert "Grüße, 世界" in report["text"], report
    inner = task_in(work.machine.model.results("nested")[0])
    record = work.record(inner)
    assert (record.agent_type, record.parent_task_id) == ("demo", task_id)
    [call] = [tool for tool in work.tools(task_id) if "delegate_to_agent" in f"{tool.tool_name} {tool.title}"]
    assert record.tool_use_id == call.tool_call_id
    assert call.status == "completed"
    for ask in asks:
        assert ask["title"] != "Run a tool", "title and input are joined from the call"
