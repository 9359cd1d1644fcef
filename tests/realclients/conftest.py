"""The scripted model, a user's machine and real programs on it, for the tests of this folder."""

import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import made_rig
from tests.e2e.rig import Rig
from tests.realclients import options
from tests.realclients.machine import Machine
from tests.realclients.matrix import Cell
from tests.realclients.model import Model
from tests.realclients.packages import missing
from tests.realclients.recipes import Recipe

SLOWEST_S = 300
"""Seconds that one test may take: the slowest programs start for 15 s on a loaded machine, some tests start one thrice."""
OUTCOME = pytest.StashKey[bool]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    ours = [item for item in items if here in item.path.parents]
    for item in ours:
        item.add_marker(pytest.mark.timeout(SLOWEST_S))
    left_out = {item for item in ours if options.is_beyond(config, item)}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[OUTCOME] = report.passed
    return report


@pytest.fixture
def model() -> Iterator[Model]:
    """A scripted model of this test's own."""
    with Model() as running:
        yield running
    assert not running.failures, running.failures[0]


@pytest.fixture
def machine(model: Model) -> Iterator[Machine]:
    """A user's machine without programs; its host is not started (`machine.rig.start()`)."""
    temporary = Path(tempfile.mkdtemp(prefix="cr-"))
    try:
        with made_rig() as rig:
            made = Machine(rig, model, temporary)
            try:
                yield made
            finally:
                made.close()
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@pytest.fixture
def rig(machine: Machine) -> Rig:
    """The host's side of the machine, not started."""
    return machine.rig


@pytest.fixture
def host(rig: Rig) -> Rig:
    """The same with its host running."""
    rig.start()
    return rig


@pytest.fixture
def install(machine: Machine, request: pytest.FixtureRequest) -> Callable[..., None]:
    """`install(recipe, *packages)`: programs on the machine's PATH; skips the test where they are not to be had."""

    def put(recipe: Recipe, *packages: str) -> None:
        options.need(request.config, *packages)
        machine.install(recipe, *packages)

    return put


@pytest.fixture
def cell(request: pytest.FixtureRequest) -> Iterator[Cell]:
    """The cell of the matrix that this test fills, if it passes."""
    made = Cell()
    yield made
    if made.record is not None and request.node.stash.get(OUTCOME, False):
        request.node.user_properties.append((options.CELL, made.record.packed()))


def pytest_report_header() -> str:
    reasons = [reason for name in ("codex", "claude") if (reason := missing(name)) is not None]
    return f"real programs: {reasons[0] if reasons else 'installed'}"
