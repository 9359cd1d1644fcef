"""`codeg run --agent …`: a real agent as the root session of a host of its own, with a delegation of its own."""

import json
from typing import Any

from tests.realclients.agents.programs import AgentProgram
from tests.realclients.agents.test_nested import handing_on
from tests.realclients.machine import Machine
from tests.realclients.model import marked

Json = dict[str, Any]


def test_a_real_agent_runs_as_the_root_and_its_delegation_is_shown(machine: Machine, program: AgentProgram) -> None:
    (machine.place.folder / "README.md").write_text("# Grüße, 世界\n", encoding="utf-8")
    machine.rig.settings("[delegation]\nstart_timeout_s = 120\n")
    machine.model.script("root", handing_on(program))
    words = ("run", "--agent", program.slug, "--yes", "--json", f"Do as the script says. {marked('root')}")
    done = machine.rig.codeg(*words, patience=200)
    assert done.returncode == 0, (done.stdout[-3_000:], done.stderr[-3_000:])
    events: list[Json] = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events[:1] + events[-1:]] == ["session", "end"]
    delegations = {event["task_id"]: event for event in events if event["event"] == "delegation"}
    assert len(delegations) == (1 if program.mcp else 0)
    for last in delegations.values():
        assert (last["agent_type"], last["status"]) == ("demo", "completed")
    assert events[-1]["ok"] is True
    assert ("Grüße, 世界" in events[-1]["text"]) == program.mcp
    assert not machine.rig.tree()
