"""Our client against an agent built on the official ACP package."""

import sys
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from codeg.sessions.connection import AgentFailure
from tests.sessions.agent_rig import Rig

pytestmark = [pytest.mark.anyio, pytest.mark.peer]


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    script = str(Path(__file__).parents[1] / "fakes" / "sdk_agent.py")
    rig = Rig(tmp_path)
    rig.agent = replace(rig.agent, command=(sys.executable, "-W", "ignore", script))
    return rig


async def test_a_whole_conversation_with_the_official_package(rig: Rig) -> None:
    texts: list[tuple[str, str]] = []
    first = ""
    async with rig.open() as connection, anyio.create_task_group() as tasks:
        assert connection.session_id.startswith("sdk-")
        assert (connection.resume_via, connection.mode) == ("resume", "default")
        result = await connection.prompt("hello tool done")
        assert (result.stop_reason, result.text, result.tool_calls) == ("end_turn", "done", 1)

        async def run(prompt: str) -> None:
            result = await connection.prompt(prompt)
            texts.append((result.stop_reason, result.text))

        tasks.start_soon(run, "ask")
        await rig.until(lambda: rig.sink.open_permissions)
        [request] = rig.sink.of("permission_asked")
        assert request.title == "Write a file"
        assert connection.answer_permission(request.key, "yes")
        await rig.until(lambda: len(texts) == 1)
        assert texts[0] == ("end_turn", "yes")

        tasks.start_soon(run, "wait")
        await rig.until(lambda: "waiting" in rig.sink.texts("message"))
        await connection.cancel()
        await rig.until(lambda: len(texts) == 2)
        assert texts[1] == ("cancelled", "waiting")
        first = connection.session_id
    async with rig.open(resume=first) as connection:
        assert (await connection.prompt("again")).text == "again"


async def test_a_session_that_the_official_package_refuses_to_resume(rig: Rig) -> None:
    with pytest.raises(AgentFailure) as caught:
        async with rig.open(resume="other"):
            pytest.fail("opened")
    assert caught.value.code == "resume_unavailable"
