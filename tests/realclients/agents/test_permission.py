"""An agent asks leave for a command: in its own words, answered by kind, and it keeps to the answer."""

from tests.realclients.agents.work import Work
from tests.realclients.matrix import Cell
from tests.realclients.model import Turn, in_turns, say

ENDS = {
    "ends its turn": "Refusing a command ends its turn.",
    "cancels its turn": "Refusing a command cancels its turn: the task ends as `child_unknown` and says so.",
}
NEVER_ASKS = "It asks no leave for its tools."


def test_an_allowed_command_runs(work: Work, cell: Cell) -> None:
    program = work.program
    cell("agents", program.label, program.version, "permission")
    shell = Turn(calls=(program.shell("touch made.txt"),), text="Before.")
    task_id = work.begin("allow", in_turns(shell, say("After.")))
    if program.options:
        ask = work.ask(task_id)
        assert "touch made.txt" in ask["title"]
        assert (ask["kind"], ask["task_id"]) == ("permission", task_id)
        offered = {option["kind"]: option["name"] for option in ask["options"]}
        assert program.options.items() <= offered.items(), offered
        blocked = work.companion.status(task_id)[0]["blocked_on"]
        assert (blocked["kind"], blocked["request_id"]) == ("permission", ask["request_id"])
        assert not (work.folder / "made.txt").exists()
        work.answer(ask, "allow_once")
    else:
        cell.deviates(NEVER_ASKS)
    report = work.end(task_id)
    assert (report["status"], report.get("text")) == ("completed", "After."), report
    assert (work.folder / "made.txt").exists()
    [tool] = work.tools(task_id)
    assert tool.status == "completed"


def test_a_refused_command_does_not_run(work: Work, cell: Cell) -> None:
    program = work.program
    cell("agents", program.label, program.version, "permission")
    if not program.options:
        cell.deviates(NEVER_ASKS)
        return
    shell = Turn(calls=(program.shell("touch made.txt"),), text="Before.")
    task_id = work.begin("reject", in_turns(shell, say("After.")))
    work.answer(work.ask(task_id), "reject_once")
    report = work.end(task_id)
    assert not (work.folder / "made.txt").exists()
    [tool] = work.tools(task_id)
    assert tool.status in ("failed", "cancelled"), "no call stays open"
    if program.refused == "goes on":
        assert (report["status"], report.get("text")) == ("completed", "After."), report
        return
    cell.deviates(ENDS[program.refused])
    assert report.get("text") == "Before.", report
    if program.refused == "ends its turn":
        assert report["status"] == "completed"
    else:
        assert (report["status"], report["error_code"]) == ("failed", "child_unknown")
        assert "It did so after it was refused leave for “touch made.txt”." in report["message"]
