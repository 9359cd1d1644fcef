"""After `codeg mcp add`, the program's next start offers our tools to its model; after `remove` it is as before."""

import json
from typing import Any

import pytest

from tests.realclients.hosts.work import delegate, end_of, states
from tests.realclients.machine import Machine
from tests.realclients.matrix import Cell
from tests.realclients.model import Turn, call, in_turns, marked, say
from tests.realclients.programs import CLAUDE, CODEX, TOOLS, HostProgram

SEARCHING_MODEL = "gpt-5.5"
"""One of which Codex 0.171 knows that it can search for tools."""
CLAUDE_FILE: dict[str, Any] = {
    "hasCompletedOnboarding": True,
    "mcpServers": {"other": {"type": "stdio", "command": "/bin/false", "args": ["grün"], "env": {}}},
    "projects": {"/somewhere": {"allowedTools": ["Bash(ls:*)"]}},
}


def test_six_tools_are_offered_to_its_model(registered: HostProgram, machine: Machine, cell: Cell) -> None:
    program = registered
    cell("hosts", program.label, program.version, "list")
    names = [program.named(tool) for tool in TOOLS]
    search = call("tool_search", query=f"select:{','.join(names)}")
    machine.model.script("list", in_turns(search if program.deferred else say("END"), say("END")))
    end_of(program.start(machine, f"go {marked('list')}"))
    last = machine.model.asked("list")[-1]
    shown = machine.model.results("list")[0] if program.deferred else "\n".join(last.offered)
    assert [name for name in names if name not in shown] == []
    if program.deferred:
        cell.deviates("Its model finds the tools by `tool_search`.")


@pytest.mark.parametrize("program", [CODEX], indirect=True, ids=["codex"])
def test_a_model_that_searches_for_tools_finds_ours(registered: HostProgram, machine: Machine, cell: Cell) -> None:
    program, model = registered, machine.model
    cell("hosts", program.label, program.version, "list")
    config = program.config(machine.place)
    config.write_text(config.read_text().replace('"scripted"', f'"{SEARCHING_MODEL}"', 1))
    search = call("tool_search", query="delegate a task to another coding agent")
    status = in_turns(search, lambda _: delegate(program, "demo", "readme"), say("END"))
    model.script("go", status)
    end_of(program.start(machine, f"go {marked('go')}"))
    first, *_, last = model.asked("go")
    assert not [name for name in first.offered if "delegat" in name]
    assert "An @Agent mention in the user's text is an order to delegate" in str(first.body)
    assert {program.named(tool) for tool in TOOLS} <= set(last.offered)
    assert states(model.results("go")) == ["", "running"]
    cell.deviates(f"With models that it knows (tried: {SEARCHING_MODEL}), the model finds the tools by `tool_search`.")


def test_remove_leaves_everything_else_as_it_was(program: HostProgram, machine: Machine) -> None:
    file = program.config(machine.place)
    if program is CLAUDE:
        file.write_text(json.dumps(CLAUDE_FILE), encoding="utf-8")
    before = file.read_bytes()
    added = machine.rig.codeg("mcp", "add", program.slug)
    assert added.returncode == 0, added.stderr
    assert file.read_bytes() != before
    removed = machine.rig.codeg("mcp", "remove", program.slug)
    assert removed.returncode == 0, removed.stderr
    if program is CLAUDE:
        # Its own command for entries writes the whole file anew, with more of its own.
        now = json.loads(file.read_bytes())
        assert {name: now.get(name) for name in CLAUDE_FILE} == CLAUDE_FILE
    else:
        assert file.read_bytes() == before
    machine.model.script("gone", in_turns(Turn(text="END")))
    end_of(program.start(machine, f"go {marked('gone')}"))
    assert not [name for name in machine.model.asked("gone")[-1].offered if "delegat" in name]
