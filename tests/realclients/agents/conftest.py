"""An agent program on the test's machine and an outside session that delegates to it; each test runs with each."""

from collections.abc import Callable, Iterator

import pytest

from tests.realclients.agents.programs import AGENTS, AgentProgram, node_first
from tests.realclients.agents.work import Work
from tests.realclients.machine import Machine


@pytest.fixture(params=AGENTS, ids=lambda program: program.id)
def program(request: pytest.FixtureRequest, machine: Machine, install: Callable[..., None]) -> AgentProgram:
    """The program is on the PATH and configured."""
    found: AgentProgram = request.param
    install(found.recipe, *found.packages)
    node_first(machine.place, machine.rig.env["PATH"])
    return found


@pytest.fixture
def work(program: AgentProgram, machine: Machine) -> Iterator[Work]:
    """The host runs, and a companion of an outside session is connected."""
    machine.rig.settings("[delegation]\nstart_timeout_s = 120\n")
    machine.rig.start()
    yield Work(machine, program)
    machine.rig.stop()
