"""A task that was cancelled, or whose agent or host was killed, goes on in the agent's own session; history is no result."""

import os
import signal
from collections.abc import Callable

import pytest

from tests.realclients.agents.work import ENDED_PATIENCE, Work
from tests.realclients.matrix import Cell
from tests.realclients.model import Seen, Turn, in_turns, say


def kill(work: Work, _task_id: str) -> None:
    os.kill(work.agent(), signal.SIGKILL)


def cancel(work: Work, task_id: str) -> None:
    work.companion.call("cancel_delegation", task_id=task_id)


def kill_host(work: Work, _task_id: str) -> None:
    tree = work.tree()
    work.machine.rig.kill_host()
    work.nothing_left(tree)
    work.machine.rig.start()


@pytest.mark.parametrize("stop", [kill, cancel, kill_host])
def test_a_stopped_task_goes_on_where_it_was(work: Work, cell: Cell, stop: Callable[[Work, str], None]) -> None:
    program = work.program
    cell("agents", program.label, program.version, "resume")
    again = Turn(calls=(program.shell("touch resumed.txt"),), text="Once more.")
    # Results count from the first prompt on, so that of the second script the first call is answered already.
    scripts = [
        in_turns(
            Turn(calls=(program.shell("touch begun.txt"),), text="A first word."), Turn(text="Lost.", hang="gate")
        ),
        in_turns(Turn(calls=(program.shell("touch begun.txt"),)), again, say("Resumed and done.")),
    ]

    def present(seen: Seen) -> Turn:
        return scripts[0](seen)

    task_id = work.begin("resume", present)
    with work.allowing():
        work.machine.model.reached("gate")
    assert (work.folder / "begun.txt").exists()
    stop(work, task_id)
    assert work.end(task_id)["status"] in ("failed", "canceled", "interrupted")
    work.nothing_left(set())
    before = len(work.entries(task_id))
    del scripts[0]
    report = work.companion.call("resume_delegation", task_id=task_id)["structuredContent"]
    if not program.resumes:
        refused(report, cell)
        return
    assert (report["status"], report["attempt"]) == ("running", 2), report
    if program.options:  # asked again: the mode was set again, whatever the program falls back to
        work.answer(work.ask(task_id), "allow_once")
    report = work.companion.wait(task_id, ENDED_PATIENCE)
    assert (report["status"], report.get("text"), report["attempt"]) == ("completed", "Resumed and done.", 2), report
    assert (work.folder / "resumed.txt").exists()
    later = [entry for entry in work.entries(task_id)[before:] if entry.kind != "notice"]
    assert "A first word." not in [entry.text for entry in later]
    assert [entry.kind for entry in later if entry.kind != "thought"] == ["user", "message", "tool", "message"]


def refused(report: dict[str, object], cell: Cell) -> None:
    """The program gives a reason why it cannot."""
    assert report["error_code"] == "resume_unavailable", report
    message = str(report["message"])
    assert "answered session/load with error" in message
    cell.cannot("It does not find its own session again (`session/load` fails): `resume_unavailable`.")
