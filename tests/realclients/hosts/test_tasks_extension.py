"""Claude Code in a terminal takes a delegation as a task: no status call, the result comes by itself.

It declares the tasks extension in requests of its terminal only, not in print mode (measured, 2.1.332), so it runs in a
terminal of the test's own here; nothing is typed into it. Its own screen is not looked at.
"""

import json
import re
import signal
import sys
from collections.abc import Callable

import pytest

from tests.realclients.hosts.work import FAKE, delegate, gate_file, outside, task
from tests.realclients.machine import Machine
from tests.realclients.model import Seen, Turn, call, in_turns, marked, say
from tests.realclients.packages import PACKAGES, bin_of
from tests.realclients.programs import CLAUDE, HostProgram
from tests.realclients.recipes import KEY
from tests.realclients.running import Running
from tests.support import until

PATIENCE_S = 90.0
_IN_A_TERMINAL = (
    "import pty, sys; pty.spawn(['/bin/sh', '-c', 'stty cols 150 rows 50; exec \"$@\"', 'sh', *sys.argv[1:]])"
)


@pytest.fixture
def claude(machine: Machine, install: Callable[..., None]) -> HostProgram:
    """Claude Code, with Codeg registered in it and the host running."""
    install(CLAUDE.recipe, CLAUDE.package)
    machine.rig.start()
    done = machine.rig.codeg("mcp", "add", CLAUDE.slug, "--approve", patience=120)
    assert done.returncode == 0, done.stderr
    return CLAUDE


def in_a_terminal(machine: Machine, prompt: str) -> Running:
    """Its terminal, at a folder that the person trusts and with a key that they allowed."""
    path = CLAUDE.config(machine.place)
    settings = json.loads(path.read_text(encoding="utf-8"))
    settings["customApiKeyResponses"] = {"approved": [KEY], "rejected": []}
    settings["projects"] = {str(machine.place.folder): {"hasTrustDialogAccepted": True}}
    path.write_text(json.dumps(settings), encoding="utf-8")
    claude = bin_of(CLAUDE.package) / PACKAGES[CLAUDE.package].program
    return machine.start([sys.executable, "-I", "-c", _IN_A_TERMINAL, str(claude), prompt], {"TERM": "xterm-256color"})


def test_a_delegation_is_a_task_and_its_result_is_brought_to_the_model(claude: HostProgram, machine: Machine) -> None:
    program, model, go = claude, machine.model, gate_file(machine)
    work = delegate(program, FAKE, f"@wait {go} @say Grüße aus der Ferne.")
    model.script("go", in_turns(work, say("I go on meanwhile.")))
    running = in_a_terminal(machine, marked("go"))
    shown = until(lambda: model.results("go"), "the call is answered", PATIENCE_S)
    task_id = task(machine)["task_id"]
    # Its own words for the handle, which it got at once; the child still works.
    assert task_id in shown[0]
    assert "server-side task" in shown[0]
    assert outside(machine, program)["state"] == "connected"
    go.touch()

    def told() -> list[str]:
        texts = [message.text for asked in model.asked() for message in asked.conversation.messages]
        return [text for text in texts if "Grüße aus der Ferne." in text and task_id in text and "completed" in text]

    until(told, "the model is told the result", PATIENCE_S)
    # It made one call, and asked for nothing else.
    assert len(model.results("go")) == 1
    assert task(machine)["status"] == "completed"
    running.signal(signal.SIGTERM)
    running.wait()


def test_what_its_model_stops_is_cancelled_here(claude: HostProgram, machine: Machine) -> None:
    model, go = machine.model, gate_file(machine)

    def stop(seen: Seen) -> Turn:
        (own_id,) = re.findall(r"to the background as task (\w+)", seen.results[0])
        return call("TaskStop", full="TaskStop", task_id=own_id)

    model.script("go", in_turns(delegate(claude, FAKE, f"@wait {go} @say Too late."), stop, say("Stopped.")))
    running = in_a_terminal(machine, marked("go"))
    until(lambda: len(model.results("go")) == 2, "the model has stopped it", PATIENCE_S)
    until(lambda: task(machine)["status"] == "canceled", "the task is canceled", PATIENCE_S)
    running.signal(signal.SIGTERM)
    running.wait()
