"""The start of a real connection: steps, deadlines, sign-in, modes, re-attachment, and what the agent sees of it."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from codeg.sessions.types import McpServer
from tests.sessions.agent_rig import Rig

pytestmark = pytest.mark.anyio


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


@pytest.mark.parametrize(
    ("start", "step"),
    [("silent-initialize", "initialize"), ("silent-new", "session/new"), ("silent-mode", "session/set_mode")],
)
async def test_a_step_without_an_answer_is_a_timeout_that_names_it(rig: Rig, start: str, step: str) -> None:
    failure = await rig.failing_start(start, timeout_s=0.5)
    assert failure.code == "agent_start_timeout"
    assert f"did not answer {step} within 0.5 s" in failure.message
    assert "fake_agent.py" in failure.message


async def test_a_load_without_an_answer_is_a_timeout_too(rig: Rig) -> None:
    async with rig.open() as connection:
        session_id = connection.session_id
    failure = await rig.failing_start("only-load,silent-load", resume=session_id, timeout_s=0.5)
    assert failure.code == "agent_start_timeout"
    assert "session/load" in failure.message


async def test_an_agent_that_wants_a_sign_in_says_so(rig: Rig) -> None:
    failure = await rig.failing_start("auth")
    assert failure.code == "auth_required"
    assert "session/new" in failure.message
    assert "run fake login" in failure.message


async def test_a_sign_in_is_told_with_the_line_to_type_and_what_can_be_set(rig: Rig) -> None:
    failure = await rig.failing_start("auth,auth-ways")
    assert failure.code == "auth_required"
    assert f"Run `{sys.executable} --terminal-login` in a terminal. Or set FAKE_KEY or FAKE_TOKEN," in failure.message
    rig.agent = replace(rig.agent, sign_in="To sign in, run `fake login` in a terminal.")
    failure = await rig.failing_start("auth,auth-ways")
    assert "To sign in, run `fake login` in a terminal. Or set FAKE_KEY or FAKE_TOKEN," in failure.message


async def test_an_agent_that_says_that_nobody_is_signed_in_is_believed(rig: Rig) -> None:
    async with rig.open("signed-out") as connection:
        assert connection.offers.signed_in is False
    async with rig.open() as connection:
        assert connection.offers.signed_in is None


async def test_a_model_that_is_only_listed_is_set_by_the_method_that_the_agent_has(rig: Rig) -> None:
    rig.agent = replace(rig.agent, options=(("model", "large"),))
    async with rig.open("lists-models") as connection:
        assert [(option.option_id, option.value) for option in connection.offers.options] == [("model", "large")]
        await connection.set_option("model", "small")
        assert connection.offers.options[0].value == "small"
    assert [sent["params"]["modelId"] for sent in rig.received("session/set_model")] == ["large", "small"]
    assert not rig.received("session/set_config_option")


async def test_a_greeting_of_the_program_is_no_part_of_the_answer(rig: Rig) -> None:
    result = await rig.turn("@say hello", "greets")
    assert result.text == "hello"
    assert rig.sink.texts("notice") == ["fake v1\n---\n"]


async def test_an_error_answer_names_step_code_and_the_last_lines_of_stderr(rig: Rig) -> None:
    failure = await rig.failing_start("error-new")
    assert failure.code == "subagent_error"
    assert "session/new with error -32603: Internal error" in failure.message
    assert failure.message.endswith("cannot reach the moon")
    assert failure.stderr == ("cannot reach the moon",)


async def test_an_agent_that_exits_at_once_is_a_crash_with_code_and_usage(rig: Rig) -> None:
    failure = await rig.failing_start("exit-3")
    assert failure.code == "agent_crashed"
    assert "exited with code 3 during initialize" in failure.message
    assert "usage: fake-agent" in failure.message


async def test_a_program_that_is_not_there_is_named(rig: Rig) -> None:
    rig.agent = replace(rig.agent, command=("no-such-agent-anywhere",), install="Install it with care.")
    failure = await rig.failing_start()
    assert failure.code == "spawn_failed"
    assert "no-such-agent-anywhere" in failure.message
    assert "Install it with care." in failure.message
    assert not rig.sink.log


async def test_a_file_that_is_no_program_is_spawn_failed(rig: Rig) -> None:
    broken = rig.folder / "broken"
    broken.write_bytes(b"\x7fELF nothing")
    broken.chmod(0o755)
    rig.agent = replace(rig.agent, command=(str(broken),))
    assert (await rig.failing_start()).code == "spawn_failed"


async def test_an_agent_of_another_protocol_version_is_refused_in_words(rig: Rig) -> None:
    failure = await rig.failing_start("version-2")
    assert failure.code == "subagent_error"
    assert "version 2" in failure.message


async def test_configured_secrets_appear_in_no_failure(rig: Rig) -> None:
    rig.agent = replace(rig.agent, env=(("MY_KEY", "hunter2-hunter2"),))
    script = "import os, sys; sys.stderr.write('bad key ' + os.environ['MY_KEY']); sys.exit(1)"
    rig.agent = replace(rig.agent, command=(sys.executable, "-c", script))
    failure = await rig.failing_start()
    assert "bad key ***" in failure.message
    assert "hunter2" not in failure.message + repr(failure.stderr) + repr(rig.agent)


async def test_the_agent_is_told_who_we_are_what_we_lack_and_which_servers_to_start(rig: Rig) -> None:
    rig.servers = (McpServer("codeg", "/usr/bin/python3", ("-I", "-m", "companion"), (("A", "b"),)),)
    async with rig.open():
        pass
    [initialize] = rig.received("initialize")
    assert initialize["params"]["protocolVersion"] == 1
    assert initialize["params"]["clientInfo"]["name"] == "codeg"
    assert initialize["params"]["clientCapabilities"]["fs"] == {"readTextFile": False, "writeTextFile": False}
    assert initialize["params"]["clientCapabilities"]["terminal"] is False
    [new] = rig.received("session/new")
    assert new["params"]["cwd"] == str(rig.folder)
    assert new["params"]["mcpServers"] == [
        {
            "name": "codeg",
            "command": "/usr/bin/python3",
            "args": ["-I", "-m", "companion"],
            "env": [{"name": "A", "value": "b"}],
        }
    ]


async def test_the_mode_is_set_when_it_is_another_and_not_when_it_is_the_same(rig: Rig) -> None:
    async with rig.open() as connection:
        assert connection.mode == "default"
    assert [message["params"]["modeId"] for message in rig.received("session/set_mode")] == ["default"]
    rig.agent = replace(rig.agent, mode="auto")
    async with rig.open() as connection:
        assert connection.mode == "auto"
    assert len(rig.received("session/set_mode")) == 1


async def test_an_agent_without_modes_is_left_as_it_is(rig: Rig) -> None:
    async with rig.open("no-modes") as connection:
        assert connection.modes == ()
        assert connection.mode is None
    assert not rig.received("session/set_mode")


async def test_a_mode_that_the_agent_does_not_offer_is_a_failure_that_lists_those_it_does(rig: Rig) -> None:
    rig.agent = replace(rig.agent, mode="read-only")
    failure = await rig.failing_start()
    assert failure.code == "subagent_error"
    assert "no mode 'read-only', only auto, default, plan" in failure.message


async def test_a_load_replays_nothing_into_the_turn_and_sets_the_mode_again(rig: Rig) -> None:
    async with rig.open() as connection:
        session_id = connection.session_id
        await connection.prompt("@say the secret past")
    before = len(rig.received())
    async with rig.open("only-load,slow-replay", resume=session_id) as connection:
        assert connection.resume_via == "load"
        assert connection.title == "an old title"
        assert not rig.sink.entries
        prompt = f"@wait {rig.folder / 'state' / 'replayed'} @say the present"
        result = await connection.prompt(prompt, record=False)
    assert result.text == "the present"
    assert rig.sink.texts("message") == ["the present"]
    assert not rig.sink.texts("user")
    seen = rig.received()[before:]
    assert [message.get("method") for message in seen] == [
        "initialize",
        "session/load",
        "session/set_mode",
        "session/prompt",
    ]
    assert seen[1]["params"]["sessionId"] == session_id
    assert seen[3]["params"] == {"sessionId": session_id, "prompt": [{"type": "text", "text": prompt}]}


async def test_the_mode_is_set_again_after_a_re_attachment_whatever_the_agent_says_it_is(rig: Rig) -> None:
    async with rig.open("in-default-mode") as connection:
        session_id = connection.session_id
    assert not rig.received("session/set_mode")
    async with rig.open("in-default-mode", resume=session_id):
        pass
    assert [message["params"]["modeId"] for message in rig.received("session/set_mode")] == ["default"]


async def test_resume_is_preferred_to_load(rig: Rig) -> None:
    async with rig.open() as connection:
        session_id = connection.session_id
    async with rig.open(resume=session_id) as connection:
        assert connection.resume_via == "resume"
    assert rig.received("session/resume")[0]["params"]["sessionId"] == session_id
    assert not rig.received("session/load")


async def test_an_agent_that_can_neither_is_not_asked(rig: Rig) -> None:
    failure = await rig.failing_start("no-resume", resume="fake-1")
    assert failure.code == "resume_unavailable"
    assert "neither session/resume nor session/load" in failure.message


async def test_a_forgotten_session_is_unavailable_with_the_agents_own_reason(rig: Rig) -> None:
    failure = await rig.failing_start("forget", resume="fake-1")
    assert failure.code == "resume_unavailable"
    assert "session/resume with error -32002: Unknown session fake-1" in failure.message


async def test_lines_ahead_of_the_first_message_and_words_ahead_of_the_first_prompt_do_no_harm(rig: Rig) -> None:
    result = await rig.turn("@say hello", "banner,early-text")
    assert result.text == "hello"


async def test_config_options_of_the_user_are_set(rig: Rig) -> None:
    plain = rig.agent
    rig.agent = replace(plain, options=(("model", "large"), ("fast", "true")))
    async with rig.open() as connection:
        assert [option.value for option in connection.offers.options] == ["large", "true"]
    first, second = rig.received("session/set_config_option")
    assert (first["params"]["configId"], first["params"]["value"]) == ("model", "large")
    assert (second["params"]["type"], second["params"]["value"]) == ("boolean", True)
    rig.agent = replace(plain, options=(("model", "refused"),))
    failure = await rig.failing_start()
    assert failure.code == "subagent_error"
    assert "session/set_config_option" in failure.message


async def test_an_agent_that_takes_no_images_says_so(rig: Rig) -> None:
    async with rig.open("no-images") as connection:
        assert not connection.offers.images
