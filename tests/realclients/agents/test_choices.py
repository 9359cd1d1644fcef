"""What each real agent says of itself when it is started once: version, modes, models, and whether somebody is signed in."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import pytest

from codeg.runtime.probing import probe_agent
from codeg.sessions.builtin_agents import builtin_agents
from codeg.sessions.connection import AgentConnection, LaunchSpec
from codeg.sessions.stdio_launcher import StdioLauncher
from codeg.sessions.types import AgentDefinition
from tests.fakes.recording_sink import RecordingSink
from tests.realclients.agents.programs import AGENTS, CLAUDE, CODEX, CODEX_RUST, GEMINI, PI, QWEN, AgentProgram
from tests.realclients.machine import Machine
from tests.realclients.recipes import Recipe

pytestmark = pytest.mark.anyio
START_S = 120.0
NOBODY = Recipe(lambda _place: None, lambda _place: {})
"""No configuration and no key."""


def launcher(machine: Machine) -> StdioLauncher:
    async def path() -> str:
        return machine.rig.env["PATH"]

    return StdioLauncher(path, machine.rig.env, "0.0.0")


def definition(program: AgentProgram) -> AgentDefinition:
    return next(agent for agent in builtin_agents() if agent.slug == program.slug)


@asynccontextmanager
async def opened(machine: Machine, agent: AgentDefinition) -> AsyncGenerator[AgentConnection]:
    spec = LaunchSpec(agent, str(machine.place.folder), (), START_S)
    async with launcher(machine).open(spec, RecordingSink()) as connection:
        yield connection


async def test_a_start_tells_version_modes_and_models(machine: Machine, program: AgentProgram) -> None:
    agent = definition(program)
    probe = await probe_agent(agent, launcher(machine), seconds=START_S)
    assert (probe.state, probe.message) == ("ready", "")
    assert probe.version == program.version
    assert agent.mode is None or agent.mode in [mode_id for mode_id, _ in probe.modes]
    assert [name for _, name, choices in probe.options if choices and name == "Model"] == ["Model"]


async def test_every_mode_and_the_model_can_be_set(machine: Machine, program: AgentProgram) -> None:
    async with opened(machine, definition(program)) as connection:
        for mode_id, _ in connection.modes:
            await connection.set_mode(mode_id)
            assert connection.mode == mode_id
        [model] = [option for option in connection.offers.options if option.category == "model"]
        await connection.set_option(model.option_id, model.choices[0][0])
        [model] = [option for option in connection.offers.options if option.category == "model"]
        assert model.value == model.choices[0][0]


async def test_a_mode_and_a_model_of_the_users_are_set_at_the_start(machine: Machine, program: AgentProgram) -> None:
    async with opened(machine, definition(program)) as connection:
        mode, _ = connection.modes[-1]
        [model] = [option for option in connection.offers.options if option.category == "model"]
    chosen = replace(definition(program), mode=mode, options=((model.option_id, model.choices[0][0]),))
    async with opened(machine, chosen) as connection:
        assert connection.mode == mode
        [now] = [option for option in connection.offers.options if option.category == "model"]
        assert now.value == model.choices[0][0]


SIGNED_IN_BY_NAME = [CLAUDE, CODEX, CODEX_RUST, GEMINI, QWEN, PI]


@pytest.mark.parametrize("stranger", SIGNED_IN_BY_NAME, ids=lambda program: program.id)
async def test_without_a_sign_in_the_line_to_type_is_told(
    machine: Machine, install: Callable[..., None], stranger: AgentProgram
) -> None:
    install(NOBODY, *stranger.packages)
    with anyio.fail_after(START_S):
        probe = await probe_agent(definition(stranger), launcher(machine), seconds=START_S)
    assert probe.state == "signed_out", probe
    assert definition(stranger).sign_in in probe.message
    assert probe.version == stranger.version


def test_all_programs_are_in_the_catalogue() -> None:
    assert {program.slug for program in AGENTS} <= {agent.slug for agent in builtin_agents()}
