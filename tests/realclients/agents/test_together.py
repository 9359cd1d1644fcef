"""A real host program hands work to a real agent program, over the registered companion and the real socket."""

from collections.abc import Callable

import pytest

from tests.realclients import programs as hosts
from tests.realclients.agents.programs import CLAUDE, OPENCODE, AgentProgram, node_first
from tests.realclients.agents.test_nested import task_in
from tests.realclients.machine import Machine
from tests.realclients.model import Seen, Turn, in_turns, marked, say

SAID = "The real child says: Grüße, 世界."


@pytest.mark.parametrize("agent", [CLAUDE, OPENCODE], ids=lambda agent: agent.id)
def test_codex_hands_a_task_to_a_real_agent(
    machine: Machine, install: Callable[..., None], agent: AgentProgram
) -> None:
    host = hosts.CODEX
    install(agent.recipe, *agent.packages)
    install(host.recipe, host.package)
    node_first(machine.place, machine.rig.env["PATH"])
    machine.rig.start()
    done = machine.rig.codeg("mcp", "add", host.slug, "--approve", patience=120)
    assert done.returncode == 0, done.stderr
    task = f"Say it. {marked('inner')}"

    def waiting(seen: Seen) -> Turn:
        return Turn(calls=(host.call("get_delegation_status", task_ids=[task_in(seen.results[0])], wait_ms=0),))

    hand_on = Turn(calls=(host.call("delegate_to_agent", agent_type=agent.slug, task=task),))
    machine.model.script("outer", in_turns(hand_on, waiting, say("It said: {result}")))
    machine.model.script("inner", lambda _: say(SAID))
    running = host.start(machine, f"go {marked('outer')}")
    assert running.wait(180) == 0, running.stderr
    assert SAID in host.answer(running)
    sessions = machine.rig.codeg_json("sessions")
    [outside] = [each for each in sessions if "host" in each]
    [child] = [each for each in sessions if "agent_type" in each]
    assert (child["agent_type"], child["parent"]) == (agent.slug, outside["id"])
    [report] = machine.rig.codeg_json("task", "list")
    assert (report["status"], report["agent_type"]) == ("completed", agent.slug)
    assert not running.left
