"""After `codeg mcp add`, the program's next start offers our tools to its model; after `remove` it is as before."""

import json
from typing import Any

from tests.realclients.hosts.work import end_of
from tests.realclients.machine import Machine
from tests.realclients.matrix import Cell
from tests.realclients.model import Turn, call, in_turns, marked, say
from tests.realclients.programs import CLAUDE, TOOLS, HostProgram

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
