"""A task goes to a real agent, and its final text comes back: nothing else in it."""

from tests.realclients.agents.work import Work
from tests.realclients.matrix import Cell
from tests.realclients.model import Turn

SAID = "Grüße, 世界 😀: it is done.\nIn two lines."


def test_the_final_text_comes_back_alone(work: Work, cell: Cell) -> None:
    program = work.program
    cell("agents", program.label, program.version, "prompt")
    task_id = work.begin("prompt", lambda _: Turn(text=SAID, thought="A thought that is nobody's result."))
    report = work.end(task_id)
    assert (report["status"], report.get("text")) == ("completed", SAID), report
    usage = report.get("usage", {})
    assert ("input_tokens" in usage, "output_tokens" in usage) == (program.tokens, program.tokens), usage
    assert ("context_used" in usage) == program.context, usage
    entries = work.entries(task_id)
    assert [entry.text for entry in entries if entry.kind == "message"] == [SAID]
    thoughts = "".join(entry.text for entry in entries if entry.kind == "thought")
    assert ("A thought that is nobody's result." in thoughts) == program.thoughts, entries
    if not program.tokens:
        cell.deviates("It tells no tokens of a turn.")
