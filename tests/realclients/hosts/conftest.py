"""A host program on the test's machine, registered as a person registers it; each test runs with every program."""

from collections.abc import Callable

import pytest

from tests.realclients.hosts.work import add
from tests.realclients.machine import Machine
from tests.realclients.programs import HOSTS, HostProgram


@pytest.fixture(params=HOSTS, ids=lambda program: program.slug)
def program(request: pytest.FixtureRequest, machine: Machine, install: Callable[..., None]) -> HostProgram:
    """The program is on the PATH and configured, not registered."""
    found: HostProgram = request.param
    install(found.recipe, found.package)
    assert machine.place.home.is_dir()
    return found


@pytest.fixture
def registered(program: HostProgram, machine: Machine) -> HostProgram:
    """Codeg is registered in it, its tools run without asking, and the host runs."""
    machine.rig.start()
    add(program, machine, "--approve")
    return program
