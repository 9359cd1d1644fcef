"""The host may open many files; an agent gets the limit that the host itself was started with."""

import resource
import sys
from collections.abc import Iterator

import anyio
import pytest

from codeg.sessions import descriptor_limit
from codeg.sessions.descriptor_limit import MOST_DESCRIPTORS, agents_descriptor_limit, raise_descriptor_limit
from codeg.sessions.process import spawn_agent
from tests.fakes.processes import PATIENCE, agent, new_run

NOFILE = resource.RLIMIT_NOFILE


@pytest.fixture
def soft(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """This process may open 300 files, and has not raised that."""
    before = resource.getrlimit(NOFILE)
    monkeypatch.setattr(descriptor_limit, "_before", None)
    resource.setrlimit(NOFILE, (300, before[1]))
    yield 300
    resource.setrlimit(NOFILE, before)


def limit_of(pid: int) -> int:
    with open(f"/proc/{pid}/limits", encoding="ascii") as limits:
        return int(next(line.split()[3] for line in limits if line.startswith("Max open files")))


@pytest.mark.usefixtures("soft")
def test_the_limit_is_raised_and_bounded_and_a_second_raise_changes_nothing() -> None:
    raised = raise_descriptor_limit()
    assert resource.getrlimit(NOFILE)[0] == raised
    assert 300 < raised <= MOST_DESCRIPTORS
    assert raise_descriptor_limit() == raised
    assert agents_descriptor_limit() == 300


def test_a_limit_that_is_high_enough_is_left_and_agents_inherit_it(soft: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descriptor_limit, "MOST_DESCRIPTORS", soft)
    monkeypatch.setattr(descriptor_limit, "_MAC_DESCRIPTORS", soft)
    assert raise_descriptor_limit() == soft
    assert agents_descriptor_limit() == 0


@pytest.mark.anyio
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_an_agent_gets_the_limit_that_the_host_started_with(soft: int) -> None:
    raise_descriptor_limit()
    with anyio.fail_after(PATIENCE):
        async with spawn_agent(agent("echo"), new_run(), "/") as process:
            assert limit_of(process.identity.agent_pid) == soft
