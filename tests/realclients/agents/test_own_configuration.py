"""An agent whose user registered Codeg in it: as our child it is one parent, with its own depth and no more tools."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.realclients.agents.programs import AGENTS, AgentProgram, node_first
from tests.realclients.agents.test_nested import handing_on
from tests.realclients.agents.work import Work
from tests.realclients.machine import Machine
from tests.realclients.model import Turn, in_turns, say
from tests.realclients.programs import HOSTS, TOOLS

DELEGATION = {"delegate_to_agent", "get_delegation_status", "cancel_delegation", "resume_delegation"}
REGISTERED = [program for program in AGENTS if program.host]


@pytest.fixture(params=REGISTERED, ids=lambda program: program.id)
def program(request: pytest.FixtureRequest, machine: Machine, install: Callable[..., None]) -> AgentProgram:
    """The program is on the PATH, configured, and Codeg is registered in it as its user would."""
    found: AgentProgram = request.param
    install(found.recipe, *found.packages, *found.own_program)
    node_first(machine.place, machine.rig.env["PATH"])
    done = machine.rig.codeg("mcp", "add", found.host, "--approve", patience=120)
    assert done.returncode == 0, done.stderr
    return found


def begin(machine: Machine, program: AgentProgram, depth_limit: int) -> Work:
    machine.rig.settings(f"[delegation]\nstart_timeout_s = 120\ndepth_limit = {depth_limit}\n")
    machine.rig.start()
    return Work(machine, program)


def offered(machine: Machine, script: str) -> set[str]:
    """Those of our tools that its model was ever offered."""
    names = {name for asked in machine.model.asked(script) for name in asked.offered}
    return {tool for tool in TOOLS for name in names if name.endswith(tool)}


def test_it_is_one_parent_and_no_outside_session(machine: Machine, program: AgentProgram) -> None:
    work = begin(machine, program, depth_limit=2)
    (work.folder / "README.md").write_text("# Hello\n", encoding="utf-8")
    task_id = work.begin("nested", handing_on(program))
    with work.allowing():
        report = work.end(task_id)
    assert report["status"] == "completed", report
    assert "# Hello" in report["text"]
    sessions = work.operator.request("sessions")
    [outside] = [each for each in sessions if "host" in each]
    [child] = [each for each in sessions if each.get("agent_type") == program.slug]
    [inner] = [each for each in sessions if each.get("agent_type") == "demo"]
    assert (outside["parent"], child["parent"], inner["parent"]) == (None, outside["id"], child["id"])
    assert len(sessions) == 3
    machine.rig.stop()


def rename(path: Path) -> None:
    """The user calls the entry otherwise, so that the agent starts both it and ours."""
    text = path.read_text(encoding="utf-8")
    renamed = text.replace("[mcp_servers.codeg", "[mcp_servers.mine").replace('"codeg":', '"mine":')
    assert renamed != text
    path.write_text(renamed, encoding="utf-8")


@pytest.mark.parametrize("name", ["codeg", "mine"])
def test_at_the_last_level_no_delegation_is_offered(machine: Machine, program: AgentProgram, name: str) -> None:
    if name == "mine":
        rename(next(host for host in HOSTS if host.slug == program.host).config(machine.place))
    work = begin(machine, program, depth_limit=1)
    task_id = work.begin("leaf", in_turns(Turn(calls=(program.shell("true"),)), say("Done.")))
    with work.allowing():
        assert work.end(task_id)["status"] == "completed"
    assert not offered(machine, "leaf") & DELEGATION
    names = {each for asked in machine.model.asked("leaf") for each in asked.offered if each.endswith(TOOLS)}
    assert any(name in each for each in names) or program.hides, names
    assert len(work.operator.request("sessions")) == 2
    machine.rig.stop()
